/** The studio in a class: handing in, the class's copy of the draft, and the league of the programs with one click. */

import { button, h, replace, say, update } from "../dom.js";
import { ownerKey, read, write } from "../kept.js";
import { Joined } from "../class/letters.js";
import { pupil } from "../class/pupil.js";
import { checkTag, faultOf, LONGEST as LONGEST_PROGRAM } from "../class/work.js";
import { LONGEST, mark } from "./drafts.js";
import { fileName, fromNotebook } from "./files.js";
import { speaker } from "./texts.js";

/** How long somebody writes no more before the class gets a copy. */
const QUIET_MS = 4000;

/** Where this browser keeps which file of the teacher's it has opened. */
const GIVEN = "arbitre.studio.given";

export class Lesson {
  /**
   * @param {import("../main.js").Page} page
   * @param {string} door the class's code
   * @param {import("./folder.js").Folder} folder
   * @param {(league: App.Fields<"enter">) => void} enter lets the bot into a league
   * @param {(game: string) => void} begin is told once what the class plays
   */
  constructor(page, door, folder, enter, begin) {
    this.begin = begin;
    this.t = page.t;
    this.own = speaker(page.language);
    this.folder = folder;
    this.pupil = pupil(page, door);
    this.joined = new Joined();
    this.givenText = new Joined();
    /** Whether the class has not said yet whether it has a draft of ours. */
    this.isWaiting = true;
    this.hasAsked = false;
    this.isBusy = false;
    /** What the class has of us: its copy is not sent back to it. */
    this.known = { file: "", text: "" };
    /** Whether the open file has changed, and the class has no copy of that yet. */
    this.isDue = false;
    this.isOver = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.title = h("h2");
    this.status = h("p", { role: "status" });
    this.copy = h("p.faint");
    this.version = h("div");
    this.hand = button("hand-in", this.t("handIn"), () => void this.handIn(), { class: "primary" });
    this.league = button("enter-leagues", this.own("enterClass"), () => this.enter(enter));
    this.given = h("span");
    this.found = h("span");
    this.element = h("section.card", this.title, this.status, h("div.actions", this.hand, this.league, this.given, this.found), this.version, this.copy);
    folder.eraseAsks = "eraseAllSureClass";
    this.deaf = this.pupil.listen((letter) => this.hear(letter));
    this.paint();
  }

  /** @param {School.ClassLetter | null} letter */
  hear(letter) {
    if (letter === null && this.isDue) this.changed();
    if (letter?.type === "drafted") this.hearsOf(letter);
    else if (letter?.type === "source" && !letter.version) this.begins(letter);
    else if (letter?.type === "refused" && (letter.what === "submit" || letter.what === "draft")) {
      say(letter.what === "submit" ? this.status : this.copy, letter.text);
    }
    this.paint();
  }

  paint() {
    const { hall, state } = this.pupil;
    const isIn = state === "in" && hall !== null;
    if (isIn) this.sits(hall);
    say(this.title, hall ? `${hall.title} · ${hall.name}` : this.own("classNotIn"));
    const isOpen = hall?.open ?? true;
    this.hand.toggleAttribute("disabled", !isIn || !isOpen || this.isBusy);
    this.league.toggleAttribute("disabled", !isIn);
    update(this.given, hall?.given ? button("open-given", this.own("openGiven", { file: hall.given.file }), () => this.open(), { class: this.isNew(hall.given.at) ? "primary" : false }) : null);
    this.offer(isIn ? this.folder.nobodys() : []);
    const newest = hall?.works?.at(-1);
    replace(this.version, newest ? h("p", h("strong", this.t("version", { number: newest.version })), " ", checkTag(newest, this.t)) : null,
      newest?.note ? h("p.faint", newest.note) : null, newest?.fault ? faultOf(newest.fault, this.t) : null);
    if (isIn) this.sayState(isOpen);
  }

  /** @param {School.Hall} hall */
  sits(hall) {
    this.isOf(hall);
    if (this.hasAsked) return;
    this.hasAsked = true;
    this.begin(hall.game);
    this.pupil.write({ type: "get_draft" }).catch(() => (this.hasAsked = false));
  }

  /** The files are those of this pupil, also on a computer that others use. @param {School.Hall} hall */
  isOf({ door }) {
    const owner = `${this.pupil.door}.${door}`;
    if (!door || owner === this.folder.store.owner) return;
    write(ownerKey(this.pupil.door), owner);
    this.folder.belongsTo(owner);
    clearTimeout(this.timer);
    this.isDue = false; // they have only been opened
  }

  /** Files that were written here outside the class may be this pupil's. @param {import("./drafts.js").Draft[]} found */
  offer(found) {
    const files = found.map(({ name }) => name).join(", ");
    update(this.found, files ? button("take-over", this.own("takeOver", { files }), () => this.takeOver(found)) : null);
  }

  /** @param {import("./drafts.js").Draft[]} found */
  takeOver(found) {
    for (const { name, text } of [...found].reverse()) this.folder.bring(name, text);
    this.paint();
  }

  /** What is no longer so is no longer said. @param {boolean} isOpen whether one can hand in */
  sayState(isOpen) {
    const closed = this.t("handClosed");
    const said = this.status.textContent;
    if (!isOpen) say(this.status, closed);
    else if (said === closed) say(this.status, "");
    else if (said === this.t("why_offline")) say(this.status, this.t("backAgain"));
  }

