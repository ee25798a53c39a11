// A bot in one line a move, for all games: completes a line or stops one, else takes the best cell.
// In a game whose moves are no single cells it takes the first.
// Against another:  arbitre match --game othello "stdio:node examples/stdio/bot.js" random
// On a server:      arbitre bot "stdio:node examples/stdio/bot.js" URL
"use strict";

// Column and row of a move, from 0, row 0 on top; a bare number is a column, in which a disc falls.
function cell(move, rows) {
  if (/^\d+$/.test(move)) return [move - 1, rows.findLastIndex((row) => row[move - 1] === ".")];
  return [move.charCodeAt(0) - 97, Number(move.slice(1)) - 1];
}

// How long the longest line through (x, y) is once `disc` lies there.
function line(rows, x, y, disc) {
  const lengths = [[1, 0], [0, 1], [1, 1], [1, -1]].map(([dx, dy]) => {
    let length = 1;
    for (const way of [1, -1]) {
      for (let i = x + way * dx, j = y + way * dy; rows[j]?.[i] === disc; i += way * dx, j += way * dy) length++;
    }
    return length;
  });
  return Math.max(...lengths);
}

// What a move is worth.
function value(game, inLine, me, rows, move) {
  if (!["othello", "puissance4", "morpion"].includes(game)) return 0;
  const [x, y] = cell(move, rows);
  const fromSide = Math.min(x, rows[0].length - 1 - x), fromTop = Math.min(y, rows.length - 1 - y);
  if (game === "othello") { // corners are good, the cells next to them bad
    return Math.max(fromSide, fromTop) < 2 ? [100, -20, -50][fromSide + fromTop] : 0;
  }
  const [wins, stops] = [me, me === "X" ? "O" : "X"].map((disc) => line(rows, x, y, disc) >= inLine);
  return 100 * wins + 50 * stops + fromSide + fromTop;
}

require("node:readline").createInterface({ input: process.stdin }).on("line", (question) => {
  const [game, width, height, inLine, player, milliseconds, board, count, ...moves] = question.trim().split(" ");
  const rows = board.split("/"), me = "XO"[player - 1];
  const worth = moves.map((move) => value(game, Number(inLine), me, rows, move));
  console.log(moves[worth.indexOf(Math.max(...worth))]);
});
