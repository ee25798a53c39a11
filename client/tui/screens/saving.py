"""A game as a file: as text for people, as a line that `import` reads, or in the format that other programs read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from textual.widgets import Input

from client.people import keeping
from client.tui.widgets.forms import FormScreen
from games import ggf
from games.base import Seat
from locales import _, ngettext, system
from protocol.records import to_line
from protocol.timing import format_clock
from terminal import phrases
from view.match import MatchView

MOST_NAMESAKES = 1000
"""The most files whose names differ only in a number."""


class Format(NamedTuple):
    """A way to write a game: what it is called, how its files end, and how the file is made."""

    label: str
    ending: str
    write: Callable[[MatchView], str]


def formats_of(view: MatchView) -> list[Format]:
    """How this game can be written."""
    formats = [
        Format(_("text"), "txt", text_of),
        Format("jsonl", "jsonl", record_of),
        Format(_("moves in a line"), "moves", transcript_of),
    ]
    if ggf.writes(view.game):
        formats.append(Format("GGF", "ggf", ggf_of))
    return formats


def file_name(view: MatchView, ending: str) -> str:
    """A name for the file: who played what; with a number, where there is such a file already."""
    names = "-".join(phrases.name_of(view, seat) for seat in Seat)
    stem = f"{view.game.id}-{re.sub(r'[^A-Za-z0-9-]+', '_', names)}"
    numbered = (f"{stem}-{number}.{ending}" for number in range(2, MOST_NAMESAKES))
    return next((name for name in (f"{stem}.{ending}", *numbered) if not Path(name).exists()), f"{stem}.{ending}")


def rename(view: MatchView, form: FormScreen, _changed: str) -> None:
    """Changes the ending of the file name when another format is chosen."""
    form.query_one("#file", Input).value = file_name(view, form.row("how").value.ending)


def save(view: MatchView, how: Format, path: str) -> str:
    """Writes a new file; returns what to tell: where the file is, or why there is none."""
    file = Path(path).expanduser()
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(how.write(view))
    except FileExistsError:
        return _("{file} is there already: choose another name.").format(file=file)
    except OSError as error:
        return _("{file} can't be written: {reason}.").format(file=file, reason=system.reason(error))
    return _("The game is in {file}").format(file=file.absolute())


def text_of(view: MatchView) -> str:
    """The game for people, as `export` writes it and `client.people.recorded` reads it."""
    rows = [_("Game: {game}").format(game=view.game.spec)]
    if view.clock is not None:
        rows.append(_("Clock: {clock}").format(clock=format_clock(view.clock)))
    rows.append(_("First: {player}").format(player=phrases.name_of(view, Seat.FIRST)))
    rows.append(_("Second: {player}").format(player=phrases.name_of(view, Seat.SECOND)))
    moves = ngettext("{count} move: {moves}", "{count} moves: {moves}", view.ply)
    rows.append(moves.format(count=view.ply, moves=view.game.format_transcript(view.moves)))
    seen_by_nobody = replace(view, seat=None)
    rows += [] if view.result is None else phrases.ended(seen_by_nobody, view.result)
    return "\n".join(rows) + "\n"


def record_of(view: MatchView) -> str:
    """The game as a record, which `import` and `verify` read, too."""
    return to_line(keeping.record_of(view, time.time_ns() // 1_000_000)).decode() + "\n"


def transcript_of(view: MatchView) -> str:
    """The moves as `import` and the other commands take them."""
    return f"{view.game.format_transcript(view.moves)}\n"


def ggf_of(view: MatchView) -> str:
    """The game in the format of the GGS server."""
    assert ggf.writes(view.game)
    names = [("PB", phrases.name_of(view, Seat.FIRST)), ("PW", phrases.name_of(view, Seat.SECOND))]
    result = _difference(view)
    return f"{ggf.write(view.game, view.moves, [*names, *([('RE', result)] if result else [])])}\n"


def _difference(view: MatchView) -> str:
    """The first player's lead, with a letter if the board did not decide; "" for endings that the format lacks."""
    result = view.result
    if result is None:
        return ""
    first, second = result.tournament_score or result.score
    everything = view.game.width * view.game.height * (1 if result.winner == 1 else -1)
    match result.reason:
        case "discs":
            return f"{first - second:+.3f}"
        case "agreement":
            return f"{0:+.3f}:s"
        case "resign":
            return f"{everything:+.3f}:r"
        case "timeout" | "abandoned" if result.winner is not None:
            return f"{everything:+.3f}:t"
        case _:
            return ""
