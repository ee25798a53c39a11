/**
 * A board in SVG, after what its game says of itself. It draws what the server drew (rows of `-`, `X` and `O`) and turns
 * clicks, touches and keys into the server's legal moves: it knows no rules.
 */

import { button, h, replace, s, update } from "./dom.js";
import { Drag } from "./drag.js";
import { colour, columnName, ground, heldBy, hole, labels, LETTERS, mark, moveName, piece, place, round, rowName, scoresOf, UNIT } from "./pieces.js";

/** @typedef {import("./match.js").Board} Board */

/** The radius of the ring around a piece on a cell that takes a move: between the piece and the edge of its cell. */
const RIM = UNIT * 0.44;

/**
 * How many of a move's cells were pressed one by one; -1 if a press is not the next of them, nor the last.
 * @param {[number, number][]} cells @param {[number, number][]} pressed
 */
function reached(cells, pressed) {
  let count = 0;
  for (const cell of pressed) {
    if (String(cells[count]) === String(cell)) count++;
    else if (!count || String(cells.at(-1)) !== String(cell)) return -1;
  }
  return count;
}

export class BoardView {
  /**
   * @param {Games.Game} about what the game says of itself (games.json)
   * @param {object} hooks
   * @param {(move: string, pointer: string) => void} hooks.play the second: "mouse", "touch", "pen" or "key"
   * @param {() => void} [hooks.edge] the cursor can't go further
   * @param {(move: string) => void} [hooks.refused] a press that makes no move: the one that it would be, "" if it is not the end of one
   * @param {App.Speaker} hooks.t
   */
  constructor(about, hooks) {
    this.about = about;
    this.hooks = hooks;
    this.element = s("svg", { class: `board by-${this.byColumns ? "columns" : "cells"}`, role: "group", "aria-label": hooks.t("board") });
    this.element.addEventListener("keydown", (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    /** The moves that are chosen by name: those that have the cells that were pressed, or none. */
    this.choices = h("div.choices", { role: "group", "aria-label": hooks.t("whichMove"), "aria-live": "polite", keydown: (/** @type {KeyboardEvent} */ event) => this.letGo(event) });
    /** What both seats have, for a board without players beside it. */
    this.counts = h("div.counted");
    /** @type {Map<string, SVGElement>} */
    this.places = new Map();
    /** @type {Board | null} */
    this.shown = null;
    this.flipped = false;
    this.playable = false;
    /** @type {[number, number]} */
    this.at = [0, 0];
    /** @type {[number, number][]} the cells of a move that were pressed, the first one first */
    this.pressed = [];
    /** @type {string | null} a move that waits for its confirmation */
    this.pending = null;
    this.ignoreClick = false;
    this.drag = new Drag(this);
  }

  get width() {
    return this.shown?.rows[0]?.length ?? 0;
  }

  get height() {
    return this.shown?.rows.length ?? 0;
  }

  get byColumns() {
    return this.about.labels === "columns";
  }

  /**
   * Shows a board.
   * @param {Board} board
   * @param {{playable: boolean, line?: [number, number][] | null, pending?: string | null}} how whether its moves are the
   *   reader's to make; the cells that won; a move that waits for its confirmation
   */
  show(board, how) {
    const before = this.shown;
    const isSameSize = before && before.rows.length === board.rows.length && before.rows[0].length === board.rows[0].length;
    this.shown = board;
    this.playable = how.playable;
    this.pending = how.pending ?? null;
    if (!how.playable || before?.ply !== board.ply) this.pressed = [];
    if (!isSameSize) this.build();
    this.paint(isSameSize ? before : null, how.line ?? null);
  }

  /** Turns the board around. */
  flip() {
    this.flipped = !this.flipped;
    const board = this.shown;
    if (!board) return;
    this.build();
    this.paint(null, null);
  }

  // ---------------------------------------------------------------------------------------------------------- drawing

  build() {
    const margin = this.byColumns ? [0, 22] : [24, 24];
    const [w, h] = [this.width * UNIT, this.height * UNIT];
    this.element.setAttribute("viewBox", `${-margin[0]} ${this.byColumns ? -margin[1] : -2} ${w + margin[0] + 2} ${h + margin[1] + 4}`);
    colour(this.element, this.about);
    this.element.style.setProperty("--ratio", String(this.width / this.height));
    this.places.clear();
    const cells = this.cells().map(([x, y]) => this.cellAt(x, y));
    replace(this.element, ...ground(this.about, this.width, this.height, (x, y) => this.spot(x, y)),
      ...labels(this.about, this.width, this.height, (x, y) => this.spot(x, y)), ...cells);
    this.at = [Math.min(this.at[0], this.width - 1), Math.min(this.at[1], this.height - 1)];
  }

  /** @returns {[number, number][]} */
  cells() {
    return Array.from({ length: this.width * this.height }, (_, n) => [n % this.width, Math.floor(n / this.width)]);
  }

  /** Where a cell stands on the screen. @param {number} x @param {number} y @returns {[number, number]} */
  spot(x, y) {
    if (!this.flipped) return [x, y];
    return [this.width - 1 - x, this.byColumns ? y : this.height - 1 - y];
  }

  /** @param {number} x @param {number} y */
  cellAt(x, y) {
    const group = s("g.cell", { transform: place(...this.spot(x, y)), "data-square": this.square(x, y), tabindex: -1, role: "button" },
      s("rect.field", { width: UNIT, height: UNIT }), hole(this.about), s("g.piece"),
      s("g.hint", round("spot", UNIT * 0.13), round("rim", RIM), round("rim inner", RIM)));
    group.style.setProperty("--row", String(y + 1));
    group.addEventListener("click", (event) => this.click(x, y, /** @type {PointerEvent} */ (event)));
    group.addEventListener("pointerenter", () => this.hover(x, y, true));
    group.addEventListener("pointerleave", () => this.hover(x, y, false));
    this.places.set(`${x},${y}`, group);
    return group;
  }

  /** @param {Board | null} before @param {[number, number][] | null} line */
  paint(before, line) {
    const board = /** @type {Board} */ (this.shown);
    const last = new Set((board.cells ?? []).map(String));
    const won = new Set((line ?? []).map(String));
    const targets = this.targets();
    const marked = this.marked(targets);
    this.element.classList.toggle("holds", this.pressed.length > 0);
    const waits = this.pending ? String(board.moves?.[this.pending]?.at(-1)) : "";
    for (const [x, y] of this.cells()) {
      const place = /** @type {SVGElement} */ (this.places.get(`${x},${y}`));
      const key = `${x},${y}`;
      const now = board.rows[y][x];
      const was = before ? before.rows[y][x] : now;
      if (!before || was !== now || !place.dataset.holds) this.put(place, now, before ? was : null);
      place.classList.remove("lands");
      place.classList.toggle("last", last.has(key));
      place.classList.toggle("won", won.has(key));
      place.classList.toggle("from", this.holds([x, y]));
      place.classList.toggle("target", targets.has(key));
      place.classList.toggle("open", marked.has(key));
      place.classList.toggle("pending", waits === key);
      this.label(place, x, y, now, targets.get(key));
    }
    const scores = scoresOf(this.about, board);
    update(this.counts, ...[1, 2].flatMap((seat) => (scores[seat - 1]
      ? [h("span", mark(this.about, seat), h("span.score", { "aria-label": `${this.hooks.t(`piece${seat}`)}: ${scores[seat - 1]}` }, scores[seat - 1]))] : [])));
    this.paintChoices();
    this.rove();
  }

  paintChoices() {
    const moves = this.playable ? Object.entries(this.shown?.moves ?? {}) : [];
    const whole = moves.filter(([, cells]) => reached(cells, this.pressed) === cells.length);
    const named = this.pressed.length && whole.length < 2 ? [] : whole;
    update(this.choices, ...named.map(([move, cells]) =>
      button("choose", moveName(this.about, move, cells.map(([x, y]) => (this.byColumns ? columnName(this.about, x) : this.square(x, y))), this.hooks.t),
        /** @param {PointerEvent} event */ (event) => this.finish(move, event.pointerType || "key"), { "data-move": move })));
  }

  /** @param {SVGElement} place @param {string} sign @param {string | null} was */
  put(place, sign, was) {
    place.dataset.holds = sign;
    const holder = /** @type {Element} */ (place.querySelector(".piece"));
    holder.setAttribute("class", "piece");
    if (sign === "-") {
      replace(holder);
      return;
    }
    replace(holder, ...piece(this.about, sign));
    if (was === null) return;
    holder.classList.add(was === "-" ? (this.byColumns ? "falls" : "appears") : "flips");
  }

  /**
   * Which cells take a move now, and which; "" for a cell that is to be pressed, since several moves or one of several cells fit.
   * @returns {Map<string, string>}
   */
  targets() {
    const begin = this.playable ? this.goesOn([]) : new Map();
    for (const cell of this.pressed) begin.delete(String(cell)); // it is let go
    return new Map([...begin, ...this.ends()]);
  }

  /** Where what is taken up may go, and by which move. */
  ends() {
    return this.playable && this.pressed.length ? this.goesOn(this.pressed) : new Map();
  }

  /** The cells that may be pressed after others. @param {[number, number][]} pressed @returns {Map<string, string>} */
  goesOn(pressed) {
    const moves = Object.entries(this.shown?.moves ?? {}).filter(([, cells]) => reached(cells, pressed) >= 0);
    const found = new Map();
    for (const cell of this.cells()) {
      const after = [...pressed, this.lands(cell)];
      const fits = moves.filter(([, cells]) => reached(cells, after) >= 0);
      const whole = fits.filter(([, cells]) => reached(cells, pressed) === cells.length); // a second press plays it
      const [first, ...others] = whole.length ? whole : fits;
      if (!first || whole.length > 1) continue; // those are chosen by name
      const isOnly = !others.length && pressed.length + 1 >= Math.min(first[1].length, 2);
      const isNew = !this.holds(cell) || fits.length < moves.length || fits.some(([, cells]) => reached(cells, pressed) < reached(cells, after));
      if (isOnly || isNew) found.set(String(cell), isOnly ? first[0] : "");
    }
    return found;
  }

  /**
   * The cells that are marked: where what is taken up may go; else, in a game that helps, all that take a move.
   * @param {Map<string, string>} targets
   */
  marked(targets) {
    return new Set(this.pressed.length ? this.ends().keys() : this.about.helps ? targets.keys() : []);
  }

  /** The cell that a click on one means: in a column, where the piece falls. @param {[number, number]} cell */
  lands(cell) {
    const falls = this.byColumns && Object.values(this.shown?.moves ?? {}).find((cells) => cells.length === 1 && cells[0][0] === cell[0]);
    return falls ? falls[0] : cell;
  }

  /** Whether a cell was pressed. @param {[number, number]} cell */
  holds(cell) {
    return this.pressed.some((one) => String(one) === String(cell));
  }

  /** @param {SVGElement} place @param {number} x @param {number} y @param {string} sign @param {string | undefined} move */
  label(place, x, y, sign, move) {
    const { t } = this.hooks;
    place.setAttribute("aria-label", `${this.square(x, y)}, ${heldBy(this.about, sign, t)}`);
    if (move) place.setAttribute("data-move", move);
    else place.removeAttribute("data-move");
    const isHeld = this.holds([x, y]); // it can be let go
    place.setAttribute("aria-disabled", String(move === undefined && !isHeld));
    if (isHeld) place.setAttribute("aria-pressed", "true");
    else place.removeAttribute("aria-pressed");
  }

  /** @param {number} x @param {number} y */
  square(x, y) {
    return `${LETTERS[x]}${rowName(this.about, y, this.height)}`;
  }

  // ------------------------------------------------------------------------------------------------------------ moving

  /** @param {number} x @param {number} y @param {PointerEvent} event */
  click(x, y, event) {
    if (this.ignoreClick) this.ignoreClick = false;
    else this.choose(x, y, event.pointerType || "mouse");
  }

  /**
   * A cell where a move of several cells begins is taken up; pressed again, it plays its own move, or is let go. Then each press
   * names the next cell of the move, or its last one, until one move alone fits.
   * @param {number} x
   * @param {number} y
   * @param {string} pointer
   */
  choose(x, y, pointer) {
    this.at = [x, y];
    if (!this.playable || !this.shown) return;
    const key = `${x},${y}`;
    const targets = this.targets();
    const move = targets.get(key);
    if (move) this.finish(move, pointer);
    else if (this.ends().has(key)) this.begin(...this.pressed, this.lands([x, y]));
    else {
      if (!targets.has(key) && !this.holds([x, y])) this.refuse([x, y]);
      this.begin(...(targets.has(key) ? [this.lands([x, y])] : []));
    }
    if (pointer === "key") /** @type {HTMLElement | null} */ (this.pressed.length ? this.choices.firstElementChild : null)?.focus();
  }

  /** Tells which move was pressed that is none, if a press writes one here; else that none begins there. @param {[number, number]} cell */
  refuse(cell) {
    const name = (/** @type {[number, number]} */ [x, y]) => (this.byColumns ? columnName(this.about, x) : this.square(x, y));
    const pressed = [...this.pressed, cell];
    const moves = Object.entries(this.shown?.moves ?? {});
    const isMove = moves.some(([, cells]) => cells.length === pressed.length) && moves.every(([move, cells]) => move === cells.map(name).join(""));
    if (isMove) this.hooks.refused?.(pressed.map(name).join(""));
    else if (!this.pressed.length) this.hooks.refused?.("");
  }

  /** Escape lets the piece go, also where its moves are named. @param {KeyboardEvent} event */
  letGo(event) {
    if (event.key !== "Escape" || !this.pressed.length) return;
    event.stopPropagation();
    this.begin();
    this.rove(true);
  }

  /** A move is made. @param {string} move @param {string} pointer */
  finish(move, pointer) {
    const back = this.choices.contains(document.activeElement);
    this.pressed = [];
    this.playable = false;
    if (this.shown) this.paint(this.shown, null);
    if (back) this.rove(true);
    this.hooks.play(move, pointer);
  }

  /** Whether moves begin on a cell. @param {number} x @param {number} y */
  begins(x, y) {
    return Object.values(this.shown?.moves ?? {}).some((cells) => cells.length > 1 && String(cells[0]) === `${x},${y}`);
  }

  /** Takes a move up from these cells, the first ones of it; with none, lets it go. @param {[number, number][]} cells */
  begin(...cells) {
    this.pressed = cells;
    if (this.shown) this.paint(this.shown, null);
  }

  /** The cell below a pointer. @param {PointerEvent} event @returns {[number, number] | null} */
  under(event) {
    const place = document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell");
    for (const [key, found] of this.places) if (found === place) return /** @type {[number, number]} */ (key.split(",").map(Number));
    return null;
  }

  /** @param {number} x @param {number} y @param {boolean} enters */
  hover(x, y, enters) {
    if (!this.byColumns || !this.shown) return;
    for (const place of this.places.values()) place.classList.remove("lands");
    if (!enters) return;
    const move = this.targets().get(`${x},${y}`);
    const cells = move ? this.shown.moves?.[move] : undefined;
    if (!cells) return;
    const [column, row] = cells[cells.length - 1];
    this.places.get(`${column},${row}`)?.classList.add("lands");
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const sign = this.flipped ? -1 : 1;
      const x = this.at[0] + step[0] * sign;
      const y = this.at[1] + step[1] * (this.byColumns ? 1 : sign);
      if (x >= 0 && y >= 0 && x < this.width && y < this.height) this.at = [x, y];
      else this.hooks.edge?.();
      this.rove(true);
      event.preventDefault();
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose(...this.at, "key");
      event.preventDefault();
    } else if (event.key === "Escape" && this.pressed.length) this.begin();
  }

  /** One stop for the tab key: the cell where the arrows are. @param {boolean} [focus] */
  rove(focus = false) {
    for (const [key, place] of this.places) place.setAttribute("tabindex", key === String(this.at) ? "0" : "-1");
    if (focus) this.places.get(String(this.at))?.focus();
  }
}
