/** `/desk/DOOR`: the teacher's desk; `/desk/DOOR?wall`: what the class sees on the projector. */

import { button, card, controlOf, form, h, input, replace, say, statusLine, update } from "../dom.js";
import { textOf } from "../file_text.js";
import { openDialog } from "../settings.js";
import { Boards } from "../small.js";
import { leagueText, putGate, teamsOf } from "../class/common.js";
import { showSource } from "../class/hand_in.js";
import { Asked } from "../class/question.js";
import { LONGEST, stripped, timeText } from "../class/work.js";
import { addressOf, gate } from "./common.js";
import { askSwitches, askText, LeagueForm, SimulForm } from "./forms.js";
import { Roll } from "./pupils.js";
import { Setup } from "./setup.js";
import { teacher } from "./teacher.js";
import { ClassWall } from "./wall.js";

/** @typedef {import("./teacher.js").Teacher} Teacher */

/** Boards of a simul that are seen beside the list of pupils. */
const MOST_BOARDS = 40;

/**
 * The view of an address.
 * @param {import("../main.js").Page} page @param {string} door @param {URLSearchParams} query
 * @returns {import("../routes.js").View}
 */
export function open(page, door, query) {
  const isWall = query.has("wall");
  const me = teacher(page, door, isWall);
  return isWall ? new ClassWall(me) : new DeskView(me);
}

class DeskView {
  /** @param {Teacher} me */
  constructor(me) {
    const { page } = me;
    const { t } = page;
    this.me = me;
    this.page = page;
    this.title = t("desk");
    this.name = h("h1", t("desk"));
    this.about = h("p.faint");
    this.status = statusLine(t("loading"));
    this.trouble = h("p.trouble", { role: "alert" });
    this.gate = h("div");
    this.tools = h("div.desk-tools", { role: "toolbar", "aria-label": t("desk") });
    this.roll = new Roll(me, (letter) => this.write(letter));
    this.league = h("div");
    this.hands = h("div");
    this.picker = /** @type {HTMLInputElement} */ (h("input", { type: "file", accept: ".py,.ipynb", hidden: true, "data-action": "pick", change: () => void this.give(this.picker.files?.[0]) }));
    this.asked = new Asked(page, null);
    this.askedTools = h("div.actions");
    this.simul = new Boards(page, { links: true, games: false });
    this.simulCard = card(t("simul"), this.simul.element);
    /** @type {Setup | null} */
    this.setup = null;
    this.setupPlace = h("div");
    this.parts = this.build();
    this.element = h("div.desk", h("div.head", h("div", this.name, this.about), this.status), this.gate, this.tools, this.trouble, this.parts);
    this.deaf = me.listen((letter) => (letter ? this.told(letter) : this.paint()));
    this.paint();
  }

  /** What is to be seen once the desk is open. */
  build() {
    const { t } = this.page;
    this.asked.element.append(this.askedTools);
    return h("div.desk-parts", this.setupPlace,
      h("div.columns.desk-columns",
        h("div.column", this.roll.element),
        h("div.column", this.simulCard, this.asked.element, card(t("league"), this.league), card(t("handingIn"), this.hands))));
  }

  async follow() {
    this.paintSimul();
    await this.setup?.follow();
  }

  /** @param {App.Told} message */
  hear(message) {
    this.simul.hear(message);
    if ("match" in message) this.paintSimul();
  }

  /** @param {School.DeskLetter} letter @returns {Promise<boolean>} whether it was written */
  async write(letter) {
    say(this.trouble, "");
    try {
      await this.me.way.write(letter);
      return true;
    } catch (error) {
      say(this.trouble, this.page.refusal(error));
      return false;
    }
  }

  /** @param {School.ClassLetter} letter */
  told(letter) {
    const { t } = this.page;
    if (letter.type === "desk") this.paint();
    else if (letter.type === "pupils") this.paintPupils();
    else if (letter.type === "refused") this.refused(letter);
    else if (letter.type === "similar") this.showSimilar(letter);
    else if (letter.type === "cards") this.showCards(letter);
    else if (letter.type === "source" || letter.type === "export") {
      const text = this.me.whole(letter);
      if (text === null) return;
      if (letter.type === "export") this.showMarks(text);
      else showSource(t, letter, text, letter.name, letter.version ? "" : "studio");
    }
  }

