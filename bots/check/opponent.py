"""The opponent of a bot that is checked: invites it, plays seeded moves, talks meanwhile, records all of it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from bots.check.judging import CheckedMatch, MatchTrouble
from bots.check.steering import Steer, wander
from client.connection import Client, Incoming
from client.errors import ClientError
from games.base import Game, Seat
from protocol.messages import (
    Abort,
    Chat,
    Clock,
    Create,
    Finished,
    Leave,
    MakeMove,
    Moved,
    Offer,
    Resign,
    Started,
    TookBack,
)
from view.match import MatchView


@dataclass(frozen=True, slots=True)
class Wish:
    """A match to be played: the bot's seat, how the opponent moves, and whether it chats and offers in between."""

    game: Game
    seat: Seat
    clock: Clock | None
    steer: Steer = wander
    talkative: bool = False


@dataclass(slots=True)
class _Open:
    """A match that is not over; `answered` is the last ply that we played."""

    wish: Wish
    match: str
    started: bool = False
    answered: int = -1
    said: int = -1
    thinking_ms: list[int] = field(default_factory=list[int])
    left_ms: list[int] = field(default_factory=list[int])
    over: CheckedMatch | None = None


class Opponent:
    """Plays against the bot called `name` over `client`; all its chance comes from `rng`."""

    def __init__(self, client: Client, name: str, rng: random.Random) -> None:
        self._client = client
        self._name = name
        self._rng = rng
        self._open: dict[str, _Open] = {}
        self._done: list[_Open] = []

    async def invite(self, wishes: Sequence[Wish]) -> None:
        """Opens the matches; raises ClientError. `follow` plays them."""
        self._open, self._done = {}, []
        for wish in wishes:
            answer = await self._client.request(
                Create,
                game=wish.game.spec,
                clock=wish.clock,
                seat="second" if wish.seat is Seat.FIRST else "first",
                invite=(self._name,),
            )
            assert isinstance(answer.match, str)
            self._open[answer.match] = _Open(wish, answer.match)
            self._done.append(self._open[answer.match])

    @property
    def all_started(self) -> bool:
        """Whether the bot has joined, or declined, every match."""
        return all(match.started for match in self._open.values())

    async def follow(self, *, starts_only: bool = False) -> None:
        """Plays until every match is over, or, with `starts_only`, has begun; raises ClientError."""
        if not starts_only:
            for going_on in self._open.values():
                self._act(going_on)
        async for message in self._client.messages():
            match = self._open.get(str(getattr(message, "match", "")))
            if match is not None:
                self._note(match, message)
            if not self._open or (starts_only and self.all_started):
                return
            if match is not None and not starts_only and match.match in self._open:
                self._act(match)

    async def give_up(self, trouble: MatchTrouble) -> list[CheckedMatch]:
        """Ends the matches that are not over; returns all matches."""
        for match in list(self._open.values()):
            never_began = trouble in ("stuck", "absent") and not match.started
            match.over = self._played(match, trouble="absent" if never_began else trouble)
            try:
                await self._client.request(partial(Resign) if match.started else partial(Abort), match=match.match)
                await self._client.request(Leave, match=match.match)
            except ClientError:
                pass  # it ended by itself
        self._open = {}
        return self.played()

    def played(self) -> list[CheckedMatch]:
        """Every match of the last invitation that is over."""
        return [match.over for match in self._done if match.over is not None]

    def _note(self, match: _Open, message: Incoming) -> None:
        match message:
            case Started():
                match.started = True
            case Moved() if message.seat == match.wish.seat:
                match.thinking_ms.append(message.used_ms)
                if message.clocks is not None:
                    match.left_ms.append(message.clocks[message.seat - 1])
            case TookBack():
                match.answered = message.ply - 1
            case Finished():
                declined = not match.started
                match.over = self._played(match, trouble="declined" if declined else None)
                del self._open[match.match]
                self._client.send(Leave, match=match.match)
                self._client.session.forget(match.match)
            case _:
                pass

    def _played(self, match: _Open, trouble: MatchTrouble | None = None) -> CheckedMatch:
        view = self._client.session.matches.get(match.match)
        return CheckedMatch(
            match.match,
            match.wish.game,
            match.wish.seat,
            view.moves if view is not None else (),
            view.result if view is not None and trouble is None else None,
            trouble,
            tuple(match.thinking_ms),
            tuple(match.left_ms),
        )

    def _act(self, match: _Open) -> None:
        view = self._client.session.matches.get(match.match)
        if view is None or view.status != "playing":
            return
        if match.wish.talkative:
            self._talk(match, view)
        if view.my_turn and match.answered < view.ply and view.position.outcome() is None:
            match.answered = view.ply
            move = match.wish.steer(view.position, self._rng)
            self._client.send(MakeMove, match=match.match, ply=view.ply, move=move)

    def _talk(self, match: _Open, view: MatchView) -> None:
        """Says or offers something, once a ply, from the third on."""
        if view.ply <= match.said or view.ply < 2:
            return
        match.said = view.ply
        match view.ply % 3:
            case 0:
                self._client.send(Chat, match=match.match, text="Bonne chance ! ♟ \u202f")
            case 1:
                self._client.send(Offer, match=match.match, what="draw")
            case _:
                self._client.send(Offer, match=match.match, what="takeback")
