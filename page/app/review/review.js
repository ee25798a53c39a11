/** What each move of a game was worth: `/review/GAME?moves=...&seat=1#ply`. It grows while it is worked out. */

import { split } from "../addresses.js";
import { BoardView } from "../board.js";
import { button, card, chip, h, replace, say, statusLine, update } from "../dom.js";
import { keepAnswer, keepMistakes } from "./exercises.js";
import { Explanation } from "../explain.js";
import { Finding } from "./finding.js";
import { canBeFound, countsOf, gradedText, mistakesOf, moverAt, SIGNS, turningPoints, worthText } from "./grades.js";
import { Moves } from "../moves.js";
import { ReviewGraph } from "./graph.js";

/** @typedef {Protocol.Judged} Judged */
/** @typedef {Protocol.Diagram} Diagram */

const MOST_POINTS = 5;

export class Review {
  /**
   * @param {import("../main.js").Page} page
   * @param {string} game
   * @param {string} moves
   * @param {string | null} seat whose mistakes are asked first: "1" or "2"; else nobody's
   * @param {number | null} ply
   */
  constructor(page, game, moves, seat, ply) {
    const { t } = page;
    this.page = page;
    this.game = game;
    this.moves = split(moves, page.about(game));
    this.seat = seat === "1" ? 1 : seat === "2" ? 2 : 0;
    this.at = ply ?? this.moves.length;
    this.title = t("reviewOf");
    /** @type {Diagram[]} */
    this.boards = [];
    /** @type {Map<number, Judged>} */
    this.steps = new Map();
    /** @type {Set<number>} the plies whose better move was found, or shown */
    this.seen = new Set();
    this.ticket = "";
    this.stage = "";
    this.place = 0;
    /** @type {Protocol.Reviewed[]} what came before the ticket */
    this.early = [];
    /** @type {{from: number, moves: string[], boards: Diagram[], at: number} | null} the better line, if it is shown */
    this.line = null;
    /** @type {Finding | null} */
    this.finding = null;
    /** @type {Explanation | null} */
    this.explanation = null;
    this.board = new BoardView(page.about(game), { play: () => undefined, t });
    this.why = "failed";
    this.refusal = "";
    this.status = statusLine(t("loading"));
    this.progress = h("progress", { "aria-label": t("reviewOf"), max: this.moves.length + 1, value: 0 });
    this.again = button("again", t("tryNow"), () => void this.askAgain(), { hidden: true });
    this.frame = h("div.frame", this.board.element, this.board.counts);
    this.graph = new ReviewGraph(t, (ply) => this.look(ply));
    this.list = h("ol.moves.judged");
    this.walk = new Moves(t, (ply) => (this.line ? this.lookAhead(ply) : this.look(ply)));
    this.verdict = h("div.verdict");
    this.points = h("ul.points");
    this.sum = h("div.sum");
    this.below = h("div.below");
    this.element = this.build();
  }

  build() {
    const { t } = this.page;
    const side = (/** @type {number} */ seat, /** @type {string} */ key) =>
      chip("side", seat, t(key), seat === this.seat, () => this.choose(seat), { "data-action": `side-${seat}` });
    return h("div.match.review",
      h("div.table", this.frame, this.graph.element, h("p.faint.graph-help", t("graphHelp")), this.below),
      h("div.side", h("h1", this.page.titleOf(this.game)), this.status, this.again, this.progress, this.verdict,
        h("fieldset.chips", h("legend", t("whoseMistakes")), side(1, "piece1"), side(2, "piece2"), side(0, "nobodys")),
        card(t("turningPoints"), this.points, this.sum),
        card(t("moves"), this.list, this.walk.walk),
        h("div.actions", button("flip", t("flip"), () => this.board.flip()),
          button("explain", t("explain"), () => this.explain()),
          button("exercises", t("exercises"), () => this.page.go("/exercises")),
          this.page.wayOut())));
  }

  /** Asks for the boards, and for the review: after each return of the connection anew. */
  async follow() {
    this.explanation?.again();
    try {
      if (!this.boards.length) {
        this.boards = (await this.page.ask("boards", { game: this.game, moves: this.moves })).boards ?? [];
        this.look(this.at);
      }
      if (this.stage === "done") return;
      const ok = await this.page.ask("review", { game: this.game, moves: this.moves });
      this.ticket = ok.ticket ?? "";
      for (const told of this.early.splice(0)) this.take(told);
    } catch (error) {
      this.stage = "refused";
      this.refusal = this.page.refusal(error, this.game, this.moves);
      this.paintStatus();
    }
  }

