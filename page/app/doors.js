/** Addresses that show little by themselves: invitation links, and those that lead nowhere. */

import { button, h } from "./dom.js";
import { refusalText } from "./texts.js";

/** An invitation: takes the free seat, or watches. */
export class Door {
  /** @param {import("./main.js").Page} page @param {string} name a link, or the six letters of a code */
  constructor(page, name) {
    this.page = page;
    this.asked = /^[a-z]{6}$/i.test(name) ? { code: name } : { link: name };
    this.title = "Arbitre";
    this.text = h("p", { class: "status", role: "status" }, page.t("loading"));
    this.element = h("div", { class: "card" }, this.text, button("home", page.t("leave"), () => page.go("/")));
  }

  async follow() {
    const { connection } = this.page;
    const ok = await connection.ask("join", this.asked).catch(() => connection.ask("watch", this.asked)).catch((/** @type {any} */ error) => {
      this.text.textContent = error.code === undefined ? refusalText(error, this.page.t) : this.page.t("noSuchLink");
      return null;
    });
    if (ok) this.page.go(`/m/${ok.match}`, true);
  }

  hear() {
    // the answer says it all
  }

  close() {
    // nothing is followed
  }
}

/**
 * A link to oneself: it holds a secret behind its `#`, which browsers send to nobody, and which leaves the address at once.
 * It opens one seat, once. Nothing happens until the reader says so.
 */
export class Seat {
  /** @param {import("./main.js").Page} page @param {string} match @param {string} link */
  constructor(page, match, link) {
    const { t } = page;
    const address = `/m/${encodeURIComponent(match)}`;
    history.replaceState(null, "", location.pathname);
    this.title = t("seatTitle");
    const trouble = h("p", { class: "trouble", role: "alert" });
    const take = async () => {
      try {
        await page.connection.ask("join", { link });
        page.go(address, true);
      } catch (/** @type {any} */ error) {
        trouble.textContent = error.code === "no_such_match" ? t("seatGone") : refusalText(error, t);
      }
    };
    this.element = h("div", { class: "card" }, h("h1", {}, t("seatTitle")), h("p", { class: "status", role: "status" }, t("seatAsk")), trouble,
      h("div", { class: "actions" },
        button("take-seat", t("seatTake"), () => void take(), { class: "primary" }),
        button("watch", t("watch"), () => page.go(address, true))));
  }

  async follow() {
    // nothing until the reader has decided
  }

  hear() {
    // nor to hear
  }

  close() {
    // nor to leave
  }
}

/** An address that leads nowhere. */
export class Nowhere {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.title = "Arbitre";
    this.element = h("div", { class: "card" }, h("p", { class: "status", role: "status" }, page.t("noSuchPage")), button("home", page.t("leave"), () => page.go("/")));
  }

  async follow() {
    // there is nothing to ask for
  }

  hear() {
    // nor to hear
  }

  close() {
    // nor to leave
  }
}
