"""Engines that speak GTP, the Go Text Protocol, version 2; gtp-rhino plays Othello with it.

Source: https://www.lysator.liu.se/~gunnar/gtp/gtp2-spec-draft2/gtp2-spec.html. An engine that lists its games
(`list_games`, `set_game`, as GRhino does) may play the others; one that does not is taken to play Othello.

A vertex is a letter and a number. The letters leave out I, as in Go; this matters on boards of more than eight columns.
Row 1 is on top, as in most games of Arbitre, or at the bottom if the game counts its rows from there. A game whose
moves go from one cell to another can't be played: a vertex is one cell.
We accept whatever can be understood: any id or none, any case, lines that are no answer, answers without the empty line
after them, and an engine that makes a pass by itself and then refuses to be told of it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from bots.adapters.program import Context, Question, program_family
from bots.adapters.pupils.patience import Deadline
from bots.base import RESIGN, BotFaultError, BotSpecError, Budget, MatchHistory, Options
from games.base import Game, Labels, Position, Seat
from games.othello import Othello
from locales import _
from terminal.phrases import game_title

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"

_NO_MOVE = "pass"
_COLOURS = {Seat.FIRST: "b", Seat.SECOND: "w"}
_TAKEN_MS = 50
"""About what is taken off a clock for the way before an engine is told of it, on the machine that it plays on."""

_ANSWER = re.compile(r"([=?])(\d*)\s*(.*)")


@dataclass(frozen=True, slots=True)
class Reply:
    """An engine's answer to one command: whether it carried the command out, and its text."""

    good: bool
    text: str


@dataclass(frozen=True, slots=True)
class Play:
    """A move or a pass, as the engine is told of it."""

    seat: Seat
    vertex: str

    @property
    def command(self) -> str:
        """The command that tells the engine of it."""
        return f"play {_COLOURS[self.seat]} {self.vertex}"


