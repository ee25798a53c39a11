/** The board on which the teacher sets up a position for all: that of `/explore`, without an address of its own. */

import { button, form, h, input, say, update } from "../dom.js";
import { LocalBoard } from "../local_board.js";
import { gameChoice } from "./forms.js";

class SetupBoard extends LocalBoard {
  /** @param {import("../main.js").Page} page @param {string} game @param {string} moves @param {(moves: string[]) => void} done */
  constructor(page, game, moves, done) {
    super(page, "explore", game, moves, null);
    this.done = done;
    say(/** @type {Element} */ (this.element.querySelector("h1")), page.t("setUp"));
    void this.follow();
  }

  /** It stands in the desk's address. */
  address() {
    return location.pathname + location.search;
  }

  paint() {
    const { title } = document;
    super.paint();
    document.title = title;
  }

  paintActions() {
    const { t } = this.page;
    update(this.actions,
      button("ask-this", t("askThis"), () => this.done(this.moves.slice(0, this.at)), { class: "primary", disabled: Boolean(this.result) && this.at === this.moves.length }),
      button("undo", t("undo"), () => this.undo(), { disabled: !this.moves.length }),
      button("again", t("again"), () => this.again(), { disabled: !this.moves.length }));
    update(this.tools, button("flip", t("flip"), () => this.turn()));
  }
}

export class Setup {
  /**
   * @param {import("../main.js").Page} page
   * @param {string} game that is chosen first
   * @param {(game: string, moves: string[]) => void} ask
   * @param {() => void} close
   */
  constructor(page, game, ask, close) {
    const { t } = page;
    this.page = page;
    this.ask = ask;
    this.place = h("div");
    this.game = gameChoice(page, game, (chosen) => this.show(chosen, ""));
    this.typed = input(t("setupMoves"), { name: "setup-moves" });
    const field = form("setup-moves", t("show"), () => this.show(this.game.value, this.typed.value), this.typed);
    this.element = h("section.card.setup", h("div.setup-head", h("label.row", h("span", t("game")), this.game.element), field, button("setup-close", t("close"), close)), this.place);
    this.show(game, "");
  }

  /** @param {string} game @param {string} typed moves */
  show(game, typed) {
    this.board = new SetupBoard(this.page, game, typed, (moves) => this.ask(game, moves));
    this.place.replaceChildren(this.board.element);
  }

  /** A connection has come about. */
  async follow() {
    await this.board?.follow();
  }
}
