/** The pupils of a class as the desk sees them: who is here, whose program works, and what can be done about each. */

import { button, card, h, keep, update, wide } from "../dom.js";
import { pointsText, ratingText } from "../scores.js";
import { openDialog } from "../settings.js";
import { askName, askText, askWho } from "./forms.js";
import { checkTag, faultOf, timeText, whereText } from "../class/work.js";

/** @typedef {import("./teacher.js").Teacher} Teacher */

/** @type {Record<string, (pupil: School.PupilRow) => number | string>} what the list is in the order of */
const ORDERS = {
  name: () => 0,
  trouble: (pupil) => ["fails", "waiting", "running", "works"].indexOf(pupil.work?.check ?? (pupil.work ? "waiting" : "works")) - (pupil.work ? 0 : 0.5),
  points: (pupil) => -(pupil.points ?? -1),
};

export class Roll {
  /** @param {Teacher} me @param {(letter: School.DeskLetter) => Promise<boolean>} write */
  constructor(me, write) {
    this.me = me;
    this.page = me.page;
    this.write = write;
    const { t } = this.page;
    this.order = "name";
    this.table = wide(t("pupils"));
    const order = /** @type {HTMLSelectElement} */ (h("select", { name: "order", "aria-label": t("inOrderOf"), change: () => this.sort(order.value) },
      ...Object.keys(ORDERS).map((name) => h("option", { value: name }, t(`order_${name}`)))));
    this.element = card(t("pupils"), h("div.roll-tools", order,
      button("admit", t("admit"), () => askName(this.page, t("admit"), "", (name) => void write({ type: "admit", name })))), this.table);
    this.element.classList.add("roll");
    /** @type {{paint: () => void} | null} the pupil of the window that is open */
    this.opened = null;
  }

  /** @param {string} order */
  sort(order) {
    this.order = order;
    this.paint();
  }

  /** @returns {School.PupilRow[]} */
  get pupils() {
    const { language } = this.page;
    const key = ORDERS[this.order];
    const names = new Intl.Collator(language, { numeric: true });
    return [...this.me.pupils.values()].sort((one, other) => Number(one.removed ?? false) - Number(other.removed ?? false)
      || Number(key(one)) - Number(key(other)) || names.compare(one.name, other.name));
  }

  paint() {
    const { t } = this.page;
    const pupils = this.pupils;
    const asks = Boolean(this.me.desk?.question);
    const ranked = pupils.some((pupil) => pupil.points !== null && pupil.points !== undefined);
    const head = ["", t("pupil"), t("program"), t("botColumn"), ...(asks ? [t("answer")] : []), "★", ...(ranked ? [t("points"), t("rating"), t("faults")] : [])];
    keep(this.table, h(`table.scores.roll-table${asks && ranked ? ".full" : ""}`,
      h("thead", h("tr", ...head.map((text, n) => h("th", { scope: "col", class: n > 0 && n < 4 ? "left" : false, title: text === "★" ? t("badges") : false }, n ? text : h("span.hidden", t("present")))))),
      h("tbody", ...pupils.map((pupil) => this.row(pupil, asks, ranked)))));
    this.opened?.paint();
  }

  /** @param {School.PupilRow} pupil @param {boolean} asks @param {boolean} ranked */
  row(pupil, asks, ranked) {
    const { t, language } = this.page;
    const here = pupil.removed ? "removed" : pupil.here ? "here" : "away";
    return h("tr", { "data-name": pupil.name, class: here },
      h("td", h("span", { class: `presence ${here}`, title: t(`is_${here}`) }, h("span.hidden", t(`is_${here}`)))),
      h("th", { scope: "row", class: "left" }, button(`pupil-${pupil.name}`, pupil.name, () => this.show(pupil.name), { class: "plain" }), pupil.team ? h("span.faint", ` ${pupil.team}`) : null),
      h("td.work", this.workCell(pupil)),
      h("td", t(`bot_${pupil.bot ?? "none"}`)),
      asks ? h("td", pupil.answered ?? "–") : null,
      h("td", pupil.badges ?? 0),
      ranked ? h("td.points", pupil.points === null || pupil.points === undefined ? "–" : pointsText(pupil.points, language)) : null,
      ranked ? h("td.nowrap", ratingText({ ...pupil, rank: 0, played: 0, points: 0 }, language)) : null,
      ranked ? h("td", pupil.faults ?? 0) : null);
  }

