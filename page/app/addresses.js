/** Addresses of games that are looked at: as a replay, to play on, with a review. */

/**
 * Moves as people and other programs write them: apart, or in a row ("4453", "f5d6c3").
 * @param {string} text
 * @returns {string[]}
 */
export function split(text) {
  const words = text.trim().split(/[\s,]+/).filter(Boolean);
  return words.flatMap((word) => (/^\d+$/.test(word) && word.length > 2 ? [...word] : word.length > 4 && /^([a-z]\d)+$/i.test(word) ? word.match(/../g) ?? [] : [word]))
    .map((word) => word.toLowerCase());
}

/**
 * The address of a replay.
 * @param {string} game
 * @param {string[]} moves
 */
export function replayOf(game, moves) {
  return `/replay/${encodeURIComponent(game)}?moves=${encodeURIComponent(moves.join(" "))}`;
}

/**
 * The address of a position that can be played on.
 * @param {string} game
 * @param {string[]} moves
 * @param {number} ply
 */
export function exploreOf(game, moves, ply) {
  return `/explore/${encodeURIComponent(game)}?moves=${encodeURIComponent(moves.join(" "))}#${ply}`;
}

/**
 * The address of a review.
 * @param {string} game
 * @param {string[]} moves
 * @param {number | null} [seat] the reader's own
 */
export function reviewOf(game, moves, seat = null) {
  const whose = seat ? `&seat=${seat}` : "";
  return `/review/${encodeURIComponent(game)}?moves=${encodeURIComponent(moves.join(" "))}${whose}`;
}
