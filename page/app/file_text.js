/**
 * The text of a Python file that somebody picks, in whatever encoding an editor has left it: `decode` of
 * `bots/adapters/pupils/trouble.py` does the same with a file on disk.
 */

const CODING = /^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)/;

/** The text, or null if the file can't be read: a folder that was dropped, a stick that is gone. @param {Blob} file */
export async function textOf(file) {
  const buffer = await file.arrayBuffer().catch(() => null);
  return buffer && decode(new Uint8Array(buffer));
}

/** @param {Uint8Array} bytes @returns {string} */
export function decode(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return read("utf-16le", bytes) ?? "";
  if (first === 0xfe && second === 0xff) return read("utf-16be", bytes) ?? "";
  return read("utf-8", bytes, true) ?? read(declared(bytes), bytes, true) ?? read("windows-1252", bytes) ?? "";
}

/** @param {string} encoding @param {Uint8Array} bytes @returns {string | null} null if that is not its encoding */
function read(encoding, bytes, fatal = false) {
  try {
    return new TextDecoder(encoding, { fatal }).decode(bytes);
  } catch {
    return null;
  }
}

/** The encoding that the first two lines name, as browsers call it. @param {Uint8Array} bytes */
function declared(bytes) {
  const lines = (read("latin1", bytes.subarray(0, 400)) ?? "").split(/\r\n?|\n/, 2);
  const found = lines.map((line) => CODING.exec(line)?.[1]).find(Boolean) ?? "";
  return found.toLowerCase().replaceAll("_", "-").replace(/^latin-(\d)/, "latin$1");
}
