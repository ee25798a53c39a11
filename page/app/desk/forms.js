/** The forms of the desk: a league, a simul, a message, switches. */

import { split } from "../addresses.js";
import { ruleText } from "../clocks.js";
import { chip, h, input, say, does } from "../dom.js";
import { openDialog } from "../settings.js";
import { LONGEST_NAME } from "../who.js";

/** @typedef {import("../main.js").Page} Page */

/** Moments a move, and whole times: what a lesson needs. */
const CLOCKS = /** @type {[string, Protocol.Clock | null][]} */ ([
  ["default", null],
  ["1s", { move_ms: 1000 }],
  ["5s", { move_ms: 5000 }],
  ["3+2", { initial_ms: 180_000, increment_ms: 2000 }],
  ["5+3", { initial_ms: 300_000, increment_ms: 3000 }],
  ["10+5", { initial_ms: 600_000, increment_ms: 5000 }],
]);

/**
 * A choice of a game: that of the class with its options, or another one as it usually is.
 * @param {Page} page @param {string} game that of the class @param {(game: string) => void} [changed]
 */
export function gameChoice(page, game, changed = () => undefined) {
  const others = Object.keys(page.games).filter((name) => name !== game);
  const element = /** @type {HTMLSelectElement} */ (h("select", { name: "game", change: () => changed(element.value) },
    ...[game, ...others].map((name) => h("option", { value: name }, page.titleOf(name)))));
  return { element, get value() { return element.value; } };
}

/**
 * One of several, as chips in a row.
 * @param {string} name @param {string} label @param {[string, string][]} choices values and what they are called
 */
function chips(name, label, choices) {
  const chosen = { value: choices[0][0] };
  const made = choices.map(([value, text]) => chip(name, value, text, value === chosen.value, () => (chosen.value = value)));
  return { chosen, element: h("fieldset", h("legend", label), h("div.chips", ...made)) };
}

/** @param {string} name @param {string} text @param {boolean} [checked] */
function check(name, text, checked = false) {
  const box = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", name, checked }));
  return { box, element: h("label.check", box, h("span", text)) };
}

/** @param {Page} page @param {string} usual what is so if nothing is chosen */
function clocks(page, usual) {
  const { t } = page;
  return chips("clock", t("clock"), CLOCKS.map(([name, rule]) => [name, rule ? ruleText(rule, t) : usual]));
}

/** The time control of a choice; undefined leaves that of the class. @param {string} name */
const ruleOf = (name) => CLOCKS.find(([one]) => one === name)?.[1] ?? undefined;

export class LeagueForm {
  /** @param {Page} page @param {School.Desk} desk @param {(letter: School.Begin) => void} begin */
  constructor(page, desk, begin) {
    const { t } = page;
    this.page = page;
    this.begin = begin;
    this.what = chips("what", t("whoPlays"), [["bots", t("leagueOfBots")], ["people", t("leagueOfPeople")]]);
    this.counts = chips("graded", t("counts"), [["friendly", t("friendly")], ["graded", t("isGraded")]]);
    this.format = chips("format", t("format"), [["usual", t("usualFormat")], ["swiss", t("swiss")], ["round_robin", t("roundRobin")]]);
    this.game = gameChoice(page, desk.game);
    this.clock = clocks(page, t("classClock"));
    this.rounds = input(t("rounds"), { type: "number", name: "rounds", min: 1, max: 100, size: 4, placeholder: t("roundsUsual") });
    this.opening = input(t("openingMoves"), { name: "opening", autocapitalize: "none", placeholder: t("openingNone") });
    this.hidden = check("hidden", t("hideOnWall"));
    this.trouble = h("p.trouble", { role: "alert" });
  }

  open() {
    const { t } = this.page;
    const dialog = openDialog("league-form", t("newLeague"), t, h("form.form", { submit: does(() => this.submit(dialog)) },
      this.what.element, this.counts.element, this.format.element,
      h("div.form-row", h("label.field", h("span", t("game")), this.game.element), h("label.field", h("span", t("rounds")), this.rounds),
        h("label.field", h("span", t("openingMoves")), this.opening)),
      this.clock.element, this.hidden.element, this.trouble,
      h("p", h("button", { type: "submit", class: "primary", "data-action": "begin-league" }, t("beginLeague")))));
  }

  /** @param {HTMLDialogElement} dialog */
  async submit(dialog) {
    const opening = split(this.opening.value);
    const game = this.game.value;
    try {
      if (opening.length) await this.page.ask("boards", { game, moves: opening, since: opening.length });
    } catch (error) {
      say(this.trouble, `${this.page.t("openingMoves")} — ${this.page.refusal(error, game, opening)}`);
      return;
    }
    if (!dialog.open) return; // somebody was quicker, twice or with Escape
    dialog.close();
    this.begin({
      type: "begin", what: /** @type {"bots" | "people"} */ (this.what.chosen.value), game, format: /** @type {School.Begin["format"]} */ (this.format.chosen.value),
      rounds: Number(this.rounds.value) || undefined, clock: ruleOf(this.clock.chosen.value), graded: this.counts.chosen.value === "graded",
      hidden: this.hidden.box.checked, opening,
    });
  }
}

