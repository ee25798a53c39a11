/**
 * Somebody in a class, whatever view of their tab they look at: hears what the class tells, and sits down in the matches
 * to which it invites. Pupils and the teacher are such (`pupil.js`, `teacher.js`).
 */

import { PLACE, write } from "../kept.js";
import { Bar } from "./bar.js";
import { Way } from "./letters.js";

/** @typedef {import("../main.js").Page} Page */
/** @typedef {(letter: School.ClassLetter | null) => void} Ear hears the class; null: the state of the member is another one */

const RETRY_MS = 2000;
const LONGEST_RETRY_MS = 10_000;

/**
 * The member whom this tab knows, or a new one if that is of another class.
 * @template {{door: string, close: () => void}} M
 * @param {M | null} known @param {string} door @param {(door: string) => M} make
 */
export function memberOf(known, door, make) {
  const code = door.toUpperCase();
  if (known?.door === code) return known;
  known?.close();
  return make(code);
}

/** @template {string} State how things stand between the class and its member */
export class Member {
  /**
   * @param {Page} page @param {string} door @param {"class" | "desk"} kind the first part of its address
   * @param {string} back the key of the way back there @param {State} state before anything is known
   */
  constructor(page, door, kind, back, state) {
    this.page = page;
    this.door = door;
    this.home = `/${kind}/${door}`;
    this.state = state;
    /** How far ahead of our clock the class's is, in milliseconds. */
    this.ahead = 0;
    /** Who invites to the matches of the class. */
    this.host = "";
    /** Whether we take those invitations. */
    this.sits = true;
    /** Matches in which we are about to sit down. */
    this.joining = 0;
    /** @type {Set<Ear>} */
    this.ears = new Set();
    this.way = new Way(page, door, (letter) => this.told(letter));
    this.bar = new Bar(page, this.home, back);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** How often the class has been asked in vain. */
    this.tries = 0;
    this.hears = (/** @type {App.Told} */ message) => this.hear(message);
    page.ears.add(this.hears);
    write(PLACE, this.home, true);
  }

  /** The open matches in which we sit. @returns {import("../match.js").View[]} */
  get sitsAt() {
    return [...this.page.matches.values()].filter((view) => view.seat !== null && view.status !== "finished");
  }

  /** Hears what the class tells from now on; returns what ends that. @param {Ear} ear */
  listen(ear) {
    this.ears.add(ear);
    return () => void this.ears.delete(ear);
  }

  /** @param {State} state */
  become(state) {
    this.state = state;
    for (const ear of this.ears) ear(null);
  }

  /** Asks again after a while, or when the server says that it is worth it. @param {() => void} ask @param {number} [wait] in milliseconds */
  later(ask, wait = 0) {
    clearTimeout(this.timer);
    this.timer = setTimeout(ask, Math.max(Math.min(RETRY_MS * 2 ** this.tries, LONGEST_RETRY_MS), wait));
    this.tries += 1;
  }

  /** @param {App.Told} message */
  hear(message) {
    this.way.hear(message);
    if (message.type === "invitation") void this.accept(message);
    this.paintBar();
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    for (const ear of this.ears) ear(letter);
  }

  /** Takes in how the class stands: invitations may have come before we knew whose they are. @param {School.Hall | School.Desk} letter */
  stands(letter) {
    this.tries = 0;
    this.ahead = (letter.now || Date.now()) - Date.now();
    this.host = letter.host ?? "";
    this.bar.halted = letter.halted ?? false;
    for (const invitation of [...this.page.who.invitations.values()]) void this.accept(invitation);
  }

  /** Sits down in a match of the class. @param {Protocol.Invitation} invitation @returns {Promise<boolean>} whether we sit there now */
  async accept({ match, by }) {
    const { page } = this;
    if (!this.sits || !this.host || by !== this.host) return false;
    page.who.invitations.delete(match);
    page.who.paint();
    this.joining += 1;
    const sits = await page.ask("join", { match }).then(() => true, () => false);
    this.joining -= 1;
    return sits;
  }

  paintBar() {
    this.bar.paint();
  }

  close() {
    clearTimeout(this.timer);
    this.page.ears.delete(this.hears);
    this.bar.close();
  }
}
