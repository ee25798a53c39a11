// The fold of a match in the browser, against the golden messages that the server's tests use (argv: a JSON file).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { clockText, ruleText, seatRule, warnUnder } from "../../page/app/clocks.js";
import { LocalBoard } from "../../page/app/local_board.js";
import { apply, asked, clocksAt, fromSnapshot, hasMoved, isEvent, isMyTurn, lacksClocks, lastOf, optionsOf } from "../../page/app/match.js";
import { Play } from "../../page/app/play.js";

const told = JSON.parse(readFileSync(process.env.ARBITRE_GOLDEN, "utf8"));
const snapshot = (fields = {}) => ({
  type: "snapshot", match: "m", seq: 3, game: "morpion", status: "playing",
  players: [{ name: "Ada", kind: "bot" }, { name: "Bob", kind: "human" }], seat: 2, moves: [], ply: 0, to_move: 1,
  legal: [], clocks: [60000, 50000], ...fields,
});

test("a match is the fold of its events, from whatever snapshot", () => {
  for (const { snapshots, events } of told.matches) {
    const final = fromSnapshot(snapshots.at(-1), 0, undefined);
    for (let from = 0; from < snapshots.length; from++) {
      const view = fromSnapshot(snapshots[from], 0, undefined);
      for (const event of events) if (event.seq > view.seq) assert.equal(apply(view, event, 0), "new", event.type);
      for (const field of ["seq", "status", "moves", "toMove", "offers", "result", "players", "clocks"]) {
        assert.deepEqual(view[field], final[field], `${field} from snapshot ${from}`);
      }
    }
  }
});

test("what is known is ignored, and a gap is noticed", () => {
  const view = fromSnapshot(snapshot(), 0, undefined);
  assert.equal(apply(view, { type: "moved", seq: 3, move: "b2", seat: 1, to_move: 2 }, 0), "known");
  assert.equal(apply(view, { type: "moved", seq: 5, move: "b2", seat: 1, to_move: 2 }, 0), "gap");
  assert.deepEqual(view.moves, []);
});

test("every event of the protocol is known to the page", () => {
  for (const type of told.events) assert.ok(isEvent(type), type);
});

test("only the clock of who is to move runs, and not while it stands", () => {
  const view = fromSnapshot(snapshot(), 1000, undefined);
  assert.deepEqual(clocksAt(view, 3500), [57500, 50000]);
  assert.deepEqual(clocksAt(view, 1e9), [0, 50000]);
  const away = { network: { outage: "pause" }, players: [{ name: "Ada", kind: "bot", present: false }, null] };
  assert.deepEqual(clocksAt(fromSnapshot(snapshot(away), 1000, undefined), 3500), [60000, 50000]);
  assert.deepEqual(clocksAt(fromSnapshot(snapshot({ status: "paused" }), 1000, undefined), 3500), [60000, 50000]);
});

test("the clocks of a turn are those of now", () => {
  const view = fromSnapshot(snapshot({ to_move: 2 }), 1000, undefined);
  asked(view, { type: "your_turn", match: "m", ply: 0, legal: [], clocks: [60000, 43000] }, 8000);
  assert.deepEqual(clocksAt(view, 8500), [60000, 42500]);
  assert.ok(!lacksClocks(view));
  assert.ok(lacksClocks(fromSnapshot(snapshot(), 0, undefined)));
  assert.ok(lacksClocks(fromSnapshot(snapshot({ to_move: 2, seat: null }), 0, undefined)));
  assert.ok(!lacksClocks(fromSnapshot(snapshot({ clocks: null }), 0, undefined)));
  assert.ok(!lacksClocks(fromSnapshot(snapshot({ status: "paused" }), 0, undefined)));
});

test("boards that are known survive a snapshot, as far as the moves are the same", () => {
  const view = fromSnapshot(snapshot({ moves: ["b2", "a1"] }), 0, undefined);
  view.boards = [{ ply: 0 }, { ply: 1 }, { ply: 2 }];
  assert.equal(fromSnapshot(snapshot({ moves: ["b2", "a1", "c1"] }), 0, view).boards.length, 3);
  assert.equal(fromSnapshot(snapshot({ moves: ["b2"] }), 0, view).boards.length, 2);
  assert.equal(fromSnapshot(snapshot({ moves: ["a1"] }), 0, view).boards.length, 0);
});

test("whose turn it is, and who has moved", () => {
  assert.ok(!isMyTurn(fromSnapshot(snapshot(), 0, undefined)));
  assert.ok(isMyTurn(fromSnapshot(snapshot({ to_move: 2 }), 0, undefined)));
  assert.ok(!hasMoved(fromSnapshot(snapshot({ moves: ["b2"] }), 0, undefined)));
  assert.ok(hasMoved(fromSnapshot(snapshot({ moves: ["b2", "a1"] }), 0, undefined)));
  assert.deepEqual(optionsOf("morpion:width=5,k=4"), { width: "5", k: "4" });
  assert.deepEqual(optionsOf("othello"), {});
});

