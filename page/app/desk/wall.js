/** `/desk/DOOR?wall`: what the class sees on the projector, from the back of the room. Nothing is to be clicked. */

import { h, keep, replace, say } from "../dom.js";
import { Wall } from "../wall.js";
import { leagueText, teamsOf } from "../class/common.js";
import { Asked } from "../class/question.js";
import { addressOf, gate } from "./common.js";

/** @typedef {import("./teacher.js").Teacher} Teacher */

export class ClassWall {
  /** @param {Teacher} me */
  constructor(me) {
    const { page } = me;
    this.me = me;
    this.page = page;
    this.title = page.t("theClass");
    this.name = h("h1", page.t("theClass"));
    this.status = h("p.wall-status", { role: "status" });
    this.door = h("p.wall-door");
    this.said = h("p.wall-said", { hidden: true });
    this.body = h("div.class-wall-body");
    this.asked = new Asked(page, null, "h1");
    this.people = h("div.wall-people");
    /** @type {Wall | null} */
    this.league = null;
    this.shown = "";
    this.element = h("div.class-wall", h("div.wall-head", this.name, this.door), this.said, this.status, this.body);
    this.deaf = me.listen(() => this.paint());
    this.paint();
  }

  async follow() {
    await this.league?.follow();
  }

  /** @param {any} message */
  hear(message) {
    this.league?.hear(message);
  }

  paint() {
    const { me, page } = this;
    const { t } = page;
    const { desk } = me;
    const asks = me.state === "secret" || me.state === "wrong";
    if (asks) this.put("gate", () => gate(me));
    if (asks || !desk) say(this.status, t(`desk_${me.state}`));
    else this.paintClass(desk);
    // Last, since a league's wall that ends takes this away.
    for (const name of ["projects", "class-projects"]) document.documentElement.classList.toggle(name, !asks);
  }

  /** @param {School.Desk} desk */
  paintClass(desk) {
    say(this.name, desk.title);
    document.title = desk.title;
    keep(this.door, h("span", addressOf(desk, desk.code)));
    this.said.hidden = !desk.said;
    say(this.said, desk.said ?? "");
    this.paintBody(desk);
  }

  /** What matters most: the question, then the league, then who is here. @param {School.Desk} desk */
  paintBody(desk) {
    const { t } = this.page;
    const { league, question } = desk;
    this.element.classList.toggle("is-halted", desk.halted ?? false);
    if (question) {
      this.asked.show(question);
      this.put("question", () => this.asked.element);
      say(this.status, desk.halted ? t("allHalted") : "");
    } else if (league?.id) {
      this.put(`league ${league.id}`, () => this.begin(league));
      this.paintLeague(league);
      say(this.status, desk.halted ? t("allHalted") : leagueText(league, this.page));
    } else {
      this.put("people", () => this.people);
      this.paintPeople(desk);
      say(this.status, desk.halted ? t("allHalted") : "");
    }
  }

  /** @param {string} what @param {() => HTMLElement} make */
  put(what, make) {
    if (this.shown === what) return;
    this.shown = what;
    if (!what.startsWith("league")) this.end();
    this.element.classList.toggle("shows-people", what === "people");
    replace(this.body, make());
  }

  /** @param {School.League} league */
  begin(league) {
    this.end();
    const wall = new Wall(this.page, /** @type {string} */ (league.id));
    this.league = wall;
    this.frozen = h("p.wall-frozen", { hidden: true }, h("span", { "aria-hidden": "true" }, "❄ "), this.page.t("frozenWall"));
    this.teams = h("div.wall-teams");
    wall.element.querySelector(".wall-body")?.append(this.teams);
    wall.scores.before(this.frozen);
    if (this.page.connection.open) wall.follow().catch(() => undefined);
    return wall.element;
  }

  /** @param {School.League} league */
  paintLeague(league) {
    const { league: wall } = this;
    if (!wall?.standing || !this.frozen || !this.teams) return;
    const hides = league.hidden ?? false;
    wall.element.classList.toggle("is-frozen", league.frozen ?? false);
    this.frozen.hidden = !league.frozen;
    keep(this.teams, league.frozen || hides ? null : teamsOf(league, this.page));
    if (wall.standing.hides === hides) return;
    wall.standing.hides = hides;
    wall.boards.repaint();
    wall.paint();
  }

  /** Who is here, while nothing runs. @param {School.Desk} desk */
  paintPeople(desk) {
    const { t } = this.page;
    const here = [...this.me.pupils.values()].filter((pupil) => pupil.here && !pupil.removed);
    const hides = desk.league?.hidden ?? false;
    const names = here.map((pupil) => pupil.name).sort(new Intl.Collator(this.page.language, { numeric: true }).compare);
    keep(this.people,
      h("p.wall-invite", t("openAddress")), h("p.wall-address", addressOf(desk, desk.code)),
      h("p.wall-invite", t("orWholeCode")), h("p.wall-code", desk.code),
      h("p.wall-count", t("hereNow", { count: here.length, of: [...this.me.pupils.values()].filter((pupil) => !pupil.removed).length })),
      hides ? null : h("ul.wall-names", ...names.map((name) => h("li", name))));
  }

  end() {
    this.league?.close();
    this.league = null;
  }

  close() {
    this.deaf();
    this.end();
    document.documentElement.classList.remove("projects", "class-projects", "is-over");
  }
}
