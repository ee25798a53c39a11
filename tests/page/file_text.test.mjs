// Files of pupils in any encoding: under node, against what Python makes of the same bytes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { decode, textOf } from "../../page/app/file_text.js";

const golden = JSON.parse(readFileSync(process.env.ARBITRE_GOLDEN, "utf-8"));

test("bytes are the text that Python reads", () => {
  for (const { bytes, text } of golden) assert.equal(decode(Uint8Array.from(bytes)).replace(/\r\n?/g, "\n"), text);
});

test("a file that can't be read any more has no text", async () => {
  assert.equal(await textOf(new Blob(["été"])), "été");
  assert.equal(await textOf({ arrayBuffer: () => Promise.reject(new Error("gone")) }), null);
});
