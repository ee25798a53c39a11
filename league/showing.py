"""Shows a league on a server's page while it is played: its table, the games that run, those that are over.

Whoever plays a league has a connection to a server; over that the server is told how the league stands, in messages
that fit, at most once a second, and all of it again after the server was lost. The public id of what is shown follows
from a secret that is kept in the league's folder: so the page's address stays the same when the league goes on.
"""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Protocol

from client.connection import Incoming
from client.errors import ClientError, Refused
from league.history.season import Season
from league.played import Played
from league.statistics.standings import BUCHHOLZ, Row, ties
from locales import _
from machine.files import replace_private
from protocol.bounds import MAX_CROSS, MAX_ROWS, MAX_TOLD_GAMES, LeagueState
from protocol.errors import ErrorCode
from protocol.messages import LeagueGame, LeagueMatch, Ok, ScoreRow, ShowLeague, Welcome
from protocol.values import league_id

NAME: Final = "page.key"
"""The file in a league's folder with the secret from which the address follows."""

EVERY_S: Final = 1.0
"""How often a server is told at most."""

SHARE: Final = 10
"""After an update, wait this many times as long as it took: large leagues are updated less often."""

SETTLE_S: Final = 5.0
"""How long the end of a league waits for its last update to be sent."""

GAMES_SHOWN: Final = 500
"""Games that are shown, the newest: a server keeps no more."""

_LONGEST_TRANSCRIPT = 1024
_MOST_PLAYING = 64
_LONGEST_TITLE = 64


class Asking(Protocol):
    """What is needed of a connection."""

    async def ask(self, make: type[ShowLeague], **fields: Any) -> Ok:
        """Asks for something; raises ClientError."""
        ...


class Showing:
    """What a server is told of one league. key: the secret that stands for it. tell: hears what people should know.

    every_s: how often the server is told at most. stays: whether the page stays after the league's end, until somebody
    stops the program. id: what stands in the page's address.
    """

    def __init__(self, key: str, tell: Callable[[str], None], every_s: float = EVERY_S, *, stays: bool = False) -> None:
        self.id = league_id(key)
        self._key = key
        self._tell = tell
        self._every_s = every_s
        self._stays = stays
        self._season: Season | None = None
        self._changed = asyncio.Event()
        self._told = asyncio.Event()
        self._sent: list[Played] = []
        self._afresh = True

    def look(self, season: Season) -> None:
        """The season has changed."""
        self._season = season
        self.changed()

    def changed(self) -> None:
        """Something is to be told."""
        self._told.clear()
        self._changed.set()

    def hear(self, message: Incoming) -> None:
        """Takes a message of the server: after a Welcome all is told again, since the server may have forgotten us."""
        if isinstance(message, Welcome):
            self._afresh = True
            self.changed()

    async def run(self, client: Asking, matches: Callable[[], Sequence[LeagueMatch]]) -> None:
        """Tells the server what changes until it is cancelled. matches: those that are played now."""
        self._afresh = True
        self.changed()
        now = asyncio.get_running_loop().time
        while True:
            await self._changed.wait()
            self._changed.clear()
            began = now()
            try:
                await self._say(client, matches())
            except Refused as refused:
                if refused.code in (ErrorCode.BAD_MESSAGE.value, ErrorCode.SERVER_FULL.value):
                    text = _("The server does not show the league on its page ({reason}).")
                    self._tell(text.format(reason=refused.message))
                    return
                self._changed.set()  # too much at once
            except ClientError:
                pass  # with the next connection all of it is told
            if not self._changed.is_set():
                self._told.set()
            await asyncio.sleep(max(self._every_s, SHARE * (now() - began)))

    async def settle(self) -> None:
        """At the league's end: waits, for SETTLE_S at most, until the server was told and had time to tell others.

        If the page stays, it then waits until it is cancelled, and returns normally.
        """
        if self._season is None or not self._season.finished:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(SETTLE_S):
                await self._told.wait()
                await asyncio.sleep(self._every_s)
        if self._stays:
            self._tell(_("The league is over. Its page stays until you stop it with Ctrl-C."))
            await _until_cancelled()

    async def _say(self, client: Asking, matches: Sequence[LeagueMatch]) -> None:
        season = self._season
        if season is None:
            return
        games = list(season.games)
        if self._afresh or games[: len(self._sent)] != self._sent:
            self._sent, again = games[: max(0, len(games) - GAMES_SHOWN)], True
            self._afresh = False
        else:
            again = False
        said = {**_heading(season), "playing": tuple(matches[:_MOST_PLAYING])}
        # The table is sent after the games: whoever is told that the league is over was told of all of them.
        before = {**said, "state": "running"}
        try:
            while len(self._sent) < len(games):
                start = len(self._sent)
                part = games[start : start + MAX_TOLD_GAMES]
                told = tuple(_game(number, game) for number, game in enumerate(part, start + 1))
                await client.ask(ShowLeague, key=self._key, games=told, again=again, **before)
                self._sent += part
                again = False
            await client.ask(ShowLeague, key=self._key, again=again, **_table(season), **said)
        except BaseException:
            self._afresh = True
            raise


async def _until_cancelled() -> None:
    """Waits to be cancelled, and swallows the cancellation: the caller goes on normally."""
    task = asyncio.current_task()
    assert task is not None
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        task.uncancel()


def kept_key(folder: Path) -> str:
    """The secret of the league in `folder`, made when it is first needed; if it can't be kept, a new one each time."""
    path = folder / NAME
    with suppress(OSError, UnicodeDecodeError):
        if (kept := path.read_text(encoding="utf-8").strip()) and kept.isascii():
            return kept
    made = secrets.token_urlsafe(18)
    with suppress(OSError):
        replace_private(path, made)
    return made


def _heading(season: Season) -> dict[str, Any]:
    state: LeagueState = "open"
    if season.finished:
        state = "finished"
    elif season.schedule.pairings:
        state = "running"
    return {
        "title": season.league.name[:_LONGEST_TITLE],
        "game": season.league.game,
        "state": state,
        "played": len(season.games),
        "planned": season.planned,
    }


def _table(season: Season) -> dict[str, Any]:
    rows = season.standings().rows
    shown = rows[:MAX_ROWS]
    told = tuple(_row(row, shown if len(shown) <= MAX_CROSS else ()) for row in shown)
    return {"rows": told, "ties": ties(rows)}


def _row(row: Row, others: Sequence[Row]) -> ScoreRow:
    told = row.as_json()
    made = [row.against.get(other.name) for other in others]
    return ScoreRow(
        row.name, row.rank, row.halves / 2, row.total.games, told["rating"], told["error"],  # type: ignore[arg-type]  # floats or None
        tuple(None if tally is None else tally.halves / 2 for tally in made), row.tie_breaks.get(BUCHHOLZ),
    )  # fmt: skip


def _game(number: int, game: Played) -> LeagueGame:
    moves = " ".join(game.moves)
    shown = moves if len(moves) <= _LONGEST_TRANSCRIPT else ""
    return LeagueGame(number, game.first, game.second, game.winner, game.reason, shown)  # type: ignore[arg-type]  # as on the wire
