/** The order in which values rise, and what stays hidden: without a browser. */

import assert from "node:assert/strict";
import test from "node:test";

import { Rising, sourceOf, upwards } from "../../page/app/rising.js";

globalThis.document = { documentElement: { dataset: { animation: "off" } } };

const row = (name, value, below = [], more = {}) => ({
  name, open: true, below, value: { textContent: "" }, branch: { value, children: below.length, ...more },
});
const tree = () => row("root", 3, [row("a", 1, [row("a1", 1), row("a2", 2)]), row("b", 3, [row("b1", 3)], { chosen: true }), row("c", 3)]);
const names = (rows) => rows.map((each) => each.name);
const seen = (rising) => upwards(rising.root).map((each) => each.value.textContent).join("");

function rising() {
  const told = [];
  const steps = new Rising((each) => String(each.branch.value), (step, of, each) => told.push(`${step}/${of} ${each?.name ?? ""}`));
  steps.show(tree());
  return { steps, told };
}

test("each value comes after those below it", () => {
  const root = tree();
  assert.deepEqual(names(upwards(root)), ["a1", "a2", "a", "b1", "b", "c", "root"]);
  root.below[0].open = false;
  assert.deepEqual(names(upwards(root)), ["a", "b1", "b", "c", "root"], "what is folded has no part");
});

test("a value comes from the chosen one of those that are the same", () => {
  const root = tree();
  assert.equal(sourceOf(root)?.name, "b");
  root.below[1].branch.chosen = false;
  root.below[1].branch.plies = 4;
  assert.equal(sourceOf(root)?.name, "c", "a win in four is another value");
  assert.equal(sourceOf(root.below[2]), undefined);
});

test("steps go up, back, and to the end at once", () => {
  const { steps, told } = rising();
  assert.equal(seen(steps), "1213333");
  steps.step();
  steps.step();
  assert.equal(seen(steps), "12?????");
  steps.back();
  steps.back();
  steps.back();
  assert.equal(seen(steps), "???????");
  assert.deepEqual(told.splice(0), ["1/7 a1", "2/7 a2", "1/7 a1", "0/7 ", "0/7 "]);
  for (let step = 0; step < 7; step += 1) steps.step();
  assert.equal(steps.runs, false);
  steps.back();
  assert.equal(seen(steps), "121333?");
  steps.all();
  assert.equal(seen(steps), "1213333");
  assert.equal(told.at(-2), "6/7 c");
});

test("what is unfolded below a known value is known, below another it is still to come", () => {
  const { steps } = rising();
  const [a, , c] = steps.root.below;
  a.open = false;
  const hidden = a.below;
  a.below = [];
  steps.step();
  a.below = hidden;
  steps.grown(a);
  a.open = true;
  c.below = [row("c1", 3)];
  steps.grown(c);
  assert.equal(seen(steps), "121?????");
});
