/** The values of a tree one after the other, as they rise from the ends to the position: by hand, as in `explain --steps`. */

/**
 * @typedef {object} Row a node of the tree that is shown
 * @property {Protocol.Branch} branch
 * @property {string} name what led there, and who chooses there
 * @property {HTMLElement} value where its value stands
 * @property {boolean} open whether the rows below it are shown
 * @property {Row[]} below
 */

const RISING_MS = 600;

/** A row and those shown below it, each after those that its value comes from. @param {Row} row @returns {Row[]} */
export function upwards(row) {
  return [...(row.open ? row.below.flatMap(upwards) : []), row];
}

/** The row below from which a value comes, if it is shown. @param {Row} row @returns {Row | undefined} */
export function sourceOf({ branch, open, below }) {
  const same = open ? below.filter((each) => each.branch.value === branch.value && each.branch.plies === branch.plies) : [];
  return same.find((each) => each.branch.chosen) ?? same[0];
}

export class Rising {
  /**
   * @param {(row: Row) => string} textOf the value of a row, in words
   * @param {(step: number, of: number, row: Row | null) => void} told what the newest step is; none if all is shown
   */
  constructor(textOf, told) {
    this.textOf = textOf;
    this.told = told;
    /** @type {Row | null} */
    this.root = null;
    /** @type {Set<Row> | null} whose values are shown; null: all are */
    this.known = null;
  }

  /** Whether values are still to come. */
  get runs() {
    return this.known !== null;
  }

  /** Another tree, of which all is shown. @param {Row} root */
  show(root) {
    this.root = root;
    this.known = null;
    this.paint();
  }

  /** Shows the next value; the first of all if none is to come. */
  step() {
    if (!this.root) return;
    this.known ??= new Set();
    const order = upwards(this.root);
    const known = this.known;
    const next = order.find((row) => !known.has(row));
    if (!next) return;
    known.add(next);
    const at = order.filter((row) => known.has(row)).length;
    if (next === this.root) this.known = null;
    this.paint();
    rise(sourceOf(next)?.value, next.value);
    this.told(at, order.length, next);
  }

  /** Takes the newest value back; after the last step, that of the position. */
  back() {
    if (!this.root) return;
    const order = upwards(this.root);
    this.known ??= new Set(order);
    const known = this.known;
    const shown = order.filter((row) => known.has(row));
    const newest = shown.pop();
    if (newest) known.delete(newest);
    this.paint();
    this.told(shown.length, order.length, shown.at(-1) ?? null);
  }

  /** Shows all values. */
  all() {
    if (!this.root || !this.known) return;
    this.known = null;
    this.paint();
    this.told(0, 0, null);
  }

  /** Rows have come below one: of a value that is known, theirs are too. @param {Row} row */
  grown(row) {
    if (this.known?.has(row)) for (const each of row.below) this.known.add(each);
    this.paint();
  }

  paint() {
    const paint = (/** @type {Row} */ row) => {
      const text = this.known && !this.known.has(row) ? "?" : this.textOf(row);
      if (row.value.textContent !== text) row.value.textContent = text;
      row.below.forEach(paint);
    };
    if (this.root) paint(this.root);
  }
}

/** Moves a value to its place from that of another, for who likes things to move. @param {HTMLElement | undefined} from @param {HTMLElement} to */
function rise(from, to) {
  const isCalm = document.documentElement.dataset.animation === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (!from || isCalm) return;
  const [start, end] = [from.getBoundingClientRect(), to.getBoundingClientRect()];
  const way = `translate(${start.left - end.left}px, ${start.top - end.top}px)`;
  to.animate([{ transform: way }, { transform: "none" }], { duration: RISING_MS, easing: "ease-in-out" });
}
