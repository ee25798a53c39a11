/** Why minimax plays what it plays: the tree that it sees after some moves, unfolded by clicks. */

import { chip, h, replace, say } from "./dom.js";

/** @typedef {Protocol.Branch} Branch */

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
    const { t } = page;
    const depths = DEPTHS.map((depth) => chip("depth", depth, String(depth), depth === this.depth, () => this.deepen(depth)));
    this.element = h("section.card.explanation", h("h2", t("explainTitle")),
      h("fieldset.chips", h("legend", t("movesAhead")), ...depths), this.status, this.tree,
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
    say(this.status, t(root.to_move === 1 ? "maxFirst" : "maxSecond"));
    replace(this.tree, this.row(root, [], root.to_move, children));
    this.element.scrollIntoView({ block: "nearest" });
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
      say(this.status, this.page.refusal(error));
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
   * @returns {HTMLElement}
   */
  row(branch, path, max, children = null) {
    const { t } = this.page;
    const below = h("ul.tree", { hidden: !children });
    const fill = (/** @type {Branch[]} */ found) => {
      const rows = found.map((child) => this.row(child, [...path, child.move ?? ""], max));
      const unseen = branch.unseen ?? [];
      replace(below, ...rows, unseen.length ? h("li.unseen", t("cutOff", { moves: unseen.join(" ") })) : null);
    };
    if (children) fill(children);
    const level = branch.kind === "replies" ? (branch.to_move === max ? "MAX" : "MIN") : t(`kind_${branch.kind}`);
    const text = [branch.move ?? t("thisPosition"), level, this.valueText(branch)];
    const unfold = async () => {
      const opens = below.hidden;
      if (opens && !below.childElementCount) {
        const told = await this.fetch(path);
        if (!told) return;
        fill(told.slice(1));
      }
      below.hidden = !opens;
      control.setAttribute("aria-expanded", String(opens));
    };
    const look = { class: branch.chosen ? "node chosen" : "node" };
    const parts = [h("strong", text[0]), h("span.level", text[1]), h("span.value", text[2])];
    const control = (branch.children ?? 0) > 0
      ? h("button", { type: "button", "data-action": "unfold", "aria-expanded": String(Boolean(children)), click: () => void unfold(), ...look }, ...parts)
      : h("span", look, ...parts);
    if (branch.chosen && path.length) control.append(h("span.tag", t("expected")));
    return h("li", control, below);
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