export class SimulForm {
  /** @param {Page} page @param {School.Desk} desk @param {string[]} names who is here @param {(letter: School.Simul) => void} begin */
  constructor(page, desk, names, begin) {
    const { t } = page;
    this.page = page;
    this.begin = begin;
    this.names = names;
    this.game = gameChoice(page, desk.game);
    this.clock = clocks(page, t("noClock"));
    this.seat = chips("simul-seat", t("youPlay"), [["first", t("first")], ["second", t("second")]]);
    this.boxes = names.map((name) => check(name, name, true));
    this.trouble = h("p.trouble", { role: "alert" });
  }

  open() {
    const { t } = this.page;
    const dialog = openDialog("simul-form", t("simul"), t, h("p.faint", t("simulHelp")), h("form.form", { submit: does(() => this.submit(dialog)) },
      h("fieldset", h("legend", t("against_whom")), this.names.length ? h("div.checks", ...this.boxes.map(({ element }) => element)) : h("p", t("nobodyHere"))),
      h("label.field", h("span", t("game")), this.game.element), this.seat.element, this.clock.element, this.trouble,
      h("p", h("button", { type: "submit", class: "primary", "data-action": "begin-simul", disabled: !this.names.length }, t("beginSimul")))));
  }

  /** @param {HTMLDialogElement} dialog */
  submit(dialog) {
    const names = this.boxes.filter(({ box }) => box.checked).map(({ box }) => box.name);
    if (!names.length) {
      say(this.trouble, this.page.t("chooseSomebody"));
      return;
    }
    dialog.close();
    this.begin({ type: "simul", me: this.page.me(), game: this.game.value, clock: ruleOf(this.clock.chosen.value), seat: /** @type {"first" | "second"} */ (this.seat.chosen.value), names });
  }
}

/**
 * Asks for a text, which stays to be seen until it is written.
 * @param {Page} page @param {string} name @param {string} title @param {string} help @param {number} longest
 * @param {(text: string) => Promise<boolean>} done says whether it was written
 */
export function askText(page, name, title, help, longest, done) {
  const { t } = page;
  const field = /** @type {HTMLTextAreaElement} */ (h("textarea", { name: "text", rows: 3, maxlength: longest, "aria-label": title }));
  const trouble = h("p.trouble", { role: "alert" });
  const dialog = openDialog(`${name}-form`, title, t, h("p.faint", help), h("form.form", { submit: does(async () => {
    const text = field.value.trim().replace(/\s+/g, " ");
    if (!text) return;
    say(trouble, "");
    if (await done(text)) dialog.close();
    else say(trouble, t("notSent"));
  }) }, field, trouble, h("p", h("button", { type: "submit", class: "primary", "data-action": `${name}-send` }, t("send")))));
  field.focus();
}

/** Asks for a name, with what it was before. @param {Page} page @param {string} title @param {string} before @param {(name: string) => void} done */
export function askName(page, title, before, done) {
  const { t } = page;
  const field = input(title, { name: "name", value: before, maxlength: LONGEST_NAME });
  const dialog = openDialog("name-form", title, t, h("form.typed", { submit: does(() => {
    const name = field.value.trim();
    if (!name || name === before) return;
    dialog.close();
    done(name);
  }) }, field, h("button", { type: "submit", class: "primary", "data-action": "name-send" }, t("keep"))));
  field.focus();
}

/** Asks who of several. @param {Page} page @param {string} title @param {string} help @param {string[]} names @param {(name: string) => void} done */
export function askWho(page, title, help, names, done) {
  const { t } = page;
  const list = /** @type {HTMLSelectElement} */ (h("select", { name: "who", "aria-label": title }, ...names.map((name) => h("option", { value: name }, name))));
  const dialog = openDialog("who-form", title, t, h("p.faint", help), h("form.typed", { submit: does(() => {
    dialog.close();
    done(list.value);
  }) }, list, h("button", { type: "submit", class: "primary", "data-action": "who-send", disabled: !names.length }, t("yes"))));
}

/**
 * The switches; a change holds at once.
 * @param {Page} page @param {School.Allowed} allowed @param {(turn: Omit<School.Turn, "type">) => Promise<boolean>} turn says whether it was written
 */
export function askSwitches(page, allowed, turn) {
  const { t } = page;
  const rows = /** @type {const} */ (["chat", "takebacks", "values", "hints"]).map((name) => {
    const one = check(`switch-${name}`, t(`switch_${name}`), allowed[name] ?? true);
    one.box.addEventListener("change", async () => {
      const { checked } = one.box;
      if (!(await turn({ [name]: checked }))) one.box.checked = !checked;
    });
    return one.element;
  });
  openDialog("switches-form", t("switches"), t, h("p.faint", t("switchesHelp")), ...rows);
}
