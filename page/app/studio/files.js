/**
 * Files of pupils, in and out: `.py` as it is; of a notebook its code cells, with a line `# %%` before each, which other
 * editors know too. Lines that are no Python but commands of notebooks become comments. Pure, but for `download`.
 */

const CELL = "# %%";
const MAGIC = /^(\s*)([%!?])/;

/** The code of a notebook; null if it is none. @param {string} text @returns {string | null} */
export function fromNotebook(text) {
  try {
    const cells = JSON.parse(text).cells.filter((/** @type {any} */ cell) => cell.cell_type === "code");
    return cells.map((/** @type {any} */ cell) => `${CELL}\n${plain(sourceOf(cell))}`).join("\n\n").concat("\n");
  } catch {
    return null;
  }
}

/** @param {any} cell @returns {string} */
function sourceOf(cell) {
  return (Array.isArray(cell.source) ? cell.source.join("") : String(cell.source)).trimEnd();
}

/** @param {string} source */
function plain(source) {
  const isWhole = source.startsWith("%%");
  return source.split("\n").map((line) => (isWhole || MAGIC.test(line) ? `# ${line}` : line)).join("\n");
}

/** A notebook with the code: a cell for each part that begins with `# %%`. @param {string} text */
export function toNotebook(text) {
  const parts = text.split(/^# %%[^\n]*\n/m).map((part) => part.trim()).filter(Boolean);
  const cells = parts.map((part) => ({ cell_type: "code", execution_count: null, metadata: {}, outputs: [], source: lines(part) }));
  const metadata = { kernelspec: { display_name: "Python 3", language: "python", name: "python3" }, language_info: { name: "python" } };
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 4 }, null, 1);
}

/** @param {string} part @returns {string[]} */
function lines(part) {
  return part.split("\n").map((line, place, all) => (place < all.length - 1 ? `${line}\n` : line));
}

/** A name for a file of Python, made of what somebody wrote. @param {string} text */
export function fileName(text) {
  const stem = text.replace(/\.(py|ipynb)$/i, "").normalize("NFC").replace(/[^\p{L}\p{N}_-]+/gu, "_").replace(/^_+|_+$/g, "").slice(0, 40);
  return `${stem || "mon_bot"}.py`;
}

/** Lets the browser save a file. @param {string} name @param {string} text @param {string} kind */
export function download(name, text, kind) {
  const address = URL.createObjectURL(new Blob([text], { type: kind }));
  const anchor = document.createElement("a");
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