  async handIn() {
    const { name, text } = this.folder.draft;
    if (!text.trim() || text.length > LONGEST_PROGRAM) {
      say(this.status, this.t(text.trim() ? "fileTooLarge" : "emptyFile"));
      return;
    }
    this.isBusy = true;
    this.paint();
    try {
      await this.pupil.writeParts({ type: "submit", file: name }, text);
      say(this.status, this.t("handedIn", { file: name }));
    } catch (error) {
      say(this.status, this.pupil.page.refusal(error));
    }
    this.isBusy = false;
    this.paint();
  }

  /** @param {(league: App.Fields<"enter">) => void} enter */
  enter(enter) {
    const { hall, personal } = this.pupil;
    if (hall) enter({ code: hall.bots, personal });
  }

  // ----------------------------------------------------------------------------------------------- what the teacher gives

  /** Whether this browser has not opened what was given at that moment. @param {number} at */
  isNew(at) {
    return read(this.openedKey) !== String(at);
  }

  get openedKey() {
    return `${GIVEN}.${this.folder.store.owner}`;
  }

  open() {
    this.pupil.write({ type: "get_version", version: 0 }).catch((error) => say(this.status, this.pupil.page.refusal(error)));
  }

  /** The file that all are given is a file of ours from now on, and takes the place of no other one. @param {School.Source} letter */
  begins(letter) {
    const text = this.givenText.take(letter);
    const code = text && /\.ipynb$/i.test(letter.file) ? fromNotebook(text) : text;
    if (!code) return;
    write(this.openedKey, String(this.pupil.hall?.given?.at ?? 0));
    this.folder.bring(fileName(letter.file), code.replace(/\r\n?/g, "\n"));
  }

  // ------------------------------------------------------------------------------------------------------------ drafts

  /** The open file has changed: the class gets a copy once its author pauses. */
  changed() {
    clearTimeout(this.timer);
    if (this.isOver) return;
    this.isDue = true;
    this.timer = setTimeout(() => void this.send(), QUIET_MS);
  }

  async send() {
    const { name, text, changed } = this.folder.draft;
    const { hall, state } = this.pupil;
    if (state !== "in" || !hall || text.length > LONGEST) {
      say(this.copy, ""); // it is due
      return;
    }
    this.isDue = false;
    if (this.known.file === name && this.known.text === text) return;
    try {
      await this.pupil.writeParts({ type: "draft", file: name, at: Math.max(0, Math.round(changed + this.pupil.ahead)) }, text);
      this.known = { file: name, text };
      this.folder.isShared(name, text);
      say(this.copy, this.own("copyKept"));
    } catch {
      this.changed();
    }
  }

  /** The class says what copy it has; who has written nothing anywhere begins with what the teacher gives. @param {School.Drafted} letter */
  hearsOf(letter) {
    const given = this.isWaiting && !letter.file && this.pupil.hall?.given;
    this.isWaiting = false;
    if (given && this.isNew(given.at) && this.folder.isFresh(this.folder.draft)) this.open();
    this.took(letter);
  }

  /** The class has a copy: it is shown if it is newer than what this browser has under its name. @param {School.Drafted} letter */
  took(letter) {
    const text = this.joined.take(letter);
    if (text === null || !letter.file) return;
    const at = (letter.at ?? 0) - this.pupil.ahead;
    const file = fileName(letter.file);
    this.known = { file, text };
    const ours = this.folder.drafts.find(({ name }) => name === file);
    if (ours?.text === text) {
      this.folder.isShared(file, text);
      return;
    }
    const theirs = { name: file, text, game: ours?.game ?? "", changed: at, shared: mark(text) };
    const isChanged = ours && ours.shared !== mark(ours.text) && !this.folder.isFresh(ours);
    if (isChanged && ours.shared !== mark(text)) this.keepBoth(ours, theirs);
    else if (isChanged) this.changed();
    else if (!ours || ours.changed < at) {
      this.folder.add(theirs);
      say(this.copy, this.own("copyTaken", { file }));
    }
  }

  /**
   * Both were changed, here and on another device, since they were the same: the older one gets another name.
   * @param {import("./drafts.js").Draft} ours @param {import("./drafts.js").Draft} theirs
   */
  keepBoth(ours, theirs) {
    const [newer, older] = ours.changed >= theirs.changed ? [ours, theirs] : [theirs, ours];
    const other = this.folder.free(older.name);
    this.folder.add({ ...older, name: other, shared: undefined });
    this.folder.add(newer);
    say(this.copy, this.own("bothKept", { file: newer.name, other }));
    if (newer === ours) this.changed();
  }

  /** What is its author's is erased from the class, too. */
  erase() {
    clearTimeout(this.timer);
    this.isDue = false;
    this.known = { file: "", text: "" };
    this.pupil.write({ type: "forget" }).then(() => say(this.copy, this.own("copyErased")), () => undefined);
  }

  /** What has changed is sent; what somebody has only looked at is not, or it would take the place of the class's copy. */
  close() {
    clearTimeout(this.timer);
    this.isOver = true;
    if (this.isDue) void this.send();
    this.deaf();
  }
}