  /** Says why not, before a window if one is open. @param {School.Refused} letter */
  refused({ what, text }) {
    const { t } = this.page;
    if (what === "get_source") openDialog("source", t("program"), t, h("p", text));
    else say(this.trouble, text);
  }

  // ---------------------------------------------------------------------------------------------------------- painting

  paint() {
    const { me, page } = this;
    const { t } = page;
    const { desk } = me;
    const asks = me.state === "secret" || me.state === "wrong";
    if (this.gate.dataset.asks !== String(asks)) {
      this.gate.dataset.asks = String(asks);
      putGate(this.gate, asks ? gate(me) : null);
    }
    this.parts.hidden = this.tools.hidden = asks || !desk;
    if (me.state !== "in" || !desk) {
      say(this.status, t(`desk_${me.state}`));
      return;
    }
    say(this.name, desk.title);
    update(this.about, h("span", `${page.titleOf(desk.game)} · ${t("door")} `), h("strong.code", desk.code), h("span", ` · ${addressOf(desk, desk.code)}`));
    this.title = document.title = `${desk.title} · ${t("desk")}`;
    this.paintTools(desk);
    this.paintLeague(desk);
    this.paintHands(desk);
    this.paintAsked(desk);
    this.paintPupils();
  }

  paintPupils() {
    const { t } = this.page;
    this.roll.paint();
    const here = [...this.me.pupils.values()].filter((pupil) => !pupil.removed);
    const count = (/** @type {(pupil: School.PupilRow) => boolean | undefined} */ is) => here.filter(is).length;
    if (this.me.state === "in") {
      say(this.status, t("deskStatus", {
        here: count((pupil) => pupil.here), of: here.length, work: count((pupil) => pupil.work?.check === "works"), fail: count((pupil) => pupil.work?.check === "fails"),
        wait: count((pupil) => pupil.work?.check === "waiting" || pupil.work?.check === "running"), none: count((pupil) => !pupil.work),
      }));
    }
  }

  /** @param {School.Desk} desk */
  paintTools(desk) {
    const { t } = this.page;
    const { me } = this;
    const write = (/** @type {School.DeskLetter} */ letter) => () => void this.write(letter);
    const isOver = !desk.league || desk.league.state === "finished";
    update(this.tools,
      button("halt", t(desk.halted ? "goOn" : "haltAll"), write({ type: "halt", halted: !desk.halted }), { class: desk.halted ? "primary" : "danger" }),
      button("begin", t("newLeague"), () => this.askLeague(desk), { class: isOver ? "primary" : false, disabled: !isOver }),
      button("ask", t("askQuestion"), () => this.askQuestion(desk)),
      button("simul", t("simul"), () => this.askSimul(desk)),
      button("announce", t("announce"), () => askText(this.page, "announce", t("announce"), t("announceHelp"), 300, (text) => this.write({ type: "announce", text }))),
      button("switches", t("switches"), () => askSwitches(this.page, me.desk?.allowed ?? {}, (turn) => this.write({ type: "turn", ...turn }))),
      button("cards", t("cards"), write({ type: "get_cards" })),
      button("marks", t("marks"), write({ type: "get_export" })),
      button("similar", t("similar"), write({ type: "get_similar" })),
      h("a", { class: "button", href: `${me.home}?wall`, target: "_blank", rel: "opener", "data-action": "to-wall" }, t("toWall")),
      button("lock", t("lockDesk"), () => me.lock()));
  }

