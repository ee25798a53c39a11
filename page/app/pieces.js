/** What stands on the cells of a board: every drawing of one, large, small or in a file, shows the same. */

import { h, s } from "./dom.js";

/** @typedef {import("./match.js").Board} Board */

/** The side of a cell. */
export const UNIT = 60;
export const MIDDLE = UNIT / 2;
const RADIUS = UNIT * 0.4;
export const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/**
 * A sign, or a disc with what is written on it, in a cell that begins at 0, 0.
 * @param {Games.Game} about
 * @param {string} holds "X" for the first seat's
 */
export function piece(about, holds) {
  const special = about.pieces[holds];
  if (!special) return usual(about, holds === "X");
  const seat = about.signs ? 0 : special.seat;
  const letter = written(special.glyph);
  if (seat) letter.style.fill = about.colours[3 - seat];
  return seat ? [round(`disc ${seat === 1 ? "one" : "two"}`, RADIUS), letter] : [letter];
}

/** What stands in the middle of a cell: one character, or smaller ones beside each other. @param {string} text */
function written(text) {
  const { length } = [...text];
  const letter = s("text.letter", { x: MIDDLE, y: MIDDLE + 13 - 2.5 * (length - 1) }, text);
  if (length > 1) letter.style.fontSize = `${[30, 22][length - 2] ?? 18}px`;
  return letter;
}

/** What each seat has, in a game that counts: shown wherever a board is. @param {Games.Game | undefined} about @param {Pick<Board, "score"> | undefined} board @returns {[string, string]} */
export function scoresOf(about, board) {
  return about?.counts && board ? [String(board.score[0]), String(board.score[1])] : ["", ""];
}

/** The sign or the disc of a seat. @param {Games.Game | undefined} about @param {number} seat */
export function mark(about, seat) {
  const found = h("span", { class: `mark seat${seat}`, "aria-hidden": "true" }, about?.signs ? about.signs[seat - 1] : "");
  if (about && !about.signs) found.style.setProperty("--disc", about.colours[seat]);
  return found;
}

/** What a cell holds, in words. @param {Games.Game} about @param {string} holds @param {App.Speaker} t */
export function heldBy(about, holds, t) {
  if (holds === "-") return t("empty");
  const special = about.pieces[holds];
  const seat = special ? special.seat : holds === "X" ? 1 : 2;
  const name = special?.name[/** @type {App.Language} */ (t("inLanguage"))];
  return [name, seat && t(`piece${seat}`)].filter(Boolean).join(", ");
}

/**
 * What a button calls a move that its cells don't tell from others: by the part of it that names no cell.
 * @param {Games.Game} about @param {string} move @param {string[]} squares the names of its cells @param {App.Speaker} t
 */
export function moveName(about, move, squares, t) {
  const rest = squares.reduce((text, square) => text.replace(square, ""), move);
  return about.names[rest]?.[/** @type {App.Language} */ (t("inLanguage"))] ?? move;
}

/** @param {Games.Game} about @param {boolean} isFirst */
function usual(about, isFirst) {
  const sign = about.signs[isFirst ? 0 : 1];
  if (sign === "X") return [s("path.sign", { d: "M16 16l28 28m0-28l-28 28" })];
  if (sign === "O") return [s("circle.sign", { cx: MIDDLE, cy: MIDDLE, r: 15 })];
  if (sign) return [s("text.letter", { x: MIDDLE, y: MIDDLE + 14 }, sign)];
  // Colour alone tells nothing to some: the second seat has a ring, too.
  return isFirst ? [round("disc one", RADIUS)] : [round("disc two", RADIUS), round("ring", UNIT * 0.24)];
}

/** The hole of a cell; null for games without. @param {Games.Game} about */
export function hole(about) {
  return about.colours[3] === "transparent" ? null : round("hole", RADIUS);
}

/** @param {string} kind @param {number} r */
export function round(kind, r) {
  return s("circle", { class: kind, cx: MIDDLE, cy: MIDDLE, r });
}

/** Tells a style sheet the colours of a game. @param {SVGElement} element @param {Games.Game} about */
export function colour(element, about) {
  ["--cell", "--first", "--second", "--hole", "", "--sign"].forEach((name, n) => name && element.style.setProperty(name, about.colours[n]));
}

/**
 * The ground of a board, chequered if its game wants it so.
 * @param {Games.Game} about @param {number} width @param {number} height @param {(x: number, y: number) => [number, number]} [spot]
 */
export function ground(about, width, height, spot = (x, y) => [x, y]) {
  const whole = s("rect.ground", { width: width * UNIT, height: height * UNIT });
  const fill = about.colours[4];
  if (!fill) return [whole];
  const cells = Array.from({ length: width * height }, (_, n) => [n % width, Math.floor(n / width)]).filter(([x, y]) => (x + y) % 2);
  const corners = cells.map(([x, y]) => spot(x, y)).map(([x, y]) => `M${x * UNIT} ${y * UNIT}h${UNIT}v${UNIT}h-${UNIT}z`);
  return [whole, s("path", { d: corners.join(""), fill })];
}

/** Moves what begins at 0, 0 to a cell. @param {number} x @param {number} y */
export const place = (x, y) => `translate(${x * UNIT} ${y * UNIT})`;

/** What a column is called in a game. @param {Games.Game} about @param {number} x */
export const columnName = (about, x) => (about.labels === "columns" ? String(x + 1) : LETTERS[x]);

/** What a row is called. @param {Games.Game} about @param {number} y @param {number} height of the board */
export const rowName = (about, y, height) => String(about.labels === "cells" ? y + 1 : height - y);

/**
 * The names of columns, and of rows where they have any, at their places.
 * @param {Games.Game} about
 * @param {number} width
 * @param {number} height
 * @param {(x: number, y: number) => [number, number]} spot where a cell stands
 */
export function labels(about, width, height, spot) {
  const byColumns = about.labels === "columns";
  const label = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string} */ text) =>
    s("text.label", { x, y, "aria-hidden": "true" }, text);
  const columns = Array.from({ length: width }, (_, x) =>
    label(spot(x, 0)[0] * UNIT + MIDDLE, byColumns ? -7 : height * UNIT + 18, columnName(about, x)));
  const rows = Array.from({ length: byColumns ? 0 : height }, (_, y) => label(-12, spot(0, y)[1] * UNIT + MIDDLE + 5, rowName(about, y, height)));
  return [...columns, ...rows];
}
