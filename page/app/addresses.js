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
 * Where a game is looked at.
 * @param {"replay" | "explore" | "local" | "review"} view
 * @param {string} game
 * @param {readonly string[]} [moves]
 * @param {string} [end] what else the view is told
 */
export function addressOf(view, game, moves = [], end = "") {
  const played = moves.length ? `?moves=${encodeURIComponent(moves.join(" "))}` : "";
  return `/${view}/${encodeURIComponent(game)}${played}${end}`;
}
