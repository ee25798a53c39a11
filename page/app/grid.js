/** Several boards on one page: those that the address names, or whatever is being played, as long as there is room. */

import { button, h, say, statusLine } from "./dom.js";
import { Boards } from "./small.js";

/** How many boards stand on one page. */
export const MOST_BOARDS = 30;

const LINGER_MS = 6000;

/**
 * Which matches to show: those that stand there as long as they are not over for a while, then new ones.
 * @param {string[]} shown what is shown now, in its order
 * @param {Map<string, number>} over since when, of those that are over
 * @param {string[]} playing what is played now, the newest first
 * @param {number} now
 * @param {number} most
 */
export function choose(shown, over, playing, now, most) {
  const stays = (/** @type {string} */ id) => playing.includes(id) || (over.has(id) && now - (over.get(id) ?? 0) < LINGER_MS);
  const waiting = playing.filter((id) => !shown.includes(id));
  const places = shown.flatMap((id) => (stays(id) ? [id] : waiting.length ? [/** @type {string} */ (waiting.shift())] : []));
  return [...places, ...waiting].slice(0, most);
}

/** How many boards there are. @param {number} count @param {App.Speaker} t */
export function countText(count, t) {
  return t(count === 0 ? "noLiveGames" : count === 1 ? "oneBoard" : "boardCount", { count });
}

/** What is played on the server, as the lobby tells it; for views that show it. */
export class Playing {
  /** @param {import("./main.js").Page} page @param {number} most @param {(ids: string[]) => void} changed */
  constructor(page, most, changed) {
    this.page = page;
    this.most = most;
    this.changed = changed;
    /** @type {Set<string>} */
    this.ids = new Set();
    /** @type {Map<string, number>} */
    this.over = new Map();
    /** @type {string[]} */
    this.shown = [];
    this.timer = setInterval(() => this.look(), LINGER_MS / 3);
  }

  async follow() {
    const ok = await this.page.ask("lobby");
    this.ids.clear();
    for (const match of [...(ok.matches ?? [])].reverse()) this.take(match);
    this.look();
  }

  /** @param {any} match */
  take(match) {
    if (match.status === "playing" || match.status === "paused") this.ids.add(match.match);
  }

  /** @param {any} message */
  hear(message) {
    if (message.type !== "lobby_changed") return;
    if (message.again) {
      this.follow().catch(() => undefined);
      return;
    }
    for (const match of message.matches ?? []) this.take(match);
    for (const id of message.gone ?? []) {
      if (this.ids.delete(id) && this.shown.includes(id)) this.over.set(id, performance.now());
    }
    this.look();
  }

  look() {
    const shown = choose(this.shown, this.over, [...this.ids].reverse(), performance.now(), this.most);
    for (const id of this.over.keys()) if (!shown.includes(id)) this.over.delete(id);
    if (String(shown) === String(this.shown)) return;
    this.shown = shown;
    this.changed(shown);
  }

  close() {
    clearInterval(this.timer);
    this.page.tell("lobby", { follow: false });
  }
}

export class Grid {
  /** @param {import("./main.js").Page} page @param {string[]} ids those that the address names; none for all */
  constructor(page, ids) {
    const { t } = page;
    this.page = page;
    this.ids = ids.slice(0, MOST_BOARDS);
    this.title = t("manyBoards");
    this.boards = new Boards(page, { links: true, games: true });
    this.playing = this.ids.length ? null : new Playing(page, MOST_BOARDS, (shown) => this.show(shown));
    this.status = statusLine(t("loading"));
    this.element = h("div.many",
      h("div.head", h("h1", t("manyBoards")), this.status,
        button("wall", t("projector"), () => page.go(`/wall${this.ids.length ? `?m=${this.ids.join(",")}` : ""}`)),
        page.wayOut()),
      this.boards.element);
  }

  async follow() {
    if (this.playing) await this.playing.follow();
    this.show(this.playing ? this.playing.shown : this.ids);
  }

  /** @param {string[]} ids */
  show(ids) {
    this.boards.want(ids);
    say(this.status, countText(ids.length, this.page.t));
  }

  /** @param {any} message */
  hear(message) {
    this.playing?.hear(message);
    this.boards.hear(message);
  }

  close() {
    this.playing?.close();
    this.boards.close();
  }
}
