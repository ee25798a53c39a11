/**
 * For a projector: large, nothing to click, read from the back of a room. A league with its table, its boards and, at
 * the end, the podium; or several boards alone.
 */

import { h, keep, say } from "./dom.js";
import { countText, Playing } from "./grid.js";
import { Standing } from "./league.js";
import { pointsText, scoreText } from "./scores.js";
import { Boards } from "./small.js";

/** Boards that fit on a wall beside a table, and alone. */
const BESIDE = 6;
const ALONE = 12;
/** Rows of a table that can be read from afar. */
const ROWS = 12;
/** How many the podium has room for. */
const STEPS = 5;
/** Lines below the table, of which each game that was played last takes one. */
const LINES = 11;

export class Wall {
  /** @param {import("./main.js").Page} page @param {string | null} league @param {string[]} ids boards that the address names */
  constructor(page, league, ids = []) {
    this.page = page;
    this.ids = ids.slice(0, ALONE);
    this.title = "Arbitre";
    this.standing = league === null ? null : new Standing(page, league, () => this.paint());
    const hides = new URLSearchParams(location.search).get("names") === "no";
    this.boards = new Boards(page, {
      links: false, games: league === null, shape: league === null ? 2 : 1.1, namesOf: (match) => this.standing?.namesOf(match) ?? (hides ? ["–", "–"] : null),
    });
    this.playing = this.standing || this.ids.length ? null : new Playing(page, ALONE, (shown) => this.show(shown));
    this.name = h("h1", this.standing ? page.t("league") : "Arbitre");
    this.status = h("p.wall-status", { role: "status" }, page.t("loading"));
    this.scores = h("div.wall-scores");
    this.podium = h("div.podium", { hidden: true });
    this.element = h("div.wall", h("div.wall-head", this.name, this.status),
      h("div.wall-body", this.podium, this.boards.element, this.scores));
    document.documentElement.classList.add("projects");
  }

  async follow() {
    if (this.standing) await this.standing.follow();
    else if (this.playing) {
      await this.playing.follow();
      this.show(this.playing.shown);
    } else this.show(this.ids);
  }

  /** @param {string[]} ids */
  show(ids) {
    this.boards.want(ids);
    say(this.status, countText(ids.length, this.page.t));
  }

  paint() {
    const { t, language } = this.page;
    if (!this.standing) return;
    const { board, rows, shown } = this.standing;
    say(this.status, this.standing.progress);
    if (!board) return;
    say(this.name, `${board.title} · ${this.page.titleOf(board.game)}`);
    document.title = board.title;
    const isOver = board.state === "finished";
    document.documentElement.classList.toggle("is-over", isOver);
    const playing = isOver ? [] : this.standing.playing.slice(0, BESIDE);
    this.boards.want(playing);
    this.boards.element.hidden = playing.length === 0;
    this.element.classList.toggle("quiet", playing.length === 0 && !isOver);
    this.podium.hidden = !isOver;
    keep(this.podium, ...this.steps(rows));
    keep(this.scores, h("table.scores", h("tbody", ...rows.slice(0, ROWS).map((row) =>
      h("tr", h("td", row.rank), h("th", { scope: "row", class: "left" }, shown(row.name)),
        h("td.points", pointsText(row.points, language)), h("td.faint", `/ ${row.played}`))))),
    rows.length > ROWS ? h("p.faint", t("andMore", { count: rows.length - ROWS })) : null,
    h("ul.wall-last", ...this.standing.newest.slice(0, Math.max(0, LINES - rows.length)).map((game) => this.last(game))));
    this.scores.style.setProperty("--rows", String(Math.min(rows.length, ROWS)));
  }

  /** A game that is over. @param {any} game */
  last(game) {
    const shown = this.standing?.shown ?? ((name) => name);
    const name = (/** @type {string} */ text, /** @type {number} */ seat) => h(game.winner === seat ? "strong" : "span", {}, shown(text));
    return h("li", h("span", name(game.first, 1), " – ", name(game.second, 2)), scoreText(game));
  }

  /** The second, the first and the third, as they stand there, and who shares their places. @param {import("./scores.js").Row[]} rows */
  steps(rows) {
    const { language } = this.page;
    const shown = this.standing?.shown ?? ((name) => name);
    const top = rows.filter((row) => row.rank <= 3);
    const seen = top.slice(0, STEPS);
    const at = (/** @type {number} */ rank) => seen.filter((row) => row.rank === rank);
    const steps = [...at(2), ...at(1), ...at(3)].map((row) => h("div", { class: `step place${row.rank}` },
      h("span.step-name", shown(row.name)), h("span.step-points", pointsText(row.points, language)),
      h("span.step-block", String(row.rank))));
    return top.length > STEPS ? [...steps, h("p.step-more", this.page.t("andMore", { count: top.length - STEPS }))] : steps;
  }

  /** @param {any} message */
  hear(message) {
    this.standing?.hear(message);
    this.playing?.hear(message);
    this.boards.hear(message);
  }

  close() {
    document.documentElement.classList.remove("projects", "is-over");
    this.standing?.close();
    this.playing?.close();
    this.boards.close();
  }
}