class Gtp:
    """The protocol. `_told` holds the moves that the engine knows, so that only new ones are played on it."""

    leaves: ClassVar[bool] = True
    greets: ClassVar[bool] = True

    def __init__(self, context: Context) -> None:
        self._context = context
        self._commands: frozenset[str] = frozenset()
        self._told: list[Play] | None = None
        self._timed = False
        self._hears_passes = True
        self._from_below = context.game.profile.look.labels is not Labels.CELLS

    def greet(self, deadline: Deadline) -> None:
        """Asks which commands the engine knows, and tells it the game and the size of the board."""
        version = self._command("protocol_version", deadline)
        if version.good and version.text not in ("", "1", "2"):
            raise self._failed("protocol_version", version.text)
        self._command("name", deadline)
        listed = self._command("list_commands", deadline, whole=True)
        self._commands = frozenset(listed.text.lower().split()) if listed.good else frozenset()
        game = self._context.game
        if self._knows("list_games") and self._knows("set_game"):
            names = self._command("list_games", deadline, whole=True).text.splitlines()
            fitting = [name for name in names if re.sub(r"[\W_]", "", name.lower()) in (game.id, *game.profile.aliases)]
            if not fitting:
                raise self._refused(", ".join(names))
            self._must(f"set_game {fitting[0].strip()}", deadline)
        elif game.id != Othello.id:
            text = _("{name} does not say that it plays {game}: only an engine with list_games can.")
            raise BotSpecError(text.format(name=self._context.name, game=game_title(game)))
        if game.width == game.height and (self._knows("boardsize") or game.spec != game.id):
            size = self._command(f"boardsize {game.width}", deadline)
            if not size.good:
                raise self._refused(size.text)

    def ask(self, question: Question) -> str:
        """Brings the engine to the position, tells it the time, and lets it move."""
        deadline, position = question.deadline, question.position
        self._follow(list(self._plays(question.history.moves)), deadline)
        self._tell_time(question.budget, position.to_move, deadline)
        answer = self._must(f"genmove {_COLOURS[position.to_move]}", deadline)
        if answer.lower() == RESIGN:
            return RESIGN
        if answer.lower() == _NO_MOVE:
            raise self._context.illegal(answer, _("it passes, but it has a move."))
        for move in position.legal_moves():
            if self._vertex(position, move) == answer.upper():
                assert self._told is not None, "it was brought to the position"
                self._told.append(Play(position.to_move, self._vertex(position, move)))
                return move
        return self._context.read_move(position, answer)

    def farewell(self, history: MatchHistory) -> str | None:
        """The command that ends the session."""
        del history
        return "quit"

    # -- the game

    def _follow(self, plays: list[Play], deadline: Deadline) -> None:
        """Plays the moves that the engine does not know yet; plays all of them anew if some were taken back."""
        told = self._told
        if told is None or plays[: len(told)] != told:
            self._must("clear_board", deadline)
            told = self._told = []
        for play in plays[len(told) :]:
            self._play(play, deadline)
            told.append(play)

    def _play(self, play: Play, deadline: Deadline) -> None:
        if play.vertex != _NO_MOVE:
            self._must(play.command, deadline)
        elif self._hears_passes:
            self._hears_passes = self._command(play.command, deadline).good

    def _plays(self, moves: tuple[str, ...]) -> Iterator[Play]:
        position = self._context.game.start()
        for move in moves:
            yield Play(position.to_move, self._vertex(position, move))
            position = position.play(move)
            if position.passed is not None:
                yield Play(position.passed, _NO_MOVE)

    def _vertex(self, position: Position, move: str) -> str:
        game = self._context.game
        cells = game.move_cells(position, move)
        if not cells:
            return _NO_MOVE
        x, y = cells[-1]
        return f"{LETTERS[x]}{game.height - y if self._from_below else y + 1}"

    def _tell_time(self, budget: Budget, seat: Seat, deadline: Deadline) -> None:
        """Tells the main time, or one period for each move; GTP has no increments and counts whole seconds.

        The clock's own time is a little more than what is left of it here: 9.95 s are told as 10.
        """
        if budget.remaining_ms is None:
            return
        seconds, stones = (budget.remaining_ms + _TAKEN_MS) // 1000, 0 if budget.move_ms is None else 1
        if not self._timed and self._knows("time_settings"):
            self._timed = True
            settings = f"{seconds} 0 0" if not stones else f"0 {seconds} 1"
            self._command(f"time_settings {settings}", deadline)
        if self._knows("time_left"):
            self._command(f"time_left {_COLOURS[seat]} {seconds} {stones}", deadline)

    # -- the lines

    def _knows(self, command: str) -> bool:
        return command in self._commands

    def _must(self, command: str, deadline: Deadline) -> str:
        """The text of the engine's answer; raises BotFaultError if it refuses."""
        reply = self._command(command, deadline)
        if not reply.good:
            raise self._failed(command, reply.text)
        return reply.text

    def _refused(self, words: str) -> BotSpecError:
        text = _("{name} does not play {game}: it says {words!r}.")
        return BotSpecError(
            text.format(name=self._context.name, game=game_title(self._context.game), words=words[:200])
        )

    def _failed(self, command: str, words: str) -> BotFaultError:
        text = _("{name} answered {words!r} to {command!r}")
        return self._context.lines.fault(
            "crash", text.format(name=self._context.name, words=words[:200], command=command)
        )

    def _command(self, command: str, deadline: Deadline, *, whole: bool = False) -> Reply:
        """Sends `command` and reads its answer: its first line, or with `whole` all lines until an empty one."""
        lines = self._context.lines
        lines.send(command)
        while (answer := _ANSWER.match(_clean(lines.receive(deadline)))) is None:
            pass
        mark, number, text = answer.groups()
        words = [text or number]
        while whole and (line := _clean(lines.receive(deadline))):
            words.append(line)
        return Reply(mark == "=", "\n".join(words).strip())


def _clean(line: str) -> str:
    """A line without comment, control characters and surrounding spaces."""
    return re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).strip()


def _check(game: Game, options: Options) -> None:
    """Refuses games that GTP can't describe: it knows the size of a board, and no other option."""
    del options
    start = game.start()
    if any(len(game.move_cells(start, move)) != 1 for move in start.legal_moves()):
        raise BotSpecError(
            _("gtp does not play {game}: it knows moves of one cell only.").format(game=game_title(game))
        )
    if not isinstance(game, Othello) and game.spec != game.id:
        raise BotSpecError(
            _("gtp plays {game} by its usual rules only, not {spec}.").format(game=game.id, spec=game.spec)
        )


FAMILY = program_family(
    "gtp", lambda: _("an engine that speaks the Go Text Protocol, version 2"), "gtp-rhino", Gtp, check=_check
)
