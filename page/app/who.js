/** The corner of the page: the reader's name, who asks them to play, the language. */

import { ruleText } from "./clocks.js";
import { button, form, h, input, replace } from "./dom.js";
import { read, write } from "./kept.js";
import { ask } from "./settings.js";
import { LANGUAGES } from "./texts.js";

/** Where the name is kept that the reader chose. */
export const NAME = "arbitre.name";

/** The most characters of a name, as the server counts them. */
export const LONGEST_NAME = 24;

export class Who {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.element = /** @type {HTMLElement} */ (document.getElementById("who"));
    /** @type {Map<string, Protocol.Invitation>} invitations that wait for an answer, by match */
    this.invitations = new Map();
    this.trouble = "";
    this.renaming = false;
    /** Says who gives the reader their name, and returns true, where they don't choose it themselves. @type {(() => boolean) | null} */
    this.given = null;
  }

  /** @param {App.Told} message */
  hear(message) {
    if (message.type === "name_refused") {
      write(NAME, null);
      this.trouble = message.code;
    } else if (message.type === "invitation") this.invitations.set(message.match, message);
    else if (message.type === "snapshot" || message.type === "finished") this.invitations.delete(message.match);
    if (message.type === "invitation" || message.type === "finished" || message.type === "welcome") this.paint();
  }

  paint() {
    const { t, language } = this.page;
    const other = LANGUAGES.find((name) => name !== language) ?? "en";
    const change = button("language", other.toUpperCase(), () => this.page.speak(other), { lang: other, "aria-label": other === "fr" ? "Français" : "English" });
    const name = this.renaming ? this.form() : [h("span.me", this.page.me()), button("rename", t("change"), () => this.rename(true))];
    const asked = [...this.invitations.values()].map((invitation) => this.invitation(invitation));
    replace(this.element, ...asked, ...name, this.trouble ? h("span.trouble", { role: "alert" }, t(`why_${this.trouble}`)) : null, change,
      button("settings", "⚙", () => ask(this.page.settings, t, () => this.page.sounds.play("move")), { "aria-label": t("settings"), title: t("settings") }));
  }

  /** @returns {HTMLElement[]} */
  form() {
    const { t, connection, matches } = this.page;
    const me = this.page.me();
    const field = input(t("yourName"), { name: "name", value: me, maxlength: LONGEST_NAME });
    const submit = () => {
      const name = field.value.trim();
      this.renaming = false;
      this.trouble = "";
      if (!name || name === me) return this.paint();
      write(NAME, name);
      matches.clear();
      this.invitations.clear();
      return connection.renew();
    };
    return [form("save-name", t("keep"), submit, field)];
  }

  /** @param {boolean} is */
  rename(is) {
    if (is && this.given?.()) return;
    this.renaming = is;
    this.paint();
    /** @type {HTMLElement | null} */ (this.element.querySelector("input"))?.focus();
  }

  /** @param {Protocol.Invitation} told */
  invitation(told) {
    const { t } = this.page;
    const text = t("invitation", { name: told.by, game: this.page.titleOf(told.game), clock: ruleText(told.clock, t) });
    const answer = (/** @type {boolean} */ yes) => async () => {
      this.invitations.delete(told.match);
      this.paint();
      await this.page.ask(yes ? "join" : "decline", { match: told.match }).catch(() => undefined);
      if (yes) this.page.go(`/m/${told.match}`);
    };
    return h("div.offer", { role: "alert" }, h("span", text),
      button("accept-invitation", t("accept"), answer(true), { class: "primary" }), button("decline-invitation", t("decline"), answer(false)));
  }
}

/** The name that the reader chose, or a guest's. @param {(key: string) => string} t @param {string} [kind] */
export function wantedName(t, kind) {
  return read(NAME) || guestName(t, kind);
}

/** A name that is hardly taken. @param {(key: string) => string} t @param {string} [kind] the key of what they are */
export function guestName(t, kind = "guest") {
  return `${t(kind)} ${100 + Math.floor(Math.random() * 9900)}`;
}
