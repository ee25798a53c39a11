/** What comes when it is first needed, with its texts: the views of a class, reviews and the studio, which most readers never open. */

import { h, statusLine } from "./dom.js";
import { learn } from "./texts.js";

/** @typedef {import("./routes.js").View} View */

export class Later {
  /**
   * @param {import("./main.js").Page} page
   * @param {string[]} folders of the modules below `/app/`, with `texts.js` and `FOLDER.css` beside them
   * @param {(page: import("./main.js").Page) => Promise<View>} make imports what it needs
   */
  constructor(page, folders, make) {
    this.title = "Arbitre";
    this.status = statusLine(page.t("loading"));
    this.element = h("div.card", this.status);
    this.load(page, folders, make).catch((error) => {
      this.status.textContent = page.t("why_offline");
      reportError(error);
    });
  }

  /** @param {import("./main.js").Page} page @param {string[]} folders @param {(page: import("./main.js").Page) => Promise<View>} make */
  async load(page, folders, make) {
    await fetched(...folders);
    const view = await make(page);
    if (page.view === this) page.put(view);
    else view.close?.();
  }
}

/** Brings the texts and the style sheets of folders. @param {...string} folders */
export async function fetched(...folders) {
  const sheets = folders.map((folder) => style(`/app/${folder}/${folder}.css`));
  for (const { TEXTS } of await Promise.all(folders.map((folder) => import(`/app/${folder}/texts.js`)))) learn(TEXTS);
  await Promise.all(sheets);
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
