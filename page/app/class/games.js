/** A pupil's own games in leagues of the class: the list, and one of them with what the program printed beside its moves. */

import { button, card, h, keep, replace, say, statusLine } from "../dom.js";
import { Replay } from "../replay.js";
import { faultOf, timeText } from "./work.js";

/** @typedef {import("./pupil.js").Pupil} Pupil */

/** How a game went for the reader, in words. @param {School.Game} game @param {App.Speaker} t */
export function wentText(game, t) {
  return t(game.made === 1 ? "gameWon" : game.made === 0 ? "gameLost" : "gameDrawn");
}

/** Mistakes are found in the background: how often, and after what time, it is asked whether they are known. */
const LOOK_MS = 6000;
const MOST_LOOKS = 20;

export class MyGames {
  /** @param {Pupil} pupil */
  constructor(pupil) {
    this.pupil = pupil;
    const { t } = pupil.page;
    /** @type {Map<number, School.Game>} */
    this.games = new Map();
    this.played = -1;
    this.list = h("ul.list.games");
    this.more = button("older-games", t("olderGames"), () => this.ask(Math.min(...this.games.keys())), { hidden: true });
    this.element = card(t("myGames"), this.list, this.more);
    this.element.hidden = true;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.looks = MOST_LOOKS;
  }

  /** Asks again when games have been played since. @param {School.Hall} hall */
  show(hall) {
    const played = hall.league?.played ?? 0;
    this.paint(); // when a version was handed in is known now
    if (played === this.played) return;
    this.played = played;
    this.looks = MOST_LOOKS;
    this.ask(null);
  }

  /** @param {number | null} before */
  ask(before) {
    this.pupil.write({ type: "get_games", before: before ?? undefined }).catch(() => (this.played = -1));
  }

  /** @param {School.ClassLetter} letter */
  hear(letter) {
    if (letter.type !== "games") return;
    const games = letter.games ?? [];
    for (const game of games) this.games.set(game.game, game);
    const least = Math.min(...this.games.keys());
    if (!games.length || games.at(-1)?.game === least) this.more.hidden = !letter.more;
    this.paint();
    this.lookAgain();
  }

  lookAgain() {
    clearTimeout(this.timer);
    const waiting = [...this.games.values()].filter((game) => !game.judged).map((game) => game.game);
    if (!waiting.length || !this.looks--) return;
    this.timer = setTimeout(() => this.ask(Math.max(...waiting) + 1), LOOK_MS);
  }

  close() {
    clearTimeout(this.timer);
  }

  paint() {
    const games = [...this.games.values()].sort((one, two) => two.game - one.game);
    this.element.hidden = !games.length;
    keep(this.list, ...games.map((game) => this.row(game)));
  }

  /** @param {School.Game} game */
  row(game) {
    const { page, home } = this.pupil;
    const { t } = page;
    const address = `${home}?game=${game.game}`;
    const went = h("strong", { class: `went made${game.made === 1 ? 1 : game.made === 0 ? 0 : "half"}` }, wentText(game, t));
    return h("li", { "data-game": game.game },
      h("span.what", h("span", went, ` ${t("versus", { name: game.opponent })}`), h("span.faint", `${page.titleOf(game.rules)} · ${reasonText(game, t)}${versionText(this.pupil, game.version)}${game.judged ? "" : ` · ${t("judging")}`}`)),
      hasFailed(game) ? h("a", { class: "button", href: address, "data-action": "failure" }, t("whatFailed")) : null,
      hasMistake(game) ? h("a", { class: "button", href: `${address}#${Number(game.mistake) + 1}`, "data-action": "mistake" }, mistakeText(game, t)) : null,
      hasFailed(game) ? null : h("a", { class: "button", href: address, "data-action": "replay", "aria-label": t("replayGame", { number: game.game }) }, t("replay")));
  }
}

/** Whether it is known that the reader made a mistake, and which. @param {School.Game} game */
const hasMistake = ({ mistake, moves }) => (mistake ?? Infinity) < moves.length;

/** @param {School.Game} game one with a mistake @param {App.Speaker} t */
const mistakeText = ({ mistake, moves }, t) => t("firstMistake", { number: Number(mistake) + 1, move: moves[Number(mistake)] });

/** Which version of the reader's program played, and when it was handed in. @param {Pupil} pupil @param {number | null | undefined} version */
export function versionText({ page, hall }, version) {
  if (!version) return "";
  const at = hall?.works?.find((work) => work.version === version)?.at;
  const number = page.t("version", { number: version }).toLowerCase();
  return ` · ${number}${at ? ` (${timeText(at, page.language)})` : ""}`;
}

/** Endings that are a program's fault. */
const FAULTS = ["crash", "illegal", "timeout"];

/** Whether the reader's own program has failed. @param {School.Game} game */
const hasFailed = ({ reason, made }) => made === 0 && FAULTS.includes(reason);

