/**
 * Somebody in a class, whichever view of the page they look at: enters with the code of their card, again after each
 * loss of the connection, and takes the invitations of the class by itself.
 */

import { read, write } from "../kept.js";
import { Bar } from "./bar.js";
import { Way } from "./letters.js";

/** @typedef {import("../main.js").Page} Page */
/** @typedef {"asking" | "entering" | "in" | "wrong" | "nowhere" | "away" | "elsewhere" | "removed" | "offline"} State */

const RETRY_MS = 2000;
/** How long who has played looks at the last position before the page leads back. */
const LINGER_MS = 8000;
const NAME = "arbitre.name";

/** Numbers behind a name that other computers have, too. */
const MOST_NAMESAKES = [2, 3, 4, 5, 6, 7, 8, 9];

/** Whether the server calls somebody as the class does, or so with a number. @param {string} me @param {string} name */
const isCalled = (me, name) => me === name || MOST_NAMESAKES.some((number) => me === `${name} ${number}`);

/** @param {string} door */
const keyOf = (door) => `arbitre.class.${door}`;

/** The personal code that this browser keeps for a class. @param {string} door */
export const keptCode = (door) => read(keyOf(door));

/** @type {Pupil | null} */
let known = null;

/** Who this page is in a class: the same one for all its views. @param {Page} page @param {string} door */
export function pupil(page, door) {
  const code = door.toUpperCase();
  if (known?.door !== code) {
    known?.close();
    known = new Pupil(page, code);
  }
  return known;
}

export class Pupil {
  /** @param {Page} page @param {string} door */
  constructor(page, door) {
    this.page = page;
    this.door = door;
    this.home = `/class/${door}`;
    /** @type {State} */
    this.state = "asking";
    /** @type {School.Hall | null} */
    this.hall = null;
    /** How far ahead of our clock the class's is, in milliseconds. */
    this.ahead = 0;
    /** When what we have heard last was said. */
    this.heardAt = 0;
    this.personal = keptCode(door) ?? "";
    this.wasIn = false;
    this.renamed = "";
    /** @type {Set<string>} the matches of the class that we sit in */
    this.taken = new Set();
    /** @type {Set<(letter: School.ClassLetter | null) => void>} who hears the class; null: our state is another one */
    this.ears = new Set();
    this.way = new Way(page, door, (letter) => this.told(letter));
    this.bar = new Bar(page, this.home, "backToClass");
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hears = (/** @type {App.Told} */ message) => this.hear(message);
    page.ears.add(this.hears);
    this.enter();
  }

  /** Hears what the class tells from now on; returns what ends that. @param {(letter: School.ClassLetter | null) => void} ear */
  listen(ear) {
    this.ears.add(ear);
    return () => void this.ears.delete(ear);
  }

  /** @param {State} state */
  become(state) {
    this.state = state;
    for (const ear of this.ears) ear(null);
  }

  /** Writes to the class; rejects as `page.ask` does. @param {School.PupilLetter} letter */
  write(letter) {
    return this.way.write(letter);
  }

  /**
   * Writes a long text, in parts.
   * @param {{type: "submit", file: string} | {type: "draft", file: string, at: number}} letter
   * @param {string} text
   * @param {(share: number) => void} [progress] from 0 to 1
   */
  writeParts(letter, text, progress) {
    return this.way.writeParts(letter, text, progress);
  }

  // ---------------------------------------------------------------------------------------------------------- entering

  /** Comes in with a code, which the browser keeps once it is right. @param {string} code */
  show(code) {
    this.personal = code.toUpperCase().replace(/[^A-Z]/g, "");
    this.wasIn = false;
    return this.enter();
  }

