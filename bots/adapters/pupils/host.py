"""The process that runs a pupil's file, with the arguments SETUP FILE; `facts` defines its messages.

Questions come on standard input and answers go to standard output, which the file itself does not see: what it prints
goes to standard error, and it has no keyboard.
"""

import ast
import gc
import json
import os
import random
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

import games
from bots.adapters.pupils import hints, interfaces, writing
from bots.adapters.pupils.facts import (
    Location,
    Moved,
    Over,
    Ponder,
    Question,
    Ready,
    Request,
    Response,
    Rested,
    Setup,
    Stop,
    Stopped,
    Trouble,
    read_request,
    write,
)
from bots.adapters.pupils.interfaces.base import Defined, Function, Interface, Situation, WrongAnswer, show
from bots.adapters.pupils.interfaces.native import takes
from bots.adapters.pupils.loading import PupilFile, Supplies
from bots.adapters.pupils.patience import Pace
from bots.adapters.pupils.stage import AwaitsKeyboard, Done, Halted, Outcome, Raised, Running, Slow, Stage
from bots.adapters.pupils.trouble import Sources
from games.base import IllegalMove, Seat

SUPPLIES = Supplies(interfaces.supply, interfaces.INSTEAD, interfaces.MISSING)

ASKED = (*interfaces.NAMES, "ponder", "finished")
"""The names of functions and classes that a file may be asked for."""

NOTICES = 4
"""The most troubles, and the most hints, that are reported of a file which can play all the same."""

_WORST: "Mapping[str, int]" = {
    kind: number for number, kind in enumerate(("syntax", "missing", "raised", "asked", "slow", "demo"))
}
"""Kind of trouble -> rank: if no interface is found in a file, the trouble with the lowest rank is reported."""

_ASIDE = ("asked", "demo")
"""The kinds that need not be why a file lacks something: what stands below is run all the same."""

FULL_BYTES = 192 << 20
"""Who takes so much more memory for one move, and does not come to an end, is told that it is memory."""

PONDER_GRACE_S = 0.1
"""How long a `ponder` that can ask whether to stop may take to do so; then it is interrupted."""

REST_S = 3.0
"""How long the file's `finished` may take between two games."""


