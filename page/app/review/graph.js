/** Who stood better after each move: a drawing that is also a slider, for the hand and for the keyboard. */

import { replace, s } from "../dom.js";
import { isSerious, moverAt, worthText } from "./grades.js";

const HEIGHT = 120;
const WIDTH = 480;
const MIDDLE = HEIGHT / 2;

export class ReviewGraph {
  /**
   * @param {App.Speaker} t
   * @param {(ply: number) => void} look
   */
  constructor(t, look) {
    this.t = t;
    this.look = look;
    this.last = 1;
    this.at = 0;
    this.element = s("svg.graph", { viewBox: `-10 -10 ${WIDTH + 20} ${HEIGHT + 20}`, role: "slider", tabindex: 0, "aria-label": t("graph"), "data-action": "graph", "aria-valuemin": 0 });
    this.element.addEventListener("click", (event) => this.click(/** @type {MouseEvent} */ (event)));
    this.element.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
  }

  /**
   * @param {Map<number, Protocol.Judged>} steps what is known so far
   * @param {Protocol.Diagram[]} boards
   * @param {number} at the position that is looked at
   */
  show(steps, boards, at) {
    this.last = Math.max(1, boards.length - 1);
    this.at = at;
    const known = [...steps.values()].sort((one, other) => one.ply - other.ply);
    replace(this.element,
      s("rect.graph-ground", { x: 0, y: 0, width: WIDTH, height: HEIGHT }),
      s("rect.graph-second", { x: 0, y: MIDDLE, width: WIDTH, height: MIDDLE }),
      ...this.pieces(known),
      s("line.graph-middle", { x1: 0, y1: MIDDLE, x2: WIDTH, y2: MIDDLE }),
      ...known.filter(isSerious).map((step) => this.mark(step, steps, boards)),
      s("line.graph-at", { x1: this.x(at), y1: -4, x2: this.x(at), y2: HEIGHT + 4 }));
    const step = steps.get(at);
    this.element.setAttribute("aria-valuemax", String(this.last));
    this.element.setAttribute("aria-valuenow", String(at));
    this.element.setAttribute("aria-valuetext", `${at}: ${step ? worthText(step, this.t) : this.t("notYet")}`);
  }

  /** The line, piece by piece: an opinion is drawn otherwise than what is proven. @param {Protocol.Judged[]} known */
  pieces(known) {
    const drawn = [];
    for (const [n, step] of known.entries()) {
      const next = known[n + 1];
      if (!next || next.ply !== step.ply + 1) continue;
      const proven = step.exact && next.exact;
      const [x1, y1, x2, y2] = [this.x(step.ply), this.y(step), this.x(next.ply), this.y(next)];
      drawn.push(s("path", { class: proven ? "graph-area" : "graph-area opinion", d: `M${x1} ${MIDDLE}L${x1} ${y1}L${x2} ${y2}L${x2} ${MIDDLE}Z` }),
        s("line", { class: proven ? "graph-line" : "graph-line opinion", x1, y1, x2, y2 }));
    }
    return drawn;
  }

  /** A move that gave something away: a disc for who began, a ring for the other. @param {Protocol.Judged} step @param {Map<number, Protocol.Judged>} steps @param {Protocol.Diagram[]} boards */
  mark(step, steps, boards) {
    const after = steps.get(step.ply + 1) ?? step;
    const seat = moverAt(boards, step.ply);
    return s("circle", { class: `graph-mark seat${seat} ${step.grade}`, cx: this.x(after.ply), cy: this.y(after), r: step.grade === "blunder" ? 6 : 4.5 });
  }

  /** @param {number} ply */
  x(ply) {
    return Math.round((ply / this.last) * WIDTH * 10) / 10;
  }

  /** @param {Protocol.Judged} step */
  y(step) {
    return Math.round((1 - step.chance / 1000) * HEIGHT * 10) / 10;
  }

  /** @param {MouseEvent} event */
  click(event) {
    const box = this.element.getBoundingClientRect();
    const share = (event.clientX - box.left) / Math.max(1, box.width);
    const place = (share * (WIDTH + 20) - 10) / WIDTH;
    this.look(Math.max(0, Math.min(this.last, Math.round(place * this.last))));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: this.at - 1, ArrowDown: this.at - 1, ArrowRight: this.at + 1, ArrowUp: this.at + 1, Home: 0, End: this.last, PageUp: this.at + 5, PageDown: this.at - 5 };
    const ply = places[event.key];
    if (ply === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.look(Math.max(0, Math.min(this.last, ply)));
  }
}
