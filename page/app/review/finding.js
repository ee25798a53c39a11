/** "You were better here: find it": a position on the board, and one's own try at a better move. */

import { BoardView } from "../board.js";
import { button, h, replace, say, statusLine, update } from "../dom.js";

/**
 * @typedef {object} Puzzle
 * @property {string} game
 * @property {string[]} moves how the position came about
 * @property {string} played what was played there
 * @property {string[]} best the moves that are as good as any, the best first
 * @property {string[]} line what follows the best one
 */

export class Finding {
  /**
   * @param {import("../main.js").Page} page
   * @param {Puzzle} puzzle
   * @param {object} hooks
   * @param {(right: boolean) => void} hooks.tried the reader found a good move, or gave up or erred for the first time
   * @param {(over: boolean) => HTMLElement[]} hooks.further what stands beside the buttons, or alone once it is over
   */
  constructor(page, puzzle, hooks) {
    this.page = page;
    this.puzzle = puzzle;
    this.hooks = hooks;
    this.told = false;
    this.over = false;
    this.hinted = false;
    /** @type {Protocol.Diagram | null} */
    this.start = null;
    this.board = new BoardView(page.about(puzzle.game), { play: (move) => void this.attempt(move), t: page.t });
    this.frame = h("div.frame", this.board.element, this.board.counts, this.board.choices);
    this.status = statusLine(page.t("loading"));
    this.actions = h("div.actions");
  }

  /** Puts the position on the board. */
  async open() {
    const { t } = this.page;
    this.start = await this.fetch([]);
    if (!this.start) return;
    this.board.flipped = false;
    this.lay(this.start, true);
    say(this.status, t("findIt", { move: this.puzzle.played, seat: t(this.start.to_move === 1 ? "side1" : "side2") }));
    this.paint();
  }

  /** The board after some more moves. @param {string[]} more @returns {Promise<Protocol.Diagram | null>} */
  async fetch(more) {
    const moves = [...this.puzzle.moves, ...more];
    try {
      const ok = await this.page.ask("boards", { game: this.puzzle.game, moves, since: moves.length });
      return ok.boards?.[0] ?? null;
    } catch (error) {
      say(this.status, this.page.refusal(error, this.puzzle.game, moves));
      return null;
    }
  }

  /** @param {Protocol.Diagram} board @param {boolean} playable */
  lay(board, playable) {
    this.board.show(/** @type {any} */ (board), { playable });
    this.mark(this.hinted && playable);
  }

  /** @param {string} move */
  async attempt(move) {
    const { t } = this.page;
    const { best, played } = this.puzzle;
    if (best.includes(move)) {
      this.over = true;
      this.hinted = false;
      const board = await this.fetch([move]);
      if (board) this.lay(board, false);
      say(this.status, t(move === best[0] ? "foundBest" : "foundGood", { move, best: best[0] }));
      this.tell(true);
    } else {
      if (this.start) this.lay(this.start, true);
      say(this.status, t(move === played ? "wasPlayed" : "notThat", { move }));
      this.tell(false);
    }
    this.paint();
  }

  hint() {
    this.hinted = true;
    this.mark(true);
    say(this.status, this.page.t(this.start?.moves?.[this.puzzle.best[0]]?.length ? "hintColumn" : "hintNowhere"));
    this.paint();
  }

  /** The column in which the best move ends. @param {boolean} is */
  mark(is) {
    const cells = this.start?.moves?.[this.puzzle.best[0]];
    const column = cells?.at(-1)?.[0];
    for (const [key, place] of this.board.places) {
      place.classList.toggle("hinted", is && column !== undefined && key.startsWith(`${column},`));
    }
  }

  async reveal() {
    const { t } = this.page;
    const [best] = this.puzzle.best;
    this.over = true;
    this.hinted = false;
    const board = await this.fetch([best]);
    if (board) this.lay(board, false);
    say(this.status, t("better", { moves: this.puzzle.line.join(" ") || best }));
    this.tell(false);
    this.paint();
  }

  /** Only the first try counts. @param {boolean} right */
  tell(right) {
    if (this.told) return;
    this.told = true;
    this.hooks.tried(right);
  }

  paint() {
    const { t } = this.page;
    const further = this.hooks.further(this.over);
    if (this.over) update(this.actions, ...further);
    else {
      update(this.actions, button("hint", t("hint"), () => this.hint(), { disabled: this.hinted }),
        button("show-me", t("showMe"), () => void this.reveal()), ...further);
    }
  }

  /** Clears what was shown. */
  close() {
    replace(this.frame);
  }
}