  /** @param {School.PupilRow} pupil */
  workCell(pupil) {
    const { t } = this.page;
    const { work } = pupil;
    if (!work) return h("span.faint", t("nothingYet"));
    const where = work.fault ? whereText(work.fault, t) : "";
    return h("div.work-cell", checkTag(work, t), work.fault
      ? button(`fault-${pupil.name}`, `${where ? `${t("faultAt", { where })} ` : ""}${work.fault.what}`, () => this.show(pupil.name), { class: "plain fault-line", title: work.fault.what })
      : h("span.faint", `v${work.version} · ${work.file}`));
  }

  // ------------------------------------------------------------------------------------------------------- one of them

  /** Shows a pupil in a window, and what can be done. @param {string} name */
  show(name) {
    const { t } = this.page;
    const body = h("div.one-pupil");
    const dialog = openDialog("pupil", name, t, body);
    const paint = () => {
      const pupil = this.me.pupils.get(name);
      if (pupil) update(body, ...this.about(pupil, () => dialog.close()));
      else dialog.close();
    };
    const opened = { paint };
    this.opened = opened;
    dialog.addEventListener("close", () => this.opened === opened && (this.opened = null));
    paint();
  }

  /** @param {School.PupilRow} pupil @param {() => void} close */
  about(pupil, close) {
    const { t, language } = this.page;
    const { work, name } = pupil;
    const said = [t(`is_${pupil.removed ? "removed" : pupil.here ? "here" : "away"}`), pupil.team, t("versionCount", { count: pupil.versions ?? 0 }), t("badgeCount", { count: pupil.badges ?? 0 })];
    const draft = button("draft", t("seeDraft"), () => void this.write({ type: "get_source", name, version: 0 }));
    const first = work ? [
      h("div.work-head", h("strong", t("version", { number: work.version })), h("span", work.file), h("span.faint", timeText(work.at, language)), checkTag(work, t)),
      work.comment ? h("p.comment", h("strong", `${t("givenBack")} `), work.comment) : null,
      work.fault ? faultOf(work.fault, t) : null,
      h("div.actions",
        button("source", t("seeProgram"), () => void this.write({ type: "get_source", name, version: work.version })), draft,
        button("return", t("giveBack"), () => askText(this.page, "return", t("giveBack"), t("giveBackHelp"), 1000, (comment) => this.write({ type: "return", name, version: work.version, comment })))),
    ] : [h("p", t("nothingYet")), h("div.actions", draft)];
    const then = (/** @type {School.DeskLetter} */ letter) => {
      close();
      void this.write(letter);
    };
    const others = () => this.pupils.map((one) => one.name).filter((one) => one !== name);
    return [h("p.faint", said.filter(Boolean).join(" · ")), ...first, h("div.actions.about-name",
      pupil.removed ? null : button("card", t("card"), () => then({ type: "get_cards", name })),
      button("rename-pupil", t("rename"), () => askName(this.page, t("rename"), name, (to) => then({ type: "rename", name, to }))),
      button("merge", t("merge"), () => askWho(this.page, t("merge"), t("mergeHelp", { name }), others(), (into) => then({ type: "merge", name, into }))),
      pupil.removed ? button("admit-again", t("admitAgain"), () => then({ type: "admit", name, team: pupil.team }))
        : button("remove", t("removePupil"), () => then({ type: "remove", name }), { class: "danger" }))];
  }
}

