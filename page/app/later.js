/** What comes when it is first needed, with its texts: the views of a class, reviews and the studio, which most readers never open. */

import { h, statusLine } from "./dom.js";
import { learn } from "./texts.js";

/** @typedef {import("./routes.js").View} View */

export class Later {
  /**
   * @param {import("./main.js").Page} page
   * @param {string} folder of the modules below `/app/`, with `texts.js` and `FOLDER.css` beside them; "" if the view sees to
   *   them itself
   * @param {(page: import("./main.js").Page) => Promise<View>} make imports what it needs
   */
  constructor(page, folder, make) {
    this.title = "Arbitre";
    this.status = statusLine(page.t("loading"));
    this.element = h("div.card", this.status);
    this.load(page, folder, make).catch((error) => {
      this.status.textContent = page.t("why_offline");
      reportError(error);
    });
  }

  /** @param {import("./main.js").Page} page @param {string} folder @param {(page: import("./main.js").Page) => Promise<View>} make */
  async load(page, folder, make) {
    if (folder) await fetched(folder);
    const view = await make(page);
    if (page.view === this) page.put(view);
    else view.close?.();
  }
}

/** Brings the texts and the style sheet of a folder. @param {string} folder */
export async function fetched(folder) {
  const [{ TEXTS }] = await Promise.all([import(`/app/${folder}/texts.js`), style(`/app/${folder}/${folder}.css`)]);
  learn(TEXTS);
}

/** Adds a style sheet, once; what it styles waits for it. @param {string} address @returns {Promise<unknown>} */
export function style(address) {
  if (document.querySelector(`link[href="${address}"]`)) return Promise.resolve();
  const link = h("link", { rel: "stylesheet", href: address });
  const come = new Promise((resolve) => {
    for (const event of ["load", "error"]) link.addEventListener(event, resolve);
  });
  document.head.append(link);
  return come;
}
