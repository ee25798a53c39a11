"""The games of a pupil in leagues of the class, with their first mistake, and what their program said of them."""

from __future__ import annotations

import asyncio
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec import MsgspecError
from msgspec import json as msgjson
from msgspec.structs import replace

from league.played import Played
from locales import _
from school import events
from school.core import Core, LetterError, Writer, size_of
from school.exporting import league_folder
from school.hall import shown_fault
from school.judging import Judging, first_mistakes
from school.messages import MAX_LETTER_TOLD, Failed, Game, Games, GetGames, GetPrints, Prints
from school.parts.leagues import Leagues
from school.programs import printing
from school.programs.fielding import Fielding
from school.state import PupilState

PAGE: Final = 20
"""Games that are told at a time."""

LEAGUE: Final = 100_000
"""A game's number is that of its league times this, plus its own in the league."""

MOST_WAITING: Final = 200
"""Games that may wait for the judge."""

LATEST: Final = 300
"""A program that says how it has failed speaks of one of so many games, the latest."""

MOST_TOLD: Final = 4
"""Failures of one pupil's program whose games may be still to end: the latest."""

_failed = msgjson.Decoder(Failed)


class Records:
    """Answers letters about them. `handlers`: by the type of letter."""

    def __init__(self, core: Core, leagues: Leagues, fielding: Fielding, judging: Judging) -> None:
        self._core = core
        self._leagues = leagues
        self._judging = judging
        self._fielding = fielding
        self._failed: defaultdict[str, deque[Failed]] = defaultdict(lambda: deque(maxlen=MOST_TOLD))
        self._waiting: dict[tuple[int, int], Played] = {}
        self._news = asyncio.Event()
        fielding.prepare = self._with_prints
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {
            GetGames: self._games,
            GetPrints: self._prints,
        }

    async def run(self) -> None:
        """Has games judged, the latest requests first, until it is cancelled."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                (league, number), game = self._waiting.popitem()
                await self._judge(league, number, game)

    def hear(self, door: str, text: str) -> None:
        """A program that runs elsewhere writes; what says nothing of a failure is ignored."""
        try:
            letter = _failed.decode(text)
        except (MsgspecError, UnicodeDecodeError, RecursionError):
            return
        if not self._fielding.is_ours(self._core.state.called(door)):
            self._failed[door].append(letter)
            self.look()

    def look(self) -> None:
        """Keeps what programs have said of their failures with the games, once these are over."""
        for door, letters in list(self._failed.items()):
            kept = [letter for letter in letters if not self._keep(door, letter)]
            if kept:
                self._failed[door] = deque(kept, MOST_TOLD)
            else:
                del self._failed[door]

    def _keep(self, door: str, letter: Failed) -> bool:
        """Whether the game is over in which a program has failed."""
        name, league = self._core.state.called(door), max(self._leagues.seasons, default=0)
        games = self._leagues.seasons[league].games if league else []
        for number in range(len(games), max(0, len(games) - LATEST), -1):
            game = games[number - 1]
            is_it = self._seat(name, game) == letter.seat and " ".join(game.moves) == letter.moves
            if is_it and game.faulty is not None and self._core.state.called(game.faulty) == name:
                if self._said(name, league, number) == printing.Account():
                    path = printing.file_of(league_folder(self._core.folder, league), door, letter.seat, game.moves)
                    printing.keep(path, printing.Account(fault=letter.fault))
                return True
        return False

    async def _judge(self, league: int, number: int, game: Played) -> None:
        rules = self._leagues.seasons[league].league.rules
        steps = await self._judging.review(rules.spec, game.moves)
        if len(steps) > len(game.moves):
            mistakes = first_mistakes(rules, game.moves, steps, game.opening)
            try:
                self._core.note(events.Noted(league=league, game=number, mistakes=mistakes))
            except LetterError:
                return  # it is asked for again

    def _of(self, name: str) -> Iterator[tuple[int, int, Played]]:
        """League, number and game of all that a pupil has played, the newest first."""
        for league in sorted(self._leagues.seasons, reverse=True):
            games = self._leagues.seasons[league].games
            for number in range(len(games), 0, -1):
                game = games[number - 1]
                if self._seat(name, game) is not None:
                    yield league, number, game

    def _games(self, writer: Writer, letter: GetGames) -> None:
        found: list[Game] = []
        more = False
        for league, number, game in self._of(writer.pupil):
            if letter.before is not None and league * LEAGUE + number >= letter.before:
                continue
            told = self._told(writer.pupil, league, number, game)
            if len(found) == PAGE or size_of(Games((*found, told))) > MAX_LETTER_TOLD:
                more = True
                break
            found.append(told)
        self._core.tell(writer.session, Games(tuple(found), more))

    def _told(self, name: str, league: int, number: int, game: Played) -> Game:
        called, state = self._core.state.called, self._core.state
        seat = 1 if called(game.first) == name else 2
        known = state.mistakes.get((league, number)) if state.allowed.values else None
        if known is None and state.allowed.values and game.moves and len(self._waiting) < MOST_WAITING:
            self._waiting[league, number] = game
            self._news.set()
        return Game(
            league * LEAGUE + number,
            league,
            self._leagues.seasons[league].league.game,
            1 if seat == 1 else 2,
            called(game.second if seat == 1 else game.first),
            0.5 if game.winner is None else float(game.winner == seat),
            game.reason,
            game.moves,
            None if known is None else known[seat - 1],
            known is not None,
            self._version(name, league, number),
        )

    def _version(self, name: str, league: int, number: int) -> int | None:
        """Which version of a pupil's program played; None if none that was handed in did, or nobody knows."""
        at, pupil = self._said(name, league, number).at, self._core.state.pupils.get(name)
        works = () if pupil is None or not at else pupil.works
        return next((work.version for work in works if work.at == at), None)

    def _prints(self, writer: Writer, letter: GetPrints) -> None:
        league, number = divmod(letter.game, LEAGUE)
        season = self._leagues.seasons.get(league)
        game = season.games[number - 1] if season is not None and 0 < number <= len(season.games) else None
        if game is None or self._seat(writer.pupil, game) is None:
            raise LetterError("nothing_runs", _("You have not played this game."))
        said = self._said(writer.pupil, league, number)
        fault = shown_fault(said.fault, hints=self._core.state.allowed.hints)
        if fault is not None:
            fault = replace(fault, position="")  # the replay shows it
        told = Prints(letter.game, said.lines, fault)
        while size_of(told) > MAX_LETTER_TOLD and told.lines:
            told = replace(told, lines=told.lines[: len(told.lines) // 2])
        self._core.tell(writer.session, told)

    def _seat(self, name: str, game: Played) -> int | None:
        """Where a pupil sat in a game, None if they did not play it."""
        called = self._core.state.called
        return 1 if called(game.first) == name else 2 if called(game.second) == name else None

    def _said(self, name: str, league: int, number: int) -> printing.Account:
        """What a pupil's program said of a game that it has played."""
        games = self._leagues.seasons[league].games
        game, folder = games[number - 1], league_folder(self._core.folder, league)
        seat = self._seat(name, game)
        assert seat is not None
        later = sum(other.moves == game.moves and self._seat(name, other) == seat for other in games[number:])
        for door in self._core.state.doors_of(name):
            told = printing.kept(printing.file_of(folder, door, seat, game.moves))
            if told:
                return told[max(0, len(told) - 1 - later)]
        return printing.Account()

    def _with_prints(self, pupil: PupilState, version: int, spec: Any) -> Any:
        """A bot whose prints are kept with the league that runs, by the pupil's door, which never changes.

        The version is kept as the moment when it was handed in: whoever merges two pupils counts versions anew.
        """
        league = self._core.state.league
        if league is None:
            return spec
        folder = league_folder(self._core.folder, league.begun.number)
        door, work = self._core.state.doors_of(pupil.name)[-1], pupil.work(version)

        def keep(seat: int, moves: Any, told: printing.Account) -> None:
            at = 0 if work is None else work.at
            printing.keep(printing.file_of(folder, door, seat, moves), replace(told, at=at))

        return printing.printing(spec, keep)
