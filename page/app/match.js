/**
 * One match as its reader sees it: the server's events folded into a view (docs/protocol.md, "Following a match"). Pure.
 * The board is the server's, too: it draws for clients that know no rules.
 */

/** @typedef {{name: string, kind: string, present?: boolean, house?: boolean}} Player */
/** @typedef {Protocol.Diagram} Board */
/** @typedef {{name: string, text: string, seat: number | null}} Line */
/**
 * @typedef {object} View
 * @property {string} match
 * @property {number} seq
 * @property {string} game
 * @property {"waiting" | "playing" | "paused" | "finished"} status
 * @property {(Player | null)[]} players
 * @property {1 | 2 | null} seat the reader's own
 * @property {string[]} moves
 * @property {1 | 2} toMove
 * @property {Protocol.Clock | null} clock the time control
 * @property {[number, number] | null} clocks what each seat had left at `clocksAt`
 * @property {number} clocksAt
 * @property {Record<string, 1 | 2>} offers
 * @property {Protocol.Result | null} result
 * @property {string | null} code
 * @property {string | null} link
 * @property {number} viewers
 * @property {number} delay how much later than it happens this is seen, in milliseconds
 * @property {boolean} arranged whether somebody who does not play has opened it
 * @property {Protocol.Network | null} network
 * @property {Record<number, number | null>} claimableAt when a seat's absence may be claimed
 * @property {1 | 2 | null} mover the seat that made the last move, as far as was heard
 * @property {1 | 2 | null} passed the seat that has just passed, as far as was heard
 * @property {string | null} next the rematch
 * @property {[number, number]} gifts how often each seat has given time, as far as was heard
 * @property {Line[]} chat
 * @property {(Board | undefined)[]} boards those that are known, by ply
 */

const MOST_LINES = 200;

/** How often a player may give time in a match, on the server. */
export const MOST_GIFTS = 20;

/** Whether it is one of the numbered events; all else that names a match is not part of it. @param {string} type */
export const isEvent = (type) => Object.hasOwn(FOLD, type);

/**
 * The view that a snapshot describes; what was said and drawn before is kept.
 * @param {Protocol.Snapshot} told
 * @param {number} now
 * @param {View | undefined} before
 * @returns {View}
 */
export function fromSnapshot(told, now, before) {
  const moves = told.moves ?? [];
  return {
    match: told.match, seq: told.seq, game: told.game, status: told.status, players: [...told.players],
    seat: told.seat ?? null, moves: [...moves], toMove: told.to_move, clock: told.clock ?? null,
    clocks: told.clocks ?? null, clocksAt: now, offers: { ...told.offers }, result: told.result ?? null,
    code: told.code ?? null, link: told.link ?? null, viewers: told.viewers ?? 0, network: told.network ?? null,
    delay: told.delay_ms ?? 0, arranged: told.arranged ?? false,
    claimableAt: {}, mover: null, passed: null, next: null, gifts: before?.gifts ?? [0, 0], chat: before?.chat ?? [],
    boards: before && startsAlike(before.moves, moves) ? before.boards.slice(0, moves.length + 1) : [],
  };
}

/**
 * Applies an event; says "gap" if earlier ones are missing, "known" if it was there already.
 * @param {View} view
 * @param {Protocol.MatchEvent} event
 * @param {number} now
 * @returns {"new" | "known" | "gap"}
 */
export function apply(view, event, now) {
  if (event.seq <= view.seq) return "known";
  if (event.seq !== view.seq + 1) return "gap";
  view.seq = event.seq;
  /** @type {App.Fold<View>[typeof event.type]} */ (FOLD[event.type])?.(view, /** @type {never} */ (event), now);
  return "new";
}

/**
 * Who is to move is asked for it, perhaps again: the clocks are as they are now, while a missed event has those of its time.
 * @param {View} view
 * @param {Protocol.YourTurn} told
 * @param {number} now
 */
export function asked(view, told, now) {
  setClocks(view, told, now);
}

/** Whether a clock runs that the server tells only who is to move, after a loss of the connection. @param {View} view */
export const lacksClocks = (view) => view.status === "playing" && view.clocks !== null && !isMyTurn(view);

