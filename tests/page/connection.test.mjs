/** The way to the server, and that of a pupil's bot: with a server that says what the test wants, without a browser. */

import assert from "node:assert/strict";
import test, { mock } from "node:test";

const listeners = new Set();
const listen = (_kind, run, { signal } = {}) => {
  listeners.add(run);
  signal?.addEventListener("abort", () => listeners.delete(run));
};
globalThis.window = { addEventListener: listen };
globalThis.document = { addEventListener: listen, visibilityState: "visible" };
globalThis.location = { protocol: "http:", host: "here" };
const reported = [];
globalThis.reportError = (error) => reported.push(error);

/** A socket on which the test says what the server says; `asked` is what it was sent. */
class Socket extends EventTarget {
  static OPEN = 1;
  static CONNECTING = 0;
  static made = [];

  constructor() {
    super();
    this.asked = [];
    this.readyState = Socket.CONNECTING;
    Socket.made.push(this);
  }

  send(text) {
    this.asked.push(JSON.parse(text));
  }

  close() {
    this.readyState = 3;
  }

  open() {
    this.readyState = Socket.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  tell(...messages) {
    this.dispatchEvent(Object.assign(new Event("message"), { data: JSON.stringify(messages) }));
  }

  /** Answers the last request of a kind. */
  answer(type, more = {}) {
    const { id } = this.asked.findLast((one) => one.type === type);
    this.tell(more.code ? { type: "error", id, message: "", ...more } : { type: "ok", id, ...more });
    return settled();
  }

  lose() {
    this.readyState = 3;
    this.dispatchEvent(new Event("close"));
  }

  /** Lets somebody in. */
  async welcome(matches = []) {
    this.open();
    this.tell({ type: "welcome", token: "t", name: "bot", matches });
    await this.answer("hello");
  }
}
globalThis.WebSocket = Socket;
globalThis.localStorage = globalThis.sessionStorage = { getItem: () => null, setItem() {}, removeItem() {} };

const { Connection } = await import("../../page/app/connection.js");
const { Bot } = await import("../../page/app/studio/bot.js");
const { Joined } = await import("../../page/app/class/letters.js");

const settled = () => new Promise((resolve) => void setImmediate(resolve));
const newest = () => Socket.made.at(-1);
const LEAGUE = { code: "ABCDEF", key: "k" };

test("a message that goes wrong takes no other of its frame with it", () => {
  const told = [];
  const connection = new Connection({
    told: (message) => {
      if (message.type === "told") throw new Error(message.text);
      told.push(message.type);
    },
    changed: () => undefined, name: () => "Ann", seen: () => ({}),
  }, "");
  connection.connect();
  newest().tell({ type: "told", text: "null" }, { type: "switched" });
  assert.deepEqual(told, ["switched"]);
  assert.equal(reported.splice(0).length, 1);
  connection.close();
});

test("a long text has an end, whatever is said of its parts", () => {
  const joined = new Joined();
  for (let part = 0; part < 1000; part += 1) assert.equal(joined.take({ part, parts: 5000, text: "x" }), null);
  assert.ok(joined.parts.length <= 64);
  assert.equal(joined.take({ part: 0, parts: 2, text: "a" }), null);
  assert.equal(joined.take({ part: 1, parts: 2, text: "b" }), "ab");
});

/** A bot, with what its studio is told. @param answer what its file says */
function bot(answer = new Promise(() => {})) {
  const said = { out: [], changed: [], ended: 0 };
  const opened = Promise.resolve({ ready: true, plays: { morpion: {} }, marks: [] });
  const pool = { take: () => ({ open: () => opened, end: () => void (said.ended += 1), isOver: false, ask: () => answer }), warm() {} };
  const made = new Bot(pool, "bot", {
    file: () => ({}), marks: () => undefined, said: () => undefined, told: () => undefined,
    changed: (state) => said.changed.push(state), out: (error) => said.out.push(error.code),
  }, "");
  return { bot: made, said };
}

/** One that has entered a league. */
async function inLeague() {
  const { bot: made, said } = bot();
  await newest().welcome();
  const entered = made.enter(LEAGUE);
  await newest().answer("enter");
  await entered;
  return { bot: made, said };
}

/** Its connection is lost, and comes back. */
async function again(matches = []) {
  newest().lose();
  mock.timers.tick(10_000);
  await newest().welcome(matches);
}

test("a bot comes back into its league, also when the server hears of it later", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { bot: made, said } = await inLeague();
  await again();
  newest().lose(); // while it was asked
  await settled();
  assert.equal(made.league, LEAGUE);
  mock.timers.tick(10_000);
  await newest().welcome();
  await newest().answer("enter", { code: "no_such_league" });
  assert.equal(made.league, LEAGUE);
  const before = newest().asked.length;
  mock.timers.tick(5000);
  assert.deepEqual(newest().asked.slice(before).map(({ type, again: is }) => [type, is]), [["enter", true]]);
  await newest().answer("enter", { code: "not_yours" });
  assert.equal(made.league, null);
  assert.deepEqual(said.out, ["not_yours"]);
  made.close();
});

