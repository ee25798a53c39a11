/** My mistakes, asked again: `/exercises`. */

import { button, h, replace } from "./dom.js";
import { added, answered, due, load, save } from "./exercise_store.js";
import { Finding } from "./finding.js";
import { gameText } from "./players.js";

/** Keeps mistakes of the reader as exercises. @param {import("./finding.js").Puzzle[]} puzzles */
export function keepMistakes(puzzles) {
  if (puzzles.length) save(added(load(), puzzles, Date.now()));
}

/** How an attempt at one of them went. @param {import("./finding.js").Puzzle} puzzle @param {boolean} right */
export function keepAnswer(puzzle, right) {
  save(answered(load(), puzzle, right, Date.now()));
}

export class Exercises {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    const { t } = page;
    this.page = page;
    this.title = t("exercises");
    /** @type {Finding | null} */
    this.finding = null;
    this.sure = false;
    this.head = h("p", { class: "faint" });
    this.body = h("div", { class: "match" });
    this.element = h("div", {}, h("div", { class: "heading" }, h("h1", {}, t("exercises")), this.head), this.body);
  }

  async follow() {
    if (!this.finding) await this.next();
  }

  /** The next one that is due. */
  async next() {
    const { t, games, language } = this.page;
    this.sure = false;
    const all = load().filter((one) => Object.hasOwn(games, one.game.split(":", 1)[0]));
    const [first] = due(all, Date.now());
    this.finding?.close();
    this.finding = null;
    this.count();
    if (!first) {
      replace(this.body, h("div", { class: "card" }, h("p", { class: "status", role: "status" }, t(all.length ? "noneDue" : "noExercises")),
        h("div", { class: "actions" }, button("leave", t("leave"), () => this.page.go("/")), all.length ? this.forget() : null)));
      return;
    }
    const forget = this.forget();
    const finding = new Finding(this.page, first, {
      tried: (right) => {
        keepAnswer(first, right);
        this.count();
      },
      further: (over) => [
        button("next-exercise", t("nextExercise"), () => void this.next(), { class: over && "primary" }), forget, button("leave", t("leave"), () => this.page.go("/")),
      ],
    });
    this.finding = finding;
    replace(this.body, h("div", { class: "table" }, finding.frame),
      h("div", { class: "side" }, h("h2", {}, gameText(first.game, games, language)), finding.status, finding.actions));
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

  hear() {
    // the answers say it all
  }

  close() {
    this.finding?.close();
  }
}