/** @type {App.Fold<View>} */
const FOLD = {
  seated(view, event) {
    view.players[event.seat - 1] = event.player;
  },
  started(view, event, now) {
    view.status = "playing";
    view.toMove = event.to_move;
    setClocks(view, event, now);
  },
  moved(view, event, now) {
    view.moves.push(event.move);
    view.toMove = event.to_move;
    view.mover = event.seat;
    view.passed = null;
    delete view.offers.takeback;
    if (view.offers.draw === 3 - event.seat) delete view.offers.draw;
    setClocks(view, event, now);
  },
  passed(view, event) {
    view.passed = event.seat;
  },
  paused(view, event, now) {
    view.status = "paused";
    setClocks(view, event, now);
  },
  resumed(view, event, now) {
    view.status = "playing";
    view.toMove = event.to_move;
    setClocks(view, event, now);
  },
  took_back(view, event, now) {
    view.moves.length = event.ply;
    view.boards.length = Math.min(view.boards.length, event.ply + 1);
    view.toMove = event.to_move;
    view.mover = null;
    view.passed = null;
    view.offers = {};
    setClocks(view, event, now);
  },
  offered(view, event) {
    view.offers[event.what] = event.seat;
  },
  declined(view, event) {
    delete view.offers[event.what];
  },
  gave_time(view, event, now) {
    view.gifts[event.seat - 1] += 1;
    setClocks(view, event, now);
  },
  presence(view, event, now) {
    const player = view.players[event.seat - 1];
    if (player) view.players[event.seat - 1] = { ...player, present: event.present };
    const waits = event.claimable_ms ?? null;
    view.claimableAt[event.seat] = event.present || waits === null ? null : now + waits;
    if (event.clocks) setClocks(view, event, now);
  },
  said(view, event) {
    hear(view, { name: view.players[event.seat - 1]?.name ?? "?", text: event.text, seat: event.seat });
  },
  finished(view, event, now) {
    view.status = "finished";
    view.result = event.result;
    view.offers = {};
    setClocks(view, event, now);
  },
  rematched(view, event) {
    view.next = event.next;
    delete view.offers.rematch;
  },
};

/**
 * Keeps a line of the talk.
 * @param {View} view
 * @param {Line} line
 */
export function hear(view, line) {
  view.chat.push(line);
  if (view.chat.length > MOST_LINES) view.chat.shift();
}

/**
 * What each seat has left at `now`; null without a clock.
 * @param {View} view
 * @param {number} now
 * @returns {[number, number] | null}
 */
export function clocksAt(view, now) {
  if (!view.clocks || view.status !== "playing") return view.clocks;
  const stands = view.network?.outage === "pause" && view.players[view.toMove - 1]?.present === false;
  if (stands) return view.clocks;
  const left = /** @type {[number, number]} */ ([...view.clocks]);
  left[view.toMove - 1] = Math.max(0, left[view.toMove - 1] - (now - view.clocksAt));
  return left;
}

/** @param {View} view */
export const isMyTurn = (view) => view.status === "playing" && view.seat !== null && view.seat === view.toMove;

/**
 * Who made the last move, and who had to pass after it: as was heard, else as the board says. Whose turn it is doesn't
 * tell: after a pass, and in some games after any move, the same seat moves again.
 * @param {View} view
 */
export function lastOf(view) {
  const board = view.boards[view.moves.length];
  return { mover: view.mover ?? board?.mover ?? null, passed: view.passed ?? board?.passed ?? null };
}

/**
 * Whether the reader has a move of their own to take back.
 * @param {View} view
 */
export const hasMoved = (view) => view.seat !== null && view.moves.length >= view.seat;

/**
 * The options that a specification sets: {size: "6"} of "game:size=6".
 * @param {string} spec
 */
export function optionsOf(spec) {
  const [, written = ""] = spec.split(":", 2);
  return Object.fromEntries(written.split(",").filter(Boolean).map((pair) => pair.split("=", 2)));
}

/** @param {View} view @param {{clocks?: [number, number] | null}} event @param {number} now */
function setClocks(view, event, now) {
  if (event.clocks) view.clocks = event.clocks;
  view.clocksAt = now;
}

/** @param {string[]} one @param {string[]} other */
function startsAlike(one, other) {
  return one.slice(0, other.length).every((move, ply) => move === other[ply]);
}
