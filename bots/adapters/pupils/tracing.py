"""The process of `explain my_file.py`: asks a file for one move, and records the calls of what is recursive in it.

Arguments: SETUP FILE, and one question of `facts` on standard input; the answers are those of `calls`. The functions of
the file that call themselves or each other are recorded, as minimax is, but only the outermost of them: none that these
use as helpers. If there are no such functions, all that the asked one uses are recorded, at most _SHALLOW calls deep.
"""

import dis
import os
import sys
from collections.abc import Callable, Mapping
from itertools import islice
from types import CodeType, FrameType
from typing import Any

import games
from bots.adapters.pupils.calls import (
    AT_ONCE,
    DEEPEST,
    LONGEST,
    MOST_CALLS,
    MOST_GIVEN,
    Call,
    End,
    write_calls,
    write_end,
)
from bots.adapters.pupils.facts import Moved, Question, Ready, read_request, write
from bots.adapters.pupils.host import FileRunner, read_setup, take_channels
from bots.adapters.pupils.recursion import Key, key_of, watched_in
from bots.adapters.pupils.shown import Boards, brief, number_in

_SHALLOW = 2
"""How deep calls are recorded in a file that has nothing recursive."""

_SPECIAL = 0x20 | 0x80 | 0x200
"""Flags of the code of generators and coroutines, which are entered and left many times in one call."""


class Recorder:
    """The calls of one decision.

    calls: the first one stands for the whole decision. count: how many calls there were below it, recorded or not.
    """

    def __init__(self, function: str, watched: Mapping[Key, bool], boards: Boards, rows: object) -> None:
        self.calls: list[Call] = []
        self.count = 0
        self._function = function
        self._watched = watched
        self._deepest = DEEPEST if any(watched.values()) else _SHALLOW
        self._boards = boards
        self._rows = rows
        self._open: list[int | None] = []
        self._is_over = False

    def around(self, ask: Callable[[], object]) -> object:
        """Asks, and records what is called meanwhile on this thread."""
        first = Call(-1, self._function, cells=self._boards.cells(self._rows))
        self.calls[:], self._open[:] = [first], [0]
        self.count = 0
        sys.setprofile(self._hear)
        try:
            answer = ask()
        finally:
            sys.setprofile(None)
        first.returned, first.number = brief(answer), number_in(answer)
        return answer

    def end(self) -> list[Call]:
        """Records no more, also if the file still runs; returns the calls."""
        self._is_over = True
        return self.calls[:MOST_CALLS]

    def _hear(self, frame: FrameType, event: str, value: Any) -> None:
        code = frame.f_code
        if event not in ("call", "return") or self._is_over or key_of(code) not in self._watched:
            return
        if code.co_flags & _SPECIAL:
            return
        if event == "call":
            self._called(frame)
        elif len(self._open) > 1:
            self._returned(frame, value)

    def _called(self, frame: FrameType) -> None:
        self.count += 1
        above = next(place for place in reversed(self._open) if place is not None)
        if len(self.calls) >= MOST_CALLS or len(self._open) > self._deepest:
            self.calls[above].left_out += 1
            self._open.append(None)
            return
        self._open.append(len(self.calls))
        self.calls.append(self._call(above, frame))

    def _call(self, above: int, frame: FrameType) -> Call:
        code, values = frame.f_code, frame.f_locals
        names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        cells = ""
        given: list[tuple[str, str]] = []
        for name in names[:MOST_GIVEN]:
            value = values.get(name)
            is_self = name == "self" and not given
            found = "" if cells or is_self else self._cells(value)
            cells = cells or found
            if not is_self:
                given.append((name[:LONGEST], "" if found else brief(value)))
        if not cells and "self" in names:
            cells = self._cells(values.get("self"))
        return Call(above, code.co_name[:LONGEST], given, cells)

    def _cells(self, value: Any) -> str:
        try:
            return self._boards.cells(value)
        except Exception:  # noqa: BLE001 - a class of the file that only looks like a list may raise anything
            return ""

    def _returned(self, frame: FrameType, value: Any) -> None:
        place = self._open.pop()
        if place is None:
            return
        call = self.calls[place]
        if value is None and not _is_returning(frame):
            call.raised = True
            return
        call.returned, call.number = brief(value), number_in(value)


def _is_returning(frame: FrameType) -> bool:
    """Whether a frame ends at a `return`; else an exception goes through it."""
    code: CodeType = frame.f_code
    return 0 <= frame.f_lasti < len(code.co_code) and dis.opname[code.co_code[frame.f_lasti]].startswith("RETURN")


def main() -> None:
    """Loads the file, asks it once, and tells its calls."""
    setup = read_setup()
    questions, answers = take_channels()

    def say(line: str) -> None:
        answers.write(line.encode() + b"\n")

    host = FileRunner(setup)
    opened = host.load()
    say(write(opened))
    question = read_request(questions.readline().decode()) if isinstance(opened, Ready) else None
    if isinstance(question, Question):
        _record(host, question, opened.function if isinstance(opened, Ready) else "", say)
    os._exit(0)  # as in `host`


def _record(host: FileRunner, question: Question, function: str, say: Callable[[str], None]) -> None:
    game = games.parse(question.game)
    position = game.position(question.position)
    recorder = Recorder(function, watched_in(host.sources, function), Boards(game, position), position)
    host.watch(recorder.around)
    response = host.answer(question)
    calls = iter(recorder.end())
    while some := list(islice(calls, AT_ONCE)):
        say(write_calls(some))
    if isinstance(response, Moved):
        say(write_end(End(recorder.count, response.move)))
    else:
        say(write_end(End(recorder.count, trouble=response)))
