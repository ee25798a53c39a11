/**
 * What the interpreter looks like once it has started, kept in the browser: the next start takes half a second. It is
 * the memory of an interpreter that has seen no file of anybody yet.
 */

const NAME = "arbitre.studio";
const STORE = "snapshots";

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error ?? new Error("closed"));
  });
}

/**
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} act
 * @returns {Promise<T>}
 */
async function within(mode, act) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const asked = act(database.transaction(STORE, mode).objectStore(STORE));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error ?? new Error("refused"));
    });
  } finally {
    database.close();
  }
}

/** The snapshot of that name; undefined if there is none, or the browser keeps nothing. @param {string} name */
export async function load(name) {
  try {
    return /** @type {Uint8Array | undefined} */ (await within("readonly", (store) => store.get(name)));
  } catch {
    return undefined;
  }
}

/** Keeps one, in the place of all others. @param {string} name @param {Uint8Array} snapshot */
export async function keep(name, snapshot) {
  try {
    await within("readwrite", (store) => store.clear());
    await within("readwrite", (store) => store.put(snapshot, name));
  } catch {
    // then the next start takes as long as this one
  }
}
