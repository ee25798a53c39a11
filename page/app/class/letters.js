/** The way to the process that runs a class: letters, which the server carries unread (school/messages.py). */

/** Characters of a part, and how many parts a text has at most: more than any that the class takes or sends. */
const PART = 16_000;
const MOST_PARTS = 64;
/** How often a letter is tried again that was too many at once, and how long that may take at least. */
const TRIES = 20;
const WAIT_MS = 300;

/** @typedef {import("../main.js").Page} Page */

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => void setTimeout(resolve, ms));

export class Way {
  /** @param {Page} page @param {string} code of the class @param {(letter: School.ClassLetter) => void} ear */
  constructor(page, code, ear) {
    this.page = page;
    this.code = code;
    this.ear = ear;
    /** One text in parts after the other: those of two would mix. */
    this.line = Promise.resolve();
  }

  /** What the class tells, of all that the server says. @param {App.Told} message */
  hear(message) {
    if (message.type === "told" && message.code === this.code) this.ear(JSON.parse(message.text));
  }

  /**
   * Writes to the class; rejects as `page.ask` does.
   * @param {School.PupilLetter | School.DeskLetter} letter
   */
  async write(letter) {
    const text = JSON.stringify(letter);
    for (let left = TRIES; ; left--) {
      try {
        await this.page.ask("write", { code: this.code, text });
        return;
      } catch (/** @type {any} */ error) {
        if (error.code !== "rate_limited" || !left) throw error;
        await pause(Math.max(WAIT_MS, error.wait ?? 0));
      }
    }
  }

  /**
   * Writes a long text, in parts.
   * @param {any} letter its fields beside the text and the parts
   * @param {string} text
   * @param {(share: number) => void} [progress] from 0 to 1
   * @returns {Promise<void>}
   */
  writeParts(letter, text, progress = () => undefined) {
    const all = partsOf(text);
    const run = async () => {
      for (const [part, piece] of all.entries()) {
        progress(part / all.length);
        await this.write({ ...letter, part, parts: all.length, text: piece });
      }
      progress(1);
    };
    const done = this.line.then(run);
    this.line = done.catch(() => undefined);
    return done;
  }
}

/** A text in parts that fit into letters; at least one. @param {string} text @returns {string[]} */
export function partsOf(text) {
  const signs = [...text];
  const count = Math.max(1, Math.ceil(signs.length / PART));
  return Array.from({ length: count }, (_, n) => signs.slice(n * PART, (n + 1) * PART).join(""));
}

/** Puts the parts of a text together again. */
export class Joined {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
  }

  /** The whole text with its last part; null before. @param {{part?: number, parts?: number, text?: string}} piece @returns {string | null} */
  take({ part = 0, parts = 0, text = "" }) {
    if (part === 0) this.parts = [];
    if (part === this.parts.length && part < MOST_PARTS) this.parts.push(text);
    return parts > 0 && this.parts.length === parts ? this.parts.join("") : null;
  }
}
