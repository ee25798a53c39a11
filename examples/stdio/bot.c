/* A bot in one line a move, for all games: completes a line or stops one, else takes the best cell.
   In a game whose moves are no single cells it takes the first.
   Compile:          cc -O2 -o bot examples/stdio/bot.c
   Against another:  arbitre match --game othello stdio:./bot random
   On a server:      arbitre bot stdio:./bot URL */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char game[16], board[128]; /* rows with a / after each but the last: (x, y) is board[y * (width + 1) + x] */
static int width, height, in_line, player;

static char at(int x, int y) { return x < 0 || y < 0 || x >= width || y >= height ? 0 : board[y * (width + 1) + x]; }

/* How long the longest line through (x, y) is once `disc` lies there. */
static int line(int x, int y, char disc) {
  int longest = 1;
  for (int d = 0; d < 4; d++) {
    int dx = d != 1, dy = d == 3 ? -1 : d != 0, length = 1;
    for (int i = x + dx, j = y + dy; at(i, j) == disc; i += dx, j += dy) length++;
    for (int i = x - dx, j = y - dy; at(i, j) == disc; i -= dx, j -= dy) length++;
    if (length > longest) longest = length;
  }
  return longest;
}

/* What a move is worth. A bare number is a column, in which a disc falls. */
static int value(const char *move) {
  if (strcmp(game, "othello") && strcmp(game, "puissance4") && strcmp(game, "morpion")) return 0;
  int falls = move[0] <= '9', x = falls ? atoi(move) - 1 : move[0] - 'a', y = falls ? height - 1 : atoi(move + 1) - 1;
  while (falls && at(x, y) != '.') y--;
  int side = x < width - 1 - x ? x : width - 1 - x, top = y < height - 1 - y ? y : height - 1 - y;
  if (!strcmp(game, "othello")) /* corners are good, the cells next to them bad */
    return side > 1 || top > 1 ? 0 : side + top == 0 ? 100 : side + top == 1 ? -20 : -50;
  return 100 * (line(x, y, "XO"[player - 1]) >= in_line) + 50 * (line(x, y, "OX"[player - 1]) >= in_line) + side + top;
}

int main(void) {
  char question[2048], best[24];
  int start;
  long ms;
  while (fgets(question, sizeof question, stdin)) {
    sscanf(question, "%15s %d %d %d %d %ld %127s %*d%n", game, &width, &height, &in_line, &player, &ms, board, &start);
    int worth = -1000;
    for (char *move = strtok(question + start, " \n"); move; move = strtok(NULL, " \n"))
      if (value(move) > worth) worth = value(strcpy(best, move));
    puts(best);
    fflush(stdout);
  }
}
