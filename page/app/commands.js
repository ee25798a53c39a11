/**
 * What can be asked in the field for moves, in words: for those who hear the page rather than see it. Pure.
 * A text that is a legal move is a move; commands are one letter, some with what they are about.
 */

import { clockText } from "./clocks.js";
import { columnName, heldBy, LETTERS, rowName } from "./pieces.js";

/** @typedef {(key: string, values?: Record<string, any>) => string} Speaker */

/**
 * @typedef {object} Scene what commands tell of
 * @property {import("./match.js").Board | undefined} board
 * @property {string[]} moves
 * @property {string[]} names of both seats
 * @property {number[] | null} clocks what each seat has left
 * @property {string} status
 * @property {any} about what the game says of itself
 * @property {"en" | "fr"} language
 */

/** @type {Record<string, (scene: Scene, t: Speaker, rest: string) => string>} */
const COMMANDS = {
  "?": (_scene, t) => t("commandsHelp"),
  c: ({ clocks, names, language }, t) =>
    clocks ? names.map((name, seat) => t("clockSaid", { name, time: clockText(clocks[seat], language) })).join(" ") : t("noClockSaid"),
  l: ({ moves }, t) => (moves.length ? t("lastSaid", { ply: moves.length, move: moves[moves.length - 1] }) : t("noMoveYet")),
  s: ({ status }) => status,
  b: ({ board, about }, t) => (board ? board.rows.map((_, y) => rowText(board, about, y, t)).join(" ") : t("loading")),
  r: ({ board, about }, t, rest) => {
    const y = board ? board.rows.findIndex((_, row) => rowName(about, row, board.rows.length) === rest) : -1;
    return board && y >= 0 ? rowText(board, about, y, t) : t("noSuchRow");
  },
  k: ({ board, about }, t, rest) => {
    const x = about?.labels === "columns" && /^\d+$/.test(rest) ? Number(rest) - 1 : rest.length === 1 ? LETTERS.indexOf(rest) : -1;
    return board && x >= 0 && x < board.rows[0].length ? columnText(board, about, x, t) : t("noSuchColumn");
  },
  m: ({ board }, t) => {
    const moves = Object.keys(board?.moves ?? {});
    return moves.length ? t("legalSaid", { moves: moves.join(", ") }) : t("noLegal");
  },
};

/**
 * The answer to a command; null if the text is none.
 * @param {string} text
 * @param {Scene} scene
 * @param {Speaker} t
 */
export function answerTo(text, scene, t) {
  const found = /^([?a-z])(?:\s+(\w{1,3}))?$/i.exec(text.trim());
  if (!found) return null;
  const name = found[1].toLowerCase();
  if (!Object.hasOwn(COMMANDS, name)) return null;
  return COMMANDS[name](scene, t, (found[2] ?? "").toLowerCase());
}

/** @param {import("./match.js").Board} board @param {any} about @param {number} y @param {Speaker} t */
function rowText(board, about, y, t) {
  const cells = [...board.rows[y]].map((sign, x) => ({ name: columnName(about, x), sign }));
  return t("rowSaid", { row: rowName(about, y, board.rows.length), cells: listed(cells, about, t) });
}

/** @param {import("./match.js").Board} board @param {any} about @param {number} x @param {Speaker} t */
function columnText(board, about, x, t) {
  const cells = board.rows.map((row, y) => ({ name: rowName(about, y, board.rows.length), sign: row[x] }));
  return t("columnSaid", { column: columnName(about, x), cells: listed(cells, about, t) });
}

/** Pieces by name, and nothing of empty cells. @param {{name: string, sign: string}[]} cells @param {any} about @param {Speaker} t */
function listed(cells, about, t) {
  const held = cells.filter(({ sign }) => sign !== "-").map(({ name, sign }) => `${name} ${heldBy(about, sign, t)}`);
  return held.length ? held.join(", ") : t("empty");
}
