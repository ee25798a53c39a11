/** What a reader can do in a match beside moving: one line an action, and the bars where offers stand. */

import { addressOf } from "./addresses.js";
import { button, h, say, update } from "./dom.js";
import { hasMoved, MOST_GIFTS } from "./match.js";

/** @typedef {import("./play.js").Play} Play */
/** @typedef {import("./match.js").View} View */

/**
 * @typedef {object} Action
 * @property {string} name of its `data-action`
 * @property {string} text the key of its text
 * @property {(view: View) => boolean} shown
 * @property {(play: Play, view: View) => void} run
 * @property {string} [look] a class
 * @property {string} [long] the key of what it is called where there is more room, which begins with its text
 * @property {"takebacks" | "values"} [needs] what organisers may have switched off
 * @property {boolean} [isTool] whether it is about the view, not the match
 * @property {(view: View) => boolean} [stands] whether it can't be used just now
 */

const plays = (/** @type {View} */ view) => view.seat !== null;
const runs = (/** @type {View} */ view) => plays(view) && view.status === "playing";
/** In a match that somebody else has arranged clocks and seats stay as they are. */
const timed = (/** @type {View} */ view) => runs(view) && Boolean(view.clock?.initial_ms) && !view.arranged;
const comesBack = (/** @type {View} */ view) => plays(view) && !over(view) && !view.arranged && !view.network;
const over = (/** @type {View} */ view) => view.status === "finished";
/** Before both have moved a match is called off, not resigned, unless somebody else has arranged it. */
const early = (/** @type {View} */ view) => plays(view) && (view.status === "waiting" || (runs(view) && view.moves.length < 2 && !view.arranged));
const joins = (/** @type {View} */ view) => !plays(view) && view.status === "waiting" && view.players.some((player) => !player);
const rematches = (/** @type {View} */ view) => plays(view) && over(view) && !view.next && view.players.every(Boolean);
const generous = (/** @type {View} */ view) => view.seat !== null && view.gifts[view.seat - 1] >= MOST_GIFTS;
const offered = (/** @type {string} */ what) => (/** @type {View} */ view) => view.offers[what] === view.seat;

/** @type {Action[]} in the order in which they stand */
const ACTIONS = [
  { name: "join", text: "join", look: "primary", shown: joins, run: (play) => play.ask("join") },
  { name: "offer-draw", text: "offerDraw", shown: (view) => runs(view) && view.moves.length > 1, stands: offered("draw"), run: (play) => play.want("draw") },
  { name: "takeback", text: "takeback", needs: "takebacks", shown: runs, stands: (view) => !hasMoved(view) || offered("takeback")(view), run: (play) => play.want("takeback") },
  { name: "give-time", text: "giveTime", long: "giveTimeTo", shown: timed, stands: generous, run: (play) => play.ask("give_time") },
  { name: "abort", text: "abort", shown: early, run: (play) => play.ask("abort") },
  { name: "resign", text: "resign", shown: (view) => runs(view) && !early(view), run: (play) => play.want("resign") },
  { name: "rematch", text: "rematch", look: "primary", shown: rematches, stands: offered("rematch"), run: (play) => play.ask("offer", { what: "rematch" }) },
  { name: "next-match", text: "toNext", look: "primary", shown: (view) => Boolean(view.next), run: (play, view) => play.page.go(`/m/${view.next}`) },
  { name: "another-level", text: "anotherLevel", shown: (view) => plays(view) && over(view) && view.players.some((player) => player?.house), run: (play) => play.anotherLevel() },
  { name: "play-from", text: "playFrom", shown: (view) => over(view) && view.moves.length > 0, run: (play) => play.playFrom() },
  { name: "replay", text: "replay", shown: over, run: (play, view) => play.page.go(addressOf("replay", view.game, view.moves)) },
  { name: "review", text: "review", needs: "values", shown: (view) => over(view) && view.moves.length > 1, run: (play, view) => play.page.go(addressOf("review", view.game, view.moves, `&seat=${view.seat ?? 0}`)) },
  { name: "explore", text: "to_explore", isTool: true, shown: over, run: (play, view) => play.page.go(addressOf("explore", view.game, view.moves, `#${play.at ?? view.moves.length}`)) },
  { name: "leave", text: "leave", isTool: true, shown: over, run: (play) => play.page.go("/") },
  { name: "comeback", text: "comeback", isTool: true, shown: comesBack, run: (play) => play.comeBack() },
  { name: "share", text: "share", isTool: true, shown: (view) => view.boards.length > 0, run: (play) => play.shareIt() },
  { name: "zen", text: "zen", isTool: true, shown: () => true, run: (play) => play.page.toggleZen() },
  { name: "flip", text: "flip", isTool: true, shown: () => true, run: (play) => play.turn() },
];

/** @typedef {{name: string, text: string, yes: string, look: string, run: (play: Play) => void}} Sure */

