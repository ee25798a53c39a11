/**
 * The teacher of a class, whichever view of their tab they look at: hears how the class stands, writes what the desk
 * does, and sits in the matches of a simul.
 */

import { button } from "../dom.js";
import { isMyTurn } from "../match.js";
import { Bar } from "./bar.js";
import { Joined, Way } from "./letters.js";

/** @typedef {import("../main.js").Page} Page */
/** @typedef {"secret" | "wrong" | "looking" | "in" | "nowhere" | "away" | "offline"} State */

const RETRY_MS = 2000;

/** @type {Teacher | null} */
let known = null;

/** The one teacher of this tab. @param {Page} page @param {string} door @param {boolean} [bare] without a line of their own, as on the wall */
export function teacher(page, door, bare = false) {
  const code = door.toUpperCase();
  if (known?.door !== code) {
    known?.close();
    known = new Teacher(page, code);
  }
  known.bare(bare);
  return known;
}

export class Teacher {
  /** @param {Page} page @param {string} door */
  constructor(page, door) {
    this.page = page;
    this.door = door;
    this.home = `/desk/${door}`;
    /** @type {State} */
    this.state = "secret";
    /** @type {School.Desk | null} */
    this.desk = null;
    /** How far ahead of our clock the class's is, in milliseconds. */
    this.ahead = 0;
    /** @type {Map<string, School.Place>} */
    this.pupils = new Map();
    /** Whether the matches to which the class invites are ours: on the wall they are not. */
    this.sits = true;
    this.texts = { source: new Joined(), export: new Joined() };
    /** @type {Set<(letter: School.ClassLetter | null) => void>} who hears the class; null: our state is another one */
    this.ears = new Set();
    this.way = new Way(page, door, (letter) => this.told(letter));
    this.bar = new Bar(page, this.home, "backToDesk");
    this.bar.repaint = () => this.paintBar();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.hears = (/** @type {App.Told} */ message) => this.hear(message);
    page.ears.add(this.hears);
    this.look();
  }

  /** @param {boolean} is */
  bare(is) {
    this.sits = !is;
    this.bar.element.classList.toggle("bare", is);
  }

  /** @param {(letter: School.ClassLetter | null) => void} ear */
  listen(ear) {
    this.ears.add(ear);
    return () => void this.ears.delete(ear);
  }

  /** @param {State} state */
  become(state) {
    this.state = state;
    for (const ear of this.ears) ear(null);
  }

  /** Shows the secret of the organisers. @param {string} secret */
  show(secret) {
    this.become("looking");
    this.page.connection.direct(secret);
  }

  /** Nobody directs the class from this tab any more. */
  lock() {
    this.desk = null;
    this.pupils.clear();
    this.page.connection.direct("");
    this.become("secret");
  }

  async look() {
    clearTimeout(this.timer);
    const { connection } = this.page;
    if (!connection.open) return;
    if (!connection.directs) {
      if (this.state !== "wrong") this.become("secret");
      return;
    }
    this.become("looking");
    try {
      await this.way.write({ type: "look" });
    } catch (/** @type {any} */ error) {
      this.become(error.code === "no_such_league" ? "nowhere" : error.code ? "away" : "offline");
      if (error.code) this.timer = setTimeout(() => this.look(), RETRY_MS);
    }
  }

  /** @param {App.Told} message */
  hear(message) {
    this.way.hear(message);
    if (message.type === "opened") this.look();
    else if (message.type === "organiser_refused") this.become("wrong");
    else if (message.type === "invitation") this.accept(message);
    this.paintBar();
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "desk") {
      // What was played last stays to be seen until something else is.
      this.desk = letter.league ? letter : { ...letter, league: letter.past?.at(-1) };
      this.ahead = (letter.now || Date.now()) - Date.now();
      this.bar.halted = letter.halted ?? false;
      if (this.state !== "in") this.become("in");
    } else if (letter.type === "pupils") {
      if (letter.again) this.pupils.clear();
      for (const place of letter.pupils ?? []) this.pupils.set(place.name, place);
    }
    for (const ear of this.ears) ear(letter);
    this.paintBar();
  }

  /** The place of whose a whole text has come, if it is one. @param {School.Source | School.Export} letter */
  whole(letter) {
    return this.texts[letter.type].take(letter);
  }

  // -------------------------------------------------------------------------------------------------------------- simul

  /** Sits down in a match of a simul. @param {Protocol.Invitation} invitation */
  async accept(invitation) {
    const { page } = this;
    if (!this.sits || !this.desk?.host || invitation.by !== this.desk.host) return;
    page.who.invitations.delete(invitation.match);
    page.who.paint();
    await page.ask("join", { match: invitation.match }).catch(() => undefined);
  }

  /** The matches in which we sit, those that wait for our move first. */
  seats() {
    const mine = [...this.page.matches.values()].filter((view) => view.seat !== null && view.status !== "finished");
    return mine.sort((one, other) => Number(isMyTurn(other)) - Number(isMyTurn(one)) || one.clocksAt - other.clocksAt);
  }

  paintBar() {
    const { page } = this;
    const here = location.pathname;
    const next = this.seats().find((view) => isMyTurn(view) && here !== `/m/${view.match}`);
    const other = next?.players[next.seat === 1 ? 1 : 0]?.name ?? "";
    this.bar.more = next ? [button("next-board", page.t("nextBoard", { name: other }), () => page.go(`/m/${next.match}`), { class: "primary" })] : [];
    this.bar.paint();
  }

  close() {
    clearTimeout(this.timer);
    this.page.ears.delete(this.hears);
    this.bar.close();
  }
}
