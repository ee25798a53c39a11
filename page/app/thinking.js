/**
 * What bots think of the match that one watches: each one's opinion as a bar beside the board, and over the moves as a
 * line. A bot counts in units of its own, so an opinion is drawn relative to what is usual for it in this match. Where
 * it says that its value is exact, won, drawn and lost are said as such.
 */

import { h, replace, s } from "./dom.js";
import { nameOf } from "./house.js";

/** @typedef {{ply: number, depth: number, score: number | null, pv: string[], nodes: number, exact: boolean}} Thought */

const WIDTH = 320;
const HEIGHT = 90;
const MOST_PLIES = 1000;
const LONGEST_LINE = 8;

/** @type {Map<string, Thought[][]>} what each seat's bot thought at each ply, by match */
const minds = new Map();

/** Keeps a thought of the server's. @param {any} message */
export function remember(message) {
  const { match, seat, ply, depth = 0, score = null, pv = [], nodes = 0, exact = false } = message;
  if (ply > MOST_PLIES) return;
  const mind = minds.get(match) ?? [[], []];
  mind[seat - 1][ply] = { ply, depth, score, pv, nodes, exact };
  minds.set(match, mind);
}

/** @param {string} match */
export function forget(match) {
  minds.delete(match);
}

/**
 * How good a thought is for the first player, from 0 to 1; null without an opinion.
 * @param {Thought | undefined} thought
 * @param {number} seat whose it is
 * @param {number} usual the size of a score that is usual for this bot: it stands half way between even and won
 */
export function shareOf(thought, seat, usual) {
  if (!thought || thought.score === null) return null;
  const score = Math.abs(thought.score);
  const size = thought.exact ? Math.sign(score) : score && score / (score + usual);
  const good = Math.sign(thought.score) * size;
  return 0.5 + (seat === 1 ? good : -good) / 2;
}

/** The size of the score in the middle of those of a bot; exact ones have a unit of their own. @param {Thought[]} thoughts */
export function usualScore(thoughts) {
  const sizes = thoughts.flatMap(({ score, exact }) => (score && !exact ? [Math.abs(score)] : [])).sort((one, two) => one - two);
  return sizes[Math.floor(sizes.length / 2)] ?? 1;
}

export class Thinking {
  /** @param {import("./main.js").Page} page @param {string} match */
  constructor(page, match) {
    this.page = page;
    this.match = match;
    this.scales = [1, 2].map((seat) => h("div", { class: `scale seat${seat}`, hidden: true }, h("div.fill")));
    this.bar = h("div.scales", { "aria-hidden": "true" }, ...this.scales);
    this.said = h("div.minds");
    this.graph = h("div.graph");
    this.element = h("section.card.thinking", { hidden: true }, h("h2", page.t("thinking")), this.said, this.graph);
  }

  /**
   * Shows what was thought before a move.
   * @param {import("./match.js").View} view
   * @param {number} ply how many moves are on the board that is looked at
   */
  show(view, ply) {
    const mind = minds.get(this.match);
    const shown = view.seat === null && mind !== undefined;
    this.element.hidden = !shown;
    this.bar.hidden = !shown;
    if (!shown) return;
    const usual = mind.map((thoughts) => usualScore(thoughts.filter(Boolean)));
    const rows = view.boards[ply]?.rows;
    if (rows) this.bar.parentElement?.style.setProperty("--ratio", String(rows[0].length / rows.length));
    const last = mind.map((thoughts) => thoughts.slice(0, ply + 1).filter(Boolean).at(-1));
    const shares = last.map((thought, n) => shareOf(thought, n + 1, usual[n]));
    shares.forEach((share, n) => {
      this.scales[n].hidden = share === null;
      this.scales[n].style.setProperty("--share", String(share ?? 0.5));
    });
    replace(this.said, ...last.map((thought, n) => this.mind(view, n, thought, shares[n])));
    replace(this.graph, this.lines(mind, usual, Math.max(view.moves.length, 2), ply));
  }

  /** @param {import("./match.js").View} view @param {number} n @param {Thought | undefined} thought @param {number | null} share */
  mind(view, n, thought, share) {
    const { t } = this.page;
    if (!thought) return null;
    const meter = h("span", { class: `meter seat${n + 1}`, "aria-hidden": "true" });
    meter.style.setProperty("--share", String(share ?? 0.5));
    return h("div.mind", { "data-seat": n + 1 },
      h("strong", nameOf(view.players[n], t)), meter, h("span.opinion", this.opinion(thought)),
      thought.exact ? h("span.tag.sure", t("exact")) : null,
      h("span.faint.line", [thought.depth ? t("depth", { count: thought.depth }) : "", thought.pv.slice(0, LONGEST_LINE).join(" ")].filter(Boolean).join(" · ")));
  }

  /** @param {Thought} thought */
  opinion(thought) {
    const { t, language } = this.page;
    if (thought.score === null) return "";
    if (thought.exact) return t(thought.score > 0 ? "isWon" : thought.score < 0 ? "isLost" : "isDrawn");
    const written = new Intl.NumberFormat(language, { maximumFractionDigits: 1, notation: "compact", signDisplay: "exceptZero" });
    return written.format(thought.score);
  }

  /** @param {Thought[][]} mind @param {number[]} usual @param {number} moves @param {number} ply */
  lines(mind, usual, moves, ply) {
    const x = (/** @type {number} */ at) => ((at / moves) * WIDTH).toFixed(1);
    const drawn = mind.map((thoughts, n) => {
      const points = thoughts.filter(Boolean).flatMap((thought) => {
        const share = shareOf(thought, n + 1, usual[n]);
        return share === null ? [] : [`${x(thought.ply)},${((1 - share) * HEIGHT).toFixed(1)}`];
      });
      const dots = points.map((point) => s("circle", { class: `point seat${n + 1}`, cx: point.split(",")[0], cy: point.split(",")[1], r: 2.5 }));
      return s("g", s("polyline", { class: `course seat${n + 1}`, points: points.join(" ") }), ...dots);
    });
    return s("svg.course-graph", { viewBox: `-4 -4 ${WIDTH + 8} ${HEIGHT + 8}`, role: "img", "aria-label": this.page.t("graphOf") },
      s("line.even", { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      s("line.here", { x1: x(ply), x2: x(ply), y1: 0, y2: HEIGHT }), ...drawn);
  }
}