/** @type {Record<string, Sure>} what is asked before it is done */
const SURE = {
  resign: { name: "confirm-resign", text: "resignSure", yes: "yesResign", look: "danger", run: (play) => play.ask("resign") },
  draw: { name: "confirm-draw", text: "drawSure", yes: "yesOffer", look: "primary", run: (play) => play.ask("offer", { what: "draw" }) },
  takeback: { name: "confirm-takeback", text: "takebackSure", yes: "yesAsk", look: "primary", run: (play) => play.ask("offer", { what: "takeback" }) },
  move: { name: "confirm-move", text: "moveSure", yes: "play", look: "primary", run: (play) => play.pending && play.play(play.pending) },
};

/** What is offered, as a noun. @param {App.Speaker} t @returns {Record<string, string>} */
const nouns = (t) => ({ draw: t("draw"), takeback: t("takebackNoun"), rematch: t("rematchNoun") });

export class Acting {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    const { t } = play.page;
    this.bar = h("div.offers");
    this.claim = h("div.offer", { hidden: true }, h("span"), button("claim", t("claim"), () => play.ask("claim")));
    this.actions = h("div.actions");
    this.tools = h("div.tools");
    /** @type {Record<string, number>} the offers that were shown last */
    this.stood = {};
  }

  /** @param {View} view @param {string} asks what waits for a confirmation */
  paint(view, asks) {
    this.paintOffers(view);
    update(this.tools, ...this.buttons(view, true));
    if (asks in SURE && runs(view)) this.paintSure(SURE[asks]);
    else update(this.actions, ...this.buttons(view, false));
  }

  /** @param {View} view @param {boolean} tools */
  buttons(view, tools) {
    const { page } = this.play;
    const { t } = page;
    return ACTIONS.filter((action) => Boolean(action.isTool) === tools && action.shown(view) && (!action.needs || page.allows(action.needs))).map((action) => {
      const run = () => this.play.view && action.run(this.play, this.play.view);
      const long = action.long && t(action.long);
      const more = { class: action.look, disabled: action.stands?.(view), title: long, "aria-label": long };
      return button(action.name, t(action.text), run, more);
    });
  }

  /** @param {Sure} sure */
  paintSure(sure) {
    const { play } = this;
    const { t } = play.page;
    update(this.actions, h("span.sure", t(sure.text, { move: play.pending ?? "" })),
      button(sure.name, t(sure.yes), () => sure.run(play), { class: sure.look }),
      button("cancel", t("cancel"), () => play.want("")));
  }

  /** @param {View} view */
  paintOffers(view) {
    const { t } = this.play.page;
    const rows = Object.entries(view.offers).map(([what, seat]) => {
      const isMine = seat === view.seat;
      const text = isMine ? t("youOffer", { what: nouns(t)[what] }) : this.offerText(what, seat);
      const answer = (/** @type {boolean} */ accept) => () => this.play.ask("answer", { what, accept });
      const buttons = view.seat === null ? [] : isMine ? [button("withdraw", t("withdraw"), answer(false))]
        : [button("accept", t("accept"), answer(true), { class: "primary" }), button("decline", t("decline"), answer(false))];
      return h("div.offer", { role: "group" }, h("span", text), ...buttons);
    });
    // Its place is kept while offers may come: nothing shifts under a finger.
    this.bar.classList.toggle("kept", plays(view) && view.status !== "waiting");
    this.stood = { ...view.offers };
    update(this.bar, ...rows);
  }

  /** What somebody offers, in a sentence. @param {string} what @param {number} seat */
  offerText(what, seat) {
    const { t } = this.play.page;
    return t("offers", { name: this.play.names()[seat - 1], what: nouns(t)[what] });
  }

  /** What the other offers to the reader; empty if nothing. @param {View} view */
  offerTo(view) {
    const [what, seat] = Object.entries(view.offers).find(([, seat]) => view.seat && seat !== view.seat) ?? [];
    return what && seat ? this.offerText(what, seat) : "";
  }

  /** What it means that an offer stands no more: the other has refused mine. @param {string} what @param {View} view */
  refusalOf(what, view) {
    const { t } = this.play.page;
    const other = this.play.names()[2 - (view.seat ?? 0)];
    return this.stood[what] === view.seat ? t("declines", { name: other, what: nouns(t)[what] }) : "";
  }

  /** Whether the win may be claimed from who is away. @param {View} view @param {number} now */
  tick(view, now) {
    const { t } = this.play.page;
    const other = view.seat ? 3 - view.seat : 0;
    const at = view.status === "playing" ? view.claimableAt[other] ?? null : null;
    this.claim.hidden = at === null;
    if (at === null) return;
    const wait = Math.ceil((at - now) / 1000);
    const name = this.play.names()[other - 1];
    say(this.claim.children[0], wait > 0 ? t("claimLater", { name, time: `${wait} s` }) : t("claimNow", { name }));
    /** @type {HTMLElement} */ (this.claim.children[1]).hidden = wait > 0;
  }
}
