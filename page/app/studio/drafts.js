/**
 * The pupil's drafts, kept in this browser. Whoever keeps them elsewhere too, in a class, does so behind `load` and
 * `save`: each draft has the moment of its last change, so the newer of two can win.
 */

import { read, write } from "../kept.js";

/** Where this browser keeps them; other tabs of it hear when that changes. */
export const KEPT = "arbitre.studio.drafts";
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

/** All drafts, the last changed first. @returns {Draft[]} */
export function load() {
  try {
    const found = JSON.parse(read(KEPT) ?? "[]");
    return Array.isArray(found) ? found.filter(isDraft).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Keeps a draft, in the place of the one of that name; the oldest gives way. @param {Draft} draft @returns {Draft[]} */
export function save(draft) {
  const others = load().filter((other) => other.name !== draft.name);
  const drafts = [draft, ...others].slice(0, MOST);
  write(KEPT, JSON.stringify(drafts));
  return drafts;
}

/** Forgets a draft. @param {string} name @returns {Draft[]} */
export function forget(name) {
  const drafts = load().filter((draft) => draft.name !== name);
  write(KEPT, drafts.length ? JSON.stringify(drafts) : null);
  return drafts;
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

/** @param {any} draft @returns {draft is Draft} */
function isDraft(draft) {
  const { name, text, game, changed } = draft ?? {};
  return typeof name === "string" && typeof text === "string" && text.length <= LONGEST && typeof game === "string" && typeof changed === "number";
}
