/** What links lead to: an invitation, a seat of one's own, or nothing. */

import { button, h, statusLine } from "./dom.js";

/** An invitation: takes the free seat, or watches. */
export class MatchLink {
  /** @param {import("./main.js").Page} page @param {string} name a link, or the six letters of a code */
  constructor(page, name) {
    this.page = page;
    this.asked = /^[a-z]{6}$/i.test(name) ? { code: name } : { link: name };
    this.title = "Arbitre";
    this.text = statusLine(page.t("loading"));
    this.element = h("div.card", this.text, page.wayOut());
  }

  async follow() {
    const { page } = this;
    const ok = await page.ask("join", this.asked).catch(() => page.ask("watch", this.asked)).catch((/** @type {any} */ error) => {
      this.text.textContent = error.code === undefined ? page.refusal(error) : page.t("noSuchLink");
      return null;
    });
    if (ok) page.go(`/m/${ok.match}`, true);
  }
}

/**
 * A link to oneself: it holds a secret behind its `#`, which browsers send to nobody, and which leaves the address at once.
 * It opens one seat, once. Nothing happens until the reader says so.
 */
export class TakeSeat {
  /** @param {import("./main.js").Page} page @param {string} match @param {string} link */
  constructor(page, match, link) {
    const { t } = page;
    const address = `/m/${encodeURIComponent(match)}`;
    history.replaceState(null, "", location.pathname);
    this.title = t("seatTitle");
    const trouble = h("p.trouble", { role: "alert" });
    const take = async () => {
      try {
        await page.ask("join", { link });
        page.go(address, true);
      } catch (/** @type {any} */ error) {
        trouble.textContent = error.code === "no_such_match" ? t("seatGone") : page.refusal(error);
      }
    };
    this.element = h("div.card", h("h1", t("seatTitle")), statusLine(t("seatAsk")), trouble,
      h("div.actions",
        button("take-seat", t("seatTake"), () => void take(), { class: "primary" }),
        button("watch", t("watch"), () => page.go(address, true))));
  }
}

/** An address that leads nowhere. */
export class Nowhere {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.title = "Arbitre";
    this.element = h("div.card", statusLine(page.t("noSuchPage")), page.wayOut());
  }
}
