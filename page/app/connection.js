/**
 * The way to the server: one WebSocket that comes back by itself, with the session's secret kept in the browser.
 * Each request gets one answer; what the server tells beside goes to `told`.
 */

const PROTOCOL = 1;
const KEPT = "arbitre.session";
const SOON_MS = 250;
const LATE_MS = 5000;

/** What was refused: `code` is stable, `data` helps. */
export class Refused extends Error {
  /** @param {any} error */
  constructor(error) {
    super(error.message);
    this.code = error.code;
    this.data = error.data ?? {};
    this.retryAfter = error.retry_after_ms ?? 0;
  }
}

export class Connection {
  /**
   * @param {object} hooks
   * @param {(message: any) => void} hooks.told what the server says that is no answer
   * @param {(state: "open" | "lost" | "replaced" | "password", waitMs: number) => void} hooks.changed
   * @param {() => string} hooks.name how the reader is called, if the session is a new one
   * @param {() => Record<string, number>} hooks.seen the last event of each match that is known
   */
  constructor(hooks) {
    this.hooks = hooks;
    this.session = load();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.welcome = /** @type {any} */ (null);
    this.password = "";
    this.tries = 0;
    this.number = 0;
    this.open = false;
    this.ended = false;
    /** @type {Map<number, {resolve: (ok: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    for (const event of ["online", "pageshow"]) window.addEventListener(event, () => this.hurry());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.hurry());
  }

  /** Connects now, unless it is. */
  connect() {
    clearTimeout(this.timer);
    this.ended = false;
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}/`, "arbitre.v1");
    this.socket = socket;
    socket.addEventListener("open", () => this.greet());
    socket.addEventListener("message", (event) => this.read(event.data));
    socket.addEventListener("close", () => socket === this.socket && this.lost());
  }

  /** Someone looks at the page again: no time to lose. */
  hurry() {
    if (!this.open && !this.ended && this.socket?.readyState !== WebSocket.CONNECTING) this.connect();
  }

  /** Ends this session and begins another, under the name that the hooks tell. */
  renew() {
    this.session = null;
    store(null);
    this.tries = 0;
    this.drop();
    this.connect();
  }

  /**
   * Asks for something.
   * @param {string} type
   * @param {Record<string, any>} [fields]
   * @returns {Promise<any>} the `ok`; rejects with Refused, or with an Error if the connection ends before
   */
  ask(type, fields = {}) {
    if (!this.open) return Promise.reject(new Error("offline"));
    return this.send(type, fields);
  }

  /** @param {string} type @param {Record<string, any>} fields @returns {Promise<any>} */
  send(type, fields) {
    const id = ++this.number;
    this.socket?.send(JSON.stringify({ type, id, ...fields }));
    return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }));
  }

  async greet() {
    const hello = {
      protocol: PROTOCOL, client: "arbitre-page", kind: "human", name: this.session?.name ?? this.hooks.name(),
      batch: true, boards: true, token: this.session?.token, password: this.password || undefined,
      seen: this.session ? this.hooks.seen() : undefined,
    };
    try {
      await this.send("hello", hello);
      this.open = true;
      this.tries = 0;
      this.hooks.changed("open", 0);
    } catch (error) {
      await this.refused(error);
    }
  }

  /** @param {any} error */
  async refused(error) {
    if (!(error instanceof Refused)) return;
    if (error.code === "bad_token") {
      this.session = null;
      store(null);
      await this.greet();
    } else if (error.code === "name_taken" || error.code === "bad_name") {
      this.session = null;
      this.hooks.told({ type: "name_refused", code: error.code });
      await this.greet();
    } else if (error.code === "password_required" || error.code === "wrong_password" || error.code === "bad_password") {
      this.ended = true;
      this.hooks.changed("password", 0);
    }
  }

  /** @param {string} frame */
  read(frame) {
    const told = JSON.parse(frame);
    for (const message of Array.isArray(told) ? told : [told]) this.hear(message);
  }

  /** @param {any} message */
  hear(message) {
    if (message.type === "ok" || (message.type === "error" && message.id !== undefined)) {
      const asked = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.type === "ok") asked?.resolve(message);
      else asked?.reject(new Refused(message));
      return;
    }
    if (message.type === "welcome") {
      this.welcome = message;
      this.session = { token: message.token, name: message.name };
      store(this.session);
    }
    if (message.type === "error" && message.code === "session_replaced") this.ended = true;
    this.hooks.told(message);
  }

  lost() {
    const wasReplaced = this.ended;
    this.drop();
    if (wasReplaced) {
      this.hooks.changed("replaced", 0);
      return;
    }
    const wait = Math.min(SOON_MS * 2 ** this.tries, LATE_MS) * (0.75 + Math.random() / 2);
    this.tries = Math.min(this.tries + 1, 10);
    this.hooks.changed("lost", wait);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), wait);
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    this.open = false;
    socket?.close();
    for (const asked of this.waiting.values()) asked.reject(new Error("lost"));
    this.waiting.clear();
  }
}

/** What the browser keeps of the session; null where it keeps nothing. */
function load() {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "null");
  } catch {
    return null;
  }
}

/** @param {{token: string, name: string} | null} session */
function store(session) {
  try {
    if (session) localStorage.setItem(KEPT, JSON.stringify(session));
    else localStorage.removeItem(KEPT);
  } catch {
    // a browser that keeps nothing: the session lives as long as the tab
  }
}
