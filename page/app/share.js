/** A link, a picture or an animation of a position: made here, of the boards that the server drew. */

import { animation, picture } from "./picture.js";
import { button, h, input, say } from "./dom.js";
import { addressOf } from "./addresses.js";
import { openDialog } from "./settings.js";

/** @typedef {{game: string, moves: string[], ply: number, flipped: boolean}} Shown a position of a game, as it is looked at */

/**
 * Shows what can be done with a position.
 * @param {import("./main.js").Page} page
 * @param {Shown} shown
 */
export async function share(page, shown) {
  const { t } = page;
  const about = page.about(shown.game);
  const ok = await page.ask("boards", { game: shown.game, moves: shown.moves }).catch(() => null);
  const boards = /** @type {import("./match.js").Board[]} */ (ok?.boards ?? []);
  const name = `${shown.game.replace(/\W+/g, "-")}-${shown.ply}`;
  const file = (/** @type {string} */ end, /** @type {() => string} */ draw) => () => download(`${name}${end}`, draw());
  openDialog("share", t("share"), t,
    copied(t, t("linkHere"), `${location.origin}${addressOf("replay", shown.game, shown.moves)}#${shown.ply}`),
    h("div.actions",
      boards[shown.ply] ? button("picture", t("picture"), file(".svg", () => picture(about, boards[shown.ply], shown.flipped))) : null,
      boards.length > 1 ? button("animation", t("animation"), file("-animated.svg", () => animation(about, boards, shown.flipped))) : null));
}

/**
 * An address in a field, with a button that copies it; without a clipboard (plain HTTP has none) it is selected.
 * @param {(key: string) => string} t
 * @param {string} label
 * @param {string} address
 */
export function copied(t, label, address) {
  const field = input(label, { readonly: true, value: address, focus: () => field.select() });
  const told = h("span.faint", { "aria-live": "polite" });
  const copy = async () => {
    field.focus();
    field.select();
    // On plain HTTP there is no clipboard, but an old command.
    const done = navigator.clipboard ? await navigator.clipboard.writeText(address).then(() => true, () => false) : document.execCommand("copy");
    say(told, done ? t("copied") : t("copyYourself"));
  };
  return h("div.copied", h("p", label), h("div.typed", field, button("copy-link", t("copy"), copy)), told);
}

/** @param {string} name @param {string} text */
function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  const anchor = h("a", { href: address, download: name });
  document.body.append(anchor);
  anchor.click();
  anchor.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
