"""The process that runs a pupil's file, with the arguments FILE CHOICE LOAD_S; `facts` has what it is asked and says.

Questions come on what was standard input, answers go to what was standard output; what the file prints goes to
standard error, and its keyboard is not there.
"""

import os
import random
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import BinaryIO

import games
from bots.adapters.pupils import interfaces
from bots.adapters.pupils.facts import Moved, Question, Ready, Report, Trouble, read_question, write
from bots.adapters.pupils.interfaces.base import Defined, Interface, Situation, WrongAnswer, show
from bots.adapters.pupils.loading import PupilFile, Supplies
from bots.adapters.pupils.stage import Asked, Done, Outcome, Raised, Slow, Stage
from bots.adapters.pupils.trouble import Sources
from games.base import IllegalMove

SUPPLIES = Supplies(interfaces.supply, interfaces.INSTEAD, interfaces.MISSING)


class Host:
    """One file, loaded and asked."""

    def __init__(self, path: Path) -> None:
        self._sources = Sources()
        self._stage = Stage(self._sources)
        self._stage.furnish()
        self._file = PupilFile(path, self._stage, self._sources)
        self._interfaces: list[Interface] = []

    def load(self, choice: str, within_s: float) -> Ready | Trouble:
        """Runs the file and finds what it is to be asked by."""
        trouble = self._file.load(within_s, SUPPLIES)
        if trouble is not None and (trouble.kind == "syntax" or trouble.error == "unstoppable"):
            return trouble
        looked = self._stage.run(lambda: self._find(choice), within_s)
        if isinstance(looked, Raised):
            return replace(self._sources.describe(looked.error), loading=True)
        self._interfaces = looked.value if isinstance(looked, Done) else []
        if not self._interfaces:
            return trouble or Trouble("nothing", detail=choice, loading=True)
        first = self._interfaces[0]
        notices = () if trouble is None else (replace(trouble, kept=True),)
        return Ready(first.name, first.function, first.plays, notices)

    def answer(self, question: Question) -> Moved | Trouble:
        """The file's move."""
        game = games.parse(question.game)
        situation = Situation(game, game.position(question.position), question.moves, question.clock)
        random.seed(question.seed)
        outcome = self._ask(situation, question.within_s)
        found = self._judge(situation, outcome)
        if isinstance(found, Moved):
            return found
        interface = self._interfaces[0]
        legal = tuple(interface.spell(situation, move) for move in situation.position.legal_moves())
        return replace(found, function=interface.function, legal=legal)

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
        """What comes of asking the first interface; one that asks the keyboard gives way to the next, for good."""
        late_at = time.monotonic() + within_s
        while True:
            interface = self._interfaces[0]
            outcome = self._stage.run(partial(_answer, interface, situation), late_at - time.monotonic())
            if not isinstance(outcome, Asked):
                return outcome
            if interface.change_side():
                continue
            others = [other for other in self._interfaces[1:] if situation.game.id in other.plays]
            if not others:
                return outcome
            self._interfaces = others

    def _judge(self, situation: Situation, outcome: Outcome) -> Moved | Trouble:
        match outcome:
            case Done((returned, WrongAnswer() as wrong)):
                return Trouble("wrong", returned=returned, expected=wrong.expected)
            case Done((returned, move)):
                return self._referee(situation, returned, move)
            case Done():
                raise AssertionError(outcome)
            case Raised(error):
                return self._sources.describe(error)
            case Asked(place, prompt):
                return Trouble("asked", place, detail=prompt)
            case Slow(place):
                return Trouble("slow", place)

    def _referee(self, situation: Situation, returned: str, move: str) -> Moved | Trouble:
        try:
            situation.position.play(move)
        except IllegalMove as error:
            return Trouble("illegal", returned=returned, detail=move, why=error.reason.value)
        printed = self._stage.printed
        return Moved(move, () if printed is None else (printed,))


def _answer(interface: Interface, situation: Situation) -> tuple[str, str | WrongAnswer]:
    """What the file returned, to be shown, and the move that it means."""
    answer = interface.ask(situation)
    try:
        return show(answer), interface.read(situation, answer)
    except WrongAnswer as wrong:
        return show(answer), wrong


def main() -> None:
    """Answers every line of standard input; ends with it."""
    path, choice, load_s = sys.argv[1:]
    sys.argv = [path]
    questions, answers = _take_channels()

    def say(report: Report) -> None:
        answers.write(write(report).encode() + b"\n")

    host = Host(Path(path).resolve())
    opened = host.load(choice, float(load_s))
    say(opened)
    if isinstance(opened, Ready):
        for line in questions:
            say(host.answer(read_question(line.decode())))
    os._exit(0)  # threads that wait for the keyboard would be waited for


def _take_channels() -> tuple[BinaryIO, BinaryIO]:
    """Standard input and output for ourselves; what is left in their place is empty, and standard error."""
    questions = os.fdopen(os.dup(0), "rb")
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return questions, answers
