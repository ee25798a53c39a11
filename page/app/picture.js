/** Boards as files: SVG with all that it needs inside. Pure. */

/** @typedef {import("./match.js").Board} Board */

const UNIT = 60;
const MARGIN = 26;
const STEP_S = 0.8;
const REST_S = 3;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const SVG = "http://www.w3.org/2000/svg";

/**
 * A board.
 * @param {any} about what its game says of itself
 * @param {Board} board
 * @param {boolean} flipped
 */
export function picture(about, board, flipped) {
  const place = placing(about, board, flipped);
  const pieces = cellsOf(board).filter(([x, y]) => board.rows[y][x] !== "-").map(([x, y]) => piece(about, board.rows[y][x], place(x, y)));
  const last = (board.cells ?? []).map(([x, y]) => frame(place(x, y)));
  return sheet(about, board, flipped, [...pieces, ...last].join(""));
}

/**
 * A game that moves by itself, again and again.
 * @param {any} about
 * @param {Board[]} boards one after each move
 * @param {boolean} flipped
 */
export function animation(about, boards, flipped) {
  const place = placing(about, boards[0], flipped);
  const whole = (boards.length - 1) * STEP_S + REST_S;
  /** @type {string[]} */
  const parts = [];
  for (const [x, y] of cellsOf(boards[0])) {
    for (const { sign, from, to } of runs(boards.map((board) => board.rows[y][x]))) {
      if (sign !== "-") parts.push(shownFor(piece(about, sign, place(x, y)), from, to, boards.length, whole));
    }
  }
  boards.forEach((board, ply) => {
    for (const [x, y] of board.cells ?? []) parts.push(shownFor(frame(place(x, y)), ply, ply + 1, boards.length, whole));
  });
  return sheet(about, boards[0], flipped, parts.join(""));
}

/** How long a cell holds what. @param {string[]} signs */
function runs(signs) {
  /** @type {{sign: string, from: number, to: number}[]} */
  const found = [];
  signs.forEach((sign, ply) => {
    const last = found[found.length - 1];
    if (last?.sign === sign) last.to = ply + 1;
    else found.push({ sign, from: ply, to: ply + 1 });
  });
  return found;
}

/**
 * Something that is there from one board until before another.
 * @param {string} drawn
 * @param {number} from
 * @param {number} to
 * @param {number} count of all boards
 * @param {number} whole seconds of all of it
 */
function shownFor(drawn, from, to, count, whole) {
  if (from === 0 && to === count) return drawn;
  const at = (/** @type {number} */ ply) => ((ply * STEP_S) / whole).toFixed(4);
  const times = [...(from > 0 ? ["0", at(from)] : ["0"]), ...(to < count ? [at(to)] : [])];
  const values = [...(from > 0 ? ["0", "1"] : ["1"]), ...(to < count ? ["0"] : [])];
  const animate = `<animate attributeName="opacity" calcMode="discrete" dur="${whole}s" repeatCount="indefinite" keyTimes="${times.join(";")}" values="${values.join(";")}"/>`;
  return `<g opacity="${from > 0 ? 0 : 1}">${animate}${drawn}</g>`;
}

/** @param {Board} board @returns {[number, number][]} */
function cellsOf(board) {
  return board.rows.flatMap((row, y) => [...row].map((_, x) => /** @type {[number, number]} */ ([x, y])));
}

/** @param {any} about @param {Board} board @param {boolean} flipped @returns {(x: number, y: number) => [number, number]} */
function placing(about, board, flipped) {
  const [width, height] = [board.rows[0].length, board.rows.length];
  return (x, y) => [(flipped ? width - 1 - x : x) * UNIT, (flipped && about.labels !== "columns" ? height - 1 - y : y) * UNIT];
}

/** @param {any} about @param {string} sign @param {[number, number]} place */
function piece(about, sign, [left, top]) {
  const [x, y] = [left + UNIT / 2, top + UNIT / 2];
  const seat = sign === "X" ? 1 : 2;
  const drawn = about.signs ? about.signs[seat - 1] : "";
  const stroke = 'fill="none" stroke="#fff" stroke-width="7" stroke-linecap="round"';
  if (drawn === "X") return `<path d="M${x - 14} ${y - 14}l28 28m0 -28l-28 28" ${stroke}/>`;
  if (drawn === "O") return `<circle cx="${x}" cy="${y}" r="15" ${stroke}/>`;
  if (drawn) return `<text x="${x}" y="${y + 14}" fill="#fff" font-size="38" font-weight="700">${escaped(drawn)}</text>`;
  const disc = `<circle cx="${x}" cy="${y}" r="24" fill="${escaped(about.colours[seat])}" stroke="#000" stroke-opacity=".35"/>`;
  return seat === 1 ? disc : `${disc}<circle cx="${x}" cy="${y}" r="14" fill="none" stroke="#000" stroke-opacity=".45" stroke-width="2.5"/>`;
}

/** @param {[number, number]} place */
const frame = ([left, top]) => `<rect x="${left + 2}" y="${top + 2}" width="${UNIT - 4}" height="${UNIT - 4}" fill="none" stroke="#e0a100" stroke-width="4"/>`;

/** @param {any} about @param {Board} board @param {boolean} flipped @param {string} inner */
function sheet(about, board, flipped, inner) {
  const [width, height] = [board.rows[0].length * UNIT, board.rows.length * UNIT];
  const [cell, , , hole] = about.colours;
  const place = placing(about, board, flipped);
  const field = ([x, y] = [0, 0]) => {
    const [left, top] = place(x, y);
    const round = hole === "transparent" ? "" : `<circle cx="${left + UNIT / 2}" cy="${top + UNIT / 2}" r="24" fill="${escaped(hole)}"/>`;
    return `<rect x="${left}" y="${top}" width="${UNIT}" height="${UNIT}" fill="none" stroke="#000" stroke-opacity=".4"/>${round}`;
  };
  const byColumns = about.labels === "columns";
  const columns = [...board.rows[0]].map((_, x) => label(place(x, 0)[0] + UNIT / 2, byColumns ? -8 : height + 18, byColumns ? String(x + 1) : LETTERS[x]));
  const rows = byColumns ? [] : board.rows.map((_, y) => label(-13, place(0, y)[1] + UNIT / 2 + 5, String(about.labels === "cells" ? y + 1 : board.rows.length - y)));
  const box = `${-MARGIN} ${-MARGIN} ${width + 2 * MARGIN} ${height + 2 * MARGIN}`;
  return `<svg xmlns="${SVG}" viewBox="${box}" width="${width + 2 * MARGIN}" height="${height + 2 * MARGIN}" font-family="sans-serif" text-anchor="middle">` +
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="${width + 2 * MARGIN}" height="${height + 2 * MARGIN}" fill="#f6f5f1"/>` +
    `<rect width="${width}" height="${height}" rx="6" fill="${escaped(cell)}"/>${cellsOf(board).map(field).join("")}${columns.join("")}${rows.join("")}${inner}</svg>\n`;
}

/** @param {number} x @param {number} y @param {string} text */
const label = (x, y, text) => `<text x="${x}" y="${y}" fill="#5d6863" font-size="15" font-weight="600">${escaped(text)}</text>`;

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
