/** A game from its moves alone: `/replay/GAME?moves=...`. */

import { BoardView } from "./board.js";
import { button, h, replace, say, update } from "./dom.js";
import { gameText } from "./players.js";
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
    this.list = h("ol", { class: "moves" });
    this.walk = h("div", { class: "walk" });
    const field = h("input", { name: "moves", value: this.moves.join(" "), "aria-label": t("movesOf"), autocomplete: "off" });
    const show = (/** @type {Event} */ event) => {
      event.preventDefault();
      const written = split(/** @type {any} */ (field).value).join(" ");
      page.go(`/replay/${encodeURIComponent(game)}?moves=${encodeURIComponent(written)}`);
    };
    this.element = h("div", { class: "match" },
      h("div", { class: "table" }, this.frame),
      h("div", { class: "side" }, h("h1", {}, gameText(game, page.games, page.language)), this.status,
        h("section", { class: "card" }, h("h2", {}, t("moves")), this.list, this.walk),
        h("form", { class: "typed", submit: show }, field, h("button", { type: "submit", "data-action": "show" }, t("show"))),
        button("flip", t("flip"), () => this.board?.flip())));
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  async follow() {
    if (this.boards.length) return;
    const about = this.page.games[this.game.split(":", 1)[0]];
    try {
      const ok = await this.page.connection.ask("boards", { game: this.game, moves: this.moves });
      this.boards = ok.boards;
    } catch (/** @type {any} */ error) {
      const ply = error.data?.ply;
      const where = ply === undefined ? "" : `${ply + 1}. ${this.moves[ply]} — `;
      say(this.status, where + refusalText(error, this.page.t));
      return;
    }
    this.board = new BoardView(about, { play: () => undefined, t: this.page.t });
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
    const last = this.boards.length - 1;
    say(this.status, t("position", { ply: at, count: last }));
    replace(this.list, ...this.moves.map((move, n) =>
      h("li", {}, button("go", move, () => this.look(n + 1), { "aria-current": n + 1 === at ? "true" : false }))));
    update(this.walk,
      button("start", "«", () => this.look(0), { "aria-label": t("start"), disabled: at === 0 }),
      button("previous", "‹", () => this.look((this.at ?? 0) - 1), { "aria-label": t("previous"), disabled: at === 0 }),
      button("next", "›", () => this.look((this.at ?? 0) + 1), { "aria-label": t("next"), disabled: at === last }),
      button("end", "»", () => this.look(last), { "aria-label": t("end"), disabled: at === last }));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLInputElement) return;
    const at = this.at ?? 0;
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.boards.length - 1 };
    if (places[event.key] === undefined) return;
    this.look(places[event.key]);
    event.preventDefault();
  }

  hear() {
    // nothing that is told belongs here
  }

  close() {
    // nothing is followed
  }
}

/**
 * Moves as people and other programs write them: apart, or in a row ("4453", "f5d6c3").
 * @param {string} text
 * @returns {string[]}
 */
export function split(text) {
  const words = text.trim().split(/[\s,]+/).filter(Boolean);
  return words.flatMap((word) => (/^\d+$/.test(word) && word.length > 2 ? [...word] : word.length > 4 && /^([a-z]\d)+$/i.test(word) ? word.match(/../g) ?? [] : [word]))
    .map((word) => word.toLowerCase());
}
