/** What stands below the editor: what the file prints, and what is wrong with it, in the order in which it came. */

import { h, replace } from "../dom.js";

const MOST_LINES = 300;
const LONGEST = 2000;
const EVERY_MS = 100;

/** @typedef {import("./pool.js").Mark} Mark */

export class Console {
  /** @param {string} label */
  constructor(label) {
    this.lines = h("div.lines");
    this.element = h("div.console", { role: "log", "aria-label": label, tabindex: "0" }, this.lines);
    /** Told when something new is shown, and whether it is an error. @type {(isError: boolean) => void} */
    this.painted = () => undefined;
    this.rest = "";
    /** @type {Node[]} */
    this.due = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  clear() {
    this.rest = "";
    this.due = [];
    replace(this.lines);
  }

  /** What a file prints, in pieces of any size; a file that prints without end costs no more. @param {string} text */
  print(text) {
    const lines = (this.rest + text).slice(-LONGEST * 50).split("\n");
    this.rest = (lines.pop() ?? "").slice(-LONGEST);
    for (const line of lines.slice(-MOST_LINES)) this.add("said", line);
  }

  /** @param {readonly Mark[]} marks */
  tell(marks) {
    if (this.rest && marks.length) this.print("\n");
    for (const mark of marks) this.add(mark.kind, mark.text);
  }

  /** @param {string} kind @param {string} text */
  add(kind, text) {
    this.due.push(h(`pre.${kind}`, text.slice(0, LONGEST)));
    if (this.due.length > MOST_LINES) this.due.splice(0, this.due.length - MOST_LINES);
    this.timer ??= setTimeout(() => this.paint(), EVERY_MS);
  }

  paint() {
    this.timer = undefined;
    const isAtEnd = this.element.scrollHeight - this.element.scrollTop - this.element.clientHeight < 40;
    const error = this.due.find((line) => /** @type {Element} */ (line).matches(".error"));
    this.lines.append(...this.due);
    this.due = [];
    while (this.lines.childElementCount > MOST_LINES) this.lines.firstElementChild?.remove();
    if (isAtEnd) this.element.scrollTop = this.element.scrollHeight;
    // An error begins with its cause: the board below it is longer than the console is high.
    if (isAtEnd && error?.parentNode) this.element.scrollTop -= Math.max(0, this.top() - /** @type {Element} */ (error).getBoundingClientRect().top);
    this.painted(Boolean(error));
  }

  top() {
    return this.element.getBoundingClientRect().top + this.element.clientTop;
  }
}
