/**
 * Somebody in a class, whichever view of the page they look at: enters with the code of their card, again after each
 * loss of the connection, and is led to the matches of the class, and back.
 */

import { button, h } from "../dom.js";
import { ownerKey, PLACE, read, write } from "../kept.js";
import { openDialog } from "../settings.js";
import { LONGEST_NAME, NAME } from "../who.js";
import { Member, memberOf } from "./member.js";

/** @typedef {import("../main.js").Page} Page */
/** @typedef {"asking" | "entering" | "in" | "wrong" | "nowhere" | "away" | "elsewhere" | "removed" | "offline"} State */

/** How long who has played looks at the last position before the page leads back. */
const LINGER_MS = 8000;

/** How many computers may be called as one pupil: behind the name of the first stands nothing, then a number. */
const NAMESAKES = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** What the server calls the computer of that number. @param {string} name @param {number} number */
const namesake = (name, number) => (number === 1 ? name : `${name.slice(0, LONGEST_NAME - 2)} ${number}`);

/** Where this browser keeps the personal code for a class. @param {string} door */
const keyOf = (door) => `arbitre.class.${door}`;

/** A code as the class writes it. @param {string} typed */
const lettersOf = (typed) => typed.toUpperCase().replace(/[^A-Z]/g, "");

/** @type {Pupil | null} */
let known = null;

/**
 * Who this page is in a class: the same one for all its views.
 * @param {Page} page @param {string} door
 * @param {string} [shown] the code of a card; it counts more than the kept one
 * @param {boolean} [again] whether they go on here, unless the card was used elsewhere since
 */
export function pupil(page, door, shown = "", again = false) {
  const before = known;
  known = memberOf(known, door, (code) => new Pupil(page, code, shown || (read(keyOf(code)) ?? ""), again));
  if (shown && known === before) void known.show(shown);
  return known;
}

/** @extends {Member<State>} */
export class Pupil extends Member {
  /** @param {Page} page @param {string} door @param {string} personal the code to enter with, if it is known @param {boolean} again */
  constructor(page, door, personal, again) {
    super(page, door, "class", "backToClass", "asking");
    /** @type {School.Hall | null} */
    this.hall = null;
    /** When what we have heard last was said. */
    this.heardAt = 0;
    this.personal = lettersOf(personal);
    /** Whether we were in before: then whoever has used the card elsewhere since stays in. */
    this.wasIn = again;
    /** What we have asked the server to call us. */
    this.renamed = "";
    /** @type {Set<string>} the matches of the class that we sit in */
    this.taken = new Set();
    page.who.given = () => this.sayName();
    void this.enter();
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
    const personal = lettersOf(code);
    if (personal !== this.personal) this.renamed = "";
    this.personal = personal;
    return this.here();
  }

  /** Here, and not where the card was used since. */
  here() {
    this.wasIn = false;
    return this.enter();
  }

  async enter() {
    clearTimeout(this.timer);
    const { personal } = this;
    if (!personal) {
      this.become("asking");
      return;
    }
    if (!this.page.connection.open) return;
    this.become("entering");
    try {
      await this.page.ask("enter", { code: this.door, personal, again: this.wasIn });
      if (personal !== this.personal) return;
      write(keyOf(this.door), personal);
      this.wasIn = true;
      await this.way.write({ type: "arrive" });
      this.become("in");
    } catch (/** @type {any} */ error) {
      if (personal === this.personal) this.refused(error);
    }
  }

  /** @param {{code?: string, data?: any, wait?: number}} error without a code if the connection was lost */
  refused({ code, data, wait }) {
    const why = data?.why;
    if (code === undefined) this.become("offline");
    else if (code === "bad_code") {
      write(keyOf(this.door), null);
      this.become("wrong");
    } else if (code === "out_of_league" && why !== "closed") this.become(why === "removed" ? "removed" : "elsewhere");
    else {
      this.become(code === "no_such_league" || code === "out_of_league" ? "nowhere" : "away");
      this.later(() => this.enter(), wait);
    }
  }

  /** This computer knows nothing of us any more; what the view has shown goes with it. */
  forget() {
    write(keyOf(this.door), null);
    write(ownerKey(this.door), null);
    write(NAME, null);
    write(PLACE, null, true);
    this.hall = null;
    this.host = "";
    this.heardAt = 0;
    this.bar.halted = this.bar.asked = false;
    this.bar.say("");
    this.taken.clear();
    this.page.who.invitations.clear();
    this.page.connection.renew();
    void this.show("");
    this.page.go(this.home, true);
  }

  // ------------------------------------------------------------------------------------------------ what is told to us

  /** @param {App.Told} message */
  hear(message) {
    if (message.type === "opened") void this.enter();
    else if (message.type === "error" && message.code === "out_of_league") this.refused(message);
    else if (message.type === "finished" && this.taken.delete(message.match)) this.leadBack(message.match);
    else if (message.type === "name_refused") this.otherName();
    super.hear(message);
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "hall") {
      this.hall = letter;
      this.bar.asked = Boolean(letter.question && !letter.question.counts && !letter.mine);
      this.stands(letter);
      if (letter.news) this.heard(letter.news);
      if (this.state !== "in") this.become("in");
      this.rename(letter.name);
    } else if (letter.type === "news") this.heard(letter);
    super.told(letter);
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
    if (this.renamed || NAMESAKES.some((number) => page.me() === namesake(name, number)) || page.matches.size || this.joining) return;
    this.renamed = name;
    this.wasIn = false;
    write(NAME, name);
    page.who.invitations.clear();
    page.connection.renew();
  }

  /** Says that the class gives the name: another one would be another session, which is not in. */
  sayName() {
    if (!this.hall) return false;
    const { t } = this.page;
    openDialog("given-name", t("nameInClass"), t, h("p", t("nameGiven", { name: this.hall.name })), h("p", t("notYou")),
      h("p", button("not-me", t("forgetMe"), () => this.forget())));
    return true;
  }

  /** Another computer, or this one a moment ago, still has the name. */
  otherName() {
    const name = this.hall?.name ?? "";
    const tried = NAMESAKES.find((number) => this.renamed === namesake(name, number)) ?? NAMESAKES.length;
    if (!name || tried === NAMESAKES.length) return;
    this.renamed = namesake(name, tried + 1);
    write(NAME, this.renamed);
    this.page.who.trouble = "";
  }

  /** Shows the match of the class in which we sit now. @param {Protocol.Invitation} invitation */
  async accept(invitation) {
    const sits = await super.accept(invitation);
    if (sits) this.goOnWith(invitation.match);
    return sits;
  }

  /** Shows a match in which we sit; its end leads back to the class. @param {string} match */
  goOnWith(match) {
    this.taken.add(match);
    this.page.go(`/m/${match}`);
  }

  close() {
    this.page.who.given = null;
    super.close();
  }

  /** @param {string} match */
  leadBack(match) {
    setTimeout(() => {
      if (location.pathname === `/m/${match}`) this.page.go(this.home);
    }, LINGER_MS);
  }
}
