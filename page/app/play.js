/** One match: its board, players with clocks, moves, offers, talk. For players and for those who watch. */

import { BoardView } from "./board.js";
import { clockText, ruleText, warnUnder } from "./clocks.js";
import { button, h, replace, say, update } from "./dom.js";
import { clocksAt, hasMoved, isMyTurn } from "./match.js";
import { gameText, resultText } from "./players.js";
import { refusalText } from "./texts.js";

const TICK_MS = 100;

export class Play {
  /**
   * @param {import("./main.js").Page} page
   * @param {string} match
   * @param {number | null} ply the position that the address names
   */
  constructor(page, match, ply) {
    this.page = page;
    this.match = match;
    /** @type {number | null} the position that is looked at; null for the present one */
    this.at = ply;
    this.asks = "";
    this.title = "Arbitre";
    /** @type {BoardView | null} */
    this.board = null;
    this.refusal = "";
    const { t } = page;
    this.status = h("p", { class: "status", role: "status" }, t("loading"));
    this.detail = h("p", { class: "detail", role: "alert" });
    this.seats = [h("div", { class: "player" }), h("div", { class: "player" })];
    this.frame = h("div", { class: "frame" });
    this.bar = h("div", { class: "offers" });
    this.claim = h("div", { class: "offer", hidden: true }, h("span", {}), button("claim", t("claim"), () => this.ask("claim")));
    this.actions = h("div", { class: "actions" });
    this.moves = h("ol", { class: "moves" });
    this.walk = h("div", { class: "walk" });
    this.talk = h("ul", { class: "talk", "aria-live": "polite" });
    this.share = h("div", { class: "share" });
    this.element = this.build();
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  build() {
    const { t } = this.page;
    const said = h("input", { name: "text", maxlength: 300, autocomplete: "off", "aria-label": t("saySomething"), placeholder: t("saySomething") });
    const typed = h("input", { name: "move", maxlength: 16, size: 8, autocomplete: "off", autocapitalize: "none", "aria-label": t("typed"), placeholder: t("typed") });
    this.form = h("form", { class: "typed", submit: (/** @type {Event} */ event) => this.type(event, /** @type {any} */ (typed)) }, typed,
      h("button", { type: "submit", "data-action": "play-typed" }, t("play")));
    return h("div", { class: "match" },
      h("div", { class: "table" }, this.seats[1], this.frame, this.seats[0]),
      h("div", { class: "side" },
        this.status, this.detail, this.share, this.claim, this.bar, this.actions,
        h("section", { class: "card" }, h("h2", {}, t("moves")), this.moves, this.walk, this.form),
        h("section", { class: "card" }, h("h2", {}, t("talk")), this.talk,
          h("form", { class: "typed", submit: (/** @type {Event} */ event) => this.chat(event, /** @type {any} */ (said)) }, said,
            h("button", { type: "submit", "data-action": "chat" }, t("send"))))));
  }

  get view() {
    return this.page.matches.get(this.match);
  }

  /** Asks for the match, if it is not told by itself; to be called whenever a connection has come about. */
  async follow() {
    if (!this.view) {
      try {
        await this.page.connection.ask("watch", { match: this.match });
      } catch (/** @type {any} */ error) {
        if (error.code !== undefined) say(this.status, this.page.t("noSuchMatch"));
      }
    }
    this.paint();
  }

  /** @param {any} message */
  hear(message) {
    if (message.match !== this.match) return;
    if (message.type === "rematched" && this.view?.seat) {
      this.page.go(`/m/${message.next}`);
      return;
    }
    if (message.type === "moved" || message.type === "took_back") this.refusal = this.asks = "";
    this.paint();
  }

  // ------------------------------------------------------------------------------------------------------------ acting

  /** @param {string} type @param {Record<string, any>} [fields] */
  async ask(type, fields = {}) {
    this.asks = this.refusal = "";
    try {
      await this.page.connection.ask(type, { match: this.match, ...fields });
    } catch (error) {
      this.refusal = refusalText(error, this.page.t);
    }
    this.paint();
  }

  /** @param {string} move */
  play(move) {
    const { view } = this;
    if (view) this.ask("move", { ply: view.moves.length, move });
  }

  /** @param {Event} event @param {HTMLInputElement} field */
  type(event, field) {
    event.preventDefault();
    const legal = Object.keys(this.view?.boards[this.view.moves.length]?.moves ?? {});
    const wanted = field.value.trim().toLowerCase().replace(/[-x: ]/g, "");
    if (!wanted) return;
    this.play(legal.find((move) => move.toLowerCase() === wanted) ?? wanted);
    field.value = "";
  }

  /** @param {Event} event @param {HTMLInputElement} field */
  chat(event, field) {
    event.preventDefault();
    const text = field.value.trim();
    field.value = "";
    if (text) this.ask("chat", { text });
  }

  /** Looks at the position after so many moves; null for the present. @param {number | null} ply */
  async look(ply) {
    const { view } = this;
    if (!view) return;
    const last = view.moves.length;
    this.at = ply === null || ply >= last ? null : Math.max(0, ply);
    history.replaceState(null, "", this.at === null ? location.pathname : `#${this.at}`);
    await this.fetch();
    this.paint();
  }

  /** Asks for the boards that were played before we came. */
  async fetch() {
    const { view } = this;
    if (!view || this.at === null || view.boards[this.at]) return;
    const moves = [...view.moves];
    const ok = await this.page.connection.ask("boards", { game: view.game, moves }).catch(() => null);
    for (const board of ok?.boards ?? []) view.boards[board.ply] ??= board;
  }

  // ---------------------------------------------------------------------------------------------------------- painting

  paint() {
    const { view } = this;
    if (!view) return;
    const { t, games, language } = this.page;
    this.title = `${this.names().join(" – ")} · ${gameText(view.game, games, language)}`;
    document.title = this.title;
    this.paintBoard(view);
    this.paintSeats(view);
    say(this.status, this.statusText(view));
    say(this.detail, this.refusal);
    this.paintShare(view);
    this.paintOffers(view);
    this.paintActions(view);
    this.paintMoves(view);
    replace(this.talk, ...view.chat.map((line) => h("li", {}, h("strong", {}, `${line.name} `), line.text)));
    this.form?.toggleAttribute("hidden", !isMyTurn(view));
    this.tick();
    if (view.viewers) this.talk.title = view.viewers === 1 ? t("oneViewer") : t("viewers", { count: view.viewers });
  }

  /** @param {import("./match.js").View} view */
  paintBoard(view) {
    const about = this.page.games[view.game.split(":", 1)[0]];
    if (!this.board && about) {
      this.board = new BoardView(about, { play: (move) => this.play(move), t: this.page.t });
      if (view.seat === 2 && about.labels !== "columns") this.board.flipped = about.labels === "from_below";
      replace(this.frame, this.board.element);
    }
    const ply = this.at ?? view.moves.length;
    const board = view.boards[ply];
    if (!board) {
      if (this.at !== null) this.fetch().then(() => view.boards[ply] && this.paintBoard(view));
      return;
    }
    const isNow = ply === view.moves.length;
    this.board?.show(board, { playable: isNow && isMyTurn(view), line: isNow ? view.result?.cells ?? null : null });
    this.frame.classList.toggle("helps", about.helps);
  }

  names() {
    const { t } = this.page;
    return (this.view?.players ?? [null, null]).map((player) => player?.name ?? t("freeSeat"));
  }

  /** @param {import("./match.js").View} view */
  paintSeats(view) {
    const { t, games } = this.page;
    const about = games[view.game.split(":", 1)[0]];
    const below = view.seat === 2 ? 2 : 1;
    const score = view.boards[this.at ?? view.moves.length]?.score;
    for (const [place, seat] of [[0, below], [1, 3 - below]]) {
      const player = view.players[seat - 1];
      const isNext = view.status === "playing" && view.toMove === seat;
      this.seats[place].classList.toggle("next", isNext);
      replace(this.seats[place],
        h("span", { class: `mark seat${seat}`, style: false, "aria-hidden": "true" }, about?.signs ? about.signs[seat - 1] : ""),
        h("span", { class: "name" }, this.names()[seat - 1]),
        seat === view.seat ? h("span", { class: "tag" }, t("you")) : null,
        player?.kind === "bot" ? h("span", { class: "tag" }, t("bot")) : null,
        player?.present === false && view.status !== "finished" ? h("span", { class: "tag warn" }, t("away")) : null,
        about?.counts && score ? h("span", { class: "score" }, String(score[seat - 1])) : null,
        h("span", { class: "clock", "data-seat": seat }));
      const mark = /** @type {HTMLElement} */ (this.seats[place].querySelector(".mark"));
      if (about && !about.signs) mark.style.setProperty("--disc", about.colours[seat]);
    }
  }

  tick() {
    const { view } = this;
    if (!view) return;
    const now = performance.now();
    const left = clocksAt(view, now);
    const warn = warnUnder(view.clock);
    for (const place of this.seats) {
      const clock = /** @type {HTMLElement | null} */ (place.querySelector(".clock"));
      if (!clock) continue;
      const ms = left?.[Number(clock.dataset.seat) - 1];
      const text = ms === undefined ? "" : clockText(ms, this.page.language);
      if (clock.textContent !== text) clock.textContent = text;
      clock.classList.toggle("low", ms !== undefined && ms < warn && view.status === "playing");
    }
    this.tickClaim(view, now);
  }

  /** @param {import("./match.js").View} view @param {number} now */
  tickClaim(view, now) {
    const { t } = this.page;
    const other = view.seat ? 3 - view.seat : 0;
    const at = view.status === "playing" ? view.claimableAt[other] ?? null : null;
    this.claim.toggleAttribute("hidden", at === null);
    if (at === null) return;
    const wait = Math.ceil((at - now) / 1000);
    const name = this.names()[other - 1];
    say(this.claim.children[0], wait > 0 ? t("claimLater", { name, time: `${wait} s` }) : t("claimNow", { name }));
    this.claim.children[1].toggleAttribute("hidden", wait > 0);
  }

  /** @param {import("./match.js").View} view */
  statusText(view) {
    const { t, games, language } = this.page;
    const names = this.names();
    if (view.result) return resultText(view.result, view.game, names, games[view.game.split(":", 1)[0]], language, t);
    if (view.status === "waiting") return t("waiting");
    if (view.status === "paused") return t("paused");
    const move = view.moves.at(-1);
    const mover = view.passed ?? 3 - view.toMove;
    const said = move && mover !== view.seat && !view.passed ? `${t("moveSaid", { name: names[mover - 1], move })} ` : "";
    const passed = view.passed ? `${t("hasPassed", { name: names[view.passed - 1] })} ` : "";
    return said + passed + (isMyTurn(view) ? t("yourTurn") : t("theirTurn", { name: names[view.toMove - 1] }));
  }

  /** @param {import("./match.js").View} view */
  paintShare(view) {
    const { t } = this.page;
    const shown = view.status === "waiting" && view.seat !== null;
    this.share.toggleAttribute("hidden", !shown);
    if (!shown || this.share.childElementCount) return;
    const address = view.link ? `${location.origin}/j/${view.link}` : `${location.origin}/m/${view.match}`;
    const field = h("input", { readonly: true, value: address, "aria-label": t("invite"), focus: () => /** @type {any} */ (field).select() });
    replace(this.share, h("p", {}, t("invite")), field, view.code ? h("p", {}, `${t("orCode")} `, h("strong", { class: "code" }, view.code)) : null);
  }

  /** @param {import("./match.js").View} view */
  paintOffers(view) {
    const { t } = this.page;
    const nouns = /** @type {Record<string, string>} */ ({ draw: t("draw"), takeback: t("takebackNoun"), rematch: t("rematchNoun") });
    const rows = Object.entries(view.offers).map(([what, seat]) => {
      const isMine = seat === view.seat;
      const text = isMine ? t("youOffer", { what: nouns[what] }) : t("offers", { name: this.names()[seat - 1], what: nouns[what] });
      const answer = (/** @type {boolean} */ accept) => () => this.ask("answer", { what, accept });
      const buttons = view.seat === null ? [] : isMine ? [button("withdraw", t("withdraw"), answer(false))]
        : [button("accept", t("accept"), answer(true), { class: "primary" }), button("decline", t("decline"), answer(false))];
      return h("div", { class: "offer", role: "group" }, h("span", {}, text), ...buttons);
    });
    update(this.bar, ...rows);
  }

  /** @param {import("./match.js").View} view */
  paintActions(view) {
    const { t } = this.page;
    const plays = view.seat !== null;
    const runs = plays && view.status === "playing";
    if (this.asks === "resign" && runs) {
      update(this.actions, h("span", { class: "sure" }, t("resignSure")),
        button("confirm-resign", t("yesResign"), () => this.ask("resign"), { class: "danger" }),
        button("cancel", t("cancel"), () => this.want("")));
      return;
    }
    const early = plays && (view.status === "waiting" || (runs && view.moves.length < 2));
    const rematches = plays && view.status === "finished" && !view.next && view.players.every(Boolean);
    const joins = !plays && view.status === "waiting" && view.players.some((player) => !player);
    update(this.actions,
      joins ? button("join", t("join"), () => this.ask("join"), { class: "primary" }) : null,
      runs && !early ? button("offer-draw", t("offerDraw"), () => this.ask("offer", { what: "draw" }), { disabled: view.offers.draw === view.seat }) : null,
      runs ? button("takeback", t("takeback"), () => this.ask("offer", { what: "takeback" }), { disabled: !hasMoved(view) || view.offers.takeback === view.seat }) : null,
      early ? button("abort", t("abort"), () => this.ask("abort")) : null,
      runs && !early ? button("resign", t("resign"), () => this.want("resign")) : null,
      rematches ? button("rematch", t("rematch"), () => this.ask("offer", { what: "rematch" }), { class: "primary", disabled: view.offers.rematch === view.seat }) : null,
      view.next ? button("next-match", t("toNext"), () => this.page.go(`/m/${this.view?.next}`), { class: "primary" }) : null,
      view.status === "finished" ? button("replay", t("replay"), () => this.view && this.page.go(replayOf(this.view))) : null,
      button("flip", t("flip"), () => this.turn()));
  }

  turn() {
    this.board?.flip();
    this.paint();
  }

  /** @param {string} what */
  want(what) {
    this.asks = what;
    this.paint();
  }

  /** @param {import("./match.js").View} view */
  paintMoves(view) {
    const { t } = this.page;
    const at = this.at ?? view.moves.length;
    if (this.moves.dataset.count !== `${view.moves.length},${at}`) {
      this.moves.dataset.count = `${view.moves.length},${at}`;
      replace(this.moves, ...view.moves.map((move, n) =>
        h("li", {}, button("go", move, () => this.look(n + 1), { "aria-current": n + 1 === at ? "true" : false }))));
      const current = this.moves.querySelector("[aria-current]");
      if (current) this.moves.scrollTop = /** @type {HTMLElement} */ (current).offsetTop - this.moves.clientHeight / 2;
    }
    const last = view.moves.length;
    update(this.walk,
      button("start", "«", () => this.look(0), { "aria-label": t("start"), disabled: at === 0 }),
      button("previous", "‹", () => this.look((this.at ?? this.view?.moves.length ?? 0) - 1), { "aria-label": t("previous"), disabled: at === 0 }),
      button("next", "›", () => this.look((this.at ?? this.view?.moves.length ?? 0) + 1), { "aria-label": t("next"), disabled: at === last }),
      button("end", "»", () => this.look(null), { "aria-label": t("end"), disabled: at === last }),
      h("span", { class: "faint" }, ruleText(view.clock, t)));
  }

  /** Leaves the view; who only watches stops hearing of the match. */
  close() {
    clearInterval(this.timer);
    const { view } = this;
    if (view && (view.seat === null || view.status === "finished")) {
      this.page.connection.ask("leave", { match: this.match }).catch(() => undefined);
      this.page.matches.delete(this.match);
    }
  }
}

/** @param {import("./match.js").View} view */
function replayOf(view) {
  return `/replay/${encodeURIComponent(view.game)}?moves=${encodeURIComponent(view.moves.join(" "))}`;
}
