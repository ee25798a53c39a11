// The rules written again from docs/protocol.md alone, and two players who hold the server to them. It tries the perft
// figures of the page, then plays random games in random sizes: at each ply the server's `legal` must be its own,
// illegal moves must be refused, and whoever leaves and comes back must find what was there.
//
//     node --experimental-websocket oracle.mjs PAGE URL GAMES SEED

import { readFileSync } from "node:fs";

const AHEAD = [[1, 0], [0, 1], [1, 1], [1, -1]];
const AROUND = [...AHEAD, ...AHEAD.map(([dx, dy]) => [-dx, -dy])];
const DEFAULTS = {
  othello: { size: 8, tie: "draw" },
  puissance4: { width: 7, height: 6, k: 4 },
  morpion: { width: 3, height: 3, k: 3 },
  breakthrough: { size: 6 },
};

/** The position before the first move of `rules`, such as "othello:size=6". */
function start(rules) {
  const [game, written = ""] = rules.split(":");
  const options = { ...DEFAULTS[game] };
  for (const [key, value] of written.split(",").filter(Boolean).map((pair) => pair.split("="))) {
    options[key] = key === "tie" ? value : Number(value);
  }
  const { size, width = size, height = size } = options;
  const board = Array(width * height).fill(0);
  if (game === "othello") {
    const [near, far] = [size / 2 - 1, size / 2];
    for (const [x, y, seat] of [[near, near, 2], [far, near, 1], [near, far, 1], [far, far, 2]]) {
      board[y * width + x] = seat;
    }
  }
  if (game === "breakthrough") board.fill(2, 0, 2 * width).fill(1, -2 * width);
  return { game, ...options, width, height, board, seat: 1, ply: 0, last: null };
}

const at = (p, x, y) => (x < 0 || x >= p.width ? undefined : p.board[y * p.width + x]);
const named = (x, y) => String.fromCharCode(97 + x) + (y + 1);

/** How many cells of `seat` follow (x, y) without a gap in one direction. */
function run(p, x, y, dx, dy, seat) {
  let count = 0;
  while (at(p, x + dx * (count + 1), y + dy * (count + 1)) === seat) count += 1;
  return count;
}

/** The discs that `seat` would turn over by a disc on (x, y). */
function flips(p, x, y, seat) {
  return AROUND.flatMap(([dx, dy]) => {
    const count = run(p, x, y, dx, dy, 3 - seat);
    if (at(p, x + dx * (count + 1), y + dy * (count + 1)) !== seat) return [];
    return Array.from({ length: count }, (_, step) => [x + dx * (step + 1), y + dy * (step + 1)]);
  });
}

/** A cell of Breakthrough, whose row 1 is at the bottom; and where the pawns of `seat` can go. */
const fromBelow = (p, x, y) => named(x, p.height - 1 - y);
function steps(p, seat) {
  const ahead = seat === 1 ? -1 : 1;
  return p.board.flatMap((cell, index) => {
    const [x, y] = [index % p.width, Math.floor(index / p.width)];
    const free = (aside) => [0, aside === 0 ? 0 : 3 - seat].includes(at(p, x + aside, y + ahead));
    const targets = cell === seat ? [-1, 0, 1].filter(free) : [];
    return targets.map((aside) => ({ from: [x, y], to: [x + aside, y + ahead] }));
  });
}

function moves(p, seat) {
  if (p.game === "breakthrough") {
    return steps(p, seat).map(({ from, to }) => fromBelow(p, ...from) + fromBelow(p, ...to));
  }
  const top = p.board.slice(0, p.width);
  if (p.game === "puissance4") return top.flatMap((cell, x) => (cell === 0 ? [String(x + 1)] : []));
  const cells = p.board.map((_, index) => [index % p.width, Math.floor(index / p.width)]);
  const fits = ([x, y]) => at(p, x, y) === 0 && (p.game === "morpion" || flips(p, x, y, seat).length > 0);
  return cells.filter(fits).map(([x, y]) => named(x, y));
}

/** The legal moves of the seat that is to move, in the order of the page; none when the game is over. */
const legal = (p) => (result(p) === null ? moves(p, p.seat) : []);

/** The position after `move`, which is legal; in Othello `passed` then tells whether the other seat had to pass. */
function play(p, move) {
  const next = { ...p, board: [...p.board], seat: 3 - p.seat, ply: p.ply + 1, passed: false };
  if (p.game === "breakthrough") {
    const { from, to } = steps(p, p.seat)[moves(p, p.seat).indexOf(move)];
    next.board[from[1] * p.width + from[0]] = 0;
    next.board[to[1] * p.width + to[0]] = p.seat;
    return { ...next, last: [...to, p.seat] };
  }
  const falls = p.game === "puissance4";
  const x = falls ? Number(move) - 1 : move.charCodeAt(0) - 97;
  const y = falls ? run(p, x, -1, 0, 1, 0) - 1 : Number(move.slice(1)) - 1;
  for (const [cx, cy] of [[x, y], ...(p.game === "othello" ? flips(p, x, y, p.seat) : [])]) {
    next.board[cy * p.width + cx] = p.seat;
  }
  next.last = [x, y, p.seat];
  if (p.game === "othello" && moves(next, 3 - p.seat).length === 0 && moves(next, p.seat).length > 0) {
    Object.assign(next, { seat: p.seat, passed: true });
  }
  return next;
}

