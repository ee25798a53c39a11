"use strict";
// The games of the page, replayed from what changes on the board with each move: no rules are known here.
const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const CELLS = data.width * data.height;
const TURNS = 3; // turning points that a game's entry in the list names; its moves mark all of them
let game = null, ply = 0;

for (const name of data.bots) at("bot").append(new Option(name, name));

function fill() {
  const bot = at("bot").value, faults = at("faults").checked, thrown = at("thrown").checked;
  const shown = data.games.filter((one) =>
    (!bot || one.first === bot || one.second === bot) && (!faults || one.fault) && (!thrown || one.turns.length));
  at("games").replaceChildren(...shown.map(row));
  at("count").textContent = shown.length + " / " + data.games.length;
}

function row(one) {
  const item = document.createElement("li"), button = document.createElement("button");
  button.textContent = one.title;
  const turns = one.turns.slice(0, TURNS).map((turn) => [turn.text, ""]), more = one.turns.length - turns.length;
  if (more) turns.push(["… + " + more, ""]);
  for (const [text, kind] of [[one.result, one.fault ? "fault" : ""], ...turns]) {
    const line = document.createElement("small");
    line.textContent = text;
    line.className = kind;
    button.append(line);
  }
  button.addEventListener("click", () => open(one, button));
  item.append(button);
  return item;
}

function open(one, button) {
  for (const other of document.querySelectorAll("#games [aria-current]")) other.removeAttribute("aria-current");
  button.setAttribute("aria-current", "true");
  game = one;
  at("player").hidden = false;
  at("who").replaceChildren(stone("one"), one.first + "  –  ", stone("two"), one.second);
  at("said").textContent = one.detail;
  const board = at("board");
  board.className = data.signs ? "signs" : "";
  board.style.gridTemplateColumns = "repeat(" + data.width + ", 1fr)";
  for (const [name, colour] of Object.entries(data.colours)) board.style.setProperty("--" + name, colour);
  board.replaceChildren(...Array.from({ length: data.width * data.height }, () => document.createElement("b")));
  for (const side of ["top", "bottom", "left"]) {
    at(side).replaceChildren(...data.frame[side].map((label) => {
      const text = document.createElement("span");
      text.textContent = label;
      return text;
    }));
  }
  const turns = new Set(one.turns.map((turn) => turn.ply));
  at("moves").replaceChildren(...one.moves.map((move, index) => {
    const span = document.createElement("span");
    span.textContent = move;
    if (index < one.opening) span.classList.add("book");
    if (turns.has(index)) span.classList.add("turn");
    span.addEventListener("click", () => go(index + 1));
    return span;
  }));
  go(one.turns.length ? one.turns[0].ply + 1 : one.moves.length);
}

function stone(kind) {
  const dot = document.createElement("i");
  dot.style.background = data.signs ? "none" : kind === "one" ? data.colours.first : data.colours.second;
  if (data.signs) {
    dot.style.border = "0";
    dot.style.font = "inherit";
    dot.textContent = data.signs[kind === "one" ? 0 : 1];
  }
  return dot;
}

// A change is the cell's index, plus the number of cells times the number of what it holds now (data.kinds).
function set(cells, change) {
  cells[change % CELLS] = Math.floor(change / CELLS);
}

// The way of a piece: the cells of a move, and -1 after them if a piece goes from the first to the last.
function arrow(way) {
  const line = at("way"), goes = way[way.length - 1] === -1;
  line.parentNode.setAttribute("viewBox", "0 0 " + data.width + " " + data.height);
  line.setAttribute("visibility", goes ? "visible" : "hidden");
  if (!goes) return;
  const ends = [way[0], way[way.length - 2]].map((cell) => [cell % data.width + 0.5, Math.floor(cell / data.width) + 0.5]);
  line.setAttribute("d", "M" + ends[0].join(" ") + "L" + ends[1].join(" "));
}

function go(number) {
  if (!game) return;
  ply = Math.max(0, Math.min(game.moves.length, number));
  const cells = new Array(data.width * data.height).fill(0);
  for (const cell of data.start) set(cells, cell);
  let last = [];
  for (let index = 0; index < ply; index++) {
    last = game.changes[index];
    for (const cell of last) set(cells, cell);
  }
  const way = !ply ? [] : game.ways ? game.ways[ply - 1] : last.length ? [last[0] % CELLS] : [];
  [...at("board").children].forEach((square, index) => {
    const [kind, sign] = data.kinds[cells[index]];
    const isOther = data.colours.other && (index % data.width + Math.floor(index / data.width)) % 2;
    square.className = kind + (isOther ? " other" : "") + (way.includes(index) ? " last" : "");
    if (sign) square.dataset.sign = sign;
    else delete square.dataset.sign;
  });
  arrow(way);
  const scores = game.scores ? game.scores[ply] : [];
  at("counts").replaceChildren(...scores.flatMap((count, seat) => [stone(seat ? "two" : "one"), count + "    "]));
  at("board").setAttribute("aria-label", game.moves.slice(0, ply).join(" ") || "-");
  [...at("moves").children].forEach((span, index) => span.classList.toggle("now", index === ply - 1));
  at("ply").textContent = ply + " / " + game.moves.length;
}

at("begin").addEventListener("click", () => go(0));
at("back").addEventListener("click", () => go(ply - 1));
at("forth").addEventListener("click", () => go(ply + 1));
at("end").addEventListener("click", () => go(1e9));
for (const id of ["bot", "faults", "thrown"]) at(id).addEventListener("change", fill);
document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "SELECT" || !game) return;
  if (event.key === "ArrowLeft") go(ply - 1);
  else if (event.key === "ArrowRight") go(ply + 1);
});
fill();
const first = document.querySelector("#games button");
if (first) first.click();
