/** The page: which view an address shows, who the reader is, and what becomes of what the server tells. */

import { ruleText } from "./clocks.js";
import { Connection } from "./connection.js";
import { button, h, replace } from "./dom.js";
import { Lobby } from "./lobby.js";
import { apply, fromSnapshot, hear, isEvent } from "./match.js";
import { Play } from "./play.js";
import { gameText } from "./players.js";
import { Replay } from "./replay.js";
import { chooseLanguage, keep, LANGUAGES, refusalText, speaker } from "./texts.js";

const WAKE_MS = 250;
const NAME = "arbitre.name";

export class Page {
  /** @param {Record<string, any>} games */
  constructor(games) {
    this.games = games;
    this.language = chooseLanguage();
    this.t = speaker(this.language);
    document.documentElement.lang = this.language;
    /** @type {Map<string, import("./match.js").View>} */
    this.matches = new Map();
    /** @type {Map<string, any>} */
    this.invitations = new Map();
    this.main = /** @type {HTMLElement} */ (document.getElementById("view"));
    this.banner = /** @type {HTMLElement} */ (document.getElementById("banner"));
    this.retryAt = 0;
    this.nameTrouble = "";
    this.renaming = false;
    this.connection = new Connection({
      told: (message) => this.told(message),
      changed: (state, wait) => this.changed(state, wait),
      name: () => wantedName(this.t),
      seen: () => Object.fromEntries([...this.matches].map(([id, view]) => [id, view.seq])),
    });
    this.view = this.route();
    this.show();
    window.addEventListener("popstate", () => this.open());
    document.addEventListener("click", (event) => this.link(event));
    setInterval(() => this.countdown(), WAKE_MS);
    this.connection.connect();
  }

  /** The reader's name, as the server knows it. */
  me() {
    return this.connection.welcome?.name ?? "";
  }

  // ---------------------------------------------------------------------------------------------------------- addresses

  /** @returns {any} */
  route() {
    const [, kind = "", rest = ""] = location.pathname.split("/", 3);
    const ply = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
    const name = decode(rest);
    if (kind === "m" && name) return new Play(this, name, ply);
    if (kind === "j" && name) return new Door(this, name);
    if (kind === "replay" && name.split(":", 1)[0] in this.games) {
      return new Replay(this, name, new URLSearchParams(location.search).get("moves") ?? "", ply);
    }
    return kind === "" ? new Lobby(this) : new Nowhere(this);
  }

  /** @param {string} address @param {boolean} [instead] */
  go(address, instead = false) {
    if (instead) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.open();
  }

  open() {
    this.view.close();
    this.view = this.route();
    this.show();
    if (this.connection.open) this.view.follow().catch(() => undefined);
  }

  show() {
    replace(this.main, this.view.element);
    document.title = this.view.title;
    this.paintWho();
    window.scrollTo(0, 0);
  }

