/** Which view an address shows: one line for each; and where a tab goes on that has been loaded again. */

import { Grid } from "./grid.js";
import { PLACE, read } from "./kept.js";
import { fetched, Later } from "./later.js";
import { League } from "./league.js";
import { MatchLink, Nowhere, TakeSeat } from "./links.js";
import { Lobby } from "./lobby.js";
import { Play } from "./play.js";
import { Replay } from "./replay.js";
import { LocalBoard } from "./local_board.js";
import { Wall } from "./wall.js";

/**
 * @typedef {object} View what stands in the page
 * @property {Element} element
 * @property {string} title
 * @property {() => Promise<void>} [follow] a connection has come about: asks for what the view shows
 * @property {(message: App.Told) => void} [hear] what the server tells beside answers
 * @property {() => void} [switched] organisers allow something, or forbid it
 * @property {() => void} [close] the reader goes elsewhere
 * @property {(event: KeyboardEvent) => void} [key] a key that no field and no board has taken
 */

/**
 * @typedef {object} Address
 * @property {string} name what stands behind the view's own name: "/m/NAME"
 * @property {number | null} ply a position: "#12"
 * @property {URLSearchParams} query
 */

/** @typedef {import("./main.js").Page} Page */

/** @type {Record<string, (page: Page, address: Address) => View | null>} by the first part of the path; null: nothing there */
const ROUTES = {
  "": (page) => new Lobby(page),
  m: (page, { name, ply }) => (name ? new Play(page, name, ply) : null),
  j: (page, { name }) => (name ? new MatchLink(page, name) : null),
  local: (page, { name, ply, query }) => (isGame(page, name) ? new LocalBoard(page, "local", name, query.get("moves") ?? "", ply) : null),
  explore: (page, { name, ply, query }) => (isGame(page, name) ? new LocalBoard(page, "explore", name, query.get("moves") ?? "", ply) : null),
  l: (page, { name, query }) => (!name ? null : query.has("wall") ? new Wall(page, name) : new League(page, name)),
  watch: (page, { name, query }) => (name ? null : new Grid(page, idsOf(query))),
  wall: (page, { name, query }) => (name ? null : new Wall(page, null, idsOf(query))),
  replay: (page, { name, ply, query }) => (isGame(page, name) ? new Replay(page, name, query.get("moves") ?? "", ply) : null),
  review: (page, { name, ply, query }) => (isGame(page, name) ? new Later(page, ["review"], async () => new (await import("./review/review.js")).Review(page, name, query.get("moves") ?? "", query.get("seat"), ply)) : null),
  class: (page, { name, query }) => (isCode(name) ? new Later(page, ["class"], async () => (await import("./class/hall.js")).open(page, name, query)) : null),
  desk: (page, { name, query }) => (isCode(name) ? new Later(page, ["class", "desk"], async () => (await import("./desk/desk.js")).open(page, name, query)) : null),
  exercises: (page) => new Later(page, ["review"], async () => new (await import("./review/exercises.js")).Exercises(page)),
  studio: (page, { name, query }) => (name ? null : studio(page, query.get("class"))),
};

/** The studio, in a class if there is one. @param {import("./main.js").Page} page @param {string | null} door */
function studio(page, door) {
  const isIn = door !== null && isCode(door);
  return new Later(page, isIn ? ["class"] : [], async () => new (await import("./studio/studio.js")).View(page, isIn ? door : null));
}

/** What another site may show in its page. */
const EMBEDDED = new Set(["m", "replay"]);

/**
 * The view of the address that the browser shows.
 * @param {Page} page
 * @returns {View}
 */
export function route(page) {
  // What a QR code holds is in capitals.
  if (/^\/[JM]\//.test(location.pathname)) history.replaceState(null, "", location.pathname.toLowerCase());
  const parts = location.pathname.split("/");
  const [kind = "", rest = ""] = parts.slice(page.isEmbedded ? 2 : 1);
  const seat = /^#seat=([\w-]{22})$/.exec(location.hash)?.[1];
  if (seat && kind === "m" && !page.isEmbedded) return new TakeSeat(page, decode(rest), seat);
  const ply = /^#\d{1,4}$/.test(location.hash) ? Number(location.hash.slice(1)) : null;
  const address = { name: decode(rest), ply, query: new URLSearchParams(location.search) };
  const show = Object.hasOwn(ROUTES, kind) && (!page.isEmbedded || EMBEDDED.has(kind)) ? ROUTES[kind] : null;
  return show?.(page, address) ?? new Nowhere(page);
}

/** Where a tab has been loaded again, it goes on in its class; views of a class see to that themselves. @param {Page} page */
export async function goOn(page) {
  const [, kind, door] = /^\/(class|desk)\/([A-Z]{6})$/.exec(read(PLACE, true) ?? "") ?? [];
  if (!door || /^\/(class|desk|embed)\//.test(location.pathname) || new URLSearchParams(location.search).has("class")) return;
  const isTeacher = kind === "desk";
  await fetched("class", ...(isTeacher ? ["desk"] : []));
  if (isTeacher) (await import("./desk/teacher.js")).teacher(page, door);
  else (await import("./class/pupil.js")).pupil(page, door, "", true);
}

/** The matches that an address names: "?m=ID,ID". @param {URLSearchParams} query */
function idsOf(query) {
  return (query.get("m") ?? "").split(",").filter((id) => /^[a-z0-9]{1,16}$/.test(id));
}

/** Whether it can be the code of a class. @param {string} name */
const isCode = (name) => /^[a-z]{6}$/i.test(name);

/** Whether the server knows the game of a specification. @param {Page} page @param {string} spec */
function isGame(page, spec) {
  return Object.hasOwn(page.games, spec.split(":", 1)[0]);
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