class FileRunner:
    """Loads one file and asks it. make_stage: makes the stage on which its code runs.

    outcome: how the last piece of its code that was run ended.
    """

    def __init__(self, setup: Setup, make_stage: "Callable[[Sources], Stage]" = Stage) -> None:
        self.outcome: Outcome = Done(None)
        self._setup = setup
        self._sources = Sources()
        self._stage = make_stage(self._sources)
        self._stage.furnish()
        package = Path(setup.folder).resolve() if setup.folder else None
        self._file = PupilFile(Path(setup.file).resolve(), self._stage, self._sources, package, demos=setup.demos)
        self._interfaces: list[Interface] = []
        self._pondering: Running | None = None
        self._grace_s = 0.0
        self._around: Callable[[Callable[[], object]], object] = _at_once  # set by `watch`
        self._games = 0  # that are over
        self._pace = Pace()
        self._globals = hints.Globals({})

    @property
    def sources(self) -> Sources:
        """The author's files that were run."""
        return self._sources

    @property
    def stage(self) -> Stage:
        """Where the author's code runs."""
        return self._stage

    def load(self) -> Ready | Trouble:
        """Runs the file and finds its interfaces."""
        choice, within_s = self._setup.choice, self._setup.load_s
        troubles = self._file.load(within_s, SUPPLIES, (choice.partition("=")[0], *ASKED))
        self.outcome = self._file.outcome
        for trouble in troubles:
            if trouble.kind in ("unreadable", "notebook") or trouble.error == "unstoppable" or self._is_whole(trouble):
                return trouble
        looked = self._stage.run(lambda: self._find(choice), within_s)
        if isinstance(looked, Raised):
            self.outcome = looked
            return replace(self._sources.describe(looked.error), loading=True)
        self._interfaces = looked.value if isinstance(looked, Done) else []
        if not self._interfaces:
            return self._why_none(troubles)
        first = self._interfaces[0]
        self._globals = hints.Globals(vars(self._file.module))
        notices = [replace(trouble, kept=trouble.kind != "magic") for trouble in troubles[:NOTICES]]
        if others := () if choice else interfaces.others(vars(self._file.module), first.function):
            notices.append(Trouble("chosen", function=first.function, others=others, loading=True))
        notices += self._uncalled()
        return Ready(first.name, first.function, first.plays, notices, ponders=self._defined("ponder") is not None)

    def _why_none(self, troubles: "Sequence[Trouble]") -> Trouble:
        """Why there is nothing to ask: what kept the file from defining it, or that it has another name."""
        worst = sorted(troubles, key=lambda trouble: _WORST.get(trouble.kind, len(_WORST)))
        is_cut = not writing.is_defined(self._file.tree, vars(self._file.module))
        if worst and worst[0].kind in _WORST and (is_cut or worst[0].kind not in _ASIDE):
            return worst[0]
        choice, tree = self._setup.choice, self._file.tree
        likely = () if choice else hints.guessed(lambda: writing.of_functions(tree, interfaces.NAMES))
        return Trouble("nothing", detail=choice, hints=likely, loading=True)

    def _uncalled(self) -> "list[Trouble]":
        """The lines of the file in which a function is likely to be named by mistake without being called."""
        found = hints.guessed(lambda: list(islice(hints.uncalled(self._file.tree, interfaces.METHODS), NOTICES)))
        return [
            Trouble("hint", self._sources.place(str(self._file.path), line), hints=(hint,), loading=True)
            for line, hint in found
        ]

    def _is_whole(self, trouble: Trouble) -> bool:
        """Whether nothing of the file can be used: it is not Python, and has no other cells."""
        is_cell = self._file.in_cells and trouble.place.file == self._file.path.name
        return trouble.kind == "syntax" and not is_cell

    def serve(self, request: Request) -> Response | None:
        """Handles one request; returns the response, None if it has none."""
        if isinstance(request, Question):
            return self.answer(request)
        if isinstance(request, Stop):
            return Stopped(self._end_pondering())
        if isinstance(request, Over):
            return self._rest(request)
        self._ponder(request)
        return None

    def answer(self, question: Question) -> Moved | Trouble:
        """The file's move."""
        situation = situation_of(question)
        seed_chance(question.seed)
        before, began = self._stage.used_bytes(), time.monotonic()
        self.outcome = self._ask(situation, question.within_s)
        self._pace.note(question.moves, time.monotonic() - began)
        found = self._judge(situation, self.outcome, before)
        if isinstance(found, Moved):
            return found
        if found.kind == "slow" and is_for_all(question.clock):
            found = replace(found, moves=self._pace.moves)
        interface = self._interfaces[0]
        legal = tuple(interface.spell(situation, move) for move in situation.position.legal_moves())
        likely = [*found.hints, *self._survivors()]
        return replace(found, function=interface.function, legal=legal, hints=likely)

    def _survivors(self) -> "Sequence[hints.Hint]":
        """The variables of the file that an earlier game of this process has changed, if there was one."""
        names = hints.guessed(self._globals.changed)[:3] if self._games else ()
        return [("survives", ", ".join(names))] if names else []

    @property
    def tree(self) -> ast.Module:
        """The statements of the file, as far as it is Python."""
        return self._file.tree

    @property
    def module(self) -> ModuleType:
        """The author's module."""
        return self._file.module

    def watch(self, around: Callable[[Callable[[], object]], object]) -> None:
        """From now on calls `around` for each decision, with a function that asks the file for it."""
        self._around = around

    def call(self, question: Question) -> object:
        """Calls the file's function on this thread, for a debugger; returns and raises what the function does."""
        seed_chance(question.seed)
        return self._interfaces[0].ask(situation_of(question))

    def _ponder(self, request: Ponder) -> None:
        """Lets the file think in the opponent's time; its second argument, if any, tells whether it should stop."""
        function = self._defined("ponder")
        if function is None:
            return
        seed_chance(request.seed)
        position = games.parse(request.game).position(request.position)
        end = threading.Event()
        asks = takes(function, 2)
        arguments = (position, end.is_set) if asks else (position,)
        self._pondering = self._stage.start(lambda: function(*arguments), end)
        self._grace_s = PONDER_GRACE_S if asks else 0.0

    def _end_pondering(self) -> Trouble | None:
        """Stops pondering, if the file still does, and returns what went wrong."""
        running, self._pondering = self._pondering, None
        if running is None:
            return None
        self.outcome = self._stage.end(running, self._grace_s)
        if isinstance(self.outcome, Slow):
            return Trouble("endless", self.outcome.place, function="ponder")
        return self._went_wrong(self.outcome, "ponder")

    def _rest(self, request: Over) -> Rested:
        """Ends a game: the interfaces are made anew for the next one, while the modules stay as they are."""
        self._games += 1
        trouble = self._end_pondering()
        function = self._defined("finished")
        if function is not None and trouble is None:
            position = games.parse(request.game).position(request.position)
            winner = None if request.winner is None else Seat(request.winner)
            self.outcome = self._stage.run(lambda: function(position, Seat(request.seat), winner), REST_S)
            trouble = self._went_wrong(self.outcome, "finished")
        found = self._stage.run(lambda: self._find(self._setup.choice), REST_S)
        self._interfaces = found.value if isinstance(found, Done) else []
        return Rested(sum(os.times()[:4]), trouble)

    def _went_wrong(self, outcome: Outcome, function: str) -> Trouble | None:
        """The trouble of a function whose answer does not matter, None if it ended well."""
        if isinstance(outcome, Raised) and not isinstance(outcome.error, Halted):
            return replace(self._sources.describe(outcome.error), function=function)
        if isinstance(outcome, AwaitsKeyboard):
            return Trouble("asked", outcome.place, detail=outcome.prompt, function=function)
        return Trouble("slow", outcome.place, function=function) if isinstance(outcome, Slow) else None

    def _defined(self, name: str) -> Function | None:
        """A function of the file itself."""
        found = vars(self._file.module).get(name)
        return found if callable(found) else None

    def _find(self, choice: str) -> list[Interface]:
        name, _equals, role = choice.partition("=")
        modules = [self._file.module, *self._file.companions()]
        nearby = {key: value for module in reversed(modules) for key, value in vars(module).items()}
        for module in modules:
            found = interfaces.find_interfaces(Defined(vars(module), nearby, name or None, role or None))
            if found:
                return found
        return []

    def _ask(self, situation: Situation, within_s: float) -> Outcome:
        """Asks the first interface; one that reads the keyboard is replaced by the next, for good."""
        late_at = time.monotonic() + within_s
        while True:
            interface = self._interfaces[0]
            outcome = self._stage.run(partial(_answer, interface, situation, self._around), late_at - time.monotonic())
            if not isinstance(outcome, AwaitsKeyboard):
                return outcome
            if interface.change_side():
                continue
            others = [other for other in self._interfaces[1:] if situation.game.id in other.plays]
            if not others:
                return outcome
            self._interfaces = others

    def _judge(self, situation: Situation, outcome: Outcome, before: int) -> Moved | Trouble:
        """What became of a question; before: the memory that was used when it was asked."""
        if isinstance(outcome, Raised):
            found = self._sources.describe(outcome.error)
            if isinstance(outcome.error, TypeError) and not found.place.line:  # it was called, and did not even begin
                interface = self._interfaces[0]
                name = interface.function.rpartition(".")[2]
                return replace(found, hints=(("parameters", f"{name}({interface.parameters})"),))
            return found
        if isinstance(outcome, AwaitsKeyboard):
            return Trouble("asked", outcome.place, detail=outcome.prompt)
        if isinstance(outcome, Slow):
            frame = self._stage.where(outcome)
            deep = hints.guessed(lambda: hints.of_frames(frame, self._sources.holds))
            taken = self._stage.used_bytes() - before
            if taken >= FULL_BYTES:
                return Trouble("full", outcome.place, hints=deep, count=taken >> 20)
            return Trouble("slow", outcome.place, hints=deep)
        answered: _Answered = outcome.value
        return self._check_move(situation, answered)

    def _check_move(self, situation: Situation, answered: "_Answered") -> Moved | Trouble:
        """The move that the file has answered with, if the rules allow it."""
        changed = () if not answered.changed else (("changed", self._interfaces[0].function),)
        move, likely = answered.move, (*changed, *answered.hints)
        if isinstance(move, WrongAnswer):
            return Trouble("wrong", returned=answered.shown, expected=move.expected, hints=likely)
        try:
            situation.position.play(move)
        except IllegalMove as error:
            return Trouble("illegal", returned=answered.shown, detail=move, why=error.reason, hints=likely)
        notices = [] if self._stage.printed is None else [self._stage.printed]
        if changed:
            notices.append(Trouble("hint", Location(self._file.path.name), hints=changed))
        return Moved(move, notices)


