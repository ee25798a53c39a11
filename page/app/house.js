/** The bots of the house: whom of them to play, in the lobby and from any position. */

import { button, chip, h, replace, say, does } from "./dom.js";
import { read, write } from "./kept.js";

const KEPT = "arbitre.house";
const LEVEL = /^([^:]+):level=(\d+)$/;
const DEPTH = /^minimax:depth=(\d+)$/;

/** What the page calls a bot of the house. @param {string} name @param {App.Speaker} t */
function houseName(name, t) {
  const level = LEVEL.exec(name)?.[2];
  if (level) return t("level", { level });
  const depth = DEPTH.exec(name)?.[1];
  return depth ? t("minimax", { count: depth }) : name === "random" ? t("chance") : name;
}

/** How the page calls who is on a seat. @param {{ name: string, house?: boolean } | null | undefined} player @param {App.Speaker} t */
export function nameOf(player, t) {
  if (!player) return t("freeSeat");
  return player.house ? houseName(player.name, t) : player.name;
}

/** One bot of the house, chosen from chips: levels first, in their order, then the others by their names. */
export class Opponents {
  /** @param {App.Speaker} t */
  constructor(t) {
    this.t = t;
    this.chosen = read(KEPT) ?? "";
    /** @type {string[]} */
    this.names = [];
    this.chips = h("div.chips.levels");
    this.element = h("fieldset", h("legend", t("levelOrBot")), this.chips);
  }

  /** @param {Iterable<Protocol.Player>} players who is here, of whom the bots of the house are taken */
  show(players) {
    const names = [...players].filter((player) => player.house).map((player) => player.name).sort(byLevel);
    if (names.join("\n") === this.names.join("\n")) return;
    this.names = names;
    if (!names.includes(this.chosen)) this.chosen = names.find((name) => LEVEL.exec(name)?.[2] === "3") ?? names[0] ?? "";
    replace(this.chips, ...names.map((name) => this.chip(name)));
  }

  /** @param {string} name */
  chip(name) {
    return chip("house", name, LEVEL.exec(name)?.[2] ?? houseName(name, this.t), name === this.chosen, () => this.choose(name), { "aria-label": houseName(name, this.t) });
  }

  /** @param {string} name */
  choose(name) {
    this.chosen = name;
    write(KEPT, name);
  }
}

/** A small form: against whom, and on which seat, a game of the house begins; from the first position or from another. */
export class Challenge {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    const { t } = page;
    this.opponents = new Opponents(t);
    this.seat = "first";
    this.trouble = h("p.trouble", { role: "alert" });
    this.seats = h("div.chips");
    /** @type {Partial<App.Fields<"create">> & { game: string }} */
    this.wish = { game: "" };
    this.begin = h("button", { type: "submit", class: "primary", "data-action": "play-house" }, t("playHouse"));
    this.element = h("form.card.form.challenge", { hidden: true, submit: does(() => this.submit()) },
      h("h2", t("playFrom")), this.opponents.element,
      h("fieldset", h("legend", t("youPlay")), this.seats), this.trouble,
      h("div.actions", this.begin, button("cancel", t("cancel"), () => this.hide())));
  }

  /**
   * Asks who is there, and shows the form.
   * @param {Partial<App.Fields<"create">> & { game: string }} wish what game, and from where
   * @param {string} title the key of what the form is called
   * @param {string} seat the seat that is chosen first
   */
  async open(wish, title, seat) {
    const { t } = this.page;
    this.wish = wish;
    this.seat = seat;
    say(/** @type {Element} */ (this.element.querySelector("h2")), t(title));
    say(this.trouble, "");
    replace(this.seats, ...["first", "second"].map((name) => chip("house-seat", name, t(name), name === this.seat, () => (this.seat = name))));
    const ok = await this.page.ask("list", { limit: 1 }).catch(() => null);
    this.opponents.show(ok?.players ?? []);
    const isEmpty = this.opponents.names.length === 0;
    this.begin.toggleAttribute("disabled", isEmpty);
    if (isEmpty) say(this.trouble, t("noHouse"));
    this.element.hidden = false;
    /** @type {HTMLElement | null} */ (this.element.querySelector("input:checked"))?.focus();
  }

  hide() {
    this.element.hidden = true;
  }

  async submit() {
    say(this.trouble, "");
    try {
      const seat = /** @type {"first" | "second"} */ (this.seat);
      await this.page.create({ ...this.wish, seat, invite: [this.opponents.chosen] });
    } catch (error) {
      say(this.trouble, this.page.refusal(error));
    }
  }
}

/**
 * The position from which a game can go on: the one that is looked at, or the one before if that is the end.
 * @param {readonly string[]} moves
 * @param {number} at
 * @param {import("./match.js").Board | undefined} board
 */
export function opening(moves, at, board) {
  const isOver = at >= moves.length && Object.keys(board?.moves ?? {}).length === 0;
  return moves.slice(0, isOver ? Math.max(0, at - 1) : at);
}

/** @param {string} one @param {string} other */
function byLevel(one, other) {
  const [a, b] = [LEVEL.exec(one), LEVEL.exec(other)];
  if (a && b) return a[1] === b[1] ? Number(a[2]) - Number(b[2]) : a[1] < b[1] ? -1 : 1;
  return a ? -1 : b ? 1 : one < other ? -1 : 1;
}