  /** @param {School.Desk} desk */
  paintLeague(desk) {
    const { t } = this.page;
    const { league } = desk;
    const past = (desk.past ?? []).filter((one) => one.number !== league?.number);
    const runs = league && league.state !== "finished";
    const write = (/** @type {School.DeskLetter} */ letter) => () => void this.write(letter);
    update(this.league,
      h("p", league ? leagueText(league, this.page) : t("noLeagueYet")),
      league?.frozen ? h("p.frozen", t("frozenSaid")) : null,
      h("div.actions",
        league ? button("freeze", t(league.frozen ? "unfreeze" : "freeze"), write({ type: "freeze", frozen: !league.frozen }), { class: league.frozen ? "primary" : false }) : null,
        league ? button("hide", t(league.hidden ? "showNames" : "hideOnWall"), write({ type: "hide", hidden: !league.hidden })) : null,
        runs ? button("finish", t("finishLeague"), () => this.sure("finishSure", { type: "finish" }), { class: "danger" }) : null,
        league?.id ? h("a", { class: "button", href: `/l/${league.id}`, "data-action": "league" }, t("wholeLeague")) : null),
      league ? teamsOf(league, this.page) : null,
      past.length ? h("details", { open: this.league.querySelector("details")?.open }, h("summary", t("pastLeagues", { count: past.length })), h("ul", ...past.map((one) =>
        h("li", `${one.number}. `, one.id ? h("a", { href: `/l/${one.id}` }, leagueText(one, this.page)) : leagueText(one, this.page))))) : null);
  }

  /** @param {School.Desk} desk */
  paintHands(desk) {
    const { t, language } = this.page;
    const isOpen = desk.open ?? true;
    const until = desk.until ? ` ${t("handUntil", { time: timeText(desk.until, language) })}` : "";
    const time = input(t("closesAt"), { type: "time", name: "until", placeholder: "" });
    if (this.hands.contains(document.activeElement) && document.activeElement?.tagName === "INPUT") return;
    update(this.hands,
      h("p", isOpen ? t("handsOpen") + until : t("handsClosed"), desk.runs === false ? ` ${t("noRunner")}` : ""),
      h("div.actions", button("submissions", t(isOpen ? "closeHands" : "openHands"), () => void this.write({ type: "submissions", open: !isOpen }))),
      isOpen ? form("until", t("closeAt"), () => this.closeAt(/** @type {HTMLInputElement | null} */ (this.hands.querySelector("[name=until]"))?.value ?? ""), h("label.row", h("span", t("closesAt")), time)) : null,
      h("p.given", desk.given ? t("isGiven", { file: desk.given.file, time: timeText(desk.given.at, language) }) : t("givesNone")),
      h("div.actions", button("give", t(desk.given ? "giveOther" : "give"), () => this.picker.click()), this.picker));
  }

  /** Gives all pupils a file to begin with. @param {File | undefined} file */
  async give(file) {
    const { t } = this.page;
    this.picker.value = "";
    if (!file) return;
    const text = stripped(file.name, (await textOf(file)) ?? "");
    const why = text === null ? "noNotebook" : text.length > LONGEST ? "fileTooLarge" : "";
    say(this.trouble, why && t(why));
    if (!why) await this.me.way.writeParts({ type: "give", file: file.name.slice(-80) }, text ?? "").catch((error) => say(this.trouble, this.page.refusal(error)));
  }

  /** Closes the handing in at a time of today, or of tomorrow if that is over. @param {string} time as "14:30" */
  closeAt(time) {
    const [hours, minutes] = time.split(":").map(Number);
    if (Number.isNaN(minutes ?? NaN)) return;
    const now = Date.now() + this.me.ahead;
    const at = new Date(now);
    at.setHours(hours, minutes, 0, 0);
    if (at.getTime() <= now) at.setDate(at.getDate() + 1);
    /** @type {HTMLElement | null} */ (this.hands.querySelector("[data-action=until]"))?.focus();
    void this.write({ type: "submissions", open: true, until: at.getTime() });
  }

  /** @param {School.Desk} desk */
  paintAsked(desk) {
    const { t } = this.page;
    const { question } = desk;
    this.asked.show(question ?? null);
    update(this.askedTools,
      question && !question.counts ? button("reveal", t("reveal"), () => void this.write({ type: "reveal" }), { class: "primary" }) : null,
      question ? button("question-over", t("questionOver"), () => void this.write({ type: "reveal", over: true })) : null);
  }

