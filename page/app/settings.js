/** What a reader likes: colours, sound, help on the board. Kept in the browser; what is read there is checked. */

import { button, chip, controlOf, h } from "./dom.js";
import { read, write } from "./kept.js";

const KEPT = "arbitre.settings";

/** @type {Record<string, string[]>} each setting with its choices; the first is what it is until somebody chooses */
export const CHOICES = {
  theme: ["system", "light", "dark", "contrast"],
  coordinates: ["on", "off"],
  hints: ["on", "off"],
  animation: ["on", "off"],
  sound: ["off", "on"],
  confirm: ["never", "touch", "always"],
};

/**
 * Settings out of what was kept: what is no choice is as if it were not there.
 * @param {string | null} text
 * @returns {Record<string, string>}
 */
export function parse(text) {
  /** @type {any} */
  let kept = null;
  try {
    kept = JSON.parse(text ?? "null");
  } catch {
    // whoever wrote that, it was not this page
  }
  return Object.fromEntries(Object.entries(CHOICES).map(([name, choices]) => {
    const chosen = kept && typeof kept === "object" && Object.hasOwn(kept, name) ? kept[name] : null;
    return [name, choices.includes(chosen) ? chosen : choices[0]];
  }));
}

export class Settings {
  constructor() {
    this.values = parse(read(KEPT));
    this.apply();
    window.addEventListener("storage", (event) => {
      if (event.key !== KEPT) return;
      this.values = parse(event.newValue);
      this.apply();
    });
  }

  /** @param {string} name @param {string} value */
  set(name, value) {
    this.values[name] = value;
    write(KEPT, JSON.stringify(this.values));
    this.apply();
  }

  /** Colours, labels and movement are the style sheet's matter. */
  apply() {
    const root = document.documentElement;
    for (const name of ["theme", "coordinates", "hints", "animation"]) root.dataset[name] = this.values[name];
  }

  /** Whether a move that was pointed at in this way is asked about before it is played. @param {string} pointer */
  confirms(pointer) {
    return this.values.confirm === "always" || (this.values.confirm === "touch" && pointer === "touch");
  }
}

/**
 * Shows the settings; a change holds at once.
 * @param {Settings} settings
 * @param {(key: string, values?: Record<string, any>) => string} t
 * @param {(name: string) => void} changed
 */
export function ask(settings, t, changed) {
  const rows = Object.entries(CHOICES).map(([name, choices]) => {
    const chips = choices.map((choice) => chip(`set-${name}`, choice, t(`set_${choice}`), settings.values[name] === choice, () => {
      settings.set(name, choice);
      changed(name);
    }));
    return h("fieldset", h("legend", t(`set_${name}`)), h("div.chips", ...chips));
  });
  openDialog("settings", t("settings"), t, ...rows);
}

/**
 * A window over the page, which goes with Escape, its button, or a click beside it.
 * @param {string} name
 * @param {string} title
 * @param {(key: string) => string} t
 * @param {...(Node | null)} children
 * @returns {HTMLDialogElement}
 */
export function openDialog(name, title, t, ...children) {
  const heading = h("h2", title);
  const from = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.action;
  const dialog = /** @type {HTMLDialogElement} */ (h("dialog", { class: `dialog ${name}`, "aria-label": title }, heading, ...children,
    button("close", t("close"), () => dialog.close(), { class: "primary" })));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (document.activeElement === document.body) controlOf(document, from)?.focus(); // what opened it was painted anew
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
