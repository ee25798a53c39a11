/** What the browser keeps from visit to visit; one that keeps nothing is as good, but forgets. */

/** @param {string} key @returns {string | null} */
export function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value null: forgets it */
export function write(key, value) {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // then for this time only
  }
}
