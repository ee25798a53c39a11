/** Interpreters in workers: one for each match, ended when it hangs, and a warm one in reserve. */

const SCRIPT = "/app/studio/worker.js";
/** What a file may take to load; then what it has defined is used, or it is ended. */
const LOAD_S = 5;
/** How much longer than its time a file may take to say where it was. */
const GRACE_MS = 2000;
const START_MS = 120_000;

/** @typedef {{ text: string, line: number, cell: number, kind: "error" | "note" }} Mark */
/** @typedef {{ ready?: boolean, function?: string, plays?: Record<string, Record<string, number>>, late?: string, marks: Mark[] }} Opened */
/** @typedef {{ move?: string, fault?: "crash" | "illegal" | "timeout", marks: Mark[] }} Answer */
/** @typedef {{ base: string, sources: string }} Runtime */
/** @typedef {{ name: string, text: string, beside: Record<string, string>, language: string }} File a file, and those that it may import */

/** What a file did when its worker had to be ended. */
export class Hung extends Error {}

/** One worker. It ends with its match, or when it hangs; `said` is told what the file prints. */
export class Interpreter {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    /** @type {(text: string) => void} */
    this.said = () => undefined;
    this.isOver = false;
    this.number = 0;
    this.late = "";
    /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.worker = new Worker(SCRIPT, { type: "module" });
    this.worker.addEventListener("message", ({ data }) => this.hear(data));
    this.worker.addEventListener("error", () => this.end(new Error("worker")));
    /** When it has started: whether that was quick, from a snapshot. @type {Promise<boolean>} */
    this.ready = this.do("start", runtime, START_MS);
    this.ready.catch(() => this.end());
  }

  /** @param {any} data */
  hear(data) {
    if (data.kind === "print") {
      this.said(String(data.text));
      return;
    }
    const asked = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (data.kind === "answer") asked?.resolve(data.answer);
    else asked?.reject(new Error(data.error));
  }

  /**
   * @param {string} deed
   * @param {object} fields
   * @param {number} limitMs after which the worker is ended
   * @returns {Promise<any>}
   */
  do(deed, fields, limitMs) {
    if (this.isOver) return Promise.reject(new Error("over"));
    const id = ++this.number;
    this.worker.postMessage({ id, deed, fields });
    const timer = setTimeout(() => this.end(new Hung()), limitMs);
    return new Promise((resolve, reject) => void this.waiting.set(id, { resolve, reject })).finally(() => clearTimeout(timer));
  }

  /** Loads a file. @param {File} file @returns {Promise<Opened>} */
  async open(file) {
    await this.ready;
    const opened = await this.do("open", { ...file, choice: "", load_s: LOAD_S }, LOAD_S * 1000 * 2 + GRACE_MS);
    this.late = opened.late ?? "";
    return opened;
  }

  /**
   * Asks for a move.
   * @param {{ game: string, moves: string[], seed: string, move_s: number, clock: Record<string, number | null> }} question
   * @returns {Promise<Answer>}
   */
  async ask(question) {
    const left = question.clock.remaining_ms ?? question.move_s * 1000;
    try {
      return await this.do("ask", question, left + GRACE_MS);
    } catch (error) {
      if (!(error instanceof Hung)) throw error;
      return { fault: "timeout", marks: [{ text: this.late, line: 0, cell: 0, kind: "error" }] };
    }
  }

  /** @param {Error} [error] what those who wait are told */
  end(error = new Error("over")) {
    this.isOver = true;
    this.worker.terminate();
    for (const asked of this.waiting.values()) asked.reject(error);
    this.waiting.clear();
  }
}

/** Gives an interpreter to each match, and holds a warm one ready. */
export class Pool {
  /** @param {Runtime} runtime */
  constructor(runtime) {
    this.runtime = runtime;
    /** @type {Interpreter | null} */
    this.spare = null;
  }

  /** Starts the spare, unless it is there. */
  warm() {
    if (!this.spare || this.spare.isOver) this.spare = new Interpreter(this.runtime);
    return this.spare;
  }

  /** An interpreter that nobody has used; call `warm` when it has begun its work. */
  take() {
    const taken = this.warm();
    this.spare = null;
    return taken;
  }

  close() {
    this.spare?.end();
    this.spare = null;
  }
}
