/**
 * The drafts of one person, kept in this browser: pupils who share a computer don't see those of others. Whoever keeps
 * them elsewhere too, in a class, does so behind `load` and `save`: each draft has the moment of its last change, so the
 * newer of two can win.
 */

import { read, write } from "../kept.js";

/** Where this browser keeps them. */
const KEPT = "arbitre.studio.drafts";
/** The longest draft, in characters, and how many there are at most: a browser keeps some 5 MB for a site. */
export const LONGEST = 100_000;
const MOST = 20;

/**
 * @typedef {object} Draft
 * @property {string} name
 * @property {string} text
 * @property {string} game
 * @property {number} changed
 * @property {string} [shared] the `mark` of the text that the class had of it last, if there is a class
 */

export class Drafts {
  /** @param {string} owner whose they are, "" outside a class */
  constructor(owner) {
    this.owner = owner;
    /** Other tabs of the browser hear when what is kept under this name changes. */
    this.key = owner ? `${KEPT}.${owner}` : KEPT;
  }

  /** All drafts, the last changed first. @returns {Draft[]} */
  load() {
    return parsed(read(this.key));
  }

  /** Keeps a draft, in the place of the one of that name; the oldest gives way. @param {Draft} draft @returns {Draft[]} */
  save(draft) {
    const drafts = [draft, ...this.load().filter((other) => other.name !== draft.name)].slice(0, MOST);
    const text = JSON.stringify(drafts);
    write(this.key, text);
    while (read(this.key) !== text && dropOldest(this.key)) write(this.key, text);
    return drafts;
  }

  /** Forgets a draft. @param {string} name @returns {Draft[]} */
  forget(name) {
    const drafts = this.load().filter((draft) => draft.name !== name);
    write(this.key, drafts.length ? JSON.stringify(drafts) : null);
    return drafts;
  }
}

/** What tells a text from others, in a few characters. @param {string} text */
export function mark(text) {
  let [one, other] = [0x811c9dc5, 5381];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 16777619) >>> 0;
    other = (Math.imul(other, 33) + text.charCodeAt(at)) >>> 0;
  }
  return `${text.length}.${one.toString(36)}.${other.toString(36)}`;
}

/** The browser is full: the drafts of who has written nothing for longest give way, but those under a key. @param {string} but @returns {boolean} whether there were any */
function dropOldest(but) {
  const others = keys().filter((key) => key.startsWith(`${KEPT}.`) && key !== but);
  const [oldest] = others.sort((one, other) => lastChange(one) - lastChange(other));
  if (oldest !== undefined) write(oldest, null);
  return oldest !== undefined;
}

/** @returns {string[]} */
function keys() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}

/** @param {string} key */
const lastChange = (key) => parsed(read(key))[0]?.changed ?? 0;

/** @param {string | null} kept @returns {Draft[]} */
function parsed(kept) {
  try {
    const found = JSON.parse(kept ?? "[]");
    return Array.isArray(found) ? found.filter(isDraft).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** @param {any} draft @returns {draft is Draft} */
function isDraft(draft) {
  const { name, text, game, changed } = draft ?? {};
  return typeof name === "string" && typeof text === "string" && text.length <= LONGEST && typeof game === "string" && typeof changed === "number";
}
