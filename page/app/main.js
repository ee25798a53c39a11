/** The page: which view is shown, and what becomes of what the server tells. */

import { Banner } from "./banner.js";
import { Connection } from "./connection.js";
import { announce, button, h, replace, stayAt } from "./dom.js";
import { read, write } from "./kept.js";
import { apply, asked, fromSnapshot, hear, isEvent, lacksClocks } from "./match.js";
import { gameText, resultText, refusedMove } from "./players.js";
import { Press } from "./press.js";
import { goOn, route } from "./routes.js";
import { Settings } from "./settings.js";
import { Sounds } from "./sound.js";
import { chooseLanguage, keep, refusalText, speaker } from "./texts.js";
import { remember } from "./thinking.js";
import { guestName, wantedName, Who } from "./who.js";

const DESK = "arbitre.desk";

export class Page {
  /** @param {Record<string, Games.Game>} games */
  constructor(games) {
    this.games = games;
    /** In the page of another site: what is there is looked at, by somebody of its own. */
    this.isEmbedded = location.pathname.startsWith("/embed/");
    document.documentElement.classList.toggle("embedded", this.isEmbedded);
    /** The teacher's tab: it has a session of its own, beside those that the same person plays in. */
    this.isDesk = isDesk();
    /** @type {Partial<Omit<Protocol.Switched, "type">>} what organisers have switched off is false */
    this.allowed = {};
    this.language = chooseLanguage();
    this.t = speaker(this.language);
    document.documentElement.lang = this.language;
    /** @type {Map<string, import("./match.js").View>} */
    this.matches = new Map();
    /** @type {Set<(message: App.Told) => void>} parts of views that hear what the server tells */
    this.ears = new Set();
    this.main = /** @type {HTMLElement} */ (document.getElementById("view"));
    this.speech = /** @type {HTMLElement} */ (document.getElementById("speech"));
    this.settings = new Settings();
    this.sounds = new Sounds(() => this.settings.values.sound === "on");
    this.banner = new Banner(this);
    this.who = new Who(this);
    this.press = new Press();
    this.connection = new Connection({
      told: (message) => this.told(message),
      changed: (state, wait) => this.changed(state, wait),
      name: () => (this.isEmbedded ? guestName(this.t) : wantedName(this.t, this.isDesk ? "teacher" : "guest")),
      after: (run) => this.press.after(run),
      seen: () => Object.fromEntries([...this.matches].map(([id, view]) => [id, view.seq])),
    }, this.isEmbedded || isWall() ? "" : this.isDesk ? "tab" : "browser", this.isDesk);
    this.view = route(this);
    this.show();
    window.addEventListener("popstate", () => this.open());
    document.addEventListener("click", (event) => this.link(event));
    document.addEventListener("keydown", (event) => this.key(event));
    this.connection.connect();
    goOn(this).catch(reportError);
  }

  /** The reader's name, as the server knows it. */
  me() {
    return this.connection.welcome?.name ?? "";
  }

  /**
   * Asks the server for something.
   * @template {Protocol.ClientMessage["type"]} T
   * @param {T} type
   * @param {App.Fields<T>} [fields]
   */
  ask(type, fields) {
    return this.connection.ask(type, fields);
  }

  /**
   * The same, where nothing is lost if it is refused.
   * @template {Protocol.ClientMessage["type"]} T
   * @param {T} type
   * @param {App.Fields<T>} [fields]
   */
  tell(type, fields) {
    this.ask(type, fields).catch(() => undefined);
  }

  /** Opens a match, and shows it. @param {App.Fields<"create">} wish */
  async create(wish) {
    const ok = await this.ask("create", wish);
    this.go(`/m/${ok.match}`);
  }

  /** Takes a seat in a match, and shows it. @param {App.Fields<"join">} where */
  async join(where) {
    const ok = await this.ask("join", where);
    this.go(`/m/${ok.match}`);
  }

  // -------------------------------------------------------------------------------------------------- games, in words

  /** What a game says of itself. @param {string} spec its name, and the options that are set */
  about(spec) {
    return this.games[spec.split(":", 1)[0]];
  }

  /** A game with its options. @param {string} spec */
  titleOf(spec) {
    return gameText(spec, this.games, this.language);
  }

  /** How a game ended, in a sentence. @param {Protocol.Result} result @param {string} spec @param {string[]} names */
  outcome(result, spec, names) {
    return resultText(result, spec, names, this.about(spec), this.language, this.t);
  }

  /**
   * Why something was refused.
   * @param {any} error
   * @param {string} game in which moves were tried, if any were
   * @param {string[]} moves
   */
  refusal(error, game = "", moves = []) {
    return refusedMove(error, game, moves, this.about(game), this.language) || refusalText(error, this.t);
  }

  /**
   * Why the rules don't allow a move; empty if they do, or nobody can say. Nothing is played.
   * @param {string} game
   * @param {string[]} moves those before it
   * @param {string} move "" where no move begins
   */
  async whyNot(game, moves, move) {
    if (!move) return this.t("noMoveHere");
    const all = [...moves, move];
    const error = await this.ask("boards", { game, moves: all, since: all.length }).then(() => null, (/** @type {any} */ refused) => refused);
    return error?.code === "illegal_move" ? this.refusal(error, game, all) : "";
  }

