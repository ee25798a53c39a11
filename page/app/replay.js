/** A game from its moves alone: `/replay/GAME?moves=...`. */

import { exploreOf, replayOf, reviewOf, split } from "./addresses.js";
import { BoardView } from "./board.js";
import { button, h, replace, say } from "./dom.js";
import { Challenge, opening } from "./house.js";
import { Moves } from "./moves.js";
import { gameText } from "./players.js";
import { share } from "./share.js";
import { refusalText } from "./texts.js";

export class Replay {
  /** @param {import("./main.js").Page} page @param {string} game @param {string} moves @param {number | null} ply */
  constructor(page, game, moves, ply) {
    const { t } = page;
    this.page = page;
    this.game = game;
    this.moves = split(moves);
    this.at = ply;
    /** @type {import("./match.js").Board[]} */
    this.boards = [];
    this.title = t("replayOf");
    this.status = h("p", { class: "status", role: "status" }, t("loading"));
    this.frame = h("div", { class: "frame" });
    this.list = new Moves(t, (ply) => this.look(ply));
    const field = h("input", { name: "moves", value: this.moves.join(" "), "aria-label": t("movesOf"), autocomplete: "off" });
    const show = (/** @type {Event} */ event) => {
      event.preventDefault();
      page.go(replayOf(game, split(/** @type {any} */ (field).value)));
    };
    this.challenge = new Challenge(page);
    this.element = h("div", { class: "match" },
      h("div", { class: "table" }, this.frame),
      h("div", { class: "side" }, h("h1", {}, gameText(game, page.games, page.language)), this.status,
        h("section", { class: "card" }, h("h2", {}, t("moves")), this.list.list, this.list.walk),
        h("form", { class: "typed", submit: show }, field, h("button", { type: "submit", "data-action": "show" }, t("show"))),
        h("div", { class: "tools" },
          button("review", t("review"), () => page.go(reviewOf(game, this.moves))),
          button("share", t("share"), () => share(page, this.shown())),
          button("explore", t("to_explore"), () => page.go(exploreOf(game, this.moves, this.at ?? 0))),
          button("zen", t("zen"), () => page.focus()),
          button("flip", t("flip"), () => this.board?.flip()),
          button("play-from", t("playFrom"), () => this.playFrom())),
        this.challenge.element));
  }

  /** Asks against whom to go on from the position that is looked at. */
  async playFrom() {
    const board = this.boards[this.at ?? 0];
    if (!board) return;
    const played = opening(this.moves, board.ply, board);
    await this.challenge.open({ game: this.game, opening: played }, "playFrom", this.boards[played.length].to_move === 2 ? "second" : "first");
  }

  async follow() {
    if (this.boards.length) return;
    const about = this.page.games[this.game.split(":", 1)[0]];
    try {
      const ok = await this.page.connection.ask("boards", { game: this.game, moves: this.moves });
      this.boards = ok.boards ?? [];
    } catch (/** @type {any} */ error) {
      const ply = error.data?.ply;
      const where = ply === undefined ? "" : `${ply + 1}. ${this.moves[ply]} — `;
      say(this.status, where + refusalText(error, this.page.t));
      return;
    }
    this.board = new BoardView(about, { play: () => undefined, edge: () => this.page.edge(), t: this.page.t });
    replace(this.frame, this.board.element);
    this.look(this.at ?? this.moves.length);
  }

  /** @param {number} ply */
  look(ply) {
    const last = this.boards.length - 1;
    this.at = Math.max(0, Math.min(ply, last));
    history.replaceState(null, "", `${location.pathname}${location.search}#${this.at}`);
    this.board?.show(this.boards[this.at], { playable: false });
    this.paint();
  }

  paint() {
    const { t } = this.page;
    const at = this.at ?? 0;
    say(this.status, t("position", { ply: at, count: this.boards.length - 1 }));
    this.list.show(this.moves, at);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "f") this.board?.flip();
    else if (this.boards.length) this.list.key(event);
  }

  shown() {
    return { game: this.game, moves: this.moves, ply: this.at ?? this.moves.length, flipped: this.board?.flipped ?? false };
  }

  hear() {
    // nothing that is told belongs here
  }

  close() {
    // nothing is followed
  }
}
