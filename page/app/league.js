/** A league while it is played: its table, who made what against whom, the games that run, and those that are over. */

import { addressOf, split } from "./addresses.js";
import { button, card, h, keep, say, statusLine, update, wide } from "./dom.js";
import { crosstable, hidden, plot, scoreText, table } from "./scores.js";
import { Boards } from "./small.js";

const TRY_AGAIN_MS = 2500;
/** Games that are listed: as many as a server keeps. */
const MOST_GAMES = 500;

/** What a server tells of a league, for the views that show it. */
export class Standing {
  /** @param {import("./main.js").Page} page @param {string} league @param {() => void} changed */
  constructor(page, league, changed) {
    this.page = page;
    this.league = league;
    this.changed = changed;
    /** @type {any} */
    this.board = null;
    /** @type {Map<number, any>} */
    this.games = new Map();
    /** @type {number | null} where the older games begin */
    this.more = null;
    this.missing = false;
    this.hides = new URLSearchParams(location.search).get("names") === "no";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.closed = false;
  }

  async follow() {
    clearTimeout(this.timer);
    if (this.closed) return;
    try {
      const ok = await this.page.ask("league", { league: this.league });
      this.board = ok.scoreboard;
      this.games = new Map((ok.games ?? []).map((/** @type {any} */ game) => [game.number, game]));
      this.more = ok.more ?? null;
      this.missing = false;
    } catch (/** @type {any} */ error) {
      if (error.code === undefined) return;
      this.missing = true;
      // Its host tells a restarted server again.
      this.timer = setTimeout(() => this.follow(), TRY_AGAIN_MS);
    }
    this.changed();
  }

  /** Asks for older games. */
  async older() {
    if (this.more === null) return;
    const ok = await this.page.ask("league", { league: this.league, before: this.more }).catch(() => null);
    for (const game of ok?.games ?? []) this.games.set(game.number, game);
    if (ok) this.more = ok.more ?? null;
    this.changed();
  }

  /** @param {any} message */
  hear(message) {
    if (message.type !== "league_changed" || message.league !== this.league) return;
    if (message.again || !message.scoreboard) {
      if (message.scoreboard) this.board = message.scoreboard;
      this.follow();
      return;
    }
    this.board = message.scoreboard;
    for (const game of message.games ?? []) this.games.set(game.number, game);
    for (const game of this.newest.slice(MOST_GAMES)) this.games.delete(game.number);
    this.changed();
  }

  /** @returns {import("./scores.js").Row[]} */
  get rows() {
    return this.board?.rows ?? [];
  }

  /** The matches that are played now. @returns {string[]} */
  get playing() {
    return (this.board?.playing ?? []).map((/** @type {any} */ one) => one.match);
  }

  /** What the league calls the players of a match. @param {string} match */
  namesOf(match) {
    const found = (this.board?.playing ?? []).find((/** @type {any} */ one) => one.match === match);
    return found ? [found.first, found.second].map(this.shown) : null;
  }

  /** The newest first. @returns {any[]} */
  get newest() {
    return [...this.games.values()].sort((one, two) => two.number - one.number);
  }

  /** @returns {import("./scores.js").Shown} */
  get shown() {
    return this.hides ? hidden(this.rows.map((row) => row.name), this.page.t) : (name) => name;
  }

  /** How far it is, in a sentence. */
  get progress() {
    const { t } = this.page;
    const { board } = this;
    if (!board) return t(this.missing ? "why_no_such_league" : "loading");
    const { state, played = 0, planned = null } = board;
    if (state === "open") return t("leagueOpen", { count: this.rows.length });
    if (state === "finished") return t("leagueOver", { count: played });
    return planned === null ? t("leagueEndless", { count: played }) : t("leagueRuns", { count: played, of: planned });
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.page.tell("league", { league: this.league, follow: false });
  }
}

