/** The line below the page's head while one is in a class: where it is, what the teacher says, that all games stand. */

import { announce, button, h, replace } from "../dom.js";

export class Bar {
  /** @param {import("../main.js").Page} page @param {string} home the address of the class @param {string} back the key of the way back */
  constructor(page, home, back) {
    this.page = page;
    this.home = home;
    this.back = back;
    this.news = "";
    this.halted = false;
    /** @type {HTMLElement[]} more to be clicked, away from home */
    this.more = [];
    this.said = h("p.class-news", { role: "alert" });
    this.way = h("div.class-way");
    this.element = h("aside", { class: "class-bar", "aria-label": page.t("theClass") }, this.said, this.way);
    document.getElementById("banner")?.after(this.element);
    this.moved = () => this.repaint();
    window.addEventListener("viewchange", this.moved);
    this.paint();
  }

  /** @param {string} text */
  say(text) {
    this.news = text;
    this.paint();
    if (text) announce(/** @type {Element} */ (this.said.firstElementChild ?? this.said), this.text());
  }

  text() {
    return this.page.t("newsSaid", { text: this.news });
  }

  paint() {
    const { t } = this.page;
    const isHome = location.pathname.toLowerCase() === this.home.toLowerCase() && !new URLSearchParams(location.search).has("game");
    if (this.said.dataset.text !== this.news) {
      this.said.dataset.text = this.news;
      replace(this.said, this.news ? h("span", this.text()) : null,
        this.news ? button("news-read", t("newsRead"), () => this.say("")) : null);
    }
    this.said.hidden = !this.news;
    replace(this.way, this.halted && !isHome ? h("strong.class-halted", t("allHalted")) : null, ...(isHome ? [] : this.more),
      isHome ? null : h("a", { class: "button", href: this.home, "data-action": "to-class" }, t(this.back)));
    this.way.hidden = !this.way.childElementCount;
    this.element.hidden = this.said.hidden && this.way.hidden;
  }

  /** Another view is shown; who knows what is `more` by then says that first. */
  repaint() {
    this.paint();
  }

  close() {
    window.removeEventListener("viewchange", this.moved);
    this.element.remove();
  }
}
