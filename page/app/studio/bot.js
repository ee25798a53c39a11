/**
 * A pupil's bot on the server: a session of its own, as any bot has. This thread holds the socket, the clock and the
 * protocol; an interpreter in a worker answers for each match.
 */

import { seatRule } from "../clocks.js";
import { Connection } from "../connection.js";
import { apply, fromSnapshot, isEvent } from "../match.js";

/** How long a move may take where no clock says so. */
const MOVE_S = 60;
/** What an answer takes from the worker to the server besides the network. */
const MARGIN_MS = 40;
/** Matches at once: each has an interpreter of some 60 MB. */
const MOST = 2;
const AGAIN_MS = 5000;
/** What is said of a league that may be entered later. */
const NOT_YET = new Set(["no_such_league", "rate_limited", "server_full"]);
/** How long after the end of a match a file may still say where it was. */
const LATE_MS = 10_000;

/** Characters of a fault that a class is told. */
const LONGEST_FAULT = 1500;

/** @typedef {import("../match.js").View} View */
/** @typedef {import("./pool.js").Mark} Mark */

/**
 * @typedef {object} Turn
 * @property {number} ply
 * @property {{ move: string } | { reason: App.Fields<"resign">["reason"] } | null} says once it has decided
 * @property {Question} [renewed] the same question asked again while it thinks, with the clocks as they are by then
 */

/** @typedef {Protocol.YourTurn & { now: number }} Question and when it came */

/**
 * @typedef {object} Seat one match that the bot plays
 * @property {import("./pool.js").Interpreter} interpreter
 * @property {Promise<import("./pool.js").Opened>} opened
 * @property {string} seed
 * @property {Turn | null} turn
 */

/**
 * @typedef {object} Hooks
 * @property {() => import("./pool.js").File} file what plays
 * @property {(marks: readonly Mark[], match: string) => void} marks what is wrong, or worth knowing
 * @property {(text: string) => void} said what the file prints
 * @property {(message: App.Told, bot: Bot) => void} told all that the server says
 * @property {(state: string, bot: Bot) => void} changed of the connection
 * @property {(error: unknown, bot: Bot) => void} out it is no longer in its league, which it could not enter again
 */

class Way extends Connection {
  /** @override @returns {Pick<App.Fields<"hello">, "client" | "kind" | "boards">} */
  who() {
    return { client: "arbitre-studio", kind: "bot" };
  }
}

