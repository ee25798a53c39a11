/**
 * My mistakes as exercises, kept in this browser: each is asked again, sooner where it was not found, later and later
 * where it was. Pure but for the two functions that read and write.
 */

import { read, write } from "../kept.js";

/** @typedef {import("./finding.js").Puzzle & {box: number, due: number}} Exercise due: in milliseconds since 1970 */

const KEY = "arbitre.exercises";
const MOST = 200;
const MOST_MOVES = 512;
const MOST_TEXT = 64;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** After so many right answers in a row it is asked again so many days later. */
const DAYS = [0, 1, 3, 7, 21, 60];
const AGAIN_MS = 10 * MINUTE;

/** @returns {Exercise[]} what is kept and makes sense */
export function load() {
  try {
    const kept = JSON.parse(read(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isExercise).slice(-MOST) : [];
  } catch {
    return [];
  }
}

/** @param {Exercise[]} exercises */
export function save(exercises) {
  write(KEY, exercises.length ? JSON.stringify(exercises) : null);
}

/** @param {any} value @returns {value is Exercise} */
function isExercise(value) {
  const words = (/** @type {any} */ list) => Array.isArray(list) && list.length <= MOST_MOVES && list.every(isWord);
  return isText(value?.game) && isWord(value.played) && words(value.moves) && words(value.best) && value.best.length > 0
    && words(value.line) && Number.isInteger(value.box) && value.box >= 0 && value.box < DAYS.length && Number.isFinite(value.due);
}

const isText = (/** @type {unknown} */ text) => typeof text === "string" && text.length > 0 && text.length <= MOST_TEXT;
const isWord = (/** @type {unknown} */ word) => typeof word === "string" && /^[A-Za-z0-9]{1,16}$/.test(word);

/** @param {import("./finding.js").Puzzle} puzzle */
const keyOf = (puzzle) => `${puzzle.game} ${puzzle.moves.join(" ")}`;

/**
 * The exercises with some more; what is there already stays as it is. The oldest of those known best make room.
 * @param {Exercise[]} exercises
 * @param {import("./finding.js").Puzzle[]} puzzles
 * @param {number} now
 */
export function added(exercises, puzzles, now) {
  const known = new Set(exercises.map(keyOf));
  const fresh = puzzles.filter((puzzle) => !known.has(keyOf(puzzle))).map((puzzle) => ({ ...puzzle, box: 0, due: now }));
  const all = [...exercises, ...fresh];
  while (all.length > MOST) {
    const highest = Math.max(...all.map((one) => one.box));
    all.splice(all.findIndex((one) => one.box === highest), 1);
  }
  return all;
}

/**
 * The exercises after an answer to one of them.
 * @param {Exercise[]} exercises
 * @param {import("./finding.js").Puzzle} puzzle
 * @param {boolean} right
 * @param {number} now
 */
export function answered(exercises, puzzle, right, now) {
  return exercises.map((one) => {
    if (keyOf(one) !== keyOf(puzzle)) return one;
    const box = right ? Math.min(one.box + 1, DAYS.length - 1) : 0;
    return { ...one, box, due: now + (right ? DAYS[box] * DAY : AGAIN_MS) };
  });
}

/** Those that are to be asked now, the longest due first. @param {Exercise[]} exercises @param {number} now */
export function due(exercises, now) {
  return exercises.filter((one) => one.due <= now).sort((one, other) => one.due - other.due);
}
