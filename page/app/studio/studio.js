/** The studio: pupils write a bot, and it plays in their browser. Nothing of it runs on the server. */

import { button, h, replace, say, statusLine } from "../dom.js";
import { ownerKey, read, write } from "../kept.js";
import { style } from "../later.js";
import { Play } from "../play.js";
import { Bot } from "./bot.js";
import { Console } from "./console.js";
import { Editor } from "./editor.js";
import { Folder } from "./folder.js";
import { Hung, Pool } from "./pool.js";
import { Sight } from "./sight.js";
import { speaker } from "./texts.js";
import { Wishes } from "./wishes.js";

const STATE = "/app/studio.json";
const SHEET = "/app/studio/studio.css";
const KEY = "arbitre.studio.key";

/** @typedef {import("./pool.js").Mark} Mark */
/** @typedef {{ base: string | null, sources: string, command: string }} State */

/** What outlives the view: a bot in a league goes on while its pupil looks at other pages of this site. */
const shared = {
  /** @type {Pool | null} */
  pool: null,
  /** @type {Bot[]} */
  bots: [],
};

window.addEventListener("beforeunload", (event) => {
  if (shared.bots.some((bot) => bot.league)) event.preventDefault();
});

export class View {
  /** @param {import("../main.js").Page} page @param {string | null} door the class in which the studio opens, if it is in one */
  constructor(page, door) {
    this.page = page;
    this.door = door;
    /** @type {import("./lesson.js").Lesson | null} */
    this.lesson = null;
    this.t = speaker(page.language);
    this.title = `${this.t("studio")} – Arbitre`;
    this.status = statusLine(page.t("loading"));
    /** @type {State | null} */
    this.state = null;
    /** @type {Play | null} */
    this.play = null;
    this.isOver = false;
    this.isBusy = false;
    /** @type {Map<string, Protocol.Player>} who is here */
    this.players = new Map();
    /** @type {Mark[]} */
    this.marks = [];
    this.console = new Console(this.t("output"));
    this.console.painted = (isError) => this.sight.said(isError);
    this.editor = new Editor(this.t("code"), page.language, () => this.edited());
    this.folder = new Folder(this.t, page.language, (draft) => this.show(draft), door ? (read(ownerKey(door)) ?? "") : "");
    this.wishes = new Wishes(page, this.t, {
      check: () => void this.act(() => this.check()), run: () => void this.act(() => this.run()), stop: () => this.stop(),
      join: () => void this.act(() => this.join()), enter: () => void this.act(() => this.enter()), game: () => this.chose(),
    });
    this.place = h("div.place");
    this.sight = new Sight(this.console.element, this.place);
    this.element = h("div.studio", h("h1.hidden", this.t("studio")), this.status);
    void this.begin();
  }

  // ------------------------------------------------------------------------------------------------------- the runtime

  /** Asks whether the runtime is here; shows the studio, or what to type. */
  async begin() {
    const [answer] = await Promise.all([fetch(STATE).catch(() => null), style(SHEET)]);
    if (this.isOver) return;
    /** @type {State | null} */
    const state = answer?.ok ? await answer.json() : null;
    this.state = state;
    if (!state) say(this.status, this.page.t("why_offline"));
    else if (state.base) await this.open(state.base, state.sources);
    else this.ask(state.command);
  }

  /** @param {string} command */
  ask(command) {
    const again = button("look-again", this.t("lookAgain"), () => void this.begin(), { class: "primary" });
    replace(this.element, h("section.card", h("h1", this.t("studio")), h("p", { role: "status" }, this.t("missing")), h("pre", h("code", command)),
      h("p.faint", this.t("missingMore")), h("div.actions", again)));
  }

  /** @param {string} base @param {string} sources */
  async open(base, sources) {
    replace(this.element, h("h1.hidden", this.t("studio")), this.status,
      h("div.bench", h("div.left", this.folder.element, this.editor.element, h("p.faint", this.t("leaveEditor")), this.console.element), h("div.right", this.wishes.element, this.place)));
    this.editor.text = this.folder.draft.text;
    if (this.folder.draft.game) this.wishes.game.value = this.folder.draft.game;
    if (shared.pool?.runtime.base !== base || shared.pool.runtime.sources !== sources) {
      shared.pool?.close();
      shared.pool = new Pool({ base, sources });
    }
    void this.editor.open(base, () => void this.act(() => this.run()));
    if (this.door) void this.attend(this.door);
    if (this.page.connection.open) void this.follow();
    await this.warm();
  }

  /** Shows the class above all else. @param {string} door */
  async attend(door) {
    const { Lesson } = await import("./lesson.js");
    if (this.isOver || this.lesson) return;
    this.lesson = new Lesson(this.page, door, this.folder, (league) => void this.act(() => this.enterAs(league)), (game) => this.offer(game));
    this.folder.erased = () => this.lesson?.erase();
    this.wishes.element.before(this.lesson.element);
  }

