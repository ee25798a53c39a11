/**
 * The way to the server: one WebSocket that comes back by itself, with the session's secret kept in the browser.
 * Each request gets one answer; what the server tells beside goes to `told`.
 */

import { read, write } from "./kept.js";

const PROTOCOL = 1;
const KEPT = "arbitre.session";
const SECRET = "arbitre.organiser";
const SOON_MS = 250;
const LATE_MS = 5000;
/** How long an answer about a match may take, and any once somebody looks at the page again: a connection may be dead. */
const ALIVE_MS = 4000;

/** What was refused: `code` is stable, `data` helps. */
export class Refused extends Error {
  /** @param {Protocol.Error} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.data = error.data ?? {};
    /** When it is worth asking again, in milliseconds. */
    this.wait = error.retry_after_ms ?? 0;
  }
}

export class Connection {
  /**
   * @param {object} hooks
   * @param {(message: App.Told) => void} hooks.told what the server says that is no answer
   * @param {(state: "open" | "lost" | "replaced" | "password", waitMs: number) => void} hooks.changed
   * @param {() => string} hooks.name how the reader is called, if the session is a new one
   * @param {() => Record<string, number>} hooks.seen the last event of each match that is known
   * @param {(run: () => void) => void} [hooks.after] hears what arrives, perhaps later
   * @param {"browser" | "tab" | ""} keeps who keeps the session; a frame in the page of another site has one of its own
   * @param {boolean} [directs] whether this may be an organiser's, who has told their secret in this tab
   */
  constructor(hooks, keeps, directs = false) {
    this.hooks = hooks;
    this.keeps = keeps;
    /** @type {{token: string, name: string} | null} */
    this.session = keeps ? load(keeps) : null;
    /** The organisers' secret, if somebody told it. */
    this.organiser = (directs && read(SECRET, true)) || "";
    /** Whether the server believes it. */
    this.directs = false;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Protocol.Welcome | null} */
    this.welcome = null;
    this.password = "";
    this.tries = 0;
    this.number = 0;
    this.open = false;
    /** @type {"" | "replaced" | "password"} why it does not come back by itself */
    this.ended = "";
    /** @type {Map<number, {resolve: (ok: Protocol.Ok) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} when an answer is due */
    this.due = undefined;
    /** Whether the server has said anything since `since`, when it was asked. */
    this.heard = true;
    this.since = 0;
    /** When what is heard has arrived. */
    this.at = 0;
    this.life = new AbortController();
    const { signal } = this.life;
    for (const event of ["online", "pageshow"]) window.addEventListener(event, () => this.hurry(), { signal });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry(), { signal });
  }

  /** Connects now, unless it is. */
  connect() {
    clearTimeout(this.timer);
    this.ended = "";
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/`, "arbitre.v1");
    this.socket = socket;
    socket.addEventListener("open", () => this.greet());
    socket.addEventListener("message", (event) => this.read(event.data));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
  }

  /** Someone looks at the page again: no time to lose. */
  hurry() {
    const state = this.socket?.readyState;
    if (this.ended || state === WebSocket.CONNECTING) return;
    if (!this.open) this.connect();
    else if (state === WebSocket.OPEN) this.probe();
    else this.lost();
  }

  /** Asks for something small; a connection that gives no answer is as good as lost. */
  probe() {
    const { socket } = this;
    const timer = setTimeout(() => socket === this.socket && this.lost(), ALIVE_MS);
    this.ask("list", { limit: 1 }).catch(() => undefined).finally(() => clearTimeout(timer));
  }

  /** Something was asked to which the server answers at once: a network that is frozen takes it, and says nothing. */
  expect() {
    const { socket } = this;
    clearTimeout(this.due);
    if (this.heard) this.since = performance.now();
    this.heard = false;
    this.due = setTimeout(() => socket === this.socket && !this.heard && this.lost(), this.since + ALIVE_MS - performance.now());
  }

  /** Ends this session and begins another, under the name that the hooks tell. */
  renew() {
    this.session = null;
    this.store(null);
    this.tries = 0;
    this.drop();
    this.connect();
  }

  /** @param {{token: string, name: string} | null} session */
  store(session) {
    if (this.keeps) write(KEPT, session && JSON.stringify(session), this.keeps === "tab");
  }

  /** Comes in as an organiser, or with an empty secret as one no longer. @param {string} secret */
  direct(secret) {
    this.organiser = secret;
    this.directs = false;
    write(SECRET, null, true);
    this.tries = 0;
    this.drop();
    this.connect();
  }

  /**
   * Asks for something.
   * @template {Protocol.ClientMessage["type"]} T
   * @param {T} type
   * @param {App.Fields<T>} [fields]
   * @returns {Promise<Protocol.Ok>} rejects with Refused, or with an Error if the connection ends before
   */
  ask(type, fields = /** @type {App.Fields<T>} */ ({})) {
    if (!this.open) return Promise.reject(new Error("offline"));
    if ("match" in fields) this.expect();
    return this.send(type, fields);
  }

  /**
   * @template {Protocol.ClientMessage["type"]} T
   * @param {T} type
   * @param {App.Fields<T>} fields
   * @returns {Promise<Protocol.Ok>}
   */
  send(type, fields) {
    const id = ++this.number;
    this.socket?.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => void this.waiting.set(id, { resolve, reject }));
  }

  /** Who connects, and what they want to be told. @returns {Pick<App.Fields<"hello">, "client" | "kind" | "boards">} */
  who() {
    return { client: "arbitre-page", kind: "human", boards: true };
  }

  async greet() {
    if (!this.socket) return;
    /** @type {App.Fields<"hello">} */
    const hello = {
      protocol: PROTOCOL, ...this.who(), name: this.session?.name ?? this.hooks.name(), batch: true,
      token: this.session?.token, password: this.password || undefined, organiser: this.organiser || undefined,
      seen: this.session ? this.hooks.seen() : undefined,
    };
    try {
      await this.send("hello", hello);
      this.tries = 0;
      this.hooks.changed("open", 0);
    } catch (error) {
      await this.refused(error);
    }
  }

  /** @param {unknown} error */
  async refused(error) {
    if (!(error instanceof Refused)) return;
    if (error.code === "bad_token") {
      this.session = null;
      this.store(null);
      await this.greet();
    } else if (error.code === "name_taken" || error.code === "bad_name") {
      this.session = null;
      this.hooks.told({ type: "name_refused", code: error.code });
      await this.greet();
    } else if (error.data.field === "organiser") {
      this.direct("");
      this.hooks.told({ type: "organiser_refused" });
    } else if (error.code === "password_required" || error.code === "wrong_password" || error.code === "bad_password") {
      this.ended = "password";
      this.hooks.changed("password", 0);
    }
  }

  /** @param {string} frame */
  read(frame) {
    this.heard = true;
    const at = performance.now();
    const told = JSON.parse(frame);
    (this.hooks.after ?? ((run) => run()))(() => {
      this.at = at;
      for (const message of Array.isArray(told) ? told : [told]) this.take(message);
    });
  }

  /** What goes wrong with a message ends with it: others of its frame are heard. @param {Protocol.ServerMessage} message */
  take(message) {
    try {
      this.hear(message);
    } catch (error) {
      reportError(error);
    }
  }

  /** @param {Protocol.ServerMessage} message */
  hear(message) {
    if (message.type === "ok" || (message.type === "error" && message.id !== undefined)) {
      const id = /** @type {number} */ (message.id);
      const asked = this.waiting.get(id);
      this.waiting.delete(id);
      if (message.type === "ok") asked?.resolve(message);
      else asked?.reject(new Refused(message));
      return;
    }
    if (message.type === "welcome") {
      this.welcome = message;
      this.open = true; // already: what the same frame tells may have to be answered
      this.session = { token: message.token, name: message.name };
      this.store(this.session);
      this.directs = this.organiser !== "";
      if (this.directs) write(SECRET, this.organiser, true);
    }
    if (message.type === "error" && message.code === "session_replaced") this.ended = "replaced";
    this.hooks.told(message);
  }

  lost() {
    const { ended } = this;
    this.drop();
    if (ended) {
      if (ended === "replaced") this.hooks.changed("replaced", 0);
      return;
    }
    const wait = Math.min(SOON_MS * 2 ** this.tries, LATE_MS) * (0.75 + Math.random() / 2);
    this.tries = Math.min(this.tries + 1, 10);
    this.hooks.changed("lost", wait);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  /** It is not needed any more. */
  close() {
    this.life.abort();
    clearTimeout(this.timer);
    this.drop();
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    this.open = false;
    this.heard = true;
    clearTimeout(this.due);
    socket?.close();
    for (const asked of this.waiting.values()) asked.reject(new Error("lost"));
    this.waiting.clear();
  }
}

/** What is kept of the session; null where nothing is. @param {"browser" | "tab"} where */
function load(where) {
  try {
    return JSON.parse(read(KEPT, where === "tab") ?? "null");
  } catch {
    return null;
  }
}
