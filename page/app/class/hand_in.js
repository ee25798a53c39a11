/** Handing in: a file that is chosen or dropped, or a pasted text; and the versions that were handed in. */

import { button, h, input, keep, say, does, update } from "../dom.js";
import { textOf } from "../file_text.js";
import { openDialog } from "../settings.js";
import { Joined } from "./letters.js";
import { checkTag, faultOf, LONGEST, stripped, timeText } from "./work.js";

/** @typedef {import("./pupil.js").Pupil} Pupil */

export class HandIn {
  /** @param {Pupil} pupil */
  constructor(pupil) {
    this.pupil = pupil;
    const { page } = pupil;
    const { t } = page;
    this.t = t;
    this.busy = false;
    /** Until when nothing else is said than that a program is handed in: what we are told may be older. */
    this.until = 0;
    this.source = new Joined();
    this.status = h("p.hand-status", { role: "status" });
    this.trouble = h("p.trouble", { role: "alert" });
    this.progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": t("sending") });
    this.file = /** @type {HTMLInputElement} */ (h("input", { type: "file", id: "hand-file", class: "hidden", accept: ".py,.ipynb", change: () => this.chosen(this.file.files) }));
    this.name = input(t("fileName"), { name: "file", value: t("myBotFile"), maxlength: 80 });
    this.text = /** @type {HTMLTextAreaElement} */ (h("textarea", { "aria-label": t("programText"), rows: 8, spellcheck: "false", placeholder: "def ..." }));
    this.form = this.build();
    this.studio = h("a", { class: "button", href: `/studio?class=${pupil.door}`, "data-action": "studio" }, t("toStudio"));
    this.own = h("code");
    this.given = h("span");
    this.list = h("ol.versions");
    this.element = h("section.card", h("h2", t("myPrograms")), this.status, this.form, this.progress, this.trouble, h("p.actions", this.studio, this.given),
      h("details", h("summary", t("ownMachine")), h("p", t("ownMachineHelp")), h("pre", { tabindex: 0 }, this.own)), this.list);
  }

  /** The ways to hand in. */
  build() {
    const { t } = this;
    return h("div.hand-form",
      h("div.drop", { dragover: (/** @type {DragEvent} */ event) => this.over(event, true), dragleave: (/** @type {DragEvent} */ event) => this.over(event, false), drop: (/** @type {DragEvent} */ event) => this.dropped(event) },
        this.file, h("label.button.primary", { for: "hand-file" }, t("chooseFile")), h("span.faint", t("orDrop"))),
      h("details", h("summary", t("pasteText")),
        h("form.form", { submit: does(() => this.hand(this.name.value.trim() || t("myBotFile"), this.text.value)) },
          h("label.field", h("span", t("programText")), this.text),
          h("div.typed", this.name, h("button", { type: "submit", class: "primary", "data-action": "hand-text" }, t("handIn"))))));
  }

  /** @param {DragEvent} event @param {boolean} is */
  over(event, is) {
    event.preventDefault();
    /** @type {Element} */ (event.currentTarget).classList.toggle("over", is);
  }

  /** @param {DragEvent} event */
  dropped(event) {
    this.over(event, false);
    this.chosen(event.dataTransfer?.files ?? null);
  }

  /** @param {FileList | null} files */
  async chosen(files) {
    const [file] = files ?? [];
    if (!file) return;
    if (file.size > 40 * LONGEST) say(this.trouble, this.t("fileTooLarge"));
    else {
      const text = await textOf(file);
      if (text === null) say(this.trouble, this.t("unreadable", { file: file.name }));
      else await this.hand(file.name, text);
    }
    this.file.value = "";
  }

  /** @param {string} file @param {string} text */
  async hand(file, text) {
    const { t } = this;
    if (this.busy) return;
    say(this.trouble, "");
    const bare = stripped(file, text);
    if (!/\.(py|ipynb)$/i.test(file)) say(this.trouble, t("wrongFile"));
    else if (bare === null) say(this.trouble, t("noNotebook"));
    else if (!bare.trim()) say(this.trouble, t("emptyFile"));
    else if (bare.length > LONGEST) say(this.trouble, t("fileTooLarge"));
    else await this.send(file.slice(-80), bare);
  }

  /** @param {string} file @param {string} text */
  async send(file, text) {
    this.busy = true;
    this.progress.hidden = false;
    try {
      await this.pupil.writeParts({ type: "submit", file }, text, (share) => this.progress.setAttribute("value", String(share)));
      say(this.status, this.t("handedIn", { file }));
      this.until = Date.now() + 5000;
    } catch (error) {
      say(this.trouble, this.pupil.page.refusal(error));
    } finally {
      this.busy = false;
      this.progress.hidden = true;
    }
  }

