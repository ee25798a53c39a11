/**
 * Small boards to look at, many at once: each drawn once, then only the cells that have changed, and only while it can
 * be seen. They take no moves, and no key stops at them.
 */

import { clockText } from "./clocks.js";
import { h, replace, s, say } from "./dom.js";
import { nameOf } from "./house.js";
import { clocksAt } from "./match.js";
import { colour, ground, hole, piece, place, scoresOf, UNIT } from "./pieces.js";

const TICK_MS = 250;
/** What of a wall's height the names above a board and the line below take. */
const NAMES = 0.15;

/**
 * How many boards stand beside each other where all of them have to be seen at once: so that they are largest.
 * @param {number} count
 * @param {number} shape of the room for them, its width by its height
 */
export function across(count, shape) {
  const size = (/** @type {number} */ columns) => Math.min(shape / columns, 1 / Math.ceil(count / columns) - NAMES);
  const choices = Array.from({ length: Math.max(1, count) }, (_, n) => n + 1);
  return choices.reduce((best, columns) => (size(columns) > size(best) + 0.01 ? columns : best));
}

/** A board of a game that describes itself as in games.json. */
class SmallBoard {
  /** @param {Games.Game} about */
  constructor(about) {
    this.about = about;
    this.element = s("svg.small-board", { "aria-hidden": "true" });
    /** @type {string[]} */
    this.rows = [];
    /** @type {Map<string, SVGElement>} */
    this.pieces = new Map();
    this.last = s("g");
  }

  /** @param {import("./match.js").Board} board */
  show(board) {
    if (board.rows.length !== this.rows.length || board.rows[0].length !== this.rows[0].length) this.build(board.rows);
    board.rows.forEach((row, y) => {
      if (row === this.rows[y]) return;
      for (let x = 0; x < row.length; x++) if (row[x] !== this.rows[y][x]) this.put(x, y, row[x]);
    });
    this.rows = board.rows;
    replace(this.last, ...(board.cells ?? []).map(([x, y]) => s("rect.small-last", { transform: place(x, y), width: UNIT, height: UNIT })));
  }

  /** @param {string[]} rows */
  build(rows) {
    const [width, height] = [rows[0].length * UNIT, rows.length * UNIT];
    this.element.setAttribute("viewBox", `-3 -3 ${width + 6} ${height + 6}`);
    colour(this.element, this.about);
    const lines = [...rows.map((_, y) => `M0 ${y * UNIT}h${width}`), ...[...rows[0]].map((_, x) => `M${x * UNIT} 0v${height}`)];
    const holes = rows.flatMap((row, y) => [...row].map((_, x) => s("g", { transform: place(x, y) }, hole(this.about))));
    this.pieces.clear();
    this.rows = rows.map((row) => "-".repeat(row.length));
    replace(this.element, ...ground(this.about, rows[0].length, rows.length), s("path.field", { d: lines.join("") }), ...holes, this.last);
  }

  /** @param {number} x @param {number} y @param {string} sign */
  put(x, y, sign) {
    this.pieces.get(`${x},${y}`)?.remove();
    this.pieces.delete(`${x},${y}`);
    if (sign === "-") return;
    const put = s("g", { transform: place(x, y) }, ...piece(this.about, sign));
    this.pieces.set(`${x},${y}`, put);
    this.element.append(put);
  }
}

/** One match in a grid: its board, who plays, their clocks, and how it ended. */
class Tile {
  /** @param {Boards} boards @param {string} match */
  constructor(boards, match) {
    this.boards = boards;
    this.match = match;
    this.seen = false;
    this.stale = true;
    /** @type {SmallBoard | null} */
    this.board = null;
    this.place = h("div.small-place");
    this.seats = [0, 1].map((n) => ({ mark: h("span", { class: `mark seat${n + 1}`, "aria-hidden": "true" }), name: h("span.name"), score: h("span.score"), clock: h("span.clock") }));
    this.note = h("p.small-note");
    const parts = [
      ...this.seats.map(({ mark, name, score, clock }) => h("span.small-player", mark, name, score, clock)), this.place, this.note,
    ];
    this.element = boards.links
      ? h("a.tile", { href: `/m/${match}`, "data-action": "watch", "data-match": match }, ...parts)
      : h("div.tile", { "data-match": match }, ...parts);
  }

  get view() {
    return this.boards.page.matches.get(this.match);
  }