  async enter() {
    clearTimeout(this.timer);
    if (!this.personal) {
      this.become("asking");
      return;
    }
    if (!this.page.connection.open) return;
    this.become("entering");
    try {
      await this.page.ask("enter", { code: this.door, personal: this.personal, again: this.wasIn });
      write(keyOf(this.door), this.personal);
      this.wasIn = true;
      await this.way.write({ type: "arrive" });
      this.become("in");
    } catch (/** @type {any} */ error) {
      this.refused(error.code, error.data?.why);
    }
  }

  /** @param {string | undefined} code @param {string} [why] */
  refused(code, why) {
    if (code === "bad_code") {
      write(keyOf(this.door), null);
      this.become("wrong");
    } else if (code === "out_of_league") this.become(why === "removed" ? "removed" : "elsewhere");
    else if (code !== undefined) {
      this.become(code === "no_such_league" ? "nowhere" : "away");
      this.timer = setTimeout(() => this.enter(), RETRY_MS);
    } else this.become("offline");
  }

  /** Here, and not where the card was used since. */
  here() {
    this.wasIn = false;
    return this.enter();
  }

  /** This computer knows nothing of us any more. */
  forget() {
    write(keyOf(this.door), null);
    write(NAME, null);
    this.personal = "";
    this.hall = null;
    this.bar.halted = false;
    this.bar.say("");
    this.taken.clear();
    this.renamed = "";
    this.page.connection.renew();
    this.become("asking");
  }

  // ------------------------------------------------------------------------------------------------ what is told to us

  /** @param {App.Told} message */
  hear(message) {
    this.way.hear(message);
    if (message.type === "opened") this.enter();
    else if (message.type === "error" && message.code === "out_of_league") this.refused(message.code, String(message.data?.why));
    else if (message.type === "invitation") this.accept(message);
    else if (message.type === "finished" && this.taken.delete(message.match)) this.leadBack(message.match);
    else if (message.type === "name_refused") this.otherName();
    this.bar.paint();
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "hall") {
      this.hall = letter;
      this.ahead = (letter.now || Date.now()) - Date.now();
      this.bar.halted = letter.halted ?? false;
      if (letter.news) this.heard(letter.news);
      if (this.state !== "in") this.become("in");
      this.rename(letter.name);
    } else if (letter.type === "news") this.heard(letter);
    for (const ear of this.ears) ear(letter);
    this.bar.paint();
  }

  /** The teacher has said something to all: once is enough. @param {School.News} news */
  heard(news) {
    if (news.at <= this.heardAt) return;
    this.heardAt = news.at;
    this.bar.say(news.text);
  }

  /** The server calls us as the class does, once, unless we play: matches show that name. @param {string} name */
  rename(name) {
    const { page } = this;
    if (this.renamed || isCalled(page.me(), name) || page.matches.size) return;
    this.renamed = name;
    this.wasIn = false;
    write(NAME, name);
    page.connection.renew();
  }

  /** Another computer, or this one a moment ago, still has the name. */
  otherName() {
    const { name } = this.hall ?? {};
    const next = MOST_NAMESAKES.find((number) => this.renamed === (number === 2 ? name : `${name} ${number - 1}`));
    if (!name || !next) return;
    this.renamed = `${name} ${next}`;
    write(NAME, this.renamed);
    this.page.who.trouble = "";
  }

  /** Takes an invitation of the class, and shows the match. @param {Protocol.Invitation} invitation */
  async accept(invitation) {
    if (!this.hall?.host || invitation.by !== this.hall.host) return;
    this.page.who.invitations.delete(invitation.match);
    this.page.who.paint();
    const ok = await this.page.ask("join", { match: invitation.match }).catch(() => null);
    if (!ok) return;
    this.taken.add(invitation.match);
    this.page.go(`/m/${invitation.match}`);
  }

  /** @param {string} match */
  leadBack(match) {
    setTimeout(() => {
      if (location.pathname === `/m/${match}`) this.page.go(this.home);
    }, LINGER_MS);
  }

  close() {
    clearTimeout(this.timer);
    this.page.ears.delete(this.hears);
    this.bar.close();
  }
}
