/** What the browser keeps from visit to visit; one that keeps nothing is as good, but forgets. */

/** Where a tab keeps the address of the class, or of its desk, that it is in, whatever it shows. */
export const PLACE = "arbitre.place";

/** Where this browser keeps who works in a class with it. @param {string} door */
export const ownerKey = (door) => `arbitre.owner.${door}`;

/** @param {string} key @param {boolean} [tab] of this tab alone @returns {string | null} */
export function read(key, tab = false) {
  try {
    return (tab ? sessionStorage : localStorage).getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} value null: forgets it @param {boolean} [tab] for this tab alone */
export function write(key, value, tab = false) {
  try {
    const store = tab ? sessionStorage : localStorage;
    if (value === null) store.removeItem(key);
    else store.setItem(key, value);
  } catch {
    // then for this time only
  }
}
