"""Leagues of a class, of the pupils' programs or of the pupils themselves: one runs at a time, each in a folder.

While a league is frozen, everybody sees it as it was then; the number of log entries at that moment is kept for this.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Literal

from client.errors import ClientError
from league.config import League, presentable, usual_for
from league.executors.base import RunError
from league.gathering import ABSENT_S
from league.history.entrants import SeasonError
from league.history.log import Log, LogEntry, LogError
from league.history.log import load as load_log
from league.history.season import Season, begin
from league.showing import Showing, kept_key
from league.statistics.standings import Row
from locales import _
from protocol.bounds import MAX_NAME
from protocol.messages import LeagueMatch, Terminate, Welcome
from protocol.timing import format_clock
from school import events
from school.core import Core, LetterError, Writer, disk_refusal
from school.exporting import league_folder
from school.hall import Live, Standing
from school.messages import Begin, Finish, Freeze, Hide
from school.messages import League as Told
from school.positions import position_after, rules_of
from school.programs.fielding import Fielding
from school.rooms import ClassRunner, Room
from school.state import LeagueState

PEOPLE_CLOCK: Final = "5m+3s"
NEVER: Final = 1000
"""Faults in a row that suspend a program: so many that none is suspended in a lesson, where its author repairs it."""

PAST_SHOWN: Final = 5
"""How many leagues that are over keep their pages: the latest."""

ALL_MEET: Final = 8
"""With at most this many players, everybody meets everybody, unless the desk asks for a Swiss."""

LEAST_ROUNDS: Final = 5

GATHER_S: Final = 20.0
"""How long a league waits for programs that are being started."""

GATHER_LOOK_S: Final = 0.25
"""How often to check whether they have come: a program that fails at its start does not report that."""

SHARE: Final = 20
"""The table is made for the desk only, so it is kept for this many times as long as it took to compute."""

_GAMES_AT_ONCE: Final = "playing.txt"
_FORMATS: Final = {"swiss": "swiss", "round_robin": "round-robin"}


class Leagues:
    """Runs the class's leagues. `handlers`: of the letters about them."""

    def __init__(self, core: Core, fielding: Fielding) -> None:
        self.seasons: dict[int, Season] = {}
        self.on_games: Callable[[], None] = lambda: None
        self._core = core
        self._fielding = fielding
        self._runner: ClassRunner | None = None
        self._task: asyncio.Task[Any] | None = None
        self._log: Log | None = None
        self._closes = False
        self._kept: tuple[str, ...] = ()  # the matches in the file of games that are played now
        self._showings: dict[int, Showing] = {}
        self._stood: dict[int, Season] = {}  # leagues that are frozen, as they stood then
        self._standings: Mapping[str, Standing] = {}  # of the last league
        self._due = 0.0  # when they are worth another computation (monotonic)
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {
            Begin: self._begin,
            Finish: self._finish,
            Freeze: self._freeze,
            Hide: self._hide,
        }

    # -------------------------------------------------------------------------------------------------- as it opens

    async def start(self) -> None:
        """Takes up what was there: pages of leagues that are over, and the one that runs."""
        core = self._core
        await self._end_lost_games()
        for league in core.state.leagues:
            number = league.begun.number
            with suppress(LogError, SeasonError):
                self.seasons[number] = Season.of(load_log(self._folder(number)))
        for league in core.state.leagues[-PAST_SHOWN:]:
            if league.finished and league.begun.number in self.seasons:
                self._show(league)
        if core.state.league is not None:
            self._task = core.spawn(self._play(core.state.league))

    def welcomed(self, message: Welcome) -> None:
        """The server may have forgotten what was shown."""
        for showing in self._showings.values():
            showing.hear(message)

    async def _end_lost_games(self) -> None:
        """Ends what was being played when the class was closed, or died: it is played again."""
        path = self._core.folder / _GAMES_AT_ONCE
        try:
            matches = path.read_text(encoding="utf-8").split()
        except OSError:
            return
        for match in matches[:1000]:
            with suppress(ClientError, ValueError):
                await self._core.people.client.ask(Terminate, match=match)
        path.unlink(missing_ok=True)

    def _folder(self, number: int) -> Path:
        return league_folder(self._core.folder, number)

    # ------------------------------------------------------------------------------------------------- what is asked

    def _begin(self, _writer: Writer, letter: Begin) -> None:
        core, state = self._core, self._core.state
        if state.league is not None:
            raise LetterError("running", _("A league runs: finish it first."))
        game = letter.game or core.classroom.game
        rules = rules_of(game)
        position_after(rules, letter.opening)
        usual = core.classroom.clock if letter.what == "bots" else PEOPLE_CLOCK
        format_, rounds = self._plan(letter)
        begun = events.Begun(
            at=core.now(), number=len(state.leagues) + 1, what=letter.what, game=rules.spec,
            clock=usual if letter.clock is None else format_clock(letter.clock), format=format_, rounds=rounds,
            graded=letter.graded, opening=letter.opening, hidden=letter.hidden,
        )  # fmt: skip
        core.note(begun)
        self._task = core.spawn(self._play(state.leagues[-1]))

    def _plan(self, letter: Begin) -> tuple[Literal["swiss", "round_robin"], int | None]:
        """The format and the rounds. Usually few players all meet each other, and more of them play a Swiss."""
        room = self._core.bots if letter.what == "bots" else self._core.people
        players = len({*room.present(), *(self._fielding.expected() if letter.what == "bots" else ())})
        if letter.format == "round_robin" or (letter.format == "usual" and players <= ALL_MEET):
            return "round_robin", letter.rounds
        return "swiss", letter.rounds or max(LEAST_ROUNDS, 1 + players.bit_length())

    def _finish(self, _writer: Writer, _letter: Finish) -> None:
        league = self._core.state.league
        if league is None:
            raise LetterError("nothing_runs", _("No league runs."))
        if self._runner is not None:
            try:
                self._runner.finish()
            except RunError as error:
                raise LetterError("disk", str(error)) from error
        self._core.note(events.Finished(at=self._core.now(), number=league.begun.number))
        for match in self.playing():
            self._core.people.client.send(Terminate, match=match.match)
        if self._task is not None:
            self._task.cancel()

    def _freeze(self, _writer: Writer, letter: Freeze) -> None:
        core, state = self._core, self._core.state
        if not state.leagues:
            raise LetterError("nothing_runs", _("There was no league yet."))
        number = state.leagues[-1].begun.number
        lines = len(self._log.entries) if self._log is not None else self._lines(number)
        core.note(events.Frozen(at=core.now(), frozen=letter.frozen, lines=lines))
        self._stood.pop(number, None)
        self._look_again(state.leagues[-1])

    def _hide(self, _writer: Writer, letter: Hide) -> None:
        if not self._core.state.leagues:
            raise LetterError("nothing_runs", _("There was no league yet."))
        self._core.note(events.Hidden(at=self._core.now(), hidden=letter.hidden))

    def _lines(self, number: int) -> int:
        with suppress(LogError):
            return len(load_log(self._folder(number)))
        return 0

    # -------------------------------------------------------------------------------------------------------- play

    async def _play(self, league: LeagueState) -> None:
        """Plays a league to its end, or until it is finished or the class is closed; waits while it can't be kept."""
        core, begun = self._core, league.begun
        room = core.bots if begun.what == "bots" else core.people
        try:
            while (trouble := await self._play_on(league, room)) is not None:
                waits = _("The league waits, and goes on as soon as there is room on the disk.")
                core.warn(f"{trouble} {waits}")
                await core.writable()
            if not league.finished:
                await core.note_in_time(events.Finished(at=core.now(), number=begun.number))
        except (RunError, LogError, SeasonError) as error:
            core.say(str(error))
        finally:
            self._over(room)

    async def _play_on(self, league: LeagueState, room: Room) -> str | None:
        """Plays until the league is over; if it can't be kept on disk, ends the games and returns the reason."""
        folder = self._folder(league.begun.number)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            with Log(folder) as log:
                if not log.entries:
                    log.append(self._first_entry(league.begun))
                await self._run(league, log, room)
        except OSError as error:
            return str(disk_refusal(error))
        except RunError as error:
            if not isinstance(error.__cause__, OSError):
                raise
            for match in () if self._runner is None else self._runner.lost:
                self._core.people.client.send(Terminate, match=match)
            return str(error)
        finally:
            self._log, self._runner = None, None
        return None

    async def _run(self, league: LeagueState, log: Log, room: Room) -> None:
        """Plays what the log still lacks; raises RunError."""
        begun, self._log = league.begun, log
        runner = self._runner = ClassRunner(log, room, self._tell, ABSENT_S, self._fielding.is_ours)
        self.seasons[begun.number] = runner.season
        room.on_games = self.keep_games
        room.began(runner.season.league)
        self._show(league)
        self._fielding.game, self._fielding.on = runner.season.league.rules, begun.what == "bots"
        starting = asyncio.create_task(self._begin_soon(runner, room))
        try:
            await runner.run()
        finally:
            starting.cancel()

    def _over(self, room: Room) -> None:
        self._fielding.stop()
        room.over()
        if not self._closes:
            (self._core.folder / _GAMES_AT_ONCE).unlink(missing_ok=True)
        if self._core.state.leagues:
            self._look_again(self._core.state.leagues[-1])
        self._core.changed.set()

    def _first_entry(self, begun: events.Begun) -> LogEntry:
        core, usual = self._core, usual_for(begun.game)
        rules = rules_of(begun.game)
        openings = usual.get("openings", "none") if begun.what == "bots" else "none"
        numbered = _("· league {number}").format(number=begun.number)
        title = core.classroom.title[: MAX_NAME - len(numbered) - 1].rstrip()
        league = League(
            presentable(f"{title} {numbered}", _("League")), begun.game, (),
            format=_FORMATS[begun.format], rounds=begun.rounds, clock=begun.clock, seed=f"{begun.number}:{begun.at}",
            openings="set" if begun.opening else openings, faults=NEVER, roster=tuple(core.state.doors),
        )  # fmt: skip
        lines = [rules.format_transcript(begun.opening)] if begun.opening else []
        return begin(league, lines, self._folder(begun.number))

    async def _begin_soon(self, runner: ClassRunner, room: Room) -> None:
        """Lets the first round wait for the programs that are being started."""
        now = asyncio.get_running_loop().time
        until = now() + GATHER_S
        while room is self._core.bots and now() < until:
            await asyncio.sleep(GATHER_LOOK_S)
            if not self._core.runs or not self._fielding.expected():
                break
        runner.begin.set()

    def _tell(self, season: Season) -> None:
        """The season has changed."""
        league = self._core.state.league
        if league is not None and not league.frozen and (showing := self._showings.get(league.begun.number)):
            showing.look(season)
        self._core.changed.set()

    def close(self) -> None:
        """The class closes: what is played now stays written down, to be ended when it opens again."""
        self._closes = True

    def keep_games(self) -> None:
        """A game began or is over: what runs is kept, so that it can be ended once this process is gone.

        While the class closes, games are only added: one that was requested before may still begin.
        """
        kept = self._kept if self._closes else ()
        self._kept = tuple(dict.fromkeys([*kept, *(match.match for match in self.playing())]))
        path = self._core.folder / _GAMES_AT_ONCE
        draft = path.with_suffix(".new")
        with suppress(OSError):  # in one step: a crash meanwhile leaves the old file
            draft.write_text("\n".join(self._kept), encoding="utf-8")
            draft.replace(path)
        if self._closes:
            return
        league = self._core.state.league
        if league is not None and (showing := self._showings.get(league.begun.number)) is not None:
            showing.changed()
        self.on_games()

    def playing(self) -> Sequence[LeagueMatch]:
        """The games that are played now."""
        return [*self._core.people.organiser.playing, *self._core.bots.organiser.playing]

    # -------------------------------------------------------------------------------------------------- what is shown

    def _show(self, league: LeagueState) -> None:
        """Shows a league on the server's pages from now on."""
        number = league.begun.number
        showing = self._showings.get(number)
        if showing is None:
            for old in list(self._showings)[: -(PAST_SHOWN + 1)]:
                del self._showings[old]
            showing = self._showings[number] = Showing(kept_key(self._folder(number)), self._core.say)
            client = self._core.people.client

            def playing() -> Sequence[LeagueMatch]:
                return () if league.finished else self.playing()

            self._core.spawn(showing.run(client, playing))
        self._look_again(league)

    def _look_again(self, league: LeagueState) -> None:
        number = league.begun.number
        showing, season = self._showings.get(number), self.shown_season(league)
        if showing is not None and season is not None:
            showing.look(season)

    def shown_season(self, league: LeagueState) -> Season | None:
        """A league as all may see it: as it stood, while it is frozen."""
        number = league.begun.number
        if not league.frozen:
            return self.seasons.get(number)
        if number not in self._stood:
            entries = self._log.entries if self._log is not None and not league.finished else ()
            with suppress(LogError, SeasonError):
                entries = entries or load_log(self._folder(number))
                self._stood[number] = Season.of(entries[: max(1, league.frozen_lines)])
        return self._stood.get(number)

    def told(self, league: LeagueState) -> Told:
        """A league as it is described to everybody."""
        begun, season = league.begun, self.shown_season(league)
        state = "finished" if league.finished else "halted" if self._core.state.halted else "running"
        if state == "running" and (season is None or not season.schedule.pairings):
            state = "open"
        showing = self._showings.get(begun.number)
        return Told(
            begun.number, begun.what, begun.game, state,  # type: ignore[arg-type]  # one of the words
            graded=begun.graded, hidden=league.hidden, frozen=league.frozen,
            id=None if showing is None else showing.id,
            played=0 if season is None else len(season.games),
            planned=None if season is None else season.planned,
            teams=() if season is None else self._teams(season),
        )  # fmt: skip

    def _teams(self, season: Season) -> tuple[tuple[str, float], ...]:
        """What the teams have made together, the best first."""
        made: dict[str, float] = {}
        if not any(pupil.team for pupil in self._core.state.pupils.values()):
            return ()
        for name, points in season.points().items():
            pupil = self._core.state.pupils.get(self._core.state.called(name))
            if pupil is not None and pupil.team is not None:
                made[pupil.team] = made.get(pupil.team, 0.0) + points
        return tuple(sorted(made.items(), key=lambda each: (-each[1], each[0])))

    def add_to(self, live: Live) -> Live:
        """Returns `live` with the points, ratings and faults of the last league."""
        leagues = self._core.state.leagues
        season = self.seasons.get(leagues[-1].begun.number) if leagues else None
        if season is None:
            return live
        began = time.monotonic()
        if began >= self._due:
            self._standings = {row.name: _standing(row) for row in season.standings().rows}
            self._due = began + SHARE * (time.monotonic() - began)
        faults = Counter(game.faulty for game in season.games if game.faulty is not None)
        return replace(live, standings=self._standings, faults=faults)

    # ------------------------------------------------------------------------------------------------ who is who

    def renamed(self, name: str, to: str) -> None:
        """A pupil has a new name."""
        self._fielding.drop(name)
        self._rule(lambda runner: runner.rename(name, to))

    def merged(self, name: str, into: str) -> None:
        """Two are one."""
        self._fielding.drop(name)
        self._fielding.drop(into)
        self._rule(lambda runner: runner.merge(name, into))

    def removed(self, name: str) -> None:
        """Somebody is out."""
        self._fielding.drop(name)
        self._rule(lambda runner: runner.withdraw(name))

    def _rule(self, ruling: Callable[[ClassRunner], None]) -> None:
        if self._runner is None:
            return
        try:
            ruling(self._runner)
        except (RunError, SeasonError) as error:
            self._core.say(str(error))


def _standing(row: Row) -> Standing:
    told = row.as_json()
    return Standing(row.halves / 2, told["rating"], told["error"])  # type: ignore[arg-type]  # numbers, or None