  /** A file that was written for no game yet tries that of its class. @param {string} game */
  offer(game) {
    if (!this.folder.draft.game) this.wishes.game.value = game.split(":", 1)[0];
  }

  /** Starts Python, and says so. */
  async warm() {
    const began = performance.now();
    say(this.status, this.t("starting"));
    try {
      const isQuick = await shared.pool?.warm().ready;
      this.status.dataset.quick = String(isQuick);
      const seconds = ((performance.now() - began) / 1000).toLocaleString(this.page.language, { maximumFractionDigits: 1 });
      say(this.status, this.t("ready", { seconds }));
    } catch (/** @type {any} */ error) {
      say(this.status, this.t("noStart", { error: String(error?.message ?? error) }));
    }
  }

  // ---------------------------------------------------------------------------------------------------------- the file

  /** @param {import("./drafts.js").Draft} draft */
  show(draft) {
    this.editor.text = draft.text;
    if (draft.game) this.wishes.game.value = draft.game;
    this.tell([]);
    this.lesson?.changed();
  }

  edited() {
    this.folder.change({ text: this.editor.text });
    this.lesson?.changed();
  }

  chose() {
    this.folder.change({ game: this.wishes.game.value });
    this.wishes.keep();
  }

  /** What an interpreter is given. @returns {import("./pool.js").File} */
  file() {
    const beside = Object.fromEntries(this.folder.drafts.map(({ name, text }) => [name, text]));
    return { name: this.folder.draft.name, text: this.editor.text, beside, language: this.page.language };
  }

  /** What is wrong, below the editor and at its lines; each once. @param {readonly Mark[]} marks */
  tell(marks) {
    const fresh = marks.filter(({ text }) => !this.marks.some((known) => known.text === text));
    this.marks = marks.length ? [...this.marks, ...fresh].slice(-50) : [];
    this.console.tell(fresh);
    this.editor.mark(this.marks);
  }

  /** One thing at a time, and what goes wrong is said. @param {() => Promise<unknown>} deed */
  async act(deed) {
    if (!this.state?.base || this.isBusy) return;
    this.isBusy = true;
    this.folder.keep();
    this.wishes.keep();
    try {
      await deed();
    } catch (/** @type {any} */ error) {
      say(this.status, error?.code !== undefined || error?.message === "offline" ? this.page.refusal(error) : this.t("broke", { error: String(error?.message ?? error) }));
    }
    this.isBusy = false;
  }

  /** Says what is asked of the file, and what is wrong with it. */
  async check() {
    (await this.load())?.interpreter.end();
  }

  /** Loads the file in an interpreter of its own, which may play then; null if it does not play the chosen game. */
  async load() {
    this.sight.begin();
    this.console.clear();
    this.tell([]);
    const { pool } = shared;
    if (!pool) return null;
    const interpreter = pool.take();
    interpreter.said = (text) => this.console.print(text);
    say(this.status, this.t("starting"));
    try {
      const opened = await interpreter.open(this.file());
      this.tell(opened.marks);
      if (this.judge(opened)) return { interpreter, opened };
    } catch (/** @type {any} */ error) {
      const text = error instanceof Hung ? this.t("hung") : this.t("broke", { error: error.message });
      this.console.tell([{ kind: "error", text, line: 0, cell: 0 }]);
      say(this.status, this.t("stopped"));
    } finally {
      if (!this.isOver) pool.warm();
    }
    interpreter.end();
    return null;
  }

  /** @param {import("./pool.js").Opened} opened */
  judge(opened) {
    const plays = Object.keys(opened.plays ?? {});
    const games = plays.map((id) => this.page.titleOf(id)).join(", ");
    const game = this.wishes.game.value;
    if (!opened.ready) {
      say(this.status, this.t("seeBelow", { file: this.folder.draft.name })); // the output is read aloud by itself
      return false;
    }
    const values = { function: opened.function, file: this.folder.draft.name, games, game: this.page.titleOf(game) };
    say(this.status, this.t(plays.includes(game) ? "loadsWell" : "notThisGame", values));
    return plays.includes(game);
  }

  // ----------------------------------------------------------------------------------------------------------- playing

  /** A session for the bot. @param {string} name */
  async connect(name) {
    const { pool } = shared;
    if (!pool) throw new Error("offline");
    const bot = new Bot(pool, name, {
      file: () => this.file(), said: (text) => this.console.print(text), marks: (marks) => this.tell(marks),
      told: (message, from) => this.heard(message, from), changed: (state, from) => this.sayWay(state, from),
      out: (error, from) => !this.isOver && say(this.status, `${this.t("outOfLeague", { name: from.name })} ${this.page.refusal(error)}`),
    }, this.page.connection.password);
    shared.bots.push(bot);
    await bot.there();
    return bot;
  }

