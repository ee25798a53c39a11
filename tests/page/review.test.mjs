/** What a review says, and what becomes of exercises: pure, so tried without a browser. */

import assert from "node:assert/strict";
import test from "node:test";

import { added, answered, due, load } from "../../page/app/review/store.js";
import { countsOf, isSerious, mistakesOf, turningPoints, worthText } from "../../page/app/review/grades.js";

const DAY = 24 * 3600 * 1000;
const BOARDS = [{ to_move: 1 }, { to_move: 2 }, { to_move: 1 }, { to_move: 2 }];
const STEPS = new Map([
  [0, { ply: 0, chance: 500, exact: true, grade: "best" }],
  [1, { ply: 1, chance: 500, exact: true, grade: "blunder", best: ["b2"] }],
  [2, { ply: 2, chance: 1000, exact: true, grade: "mistake", best: ["c3"] }],
  [3, { ply: 3, chance: 800 }],
]);
const puzzle = (n) => ({ game: "morpion", moves: [`m${n}`], played: "a1", best: ["b2"], line: ["b2"] });

test("mistakes are those of a side", () => {
  assert.deepEqual(mistakesOf(STEPS, BOARDS, 1), [2]);
  assert.deepEqual(mistakesOf(STEPS, BOARDS, 2), [1]);
  assert.deepEqual(mistakesOf(STEPS, BOARDS, 0), [1, 2]);
  assert.equal(isSerious(undefined), false);
  const unknown = new Map([...STEPS, [2, { ...STEPS.get(2), best: [] }]]);
  assert.deepEqual(mistakesOf(unknown, BOARDS, 0), [1], "nobody is asked for a move that is not known");
  assert.deepEqual(countsOf(STEPS, BOARDS, 1), { best: 1, mistake: 1 });
});

test("the worst moves are the turning points", () => {
  assert.deepEqual(turningPoints(STEPS, 1), [1]);
  assert.deepEqual(turningPoints(STEPS, 5), [1, 2]);
});

test("an opinion is told as one", () => {
  const t = (key, values) => `${key} ${values?.percent ?? ""}`.trim();
  assert.equal(worthText(STEPS.get(3), t), "chances 80");
  assert.equal(worthText(STEPS.get(2), t), "provenFirst");
  assert.equal(worthText(STEPS.get(0), t), "provenDraw");
});

test("an exercise comes back later and later, and soon after an error", () => {
  let all = added([], [puzzle(1), puzzle(2), puzzle(1)].slice(0, 2), 0);
  assert.equal(due(all, 0).length, 2);
  all = answered(all, puzzle(1), true, 0);
  assert.deepEqual(due(all, DAY - 1).map((one) => one.moves), [["m2"]]);
  all = answered(answered(all, puzzle(1), true, DAY), puzzle(2), false, DAY);
  assert.equal(due(all, 3 * DAY).length, 1);
  assert.equal(due(all, 4 * DAY).length, 2);
  assert.equal(answered(all, puzzle(1), false, 0).find((one) => one.moves[0] === "m1").box, 0);
});

test("what is there stays as it is, and there is an end to it", () => {
  const known = answered(added([], [puzzle(1)], 0), puzzle(1), true, 0);
  assert.deepEqual(added(known, [puzzle(1)], 5), known);
  const many = added(known, Array.from({ length: 250 }, (_, n) => puzzle(n + 10)), 0);
  assert.equal(many.length, 200);
  assert.ok(!many.some((one) => one.moves[0] === "m1"), "the one that is known best makes room");
});

test("what makes no sense is not read", () => {
  const kept = [{ ...puzzle(1), box: 0, due: 1 }, { ...puzzle(2), box: 99, due: 1 }, { ...puzzle(3), best: ["<b>"], box: 0, due: 1 }, null, "x"];
  globalThis.localStorage = { getItem: () => JSON.stringify(kept), setItem: () => undefined, removeItem: () => undefined };
  assert.deepEqual(load().map((one) => one.moves), [["m1"]]);
  globalThis.localStorage.getItem = () => "{";
  assert.deepEqual(load(), []);
});