  /** Whether organisers let us do something. @param {"chat" | "takebacks" | "values"} what */
  allows(what) {
    return this.connection.directs || this.allowed[what] !== false;
  }

  /** The button that leads to the lobby. */
  wayOut() {
    return button("leave", this.t("leave"), () => this.go("/"));
  }

  // ---------------------------------------------------------------------------------------------------------- addresses

  /** @param {string} address @param {boolean} [instead] */
  go(address, instead = false) {
    if (instead) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    this.open();
    if (document.activeElement === document.body && !this.isEmbedded) stayAt(this.main); // what had the focus is gone
  }

  open() {
    if (isDesk() !== this.isDesk) {
      location.reload();
      return;
    }
    for (const dialog of document.querySelectorAll("dialog")) dialog.close();
    this.view.close?.();
    this.put(route(this));
  }

  /** Shows a view. @param {import("./routes.js").View} view */
  put(view) {
    this.view = view;
    this.show();
    this.tellEars({ type: "shown" });
    if (this.connection.open) this.follow();
  }

  /** The view asks for what it shows; what is refused it says itself, and after a loss of the connection it asks again. */
  follow() {
    this.view.follow?.().catch(() => undefined);
  }

  show() {
    document.documentElement.classList.remove("zen");
    const there = location.pathname.slice("/embed".length) + location.search;
    const open = this.isEmbedded ? h("p.open", h("a", { href: there, target: "_blank", rel: "noopener", "data-action": "open" }, this.t("openHere"))) : null;
    replace(this.main, this.view.element, open);
    document.title = this.view.title;
    this.who.paint();
    window.scrollTo(0, 0);
  }

  /** Links within the page change the view, and load nothing. @param {MouseEvent} event */
  link(event) {
    const anchor = /** @type {Element} */ (event.target).closest?.("a");
    if (!anchor || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (anchor.origin !== location.origin || anchor.target || anchor.download) return;
    event.preventDefault();
    this.go(anchor.pathname + anchor.search + anchor.hash);
  }

  /** Keys that no field and no board has taken are the view's. @param {KeyboardEvent} event */
  key(event) {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
    if (/** @type {Element} */ (event.target).closest?.("input, select, textarea, dialog")) return;
    const isZen = document.documentElement.classList.contains("zen");
    if (event.key === "z" || (event.key === "Escape" && isZen)) this.toggleZen();
    else this.view.key?.(event);
  }

  /** Hides all but the game, or shows it again. */
  toggleZen() {
    document.documentElement.classList.toggle("zen");
  }

  /** Says something to those who hear the page, even twice the same. @param {string} text */
  announce(text) {
    announce(this.speech, text);
  }

  /** The cursor can't go further on the board. */
  edge() {
    this.sounds.play("edge");
    this.announce(this.t("edge"));
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

  // ------------------------------------------------------------------------------------------------- what is told to us

  /** @param {App.Told} message */
  told(message) {
    const now = this.connection.at;
    if (message.type === "welcome") this.allowed = {};
    else if (message.type === "switched") this.allowed = message;
    const view = "match" in message ? this.matches.get(message.match ?? "") : undefined;
    if (message.type === "snapshot") this.matches.set(message.match, fromSnapshot(message, now, view));
    else if (message.type === "board" && view) view.boards[message.board.ply] = message.board;
    else if (message.type === "thought" && view) remember(message);
    else if (message.type === "your_turn" && view) asked(view, message, now);
    else if (message.type === "murmur" && view) hear(view, { name: message.name, text: message.text, seat: null });
    else if (view && isEvent(message.type) && apply(view, /** @type {Protocol.MatchEvent} */ (message), now) === "gap") {
      this.tell("sync", { match: view.match, seq: view.seq });
    }
    this.who.hear(message);
    this.view.hear?.(message);
    if (message.type === "switched") this.view.switched?.();
    this.tellEars(message);
  }

  /** @param {App.Told} message */
  tellEars(message) {
    for (const ear of this.ears) ear(message);
  }

  /** @param {import("./banner.js").State} state @param {number} wait */
  changed(state, wait) {
    this.banner.show(state, wait);
    if (state !== "open") return;
    const held = new Set(this.connection.welcome?.matches ?? []);
    for (const id of this.matches.keys()) if (!held.has(id)) this.matches.delete(id);
    for (const [match, view] of this.matches) if (lacksClocks(view)) this.tell("sync", { match });
    this.who.paint();
    this.follow();
    this.tellEars({ type: "opened" });
  }
}

/** Whether this tab is the teacher's: it stays so wherever they go in it. */
function isDesk() {
  const is = location.pathname.startsWith("/desk/") || read(DESK, true) !== null;
  if (is) write(DESK, "1", true);
  return is;
}

/** Whether it is the classroom's wall, which is a copy of the teacher's tab and has a session that nobody keeps. */
function isWall() {
  return isDesk() && new URLSearchParams(location.search).has("wall");
}

const answer = await fetch("/app/games.json");
new Page(await answer.json());
