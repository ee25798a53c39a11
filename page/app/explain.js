/** Why minimax plays what it plays: the tree that it sees after some moves, unfolded by clicks, its values step by step. */

import { button, chip, h, replace, say, update } from "./dom.js";
import { Rising } from "./rising.js";

/** @typedef {Protocol.Branch} Branch */

/** @typedef {import("./rising.js").Row} Row */

/** @typedef {1 | 2 | 3} Depth */

const DEPTHS = /** @type {Depth[]} */ ([1, 2, 3]);
const SIGNS = { exact: "", at_least: "≥ ", at_most: "≤ " };

export class Explanation {
  /**
   * @param {import("./main.js").Page} page
   * @param {string} game
   * @param {string[]} moves the position that is explained
   */
  constructor(page, game, moves) {
    this.page = page;
    this.game = game;
    this.moves = moves;
    this.depth = /** @type {Depth} */ (2);
    /** @type {Map<string, (told: Protocol.Explained) => void>} who waits, by the ticket */
    this.waiting = new Map();
    /** @type {Protocol.Explained[]} answers that came before their tickets */
    this.early = [];
    this.status = h("p.faint", { role: "status" });
    this.tree = h("ul.tree");
    this.steps = h("div.actions");
    this.rising = new Rising((row) => this.valueText(row.branch), (step, of, row) => this.stepped(step, of, row));
    const { t } = page;
    const depths = DEPTHS.map((depth) => chip("depth", depth, String(depth), depth === this.depth, () => this.deepen(depth)));
    this.element = h("section.card.explanation", h("h2", t("explainTitle")),
      h("fieldset.chips", h("legend", t("movesAhead")), ...depths), this.steps, this.status, this.tree,
      h("p.faint", t("explainHelp")));
    this.ear = (/** @type {App.Told} */ message) => this.hear(message);
    page.ears.add(this.ear);
    void this.open();
  }

  /** @param {Depth} depth */
  deepen(depth) {
    this.depth = depth;
    void this.open();
  }

  /** A connection has come about: what was asked over the one before is not answered any more. */
  again() {
    if (!this.waiting.size) return;
    this.waiting.clear();
    void this.open();
  }

  async open() {
    const { t } = this.page;
    say(this.status, t("loading"));
    replace(this.tree);
    const depth = this.depth;
    const told = await this.fetch([]);
    if (depth !== this.depth || !told) return;
    const [root, ...children] = told;
    const { row, item } = this.row(root, [], root.to_move, children);
    replace(this.tree, item);
    this.rising.show(row);
    this.stepped(0, 0, null);
    this.element.scrollIntoView({ block: "nearest" });
  }

  /** Says which value has risen; what all values mean if none has. @param {number} step @param {number} of @param {Row | null} row */
  stepped(step, of, row) {
    const { rising } = this;
    const { t } = this.page;
    const max = t(rising.root?.branch.to_move === 1 ? "maxFirst" : "maxSecond");
    say(this.status, row ? t("stepSaid", { step, of, what: `${row.name} ${row.value.textContent}` }) : max);
    this.element.classList.toggle("rising", rising.runs);
    update(this.steps,
      button("step", t("step"), () => rising.step(), { "aria-keyshortcuts": "s" }),
      button("step-back", t("stepBack"), () => rising.back(), { "aria-keyshortcuts": "Shift+S", disabled: rising.runs && !step }),
      button("step-all", t("stepAll"), () => rising.all(), { "aria-keyshortcuts": "Escape", disabled: !rising.runs }));
  }

  /** s, Shift+S and Escape. @param {KeyboardEvent} event @returns {boolean} whether it was one of them */
  key(event) {
    const key = event.key.toLowerCase();
    if (key === "s" && event.shiftKey) this.rising.back();
    else if (key === "s") this.rising.step();
    else if (event.key === "Escape" && this.rising.runs) this.rising.all();
    else return false;
    return true;
  }

