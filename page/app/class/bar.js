/** The line below the page's head while one is in a class: where it is, what the teacher says or asks, that all games stand. */

import { announce, button, h, replace, update } from "../dom.js";

export class Bar {
  /** @param {import("../main.js").Page} page @param {string} home the address of the class @param {string} back the key of the way back */
  constructor(page, home, back) {
    this.page = page;
    this.home = home;
    this.back = back;
    this.news = "";
    this.halted = false;
    /** Whether a question waits for an answer. */
    this.asked = false;
    /** @type {HTMLElement | null} more to be clicked */
    this.more = null;
    this.said = h("p.class-news", { role: "alert" });
    this.way = h("div.class-way", { "aria-live": "polite" });
    this.element = h("aside", { class: "class-bar" }, this.said, this.way);
    document.getElementById("banner")?.after(this.element);
    this.paint();
  }

  /** @param {string} text */
  say(text) {
    this.news = text;
    this.paint();
    if (text) announce(/** @type {Element} */ (this.said.firstElementChild), this.text());
  }

  text() {
    return this.news && this.page.t("newsSaid", { text: this.news });
  }

  /** Shows it as it is here and now, in the language of the page. */
  paint() {
    const { t } = this.page;
    const text = this.text();
    const isHome = location.pathname.toLowerCase() === this.home.toLowerCase() && !new URLSearchParams(location.search).has("game");
    this.element.setAttribute("aria-label", t("theClass"));
    if (this.said.dataset.text !== text) {
      this.said.dataset.text = text;
      replace(this.said, ...(text ? [h("span", text), button("news-read", t("newsRead"), () => this.say(""))] : []));
    }
    this.said.hidden = !text;
    const state = this.halted ? "allHalted" : this.asked && "classAsked";
    update(this.way, state && !isHome && h("strong", { class: this.halted && "class-halted" }, t(state)), this.more,
      !isHome && h("a", { class: "button", href: this.home, "data-action": "to-class" }, t(this.back)));
    this.way.hidden = !this.way.childElementCount;
    this.element.hidden = this.said.hidden && this.way.hidden;
  }

  close() {
    this.element.remove();
  }
}
