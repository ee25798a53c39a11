// Which boards stand on a page, and what opinions of bots are worth: under node, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";

import { choose } from "../../page/app/grid.js";
import { hidden, pointsText, ratingText } from "../../page/app/scores.js";
import { across } from "../../page/app/small.js";
import { shareOf, usualScore } from "../../page/app/thinking.js";

const thought = (score, exact = false) => ({ ply: 0, depth: 1, score, pv: [], nodes: 0, exact });

test("boards stay in their places while their games last, and a while longer", () => {
  assert.deepEqual(choose([], new Map(), ["a", "b"], 0, 30), ["a", "b"]);
  assert.deepEqual(choose(["a", "b"], new Map(), ["c", "a", "b"], 0, 30), ["a", "b", "c"]);
  assert.deepEqual(choose(["a", "b"], new Map([["a", 0]]), ["c", "b"], 1000, 2), ["a", "b"]);
  assert.deepEqual(choose(["a", "b"], new Map([["a", 0]]), ["c", "b"], 7000, 2), ["c", "b"]);
  assert.deepEqual(choose(["a", "b"], new Map([["a", 0]]), ["b"], 7000, 2), ["b"]);
  assert.equal(choose([], new Map(), Array.from({ length: 99 }, (_, n) => `m${n}`), 0, 30).length, 30);
});

test("boards on a wall are as large as the room lets them be", () => {
  assert.deepEqual([0, 1, 2, 3, 6, 7, 12].map((count) => across(count, 2)), [1, 1, 2, 3, 3, 4, 6]);
  assert.deepEqual([1, 2, 4, 5, 6].map((count) => across(count, 1.1)), [1, 2, 2, 3, 3]);
});

test("an opinion is drawn relative to what is usual for the bot, whatever its unit", () => {
  for (const unit of [0.01, 1, 1e6]) {
    const usual = usualScore([1, -2, 3, 100].map((score) => thought(score * unit)));
    assert.ok(Math.abs(shareOf(thought(3 * unit), 1, usual) - 0.75) < 1e-9);
    assert.ok(Math.abs(shareOf(thought(3 * unit), 2, usual) - 0.25) < 1e-9);
  }
  assert.equal(shareOf(thought(0), 1, 1), 0.5);
  assert.equal(shareOf(thought(null), 1, 1), null);
  assert.equal(shareOf(undefined, 1, 1), null);
});

test("what is exact is won, drawn or lost", () => {
  assert.equal(shareOf(thought(7, true), 1, 100), 1);
  assert.equal(shareOf(thought(7, true), 2, 100), 0);
  assert.equal(shareOf(thought(0, true), 1, 100), 0.5);
  assert.equal(usualScore([thought(50, true)]), 1);
});

test("hidden names are numbers that stay, whoever stands where", () => {
  const t = (key, values) => `${key} ${values.number}`;
  const one = hidden(["Ada", "Bob", "Zoé"], t);
  const other = hidden(["Zoé", "Ada", "Bob", "Bob"], t);
  assert.deepEqual(["Ada", "Bob", "Zoé"].map(one), ["Ada", "Bob", "Zoé"].map(other));
  assert.equal(new Set(["Ada", "Bob", "Zoé"].map(one)).size, 3);
  assert.equal(one("nobody"), "someBot ?");
});

test("numbers are written as the reader's language does", () => {
  assert.equal(pointsText(2.5, "fr"), "2,5");
  assert.equal(ratingText({ rating: 1049.6, error: 150.5 }, "en"), "1050 ±\u00a0151");
  assert.equal(ratingText({ rating: null }, "en"), "–");
});