  /**
   * A node and its children, those that minimax looked at.
   * @param {string[]} path
   * @returns {Promise<Branch[] | null>}
   */
  async fetch(path) {
    const { t } = this.page;
    try {
      const ok = await this.page.ask("explain", { game: this.game, moves: this.moves, depth: this.depth, path });
      const told = await this.answer(ok.ticket ?? "");
      if (told.branches?.length) return told.branches;
      say(this.status, t(`why_${told.why ?? "failed"}`));
    } catch (error) {
      say(this.status, this.page.refusal(error, this.game, this.moves));
    }
    return null;
  }

  /** @param {string} ticket @returns {Promise<Protocol.Explained>} */
  answer(ticket) {
    const early = this.early.find((told) => told.ticket === ticket);
    this.early = [];
    return early ? Promise.resolve(early) : new Promise((resolve) => void this.waiting.set(ticket, resolve));
  }

  /** @param {App.Told} message */
  hear(message) {
    if (message.type !== "explained") return;
    const waits = this.waiting.get(message.ticket);
    this.waiting.delete(message.ticket);
    if (waits) waits(message);
    else this.early = [...this.early.slice(-7), message];
  }

  /**
   * One node: what led there, what it is worth, and a button that unfolds it.
   * @param {Branch} branch
   * @param {string[]} path
   * @param {number} max the seat for which large values are good
   * @param {Branch[] | null} children
   * @returns {{ row: Row, item: HTMLElement }}
   */
  row(branch, path, max, children = null) {
    const { t } = this.page;
    const below = h("ul.tree", { hidden: !children });
    const level = branch.kind === "replies" ? (branch.to_move === max ? "MAX" : "MIN") : t(`kind_${branch.kind}`);
    const move = branch.move ?? t("thisPosition");
    /** @type {Row} */
    const row = { branch, name: `${[...path.slice(0, -1), move].join(" ")}, ${level}`, value: h("span.value", this.valueText(branch)), open: Boolean(children), below: [] };
    const fill = (/** @type {Branch[]} */ found) => {
      const rows = found.map((child) => this.row(child, [...path, child.move ?? ""], max));
      const unseen = branch.unseen ?? [];
      row.below = rows.map((each) => each.row);
      replace(below, ...rows.map((each) => each.item), unseen.length ? h("li.unseen", t("cutOff", { moves: unseen.join(" ") })) : null);
    };
    if (children) fill(children);
    const look = { class: branch.chosen ? "node chosen" : "node" };
    const parts = [h("strong", move), h("span.level", level), row.value];
    const control = (branch.children ?? 0) > 0
      ? h("button", { type: "button", "data-action": "unfold", "aria-expanded": String(row.open), click: () => void this.unfold(row, path, control, below, fill), ...look }, ...parts)
      : h("span", look, ...parts);
    if (branch.chosen && path.length) control.append(h("span.tag", t("expected")));
    return { row, item: h("li", control, below) };
  }

  /**
   * Shows what is below a row, or hides it.
   * @param {Row} row @param {string[]} path @param {HTMLElement} control @param {HTMLElement} below
   * @param {(children: Branch[]) => void} fill puts rows there
   */
  async unfold(row, path, control, below, fill) {
    const opens = !row.open;
    if (opens && !below.childElementCount) {
      const told = await this.fetch(path);
      if (!told) return;
      fill(told.slice(1));
      this.rising.grown(row);
    }
    row.open = opens;
    below.hidden = !opens;
    control.setAttribute("aria-expanded", String(opens));
  }

  /** @param {Branch} branch */
  valueText(branch) {
    const { t } = this.page;
    const sign = SIGNS[branch.bound ?? "exact"];
    if (branch.plies === undefined || branch.plies === null) return sign + String(branch.value).replace("-", "−");
    return sign + t(branch.value > 0 ? "winIn" : "lossIn", { plies: branch.plies });
  }

  close() {
    this.page.ears.delete(this.ear);
    this.waiting.clear();
  }
}
