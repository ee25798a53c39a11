// Asks pupils' files as the studio's worker does, but under node: FOLDER CASES, where CASES is a JSON file of
// [{ files: { name: text }, name, game, moves, whole, move_s, seed }]. Writes a JSON list of what came of each.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [folder, cases] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(path.join(folder, "pyodide.mjs")).href);

let deadline = Infinity;
const clock = { start: (seconds) => void (deadline = performance.now() + 1000 * seconds), stop: () => void (deadline = Infinity), used: () => 0 };
const interrupts = {
  get 0() {
    if (performance.now() < deadline) return 0;
    deadline = Infinity;
    return 2;
  },
  set 0(_number) {},
};

const archive = new Uint8Array(fs.readFileSync(path.join(folder, "arbitre.zip")));

/** The interpreter is compiled once, not at each start; what the compiler learns of it stays. */
let compiled;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (source, imports) => {
  if (source instanceof WebAssembly.Module || source.byteLength < 1 << 20) return instantiate(source, imports);
  compiled ??= await WebAssembly.compile(source);
  return { module: compiled, instance: await instantiate(compiled, imports) };
};

/** An interpreter that has seen no file; from the second on, from a snapshot, as in a browser. */
let snapshot;
async function start() {
  const settings = { indexURL: folder + path.sep, jsglobals: {}, stdout: () => undefined, stderr: () => undefined };
  const python = await loadPyodide({ ...settings, ...(snapshot ? { _loadSnapshot: snapshot } : { _makeSnapshot: true }) });
  python.unpackArchive(archive, "zip", { extractDir: "/arbitre" });
  if (!snapshot) {
    python.runPython('own = {"__name__": "namespace"}; exec(open("/arbitre/machine/namespace.py").read(), own); own["seclude"]("/arbitre")');
    python.runPython("from arbitre.bots.adapters import studio");
    snapshot = python.makeMemorySnapshot();
  }
  python.setInterruptBuffer(interrupts);
  return python;
}

async function run(one) {
  const python = await start();
  const said = [];
  const studio = python.globals.get("studio").begin(clock, (text) => void said.push(text));
  for (const [name, text] of Object.entries(one.files)) python.FS.writeFile(`/home/pyodide/${name}`, text);
  const opened = JSON.parse(studio.open(JSON.stringify({ path: `/home/pyodide/${one.name}`, choice: "", load_s: 8, language: "fr" })));
  const answers = [];
  for (const moves of opened.ready ? one.asked : []) {
    answers.push(JSON.parse(studio.ask(JSON.stringify({ game: one.game, moves, seed: one.seed, move_s: one.move_s, clock: {} }))));
  }
  return { opened, answers, said: said.join("") };
}

const results = [];
for (const one of JSON.parse(fs.readFileSync(cases, "utf8"))) results.push(await run(one).catch((error) => ({ failed: String(error) })));
fs.writeFileSync(process.stdout.fd, JSON.stringify(results));
