/** The line at the top while there is no connection: what is the matter, and what can be done. */

import { button, form, h, input, replace } from "./dom.js";

const WAKE_MS = 250;

/** @typedef {"open" | "lost" | "replaced" | "password"} State */

export class Banner {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.element = /** @type {HTMLElement} */ (document.getElementById("banner"));
    this.retryAt = 0;
    setInterval(() => this.countdown(), WAKE_MS);
  }

  /** @param {State} state @param {number} wait until the next try, in ms */
  show(state, wait) {
    const { connection, t } = this.page;
    this.retryAt = state === "lost" ? performance.now() + wait : 0;
    this.element.hidden = state === "open";
    if (state === "replaced") {
      replace(this.element, h("span", t("replaced")), button("play-here", t("playHere"), () => connection.connect()));
    } else if (state === "password") this.askPassword();
    else if (state === "lost") {
      replace(this.element, h("span.wait"), button("retry", t("tryNow"), () => connection.hurry()));
      this.countdown();
    }
  }

  askPassword() {
    const { connection, t } = this.page;
    const field = input(t("password"), { type: "password", autocomplete: "current-password" });
    const enter = () => {
      connection.password = field.value;
      connection.drop();
      connection.connect();
    };
    const wrong = connection.password ? t("wrongPassword") : t("password");
    replace(this.element, form("password", t("enter"), enter, h("span", { role: "alert" }, wrong), field));
    field.focus();
  }

  countdown() {
    const told = this.element.querySelector(".wait");
    if (!told) return;
    const { t } = this.page;
    const seconds = Math.ceil((this.retryAt - performance.now()) / 1000);
    told.textContent = seconds > 0 ? t("lost", { time: seconds }) : t("trying");
  }
}
