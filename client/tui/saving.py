"""A game as a file: as text for people, as a line that `import` reads, or in the format that other programs read."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from textual.widgets import Input

from client.tui.forms import FormScreen
from client.tui.words import game_title
from games import ggf
from games.base import Seat
from locales import _, system
from protocol.timing import format_clock
from terminal import phrases
from view.match import MatchView


class Format(NamedTuple):
    """A way to write a game: what it is called, how its files end, and how the file is made."""

    label: str
    ending: str
    write: Callable[[MatchView], str]


def formats_of(view: MatchView) -> list[Format]:
    """How this game can be written."""
    formats = [Format(_("text"), "txt", text_of), Format(_("moves in a line"), "moves", transcript_of)]
    if ggf.writes(view.game):
        formats.append(Format("GGF", "ggf", ggf_of))
    return formats


def file_name(view: MatchView, ending: str) -> str:
    """A name for the file: who played what."""
    names = "-".join(phrases.name_of(view, seat) for seat in Seat)
    return f"{view.game.id}-{re.sub(r'[^A-Za-z0-9-]+', '_', names)}.{ending}"


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
    return _("The game is in {file}.").format(file=file.absolute())


def text_of(view: MatchView) -> str:
    """The game for people."""
    moves = " ".join(
        f"{number // 2 + 1}. {move}" if number % 2 == 0 else move for number, move in enumerate(view.moves)
    )
    title = game_title(view.game)
    head = title if view.clock is None else f"{title}, {format_clock(view.clock)}"
    names = " - ".join(phrases.name_of(view, seat) for seat in Seat)
    end = [] if view.result is None else phrases.ended(view, view.result)
    return "\n".join((head, names, moves, *end)) + "\n"


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
