// Moves as they stand in addresses and records: under node, against what the games themselves read.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { split } from "../../page/app/addresses.js";

const { games, played } = JSON.parse(readFileSync(process.env.ARBITRE_GOLDEN, "utf8"));

test("moves apart and in a row are those that the game reads", () => {
  for (const { game, text, moves } of played) {
    for (const written of [text, text.toUpperCase(), moves.join(" "), moves.join(", ")]) assert.deepEqual(split(written, games[game]), moves, game);
  }
});

test("two moves are a row already", () => {
  assert.deepEqual(split("d3c3", games.othello), ["d3", "c3"]);
  assert.deepEqual(split("44", games.puissance4), ["4", "4"]);
  assert.deepEqual(split("b2b3", games.breakthrough), ["b2b3"]);
});

test("numbers of two digits stay whole", () => {
  assert.deepEqual(split("a10b10", games.morpion), ["a10", "b10"]);
  assert.deepEqual(split("a9a10b10c9", games.breakthrough), ["a9a10", "b10c9"]);
  assert.deepEqual(split("4 10 3", games.puissance4), ["4", "10", "3"]);
});

test("where moves of one cell and of two can't be told apart, words stay whole", () => {
  assert.deepEqual(split("c1d1 e1 f1g1h1", { row: "" }), ["c1d1", "e1", "f1g1h1"]);
});

test("what is no row of moves stays as it is written", () => {
  assert.deepEqual(split("b2b3e5 <b> ??", games.breakthrough), ["b2b3e5", "<b>", "??"]);
  assert.deepEqual(split(" , ", games.othello), []);
});

test("of a game that is not known, rows are guessed", () => {
  assert.deepEqual(split("f5d6c3 d3c3"), ["f5", "d6", "c3", "d3c3"]);
  assert.deepEqual(split("4453 10"), ["4", "4", "5", "3", "10"]);
});
