"""The two codes of a class, the door and that of the bots: what others enter, over all leagues that are played there.

A league takes a room as long as it is played; before and after, who comes and goes is heard all the same. What the desk
has decided on names counts in every league: it is joined to what the log of a league says of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bots.running.starts import cores
from client.connection import Client, Incoming
from client.errors import ClientError
from league.config import League
from league.executors.base import RunError
from league.executors.organiser import Organiser
from league.gathering import Gathering, OpenRunner, Running
from league.history.log import Entry, Log
from league.history.roster import Codes
from league.history.season import Season
from protocol.messages import Dismiss, EntryRefused


class Room(Gathering):
    """A code, as an async context manager; entering raises ExecutorError.

    on_message: hears of all that the server says. halted: while it is set no game begins.
    """

    def __init__(
        self,
        url: str,
        idle: League,
        *,
        code: str | None,
        codes: Codes,
        secret: str,
        kept: Path,
        tell: Callable[[str], None],
    ) -> None:
        super().__init__(url, idle, code=code, codes=codes, secret=secret, kept=kept, tell=tell)
        self.on_message: Callable[[Incoming], None] = lambda _message: None
        self.on_games: Callable[[], None] = lambda: None
        self.on_refused = self._let_in
        self.halted = False
        self._idle = idle
        self._names: Mapping[str, str] = {}
        self._removed: Collection[str] = ()
        self._of_league: tuple[Mapping[str, str], Collection[str]] = ({}, ())

    @property
    def client(self) -> Client:
        """The connection of whoever hosts this code."""
        return self._client

    @property
    def organiser(self) -> Organiser:
        """What arranges the games."""
        return self._organiser

    def name_of_session(self, name: str) -> str | None:
        """What the session is called that has entered as `name`, if it is here."""
        guest = self.guests.get(name)
        return guest.name if guest is not None and guest.present else None

    def began(self, league: League) -> None:
        """From now on the games of `league` are played here."""
        self._take(league)
        self._organiser.on_change = self.on_games

    def over(self) -> None:
        """No league is played here."""
        self._take(self._idle)
        self._organiser.on_change = lambda: None
        self.rule({}, ())

    def _take(self, league: League) -> None:
        self._league = self._organiser.league = league
        self._begun.clear()

    def decide(self, names: Mapping[str, str], removed: Collection[str], codes: Codes) -> None:
        """What pupils are called by now, by their doors; who is out; and the codes of all."""
        back = set(self._removed) - set(removed)
        is_news = codes != self._codes or back
        self._names, self._removed, self._codes = dict(names), tuple(removed), dict(codes)
        if not self._is_open:
            self._aliases, self._barred = dict(names), tuple(removed)
            return
        self.rule(self._of_league[0], self._of_league[1])
        if is_news:
            self._spawn(self._say_roster())

    def rule(self, aliases: Mapping[str, str], barred: Collection[str], freed: Sequence[Sequence[str]] = ()) -> None:
        """What a league's log says of names, after what the desk has decided."""
        self._of_league = (dict(aliases), tuple(barred))
        mine = {door: aliases.get(name, name) for door, name in self._names.items()}
        super().rule({**aliases, **mine}, (*barred, *self._removed), freed)

    def _say_replaced(self, name: str) -> None:
        """Is no news in a class: pages come again, and a newer version takes over."""

    def _hear(self, message: Incoming) -> None:
        super()._hear(message)
        self.on_message(message)

    def _let_in(self, refusal: EntryRefused) -> None:
        """Somebody with the personal code, on another computer than before: the code counts, unless they are here."""
        door = refusal.name
        guest = self._doors.get(door)
        if guest is None or not guest.present:
            self._spawn(self.free(door))

    async def free(self, door: str) -> None:
        """A name belongs to nobody but who has its personal code."""
        with suppress(ClientError):
            await self._client.ask(Dismiss, code=self.code, name=door, free=True)


class ClassRunner(OpenRunner):
    """Runs a league in a room; while that is halted, no pairing begins and nobody is given up.

    runs_here: whether a pupil's program runs on this machine: of such games there are as many at once as it has cores,
    or the clocks of all would run while each waits for a core.
    lost: the matches that were played when the league could not be kept any more.
    """

    def __init__(
        self,
        log: Log,
        room: Room,
        tell: Callable[[Season], None],
        absent_s: float,
        runs_here: Callable[[str], bool] = lambda _name: False,
    ) -> None:
        super().__init__(log, room, tell, absent_s)
        self.lost: Sequence[str] = ()
        self._room = room
        self._runs_here = runs_here

    def _may_begin(self, names: Collection[str], running: Running) -> bool:
        if self._room.halted:
            return False
        if not any(map(self._runs_here, names)):
            return True
        here = sum(
            any(self._runs_here(self.season.called(entry.name)) for entry in job.players) for job in running.values()
        )
        return here < cores()

    def _plan(self) -> bool:
        return not self._room.halted and super()._plan()

    def _note(self, entries: list[Entry]) -> None:
        try:
            super()._note(entries)
        except RunError:
            self.lost = [match.match for match in self._room.organiser.playing]
            raise

    def finish(self) -> None:
        """Nothing more is played; raises RunError."""
        if not self.season.finished:
            self._note([Entry("finished", {})])

    def withdraw(self, name: str) -> None:
        """A pupil plays no more in this league unless they are let in again; raises RunError."""
        if name in self.season.bots and name not in self.season.out:
            self._note([self.season.leaving(name)])

    def rename(self, name: str, to: str) -> None:
        """A pupil is called otherwise; raises RunError and SeasonError."""
        if name in self.season.bots:
            self._note([self.season.renaming(name, to)])

    def merge(self, name: str, into: str) -> None:
        """Two are one; raises RunError and SeasonError."""
        if name in self.season.bots:
            both = into in self.season.bots
            self._note([self.season.merging(name, into) if both else self.season.renaming(name, into)])
