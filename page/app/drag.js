/**
 * Dragging on a board: a piece to where it goes, or a finger along the columns until the disc falls where it is lifted.
 * A press that hardly moves stays a click, also where it ends on another cell than it began.
 */

import { s } from "./dom.js";
import { MIDDLE, piece } from "./pieces.js";

/** Pixels from which on a press is a drag. */
const FAR = 8;

export class Drag {
  /** @param {import("./board.js").BoardView} board */
  constructor(board) {
    this.board = board;
    /** @type {{x: number, y: number, id: number, cell: [number, number]} | null} */
    this.start = null;
    /** @type {{x: number, y: number, cell: [number, number]} | null} where the last press began, until it is a drag */
    this.pressed = null;
    this.runs = false;
    /** @type {SVGElement | null} */
    this.ghost = null;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.press(event));
    element.addEventListener("pointermove", (event) => this.move(event));
    element.addEventListener("pointerup", (event) => this.lift(event));
    element.addEventListener("pointercancel", () => this.end());
    element.addEventListener("click", (event) => event.target === element && this.slip(/** @type {PointerEvent} */ (event)));
    // A finger on a piece drags it and does not scroll; cells of a drawing have no touch-action of their own.
    element.addEventListener("touchmove", (event) => this.start && !board.byColumns && event.cancelable && event.preventDefault(), { passive: false });
    element.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.end());
  }

  /** @param {PointerEvent} event */
  press(event) {
    const cell = this.board.under(event);
    this.end();
    this.pressed = null;
    if (!cell || !this.board.playable || event.button || !event.isPrimary) return;
    this.pressed = { x: event.clientX, y: event.clientY, cell };
    if (this.board.byColumns || this.board.begins(...cell)) this.start = { x: event.clientX, y: event.clientY, id: event.pointerId, cell };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { start, board } = this;
    if (!start || event.pointerId !== start.id) return;
    if (!this.runs) {
      if (isNear(start, event)) return;
      this.runs = true;
      this.pressed = null;
      if (!board.byColumns) this.pick(start.cell);
    }
    const over = board.under(event);
    if (board.byColumns) board.hover(...(over ?? /** @type {[number, number]} */ ([-1, -1])), over !== null);
    else this.carry(event, over);
  }

  /** @param {[number, number]} cell */
  pick(cell) {
    const { board } = this;
    board.begin(cell);
    const sign = board.shown?.rows[cell[1]][cell[0]] ?? "-";
    this.ghost = s("g.ghost", ...piece(board.about, sign));
    board.element.append(this.ghost);
    board.element.classList.add("drags");
  }

  /** @param {PointerEvent} event @param {[number, number] | null} over */
  carry(event, over) {
    const { board } = this;
    const matrix = /** @type {SVGSVGElement} */ (board.element).getScreenCTM();
    if (!matrix || !this.ghost) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    this.ghost.setAttribute("transform", `translate(${point.x - MIDDLE} ${point.y - MIDDLE})`);
    for (const place of board.places.values()) place.classList.toggle("over", false);
    if (over) board.places.get(String(over))?.classList.add("over");
  }

  /** @param {PointerEvent} event */
  lift(event) {
    const { start, runs, board } = this;
    if (!start || event.pointerId !== start.id) return;
    const over = board.under(event);
    this.end();
    if (!runs) return;
    // The cell where the press began gets a click, which is not meant.
    if (over && String(over) === String(start.cell)) board.ignoreClick = !board.byColumns;
    else if (over && (board.byColumns ? board.targets() : board.ends()).has(String(over))) board.choose(...over, event.pointerType);
    else board.begin();
  }

  /**
   * A click that no cell gets, since its press ended beside the cell where it began, or on a disc that fell past: it is meant for
   * the first one.
   * @param {PointerEvent} event
   */
  slip(event) {
    const { pressed, board } = this;
    this.pressed = null;
    if (pressed && isNear(pressed, event)) board.choose(...pressed.cell, event.pointerType || "mouse");
  }

  end() {
    this.start = null;
    this.runs = false;
    this.ghost?.remove();
    this.ghost = null;
    this.board.element.classList.remove("drags");
    for (const place of this.board.places.values()) place.classList.remove("over");
  }
}

/** Whether a press has hardly moved. @param {{x: number, y: number}} from @param {PointerEvent} to */
function isNear(from, to) {
  return Math.hypot(to.clientX - from.x, to.clientY - from.y) < FAR;
}