  paintSimul() {
    const mine = this.me.seats();
    this.simulCard.hidden = !mine.length;
    this.simul.want(mine.slice(0, MOST_BOARDS).map((view) => view.match));
  }

  // ------------------------------------------------------------------------------------------------------------- asking

  /** Asks first. @param {string} text its key @param {School.DeskLetter} letter */
  sure(text, letter) {
    const { t } = this.page;
    const yes = button("sure", t("yes"), () => {
      asked.close();
      void this.write(letter);
    }, { class: "danger" });
    const asked = openDialog("sure", t(text), t, h("p", yes));
  }

  /** @param {School.Desk} desk */
  askLeague(desk) {
    new LeagueForm(this.page, desk, (letter) => void this.write(letter)).open();
  }

  /** @param {School.Desk} desk */
  askSimul(desk) {
    const names = [...this.me.pupils.values()].filter((pupil) => pupil.here && !pupil.removed).map((pupil) => pupil.name);
    new SimulForm(this.page, desk, names, (letter) => void this.write(letter)).open();
  }

  /** Opens the board on which a position is set up. @param {School.Desk} desk */
  askQuestion(desk) {
    const close = () => {
      this.setup = null;
      replace(this.setupPlace);
      controlOf(this.tools, "ask")?.focus();
    };
    this.setup = new Setup(this.page, desk.game, async (game, moves) => {
      if (await this.write({ type: "ask", game, moves })) close();
    }, close);
    replace(this.setupPlace, this.setup.element);
    this.setup.game.element.focus();
    this.setup.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {School.Similar} letter */
  showSimilar(letter) {
    const { t, language } = this.page;
    const percent = new Intl.NumberFormat(language, { style: "percent" });
    const pairs = letter.pairs ?? [];
    openDialog("similar", t("similar"), t, h("p.faint", t("similarHelp")),
      pairs.length ? h("table.scores", h("thead", h("tr", h("th.left", { scope: "col" }, t("botName")), h("th.left", { scope: "col" }, t("botName")), h("th", { scope: "col" }, t("alike")))),
        h("tbody", ...pairs.map((pair) => h("tr", h("td.left", pair.one), h("td.left", pair.other), h("td", percent.format(pair.share)))))) : h("p", t("noSimilar")),
      letter.short?.length ? h("p.faint", t("tooShort", { names: letter.short.join(", ") })) : null);
  }

  /** The codes of all, to print. @param {School.Cards} letter */
  showCards(letter) {
    const { t, language } = this.page;
    const [host, ...path] = addressOf(letter, this.me.door).split("/");
    const names = new Intl.Collator(language, { numeric: true });
    const codes = Object.entries(letter.codes).sort(([one], [other]) => names.compare(one, other));
    // A line ends before the path: a code on two lines looks like two.
    const cards = () => h("div.code-cards", ...codes.map(([name, code]) =>
      h("div.code-card", h("strong", name), h("span.code", code), h("span.faint", host, h("wbr"), h("span.nowrap", ["", ...path].join("/"))))));
    // What is printed stands in the page itself: a window would end with its first sheet.
    const print = button("print", t("print"), () => {
      const sheet = h("div.print-cards", cards());
      document.body.append(sheet);
      window.addEventListener("afterprint", () => sheet.remove(), { once: true });
      window.print();
    }, { class: "primary" });
    openDialog("cards", t("cards"), t, h("p", t("cardsHelp")), h("p", print), cards());
  }

  /** @param {string} text the table */
  showMarks(text) {
    const { t } = this.page;
    const address = URL.createObjectURL(new Blob(["\ufeff", text.replace(/^\ufeff/, "")], { type: "text/csv" }));
    const shown = openDialog("marks", t("marks"), t, h("p", t("marksHelp")), h("p", h("a", { class: "button primary", href: address, download: t("marksFile"), "data-action": "download" }, t("download"))));
    shown.addEventListener("close", () => URL.revokeObjectURL(address));
  }

  close() {
    this.deaf();
    this.simul.close();
  }
}
