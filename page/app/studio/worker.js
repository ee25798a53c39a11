/**
 * A worker with Python: it loads one file, and answers `choose`. It has no socket, no clock and no page; what the file
 * prints, and what it answers, goes to the thread that started it (pool.js). Its own policy allows WebAssembly, and
 * nothing from outside.
 *
 * A file that is too slow is interrupted: the interpreter looks at a buffer from time to time, and this one asks the time.
 */

import { keep, load } from "./snapshots.js";

const PLACE = "/home/pyodide/";
const OURS = "/arbitre";

/** What Python runs first: our sources are found as `arbitre`, and as nothing else. */
const IMPORTS = `own = {"__name__": "namespace"}; exec(open("${OURS}/machine/namespace.py").read(), own); own["seclude"]("${OURS}")`;
const STARTS = "from arbitre.bots.adapters import studio";

/** @typedef {{ open: (fields: string) => string, ask: (fields: string) => string }} Studio */

const clock = {
  at: Infinity,
  /** @param {number} seconds */
  start(seconds) {
    clock.at = performance.now() + seconds * 1000;
  },
  stop() {
    clock.at = Infinity;
  },
  /** The bytes that the interpreter holds; it never gives any back. */
  used() {
    return Number(python._module.HEAP8.length);
  },
};

/** What the interpreter reads instead of shared memory, which plain HTTP has not: 2 is Ctrl-C, once. */
const interrupts = {
  get 0() {
    if (performance.now() < clock.at) return 0;
    clock.at = Infinity;
    return 2;
  },
  set 0(_number) {},
};

/** @type {any} */
let python = null;
/** @type {Studio | null} */
let studio = null;

/**
 * @param {{ base: string, sources: string }} runtime
 * @returns {Promise<boolean>} whether it came from a snapshot
 */
async function start({ base, sources }) {
  const name = base + sources;
  const [{ loadPyodide }, archive, kept] = await Promise.all([
    import(`${base}pyodide.mjs`), fetch(sources).then((answer) => answer.arrayBuffer()), load(name),
  ]);
  const settings = { indexURL: base, jsglobals: {}, stdout: print, stderr: print };
  if (kept) python = await loadPyodide({ ...settings, _loadSnapshot: kept }).catch(() => null);
  const isQuick = python !== null;
  python ??= await loadPyodide({ ...settings, _makeSnapshot: true });
  python.unpackArchive(archive, "zip", { extractDir: OURS });
  if (!isQuick) {
    python.runPython(IMPORTS);
    python.runPython(STARTS);
    void keep(name, python.makeMemorySnapshot());
  }
  python.setInterruptBuffer(interrupts);
  studio = python.globals.get("studio").begin(clock, print);
  return isQuick;
}

/** @param {string} text */
function print(text) {
  postMessage({ kind: "print", text });
}

/** What the thread that started us may ask, each answered with its number. @type {Record<string, (fields: any) => unknown>} */
const DEEDS = {
  start,
  open({ name, text, beside, ...fields }) {
    for (const [other, source] of Object.entries({ ...beside, [name]: text })) python.FS.writeFile(PLACE + other, source);
    return JSON.parse(/** @type {Studio} */ (studio).open(JSON.stringify({ path: PLACE + name, ...fields })));
  },
  ask: (fields) => JSON.parse(/** @type {Studio} */ (studio).ask(JSON.stringify(fields))),
};

addEventListener("message", async ({ data: { id, deed, fields } }) => {
  try {
    postMessage({ kind: "answer", id, answer: await DEEDS[deed](fields) });
  } catch (error) {
    postMessage({ kind: "failed", id, error: String(error).slice(-500) });
  }
});