/** Why a game ended. @param {School.Game} game @param {App.Speaker} t */
function reasonText(game, t) {
  const key = game.reason === "crash" ? `ended_crash_${game.made === 0 ? "mine" : "theirs"}` : `ended_${game.reason}`;
  const text = t(key);
  return text === key ? t("ended_rules") : text;
}

/** One game of the reader: the page's replay, with the prints of their program. */
class OwnReplay extends Replay {
  /** @param {Pupil} pupil @param {School.Game} game @param {number | null} ply */
  constructor(pupil, game, ply) {
    super(pupil.page, game.rules, game.moves.join(" "), ply);
    const { t } = pupil.page;
    this.prints = h("ol.prints");
    const { mistake } = game;
    this.side = card(t("printsOf"), this.prints);
    /** Whether the reader's program failed where the class does not see it. */
    this.isAway = hasFailed(game) && !game.version;
    /** How the reader's program failed; nobody else is told. */
    this.fault = h("div.own-fault");
    this.element.querySelector("h1")?.after(
      h("p", h("strong", wentText(game, t)), ` ${t("versus", { name: game.opponent })} · ${t(game.seat === 1 ? "first" : "second")} · ${reasonText(game, t)}${versionText(pupil, game.version)}`),
      this.fault,
      hasMistake(game) ? h("p", button("mistake", mistakeText(game, t), () => this.look(Number(mistake) + 1))) : "");
    this.element.querySelector(".side .card")?.after(this.side);
    this.element.querySelector("[data-action=show]")?.closest("form")?.remove();
    pupil.write({ type: "get_prints", game: game.game }).catch(() => undefined);
    this.print([]);
  }

  /** @param {readonly [number, string][]} lines @param {School.Fault | null} [fault] @param {boolean} [heard] whether the class has answered */
  print(lines, fault = null, heard = false) {
    const { t } = this.page;
    replace(this.fault, fault ? faultOf(fault, t) : heard && this.isAway ? h("p.fault", t("failedAway")) : null);
    replace(this.prints, ...(lines.length ? lines.map(([ply, text]) =>
      h("li", { "data-ply": ply }, button(`ply-${ply}`, t("beforeMove", { number: ply + 1, move: this.moves[ply] ?? "–" }), () => this.look(ply + 1)), h("pre", text)))
      : [h("li.faint", t("noPrints"))]));
    this.point();
  }

  paint() {
    super.paint();
    this.point();
  }

  /** Points at what was printed before the move that is looked at. */
  point() {
    for (const line of this.prints.children) line.classList.toggle("current", Number(/** @type {HTMLElement} */ (line).dataset.ply) + 1 === this.at);
    const current = /** @type {HTMLElement | null} */ (this.prints.querySelector(".current"));
    if (current) this.prints.scrollTop = current.offsetTop - this.prints.clientHeight / 2;
  }
}

/** `/class/DOOR?game=12`: asks for the game, then shows it. */
export class OneGame {
  /** @param {Pupil} pupil @param {number} number @param {number | null} ply */
  constructor(pupil, number, ply) {
    const { page } = pupil;
    this.pupil = pupil;
    this.number = number;
    this.ply = ply;
    this.title = page.t("myGames");
    this.status = statusLine(page.t("loading"));
    this.element = h("div", h("div.card", this.status));
    /** @type {OwnReplay | null} */
    this.replay = null;
    this.deaf = pupil.listen((letter) => (letter ? this.told(letter) : this.stand()));
    this.stand();
  }

  /** Says why there is nothing to see; what one can do about it stands in the hall. */
  stand() {
    const { page, state, home } = this.pupil;
    if (["asking", "wrong", "removed", "elsewhere"].includes(state)) page.go(home, true);
    else if (!this.replay) say(this.status, page.t(state === "in" ? "loading" : `class_${state}`));
    this.ask();
  }

  ask() {
    if (this.replay || this.pupil.state !== "in") return;
    this.pupil.write({ type: "get_games", before: this.number + 1 }).catch((error) => say(this.status, this.pupil.page.refusal(error)));
  }

  async follow() {
    await this.replay?.follow();
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "prints" && letter.game === this.number) this.replay?.print(/** @type {[number, string][]} */ (letter.lines ?? []), letter.fault, true);
    else if (letter.type === "games" && !this.replay) this.found((letter.games ?? []).find((game) => game.game === this.number));
  }

  /** @param {School.Game | undefined} game */
  found(game) {
    if (!game) {
      say(this.status, this.pupil.page.t("noSuchGame"));
      return;
    }
    this.replay = new OwnReplay(this.pupil, game, this.ply);
    replace(this.element, this.replay.element);
    this.replay.follow();
  }

  switched() {
    this.replay?.switched();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.replay?.key(event);
  }

  close() {
    this.deaf();
  }
}