export class Bot {
  /**
   * @param {import("./pool.js").Pool} pool
   * @param {string} name
   * @param {Hooks} hooks
   * @param {string} password
   */
  constructor(pool, name, hooks, password) {
    this.pool = pool;
    this.hooks = hooks;
    /** @type {Map<string, View>} */
    this.views = new Map();
    /** @type {Map<string, Seat>} */
    this.seats = new Map();
    /** @type {Map<string, Question>} for positions that are yet to be known */
    this.asked = new Map();
    /** @type {App.Fields<"enter"> | null} the league that it is in */
    this.league = null;
    /** @type {{ interpreter: import("./pool.js").Interpreter, opened: Promise<import("./pool.js").Opened> } | null} */
    this.prepared = null;
    this.tries = 0;
    this.isOver = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} until the league is asked again */
    this.timer = undefined;
    /** @type {((error?: Error) => void)[]} */
    this.waiting = [];
    this.way = new Way({
      told: (message) => this.told(message),
      changed: (state) => this.changed(state),
      name: () => (this.tries ? `${name.slice(0, 21)} ${this.tries + 1}` : name),
      seen: () => Object.fromEntries([...this.views].map(([id, view]) => [id, view.seq])),
    }, "");
    this.way.password = password;
    this.way.connect();
  }

  get name() {
    return this.way.welcome?.name ?? "";
  }

  /** Resolves when the server knows the bot. @returns {Promise<void>} */
  there() {
    if (this.way.open) return Promise.resolve();
    return new Promise((resolve, reject) => void this.waiting.push((error) => (error ? reject(error) : resolve())));
  }

  /** @param {"open" | "lost" | "replaced" | "password"} state */
  changed(state) {
    if (this.isOver) return;
    if (state === "password") this.arrived(new Error("offline"));
    if (state === "open") {
      this.arrived();
      const held = new Set(this.way.welcome?.matches ?? []);
      for (const match of this.views.keys()) if (!held.has(match)) this.lose(match);
      if (this.league) void this.comeBack(this.league);
    }
    this.hooks.changed(state, this);
  }

  /** Those who wait for the server are told. @param {Error} [error] why it will not be there */
  arrived(error) {
    for (const tell of this.waiting.splice(0)) tell(error);
  }

  /** Enters a league. @param {App.Fields<"enter">} league */
  async enter(league) {
    await this.way.ask("enter", league);
    this.league = league;
  }

  /** Enters its league again, of which a server that has started anew hears later. @param {App.Fields<"enter">} league */
  async comeBack(league) {
    clearTimeout(this.timer);
    try {
      await this.way.ask("enter", { ...league, again: true });
    } catch (/** @type {any} */ error) {
      if (this.league !== league || error.code === undefined) return; // the next connection tries again
      if (NOT_YET.has(error.code)) this.timer = setTimeout(() => this.league === league && void this.comeBack(league), AGAIN_MS);
      else {
        this.league = null;
        this.hooks.out(error, this);
      }
    }
  }

  /**
   * Holds an interpreter ready for the next match, with the file loaded: no clock runs yet.
   * @param {import("./pool.js").Interpreter} [interpreter] one that has loaded it
   * @param {import("./pool.js").Opened} [opened]
   */
  async prepare(interpreter, opened) {
    this.prepared = interpreter && opened ? { interpreter, opened: Promise.resolve(opened) } : this.load();
    await this.prepared.opened;
  }

  /** An interpreter that loads the file as it is now. */
  load() {
    const interpreter = this.pool.take();
    const opened = interpreter.open(this.hooks.file());
    opened.catch(() => undefined).finally(() => !this.isOver && this.pool.warm());
    return { interpreter, opened };
  }

  /** Opens a match, on which the bot has a seat. @param {App.Fields<"create">} wish */
  async create(wish) {
    const ok = await this.way.ask("create", wish);
    return { match: ok.match ?? "", link: ok.link ?? "" };
  }

  /** @param {App.Fields<"join">} where */
  async join(where) {
    const ok = await this.way.ask("join", where);
    return ok.match ?? "";
  }

  // ----------------------------------------------------------------------------------------------------- what it hears

  /** @param {App.Told} message */
  told(message) {
    if (message.type === "name_refused") {
      this.tries += 1;
      if (message.code === "bad_name") this.fail(message.code); // and no other number would make it better
      return;
    }
    if (message.type === "invitation") void this.invited(message);
    else if (message.type === "error" && message.code === "out_of_league") this.league = null;
    else if ("match" in message && message.match) this.hear(message.match, /** @type {Protocol.ServerMessage} */ (message));
    this.hooks.told(message, this);
    if (message.type === "finished" || message.type === "snapshot") this.tidy(message.match);
  }

  /** What is over need not be known any more. @param {string} match */
  tidy(match) {
    if (this.views.get(match)?.status === "finished") this.views.delete(match);
  }

  /** It can't be: nobody needs to wait. @param {string} code why */
  fail(code) {
    this.arrived(Object.assign(new Error(code), { code }));
    this.close();
  }

  /** @param {string} match @param {Protocol.ServerMessage} message */
  hear(match, message) {
    const now = performance.now();
    const view = this.views.get(match);
    if (message.type === "snapshot") this.views.set(match, fromSnapshot(message, now, view));
    else if (view && isEvent(message.type) && apply(view, /** @type {Protocol.MatchEvent} */ (message), now) === "gap") {
      this.way.ask("sync", { match, seq: view.seq }).catch(() => undefined);
    }
    if (message.type === "your_turn") this.asked.set(match, { ...message, now });
    else if (message.type === "took_back") this.forget(match);
    if (this.views.get(match)?.status === "finished") this.ended(match);
    const asked = this.asked.get(match);
    if (asked && asked.ply === this.views.get(match)?.moves.length) {
      this.asked.delete(match);
      void this.decide(asked);
    }
  }

  /** Sits down once the file is loaded, if there is room. @param {Protocol.Invitation} asked */
  async invited(asked) {
    if (this.seats.size >= MOST && !this.seats.has(asked.match)) {
      this.way.ask("decline", { match: asked.match, why: "busy" }).catch(() => undefined);
      return;
    }
    const opened = await this.seat(asked.match, asked.seed ?? asked.match).opened.catch(() => null);
    const plays = opened?.ready && Object.hasOwn(opened.plays ?? {}, asked.game.split(":", 1)[0]);
    try {
      await this.way.ask(plays ? "join" : "decline", { match: asked.match });
    } catch {
      this.leave(asked.match);
      return;
    }
    if (!plays) this.leave(asked.match);
  }

  /** What plays a match: an interpreter of its own, with the file as it is now. @param {string} match @param {string} seed */
  seat(match, seed) {
    const there = this.seats.get(match);
    if (there && !there.interpreter.isOver) return there;
    const { interpreter, opened } = this.prepared ?? this.load();
    this.prepared = null;
    interpreter.said = this.hooks.said;
    opened.then(({ marks }) => this.hooks.marks(marks, match)).catch(() => undefined);
    const seat = { interpreter, opened, seed, turn: null };
    this.seats.set(match, seat);
    return seat;
  }

  /** In a class its author reads in their list of games, too, how it has failed. @param {View} view @param {Mark | undefined} mark */
  report(view, mark) {
    if (!mark || !this.league?.personal) return;
    const fault = { what: mark.text.split("\n", 1)[0].slice(0, LONGEST_FAULT), line: mark.line || undefined, cell: mark.cell || undefined };
    const text = JSON.stringify({ type: "failed", seat: view.seat, moves: view.moves.join(" "), fault });
    this.way.ask("write", { code: this.league.code, text }).catch(() => undefined);
  }

  /** @param {string} match */
  forget(match) {
    const seat = this.seats.get(match);
    if (seat) seat.turn = null;
  }

  /** A match is over; a file that lost it on time may still say where it was. @param {string} match */
  ended(match) {
    const turn = this.seats.get(match)?.turn;
    if (turn && !turn.says) setTimeout(() => this.leave(match), LATE_MS);
    else this.leave(match);
  }

  /** Ends what plays a match. @param {string} match */
  leave(match) {
    this.seats.get(match)?.interpreter.end();
    this.seats.delete(match);
    this.asked.delete(match);
  }

  /** A match of which the server knows no more. @param {string} match */
  lose(match) {
    this.leave(match);
    this.views.delete(match);
  }

  /** A file that was stopped for being slow while its clock stood is asked anew: it may have time left. @param {Question} asked */
  async decide(asked) {
    const { match, ply } = asked;
    const view = this.views.get(match);
    if (!view) return;
    const seat = this.seat(match, this.seats.get(match)?.seed ?? match);
    const before = seat.turn;
    if (before?.ply === ply && !(before.says && "reason" in before.says && before.says.reason === "timeout")) {
      before.renewed = asked;
      this.say(match, before);
      return;
    }
    /** @type {Turn} */
    const turn = { ply, says: null };
    seat.turn = turn;
    const answer = await this.answer(seat, view, asked);
    if (seat.turn !== turn || this.seats.get(match) !== seat) return;
    this.hooks.marks(answer.marks, match);
    if (answer.fault && !turn.renewed) this.report(view, answer.marks.find(({ kind }) => kind === "error"));
    if (view.status === "finished") this.leave(match);
    else if (turn.renewed && answer.fault === "timeout") {
      seat.turn = null;
      void this.decide(turn.renewed);
    } else {
      turn.says = answer.move ? { move: answer.move } : { reason: answer.fault ?? "crash" };
      this.say(match, turn);
    }
  }

  /**
   * @param {Seat} seat
   * @param {View} view
   * @param {Question} asked
   * @returns {Promise<import("./pool.js").Answer>}
   */
  async answer(seat, view, asked) {
    try {
      const opened = await seat.opened;
      if (!opened.ready) return { fault: "crash", marks: [] };
      const mine = (view.seat ?? 1) - 1;
      const rule = seatRule(view.clock, mine + 1);
      const left = asked.deadline_ms ?? null;
      const clock = {
        remaining_ms: left === null ? null : Math.max(0, Math.round(left - (performance.now() - asked.now) - (asked.rtt_ms ?? 0) - MARGIN_MS)),
        increment_ms: rule?.increment_ms ?? 0, move_ms: rule?.move_ms || null, opponent_ms: asked.clocks?.[1 - mine] ?? null,
      };
      return await seat.interpreter.ask({ game: view.game, moves: view.moves.slice(0, asked.ply), seed: seat.seed, move_s: MOVE_S, clock });
    } catch (error) {
      return { fault: "crash", marks: [{ text: String(error instanceof Error ? error.message : error), line: 0, cell: 0, kind: "error" }] };
    }
  }

  /** What gets lost with the connection is said again when the server asks again. @param {string} match @param {Turn} turn */
  say(match, { ply, says }) {
    if (!says) return;
    const said = "move" in says ? this.way.ask("move", { match, ply, ...says }) : this.way.ask("resign", { match, ...says });
    said.catch(() => undefined);
  }

  /** Gives up what it plays, and goes. */
  close() {
    for (const match of this.seats.keys()) {
      if (this.views.get(match)?.status === "playing") this.way.ask("resign", { match }).catch(() => undefined);
      this.leave(match);
    }
    this.prepared?.interpreter.end();
    this.isOver = true;
    this.league = null;
    clearTimeout(this.timer);
    this.arrived(new Error("offline"));
    this.way.close();
  }
}
