/** The lobby: who is here, what is played, and how to begin. */

import { ruleText } from "./clocks.js";
import { button, h, replace } from "./dom.js";
import { nameOf, Opponents } from "./house.js";
import { gameText } from "./players.js";
import { refusalText } from "./texts.js";

const CLOCKS = /** @type {[string, Protocol.Clock | null][]} */ ([
  ["none", null],
  ["1+0", { initial_ms: 60_000 }],
  ["3+2", { initial_ms: 180_000, increment_ms: 2000 }],
  ["5+3", { initial_ms: 300_000, increment_ms: 3000 }],
  ["10+5", { initial_ms: 600_000, increment_ms: 5000 }],
  ["30+0", { initial_ms: 1_800_000 }],
]);

export class Lobby {
  /** @param {import("./main.js").Page} page */
  constructor(page) {
    this.page = page;
    this.matches = new Map();
    this.players = new Map();
    this.open = h("ul", { class: "list" });
    this.waiting = h("section", { class: "card" }, h("h2", {}, page.t("openGames")), this.open);
    this.live = h("ul", { class: "list" });
    this.people = h("ul", { class: "list people" });
    this.opponents = new Opponents(page.t);
    this.house = this.houseForm();
    /** @type {readonly Protocol.LeagueSummary[]} */
    this.leagues = [];
    this.all = button("watch-all", page.t("watchAll"), () => page.go("/watch"), { class: "all", hidden: true });
    this.shown = h("ul", { class: "list" });
    this.leagueCard = h("section", { class: "card", hidden: true }, h("h2", {}, page.t("leagues")), this.shown);
    this.trouble = h("p", { class: "trouble", role: "alert" });
    this.options = h("div", { class: "options" });
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
      h("section", { class: "card create" }, h("h1", {}, t("newGame")), this.form(), this.trouble),
      this.waiting,
      this.leagueCard,
      h("section", { class: "card" }, h("h2", {}, t("liveGames")), this.live, this.all),
      h("section", { class: "card" }, h("h2", {}, t("people")), this.people),
    );
  }

  form() {
    const { t, games, language } = this.page;
    const game = h("select", { name: "game", change: () => this.chooseGame(/** @type {any} */ (game).value) },
      ...Object.keys(games).map((id) => h("option", { value: id }, gameText(id, games, language))));
    const presets = CLOCKS.map(([name, rule]) =>
      h("label", { class: "chip" },
        h("input", { type: "radio", name: "clock", value: name, checked: name === this.choice.clock, change: () => (this.choice.clock = name) }),
        h("span", {}, ruleText(rule, t))));
    const seats = ["first", "second", "random"].map((seat) =>
      h("label", { class: "chip" },
        h("input", { type: "radio", name: "seat", value: seat, checked: seat === this.choice.seat, change: () => (this.choice.seat = seat) }),
        h("span", {}, t(seat))));
    const hidden = h("input", { type: "checkbox", name: "private", change: () => (this.choice.isPrivate = /** @type {any} */ (hidden).checked) });
    const code = h("input", { name: "code", maxlength: 6, size: 8, autocomplete: "off", autocapitalize: "characters", "aria-label": t("joinCode"), placeholder: "ABCDEF" });
    this.chooseGame(this.choice.game);
    const create = h("form", { class: "form", submit: (/** @type {Event} */ event) => this.submit(event, () => this.create()) },
      h("label", { class: "field" }, h("span", {}, t("game")), game),
      this.options,
      h("fieldset", {}, h("legend", {}, t("clock")), h("div", { class: "chips" }, ...presets)),
      h("fieldset", {}, h("legend", {}, t("youPlay")), h("div", { class: "chips" }, ...seats)),
      h("label", { class: "check" }, hidden, h("span", {}, t("isPrivate"))),
      this.house,
      h("button", { type: "submit", class: "primary", "data-action": "create" }, t("createAndWait")),
      h("div", { class: "actions" },
        button("local", t("local"), () => this.page.go(`/local/${encodeURIComponent(this.spec())}`)),
        button("explore", t("explore"), () => this.page.go(`/explore/${encodeURIComponent(this.spec())}`)),
        button("exercises", t("exercises"), () => this.page.go("/exercises"))));
    const join = h("form", { class: "join", submit: (/** @type {Event} */ event) => this.submit(event, () => this.enter(/** @type {any} */ (code).value.trim())) },
      h("label", { class: "field" }, h("span", {}, t("joinCode")), code),
      h("button", { type: "submit", "data-action": "join-code" }, t("join")));
    return h("div", {}, create, join);
  }

  /** One click begins a game against a bot of the house, as the form says. */
  houseForm() {
    const { t } = this.page;
    const begin = () => this.submit(new Event("submit"), () => this.create([this.opponents.chosen]));
    return h("section", { class: "house", "aria-label": t("againstHouse"), hidden: true },
      this.opponents.element, button("play-house", t("playHouse"), begin, { class: "primary" }));
  }

  /** @param {Event} event @param {() => Promise<void>} act */
  async submit(event, act) {
    event.preventDefault();
    this.trouble.textContent = "";
    try {
      await act();
    } catch (error) {
      this.trouble.textContent = refusalText(error, this.page.t);
    }
  }

  /** @param {string} id */
  chooseGame(id) {
    this.choice.game = id;
    replace(this.options, ...this.page.games[id].options.map((option) =>
      h("label", { class: "field small" }, h("span", {}, option.label[this.page.language]),
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
    const ok = await this.page.connection.ask("create", {
      game: this.spec(), clock: clock ?? undefined, seat: /** @type {"first" | "second" | "random"} */ (this.choice.seat), public: !this.choice.isPrivate, invite,
    });
    this.page.go(`/m/${ok.match}`);
  }

  /** @param {string} code */
  async enter(code) {
    const ok = await this.page.connection.ask("join", { code });
    this.page.go(`/m/${ok.match}`);
  }

  // ------------------------------------------------------------------------------------------------------ what changes

  /** Asks for the lobby, and to be told what changes; to be called whenever a connection has come about. */
  async follow() {
    const ok = await this.page.connection.ask("lobby");
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
    }
    this.paint();
  }

  paint() {
    const { t } = this.page;
    const matches = [...this.matches.values()].filter((match) => match.status !== "finished").reverse();
    const waiting = matches.filter((match) => match.status === "waiting");
    const playing = matches.filter((match) => match.status !== "waiting");
    const others = [...this.players.values()].filter((player) => player.name !== this.page.me());
    fill(this.open, waiting.map((match) => this.row(match)), t("noOpenGames"));
    this.waiting.classList.toggle("first", waiting.length > 0);
    fill(this.live, playing.map((match) => this.row(match)), t("noLiveGames"));
    this.all.toggleAttribute("hidden", playing.length === 0);
    this.leagueCard.toggleAttribute("hidden", this.leagues.length === 0);
    replace(this.shown, ...this.leagues.map((league) => this.league(league)));
    const [house, people] = [others.filter((player) => player.house), others.filter((player) => !player.house)];
    fill(this.people, people.map((player) => this.person(player)), t("nobody"));
    this.opponents.show(house);
    this.house.hidden = !house.length;
    this.paintHouse(house);
  }

  /** Bots of the house, who are many, stand folded below the people. @param {Protocol.Player[]} house */
  paintHouse(house) {
    if (!house.length) return;
    const { t } = this.page;
    const rows = this.opponents.names.flatMap((name) => house.filter((player) => player.name === name)).map((player) => this.person(player));
    this.people.append(h("li", {}, h("details", { open: this.unfolded, toggle: (/** @type {Event} */ event) => (this.unfolded = /** @type {any} */ (event.target).open) },
      h("summary", {}, t("house", { count: house.length })), h("ul", { class: "list" }, ...rows))));
  }

  /** @param {Protocol.LeagueSummary} league */
  league(league) {
    const { t, games, language } = this.page;
    const state = { open: t("stateOpen"), running: t("stateRunning"), finished: t("stateFinished") }[league.state];
    return h("li", {},
      h("div", { class: "what" }, h("strong", {}, league.title),
        h("span", { class: "faint" }, `${gameText(league.game, games, language)} · ${state} · ${t("botCount", { count: league.players ?? 0 })}`)),
      button("league", t("watch"), () => this.page.go(`/l/${league.league}`), { "data-league": league.league }));
  }

  /** @param {Protocol.MatchSummary} match */
  row(match) {
    const { t, games, language } = this.page;
    const names = match.players.map((player) => nameOf(player, t));
    const isMine = match.players.some((player) => player?.name === this.page.me());
    const joins = match.status === "waiting" && !isMine;
    const act = isMine ? ["back", t("back")] : joins ? ["join", t("join")] : ["watch", t("watch")];
    return h("li", {},
      h("div", { class: "what" },
        h("strong", {}, gameText(match.game, games, language)),
        h("span", { class: "faint" }, ruleText(match.clock, t)),
        h("span", {}, `${names[0]} – ${names[1]}`)),
      button(act[0], act[1], () => (joins ? this.join(match.match) : this.page.go(`/m/${match.match}`)), { "data-match": match.match }));
  }

  /** @param {string} match */
  async join(match) {
    try {
      await this.page.connection.ask("join", { match });
      this.page.go(`/m/${match}`);
    } catch (error) {
      this.trouble.textContent = refusalText(error, this.page.t);
    }
  }

  /** @param {Protocol.Player} player */
  person(player) {
    const { t } = this.page;
    const kind = player.kind === "bot" ? h("span", { class: "tag" }, t("bot")) : null;
    const invite = () => this.submit(new Event("submit"), () => this.create([player.name]));
    return h("li", {}, h("div", { class: "what row" }, h("span", {}, nameOf(player, t)), kind), button("challenge", t("challenge"), invite, { "data-player": player.name }));
  }

  /** Leaves the view. */
  close() {
    this.page.connection.ask("lobby", { follow: false }).catch(() => undefined);
  }
}

/** @param {Element} list @param {HTMLElement[]} rows @param {string} otherwise */
function fill(list, rows, otherwise) {
  replace(list, ...(rows.length ? rows : [h("li", { class: "faint" }, otherwise)]));
}
