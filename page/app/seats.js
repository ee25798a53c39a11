/** The two players of a match beside its board: names, presence, score, ticking clocks. */

import { clocksAt } from "./match.js";
import { clockText, seatRule, warnUnder } from "./clocks.js";
import { h, replace } from "./dom.js";
import { mark, scoresOf } from "./pieces.js";

/** @typedef {import("./match.js").View} View */

export class Seats {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    /** below the board, and above it */
    this.places = [h("div.player"), h("div.player")];
  }

  /** @param {View} view @param {string[]} names @param {1 | 2} below whose seat is below the board @param {number} ply */
  paint(view, names, below, ply) {
    const { t } = this.page;
    const about = this.page.about(view.game);
    const scores = scoresOf(about, view.boards[ply]);
    for (const [place, seat] of [[0, below], [1, 3 - below]]) {
      const player = view.players[seat - 1];
      this.places[place].classList.toggle("next", view.status === "playing" && view.toMove === seat);
      replace(this.places[place],
        mark(about, seat),
        h("span.name", names[seat - 1]),
        seat === view.seat ? h("span.tag", t("you")) : null,
        player?.kind === "bot" ? h("span.tag", t("bot")) : null,
        player?.present === false && view.status !== "finished" ? h("span.tag.warn", t("away")) : null,
        scores[seat - 1] ? h("span.score", scores[seat - 1]) : null,
        h("span.clock", { "data-seat": seat }));
    }
  }

  /** @param {View} view @param {number} now */
  tick(view, now) {
    const left = clocksAt(view, now);
    for (const place of this.places) {
      const clock = /** @type {HTMLElement | null} */ (place.querySelector(".clock"));
      if (!clock) continue;
      const seat = Number(clock.dataset.seat);
      const ms = left?.[seat - 1];
      const text = ms === undefined ? "" : clockText(ms, this.page.language);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", ms !== undefined && ms < warnUnder(seatRule(view.clock, seat)) && view.status === "playing");
    }
  }
}
