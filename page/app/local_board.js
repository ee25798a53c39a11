/**
 * A board for one screen: `/local/GAME` for two people who sit at it, `/explore/GAME?moves=` to set up positions.
 * No match on the server: it is asked what each move leads to, since the page knows no rules.
 */

import { addressOf, split } from "./addresses.js";
import { BoardView } from "./board.js";
import { button, card, h, input, replace, say, statusLine, update } from "./dom.js";
import { Explanation } from "./explain.js";
import { read, write } from "./kept.js";
import { Moves } from "./moves.js";
import { mark, scoresOf } from "./pieces.js";
import { share } from "./share.js";
import { LONGEST_NAME } from "./who.js";

const NAMES = "arbitre.local";

export class LocalBoard {
  /**
   * @param {import("./main.js").Page} page
   * @param {"local" | "explore"} kind
   * @param {string} game
   * @param {string} moves
   * @param {number | null} ply
   */
  constructor(page, kind, game, moves, ply) {
    const { t } = page;
    this.page = page;
    this.kind = kind;
    this.game = game;
    this.about = page.about(game);
    this.moves = split(moves, this.about);
    this.at = ply ?? this.moves.length;
    /** @type {import("./match.js").Board[]} by ply */
    this.boards = [];
    /** @type {any} how the game ended, if its moves end it */
    this.result = null;
    /** @type {Set<number>} positions whose legal moves are known */
    this.known = new Set();
    this.trouble = "";
    this.names = kind === "local" ? keptNames() : ["", ""];
    this.title = t(kind);
    this.status = statusLine(t("loading"));
    this.detail = h("p.detail", { role: "alert" });
    this.places = [h("div.player"), h("div.player")];
    this.list = new Moves(t, (at) => this.look(at));
    this.actions = h("div.actions");
    this.tools = h("div.tools");
    this.below = h("div.below");
    /** @type {Explanation | null} of the position that is looked at */
    this.explanation = null;
    this.board = new BoardView(this.about, {
      play: (move) => this.play(move), edge: () => page.edge(), refused: (move) => void this.sayWhy(move), t,
    });
    this.element = h("div.match",
      h("div.table", this.places[1], h("div.frame", this.board.element, this.board.choices), this.places[0]),
      h("div.side", h("h1", `${t(kind)} · ${page.titleOf(game)}`), this.status, this.detail, this.actions,
        card(t("moves"), this.list.list, this.list.walk, h("p.faint", t(`hint_${kind}`)), this.tools)),
      this.below);
    this.paintSeats();
  }

  switched() {
    this.paint();
  }

  /** A connection has come about: asks for what is not known yet. */
  async follow() {
    this.explanation?.again();
    if (!this.known.has(this.at)) await this.fetch(this.moves, 0);
  }

  /**
   * Asks what moves lead to.
   * @param {string[]} moves
   * @param {number} since
   */
  async fetch(moves, since) {
    try {
      const ok = await this.page.ask("boards", { game: this.game, moves, since });
      for (const board of ok.boards ?? []) this.boards[board.ply] = board;
      this.known.add(moves.length);
      this.trouble = "";
      if (moves.length === this.moves.length) this.result = ok.result ?? null;
      if (this.at < moves.length && since === 0) await this.fetch(moves.slice(0, this.at), this.at);
    } catch (error) {
      this.trouble = this.page.refusal(error, this.game, moves);
    }
    this.paint();
  }

  /** Plays a move in the position that is looked at; what came after it there is forgotten. @param {string} move */
  async play(move) {
    const moves = [...this.moves.slice(0, this.at), move];
    const before = { moves: this.moves, at: this.at, boards: [...this.boards], known: new Set(this.known), result: this.result };
    this.boards.length = this.at + 1;
    this.known = new Set([...this.known].filter((ply) => ply <= this.at));
    [this.moves, this.at, this.result] = [moves, moves.length, null];
    await this.fetch(moves, moves.length);
    // Refused, or no connection: nothing has happened.
    if (!this.boards[moves.length]) Object.assign(this, before);
    else this.page.sounds.play(this.result ? "end" : "move");
    this.paint();
  }

  /** Says why a pressed square makes no move. @param {string} move */
  async sayWhy(move) {
    const { at } = this;
    const text = await this.page.whyNot(this.game, this.moves.slice(0, at), move);
    if (!text || this.at !== at) return;
    this.trouble = text;
    this.paint();
  }

  /** @param {number} ply */
  look(ply) {
    this.at = Math.max(0, Math.min(ply, this.moves.length));
    if (this.kind === "explore" && !this.known.has(this.at)) this.fetch(this.moves.slice(0, this.at), this.at);
    this.paint();
  }

  undo() {
    this.moves = this.moves.slice(0, -1);
    this.boards.length = Math.min(this.boards.length, this.moves.length + 1);
    this.known.delete(this.moves.length + 1);
    this.result = null;
    this.at = this.moves.length;
    if (this.known.has(this.at)) this.paint();
    else this.fetch(this.moves, this.at);
  }

