/** How a match ended, and what players are called. Pure. */

import { filled } from "./texts.js";
import { optionsOf } from "./match.js";

/**
 * The result in a sentence.
 * @param {Protocol.Result} result
 * @param {string} spec the game with its options
 * @param {string[]} names of both seats
 * @param {Games.Game | undefined} about what the game says of itself
 * @param {"en" | "fr"} language
 * @param {App.Speaker} t
 */
export function resultText(result, spec, names, about, language, t) {
  const code = result.reason === "rules" ? result.ending : result.reason;
  const ending = about?.endings[code ?? ""];
  const winner = result.winner ?? null;
  const [one, two] = result.score ?? [0, 0];
  const options = { ...defaultsOf(about), ...optionsOf(spec) };
  if (winner === null) {
    if (result.refused_by) return t(result.declined === "busy" ? "why_busy" : "refusedToPlay");
    if (ending?.drawn) return sentence(filled(ending.drawn[language], options));
    const texts = /** @type {Record<string, string>} */ ({ aborted: "aborted", agreement: "agreement", abandoned: "bothLeft" });
    return t(texts[result.reason] ?? "drawn");
  }
  const name = names[winner - 1];
  const loser = names[2 - winner];
  let why = t("byRules");
  if (ending) why = filled((one === two && ending.level ? ending.level : ending.won)[language], options);
  else if (result.reason === "adjudicated") why = t("decided");
  else if (result.reason !== "rules") why = t(`lostBy_${result.reason}`, { name: loser });
  const counted = about?.counts && ending ? ` (${one}–${two})` : "";
  return t("wins", { name, why: `${why}${counted}` });
}

/**
 * Why the rules refused the last of `moves`, or the one that `error` names, in the game's own words; "" if it has none.
 * @param {any} error
 * @param {string} spec the game with its options
 * @param {string[]} moves
 * @param {Games.Game | undefined} about what the game says of itself
 * @param {"en" | "fr"} language
 */
export function refusedMove(error, spec, moves, about, language) {
  const { code, data } = error;
  if (code !== "illegal_move" || !about || !Object.hasOwn(about.refusals, data?.why)) return "";
  const words = /** @type {Games.Words} */ (about.refusals[data.why]);
  return filled(words[language], { ...defaultsOf(about), ...optionsOf(spec), move: moves[data.ply ?? moves.length - 1] });
}

/** @param {Games.Game | undefined} about */
function defaultsOf(about) {
  return Object.fromEntries((about?.options ?? []).map((option) => [option.name, option.default]));
}

/** @param {string} text */
const sentence = (text) => (text.endsWith(".") ? text : `${text}.`);

/**
 * An option that is set: "taille 6".
 * @param {Games.Game | undefined} about
 * @param {string} option
 * @param {string} value
 * @param {"en" | "fr"} language
 */
function optionText(about, option, value, language) {
  const found = about?.options.find((one) => one.name === option);
  const label = (found?.label[language] ?? option).toLowerCase();
  return `${label} ${found?.values[found.choices.indexOf(value)]?.[language] ?? value}`;
}

/**
 * A game with its options, for people: its title, and in brackets what is set.
 * @param {string} spec
 * @param {Record<string, Games.Game>} games
 * @param {"en" | "fr"} language
 */
export function gameText(spec, games, language) {
  const name = spec.split(":", 1)[0];
  const title = games[name]?.title[language] ?? name;
  const shown = title.charAt(0).toUpperCase() + title.slice(1);
  const options = Object.entries(optionsOf(spec)).map(([option, value]) => optionText(games[name], option, value, language));
  return options.length ? `${shown} (${options.join(", ")})` : shown;
}