export class League {
  /** @param {import("./main.js").Page} page @param {string} league */
  constructor(page, league) {
    const { t } = page;
    this.page = page;
    this.league = league;
    this.title = t("league");
    this.standing = new Standing(page, league, () => this.paint());
    this.boards = new Boards(page, { links: true, games: false, namesOf: (match) => this.standing.namesOf(match) });
    this.name = h("h1", t("league"));
    this.about = h("p.faint");
    this.status = statusLine(t("loading"));
    this.hide = button("names", t("hideNames"), () => this.toggle(), { "aria-pressed": String(this.standing.hides) });
    this.table = wide(t("leagueTable"));
    this.cross = h("div");
    this.plot = h("div");
    this.games = h("ul.list.games");
    this.more = button("more", t("olderGames"), () => this.standing.older(), { hidden: true });
    this.live = card(t("liveGames"), this.boards.element);
    this.over = card(t("playedGames"), this.games, this.more);
    this.crossed = card(t("crosstable"), this.cross);
    this.plotted = card(t("ratings"), this.plot);
    this.element = h("div.league",
      h("div.head", h("div", this.name, this.about), this.status, this.hide,
        button("wall", t("projector"), () => page.go(`/l/${league}?wall${this.standing.hides ? "&names=no" : ""}`)),
        page.wayOut()),
      h("div.columns",
        h("div.column", card(t("leagueTable"), this.table), this.crossed, this.plotted),
        h("div.column", this.live, this.over)));
    this.paint();
  }

  toggle() {
    this.standing.hides = !this.standing.hides;
    this.hide.setAttribute("aria-pressed", String(this.standing.hides));
    history.replaceState(null, "", this.standing.hides ? `${location.pathname}?names=no` : location.pathname);
    this.boards.repaint();
    this.paint();
  }

  async follow() {
    await this.standing.follow();
  }

  /** @param {any} message */
  hear(message) {
    this.standing.hear(message);
    this.boards.hear(message);
  }

  paint() {
    const { t, language } = this.page;
    const { board, rows, shown } = this.standing;
    say(this.status, this.standing.progress);
    for (const card of [this.live, this.over, this.crossed, this.plotted]) card.hidden = !board;
    if (!board) return;
    say(this.name, board.title);
    say(this.about, this.page.titleOf(board.game));
    this.title = board.title;
    document.title = `${board.title} · ${t("league")}`;
    keep(this.table, table(rows, board.ties, t, language, shown));
    const cross = crosstable(rows, t, language, shown);
    this.crossed.hidden = cross === null;
    keep(this.cross, cross);
    const drawn = plot(rows, t, shown);
    this.plotted.hidden = drawn === null;
    update(this.plot, drawn);
    const playing = this.standing.playing;
    this.live.hidden = playing.length === 0;
    this.boards.want(playing);
    this.paintGames(board.game);
  }

  /** @param {string} game */
  paintGames(game) {
    const { t } = this.page;
    const newest = this.standing.newest;
    keep(this.games, ...(newest.length ? newest.map((one) => this.game(one, game)) : [h("li.faint", t("noPlayedGames"))]));
    this.more.hidden = this.standing.more === null;
  }

  /** @param {any} one @param {string} game */
  game(one, game) {
    const { t } = this.page;
    const [first, second] = [one.first, one.second].map(this.standing.shown);
    const name = (/** @type {string} */ text, /** @type {number} */ seat) => h(one.winner === seat ? "strong" : "span", {}, text);
    const loser = one.winner === 1 ? second : first;
    const why = ["timeout", "abandoned", "illegal", "crash", "resign"].includes(one.reason) && one.winner ? t(`lostBy_${one.reason}`, { name: loser }) : "";
    return h("li",
      h("span.what",
        h("span", h("span.faint", `${one.number}. `), name(first, 1), " – ", name(second, 2), "  ", h("span.nowrap", scoreText(one))),
        why ? h("span.faint", why) : null),
      one.moves ? button("replay", t("replay"), () => this.page.go(addressOf("replay", game, split(one.moves, this.page.about(game)))), { "data-number": one.number, "aria-label": `${t("replay")} ${one.number}` }) : null);
  }

  close() {
    this.standing.close();
    this.boards.close();
  }
}