  again() {
    [this.moves, this.at, this.result] = [[], 0, null];
    this.boards.length = Math.min(this.boards.length, 1);
    this.known.clear();
    this.fetch([], 0);
  }

  // ---------------------------------------------------------------------------------------------------------- painting

  paint() {
    const { t } = this.page;
    const board = this.boards[this.at];
    say(this.detail, this.trouble);
    if (!board) {
      if (this.trouble) say(this.status, "");
      return;
    }
    history.replaceState(null, "", this.address(this.kind));
    if (this.explanation?.moves.join(" ") !== this.moves.slice(0, this.at).join(" ")) this.explain(false);
    const isLast = this.at === this.moves.length;
    const playable = this.known.has(this.at) && (isLast || this.kind === "explore");
    this.board.show(board, { playable, line: isLast ? this.result?.cells ?? null : null });
    say(this.status, this.statusText(board, isLast));
    this.list.show(this.moves, this.at);
    this.paintActions();
    for (const [place, seat] of this.seats()) this.places[place].classList.toggle("next", !(isLast && this.result) && board.to_move === seat);
    for (const [place, seat] of this.seats()) this.score(this.places[place], seat, board);
    document.title = `${t(this.kind)} · ${this.page.titleOf(this.game)}`;
  }

  /** Which seat is at which place: below, and above. @returns {[number, 1 | 2][]} */
  seats() {
    return this.board.flipped ? [[0, 2], [1, 1]] : [[0, 1], [1, 2]];
  }

  paintSeats() {
    const { t } = this.page;
    for (const [place, seat] of this.seats()) {
      const name = t(`player${seat}`);
      const field = input(name, {
        name: `name${seat}`, maxlength: LONGEST_NAME, value: this.names[seat - 1], change: () => this.call(seat, field.value.trim()),
      });
      replace(this.places[place], mark(this.about, seat), this.kind === "local" ? field : h("span.name", name), h("span.score"));
    }
  }

  /** @param {number} seat @param {string} name */
  call(seat, name) {
    this.names[seat - 1] = name;
    write(NAMES, JSON.stringify(this.names));
    this.paint();
  }

  /** @param {Element} place @param {number} seat @param {import("./match.js").Board} board */
  score(place, seat, board) {
    say(/** @type {Element} */ (place.querySelector(".score")), scoresOf(this.about, board)[seat - 1]);
  }

  /** @param {number} seat */
  name(seat) {
    return this.names[seat - 1] || this.page.t(`player${seat}`);
  }

  /** @param {import("./match.js").Board} board @param {boolean} isLast */
  statusText(board, isLast) {
    const { t } = this.page;
    if (isLast && this.result) return this.page.outcome(this.result, this.game, [this.name(1), this.name(2)]);
    const passed = board.passed ? `${t("hasPassed", { name: this.name(board.passed) })} ` : "";
    const said = this.at ? `${t("lastSaid", { ply: this.at, move: this.moves[this.at - 1] })} ` : "";
    return said + passed + t("theirTurn", { name: this.name(board.to_move) });
  }

  paintActions() {
    const { page } = this;
    const { t } = page;
    const shown = () => ({ game: this.game, moves: this.moves, ply: this.at, flipped: this.board.flipped });
    const other = this.kind === "local" ? "explore" : "local";
    update(this.actions,
      button("undo", t("undo"), () => this.undo(), { disabled: !this.moves.length }),
      button("again", t("again"), () => this.again(), { disabled: !this.moves.length }),
      this.result ? button("replay", t("replay"), () => page.go(addressOf("replay", this.game, this.moves))) : null,
      this.result && page.allows("values") ? button("review", t("review"), () => page.go(addressOf("review", this.game, this.moves))) : null);
    update(this.tools,
      this.kind === "explore" && page.allows("values") ? button("explain", t("explain"), () => this.explain(true)) : null,
      button(other, t(`to_${other}`), () => page.go(this.address(other))),
      button("share", t("share"), () => share(page, shown())),
      button("zen", t("zen"), () => page.toggleZen()),
      button("flip", t("flip"), () => this.turn()));
  }

  /** Shows the tree of minimax for the position, or shows it no more. @param {boolean} is */
  explain(is) {
    this.explanation?.close();
    this.explanation = is ? new Explanation(this.page, this.game, this.moves.slice(0, this.at)) : null;
    replace(this.below, this.explanation?.element ?? null);
  }

  /** Where these moves are. @param {"local" | "explore"} kind */
  address(kind) {
    return addressOf(kind, this.game, this.moves, this.at === this.moves.length ? "" : `#${this.at}`);
  }

  turn() {
    this.board.flip();
    this.paintSeats();
    this.paint();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "f") this.turn();
    else if (!this.explanation?.key(event) && this.boards.length) this.list.key(event);
  }

  close() {
    this.explanation?.close();
  }
}

/** The names of those who sat here last. @returns {string[]} */
function keptNames() {
  try {
    const kept = JSON.parse(read(NAMES) ?? "null");
    return [0, 1].map((seat) => (Array.isArray(kept) && typeof kept[seat] === "string" ? kept[seat].slice(0, LONGEST_NAME) : ""));
  } catch {
    return ["", ""];
  }
}