function line(p) {
  if (p.last === null) return [];
  const [x, y, seat] = p.last;
  const cells = new Map();
  for (const [dx, dy] of AHEAD) {
    const [before, after] = [run(p, x, y, -dx, -dy, seat), run(p, x, y, dx, dy, seat)];
    if (before + after + 1 < p.k) continue;
    for (let step = -before; step <= after; step += 1) {
      const cell = [x + dx * step, y + dy * step];
      cells.set(String(cell), cell);
    }
  }
  return [...cells.values()];
}

/** How the game ended by the rules, as the `result` of `finished`; null while it goes on. */
function result(p) {
  const count = (seat) => p.board.filter((cell) => cell === seat).length;
  if (p.game === "breakthrough") {
    if (p.last === null) return null;
    const [x, y, winner] = p.last;
    const there = y === (winner === 1 ? 0 : p.height - 1);
    if (!there && count(3 - winner) > 0) return null;
    const ending = there ? "goal" : "captured";
    return { winner, reason: "rules", ending, score: winner === 1 ? [1, 0] : [0, 1], cells: there ? [[x, y]] : [] };
  }
  if (p.game !== "othello") {
    const cells = line(p);
    if (cells.length > 0) return { winner: p.last[2], reason: "line", score: p.last[2] === 1 ? [1, 0] : [0, 1], cells };
    return count(0) > 0 ? null : { winner: null, reason: "full", score: [0, 0], cells };
  }
  if (moves(p, 1).length > 0 || moves(p, 2).length > 0) return null;
  const [one, two, empty] = [count(1), count(2), count(0)];
  const level = p.tie === "last_mover" ? p.last[2] : null;
  const winner = one === two ? level : one > two ? 1 : 2;
  const given = winner === null ? [empty / 2, empty / 2] : winner === 1 ? [empty, 0] : [0, empty];
  return { winner, reason: "discs", score: [one, two], tournament_score: [one + given[0], two + given[1]], cells: [] };
}

/** The number of ways to play `depth` moves: a pass is a move, a game that is over counts once. */
function perft(p, depth) {
  if (depth === 0) return 1;
  return legal(p).reduce((total, move) => {
    const next = play(p, move);
    return total + perft(next, next.passed && depth > 1 ? depth - 2 : depth - 1);
  }, result(p) === null ? 0 : 1);
}

function agree(told, own, where) {
  const [one, other] = [JSON.stringify(told), JSON.stringify(own)];
  if (one !== other) throw new Error(`${where}: told ${one}, but it is ${other} by the page`);
}

/** A session over one connection at a time; what it is told waits in `inbox` until it is looked for. */
class Player {
  constructor(url, name) {
    Object.assign(this, { url, name, token: null, seen: {}, number: 0 });
  }

  async connect(seen = {}) {
    this.inbox = [];
    this.socket = new WebSocket(this.url, "arbitre.v1");
    this.socket.onmessage = ({ data }) => this.take(JSON.parse(data));
    await new Promise((done, failed) => Object.assign(this.socket, { onopen: done, onerror: failed }));
    const { name, token } = this;
    await this.ask("hello", { protocol: 1, client: "oracle", kind: "bot", name, token, seen });
    this.token = (await this.hear("welcome")).token;
  }

  take(told) {
    if (told.seq !== undefined) this.seen[told.match] = told.seq;
    this.inbox.push(told);
    this.wake?.();
  }

  async find(wanted) {
    for (;;) {
      const index = this.inbox.findIndex(wanted);
      if (index >= 0) return this.inbox.splice(index, 1)[0];
      await new Promise((done) => Object.assign(this, { wake: done }));
    }
  }

  hear(type, match, ply) {
    return this.find((told) => told.type === type && told.match === match && (ply === undefined || told.ply === ply));
  }

  async ask(type, fields, wanted = "ok") {
    const id = (this.number += 1);
    this.socket.send(JSON.stringify({ type, id, ...fields }));
    const answer = await this.find((told) => told.id === id);
    agree([answer.type, answer.message], [wanted, answer.message], type);
    return answer;
  }

  /** Loses the connection, and comes back by the events that were missed, or by a snapshot. */
  async comeBack(match, byEvents) {
    const closed = new Promise((done) => Object.assign(this.socket, { onclose: done }));
    this.socket.close();
    await closed;
    await this.connect(byEvents ? { [match]: this.seen[match] } : {});
    return byEvents ? null : this.hear("snapshot", match);
  }
}

