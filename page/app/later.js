/** A view whose scripts are loaded when somebody opens it: most readers never do. */

import { h, replace, statusLine } from "./dom.js";

/** @typedef {import("./routes.js").View} View */

export class Later {
  /**
   * @param {import("./main.js").Page} page
   * @param {() => Promise<{ View: new (page: import("./main.js").Page) => View }>} load
   */
  constructor(page, load) {
    this.page = page;
    this.title = "Arbitre";
    this.element = h("div", statusLine(page.t("loading")));
    /** @type {View | null} */
    this.view = null;
    this.isOver = false;
    void this.open(load);
  }

  /** @param {() => Promise<{ View: new (page: import("./main.js").Page) => View }>} load */
  async open(load) {
    try {
      const { View } = await load();
      if (this.isOver) return;
      this.view = new View(this.page);
      this.title = this.view.title;
      replace(this.element, this.view.element);
      document.title = this.title;
      if (this.page.connection.open) void this.follow();
    } catch {
      if (!this.isOver) replace(this.element, h("p.trouble", { role: "alert" }, this.page.t("why_offline")));
    }
  }

  async follow() {
    await this.view?.follow?.();
  }

  /** @param {App.Told} message */
  hear(message) {
    this.view?.hear?.(message);
  }

  close() {
    this.isOver = true;
    this.view?.close?.();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    this.view?.key?.(event);
  }
}