test("a bot forgets matches that are over, or of which the server knows no more", async (context) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  context.after(() => mock.timers.reset());
  const { bot: made, said } = await inLeague();
  const snapshot = (match) => ({ type: "snapshot", match, seq: 1, game: "morpion", status: "playing", players: [null, null], seat: 1, moves: [], to_move: 1 });
  for (const match of ["m1", "m2"]) newest().tell(snapshot(match), { type: "your_turn", match, ply: 0 });
  assert.deepEqual([...made.seats.keys()], ["m1", "m2"]);
  newest().tell({ type: "finished", match: "m1", seq: 2, result: { winner: 1 } });
  assert.deepEqual([...made.views.keys()], ["m2"]);
  mock.timers.tick(10_000);
  await again([]);
  assert.deepEqual([made.views.size, made.seats.size, said.ended], [0, 0, 2]);
  assert.deepEqual(newest().asked.find(({ type }) => type === "hello").seen, { m2: 1 });
  made.close();
});

for (const [what, answer, said] of [
  ["a move", { move: "b2", marks: [] }, { type: "move", match: "m1", ply: 0, move: "b2" }],
  ["a fault", { fault: "timeout", marks: [] }, { type: "resign", match: "m1", reason: "timeout" }],
]) {
  test(`${what} that was lost with the connection is said again when the server asks in the breath of its welcome`, async (context) => {
    mock.timers.enable({ apis: ["setTimeout"] });
    context.after(() => mock.timers.reset());
    const { bot: made } = bot(Promise.resolve(answer));
    await newest().welcome();
    const snapshot = { type: "snapshot", match: "m1", seq: 1, game: "morpion", status: "playing", players: [null, null], seat: 1, moves: [], to_move: 1 };
    const turn = { type: "your_turn", match: "m1", ply: 0 };
    newest().tell(snapshot, turn);
    await settled();
    const told = ({ id: _id, ...more }) => more;
    assert.deepEqual(told(newest().asked.at(-1)), said);
    newest().lose();
    mock.timers.tick(10_000);
    newest().open();
    const { id } = newest().asked.at(-1);
    newest().tell({ type: "welcome", token: "t", name: "bot", matches: ["m1"] }, { type: "ok", id }, turn);
    await settled();
    assert.deepEqual(newest().asked.map(told).slice(1), [said]);
    made.close();
  });
}

test("a class is told how a bot failed before its match is given up, elsewhere nobody", async () => {
  const marks = [{ text: "a note", kind: "note", line: 1, cell: 0 }, { text: "It fails.\n  here", kind: "error", line: 3, cell: 0 }];
  const snapshot = { type: "snapshot", match: "m1", seq: 1, game: "morpion", status: "playing", players: [null, null], seat: 2, moves: ["a1"], to_move: 2 };
  for (const personal of ["BADAFIRA", undefined]) {
    const { bot: made } = bot(Promise.resolve({ fault: "crash", marks }));
    await newest().welcome();
    const entered = made.enter({ code: "BOTSAB", ...(personal ? { personal } : {}) });
    await newest().answer("enter");
    await entered;
    newest().tell(snapshot, { type: "your_turn", match: "m1", ply: 1 });
    await settled();
    const said = newest().asked.slice(2);
    assert.deepEqual(said.map(({ type }) => type), personal ? ["write", "resign"] : ["resign"]);
    if (personal) {
      assert.equal(said[0].code, "BOTSAB");
      assert.deepEqual(JSON.parse(said[0].text), { type: "failed", seat: 2, moves: "a1", fault: { what: "It fails.", line: 3 } });
    }
    made.close();
  }
});

test("a name that can't be one is tried once, and nobody waits for a bot that is stopped", async () => {
  const { bot: named } = bot();
  const refused = assert.rejects(named.there(), { code: "bad_name" });
  newest().open();
  await newest().answer("hello", { code: "bad_name" });
  await refused;
  assert.equal(newest().asked.length, 1);
  const count = listeners.size;
  const { bot: stopped } = bot();
  const waits = assert.rejects(stopped.there(), /offline/);
  stopped.close();
  await waits;
  assert.equal(listeners.size, count, "what it listened to goes with it");
});
