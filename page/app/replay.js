/** A game from its moves alone: `/replay/GAME?moves=...`. */

import { addressOf, split } from "./addresses.js";
import { BoardView } from "./board.js";
import { button, card, form, h, input, say, statusLine } from "./dom.js";
import { Challenge, opening } from "./house.js";
import { Moves } from "./moves.js";
import { share } from "./share.js";

export class Replay {
  /** @param {import("./main.js").Page} page @param {string} game @param {string} moves @param {number | null} ply */
  constructor(page, game, moves, ply) {
    const { t } = page;
    this.page = page;
    this.game = game;
    this.moves = split(moves, page.about(game));
    this.at = ply;
    /** @type {import("./match.js").Board[]} */
    this.boards = [];
    this.title = t("replayOf");
    this.status = statusLine(t("loading"));
    this.board = new BoardView(page.about(game), { play: () => undefined, edge: () => page.edge(), t });
    this.list = new Moves(t, (ply) => this.look(ply));
    const field = input(t("movesOf"), { name: "moves", value: this.moves.join(" ") });
    const show = () => page.go(addressOf("replay", game, split(field.value, page.about(game))));
    this.review = button("review", t("review"), () => page.go(addressOf("review", game, this.moves)), { hidden: !page.allows("values") });
    this.challenge = new Challenge(page);
    this.element = h("div.match",
      h("div.table", h("div.frame", this.board.element, this.board.counts)),
      h("div.side", h("h1", page.titleOf(game)), this.status,
        card(t("moves"), this.list.list, this.list.walk),
        form("show", t("show"), show, field),
        h("div.tools",
          this.review,
          button("share", t("share"), () => share(page, this.shown())),
          button("explore", t("to_explore"), () => page.go(addressOf("explore", game, this.moves, `#${this.at ?? 0}`))),
          button("zen", t("zen"), () => page.toggleZen()),
          button("flip", t("flip"), () => this.board.flip()),
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

  switched() {
    this.review.hidden = !this.page.allows("values");
  }

  async follow() {
    this.switched();
    if (this.boards.length) return;
    try {
      const ok = await this.page.ask("boards", { game: this.game, moves: this.moves });
      this.boards = ok.boards ?? [];
    } catch (/** @type {any} */ error) {
      const ply = error.data?.ply;
      const where = ply === undefined ? "" : `${ply + 1}. ${this.moves[ply]} — `;
      say(this.status, where + this.page.refusal(error, this.game, this.moves));
      return;
    }
    this.look(this.at ?? this.moves.length);
  }

  /** @param {number} ply */
  look(ply) {
    const last = this.boards.length - 1;
    this.at = Math.max(0, Math.min(ply, last));
    history.replaceState(null, "", `#${this.at}`);
    this.board.show(this.boards[this.at], { playable: false });
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
    if (event.key === "f") this.board.flip();
    else if (this.boards.length) this.list.key(event);
  }

  shown() {
    return { game: this.game, moves: this.moves, ply: this.at ?? this.moves.length, flipped: this.board.flipped };
  }
}
