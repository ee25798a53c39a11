/** The position that the teacher has set: a move on its board is the answer; once it is revealed, who answered what. */

import { BoardView } from "../board.js";
import { h, replace, say } from "../dom.js";
import { mark } from "../pieces.js";

/** @typedef {import("../main.js").Page} Page */

export class Asked {
  /**
   * @param {Page} page
   * @param {((move: string) => void) | null} reply null for who only looks
   * @param {"h2" | "h1"} [level] of its heading
   */
  constructor(page, reply, level = "h2") {
    const { t } = page;
    this.page = page;
    this.reply = reply;
    /** @type {School.Question | null} */
    this.question = null;
    /** @type {string | null} */
    this.mine = null;
    /** @type {import("../match.js").Board | null} */
    this.drawn = null;
    this.fetched = "";
    /** @type {BoardView | null} */
    this.board = null;
    this.frame = h("div.frame");
    this.status = h("p.asked-status", { role: "status" });
    /** The disc of whose move it is, beside the words. */
    this.mover = h("span");
    this.answers = h("div.histogram");
    this.verdict = h("p.verdict-said");
    this.element = h("section.card.asked", h(level, t("question")),
      h("div.asked-body", this.frame, h("div.asked-side", h("div.asked-line", this.mover, this.status), this.answers, this.verdict)));
  }

  /** @param {School.Question | null | undefined} question @param {string | null} [mine] the reader's answer */
  show(question, mine = null) {
    this.element.hidden = !question;
    this.question = question ?? null;
    this.mine = mine;
    if (!question) return;
    this.fetch(question);
    this.paint();
  }

  /** Asks the server for the board, which knows the rules. @param {School.Question} question */
  async fetch(question) {
    const moves = question.moves ?? [];
    const key = `${question.number} ${question.game} ${moves.join(" ")}`;
    if (this.fetched === key) return;
    this.fetched = key;
    this.drawn = this.board = null;
    replace(this.frame);
    try {
      const ok = await this.page.ask("boards", { game: question.game, moves, since: moves.length });
      if (this.fetched !== key) return;
      this.drawn = /** @type {any} */ (ok.boards?.at(-1) ?? null);
      this.paint();
    } catch (error) {
      if (this.fetched !== key) return;
      this.fetched = "";
      say(this.status, this.page.refusal(error, question.game, moves));
    }
  }

  paint() {
    const { question, drawn } = this;
    const { t } = this.page;
    if (!question) return;
    const isRevealed = Boolean(question.counts);
    if (drawn) {
      if (!this.board) {
        this.board = new BoardView(this.page.about(question.game), { play: (move) => this.play(move), edge: () => this.page.edge(), t });
        replace(this.frame, this.board.element, this.board.counts, this.board.choices);
      }
      const cells = this.mine ? drawn.moves?.[this.mine] : undefined;
      const shown = cells && !isRevealed ? { ...drawn, cells } : drawn;
      this.board.show(shown, { playable: this.reply !== null && !isRevealed, pending: isRevealed ? null : this.mine });
    }
    replace(this.mover, drawn && !isRevealed ? mark(this.page.about(question.game), drawn.to_move) : null);
    say(this.status, this.statusText(question, isRevealed));
    replace(this.answers, question.counts ? this.histogram(question) : null);
    say(this.verdict, isRevealed ? question.verdict ?? "" : "");
  }

  /** The same answer once more changes nothing, so that the class tells nothing new. @param {string} move */
  play(move) {
    if (move === this.mine) this.paint();
    else this.reply?.(move);
  }

  /** The answer was not taken: another one can be given. @param {string} why */
  refuse(why) {
    this.paint();
    say(this.status, why);
  }

  /** @param {School.Question} question @param {boolean} isRevealed */
  statusText(question, isRevealed) {
    const { t } = this.page;
    const count = question.answered ?? 0;
    if (isRevealed) return this.mine ? t("youAnswered", { move: this.mine }) : t("answersAre", { count });
    const side = this.drawn ? `${t("sideMoves", { side: t(`piece${this.drawn.to_move}`) })} ` : "";
    if (this.reply && !this.mine) return side + t("clickAnswer");
    return side + (this.mine ? t("yourAnswer", { move: this.mine }) : t("answersSoFar", { count }));
  }

  /** Who answered what, the most frequent first. @param {School.Question} question */
  histogram(question) {
    const { t } = this.page;
    const best = question.best ?? [];
    const counts = new Map(Object.entries(question.counts ?? {}));
    for (const move of best) if (!counts.has(move)) counts.set(move, 0);
    const rows = [...counts].sort(([, one], [, other]) => other - one);
    const most = Math.max(1, ...counts.values());
    return h("table.bars", h("caption.hidden", t("answers")), h("tbody", ...rows.map(([move, count]) => {
      const bar = h("meter", { min: 0, max: most, value: count, "aria-hidden": "true" });
      const isBest = best.includes(move);
      return h("tr", { class: isBest ? "is-best" : false, "data-answer": move },
        h("th", { scope: "row" }, isBest ? "★ " : "", move), h("td.bar", bar), h("td.count", count), h("td", isBest ? t("bestMove") : move === this.mine ? t("yours") : ""));
    })));
  }
}
