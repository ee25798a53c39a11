/** `/class/DOOR`: a pupil's page of the class. */

import { button, card, form, h, input, keep, say, statusLine, update, wide } from "../dom.js";
import { Standing } from "../league.js";
import { table } from "../scores.js";
import { leagueText, putGate, teamsOf } from "./common.js";
import { MyGames, OneGame, versionText } from "./games.js";
import { HandIn } from "./hand_in.js";
import { pupil } from "./pupil.js";
import { Asked } from "./question.js";
import { faultOf } from "./work.js";

/** @typedef {import("./pupil.js").Pupil} Pupil */

/** So many rows of a league are shown as they are; of more, those who lead, and those beside the reader. */
const MOST_ROWS = 9;
const LEADERS = 3;
const BESIDE = 2;
const RUNG_SIGNS = { closed: "○", next: "◎", running: "…", won: "★" };

/**
 * The view of an address: the hall, or one game of the reader.
 * @param {import("../main.js").Page} page @param {string} door @param {URLSearchParams} query
 * @returns {import("../routes.js").View}
 */
export function open(page, door, query) {
  const code = /^#[A-Za-z]{6,16}$/.test(location.hash) ? location.hash.slice(1) : "";
  // The code of a card stays in no address that somebody could read over a shoulder.
  if (code) history.replaceState(null, "", location.pathname + location.search);
  const me = pupil(page, door, code);
  const game = Number(query.get("game"));
  const ply = /^#\d{1,4}$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
  return Number.isInteger(game) && game > 0 ? new OneGame(me, game, ply) : new HallView(me);
}

class HallView {
  /** @param {Pupil} me */
  constructor(me) {
    const { page } = me;
    const { t } = page;
    this.me = me;
    this.page = page;
    this.title = t("theClass");
    this.name = h("h1", t("theClass"));
    this.about = h("p.faint");
    this.status = statusLine(t("loading"));
    this.gate = h("div");
    this.handIn = new HandIn(me);
    this.asked = new Asked(page, (move) => this.reply(move));
    this.ladder = new Ladder(me);
    this.league = new LeagueCard(page);
    this.games = new MyGames(me);
    this.parts = h("div.columns.hall",
      h("div.column", this.asked.element, this.handIn.element),
      h("div.column", this.league.element, this.ladder.element, this.games.element));
    this.forget = button("forget-me", t("forgetMe"), () => me.forget(), { hidden: true });
    this.game = button("my-game", t("backToGame"), () => me.goOnWith(me.sitsAt[0].match), { class: "primary", hidden: true });
    this.element = h("div.class", h("div.head", h("div", this.name, this.about), this.status, this.game, this.forget), this.gate, this.parts);
    this.deaf = me.listen((letter) => (letter ? this.told(letter) : this.paint()));
    this.paint();
  }

  async follow() {
    await this.league.follow();
  }

  /** @param {App.Told} message */
  hear(message) {
    this.league.hear(message);
    this.paintGame();
  }

  /** The way back to a game that runs, for who has left it. */
  paintGame() {
    this.game.hidden = this.parts.hidden || !this.me.sitsAt.length;
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "hall") this.paint();
    else if (letter.type === "refused" && letter.what === "climb") say(this.ladder.help, letter.text);
    else if (letter.type === "refused" && letter.what === "reply") this.asked.refuse(letter.text);
    else this.handIn.hear(letter);
    this.games.hear(letter);
  }

  paint() {
    const { me } = this;
    const { t } = this.page;
    const { hall } = me;
    this.paintGate();
    this.parts.hidden = !hall || ["asking", "wrong", "removed", "elsewhere"].includes(me.state);
    this.forget.hidden = this.parts.hidden;
    this.paintGame();
    say(this.status, me.state === "in" && hall ? this.statusText(hall) : t(me.state === "wrong" && me.personal.length === 6 ? "class_wrong_six" : `class_${me.state}`));
    if (!hall) return;
    say(this.name, `${hall.title} · ${hall.name}`);
    say(this.about, [this.page.titleOf(hall.game), hall.team].filter(Boolean).join(" · "));
    this.title = hall.title;
    document.title = hall.title;
    this.asked.show(hall.question, hall.mine ?? null);
    this.handIn.show(hall);
    this.ladder.show(hall);
    this.league.show(hall.league ?? null, hall.name);
    this.games.show(hall);
  }

  /** How things stand, in a sentence. @param {School.Hall} hall */
  statusText(hall) {
    const { t } = this.page;
    if (hall.halted) return t("allHalted");
    const league = hall.league;
    if (league && league.state !== "finished") return t(league.what === "people" ? "peopleRun" : "botsRun");
    return t("class_in");
  }

  /** What is asked before one is in. */
  paintGate() {
    const { me } = this;
    const { t } = this.page;
    if (this.gate.dataset.state === me.state) return;
    this.gate.dataset.state = me.state;
    if (me.state === "asking" || me.state === "wrong") {
      const field = input(t("personalCode"), { name: "personal", maxlength: 20, size: 14, autocapitalize: "characters", spellcheck: "false" });
      putGate(this.gate, h("div.card.gate", h("p", t("personalHelp")), form("enter-class", t("enter"), () => me.show(field.value), field)));
    } else if (me.state === "elsewhere") putGate(this.gate, h("div.card", button("here", t("useHere"), () => void me.here(), { class: "primary" }), " ", button("forget-me", t("forgetMe"), () => me.forget())));
    else if (me.state === "removed") putGate(this.gate, h("div.card", button("forget-me", t("otherCode"), () => me.forget())));
    else putGate(this.gate, null);
  }

  /** Answers the teacher's question. @param {string} move */
  async reply(move) {
    const { question } = this.me.hall ?? {};
    if (!question) return;
    try {
      await this.me.write({ type: "reply", question: question.number, move });
    } catch (error) {
      this.asked.refuse(this.page.refusal(error));
    }
  }

  close() {
    this.deaf();
    this.league.close();
    this.games.close();
  }
}