  /** What was refused, or failed, may be granted by now: a game that was being played is over. */
  async askAgain() {
    this.stage = this.ticket = "";
    this.again.hidden = true;
    say(this.status, this.page.t("loading"));
    await this.follow();
  }

  /** @param {App.Told} message */
  hear(message) {
    if (message.type !== "reviewed") return;
    if (this.ticket) this.take(message);
    else this.early.push(message);
  }

  /** @param {Protocol.Reviewed} told */
  take(told) {
    if (told.ticket !== this.ticket) return;
    for (const step of told.steps ?? []) this.steps.set(step.ply, step);
    this.stage = told.status;
    this.place = told.place ?? 0;
    this.why = told.why ?? "failed";
    if (told.status === "done") this.keep();
    this.paint();
  }

  /** The reader's own mistakes become exercises. */
  keep() {
    if (this.seat) keepMistakes(mistakesOf(this.steps, this.boards, this.seat).map((ply) => this.puzzle(ply)));
  }

  /** @param {number} ply @returns {import("./finding.js").Puzzle} */
  puzzle(ply) {
    const step = this.steps.get(ply);
    return { game: this.game, moves: this.moves.slice(0, ply), played: this.moves[ply], best: step?.best ?? [], line: step?.line ?? [] };
  }

  // ----------------------------------------------------------------------------------------------------------- looking

  /** @param {number} seat */
  choose(seat) {
    this.seat = seat;
    const query = new URLSearchParams(location.search);
    query.set("seat", String(seat));
    history.replaceState(null, "", `?${query}#${this.at}`);
    if (this.stage === "done") this.keep();
    this.paint();
  }

  /** @param {number} ply */
  look(ply) {
    const last = this.boards.length - 1;
    this.at = Math.max(0, Math.min(ply, last));
    this.line = null;
    this.leaveFinding();
    this.explanation?.close();
    this.explanation = null;
    replace(this.below);
    history.replaceState(null, "", `#${this.at}`);
    this.paint();
  }

  leaveFinding() {
    if (!this.finding) return;
    this.finding.close();
    this.finding = null;
    replace(this.frame, this.board.element, this.board.counts);
  }

  /** The better line, move by move, on the board. @param {number} ply */
  async show(ply) {
    const moves = [...(this.steps.get(ply)?.line ?? [])];
    const ok = await this.page.ask("boards", { game: this.game, moves: [...this.moves.slice(0, ply), ...moves], since: ply }).catch(() => null);
    if (!ok?.boards) return;
    this.leaveFinding();
    this.seen.add(ply);
    this.line = { from: ply, moves, boards: ok.boards, at: 1 };
    this.paint();
  }

  /** @param {number} at how far into the better line */
  lookAhead(at) {
    if (this.line) this.line.at = Math.max(0, Math.min(at, this.line.moves.length));
    this.paint();
  }

  /** Asks the reader for the better move. @param {number} ply */
  async find(ply) {
    const { t } = this.page;
    this.line = null;
    this.at = ply;
    const later = mistakesOf(this.steps, this.boards, this.seat).find((each) => each > ply);
    const finding = new Finding(this.page, this.puzzle(ply), {
      tried: (right) => {
        this.seen.add(ply);
        if (this.seat) keepAnswer(this.puzzle(ply), right);
      },
      further: () => [
        later === undefined ? null : button("next-mistake", t("nextMistake"), () => void this.find(later)),
        button("back-to-game", t("backToGame"), () => this.look(ply + 1)),
      ].filter((each) => each !== null),
    });
    this.finding?.close();
    this.finding = finding;
    replace(this.frame, finding.frame);
    this.paint();
    this.frame.scrollIntoView({ block: "nearest" });
    await finding.open();
  }

  /** The tree of minimax for the position that is looked at. */
  explain() {
    this.explanation?.close();
    const before = this.line ? this.moves.slice(0, this.line.from) : this.moves.slice(0, this.at);
    const moves = this.line ? [...before, ...this.line.moves.slice(0, this.line.at)] : before;
    this.explanation = new Explanation(this.page, this.game, moves);
    replace(this.below, this.explanation.element);
  }

  // ---------------------------------------------------------------------------------------------------------- painting

  paint() {
    if (!this.boards.length) return;
    const { line } = this;
    if (!this.finding) this.board.show(line ? line.boards[line.at] : this.boards[this.at], { playable: false });
    this.graph.show(this.steps, this.boards, this.at);
    this.paintStatus();
    this.paintVerdict();
    this.paintMoves();
    this.paintPoints();
    if (line) this.walk.show(line.moves, line.at);
    else this.walk.show(this.moves, this.at);
  }

