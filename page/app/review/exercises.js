/** My mistakes, asked again: `/exercises`. */

import { button, h, replace, statusLine } from "../dom.js";
import { added, answered, due, load, save } from "./store.js";
import { Finding } from "./finding.js";

/** Keeps mistakes of the reader as exercises. @param {import("./finding.js").Puzzle[]} puzzles */
export function keepMistakes(puzzles) {
  if (puzzles.length) save(added(load(), puzzles, Date.now()));
}

/** How an attempt at one of them went. @param {import("./finding.js").Puzzle} puzzle @param {boolean} right */
export function keepAnswer(puzzle, right) {
  save(answered(load(), puzzle, right, Date.now()));
}

export class Exercises {
  /** @param {import("../main.js").Page} page */
  constructor(page) {
    const { t } = page;
    this.page = page;
    this.title = t("exercises");
    /** @type {Finding | null} */
    this.finding = null;
    this.sure = false;
    this.head = h("p.faint");
    this.body = h("div.match");
    this.element = h("div", h("div.heading", h("h1", t("exercises")), this.head), this.body);
  }

  async follow() {
    if (!this.finding) await this.next();
  }

  /** The next one that is due. */
  async next() {
    const { t, games } = this.page;
    this.sure = false;
    const all = load().filter((one) => Object.hasOwn(games, one.game.split(":", 1)[0]));
    const [first] = due(all, Date.now());
    this.finding?.close();
    this.finding = null;
    this.count();
    if (!first) {
      replace(this.body, h("div.card", statusLine(t(all.length ? "noneDue" : "noExercises")),
        h("div.actions", this.page.wayOut(), all.length ? this.forget() : null)));
      return;
    }
    const forget = this.forget();
    const finding = new Finding(this.page, first, {
      tried: (right) => {
        keepAnswer(first, right);
        this.count();
      },
      further: (over) => [
        button("next-exercise", t("next"), () => void this.next(), { class: over && "primary" }), forget, this.page.wayOut(),
      ],
    });
    this.finding = finding;
    replace(this.body, h("div.table", finding.frame),
      h("div.side", h("h2", this.page.titleOf(first.game)), finding.status, finding.actions));
    await finding.open();
  }

  count() {
    const all = load();
    this.head.textContent = this.page.t("exerciseCount", { due: due(all, Date.now()).length, count: all.length });
  }

  /** The button that forgets all of them, after a second thought. */
  forget() {
    const { t } = this.page;
    const forget = button("forget-exercises", t("forgetExercises"), () => {
      if (!this.sure) {
        this.sure = true;
        forget.textContent = t("forgetSure");
        return;
      }
      save([]);
      void this.next();
    });
    return forget;
  }

  close() {
    this.finding?.close();
  }
}