@dataclass(frozen=True, slots=True)
class _Answered:
    """What the file returned, as a text to show, and the move that it means; changed: whether it changed the board."""

    shown: str
    move: "str | WrongAnswer"
    changed: bool
    hints: "Sequence[hints.Hint]" = ()


def _at_once(ask: Callable[[], object]) -> object:
    return ask()


def _answer(interface: Interface, situation: Situation, around: Callable[[Callable[[], object]], object]) -> _Answered:
    """Asks the file and reads its answer. Runs on the stage: to read an object of the file may run the file's code."""
    answer = around(lambda: interface.ask(situation))
    changed = interface.given is not None and interface.given.is_changed
    try:
        move = interface.read(situation, answer)
    except WrongAnswer as wrong:
        likely = hints.guessed(lambda: hints.of_answer(interface, situation, answer, None))
        return _Answered(show(answer), wrong, changed, likely)
    is_legal = move in situation.position.legal_moves()
    likely = () if is_legal else hints.guessed(lambda: hints.of_answer(interface, situation, answer, move))
    return _Answered(show(answer), move, changed, likely)


def is_for_all(clock: "Mapping[str, int | None]") -> bool:
    """Whether the time of a question is for all moves of the game, and not for each."""
    return clock.get("remaining_ms") is not None and clock.get("move_ms") is None