  paintStatus() {
    const { t } = this.page;
    const texts = /** @type {Record<string, () => string>} */ ({
      queued: () => t(this.place ? "reviewQueued" : "reviewSoon", { count: this.place }),
      running: () => t(this.steps.size ? "reviewRuns" : "reviewBegins", { count: this.steps.size, of: this.moves.length + 1 }),
      done: () => t("reviewDone"),
      failed: () => t(`why_${this.why}`),
      refused: () => this.refusal,
    });
    if (this.stage) say(this.status, texts[this.stage]());
    const isAmiss = this.stage === "failed" || this.stage === "refused";
    this.again.hidden = !isAmiss;
    this.progress.hidden = isAmiss || this.stage === "done";
    this.progress.setAttribute("value", String(this.steps.size));
  }

  /** What the move was that led here, and what would have been better. */
  paintVerdict() {
    const { t } = this.page;
    if (this.finding) {
      replace(this.verdict, this.finding.status, this.finding.actions);
      return;
    }
    if (this.line) {
      update(this.verdict, h("p", t("better", { moves: this.line.moves.join(" ") })),
        button("back-to-game", t("backToGame"), () => this.look(this.line ? this.line.from + 1 : this.at)));
      return;
    }
    const ply = this.at - 1;
    const step = this.steps.get(ply);
    const here = this.steps.get(this.at);
    const asks = step !== undefined && canBeFound(step) && !this.seen.has(ply) && moverAt(this.boards, ply) === this.seat;
    update(this.verdict,
      here ? h("p.worth", worthText(here, t)) : null,
      step ? h("p", gradedText(ply, this.moves[ply], step, t), ...this.betterThan(step, ply, asks)) : null,
      h("div.actions",
        step && canBeFound(step) ? button("find", t("find"), () => void this.find(ply), { class: asks ? "primary" : false }) : null,
        step && step.line?.length && step.grade !== "best" ? button("show-me", t("showMe"), () => void this.show(ply)) : null));
  }

  /** @param {Judged} step @param {number} ply @param {boolean} asks whether the reader is to find it first */
  betterThan(step, ply, asks) {
    const { t } = this.page;
    if (asks) return [" ", t("youWereBetter")];
    const others = (step.best ?? []).filter((move) => move !== this.moves[ply]);
    return step.grade === "best" || !others.length ? [] : [" ", t("insteadOf", { moves: others.slice(0, 3).join(", ") })];
  }

  paintMoves() {
    const { t } = this.page;
    update(this.list, ...this.moves.map((move, ply) => {
      const step = this.steps.get(ply);
      const sign = SIGNS[step?.grade ?? ""] ?? "";
      const look = button("go", move, () => this.look(ply + 1), {
        class: step?.grade ?? false, "aria-current": ply + 1 === this.at ? "true" : false, "aria-label": gradedText(ply, move, step, t),
      });
      if (sign) look.append(h("span.sign-of", { "aria-hidden": "true" }, sign));
      return h("li", look);
    }));
  }

  paintPoints() {
    const { t } = this.page;
    const plies = turningPoints(this.steps, MOST_POINTS);
    const hides = (/** @type {number} */ ply) => canBeFound(this.steps.get(ply)) && moverAt(this.boards, ply) === this.seat && !this.seen.has(ply);
    update(this.points, ...plies.map((ply) => h("li",
      button("turning-point", gradedText(ply, this.moves[ply], this.steps.get(ply), t), () => this.look(ply + 1)),
      hides(ply) ? button("find", t("find"), () => void this.find(ply)) : null)),
    plies.length ? null : h("li.faint", t(this.stage === "done" ? "noTurningPoints" : "notYet")));
    const row = (/** @type {number} */ seat, /** @type {string} */ key) => {
      const counts = countsOf(this.steps, this.boards, seat);
      return h("p", h("strong", `${t(key)} `), t("gradeCounts", { inaccuracies: counts.inaccuracy ?? 0, mistakes: counts.mistake ?? 0, blunders: counts.blunder ?? 0 }));
    };
    update(this.sum, ...(this.steps.size ? [row(1, "side1"), row(2, "side2")] : []));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.boards.length || this.finding || this.explanation?.key(event)) return;
    this.walk.key(event);
  }

  close() {
    this.explanation?.close();
    this.finding?.close();
    if (this.ticket && (this.stage === "queued" || this.stage === "running")) {
      this.page.tell("review", { game: this.game, moves: this.moves, follow: false });
    }
  }
}
