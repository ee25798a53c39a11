"""The two rooms of a class, each with a code: one for people, and one for bots. All its leagues use them.

A league uses a room while it is played; before and after, the room still notes who comes and goes. What the desk has
decided on names counts in every league: it is combined with the rulings in the league's log.
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
from league.history.log import Log, LogEntry
from league.history.season import Season
from league.roster import Codes
from protocol.messages import Dismiss, EntryRefused, Letter


class Room(Gathering):
    """A room with its code, as an async context manager; entering raises ExecutorError.

    halted: while it is set, no game begins.
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
        self._listener: Callable[[Incoming], None] | None = None
        self._unread: list[Letter] = []
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

    def listen(self, hear: Callable[[Incoming], None]) -> None:
        """From now on `hear` gets every message of the server; first the letters that came while the class opened.

        Pages come back on their own: the server has told their writers that these letters have arrived.
        """
        self._listener, unread, self._unread = hear, self._unread, []
        for letter in unread:
            hear(letter)

    def name_of_session(self, name: str) -> str | None:
        """The name of the session that has entered as `name`, if it is connected."""
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
        """Sets the current names of pupils by their doors, who is out, and all codes."""
        back = set(self._removed) - set(removed)
        is_news = codes != self._codes or back
        self._names, self._removed, self._codes = dict(names), tuple(removed), dict(codes)
        if not self._is_open:
            self._aliases, self._barred = dict(names), tuple(removed)
            return
        self.rule(self._of_league[0], self._of_league[1])
        if is_news:
            self._spawn(self._send_roster())

    def rule(self, aliases: Mapping[str, str], barred: Collection[str], freed: Sequence[Sequence[str]] = ()) -> None:
        """Applies a league's rulings on names to the names that the desk has decided."""
        self._of_league = (dict(aliases), tuple(barred))
        mine = {door: aliases.get(name, name) for door, name in self._names.items()}
        super().rule({**aliases, **mine}, (*barred, *self._removed), freed)

    def _say_replaced(self, name: str) -> None:
        """Says nothing: in a class it is usual that pages reconnect and newer versions take over."""

    def _hear(self, message: Incoming) -> None:
        super()._hear(message)
        if self._listener is not None:
            self._listener(message)
        elif isinstance(message, Letter):
            self._unread.append(message)

    def _let_in(self, refusal: EntryRefused) -> None:
        """Frees the name for a pupil on another computer: their personal code is enough, unless they are connected."""
        door = refusal.name
        guest = self._doors.get(door)
        if guest is None or not guest.present:
            self._spawn(self.free(door))

    async def free(self, door: str) -> None:
        """Frees a name: whoever has its personal code can enter under it next."""
        with suppress(ClientError):
            await self._client.ask(Dismiss, code=self.code, name=door, free=True)


class ClassRunner(OpenRunner):
    """Runs a league in a room; while the room is halted, no pairing begins and nobody is withdrawn.

    runs_here: whether a pupil's program runs on this machine. At most as many such games are played at once as the
    machine has cores: else programs would lose time on their clocks while they wait for a core.
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

    def _note(self, entries: list[LogEntry]) -> None:
        try:
            super()._note(entries)
        except RunError:
            self.lost = [match.match for match in self._room.organiser.playing]
            raise

    def finish(self) -> None:
        """Nothing more is played; raises RunError."""
        if not self.season.finished:
            self._note([LogEntry("finished", {})])

    def withdraw(self, name: str) -> None:
        """A pupil plays no more in this league unless they are let in again; raises RunError."""
        if name in self.season.bots and name not in self.season.out:
            self._note([self.season.leaving(name)])

    def rename(self, name: str, to: str) -> None:
        """Renames a pupil; raises RunError and SeasonError."""
        if name in self.season.bots:
            self._note([self.season.renaming(name, to)])

    def merge(self, name: str, into: str) -> None:
        """Two are one; raises RunError and SeasonError."""
        if name in self.season.bots:
            both = into in self.season.bots
            self._note([self.season.merging(name, into) if both else self.season.renaming(name, into)])