def situation_of(question: Question) -> Situation:
    """The situation that a question describes."""
    game = games.parse(question.game)
    return Situation(game, game.position(question.position), question.moves, question.clock)


def seed_chance(seed: str) -> None:
    """Seeds the randomness that files use: the module `random`, and that of libraries that are imported."""
    random.seed(seed)
    number = random.Random(seed).getrandbits(32)
    for library, path in (("numpy", "random.seed"), ("torch", "manual_seed")):
        found: Any = sys.modules.get(library)
        for name in path.split("."):
            found = getattr(found, name, None)
        if callable(found):
            found(number)


def read_setup() -> Setup:
    """Reads the first argument of the process, and leaves the file its own name as the only one."""
    setup = Setup(**json.loads(sys.argv[1]))
    sys.argv = [setup.file]
    return setup


def main() -> None:
    """Answers each line of standard input until it ends."""
    if hasattr(gc, "freeze"):  # PyPy has none
        gc.freeze()  # what is ours stays: no collection of the file's objects has to look through it
    setup = read_setup()
    questions, answers = take_channels()

    def say(response: Response) -> None:
        answers.write(write(response).encode() + b"\n")

    host = FileRunner(setup)
    opened = host.load()
    say(opened)
    if isinstance(opened, Ready):
        for line in questions:
            response = host.serve(read_request(line.decode()))
            if response is not None:
                say(response)
    os._exit(0)  # a usual exit would wait for threads that wait for the keyboard


def take_channels() -> tuple[BinaryIO, BinaryIO]:
    """Takes standard input and output for us; the file gets an empty input, and standard error as its output."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers
