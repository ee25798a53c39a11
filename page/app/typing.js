/** The two fields of a match: one for moves and commands, with what these answer, and one for talk. */

import { answerTo } from "./commands.js";
import { announce, card, form, h, input, keep, say } from "./dom.js";
import { clocksAt, isMyTurn } from "./match.js";

/** @typedef {import("./match.js").View} View */
/** @typedef {import("./play.js").Play} Play */

/** Empties a field. @param {HTMLInputElement} field @returns {string} what stood there */
function taken(field) {
  const text = field.value.trim();
  field.value = "";
  return text;
}

export class Typing {
  /** @param {Play} play */
  constructor(play) {
    const { t } = play.page;
    this.play = play;
    this.field = input(t("typed"), { name: "move", maxlength: 16, size: 8, autocapitalize: "none" });
    this.form = form("play-typed", t("play"), () => this.submit(), this.field);
    this.reply = h("p.reply", { "aria-live": "polite" });
  }

  /** A text that is a legal move is a move; what is no command is tried as one, and the server says what is wrong. */
  submit() {
    const { view, page } = this.play;
    const text = taken(this.field);
    const wanted = text.toLowerCase().replace(/[-x: ]/g, "");
    const move = Object.keys(view?.boards[view.moves.length]?.moves ?? {}).find((one) => one.toLowerCase() === wanted);
    const reply = move || !wanted ? null : answerTo(text, this.scene(), page.t);
    announce(this.reply, reply ?? "");
    if (wanted && reply === null) this.play.play(move ?? wanted);
  }

  /** What commands tell of. @returns {import("./commands.js").Scene} */
  scene() {
    const { view, page, at, status } = this.play;
    return {
      board: view?.boards[at ?? view.moves.length], moves: view?.moves ?? [], names: this.play.names(), language: page.language,
      clocks: view ? clocksAt(view, performance.now()) : null, status: status.textContent ?? "", about: page.about(view?.game ?? ""),
    };
  }

  /** @param {View} view */
  show(view) {
    this.field.placeholder = this.play.page.t(isMyTurn(view) ? "typed" : "typedOnly");
  }
}

export class Talk {
  /** @param {Play} play */
  constructor(play) {
    this.t = play.page.t;
    const field = input(this.t("saySomething"), { name: "text", maxlength: 300 });
    const send = () => {
      const text = taken(field);
      if (text) play.ask("chat", { text });
    };
    this.lines = h("ul.talk", { "aria-live": "polite" });
    this.crowd = h("p.faint");
    this.form = form("chat", this.t("send"), send, field);
    this.off = h("p.faint", this.t("noTalk"));
    this.page = play.page;
    this.element = card(this.t("talk"), this.crowd, this.lines, this.form, this.off);
  }

  /** @param {View} view */
  show(view) {
    this.form.hidden = !this.page.allows("chat");
    this.off.hidden = !this.form.hidden;
    this.crowd.hidden = !view.viewers;
    say(this.crowd, this.t(view.viewers === 1 ? "oneViewer" : "viewers", { count: view.viewers }));
    keep(this.lines, ...view.chat.map((line) => h("li", h("strong", `${line.name} `), line.text)));
  }
}
