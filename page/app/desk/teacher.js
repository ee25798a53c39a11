/**
 * The teacher of a class, whichever view of their tab they look at: hears how the class stands, writes what the desk
 * does, and sits in the matches of a simul.
 */

import { h } from "../dom.js";
import { isMyTurn } from "../match.js";
import { Joined } from "../class/letters.js";
import { Member, memberOf } from "../class/member.js";

/** @typedef {import("../main.js").Page} Page */
/** @typedef {"secret" | "wrong" | "looking" | "in" | "nowhere" | "away" | "offline"} State */

/** @type {Teacher | null} */
let known = null;

/** The one teacher of this tab. @param {Page} page @param {string} door @param {boolean} [bare] without a line of their own, as on the wall */
export function teacher(page, door, bare = false) {
  known = memberOf(known, door, (code) => new Teacher(page, code));
  known.bare(bare);
  return known;
}

/** @extends {Member<State>} */
export class Teacher extends Member {
  /** @param {Page} page @param {string} door */
  constructor(page, door) {
    super(page, door, "desk", "backToDesk", page.connection.organiser ? "looking" : "secret");
    /** @type {School.Desk | null} */
    this.desk = null;
    /** @type {Map<string, School.PupilRow>} */
    this.pupils = new Map();
    this.texts = { source: new Joined(), export: new Joined() };
    void this.look();
  }

  /** On the wall, whose session is not the one that is invited. @param {boolean} is */
  bare(is) {
    this.sits = !is;
    this.bar.element.classList.toggle("bare", is);
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
      if (error.code) this.later(() => this.look(), error.wait);
    }
  }

  /** @param {App.Told} message */
  hear(message) {
    if (message.type === "opened") void this.look();
    else if (message.type === "organiser_refused") this.become("wrong");
    super.hear(message);
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    if (letter.type === "desk") {
      // What was played last stays to be seen until something else is.
      this.desk = letter.league ? letter : { ...letter, league: letter.past?.at(-1) };
      this.stands(letter);
      if (this.state !== "in") this.become("in");
    } else if (letter.type === "pupils") {
      if (letter.again) this.pupils.clear();
      for (const pupil of letter.pupils ?? []) this.pupils.set(pupil.name, pupil);
    }
    super.told(letter);
  }

  /** The whole text, once its last part has come. @param {School.Source | School.Export} letter */
  whole(letter) {
    return this.texts[letter.type].take(letter);
  }

  /** The matches in which we sit, those that wait for our move first. */
  seats() {
    return this.sitsAt.sort((one, other) => Number(isMyTurn(other)) - Number(isMyTurn(one)) || one.clocksAt - other.clocksAt);
  }

  /** The way to the board of a simul that has waited longest. */
  paintBar() {
    const { page } = this;
    const next = this.seats().find((view) => isMyTurn(view) && location.pathname !== `/m/${view.match}`);
    const other = next?.players[next.seat === 1 ? 1 : 0]?.name ?? "";
    this.bar.more = next ? h("a", { class: "button primary", href: `/m/${next.match}`, "data-action": "next-board" }, page.t("nextBoard", { name: other })) : null;
    super.paintBar();
  }
}