  /** Links within the page change the view, and load nothing. @param {MouseEvent} event */
  link(event) {
    const anchor = /** @type {Element} */ (event.target).closest?.("a");
    if (!anchor || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (/** @type {HTMLAnchorElement} */ (anchor).origin !== location.origin) return;
    event.preventDefault();
    this.go(/** @type {HTMLAnchorElement} */ (anchor).pathname);
  }

  // ------------------------------------------------------------------------------------------------- what is told to us

  /** @param {any} message */
  told(message) {
    const now = performance.now();
    const view = this.matches.get(message.match);
    if (message.type === "name_refused") {
      forgetName();
      this.nameTrouble = message.code;
    } else if (message.type === "invitation") this.invitations.set(message.match, message);
    else if (message.type === "snapshot") {
      this.matches.set(message.match, fromSnapshot(message, now, view));
      this.invitations.delete(message.match);
    } else if (message.type === "board" && view) view.boards[message.board.ply] = message.board;
    else if (message.type === "murmur" && view) hear(view, { name: message.name, text: message.text, seat: null });
    else if (view && isEvent(message.type) && apply(view, message, now) === "gap") {
      this.connection.ask("sync", { match: view.match, seq: view.seq }).catch(() => undefined);
    }
    if (message.type === "finished") this.invitations.delete(message.match);
    this.view.hear(message);
    if (message.type === "invitation" || message.type === "finished" || message.type === "welcome") this.paintWho();
  }

  /** @param {"open" | "lost" | "replaced" | "password"} state @param {number} wait */
  changed(state, wait) {
    const { t } = this;
    this.retryAt = state === "lost" ? performance.now() + wait : 0;
    this.banner.hidden = state === "open";
    if (state === "open") {
      const held = new Set(this.connection.welcome.matches ?? []);
      for (const id of this.matches.keys()) if (!held.has(id)) this.matches.delete(id);
      this.paintWho();
      this.view.follow().catch(() => undefined);
    } else if (state === "replaced") {
      replace(this.banner, h("span", {}, t("replaced")), button("play-here", t("playHere"), () => this.connection.connect()));
    } else if (state === "password") {
      const field = h("input", { type: "password", "aria-label": t("password") });
      const enter = (/** @type {Event} */ event) => {
        event.preventDefault();
        this.connection.password = /** @type {any} */ (field).value;
        this.connection.drop();
        this.connection.connect();
      };
      replace(this.banner, h("form", { class: "typed", submit: enter }, h("span", {}, t("password")), field, h("button", { type: "submit", "data-action": "password" }, t("enter"))));
    } else {
      replace(this.banner, h("span", { class: "wait" }), button("retry", t("tryNow"), () => this.connection.hurry()));
      this.countdown();
    }
  }

  countdown() {
    const told = this.banner.querySelector(".wait");
    if (!told) return;
    const seconds = Math.ceil((this.retryAt - performance.now()) / 1000);
    told.textContent = seconds > 0 ? this.t("lost", { time: seconds }) : this.t("trying");
  }

  // -------------------------------------------------------------------------------------------------- who the reader is

  paintWho() {
    const { t } = this;
    const who = /** @type {HTMLElement} */ (document.getElementById("who"));
    const other = LANGUAGES.find((name) => name !== this.language) ?? "en";
    const change = button("language", other.toUpperCase(), () => this.speak(other), { lang: other, "aria-label": other === "fr" ? "Français" : "English" });
    const name = this.renaming ? this.nameForm() : [h("span", { class: "me" }, this.me()), button("rename", t("change"), () => this.rename(true))];
    const asked = [...this.invitations.values()].map((invitation) => this.invitation(invitation));
    replace(who, ...asked, ...name, this.nameTrouble ? h("span", { class: "trouble", role: "alert" }, t(`code_${this.nameTrouble}`)) : null, change);
  }

  /** @returns {HTMLElement[]} */
  nameForm() {
    const { t } = this;
    const field = h("input", { name: "name", value: this.me(), maxlength: 24, "aria-label": t("yourName") });
    const submit = (/** @type {Event} */ event) => {
      event.preventDefault();
      const name = /** @type {any} */ (field).value.trim();
      this.renaming = false;
      this.nameTrouble = "";
      if (!name || name === this.me()) return this.paintWho();
      keepName(name);
      this.matches.clear();
      this.invitations.clear();
      return this.connection.renew();
    };
    return [h("form", { class: "typed", submit }, field, h("button", { type: "submit", "data-action": "save-name" }, t("keep")))];
  }

  /** @param {boolean} is */
  rename(is) {
    this.renaming = is;
    this.paintWho();
    /** @type {HTMLElement | null} */ (document.querySelector("#who input"))?.focus();
  }

  /** @param {"en" | "fr"} language */
  speak(language) {
    keep(language);
    const address = new URL(location.href);
    address.searchParams.delete("lang");
    history.replaceState(null, "", address);
    this.language = language;
    this.t = speaker(language);
    document.documentElement.lang = language;
    this.open();
  }

  /** @param {any} told */
  invitation(told) {
    const { t } = this;
    const text = t("invitation", { name: told.by, game: gameText(told.game, this.games, this.language), clock: ruleText(told.clock, t) });
    const answer = (/** @type {boolean} */ yes) => async () => {
      this.invitations.delete(told.match);
      this.paintWho();
      await this.connection.ask(yes ? "join" : "decline", { match: told.match }).catch(() => undefined);
      if (yes) this.go(`/m/${told.match}`);
    };
    return h("div", { class: "offer", role: "alert" }, h("span", {}, text),
      button("accept-invitation", t("accept"), answer(true), { class: "primary" }), button("decline-invitation", t("decline"), answer(false)));
  }
}

/** An invitation link: takes the free seat, or watches. */
class Door {
  /** @param {Page} page @param {string} link */
  constructor(page, link) {
    this.page = page;
    this.link = link;
    this.title = "Arbitre";
    this.text = h("p", { class: "status", role: "status" }, page.t("loading"));
    this.element = h("div", { class: "card" }, this.text, button("home", page.t("leave"), () => page.go("/")));
  }

  async follow() {
    const { connection } = this.page;
    const ok = await connection.ask("join", { link: this.link }).catch(() => connection.ask("watch", { link: this.link })).catch((error) => {
      this.text.textContent = error.code === undefined ? refusalText(error, this.page.t) : this.page.t("noSuchLink");
      return null;
    });
    if (ok) this.page.go(`/m/${ok.match}`, true);
  }

  hear() {
    // the answer says it all
  }

  close() {
    // nothing is followed
  }
}

/** An address that leads nowhere. */
class Nowhere {
  /** @param {Page} page */
  constructor(page) {
    this.title = "Arbitre";
    this.element = h("div", { class: "card" }, h("p", { class: "status", role: "status" }, page.t("noSuchPage")), button("home", page.t("leave"), () => page.go("/")));
  }

  async follow() {
    // there is nothing to ask for
  }

  hear() {
    // nor to hear
  }

  close() {
    // nor to leave
  }
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The name that the reader chose, or one that is hardly taken. @param {(key: string) => string} t */
function wantedName(t) {
  try {
    const kept = localStorage.getItem(NAME);
    if (kept) return kept;
  } catch {
    // nothing is kept here
  }
  return `${t("guest")} ${100 + Math.floor(Math.random() * 9900)}`;
}

/** @param {string} name */
function keepName(name) {
  try {
    localStorage.setItem(NAME, name);
  } catch {
    // then for this time only
  }
}

function forgetName() {
  try {
    localStorage.removeItem(NAME);
  } catch {
    // nothing was kept
  }
}

const answer = await fetch("/app/games.json");
new Page(await answer.json());
