"""Games that are no league: a pupil against their own program, and the teacher against the class."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from bots.base import BotError
from bots.running.process import connect
from bots.running.runner import BotRunner, RunSettings
from client.connection import Client
from client.errors import ClientError
from locales import _
from protocol.messages import Clock, Create, Terminate
from school import events
from school.core import Core, LetterError, Writer
from school.messages import Face, Simul
from school.positions import rules_of
from school.programs import printing
from school.programs.fielding import Fielding, version_to_run, versioned
from school.programs.pupil_files import PupilFiles
from school.state import PupilState

LONGEST_MATCH_S: Final = 1800.0
"""How long a program waits for its author to play on."""

JOIN_S: Final = 60.0
IDLE_S: Final = 300.0
"""How long a pupil may make no move, after JOIN_S to take their seat: places are few, and others wait for them."""

MOST_FACING: Final = 8
"""How many pupils may play against their own program at once."""


class Meetings:
    """Arranges them. `handlers`: by the kind of letter."""

    def __init__(self, core: Core, files: PupilFiles, fielding: Fielding) -> None:
        self._core = core
        self._files = files
        self._fielding = fielding
        self._facing: dict[str, asyncio.Task[Any]] = {}
        self._rng = random.Random()
        self.handlers: Mapping[type, Callable[[Writer, Any], None]] = {Face: self._face, Simul: self._simul}

    def _face(self, writer: Writer, _letter: Face) -> None:
        core, name = self._core, writer.pupil
        version = version_to_run(core, name)
        before = self._facing.get(name)
        if before is not None and not before.done():
            raise LetterError("running", _("You play against your program already."))
        if sum(not task.done() for task in self._facing.values()) >= MOST_FACING:
            raise LetterError("not_now", _("Too many play against their programs now: wait a little."))
        self._facing[name] = core.spawn(self._meet(writer, name, version))

    async def _meet(self, writer: Writer, name: str, version: int) -> None:
        """Brings a pupil's program to the server for one game, and invites both."""
        core, pupil, said = self._core, self._core.state.pupils[name], list[printing.Account]()
        spec = printing.printing(
            self._fielding.spec_of(self._files.path(pupil.paths[version])),
            lambda _seat, _moves, account: said.append(account),
        )
        try:
            await asyncio.to_thread(spec.check, core.classroom.rules)
            client = await connect(core.url, versioned(name, f" (v{version})"))
            settings = RunSettings(spec, f"face:{name}:{core.now()}", count=1, insists=False)
            try:
                async with asyncio.timeout(LONGEST_MATCH_S):
                    playing = asyncio.create_task(BotRunner(client, settings, lambda _text: None).run())
                    try:
                        await self._invite(core.classroom.game, None, (client.name, self._session(name)))
                        await self._play(client, playing)
                        await self._note(pupil, version, said)
                    finally:
                        playing.cancel()
            except TimeoutError:
                for match in client.session.matches:
                    core.people.client.send(Terminate, match=match)
                core.say(_("{name} has left the game against their program.").format(name=name))
            finally:
                await client.close()
        except (BotError, ClientError, LetterError) as error:
            text = _("The game against your program could not begin: {reason}").format(reason=error)
            core.refuse(writer.session, "face", LetterError("not_now", text))

    async def _note(self, pupil: PupilState, version: int, said: Sequence[printing.Account]) -> None:
        """Keeps how a version failed against its author, and forgets it once a game goes well."""
        fault = said[-1].told if said else None
        work = pupil.work(version)
        if self._core.state.pupils.get(pupil.name) is not pupil or work is None or fault == work.faced:
            return
        await self._core.note_in_time(
            events.Faced(at=self._core.now(), name=pupil.name, version=version, fault=fault)
        )  # fmt: skip

    async def _play(self, client: Client, playing: asyncio.Task[None]) -> None:
        """Waits for the end of the game; raises TimeoutError if the pupil does not come, or no longer moves."""
        patience, session = JOIN_S, client.session
        while not playing.done():
            mark = session.mark()
            await asyncio.wait({playing}, timeout=patience)
            is_idle = session.mark() == mark or all(view.status == "waiting" for view in session.matches.values())
            if is_idle and not (playing.done() or self._core.state.halted):
                raise TimeoutError
            patience = IDLE_S
        await playing

    def _session(self, name: str) -> str:
        session = self._core.people.name_of_session(name)
        if session is None:
            raise LetterError("not_now", _("{name} is not here.").format(name=name))
        return session

    async def _invite(self, game: str, clock: Clock | None, names: tuple[str, str]) -> None:
        """Opens a match between two who are connected; chance decides who begins."""
        order = names if self._rng.random() < 0.5 else names[::-1]
        await self._open(game, clock, order)

    async def _open(self, game: str, clock: Clock | None, names: tuple[str, ...]) -> None:
        await self._core.people.client.request(
            Create, game=game, clock=clock, play=False, seat="first", invite=names, follow=False
        )

    def _simul(self, writer: Writer, letter: Simul) -> None:
        core = self._core
        rules = rules_of(letter.game or core.classroom.game)
        here = [name for name in core.state.pupils if core.people.is_here(name)]
        names = [name for name in here if not letter.names or name in letter.names]
        if not names:
            raise LetterError("nothing_runs", _("None of them is here."))
        if core.state.halted:
            raise LetterError("not_now", _("All games are stopped: let them go on first."))
        core.spawn(self._play_all(writer, letter, rules.spec, names))

    async def _play_all(self, writer: Writer, letter: Simul, game: str, names: list[str]) -> None:
        for name in names:
            try:
                two = (letter.me, self._session(name))
                await self._open(game, letter.clock, two if letter.seat == "first" else two[::-1])
            except (ClientError, LetterError) as error:
                text = _("{name} could not be invited: {reason}").format(name=name, reason=error)
                self._core.refuse(writer.session, "simul", LetterError("not_now", text))
