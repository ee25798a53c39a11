"""What the judge says of positions and games of the class: by the reviews of its own server, one after the other."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from client.connection import Incoming
from client.errors import ClientError, Refused
from games.base import Game, Seat
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import Judged, Review, Reviewed
from school.core import Core

LONGEST_REVIEW_S: Final = 180.0
"""How long to wait for one review."""

AGAIN_S: Final = 5.0
"""How long to wait before another attempt: nothing is said of a position while people play through it."""

TRIES: Final = 24
"""The most attempts, if the caller gives no `wanted`."""

_PLAYED: Final = ErrorCode.BEING_PLAYED.value

_LATER: Final = (
    _PLAYED,
    ErrorCode.NO_SERVICE.value,
    ErrorCode.RATE_LIMITED.value,
    ErrorCode.SERVER_FULL.value,
)


class _PutOffError(Exception):
    """People have begun to play through the position while it was being judged."""


@dataclass(slots=True)
class _Told:
    """What the server has told of one review; is_played: it ended because people began to play it."""

    steps: dict[int, Judged] = field(default_factory=dict)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    is_played: bool = False


class Judging:
    """Asks for reviews; `hear` is told what the server says."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._told: defaultdict[str, _Told] = defaultdict(_Told)
        self._one = asyncio.Lock()

    def hear(self, message: Incoming) -> None:
        """Takes in what belongs to a review."""
        if isinstance(message, Reviewed):
            told = self._told[message.ticket]
            told.steps.update((step.ply, step) for step in message.steps)
            if message.status in ("done", "failed"):
                told.is_played = message.why == _PLAYED
                told.over.set()

    async def review(
        self, game: str, moves: Sequence[str], wanted: Callable[[], bool] | None = None
    ) -> dict[int, Judged]:
        """The judge's findings on a game, by ply; none, or not all, if they don't come in time.

        wanted: tells whether to go on trying; by default there are TRIES attempts.
        """
        tried = 0
        while wanted() if wanted is not None else tried < TRIES:
            tried += 1
            try:
                async with self._one:
                    return await self._review(game, moves)
            except Refused as refused:
                if refused.code not in _LATER:
                    return {}
            except (ClientError, _PutOffError):
                pass  # the connection is gone, or people have begun to play the position: ask again later
            await asyncio.sleep(AGAIN_S)
        return {}

    async def _review(self, game: str, moves: Sequence[str]) -> dict[int, Judged]:
        client = self._core.people.client
        ticket = (await client.ask(Review, game=game, moves=tuple(moves))).ticket
        if not isinstance(ticket, str):
            return {}
        told = self._told[ticket]
        try:
            async with asyncio.timeout(LONGEST_REVIEW_S):
                await told.over.wait()
        except TimeoutError:
            client.send(Review, game=game, moves=tuple(moves), follow=False)
        del self._told[ticket]
        if told.is_played:
            raise _PutOffError
        return told.steps


def verdict(judged: Judged) -> str:
    """What a position is worth, in a sentence; `judged` counts for the first player, whom pages call so, too."""
    first, second = _("the first player"), _("the second player")
    if judged.exact:
        if judged.chance == 500:
            return _("With best play it is a draw.")
        return _("With best play {side} wins.").format(side=first if judged.chance > 500 else second)
    percent = round(max(judged.chance, 1000 - judged.chance) / 10)
    if percent == 50:
        return _("The judge thinks that both sides have the same chances.")
    text = _("The judge thinks that {side} wins about {percent} times in a hundred.")
    return text.format(side=first if judged.chance > 500 else second, percent=percent)


def first_mistakes(
    game: Game, moves: Sequence[str], steps: dict[int, Judged], opening: int = 0
) -> tuple[int | None, int | None]:
    """The ply of the first mistake of each seat, if they made one; opening: so many moves were made for them."""
    found: dict[Seat, int] = {}
    position = game.start()
    for ply, move in enumerate(moves):
        step = steps.get(ply)
        if ply >= opening and step is not None and step.grade in ("mistake", "blunder"):
            found.setdefault(position.to_move, ply)
        position = position.play(move)
    return found.get(Seat.FIRST), found.get(Seat.SECOND)
