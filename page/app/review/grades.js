/** What a review says of moves and positions, in words and signs. Pure: no element is made here. */

/** @typedef {Protocol.Judged} Judged */

/** The sign of each grade: colour alone tells nothing to some. */
export const SIGNS = /** @type {Record<string, string>} */ ({ best: "✓", good: "", inaccuracy: "?!", mistake: "?", blunder: "??" });

const SERIOUS = new Set(["mistake", "blunder"]);
const DRAWN = 500;
const SURE = 1000;

/** Whether something was given away that one should look at again. @param {Judged | undefined} step */
export const isSerious = (step) => step?.grade !== undefined && step.grade !== null && SERIOUS.has(step.grade);

/** Whether the reader may be asked for a better move: one is known. @param {Judged | undefined} step */
export const canBeFound = (step) => isSerious(step) && Boolean(step?.best?.length);

/**
 * Who moved at each ply: the seat to move in the board before the move.
 * @param {Protocol.Diagram[]} boards
 * @param {number} ply
 */
export const moverAt = (boards, ply) => boards[ply]?.to_move ?? 1;

/**
 * The plies at which somebody gave something away, and a better move is known.
 * @param {Map<number, Judged>} steps
 * @param {Protocol.Diagram[]} boards
 * @param {number} seat 1 or 2; 0 for both
 */
export function mistakesOf(steps, boards, seat) {
  return [...steps.values()].filter((step) => canBeFound(step) && (!seat || moverAt(boards, step.ply) === seat))
    .map((step) => step.ply).sort((one, other) => one - other);
}

/**
 * The plies whose move turned the game: the worst of the serious ones, in their order.
 * @param {Map<number, Judged>} steps
 * @param {number} most
 */
export function turningPoints(steps, most) {
  const given = (/** @type {Judged} */ step) => Math.abs(step.chance - (steps.get(step.ply + 1)?.chance ?? step.chance));
  const serious = [...steps.values()].filter(isSerious);
  serious.sort((one, other) => given(other) - given(one));
  return serious.slice(0, most).map((step) => step.ply).sort((one, other) => one - other);
}

/**
 * What a position is worth, in a sentence.
 * @param {Judged} step
 * @param {App.Speaker} t
 */
export function worthText(step, t) {
  if (!step.exact) return t("chances", { percent: Math.round(step.chance / 10) });
  if (step.chance === DRAWN) return t("provenDraw");
  return t(step.chance === SURE ? "provenFirst" : "provenSecond");
}

/**
 * A move with its grade, for the ear.
 * @param {number} ply
 * @param {string} move
 * @param {Judged | undefined} step
 * @param {App.Speaker} t
 */
export function gradedText(ply, move, step, t) {
  return step?.grade ? t("graded", { number: ply + 1, move, grade: t(`grade_${step.grade}`) }) : `${ply + 1}. ${move}`;
}

/**
 * How many of each grade a seat has.
 * @param {Map<number, Judged>} steps
 * @param {Protocol.Diagram[]} boards
 * @param {number} seat
 * @returns {Record<string, number>}
 */
export function countsOf(steps, boards, seat) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const step of steps.values()) {
    if (step.grade && moverAt(boards, step.ply) === seat) counts[step.grade] = (counts[step.grade] ?? 0) + 1;
  }
  return counts;
}
