/** The pupil's files above the editor: which one is open, new ones, in and out of the browser. */

import { button, h, replace, say } from "../dom.js";
import { textOf } from "../file_text.js";
import { Drafts, LONGEST, mark } from "./drafts.js";
import { download, fileName, fromNotebook, toNotebook } from "./files.js";
import { FIRST } from "./texts.js";

const SAVE_MS = 500;

/** @typedef {import("./drafts.js").Draft} Draft */

export class Folder {
  /**
   * @param {App.Speaker} t
   * @param {"en" | "fr"} language
   * @param {(draft: Draft) => void} opened another file is shown
   * @param {string} [owner] whose files these are, as far as the browser knows
   */
  constructor(t, language, opened, owner = "") {
    this.t = t;
    this.language = language;
    this.opened = opened;
    /** @type {() => void} what else is to be done when all is erased */
    this.erased = () => undefined;
    /** What is asked before that. */
    this.eraseAsks = "eraseAllSure";
    this.store = new Drafts(owner);
    /** @type {Draft[]} */
    this.drafts = this.store.load();
    /** @type {Draft} */
    this.draft = this.drafts[0] ?? this.fresh();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.list = /** @type {HTMLSelectElement} */ (h("select", { name: "draft", "aria-label": t("file"), change: () => this.choose(this.list.value) }));
    this.name = /** @type {HTMLInputElement} */ (h("input", { name: "draft-name", "aria-label": t("fileName"), maxlength: 43, change: () => this.rename() }));
    this.picker = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".py,.ipynb", hidden: true, "data-action": "pick", change: () => void this.take() }));
    this.trouble = h("p.trouble", { role: "alert" });
    this.kept = h("p.faint");
    this.element = h("div.folder",
      h("div.bar", this.list, this.name, button("new", t("newFile"), () => this.add(this.fresh())), button("open", t("open"), () => this.picker.click()), this.picker,
        button("save-py", t("savePy"), () => download(this.draft.name, this.draft.text, "text/x-python")),
        button("save-ipynb", t("saveNotebook"), () => download(this.draft.name.replace(/py$/, "ipynb"), toNotebook(this.draft.text), "application/x-ipynb+json")),
        sure("erase", t("erase"), () => t("eraseSure", { name: this.draft.name }), () => this.erase()),
        sure("erase-all", t("eraseAll"), () => t(this.eraseAsks), () => this.eraseAll())),
      this.trouble, this.kept);
    this.life = new AbortController();
    const { signal } = this.life;
    const leaves = () => void (this.timer && this.keep());
    window.addEventListener("pagehide", leaves, { signal });
    document.addEventListener("visibilitychange", leaves, { signal });
    window.addEventListener("storage", (event) => event.key === this.store.key && this.elsewhere(), { signal });
    this.paint();
  }

  /** Another tab of this browser has kept something: its text goes on here, unless something newer is being written. */
  elsewhere() {
    this.drafts = this.store.load();
    const theirs = this.drafts.find(({ name }) => name === this.draft.name);
    if (theirs && theirs.text !== this.draft.text && !this.timer) {
      this.draft = theirs;
      this.opened(theirs);
    }
    this.paint();
  }

  /** From now on these are the files of somebody else: what was open stays with who wrote it. @param {string} owner */
  belongsTo(owner) {
    if (this.timer) this.keep();
    this.store = new Drafts(owner);
    this.drafts = this.store.load();
    this.draft = this.drafts[0] ?? this.fresh();
    say(this.trouble, "");
    say(this.kept, "");
    this.opened(this.draft);
    this.paint();
  }

  /** What was written in this browser by nobody in particular, and is not here. @returns {Draft[]} */
  nobodys() {
    const found = this.store.owner ? new Drafts("").load() : [];
    return found.filter((draft) => !this.isFresh(draft) && !this.drafts.some(({ text }) => text === draft.text));
  }

  /** The class has this text of a file now. @param {string} name @param {string} text */
  isShared(name, text) {
    const shared = mark(text);
    if (this.draft.name === name) this.draft = { ...this.draft, shared };
    const draft = this.draft.name === name ? this.draft : this.drafts.find((other) => other.name === name);
    if (draft) this.drafts = this.store.save({ ...draft, shared });
  }

  /** A new file, with a name that no other has. @returns {Draft} */
  fresh() {
    return { name: this.free(this.language === "fr" ? "mon_bot.py" : "my_bot.py"), text: FIRST[this.language], game: "", changed: Date.now() };
  }

  /** Whether nobody has written anything into a file. @param {Draft} draft */
  isFresh(draft) {
    return draft.text === FIRST[this.language];
  }

  /** A name that no file has yet. @param {string} wished */
  free(wished) {
    const names = new Set(this.drafts.map((draft) => draft.name));
    let name = wished;
    for (let number = 2; names.has(name); number += 1) name = wished.replace(/\.py$/, `${number}.py`);
    return name;
  }

  /** The text or the game of the open file has changed. @param {Partial<Draft>} change */
  change(change) {
    this.draft = { ...this.draft, ...change, changed: Date.now() };
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.keep(), SAVE_MS);
  }

  /** Keeps the open file now. @returns {boolean} whether it is not too long for that */
  keep() {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.draft.text.length > LONGEST) {
      say(this.trouble, this.t("tooLong", { name: this.draft.name, size: LONGEST }));
      return false;
    }
    this.drafts = this.store.save(this.draft);
    const isKept = this.store.load().some(({ name, text }) => name === this.draft.name && text === this.draft.text);
    say(this.kept, this.t(isKept ? "keptHere" : "notKept"));
    this.paint();
    return true;
  }

  /** @param {Draft} draft */
  add(draft) {
    if (this.timer) this.keep();
    this.draft = draft;
    say(this.trouble, "");
    this.keep();
    this.opened(draft);
  }

  /** @param {string} name */
  choose(name) {
    const draft = this.drafts.find((other) => other.name === name);
    if (draft) this.add({ ...draft, changed: Date.now() });
  }

  rename() {
    const name = fileName(this.name.value);
    const before = this.draft.name;
    if (name !== before && !this.drafts.some((draft) => draft.name === name)) {
      this.draft = { ...this.draft, name };
      if (this.keep()) this.drafts = this.store.forget(before);
    }
    this.name.value = this.draft.name;
    this.paint();
  }

  erase() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.drafts = this.store.forget(this.draft.name);
    this.add(this.drafts[0] ?? this.fresh());
  }

  eraseAll() {
    clearTimeout(this.timer);
    this.timer = undefined;
    for (const { name } of this.drafts) this.store.forget(name);
    this.drafts = [];
    this.add(this.fresh());
    this.erased();
  }

  /** Takes a file that the reader has picked. */
  async take() {
    const file = this.picker.files?.[0];
    this.picker.value = "";
    if (!file) return;
    const isNotebook = /\.ipynb$/i.test(file.name);
    const refuse = (/** @type {string} */ why) => say(this.trouble, this.t(why, { name: file.name, size: LONGEST }));
    if (file.size > LONGEST * (isNotebook ? 40 : 4)) return refuse("tooLong");
    const text = await textOf(file);
    if (text === null) return refuse("unreadable");
    const code = isNotebook ? fromNotebook(text) : text.replace(/\r\n?/g, "\n");
    if (code === null) return refuse("noNotebook");
    if (code.length > LONGEST) return refuse("tooLong");
    return this.bring(fileName(file.name), code);
  }

  /** A file from elsewhere; it takes the place of no other one. @param {string} name @param {string} text */
  bring(name, text) {
    if (this.timer) this.keep();
    const isSame = this.drafts.some((draft) => draft.name === name && draft.text === text);
    this.add({ name: isSame ? name : this.free(name), text, game: this.draft.game, changed: Date.now() });
  }

  paint() {
    const names = this.drafts.some(({ name }) => name === this.draft.name) ? this.drafts : [this.draft, ...this.drafts];
    const sorted = names.map(({ name }) => name).sort();
    replace(this.list, ...sorted.map((name) => h("option", { value: name, selected: name === this.draft.name }, name)));
    if (document.activeElement !== this.name) this.name.value = this.draft.name; // or somebody is writing another one
  }

  close() {
    this.life.abort();
    if (this.timer) this.keep();
  }
}

/**
 * A button that asks before it does something: it wants to be used twice.
 * @param {string} action
 * @param {string} text
 * @param {() => string} asked
 * @param {() => void} run
 */
function sure(action, text, asked, run) {
  const calm = () => say(made, text);
  const made = button(action, text, () => {
    if (made.textContent === text) return say(made, asked());
    calm();
    return run();
  }, { blur: () => calm() });
  return made;
}
