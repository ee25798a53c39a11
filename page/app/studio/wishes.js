/** What the bot is to play: the game, against whom, how fast; or the code of a match or a league. */

import { button, h, replace, say } from "../dom.js";
import { nameOf } from "../house.js";
import { CARD } from "../lobby.js";
import { read, write } from "../kept.js";
import { LONGEST_NAME } from "../who.js";

const KEPT = "arbitre.studio.wishes";
/** Seconds a move. */
const TIMES = [1, 2, 5, 10];
const ITSELF = "";

export class Wishes {
  /**
   * @param {import("../main.js").Page} page
   * @param {App.Speaker} t
   * @param {{ check: () => void, run: () => void, stop: () => void, join: () => void, enter: () => void, game: () => void }} deeds
   */
  constructor(page, t, deeds) {
    this.page = page;
    this.t = t;
    const kept = this.load();
    this.game = select("game", page.t("game"), Object.keys(page.games).map((id) => [id, page.titleOf(id)]), kept.game, deeds.game);
    /** Whom somebody chose; nobody has if it is undefined. @type {string | undefined} */
    this.wanted = typeof kept.rival === "string" ? kept.rival : undefined;
    this.rival = select("rival", t("against"), [[ITSELF, t("itself")]], ITSELF, () => this.choose());
    this.time = select("time", t("time"), TIMES.map((time) => [String(time), page.t("perMove", { time: `${time} s` })]), kept.time ?? "5", () => this.keep());
    this.seat = select("bot-seat", t("seat"), [["first", page.t("first")], ["second", page.t("second")]], kept.seat, () => this.keep());
    this.name = field("bot-name", t("botName"), { maxlength: LONGEST_NAME, value: kept.name ?? "" });
    this.code = field("code", t("matchCode"), { maxlength: 20, autocapitalize: "characters" });
    this.personal = field("personal", t("personal"), { maxlength: 64 });
    this.note = h("p.faint");
    this.begin = button("run", t("run"), deeds.run, { class: "primary" });
    this.element = h("div.wishes",
      h("section.card", h("div.fields", ...[this.game, this.rival, this.time, this.seat, this.name].map(labelled)), this.note,
        h("div.actions", this.begin, button("check", t("check"), deeds.check), button("stop", t("stop"), deeds.stop))),
      h("details.card", h("summary", t("takeSeat")), h("div.fields", labelled(this.code), labelled(this.personal)),
        h("div.actions", button("join-match", t("joinMatch"), deeds.join), button("enter-league", t("enterLeague"), deeds.enter))));
  }

  /** Who can be played against. @param {Iterable<Protocol.Player>} players */
  show(players) {
    const bots = [...players].filter((player) => player.house).sort((one, other) => order(one.name) - order(other.name));
    const choices = [...bots.map((player) => [player.name, nameOf(player, this.page.t)]), [ITSELF, this.t("itself")]];
    const names = choices.map(([value]) => value);
    const chosen = [this.wanted, "random", ...names].find((name) => name !== undefined && names.includes(name));
    say(this.note, bots.length ? "" : this.t("nobodyHere"));
    if ([...this.rival.options].map(({ value }) => value).join("\n") === names.join("\n")) return;
    replace(this.rival, ...choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
  }

  /** Somebody has chosen whom to play against. */
  choose() {
    this.wanted = this.rival.value;
    this.keep();
  }

  /** What is asked of the server; without a rival, the bot plays against itself. @returns {App.Fields<"create">} */
  get wish() {
    const seat = /** @type {"first" | "second"} */ (this.seat.value);
    const invite = this.rival.value === ITSELF ? [] : [this.rival.value];
    return { game: this.game.value, clock: { move_ms: Number(this.time.value) * 1000 }, seat, invite, public: false };
  }

  /** The two codes, also where both stand in the first field, as the class writes them for a terminal. */
  get codes() {
    const code = this.code.value.toUpperCase().replace(/[^A-Z0-9]/g, "");
    const personal = this.personal.value.trim();
    return code.length === 6 + CARD && !personal ? { code: code.slice(0, 6), personal: code.slice(6) } : { code, personal };
  }

  /** What is wrong with the first code before anybody is asked; empty if nothing. */
  get misplaced() {
    const { length } = this.codes.code;
    return length === CARD ? this.t("codeOfCard") : length === 6 ? "" : this.page.t("codeOfSix");
  }

  get botName() {
    return this.name.value.trim() || this.t("botOf", { name: this.page.me() }).slice(0, LONGEST_NAME);
  }

  load() {
    try {
      const found = JSON.parse(read(KEPT) ?? "{}");
      return found && typeof found === "object" ? found : {};
    } catch {
      return {};
    }
  }

  keep() {
    const kept = { game: this.game.value, rival: this.wanted, time: this.time.value, seat: this.seat.value, name: this.name.value };
    write(KEPT, JSON.stringify(kept));
  }
}

/** Levels last, in their order: what a first bot can beat stands on top. @param {string} name */
function order(name) {
  const level = /level=(\d+)$/.exec(name)?.[1];
  return level ? 100 + Number(level) : name === "random" ? 0 : 1;
}

/**
 * @param {string} name
 * @param {string} label
 * @param {string[][]} choices
 * @param {string | undefined} chosen
 * @param {() => void} changed
 */
function select(name, label, choices, chosen, changed) {
  return /** @type {HTMLSelectElement} */ (h("select", { name, "data-label": label, change: changed },
    ...choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}

/** @param {string} name @param {string} label @param {Record<string, any>} more */
function field(name, label, more) {
  return /** @type {HTMLInputElement} */ (h("input", { name, "data-label": label, autocomplete: "off", ...more }));
}

/** @param {HTMLElement} control */
function labelled(control) {
  return h("label.field", h("span", control.dataset.label ?? ""), control);
}
