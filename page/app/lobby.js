/** The lobby: who is here, what is played, and how to begin. */

import { addressOf } from "./addresses.js";
import { ruleText } from "./clocks.js";
import { button, card, chip, h, input, keep, replace, does } from "./dom.js";
import { nameOf, Opponents } from "./house.js";

const CLOCKS = /** @type {[string, Protocol.Clock | null][]} */ ([
  ["none", null],
  ["1+0", { initial_ms: 60_000 }],
  ["3+2", { initial_ms: 180_000, increment_ms: 2000 }],
  ["5+3", { initial_ms: 300_000, increment_ms: 3000 }],
  ["10+5", { initial_ms: 600_000, increment_ms: 5000 }],
  ["30+0", { initial_ms: 1_800_000 }],
]);

/** The letters of the code of a pupil's card. */
export const CARD = 8;

export class Lobby {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.matches = new Map();
    this.players = new Map();
    this.open = h("ul.list");
    this.waiting = card(page.t("openGames"), this.open);
    this.live = h("ul.list");
    this.people = h("ul.list.people");
    this.opponents = new Opponents(page.t);
    this.house = this.houseForm();
    /** @type {readonly Protocol.LeagueSummary[]} */
    this.leagues = [];
    this.all = button("watch-all", page.t("watchAll"), () => page.go("/watch"), { class: "all", hidden: true });
    this.shown = h("ul.list");
    this.leagueCard = h("section.card", { hidden: true }, h("h2", page.t("leagues")), this.shown);
    this.trouble = h("p.trouble", { role: "alert" });
    this.options = h("div.options");
    this.unfolded = false;
    this.choice = { game: Object.keys(page.games)[0], clock: "5+3", seat: "random", isPrivate: false };
    this.element = this.build();
    this.title = page.t("lobby");
  }

  build() {
    const { t } = this.page;
    return h(
      "div",
      { class: "lobby" },
      h("section.card.create", h("h1", t("newGame")), this.form(), this.trouble),
      this.waiting,
      this.leagueCard,
      card(t("liveGames"), this.live, this.all),
      card(t("people"), this.people),
    );
  }

  form() {
    const { t, games } = this.page;
    const game = h("select", { name: "game", change: () => this.chooseGame(/** @type {any} */ (game).value) },
      ...Object.keys(games).map((id) => h("option", { value: id }, this.page.titleOf(id))));
    const presets = CLOCKS.map(([name, rule]) => chip("clock", name, ruleText(rule, t), name === this.choice.clock, () => (this.choice.clock = name)));
    const seats = ["first", "second", "random"].map((seat) => chip("seat", seat, t(seat), seat === this.choice.seat, () => (this.choice.seat = seat)));
    const hidden = h("input", { type: "checkbox", name: "private", change: () => (this.choice.isPrivate = /** @type {any} */ (hidden).checked) });
    const code = input(t("joinCode"), { name: "code", maxlength: 20, size: 8, autocapitalize: "characters", placeholder: "ABCDEF" });
    this.chooseGame(this.choice.game);
    const create = h("form.form", { submit: does(() => this.attempt(() => this.create())) },
      h("label.field", h("span", t("game")), game),
      this.options,
      h("fieldset", h("legend", t("clock")), h("div.chips", ...presets)),
      h("fieldset", h("legend", t("youPlay")), h("div.chips", ...seats)),
      h("label.check", hidden, h("span", t("isPrivate"))),
      this.house,
      h("button", { type: "submit", class: "primary", "data-action": "create" }, t("createAndWait")),
      h("div.actions",
        button("local", t("local"), () => this.page.go(addressOf("local", this.spec()))),
        button("explore", t("explore"), () => this.page.go(addressOf("explore", this.spec()))),
        button("exercises", t("exercises"), () => this.page.go("/exercises")),
        button("studio", t("studio"), () => this.page.go("/studio"))));
    const join = h("form.join", { submit: does(() => this.enterCode(code.value)) },
      h("label.field", h("span", t("joinCode")), code),
      h("button", { type: "submit", "data-action": "join-code" }, t("join")));
    return h("div", create, join);
  }

  /** One click begins a game against a bot of the house, as the form says. */
  houseForm() {
    const { t } = this.page;
    const begin = () => this.attempt(() => this.create([this.opponents.chosen]));
    return h("section.house", { "aria-label": t("againstHouse"), hidden: true },
      this.opponents.element, button("play-house", t("playHouse"), begin, { class: "primary" }));
  }

  /** Joins the game of a code; of codes of classes and cards it says where they go. @param {string} typed */
  async enterCode(typed) {
    const { t } = this.page;
    const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
    if (!/^[A-Z]{6}$/.test(code)) {
      this.trouble.textContent = t(code.length === CARD ? "codeOfCard" : "codeOfSix");
      return;
    }
    await this.enter({ code });
    if (![t("why_bad_code"), t("why_no_such_match")].includes(this.trouble.textContent ?? "")) return;
    this.trouble.append(` ${t("codeOfClass")} `, h("a", { href: `/class/${code}`, "data-action": "try-class" }, `/class/${code}`));
  }

  /** Does something, and says why not. @param {() => Promise<void>} act */
  async attempt(act) {
    this.trouble.textContent = "";
    try {
      await act();
    } catch (error) {
      this.trouble.textContent = this.page.refusal(error);
    }
  }

  /** @param {string} id */
  chooseGame(id) {
    this.choice.game = id;
    replace(this.options, ...this.page.games[id].options.map((option) =>
      h("label.field.small", h("span", option.label[this.page.language]),
        h("select", { name: `option-${option.name}` },
          ...option.choices.map((value, n) => {
            const shown = option.values[n]?.[this.page.language] ?? String(value);
            const made = /** @type {HTMLOptionElement} */ (h("option", { value }, shown));
            made.defaultSelected = value === option.default;
            return made;
          })))));
  }

  spec() {
    const { options } = this.page.games[this.choice.game];
    const set = options
      .map((option) => ({ option, value: /** @type {HTMLSelectElement} */ (this.options.querySelector(`[name="option-${option.name}"]`)).value }))
      .filter(({ option, value }) => value !== String(option.default))
      .map(({ option, value }) => `${option.name}=${value}`);
    return set.length ? `${this.choice.game}:${set.join(",")}` : this.choice.game;
  }

  /** @param {string[]} [invite] */
  async create(invite = []) {
    const clock = CLOCKS.find(([name]) => name === this.choice.clock)?.[1] ?? null;
    await this.page.create({
      game: this.spec(), clock: clock ?? undefined, seat: /** @type {"first" | "second" | "random"} */ (this.choice.seat), public: !this.choice.isPrivate, invite,
    });
  }

  /** Takes a seat. @param {App.Fields<"join">} where */
  enter(where) {
    return this.attempt(() => this.page.join(where));
  }

  // ------------------------------------------------------------------------------------------------------ what changes

  /** Asks for the lobby, and to be told what changes; to be called whenever a connection has come about. */
  async follow() {
    const ok = await this.page.ask("lobby");
    this.matches = new Map((ok.matches ?? []).map((match) => [match.match, match]));
    this.players = new Map((ok.players ?? []).map((player) => [player.name, player]));
    this.leagues = ok.leagues ?? [];
    this.paint();
  }

  /** @param {App.Told} message */
  hear(message) {
    if (message.type !== "lobby_changed") return;
    if (message.again) {
      this.follow().catch(() => undefined);
      return;
    }
    for (const match of message.matches ?? []) this.matches.set(match.match, match);
    this.leagues = message.leagues ?? this.leagues;
    for (const id of message.gone ?? []) this.matches.delete(id);
    for (const player of message.players ?? []) {
      if (player.present === false) this.players.delete(player.name);
      else this.players.set(player.name, player);
      this.sees(player);
    }
    this.paint();
  }

  /** Somebody came or went: the lobby tells that of them, and not of their games. @param {Protocol.Player} who */
  sees({ name, present = true }) {
    for (const { players } of this.matches.values()) {
      for (const player of players) if (player?.name === name) player.present = present;
    }
  }

  paint() {
    const { t } = this.page;
    const matches = [...this.matches.values()].filter((match) => match.status !== "finished").reverse()
      .sort((one, other) => this.place(one) - this.place(other));
    const waiting = matches.filter((match) => match.status === "waiting");
    const playing = matches.filter((match) => match.status !== "waiting");
    const others = [...this.players.values()].filter((player) => player.name !== this.page.me());
    fill(this.open, waiting.map((match) => this.row(match)), t("noOpenGames"));
    this.waiting.classList.toggle("first", waiting.length > 0);
    fill(this.live, playing.map((match) => this.row(match)), t("noLiveGames"));
    this.all.hidden = playing.length === 0;
    this.leagueCard.hidden = this.leagues.length === 0;
    keep(this.shown, ...this.leagues.map((league) => this.league(league)));
    const [house, people] = [others.filter((player) => player.house), others.filter((player) => !player.house)];
    fill(this.people, people.map((player) => this.person(player)), t("nobody"), this.folded(house));
    this.opponents.show(house);
    this.house.hidden = !house.length;
  }

  /** Bots of the house, who are many, stand folded below the people. @param {Protocol.Player[]} house */
  folded(house) {
    if (!house.length) return null;
    const { t } = this.page;
    const rows = this.opponents.names.flatMap((name) => house.filter((player) => player.name === name)).map((player) => this.person(player));
    return h("li", h("details", { open: this.unfolded, toggle: (/** @type {Event} */ event) => (this.unfolded = /** @type {any} */ (event.target).open) },
      h("summary", t("house", { count: house.length })), h("ul.list", ...rows)));
  }

  /** @param {Protocol.LeagueSummary} league */
  league(league) {
    const { t } = this.page;
    const state = { open: t("stateOpen"), running: t("stateRunning"), finished: t("stateFinished") }[league.state];
    return h("li",
      h("div.what", h("strong", league.title),
        h("span.faint", `${this.page.titleOf(league.game)} · ${state} · ${t("botCount", { count: league.players ?? 0 })}`)),
      button("league", t("watch"), () => this.page.go(`/l/${league.league}`), { "data-league": league.league }));
  }

  /** One's own matches come first, those whose player has gone last. @param {Protocol.MatchSummary} match */
  place(match) {
    if (match.players.some((player) => player?.name === this.page.me())) return 0;
    return match.players.some((player) => player?.present === false) ? 2 : 1;
  }

  /** @param {Protocol.MatchSummary} match */
  row(match) {
    const { t } = this.page;
    const names = match.players.map((player) => `${nameOf(player, t)}${player?.present === false ? ` (${t("away")})` : ""}`);
    const isMine = this.place(match) === 0;
    const joins = match.status === "waiting" && !isMine;
    const act = isMine ? ["back", t("backToGame")] : joins ? ["join", t("join")] : ["watch", t("watch")];
    return h("li",
      h("div.what",
        h("strong", this.page.titleOf(match.game)),
        h("span.faint", ruleText(match.clock, t)),
        h("span", `${names[0]} – ${names[1]}`)),
      button(act[0], act[1], () => (joins ? this.enter({ match: match.match }) : this.page.go(`/m/${match.match}`)), { "data-match": match.match }));
  }

  /** @param {Protocol.Player} player */
  person(player) {
    const { t } = this.page;
    const kind = player.kind === "bot" ? h("span.tag", t("bot")) : null;
    const invite = () => this.attempt(() => this.create([player.name]));
    return h("li", h("div.what.row", h("span", nameOf(player, t)), kind), button("challenge", t("challenge"), invite, { "data-player": player.name }));
  }

  /** Leaves the view. */
  close() {
    this.page.tell("lobby", { follow: false });
  }
}

/** @param {Element} list @param {HTMLElement[]} rows @param {string} otherwise @param {HTMLElement | null} [last] below them */
function fill(list, rows, otherwise, last = null) {
  keep(list, ...(rows.length ? rows : [h("li.faint", otherwise)]), last);
}
