/** One match: its board, players with clocks, moves, offers, talk. For players and for those who watch. */

import { Acting } from "./acting.js";
import { BoardView } from "./board.js";
import { Alarm, seatRule, ruleText, span, warnUnder } from "./clocks.js";
import { announce, card, h, replace, say, statusLine } from "./dom.js";
import { Challenge, nameOf, opening } from "./house.js";
import { clocksAt, isMyTurn, lastOf, MOST_GIFTS } from "./match.js";
import { Moves } from "./moves.js";
import { Seats } from "./seats.js";
import { openDialog } from "./settings.js";
import { copied, share } from "./share.js";
import { forget, Thinking } from "./thinking.js";
import { Talk, Typing } from "./typing.js";

const TICK_MS = 100;

/** @type {Record<string, string>} the sound of an event */
const SOUND_OF = { moved: "move", finished: "end", offered: "offer" };

export class Play {
  /**
   * @param {import("./main.js").Page} page
   * @param {string} match
   * @param {number | null} ply the position that the address names
   */
  constructor(page, match, ply) {
    this.page = page;
    this.match = match;
    /** @type {number | null} the position that is looked at; null for the present one */
    this.at = ply;
    this.asks = "";
    this.title = "Arbitre";
    /** @type {BoardView | null} */
    this.board = null;
    this.refusal = "";
    /** @type {{type: Protocol.ClientMessage["type"], fields: Record<string, unknown>} | null} what was lost with the connection */
    this.unsent = null;
    /** @type {string | null} a move that waits for its confirmation */
    this.pending = null;
    this.turned = false;
    /** @type {number | null} the seat that the reader had when they were told last */
    this.seat = page.matches.get(match)?.seat ?? null;
    this.alarm = new Alarm();
    const { t } = page;
    this.status = statusLine(t("loading"));
    this.detail = h("p.detail", { role: "alert" });
    this.delay = h("p.faint", { hidden: true });
    this.seats = new Seats(page);
    this.frame = h("div.frame");
    this.thinking = new Thinking(page, match);
    this.acting = new Acting(this);
    this.challenge = new Challenge(page);
    this.moves = new Moves(t, (at) => this.look(at));
    this.typing = new Typing(this);
    this.talk = new Talk(this);
    this.share = h("div.share");
    this.element = this.build();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  build() {
    const { t } = this.page;
    const { acting } = this;
    return h("div.match",
      h("div.table", this.seats.places[1], h("div.beside", this.thinking.bar, this.frame), this.seats.places[0]),
      h("div.side",
        this.status, this.delay, this.detail, this.share, acting.actions, acting.bar, acting.claim, this.challenge.element, this.thinking.element,
        card(t("moves"), this.moves.list, this.moves.walk, this.typing.form, this.typing.reply, acting.tools),
        this.talk.element));
  }

  get view() {
    return this.page.matches.get(this.match);
  }

  names() {
    return (this.view?.players ?? [null, null]).map((player) => nameOf(player, this.page.t));
  }

  /** Asks for the match, if it is not told by itself; to be called whenever a connection has come about. */
  async follow() {
    if (!this.view) {
      try {
        await this.page.ask("watch", { match: this.match });
      } catch (/** @type {any} */ error) {
        if (error.code !== undefined) say(this.status, this.page.t("why_no_such_match"));
        if (error.code === "no_such_match") replace(this.element, h("div.card", this.status, this.page.wayOut()));
      }
    }
    this.paint();
    this.sayAgain();
  }

  /** A move that was lost with the connection is sent again, for it is played once at most; of others the reader is told. */
  sayAgain() {
    const { unsent, view } = this;
    this.unsent = null;
    if (!unsent) return;
    if (unsent.type === "move" && view?.moves.length === unsent.fields.ply) void this.ask("move", unsent.fields);
    else if (unsent.type !== "move") {
      this.refusal = this.page.t("lostOnTheWay");
      this.paint();
    }
  }

  /** @param {App.Told} message */
  hear(message) {
    if (!("match" in message) || message.match !== this.match) return;
    if (message.type === "rematched" && this.view?.seat) {
      this.page.go(`/m/${message.next}`);
      return;
    }
    if (message.type === "moved" || message.type === "took_back") this.settle();
    if (message.type === "snapshot") this.noteSeat(message.seat ?? null);
    if (message.type === "declined" && this.view?.seat && message.seat !== this.view.seat) this.refusal = this.acting.refusalOf(message.what, this.view);
    if (message.type === "gave_time") this.sayGift(message);
    const by = "seat" in message ? message.seat : null;
    if (message.type in SOUND_OF && (by === null || by !== this.view?.seat)) this.page.sounds.play(SOUND_OF[message.type]);
    this.paint();
  }

  switched() {
    this.paint();
  }

  /** Notes which seat the reader has, and says so if it was taken over, by a link of theirs. @param {number | null} seat */
  noteSeat(seat) {
    if (this.seat && !seat) this.refusal = this.page.t("playsElsewhere");
    this.seat = seat;
  }

  /** Says to whom it is given that they have more time; who watches sees it. @param {Protocol.GaveTime} gift */
  sayGift(gift) {
    const { t } = this.page;
    if (this.view?.seat !== 3 - gift.seat) return;
    this.page.announce(t("gaveTime", { name: this.names()[gift.seat - 1], seconds: gift.added_ms / 1000 }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "f") this.turn();
    else if (event.key === "Escape" && this.asks) this.want("");
    else this.moves.key(event);
  }

  // ------------------------------------------------------------------------------------------------------------ acting

  /** @param {Protocol.ClientMessage["type"]} type @param {Record<string, unknown>} [fields] */
  async ask(type, fields = {}) {
    this.settle();
    this.unsent = null;
    try {
      await this.page.ask(type, { match: this.match, ...fields });
    } catch (/** @type {any} */ error) {
      const { view } = this;
      this.refusal = this.page.refusal(error, view?.game, [String(fields.move)]);
      if (error.code === undefined) this.unsent = { type, fields };
      if (type === "give_time" && error.code === "not_allowed" && view?.seat) view.gifts[view.seat - 1] = MOST_GIFTS;
    }
    this.paint();
  }

  /** Nothing is asked any more. */
  settle() {
    this.refusal = this.asks = "";
    this.pending = null;
  }

  /** @param {string} move @param {string} [pointer] how it was pointed at */
  play(move, pointer = "key") {
    const { view } = this;
    if (!view) return;
    if (this.page.settings.confirms(pointer) && this.pending !== move) {
      this.pending = move;
      this.want("move");
    } else this.ask("move", { ply: view.moves.length, move });
  }

  /** Says why a pressed square makes no move. @param {string} move */
  async sayWhy(move) {
    const { view } = this;
    if (!view) return;
    const ply = view.moves.length;
    const text = await this.page.whyNot(view.game, view.moves, move);
    if (!text || view.moves.length !== ply) return;
    this.refusal = text;
    this.paint();
  }

  /** Asks first. @param {string} what */
  want(what) {
    this.asks = what;
    if (what !== "move") this.pending = null;
    this.paint();
  }

  /** Asks against which bot of the house to go on from the position that is looked at. */
  async playFrom() {
    const { view } = this;
    if (!view) return;
    const at = this.at ?? view.moves.length;
    const played = opening(view.moves, at, view.boards[at]);
    const next = view.boards[played.length]?.to_move ?? 1;
    await this.challenge.open({ game: view.game, opening: played }, "playFrom", next === 2 ? "second" : "first");
  }

  /** The same game against another bot of the house. */
  async anotherLevel() {
    const { view } = this;
    if (view) await this.challenge.open({ game: view.game, clock: view.clock ?? undefined }, "anotherLevel", view.seat === 2 ? "first" : "second");
  }

  /** Turns the board around, with names and clocks. */
  turn() {
    this.turned = !this.turned;
    this.paint();
  }

  /** A link, a picture, an animation of what is shown. */
  async shareIt() {
    const { view } = this;
    if (!view) return;
    const ply = this.at ?? view.moves.length;
    await share(this.page, { game: view.game, moves: view.moves, ply, flipped: this.board?.flipped ?? false });
  }

  /** A link to oneself: whoever opens it goes on in this seat, once, on another device. */
  async comeBack() {
    const { t } = this.page;
    try {
      const { link } = await this.page.ask("seat_link", { match: this.match });
      openDialog("comeback", t("comeback"), t, copied(t, t("comebackText"), `${location.origin}/m/${encodeURIComponent(this.match)}#seat=${link}`));
    } catch (error) {
      this.refusal = this.page.refusal(error);
      this.paint();
    }
  }

  /** Looks at the position after so many moves. @param {number} ply */
  async look(ply) {
    const { view } = this;
    if (!view) return;
    this.at = ply >= view.moves.length ? null : Math.max(0, ply);
    history.replaceState(null, "", this.at === null ? location.pathname + location.search : `#${this.at}`);
    await this.fetchBoards();
    this.paint();
  }

  /** Asks for the boards that were played before we came. */
  async fetchBoards() {
    const { view } = this;
    if (!view || this.at === null || view.boards[this.at]) return;
    const moves = [...view.moves];
    const ok = await this.page.ask("boards", { game: view.game, moves }).catch(() => null);
    for (const board of ok?.boards ?? []) view.boards[board.ply] ??= board;
  }

  // ---------------------------------------------------------------------------------------------------------- painting

  paint() {
    const { view } = this;
    if (!view) return;
    const { t } = this.page;
    const ply = this.at ?? view.moves.length;
    this.title = `${this.names().join(" – ")} · ${this.page.titleOf(view.game)}`;
    document.title = this.title;
    this.paintBoard(view);
    this.seats.paint(view, this.names(), (view.seat === 2) !== this.turned ? 2 : 1, ply);
    this.sayStatus(view);
    this.paintDetail(view);
    this.delay.hidden = !view.delay;
    say(this.delay, view.delay ? t("delayed", { time: span(view.delay) }) : "");
    this.paintShare(view);
    this.acting.paint(view, this.asks);
    this.moves.show(view.moves, Math.min(ply, view.moves.length), ruleText(view.clock, t));
    this.thinking.show(view, Math.min(ply, view.moves.length));
    this.talk.show(view);
    this.typing.show(view);
    this.tick();
  }

  /** Below the status: what was refused, else what the other offers, which on a phone stands further down. @param {import("./match.js").View} view */
  paintDetail(view) {
    const offer = this.acting.offerTo(view);
    this.detail.classList.toggle("offered", !this.refusal && offer !== "");
    say(this.detail, this.refusal || offer);
    // Its place is kept while there are buttons that must not shift; who is invited is to see theirs without scrolling.
    this.detail.hidden = view.status === "waiting" && !this.refusal;
  }

  /** @param {import("./match.js").View} view */
  paintBoard(view) {
    const about = this.page.about(view.game);
    if (!this.board && about) {
      this.board = new BoardView(about, {
        play: (move, pointer) => this.play(move, pointer), edge: () => this.page.edge(), refused: (move) => void this.sayWhy(move), t: this.page.t,
      });
      replace(this.frame, this.board.element, this.board.choices);
    }
    const ply = this.at ?? view.moves.length;
    const board = view.boards[ply];
    if (!board) {
      if (this.at !== null) this.fetchBoards().then(() => view.boards[ply] && this.paintBoard(view));
      return;
    }
    const isNow = ply === view.moves.length;
    const flipped = (view.seat === 2 && about?.labels === "from_below") !== this.turned;
    if (this.board && this.board.flipped !== flipped) this.board.flip(); // also for who sits down later
    this.board?.show(board, { playable: isNow && isMyTurn(view), line: isNow ? view.result?.cells ?? null : null, pending: this.pending });
  }

  tick() {
    const { view } = this;
    if (!view) return;
    const now = performance.now();
    this.seats.tick(view, now);
    this.acting.tick(view, now);
    const left = view.seat && isMyTurn(view) ? clocksAt(view, now)?.[view.seat - 1] : undefined;
    if (left !== undefined && this.alarm.rings(left, warnUnder(seatRule(view.clock, view.seat)))) {
      this.page.sounds.play("warning");
      this.page.announce(this.page.t("littleTime", { time: Math.ceil(left / 1000) }));
    }
  }

  /** Says the status; a new move that reads like the last one is said again. @param {import("./match.js").View} view */
  sayStatus(view) {
    const ply = String(view.moves.length);
    const text = this.statusText(view);
    if (this.status.dataset.ply !== ply && this.status.textContent === text) announce(this.status, text);
    else if (this.status.textContent?.trim() !== text) say(this.status, text);
    this.status.dataset.ply = ply;
  }

  /** @param {import("./match.js").View} view */
  statusText(view) {
    const { t } = this.page;
    const names = this.names();
    if (view.result) return this.page.outcome(view.result, view.game, names);
    if (view.status === "waiting") return t("waiting");
    if (view.status === "paused") return t("paused");
    const turn = isMyTurn(view) ? t("yourTurn") : t("theirTurn", { name: names[view.toMove - 1] });
    if (this.at !== null && this.at < view.moves.length) return `${t("lookingBack", { ply: this.at, count: view.moves.length })} ${turn}`;
    const { mover, passed } = lastOf(view);
    const move = view.moves.at(-1);
    const said = move && mover && mover !== view.seat && !passed ? `${t("moveSaid", { name: names[mover - 1], move })} ` : "";
    return said + (passed ? `${t("hasPassed", { name: names[passed - 1] })} ` : "") + turn;
  }

  /** @param {import("./match.js").View} view */
  paintShare(view) {
    const { t } = this.page;
    const shown = view.status === "waiting" && view.seat !== null;
    this.share.hidden = !shown;
    if (!shown || this.share.childElementCount) return;
    const address = view.link ? `${location.origin}/j/${view.link}` : `${location.origin}/m/${view.match}`;
    replace(this.share, copied(t, t("invite"), address), view.code ? h("p", `${t("orCode")} `, h("strong.code", view.code)) : null);
  }

  /** Leaves the view; who only watches stops hearing of the match. */
  close() {
    clearInterval(this.timer);
    const { view } = this;
    if (view && (view.seat === null || view.status === "finished")) {
      this.page.tell("leave", { match: this.match });
      this.page.matches.delete(this.match);
      forget(this.match);
    }
  }
}
