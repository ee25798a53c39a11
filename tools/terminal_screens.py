"""The pictures of the terminal in README and docs: each screen as SVG, from a server that says what is to be seen.

python -m tools.terminal_screens          writes docs/screens/terminal-*.svg; the same words give the same bytes
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import games
from client.connection import Client
from client.people.recorded import Recorded, played
from client.tui.app import ArbitreApp
from client.tui.home import stay_home
from client.tui.onlooking import follow_league, look_around
from client.tui.review import look_through
from locales import set_language
from protocol.bounds import Grade
from protocol.messages import LeagueGame, Scoreboard, Snapshot
from protocol.values import Judged, LeagueMatch, ScoreRow
from tests.client.tui.hall import LEAGUE, Hall, Visit, board, in_place, visit

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screens"

MOST: Final = 60_000
"""Bytes of a picture."""

OPENINGS: Final = {
    "othello": "f5d6c3d3c4f4c5b3c2e3d2",
    "puissance4": "44355243",
    "morpion": "b2a1c3",
    "breakthrough": "c2c3d5d4b2b3",
}
"""Positions that look like games."""

NAMES: Final = ("Élodie", "Karim", "Les Flamants", "Tom", "Zoé")
REVIEWED: Final = "443352565534"
GRADES: Final[tuple[Grade, ...]] = (
    "best", "good", "mistake", "best", "inaccuracy", "blunder", "best", "good", "mistake", "best", "best", "best",
)  # fmt: skip
CHANCES: Final = (500, 560, 640, 560, 430, 300, 380, 800, 900, 980, 1000, 1000, 1000)

Show = Callable[[ArbitreApp, Client], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen: its name, what shows it, the keys that lead there, the text to wait for, the size of the window."""

    name: str
    show: Show
    keys: tuple[str, ...]
    text: str
    size: tuple[int, int] = (80, 24)
    language: str = "en"
    theme: str = "dark"


def hall() -> Hall:
    """What the pictures show."""
    rows = tuple(
        ScoreRow(name, rank, made, count, rating=rating, error=70)
        for name, rank, made, count, rating in (
            ("Karim", 1, 4.5, 5, 148),
            ("Zoé", 2, 3.0, 4, 92),
            ("Élodie", 3, 2.5, 5, 14),
            ("Tom", 4, 1.5, 5, -71),
            ("Les Flamants", 5, 0.5, 5, -183),
        )
    )
    playing = (LeagueMatch("othello1", "Karim", "Zoé"), LeagueMatch("othello2", "Tom", "Élodie"))
    over = tuple(
        LeagueGame(number, NAMES[number % 5], NAMES[(number + 2) % 5], (1, 2, 1, None)[number % 4], "discs", "f5")
        for number in range(12, 0, -1)
    )
    judged = tuple(
        Judged(
            ply,
            CHANCES[ply],
            ply > 8,
            best=("7", "1") if ply < len(GRADES) else (),
            line=("7", "7", "1") if ply < len(GRADES) else (),
            grade=GRADES[ply] if ply < len(GRADES) else None,
        )
        for ply in range(len(CHANCES))
    )
    return Hall(*_boards(), scoreboard=_scoreboard(rows, playing), played=over, judged=judged)


def _boards() -> list[Snapshot]:
    return [
        board(f"{game}{number}"[-8:].rjust(8, "x"), game, moves)
        for number in (1, 2)
        for game, moves in OPENINGS.items()
    ]


def _scoreboard(rows: tuple[ScoreRow, ...], playing: tuple[LeagueMatch, ...]) -> Scoreboard:
    return Scoreboard("M. Petit", "Tournoi de la 4e B", "othello", "running", 12, 20, rows, playing)


async def menu(app: ArbitreApp, _client: Client) -> None:
    """The menu."""
    await stay_home(app)


async def league(app: ArbitreApp, client: Client) -> None:
    """A league."""
    await in_place(client, lambda place: follow_league(app, place, LEAGUE))


async def review(app: ArbitreApp, client: Client) -> None:
    """A review."""
    await in_place(client, lambda place: look_through(app, _reviewed(), place, review=True))


def _reviewed() -> Recorded:
    found = played(games.parse("puissance4"), REVIEWED, ("Zoé", "Karim"))
    assert found is not None
    return found


def match_of(game: str) -> Show:
    """A match that is watched."""

    async def show(app: ArbitreApp, client: Client) -> None:
        from client.tui.onlooking import watch_one

        found = next(one.match for one in _boards() if one.game == game)
        await in_place(client, lambda place: watch_one(app, place, found))

    return show


PICTURES: Final = (
    Picture("menu", menu, (), "Esc"),
    Picture("othello", match_of("othello"), (), "F1"),
    Picture("puissance4", match_of("puissance4"), (), "F1", language="fr", theme="light"),
    Picture("morpion-small", match_of("morpion"), (), "F1", size=(40, 16)),
    Picture("breakthrough-small", match_of("breakthrough"), (), "F1", size=(40, 16), language="fr"),
    Picture("wall", look_around, ("w",), "8 boards"),
    Picture("league", league, (), "12 parties", language="fr"),
    Picture("review", review, ("t", "t"), "6. 2"),
)


async def take(picture: Picture) -> str:
    """The picture as SVG."""
    set_language(picture.language)
    async with visit(hall(), picture.show, size=picture.size, theme=picture.theme) as seen:
        await seen.press(*picture.keys)
        await seen.sees(picture.text)
        await _settle(seen)
        svg = seen.app.export_screenshot(title="arbitre", simplify=True)
    return _small(svg)


def _small(svg: str) -> str:
    """The same picture in fewer bytes: short names, no fonts from elsewhere, nothing clipped that fits, no blanks."""
    svg = re.sub(r"terminal-\d+-", "", svg)
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'<clipPath id="line-\d+">.*?</clipPath>\s*', "", svg, flags=re.DOTALL)
    svg = re.sub(r' clip-path="url\(#line-\d+\)"', "", svg)
    svg = svg.replace(' shape-rendering="crispEdges"', "").replace(
        "</style>", "rect { shape-rendering: crispEdges }\n</style>"
    )
    svg = re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.1f}", svg)
    svg = re.sub(r"<text[^>]*>(&#160;|\s)*</text>", "", svg)
    return re.sub(r"\n\s+", "\n", svg)


async def _settle(seen: Visit) -> None:
    """Waits until nothing changes any more."""
    before = ""
    while seen.text() != before:
        before = seen.text()
        await seen.pilot.pause(0.3)


def main() -> None:
    """Writes all pictures."""
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    os.environ.pop("NO_COLOR", None)
    FOLDER.mkdir(exist_ok=True)
    for picture in PICTURES:
        svg = asyncio.run(take(picture))
        sys.stdout.write(f"{picture.name}: {len(svg.encode())} bytes\n")
        assert len(svg.encode()) < MOST, picture.name
        (FOLDER / f"terminal-{picture.name}.svg").write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
