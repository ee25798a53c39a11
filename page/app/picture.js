/** Boards as files: SVG with all that it needs inside. */

import { s } from "./dom.js";
import { ground, hole, labels, piece, place, scoresOf, UNIT } from "./pieces.js";

/** @typedef {import("./match.js").Board} Board */

const MARGIN = 26;
/** The height of the line that counts. */
const COUNTS = 40;
const STEP_S = 0.8;
const REST_S = 3;

/**
 * A board, as the text of a file.
 * @param {Games.Game} about what its game says of itself
 * @param {Board} board
 * @param {boolean} flipped
 */
export function picture(about, board, flipped) {
  const spot = spotsOf(about, board, flipped);
  const pieces = cellsOf(board).filter(([x, y]) => board.rows[y][x] !== "-").map(([x, y]) => standing(about, board.rows[y][x], spot(x, y)));
  return sheet(about, board, flipped, [...pieces, ...(board.cells ?? []).map(([x, y]) => frame(spot(x, y))), ...counted(about, board)]);
}

/**
 * A game that moves by itself, again and again.
 * @param {Games.Game} about
 * @param {Board[]} boards one after each move
 * @param {boolean} flipped
 */
export function animation(about, boards, flipped) {
  const spot = spotsOf(about, boards[0], flipped);
  const parts = cellsOf(boards[0]).flatMap(([x, y]) =>
    runs(boards.map((board) => board.rows[y][x])).filter(({ sign }) => sign !== "-")
      .map(({ sign, from, to }) => shownFor(standing(about, sign, spot(x, y)), from, to, boards.length)));
  const frames = boards.flatMap((board, ply) => (board.cells ?? []).map(([x, y]) => shownFor(frame(spot(x, y)), ply, ply + 1, boards.length)));
  const counts = boards.flatMap((board, ply) => counted(about, board).map((drawn) => shownFor(drawn, ply, ply + 1, boards.length)));
  return sheet(about, boards[0], flipped, [...parts, ...frames, ...counts]);
}

/** What both seats have, below the board. @param {Games.Game} about @param {Board} board @returns {SVGElement[]} */
function counted(about, board) {
  const y = board.rows.length * UNIT + MARGIN + COUNTS / 2;
  const middle = (board.rows[0].length * UNIT) / 2;
  return scoresOf(about, board).flatMap((score, n) => {
    if (!score) return [];
    const x = middle + (n ? 40 : -60);
    const seat = s("g", { transform: `translate(${x - 13} ${y - 13}) scale(.43)` }, ...piece(about, n ? "O" : "X"));
    return [s("g", seat, s("text.count", { x: x + 20, y: y + 8, "text-anchor": "start" }, score))];
  });
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
 * @param {SVGElement} drawn
 * @param {number} from
 * @param {number} to
 * @param {number} count of all boards
 */
function shownFor(drawn, from, to, count) {
  if (from === 0 && to === count) return drawn;
  const whole = (count - 1) * STEP_S + REST_S;
  const at = (/** @type {number} */ ply) => ((ply * STEP_S) / whole).toFixed(4);
  const times = ["0", ...(from > 0 ? [at(from)] : []), ...(to < count ? [at(to)] : [])];
  const values = [...(from > 0 ? [0, 1] : [1]), ...(to < count ? [0] : [])];
  drawn.setAttribute("opacity", String(values[0]));
  drawn.append(s("animate", {
    attributeName: "opacity", calcMode: "discrete", dur: `${whole}s`, repeatCount: "indefinite", keyTimes: times.join(";"), values: values.join(";"),
  }));
  return drawn;
}

/** @param {Board} board @returns {[number, number][]} */
function cellsOf(board) {
  return board.rows.flatMap((row, y) => [...row].map((_, x) => /** @type {[number, number]} */ ([x, y])));
}

/** Where cells stand. @param {Games.Game} about @param {Board} board @param {boolean} flipped @returns {(x: number, y: number) => [number, number]} */
function spotsOf(about, board, flipped) {
  const [right, bottom] = [board.rows[0].length - 1, board.rows.length - 1];
  return (x, y) => (flipped ? [right - x, about.labels === "columns" ? y : bottom - y] : [x, y]);
}

/** @param {Games.Game} about @param {string} sign @param {[number, number]} spot */
const standing = (about, sign, spot) => s("g", { transform: place(...spot) }, ...piece(about, sign));

/** The mark of the last move. @param {[number, number]} spot */
const frame = (spot) => s("rect.last", { transform: place(...spot), x: 2, y: 2, width: UNIT - 4, height: UNIT - 4 });

/** @param {Games.Game} about @param {Board} board @param {boolean} flipped @param {SVGElement[]} parts */
function sheet(about, board, flipped, parts) {
  const spot = spotsOf(about, board, flipped);
  const [columns, rows] = [board.rows[0].length, board.rows.length];
  const [width, height] = [columns * UNIT + 2 * MARGIN, rows * UNIT + 2 * MARGIN + (about.counts ? COUNTS : 0)];
  const corner = { x: -MARGIN, y: -MARGIN, width, height };
  const fields = cellsOf(board).map((cell) => s("g", { transform: place(...spot(...cell)) },
    s("rect.field", { width: UNIT, height: UNIT }), hole(about)));
  const drawn = s("svg", { viewBox: `${-MARGIN} ${-MARGIN} ${width} ${height}`, width, height, "font-family": "sans-serif", "text-anchor": "middle" },
    s("style", styleOf(about)), s("rect", { fill: "#f6f5f1", ...corner }), ...ground(about, columns, rows, spot),
    ...fields, ...labels(about, columns, rows, spot), ...parts);
  return new XMLSerializer().serializeToString(drawn);
}

/** How the page shows the same. @param {Games.Game} about */
function styleOf(about) {
  const [cell, first, second, around, , sign] = about.colours;
  return `.ground{fill:${cell}}.hole{fill:${around}}.one{fill:${first}}.two{fill:${second}}.field,.ring,.last,.sign{fill:none;stroke:#0007}`
    + ".ring{stroke-width:2.5}.last{stroke:#e0a100;stroke-width:4}.sign{stroke:#fff;stroke-width:7;stroke-linecap:round}"
    + `.letter{fill:${sign};font:700 38px sans-serif}`
    + ".count{font:700 24px sans-serif}.label{fill:#5d6863;font:600 15px sans-serif}";
}