test("who moved last is what was heard or what the board says, never whose turn it is not", () => {
  const view = fromSnapshot(snapshot({ moves: ["b2"] }), 0, undefined);
  assert.deepEqual(lastOf(view), { mover: null, passed: null });
  view.boards[1] = { ply: 1, mover: 1, passed: 2 };
  assert.deepEqual(lastOf(view), { mover: 1, passed: 2 });
  apply(view, { type: "moved", seq: 4, move: "a1", seat: 1, to_move: 1 }, 0); // they move again: nobody passed
  assert.deepEqual(lastOf(view), { mover: 1, passed: null });
  apply(view, { type: "moved", seq: 5, move: "c1", seat: 1, to_move: 1 }, 0);
  apply(view, { type: "passed", seq: 6, seat: 2 }, 0);
  assert.deepEqual(lastOf(view), { mover: 1, passed: 2 });
  apply(view, { type: "took_back", seq: 7, ply: 2, seat: 1, to_move: 1 }, 0);
  assert.deepEqual(lastOf(view), { mover: null, passed: null });
});

const t = (key, { name = "", move = "" } = {}) => [key, name, move].filter(Boolean).join(" ");

test("who moves again is not said to have passed, nor their move to be the other's", () => {
  const play = { page: { t }, names: () => ["Ada", "Bob"], at: null };
  const view = fromSnapshot(snapshot(), 0, undefined);
  apply(view, { type: "moved", seq: 4, move: "b2", seat: 1, to_move: 1 }, 0);
  assert.equal(Play.prototype.statusText.call(play, view), "moveSaid Ada b2 theirTurn Ada");
  apply(view, { type: "moved", seq: 5, move: "a1", seat: 1, to_move: 2 }, 0);
  assert.equal(Play.prototype.statusText.call(play, view), "moveSaid Ada a1 yourTurn");
  apply(view, { type: "moved", seq: 6, move: "c1", seat: 2, to_move: 2 }, 0);
  assert.equal(Play.prototype.statusText.call(play, view), "yourTurn");
  const anew = fromSnapshot(snapshot({ moves: ["b2", "a1", "c1"], to_move: 2 }), 0, undefined);
  assert.equal(Play.prototype.statusText.call(play, anew), "yourTurn");
  anew.boards[3] = { ply: 3, to_move: 2, mover: 1, passed: 1 };
  assert.equal(Play.prototype.statusText.call(play, anew), "hasPassed Ada yourTurn");
  const local = { page: { t }, name: (seat) => ["Ada", "Bob"][seat - 1], at: 1, moves: ["b2"], boards: [{ ply: 0, to_move: 1 }] };
  const said = (board) => LocalBoard.prototype.statusText.call(local, board, true);
  assert.equal(said({ ply: 1, to_move: 1, mover: 1 }), "lastSaid b2 theirTurn Ada");
  assert.equal(said({ ply: 1, to_move: 1, mover: 1, passed: 2 }), "lastSaid b2 hasPassed Bob theirTurn Ada");
});

test("clocks are written as in a terminal, in both languages", () => {
  assert.equal(clockText(3_723_000, "en"), "1:02:03");
  assert.equal(clockText(298_999, "fr"), "4:58");
  assert.equal(clockText(9_870, "en"), "9.8");
  assert.equal(clockText(9_870, "fr"), "9,8");
  assert.equal(clockText(-5, "en"), "0.0");
  assert.equal(warnUnder({ initial_ms: 300_000 }), 37_500);
  assert.equal(warnUnder({ initial_ms: 30_000 }), 10_000);
  assert.equal(warnUnder({ initial_ms: 3_600_000 }), 60_000);
  const odds = { initial_ms: 300_000, increment_ms: 3000, second: { initial_ms: 90_000 } };
  assert.equal(warnUnder(seatRule(odds, 2)), 11_250);
  assert.equal(warnUnder(seatRule(odds, 1)), 37_500);
  assert.equal(seatRule({ move_ms: 5 }, 2).move_ms, 5);
  assert.equal(seatRule(null, 2), null);
  assert.equal(ruleText(odds, t), "5 min + 3 s, 90 s");
});

test("a spectator knows how late the match is seen", () => {
  assert.equal(fromSnapshot(snapshot({ delay_ms: 30000 }), 0, undefined).delay, 30_000);
  assert.equal(fromSnapshot(snapshot(), 0, undefined).delay, 0);
});