/** Tries a move that is not legal; says why the server has to refuse it. */
async function tryIllegal(player, match, p, pick) {
  const [x, y] = [pick(p.width + 1), pick(p.height + 1)];
  if (p.game === "breakthrough") return tryStep(player, match, p, x, y);
  const move = p.game === "puissance4" ? String(x + 1) : named(x, y);
  if (legal(p).includes(move)) return 0;
  const taken = p.game === "puissance4" ? "column_full" : at(p, x, y) === 0 ? "flips_nothing" : "occupied";
  const why = at(p, x, p.game === "puissance4" ? 0 : y) === undefined ? "off_board" : taken;
  const { code, data } = await player.ask("move", { match, ply: p.ply, move }, "error");
  agree([code, data], ["illegal_move", { why, legal: legal(p) }], `${move} after ${p.ply} plies`);
  return 1;
}

/** The same in Breakthrough: two steps ahead at once, which no pawn can do. */
async function tryStep(player, match, p, x, y) {
  const move = named(x, y) + named(x, y + 2);
  const rule = at(p, x, p.height - 1 - y) === p.seat ? "no_step" : "no_pawn_of_yours";
  const why = x >= p.width || y + 2 >= p.height ? "off_board" : rule;
  const { code, data } = await player.ask("move", { match, ply: p.ply, move }, "error");
  agree([code, data], ["illegal_move", { why, legal: legal(p) }], `${move} after ${p.ply} plies`);
  return 1;
}

/** A result with its cells in an order of our own. */
const inOrder = ({ winner, reason, ending = null, score, tournament_score = null, cells = [] }) => {
  return [winner, reason, ending, score, tournament_score, cells.map(String).sort()];
};

/** One random game of `rules`; counts what was met. */
async function game(players, rules, pick, met) {
  const { match, code } = await players[0].ask("create", { game: rules, seat: "first", public: pick(2) === 0 });
  await players[1].ask("join", code === undefined ? { match } : { code: code.toLowerCase() });
  let p = start(rules);
  const [moved, back] = [[], pick(8)];
  while (result(p) === null) {
    const player = players[p.seat - 1];
    let turn = await player.hear("your_turn", match);
    if (p.ply === back) {
      const snapshot = await player.comeBack(match, pick(2) === 0);
      if (snapshot !== null) agree([snapshot.moves, snapshot.legal], [moved, legal(p)], `the snapshot of ${rules}`);
      turn = await player.hear("your_turn", match);
      met.returns += 1;
    }
    agree([turn.ply, turn.legal], [p.ply, legal(p)], `${rules} after ${moved}`);
    met.refusals += pick(4) === 0 ? await tryIllegal(player, match, p, pick) : 0;
    const move = turn.legal[pick(turn.legal.length)];
    await player.ask("move", { match, ply: p.ply, move });
    p = play(p, move);
    moved.push(move);
    if (p.passed) agree((await player.hear("passed", match, p.ply)).seat, 3 - p.seat, `a pass in ${rules}: ${moved}`);
    met.plies += 1;
    met.passes += p.passed ? 1 : 0;
  }
  const { result: told } = await players[1].hear("finished", match);
  agree(inOrder(told), inOrder(result(p)), `${rules} after ${moved}`);
}

/** Rules of any of the games, in any size. */
function anyRules(pick) {
  if (pick(4) === 0) return `breakthrough:size=${4 + pick(5)}`;
  if (pick(2) === 0) return `othello:size=${4 + 2 * pick(4)},tie=${["draw", "last_mover"][pick(2)]}`;
  const [width, height] = [2 + pick(9), 1 + pick(10)];
  const k = 2 + pick(Math.min(Math.max(width, height), 6) - 1);
  return `${["puissance4", "morpion"][pick(2)]}:width=${width},height=${height},k=${k}`;
}

const [page, url, games, seed] = process.argv.slice(2);
const met = { figures: 0, games: 0, plies: 0, passes: 0, refusals: 0, returns: 0 };
for (const [, rules, figures] of readFileSync(page, "utf8").matchAll(/^- `([a-z0-9:=,]+)`: ([\d, ]+)$/gm)) {
  for (const [index, figure] of figures.split(", ").map(Number).entries()) {
    if (figure > 20000) break; // enough to differ, and soon done
    agree(figure, perft(start(rules), index + 1), `perft ${index + 1} of ${rules}`);
    met.figures += 1;
  }
}
let state = Number(seed);
const pick = (below) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 8) % below;
};
const players = [new Player(url, `Ada ${seed}`), new Player(url, `Bob ${seed}`)];
for (const player of players) await player.connect();
for (; met.games < Number(games); met.games += 1) await game(players, anyRules(pick), pick, met);
console.log(JSON.stringify(met));
for (const player of players) player.socket.close();
