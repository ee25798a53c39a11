/** The moves of a game as a list, and the buttons and keys that walk through them. */

import { button, h, keep, update } from "./dom.js";

export class Moves {
  /**
   * @param {App.Speaker} t
   * @param {(ply: number) => void} look shows the position after so many moves
   */
  constructor(t, look) {
    this.t = t;
    this.look = look;
    this.list = h("ol.moves");
    this.walk = h("div.walk");
    this.at = 0;
    this.last = 0;
    this.shown = "";
  }

  /**
   * @param {string[]} moves
   * @param {number} at the position that is looked at
   * @param {string} [beside] what stands beside the buttons
   */
  show(moves, at, beside = "") {
    const { t } = this;
    this.at = at;
    this.last = moves.length;
    const shown = `${moves.join(" ")},${at}`;
    if (this.shown !== shown) {
      this.shown = shown;
      keep(this.list, ...moves.map((move, n) =>
        h("li", button("go", move, () => this.look(n + 1), { "aria-current": n + 1 === at ? "true" : false, "data-ply": n + 1 }))));
      const current = /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"));
      if (current) this.list.scrollTop = current.offsetTop - this.list.clientHeight / 2;
    }
    update(this.walk,
      button("start", "«", () => this.look(0), { "aria-label": t("start"), disabled: at === 0 }),
      button("previous", "‹", () => this.look(this.at - 1), { "aria-label": t("previous"), disabled: at === 0 }),
      button("next", "›", () => this.look(this.at + 1), { "aria-label": t("next"), disabled: at === this.last }),
      button("end", "»", () => this.look(this.last), { "aria-label": t("end"), disabled: at === this.last }),
      beside ? h("span.faint", beside) : null);
  }

  /** Arrow keys, Home and End. @param {KeyboardEvent} event @returns {boolean} whether it was one of them */
  key(event) {
    /** @type {Record<string, number>} */
    const places = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.last };
    const ply = places[event.key];
    if (ply === undefined) return false;
    event.preventDefault();
    if (ply >= 0 && ply <= this.last) this.look(ply);
    return true;
  }
}
