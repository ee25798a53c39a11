/** What the desk and the wall share. */

import { form, h, input } from "../dom.js";

/** Where pupils find the class, as people read it. @param {{address?: string}} told @param {string} code */
export function addressOf({ address }, code) {
  return (address || `${location.origin}/class/${code}`).replace(/^https?:\/\//, "").replace(/#$/, "");
}

/** What asks for the secret, and says why there is nothing to see yet. @param {import("./teacher.js").Teacher} me */
export function gate(me) {
  const { t } = me.page;
  const field = input(t("secret"), { type: "password", name: "secret", autocomplete: "off", size: 24 });
  return h("div.card.gate", h("p", t("secretHelp")), form("enter-desk", t("enter"), () => field.value.trim() && me.show(field.value.trim()), field));
}