/** The levels to beat, from the bottom. */
class Ladder {
  /** @param {Pupil} me */
  constructor(me) {
    this.me = me;
    const { t } = me.page;
    this.list = h("ol.ladder");
    this.help = h("p.faint");
    this.actions = h("div.actions");
    this.element = card(t("ladder"), this.help, this.list, this.actions);
  }

  /** @param {School.Hall} hall */
  show(hall) {
    const { t } = this.me.page;
    const rungs = hall.ladder ?? [];
    this.element.hidden = !rungs.length || hall.runs === false;
    const runs = rungs.some((rung) => rung.state === "running");
    const next = rungs.find((rung) => rung.state === "next");
    const works = hall.works?.some((work) => work.check === "works") ?? false;
    say(this.help, t(rungs.every((rung) => rung.state === "won") ? "ladderDone" : works ? "ladderHelp" : "ladderFirst"));
    keep(this.list, ...rungs.map((rung) => h("li", { class: `rung ${rung.state ?? "closed"}`, "data-badge": rung.badge },
      h("span.rung-sign", { "aria-hidden": "true" }, RUNG_SIGNS[rung.state ?? "closed"]), h("span.rung-name", rung.label),
      h("span.faint", t(`rung_${rung.state ?? "closed"}`), rung.played ? ` · ${rungText(rung, t)}${versionText(this.me, rung.version)}` : ""),
      rung.fault ? h("div.rung-fault", h("p", t("rungFailed")), faultOf(rung.fault, t)) : null)));
    update(this.actions, next && works ? button("climb", t("climb", { level: next.label }), () => this.climb(), { class: "primary", disabled: runs || hall.halted }) : null);
  }

  climb() {
    this.me.write({ type: "climb" }).catch((error) => say(this.help, this.me.page.refusal(error)));
  }
}

/** What is made of a level, and how many games are still to come. @param {School.Rung} rung @param {App.Speaker} t */
function rungText(rung, t) {
  const made = { won: rung.won ?? 0, played: rung.played ?? 0 };
  return rung.state === "running" && rung.of ? t("rungSoFar", { ...made, of: rung.of }) : t("rungScore", made);
}

/**
 * Of a long table who leads, and who stands about the reader; null where others are left out.
 * @template {{name: string}} R @param {readonly R[]} rows @param {string} name
 */
function around(rows, name) {
  const at = rows.findIndex((row) => row.name === name);
  if (rows.length <= MOST_ROWS) return [...rows];
  const shown = rows.map((row, n) => (n < LEADERS || Math.abs(n - at) <= BESIDE ? row : null));
  return shown.filter((row, n) => row || shown[n - 1]);
}

/** The league of the class that runs, or ran last. */
class LeagueCard {
  /** @param {import("../main.js").Page} page */
  constructor(page) {
    const { t } = page;
    this.page = page;
    /** @type {School.League | null} */
    this.league = null;
    this.name = "";
    /** @type {Standing | null} */
    this.standing = null;
    this.status = h("p");
    this.frozen = h("p.frozen", { hidden: true }, t("frozenSaid"));
    this.table = wide(t("leagueTable"));
    this.link = h("p");
    this.teams = h("div");
    this.element = card(t("league"), this.status, this.frozen, this.table, this.teams, this.link);
  }

  async follow() {
    await this.standing?.follow();
  }

  /** @param {App.Told} message */
  hear(message) {
    this.standing?.hear(message);
  }

  /** @param {School.League | null} league @param {string} name the reader's */
  show(league, name) {
    this.element.hidden = !league;
    this.league = league;
    this.name = name;
    if ((league?.id ?? null) !== (this.standing?.league ?? null)) {
      this.standing?.close();
      this.standing = league?.id ? new Standing(this.page, league.id, () => this.paint()) : null;
      if (this.page.connection.open) this.follow().catch(() => undefined);
    }
    this.paint();
  }

  paint() {
    const { league, standing } = this;
    const { t, language } = this.page;
    if (!league) return;
    say(this.status, leagueText(league, this.page));
    this.frozen.hidden = !league.frozen;
    keep(this.table, standing?.rows.length ? table(around(standing.rows, this.name), standing.board?.ties, t, language, standing.shown, this.name) : null);
    keep(this.teams, teamsOf(league, this.page));
    update(this.link, league.id ? h("a", { href: `/l/${league.id}`, "data-action": "league" }, t("wholeLeague")) : null);
  }

  close() {
    this.standing?.close();
  }
}
