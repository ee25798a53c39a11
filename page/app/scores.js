/** A league's table, its crosstable, and its ratings with their errors as a drawing. */

import { h, s, wide } from "./dom.js";

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {number} rank
 * @property {number} points
 * @property {number} played
 * @property {number | null} [rating]
 * @property {number | null} [error]
 * @property {(number | null)[]} [against]
 * @property {number | null} [buchholz]
 */
/** @typedef {(key: string, values?: Record<string, any>) => string} Says */
/** @typedef {(name: string) => string} Shown what somebody is called on this page */

const LEFT = 170;
const WIDTH = 640;
const LINE = 28;
const LONGEST = 20;

/** @param {number} points @param {string} language */
export const pointsText = (points, language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(points);

/** Who won a game, as tables write it. @param {{winner: 1 | 2 | null}} game */
export const scoreText = (game) => (game.winner === 1 ? "1–0" : game.winner === 2 ? "0–1" : "½–½");

/** @param {Row} row @param {string} language */
export function ratingText(row, language) {
  if (row.rating === null || row.rating === undefined) return "–";
  const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: false });
  const error = row.error === null || row.error === undefined ? "" : ` ±\u00a0${whole.format(row.error)}`;
  return `${whole.format(row.rating)}${error}`;
}

/**
 * The table, the first first; below it what has put those in order who are level on points.
 * @param {(Row | null)[]} rows null where some are left out
 * @param {"buchholz" | "direct" | null | undefined} ties @param {Says} t @param {string} language @param {Shown} shown
 * @param {string} [mine] the reader's name in it
 */
export function table(rows, ties, t, language, shown, mine) {
  const buchholz = ties === "buchholz";
  const head = ["#", t("botName"), t("points"), ...(buchholz ? [t("buchholz")] : []), t("gamesCount"), t("rating")];
  return h(`table.scores${buchholz ? ".swiss" : ""}`, ties ? h("caption", t(`ties_${ties}`)) : null,
    h("thead", h("tr", ...head.map((text, n) => h("th", { scope: "col", class: n === 1 ? "left" : false }, text)))),
    h("tbody", ...rows.map((row) => !row ? h("tr.faint", h("td.left", { colspan: head.length }, "…")) : h("tr", { "data-name": shown(row.name), "aria-current": row.name === mine },
      h("td", row.rank), h("th", { scope: "row", class: "left" }, shown(row.name)),
      h("td.points", pointsText(row.points, language)),
      buchholz ? h("td", pointsText(row.buchholz ?? 0, language)) : null, h("td", row.played), h("td.nowrap", ratingText(row, language))))));
}

/**
 * What each made against each; null where the league is too large for it.
 * @param {Row[]} rows @param {Says} t @param {string} language @param {Shown} shown
 */
export function crosstable(rows, t, language, shown) {
  if (rows.length < 2 || rows.some((row) => (row.against ?? []).length !== rows.length)) return null;
  const cell = (/** @type {Row} */ row, /** @type {number} */ n) => {
    const other = rows[n];
    if (other === row) return h("td.self", "·");
    const made = row.against?.[n] ?? null;
    const title = t("against", { name: shown(row.name), other: shown(other.name) });
    return h("td", { title }, made === null ? "" : pointsText(made, language));
  };
  return wide(t("crosstable"),
    h("table.scores.cross",
      h("thead", h("tr", h("th", { scope: "col" }, "#"), h("th", { scope: "col", class: "left" }, t("botName")),
        ...rows.map((row) => h("th", { scope: "col", title: shown(row.name) }, String(row.rank))))),
      h("tbody", ...rows.map((row) => h("tr", h("td", row.rank), h("th", { scope: "row", class: "left" }, shown(row.name)),
        ...rows.map((_, n) => cell(row, n)))))));
}

/**
 * Each rating as a dot on its interval, one below the other; null without ratings.
 * @param {Row[]} all @param {Says} t @param {Shown} shown
 */
export function plot(all, t, shown) {
  const rows = all.flatMap(({ name, rating, error }) => (typeof rating === "number" ? [{ name, rating, error: error ?? 0 }] : []));
  if (rows.length < 2) return null;
  rows.sort((one, two) => two.rating - one.rating);
  const [least, most] = [Math.min(...rows.map((row) => row.rating - row.error)), Math.max(...rows.map((row) => row.rating + row.error))];
  const step = [10, 20, 50, 100, 200, 500, 1000].find((size) => (most - least) / size <= 7) ?? Math.ceil((most - least) / 7);
  const [low, high] = [step * Math.floor(least / step), step * Math.ceil(most / step) || step];
  const x = (/** @type {number} */ rating) => (LEFT + ((rating - low) / Math.max(1, high - low)) * (WIDTH - LEFT - 24)).toFixed(1);
  const height = LINE * rows.length + 28;
  const parts = [];
  for (let mark = low; mark <= high; mark += step) {
    parts.push(s("line.mesh", { x1: x(mark), x2: x(mark), y1: 4, y2: height - 22 }));
    parts.push(s("text.axis", { x: x(mark), y: height - 6 }, String(mark)));
  }
  rows.forEach((row, n) => {
    const y = LINE * n + 18;
    const name = shown(row.name);
    parts.push(s("text.who-is", { x: LEFT - 12, y: y + 5 }, name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name));
    parts.push(s("line.interval", { x1: x(row.rating - row.error), x2: x(row.rating + row.error), y1: y, y2: y }));
    parts.push(s("circle.dot", { cx: x(row.rating), cy: y, r: 5 }));
  });
  return s("svg.plot", { viewBox: `0 0 ${WIDTH} ${height}`, role: "img", "aria-label": t("ratingPlot") }, ...parts);
}

/**
 * Hides names, if that is wanted: each becomes a number, the same one whoever stands where.
 * @param {string[]} names @param {Says} t
 * @returns {Shown}
 */
export function hidden(names, t) {
  const order = [...new Set(names)].sort((one, two) => mixed(one) - mixed(two));
  return (name) => t("someBot", { number: order.includes(name) ? order.indexOf(name) + 1 : "?" });
}

/** A number that follows from a name, and says nothing of its place in the alphabet. @param {string} name */
function mixed(name) {
  let sum = 7;
  for (const letter of name) sum = (Math.imul(sum, 31) + /** @type {number} */ (letter.codePointAt(0))) >>> 0;
  return Math.imul(sum, 2654435761) >>> 0;
}