  /** @param {School.Hall} hall */
  show(hall) {
    const { t } = this;
    const isOpen = hall.open ?? true;
    if (this.trouble.textContent === t("why_offline")) say(this.trouble, t("backAgain"));
    say(this.own, `python3 run.py bot ${t("myBotFile")} ${location.host} --league ${hall.bots}-${this.pupil.personal}`);
    this.form.hidden = !isOpen;
    update(this.given, hall.given ? button("see-given", t("givenFile", { file: hall.given.file }), () => this.write({ type: "get_version", version: 0 })) : null);
    this.sayWhen(hall);
    const works = [...(hall.works ?? [])].sort((one, two) => two.version - one.version);
    const unfolded = new Set([...this.list.querySelectorAll("details[open]")].map((one) => /** @type {HTMLElement} */ (one).dataset.key));
    keep(this.list, ...works.map((work, n) => this.row(work, n === 0, hall, unfolded)));
  }

  /** Whether one can hand in, and until when. @param {School.Hall} hall */
  sayWhen(hall) {
    const { t } = this;
    if (hall.open === false) say(this.status, t("handClosed"));
    else if (!this.busy && Date.now() > this.until) {
      say(this.status, hall.until ? t("handUntil", { time: timeText(hall.until, this.pupil.page.language) }) : t(hall.works?.length ? "handOpen" : "handFirst"));
    }
  }

  /** @param {School.Work} work @param {boolean} isNewest @param {School.Hall} hall @param {Set<string | undefined>} unfolded */
  row(work, isNewest, hall, unfolded) {
    const { t } = this;
    const { language } = this.pupil.page;
    const key = `fault-${work.version}`;
    const works = work.check === "works", plays = hall.plays === work.version;
    return h("li", { "data-version": work.version, class: isNewest ? "newest" : false },
      h("div.work-head", h("strong", t("version", { number: work.version })), h("span", work.file), h("span.faint", timeText(work.at, language)), checkTag(work, t),
        plays ? h("span.tag.plays", t(works ? "versionPlays" : "versionInLeagues")) : null),
      work.comment ? h("p.comment", h("strong", `${t("givenBack")} `), work.comment) : null,
      work.note && isNewest ? h("p.faint", work.note) : null,
      work.fault && isNewest ? faultOf(work.fault, t) : null,
      work.fault && !isNewest ? h("details", { "data-key": key, open: unfolded.has(key) }, h("summary", work.fault.what), faultOf(work.fault, t)) : null,
      work.faced && (isNewest || plays) ? h("div.own-fault", h("p", t("faceFailed")), faultOf(work.faced, t)) : null,
      h("div.actions",
        plays && works && hall.runs !== false ? button(`face-${work.version}`, t("faceMine"), () => this.write({ type: "face" }, "faceSoon")) : null,
        button(`see-${work.version}`, t("seeVersion"), () => this.write({ type: "get_version", version: work.version }), { "aria-label": t("seeThat", { number: work.version }) })));
  }

  /** @param {School.PupilLetter} letter @param {string} [meanwhile] what is said until the answer is there */
  async write(letter, meanwhile) {
    say(this.trouble, "");
    try {
      await this.pupil.write(letter);
      if (meanwhile) say(this.status, this.t(meanwhile));
    } catch (error) {
      say(this.trouble, this.pupil.page.refusal(error));
    }
  }

  /** @param {School.ClassLetter} letter */
  hear(letter) {
    if (letter.type === "refused") {
      say(this.trouble, letter.text);
      this.until = 0;
      if (this.pupil.hall) this.sayWhen(this.pupil.hall); // and no longer that it is handed in
    }
    if (letter.type !== "source") return;
    const text = this.source.take(letter);
    if (text !== null) showSource(this.t, letter, text);
  }
}

/** A program in a window, to read and to keep. @param {App.Speaker} t @param {School.Source} letter @param {string} text @param {string[]} whose */
export function showSource(t, { file, version }, text, ...whose) {
  const title = [...whose, file, version && t("version", { number: version })].filter(Boolean).join(" · ");
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const dialog = openDialog("source", title, t, h("pre.source", { tabindex: 0 }, text), h("p", h("a", { class: "button", href: address, download: file, "data-action": "download" }, t("download"))));
  dialog.addEventListener("close", () => URL.revokeObjectURL(address));
}
