/** Addresses of games that are looked at: as a replay, to play on, with a review. */

/**
 * Moves as people and other programs write them: apart, or in a row ("4453", "f5d6c3", "b2b3e5e4").
 * @param {string} text
 * @param {Games.Game} [about] what the game says of itself, if it is known
 * @returns {string[]}
 */
export function split(text, about) {
  const words = text.toLowerCase().split(/[\s,]+/).filter(Boolean);
  return words.flatMap((word) => inRow(word, about ? about.row : guess(word)));
}

/** The moves of a word; what is no row of moves stays as it is. @param {string} word @param {string} move a pattern, or "" */
function inRow(word, move) {
  return (move && new RegExp(`^(${move})+$`).test(word) && word.match(new RegExp(move, "g"))) || [word];
}

/** How a move in a row may be written where the game is not known; a short word is one move. @param {string} word */
function guess(word) {
  if (/^\d+$/.test(word)) return word.length > 2 ? "\\d" : "";
  return word.length > 4 ? "[a-z]\\d" : "";
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