  /** Who plays is said of all, for those who hear the page; what is to be seen is drawn once it can be. */
  paint() {
    const { view } = this;
    if (!view) return;
    const { page } = this.boards;
    const about = page.about(view.game);
    const names = this.boards.namesOf(this.match) ?? view.players.map((player) => nameOf(player, page.t));
    this.seats.forEach(({ name }, n) => say(name, names[n]));
    if (!this.seen) return;
    this.stale = false;
    const board = view.boards[view.moves.length];
    if (board && about) {
      if (!this.board) replace(this.place, (this.board = new SmallBoard(about)).element);
      this.board?.show(board);
    }
    const scores = scoresOf(about, board);
    this.seats.forEach(({ mark, name, score }, n) => {
      say(score, scores[n]);
      name.parentElement?.classList.toggle("next", view.status === "playing" && view.toMove === n + 1);
      name.parentElement?.classList.toggle("winner", view.result?.winner === n + 1);
      say(mark, about?.signs ? about.signs[n] : "");
      if (about && !about.signs) mark.style.setProperty("--disc", about.colours[n + 1]);
    });
    say(this.note, view.result ? page.outcome(view.result, view.game, names) : this.boards.games ? page.titleOf(view.game) : "");
    this.tick();
  }

  tick() {
    const { view } = this;
    if (!this.seen || !view) return;
    const left = clocksAt(view, performance.now());
    this.seats.forEach(({ clock }, n) => say(clock, left ? clockText(left[n], this.boards.page.language) : ""));
  }
}

/** A grid of matches. */
export class Boards {
  /**
   * @param {import("./main.js").Page} page
   * @param {object} how
   * @param {boolean} how.links whether each leads to its match
   * @param {boolean} how.games whether each says which game it is
   * @param {number} [how.shape] of the room for them, where all have to be seen at once: its width by its height
   * @param {(match: string) => string[] | null} [how.namesOf] what its players are called here; null for their own names
   */
  constructor(page, how) {
    this.page = page;
    this.links = how.links;
    this.games = how.games;
    this.shape = how.shape ?? 1;
    this.namesOf = how.namesOf ?? (() => null);
    /** @type {Map<string, Tile>} */
    this.tiles = new Map();
    this.refused = new Set();
    this.element = h("div.boards");
    this.drawing = 0;
    this.looking = new IntersectionObserver((entries) => this.looked(entries));
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Shows these matches, in this order, and no others. @param {string[]} ids */
  want(ids) {
    const wanted = ids.filter((id) => !this.refused.has(id));
    for (const [id, tile] of this.tiles) if (!wanted.includes(id)) this.drop(id, tile);
    for (const id of wanted) {
      if (!this.tiles.has(id)) this.add(id);
      if (!this.page.matches.has(id)) this.watch(id);
    }
    const shown = wanted.map((id) => /** @type {Tile} */ (this.tiles.get(id)).element);
    if (shown.some((element, n) => this.element.children[n] !== element) || this.element.childElementCount !== shown.length) {
      replace(this.element, ...shown);
    }
    this.element.style.setProperty("--across", String(across(shown.length, this.shape)));
  }

  /** @param {string} id */
  add(id) {
    const tile = new Tile(this, id);
    this.tiles.set(id, tile);
    this.looking.observe(tile.element);
  }

  /** @param {string} id */
  async watch(id) {
    try {
      await this.page.ask("watch", { match: id });
    } catch (/** @type {any} */ error) {
      if (error.code !== "no_such_match") return;
      this.refused.add(id);
      const tile = this.tiles.get(id);
      if (tile) this.drop(id, tile);
    }
  }

  /** @param {string} id @param {Tile} tile */
  drop(id, tile) {
    this.looking.unobserve(tile.element);
    tile.element.remove();
    this.tiles.delete(id);
    if (this.page.matches.get(id)?.seat) return;
    this.page.matches.delete(id);
    this.page.tell("leave", { match: id });
  }

  /** @param {any} message */
  hear(message) {
    const tile = this.tiles.get(message.match);
    if (!tile) return;
    tile.stale = true;
    this.draw();
  }

  /** Everything looks different: names are hidden, or the language is another. */
  repaint() {
    for (const tile of this.tiles.values()) tile.stale = true;
    this.draw();
  }

  draw() {
    this.drawing ||= requestAnimationFrame(() => {
      this.drawing = 0;
      for (const tile of this.tiles.values()) if (tile.stale) tile.paint();
    });
  }

  /** @param {IntersectionObserverEntry[]} entries */
  looked(entries) {
    for (const entry of entries) {
      for (const tile of this.tiles.values()) if (tile.element === entry.target) tile.seen = entry.isIntersecting;
    }
    this.draw();
  }

  tick() {
    for (const tile of this.tiles.values()) tile.tick();
  }

  close() {
    clearInterval(this.timer);
    cancelAnimationFrame(this.drawing);
    this.looking.disconnect();
    for (const [id, tile] of [...this.tiles]) this.drop(id, tile);
  }
}
