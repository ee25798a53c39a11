"""The teacher sets a position, all answer with a move, and then the answers and the judge's verdict are shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final

from locales import _
from school import events
from school.core import Core, LetterError, Writer
from school.judging import Judging, verdict
from school.messages import Ask, Reply, Reveal
from school.positions import position_after, rules_of
from school.state import QuestionState

MOST_CHANGES: Final = 50
"""How often a pupil may answer one question."""


class Questions:
    """Answers the letters about it. `handlers`: by the kind of letter."""

    def __init__(self, core: Core, judging: Judging) -> None:
        self._core = core
        self._judging = judging
        self._changes: Counter[tuple[int, str]] = Counter()
        self._found: dict[int, tuple[tuple[str, ...], str]] = {}
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {
            Ask: self._ask,
            Reply: self._reply,
            Reveal: self._reveal,
        }

    def start(self) -> None:
        """Has an open question judged again: the verdict was lost with the earlier process."""
        question = self._core.state.question
        if question is not None and (question.revealed is None or not question.revealed.verdict):
            self._core.spawn(self._judge(question.asked))

    def _ask(self, _writer: Writer, letter: Ask) -> None:
        core = self._core
        game = rules_of(letter.game)
        position_after(game, letter.moves)
        asked = events.Asked(at=core.now(), number=core.state.questions + 1, game=game.spec, moves=letter.moves)
        core.note(asked)
        self._changes.clear()
        core.spawn(self._judge(asked))

    def _reply(self, writer: Writer, letter: Reply) -> None:
        core, question = self._core, self._core.state.question
        if question is None or question.asked.number != letter.question:
            raise LetterError("not_now", _("This question is over."))
        if question.revealed is not None:
            raise LetterError("not_now", _("The answers are shown already."))
        position = position_after(rules_of(question.asked.game), question.asked.moves)
        if letter.move not in position.legal_moves():
            raise LetterError("bad_position", _("{move} is no legal move here.").format(move=letter.move))
        name = writer.pupil
        if question.replies.get(name) == letter.move:
            return
        self._changes[letter.question, name] += 1
        if self._changes[letter.question, name] > MOST_CHANGES:
            raise LetterError("not_now", _("You have changed your answer often enough."))
        core.note(events.Replied(at=core.now(), name=name, number=letter.question, move=letter.move))

    def _reveal(self, _writer: Writer, letter: Reveal) -> None:
        core, question = self._core, self._core.state.question
        if question is None:
            raise LetterError("nothing_runs", _("No question is set."))
        number = question.asked.number
        best, said = self._found.get(number, ((), ""))
        core.note(events.Revealed(at=core.now(), number=number, best=best, verdict=said, over=letter.over))

    def _standing(self, asked: events.Asked) -> QuestionState | None:
        """How the question stands, None once it is over."""
        question = self._core.state.question
        return question if question is not None and question.asked.number == asked.number else None

    async def _judge(self, asked: events.Asked) -> None:
        """Finds out what the position is worth; if the answers are shown by then, it is added.

        While people play through the position nothing is said of it: the judge waits, as long as the question stands.
        """
        game = rules_of(asked.game)
        position = position_after(game, asked.moves)
        # A review names the best moves only where a move was played: any legal one will do.
        line = (*asked.moves, position.legal_moves()[0])
        steps = await self._judging.review(asked.game, line, lambda: self._standing(asked) is not None)
        step = steps.get(len(asked.moves))
        if step is None:
            return
        found = self._found[asked.number] = (step.best, verdict(step))
        question = self._standing(asked)
        if question is not None and question.revealed is not None:
            best, said = found
            shown = events.Revealed(at=self._core.now(), number=asked.number, best=best, verdict=said)
            await self._core.note_in_time(shown)