  /** How the way of a bot to the server stands, if that has changed. @param {string} state @param {Bot} bot */
  sayWay(state, bot) {
    if (this.isOver) return;
    const lost = this.t("lostWay");
    if (state !== "open") say(this.status, lost);
    else if (this.status.textContent === lost) say(this.status, this.t(bot.league ? "entered" : "playing", { name: bot.name }));
  }

  /** A bot that can sit down at once; none if the file does not play. Rejects if nobody looks at the studio any more. */
  async ready() {
    const loaded = await this.load();
    if (!loaded) return null;
    this.stop();
    try {
      if (this.isOver) throw new Error("offline");
      const bot = await this.connect(this.wishes.botName);
      await bot.prepare(loaded.interpreter, loaded.opened);
      return bot;
    } catch (error) {
      loaded.interpreter.end();
      throw error;
    }
  }

  async run() {
    const bot = await this.ready();
    if (!bot) return;
    const { wish, botName } = this.wishes;
    const other = wish.invite?.length ? null : await this.connect(botName);
    await other?.prepare();
    const { match, link } = await bot.create(wish);
    await this.watch(match, { link });
    await other?.join({ link });
    if (bot.seats.size || bot.prepared) say(this.status, this.t("playing", { name: bot.name }));
  }

  async join() {
    const { misplaced } = this.wishes;
    if (misplaced) say(this.status, misplaced);
    const bot = misplaced ? null : await this.ready();
    if (!bot) return;
    const { code } = this.wishes.codes;
    const match = await bot.join({ code });
    await this.watch(match, { code });
    say(this.status, this.t("joined", { name: bot.name }));
  }

  async enter() {
    const { code, personal } = this.wishes.codes;
    const { misplaced } = this.wishes;
    if (misplaced) say(this.status, misplaced);
    else await this.enterAs({ code, key: key(), ...(personal ? { personal } : {}) });
  }

  /** @param {App.Fields<"enter">} league */
  async enterAs(league) {
    const bot = await this.ready();
    if (!bot) return;
    await bot.enter(league);
    say(this.status, this.t("entered", { name: bot.name }));
  }

  /** Shows a match beside the editor. @param {string} match @param {App.Fields<"watch">} where */
  async watch(match, where) {
    await this.page.ask("watch", where);
    if (this.isOver) return;
    this.play?.close?.();
    this.play = new Play(this.page, match, null);
    this.play.status.setAttribute("aria-live", "off"); // the studio's own says how it ends, once
    replace(this.place, this.play.element);
    await this.play.follow();
    this.sight.drawn();
  }

  /** Ends what the bots of this page do. */
  stop() {
    for (const bot of shared.bots.splice(0)) bot.close();
    if (!this.isBusy) say(this.status, this.t("stopped"));
  }

  /** @param {App.Told} message @param {Bot} bot */
  heard(message, bot) {
    if (this.isOver) return;
    if (message.type === "error" && message.code === "out_of_league") say(this.status, this.t("outOfLeague", { name: bot.name }));
    else if (message.type === "finished") say(this.status, this.outcome(message, bot));
    else if (message.type === "started" && bot.league) void this.watch(message.match, { match: message.match }).catch(() => undefined);
  }

  /** How a match ended. @param {Protocol.Finished} message @param {Bot} bot */
  outcome(message, bot) {
    const view = bot.views.get(message.match);
    const names = (view?.players ?? []).map((player) => player?.name ?? "");
    return this.page.outcome(message.result, view?.game ?? this.wishes.game.value, names);
  }

  // ------------------------------------------------------------------------------------------------- what the page asks

  async follow() {
    const ok = await this.page.ask("lobby").catch(() => null);
    this.players = new Map((ok?.players ?? []).map((player) => [player.name, player]));
    this.wishes.show(this.players.values());
    await this.play?.follow();
  }

  /** @param {App.Told} message */
  hear(message) {
    this.play?.hear(message);
    if (message.type === "board") this.sight.drawn();
    if (message.type !== "lobby_changed") return;
    if (message.again) {
      void this.follow();
      return;
    }
    for (const player of message.players ?? []) {
      if (player.present === false) this.players.delete(player.name);
      else this.players.set(player.name, player);
    }
    this.wishes.show(this.players.values());
  }

  close() {
    this.isOver = true;
    this.page.tell("lobby", { follow: false });
    this.folder.close();
    this.lesson?.close();
    this.play?.close?.();
    this.editor.close();
    this.sight.close();
    if (shared.bots.some((bot) => bot.league || bot.seats.size)) return;
    this.stop();
    shared.pool?.close();
  }
}

/** To whom the bot's name in a league belongs: a secret of this browser. */
function key() {
  const kept = read(KEY);
  if (kept && /^[\w-]{22}$/.test(kept)) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  write(KEY, made);
  return made;
}
