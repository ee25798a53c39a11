"""What a review says of a game: folded from the server's messages, in words and signs. Pure, except for words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from games.base import Game, Seat, position_after
from locales import N_, _, ngettext
from protocol.bounds import Grade
from protocol.messages import Reviewed
from protocol.values import Judged

SIGNS: Final[dict[Grade, str]] = {"best": "", "good": "", "inaccuracy": "?!", "mistake": "?", "blunder": "??"}
"""A sign for each grade, beside its word: colour says nothing alone."""

SERIOUS: Final[tuple[Grade, ...]] = ("mistake", "blunder")
"""Grades of moves that one should look at again."""

GIVEN_AWAY: Final[tuple[Grade, ...]] = ("inaccuracy", *SERIOUS)

MOST_POINTS: Final = 5
DRAWN, SURE = 500, 1000

_GRADES: Final[dict[Grade, str]] = {
    "best": N_("best"),
    "good": N_("good"),
    "inaccuracy": N_("inaccuracy"),
    "mistake": N_("mistake"),
    "blunder": N_("blunder"),
}
_WHY: Final = {
    "no_service": N_("The server has nobody for that at the moment."),
    "given_up": N_("The server could not finish it."),
    "being_played": N_("You or a neighbour may be playing this: ask again when the game is over."),
}
_FAILED: Final = N_("That went wrong on the server.")
_CODES: Final = ("", "failed", *_WHY)


class GameReview:
    """A review of the game of `moves`, as far as it is known.

    movers: who moved at each ply. steps: what is known of the position before each ply, and of that ply. stage: ""
    before it was asked for, then what the server calls it. place: how many are made before this one.
    """

    def __init__(self, game: Game, moves: Sequence[str]) -> None:
        self.game, self.moves = game, tuple(moves)
        position = game.start()
        movers: list[Seat] = []
        for move in self.moves:
            movers.append(position.to_move)
            position = position.play(move)
        self.movers = tuple(movers)
        self.steps: dict[int, Judged] = {}
        self.stage, self.place, self.why = "", 0, ""

    @property
    def is_open(self) -> bool:
        """Whether more is to come."""
        return self.stage in ("queued", "running")

    def begin(self) -> None:
        """The review is being asked for: it counts as queued."""
        self.stage, self.place, self.why = "queued", 0, ""

    def take(self, told: Reviewed) -> None:
        """Notes what the server tells."""
        self.steps |= {step.ply: step for step in told.steps if step.ply <= len(self.moves)}
        self.stage, self.place, self.why = told.status, told.place, told.why or ""

    def refuse(self, why: str) -> None:
        """The server does not make the review. why: a sentence, or one of the server's codes."""
        self.stage, self.why = "failed", why

    def is_serious(self, ply: int) -> bool:
        """Whether the move gave something away that one should look at again."""
        step = self.steps.get(ply)
        return step is not None and step.grade in SERIOUS

    def turning_points(self, most: int = MOST_POINTS) -> list[int]:
        """The plies whose moves turned the game: the worst of the serious ones, in their order."""
        serious = [ply for ply in self.steps if self.is_serious(ply)]
        return sorted(sorted(serious, key=self._given, reverse=True)[:most])

    def _given(self, ply: int) -> int:
        before = self.steps[ply].chance
        after = self.steps.get(ply + 1)
        return 0 if after is None else abs(before - after.chance)

    def better(self, ply: int) -> tuple[str, ...]:
        """Moves that were better than the one that was played at `ply`, the best first."""
        step = self.steps.get(ply)
        if step is None or step.grade in (None, "best"):
            return ()
        return tuple(move for move in step.best if move != self.moves[ply])

    def line(self, ply: int) -> tuple[str, ...]:
        """Best play from the position before `ply`, as far as it is legal by our rules; () where nothing was better."""
        if not self.better(ply):
            return ()
        position = position_after(self.game, self.moves[:ply])
        line: list[str] = []
        for move in self.steps[ply].line:
            if move not in position.legal_moves():
                break
            position = position.play(move)
            line.append(move)
        return tuple(line)

    # -- words

    def status(self) -> str:
        """How far the review is."""
        match self.stage:
            case "queued" if self.place:
                return ngettext(
                    "In the queue: {count} before this one.", "In the queue: {count} before this one.", self.place
                ).format(count=self.place)
            case "queued":
                return _("The review begins ...")
            case "running":
                return _("{count} of {of} positions judged, from the end on.").format(
                    count=len(self.steps), of=len(self.moves) + 1
                )
            case "done":
                return _("The review is complete.")
            case "failed":
                return _(_WHY.get(self.why, _FAILED)) if self.why in _CODES else self.why
            case _:
                return ""

    def worth(self, ply: int) -> str:
        """What the position before `ply` is worth; "" if that is not known."""
        step = self.steps.get(ply)
        if step is None:
            return ""
        if not step.exact:
            return _("First player: {percent} % (opinion)").format(percent=round(step.chance / 10))
        if step.chance == DRAWN:
            return _("A draw with best play (proven).")
        if step.chance == SURE:
            return _("The first player wins (proven).")
        return _("The second player wins (proven).")

    def graded(self, ply: int) -> str:
        """The move of a ply with its grade: "12. d3: mistake"."""
        step, move = self.steps.get(ply), self.moves[ply]
        if step is None or step.grade is None:
            return f"{ply + 1}. {move}"
        return _("{number}. {move}: {grade}").format(number=ply + 1, move=move, grade=_(_GRADES[step.grade]))

    def sign(self, ply: int) -> str:
        """The sign of the grade of a ply."""
        step = self.steps.get(ply)
        return SIGNS[step.grade] if step is not None and step.grade is not None else ""

    def counts(self, seat: Seat) -> str:
        """How often a seat gave something away, from a little to much: "2 ?!  1 ?  0 ??"."""
        grades = Counter(
            step.grade for ply, step in self.steps.items() if ply < len(self.movers) and self.movers[ply] is seat
        )
        return "  ".join(f"{grades[grade]} {SIGNS[grade]}" for grade in GIVEN_AWAY)
