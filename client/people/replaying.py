"""Games that are over, in words: a line for each in a list, how one ended, its moves and a position of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from client.people.keeping import kept
from client.people.recorded import Recorded, RecordedError, read_recorded
from games.base import Seat
from locales import _, ngettext
from protocol.messages import Player
from protocol.values import result_of
from terminal import phrases
from terminal.board import Style, draw_position
from view.match import MatchView

Found = list[Recorded]


def find(what: str) -> Found:
    """The games of a file, or the game of that id among those that are kept; raises RecordedError."""
    path = Path(what).expanduser()
    if path.exists() or path.suffix or path.name != what:
        return read_recorded(path)
    found = [one for one in kept() if one.match == what.lower()]
    if not found:
        raise RecordedError(
            _("There is no file {what}, and no game of yours is called so; without a name, replay lists them.").format(
                what=what
            )
        )
    return found


def names_of(recorded: Recorded) -> str:
    """Who played."""
    return " - ".join(name or "?" for name in recorded.names) if any(recorded.names) else _("without names")


def date_of(recorded: Recorded) -> str:
    """When it was played, by the clock of this computer; "" if that is not known."""
    if not recorded.opened_ms:
        return ""
    try:
        return datetime.fromtimestamp(recorded.opened_ms / 1000).astimezone().strftime("%Y-%m-%d %H:%M")
    except (OverflowError, OSError, ValueError):
        return ""


def about(recorded: Recorded) -> str:
    """Which game, and how long it was."""
    count = len(recorded.moves)
    moves = ngettext("{count} move", "{count} moves", count).format(count=count)
    return f"{phrases.game_title(recorded.game)}, {moves}"


def list_line(number: int, recorded: Recorded) -> str:
    """A game in a list."""
    parts = (recorded.match or f"{number:>3}.", date_of(recorded), about(recorded), names_of(recorded))
    return "  ".join(part for part in parts if part)


def how_it_ended(recorded: Recorded) -> list[str]:
    """How a game ended, by its record or else by the rules; no lines for a game that just stops."""
    last = recorded.position(len(recorded.moves))
    outcome, result = last.outcome(), recorded.result
    if result is None:
        if outcome is None:
            return []
        result = result_of(outcome)
    first, second = (Player(name or "-", "human") for name in recorded.names)
    view = MatchView("", recorded.game, last, status="finished", players=(first, second), moves=recorded.moves)
    return phrases.ended(view, result)


def in_words(recorded: Recorded, at: int | None, style: Style) -> list[str]:
    """A game as lines of text: who played, its moves, the board after `at` of them (by default all), the end."""
    count = len(recorded.moves)
    ply = count if at is None else min(at, count)
    moves = ngettext("{count} move: {moves}", "{count} moves: {moves}", count)
    names = [name or "?" for name in recorded.names]
    lines = [
        " ".join(part for part in (about(recorded), date_of(recorded)) if part),
        *(f"{style.disc(seat, recorded.game.profile.look)} {name}" for seat, name in zip(Seat, names, strict=True)),
        moves.format(count=count, moves=recorded.game.format_transcript(recorded.moves)),
        _("After move {ply}:").format(ply=ply),
        *draw_position(recorded.game, recorded.position(ply), style, marked=_last(recorded, ply)),
    ]
    return lines + (how_it_ended(recorded) if ply == count else [])


def _last(recorded: Recorded, ply: int) -> tuple[tuple[int, int], ...]:
    """The cells of the last of the first `ply` moves."""
    if not ply:
        return ()
    return tuple(recorded.game.move_cells(recorded.position(ply - 1), recorded.moves[ply - 1]))
