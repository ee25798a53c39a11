"""The demonstration: one match between two bots, drawn move by move as its referee announces it."""

import asyncio
import sys
from collections.abc import Sequence

import click

from games.base import Game, Seat
from league.executors.local_server import LocalServer, LocalServerError
from locales import _, ngettext
from protocol.messages import Create, Finished, Moved, Thought
from protocol.timing import parse_clock
from terminal.board import Style, draw_match
from terminal.phrases import ended
from view.match import MatchView

SEED = "demo"

SHOW_S = 7.0
"""How long the moves of a whole board take to show."""

LONGEST_PAUSE_S = 0.6
_PATIENCE_S = 60.0


class Screen:
    """Redraws a match in place; without a terminal it prints a line a move, and the board at the end."""

    def __init__(self, game: Game, style: Style, *, in_place: bool, paced: bool) -> None:
        self._style = style
        self._in_place = in_place
        self._pause_s = min(LONGEST_PAUSE_S, SHOW_S / game.usual) if paced else 0.0
        self._drawn = 0

    async def moved(self, view: MatchView, moved: Moved, thought: Thought | None) -> None:
        """Shows a move, and what its player saw."""
        caption = f"{moved.ply + 1:>3}. {self._style.disc(Seat(moved.seat), view.game.profile.look)} {moved.move}"
        if thought is not None and thought.ply == moved.ply and thought.seat == moved.seat and thought.nodes:
            looked = ngettext("{count} position looked at", "{count} positions looked at", thought.nodes)
            caption = f"{caption}   {looked.format(count=thought.nodes)}"
        if self._in_place:
            self._draw([*draw_match(view, view.clocks_at, self._style), "", caption])
        else:
            click.echo(caption)
        await asyncio.sleep(self._pause_s)

    def finished(self, view: MatchView) -> None:
        """Shows the end: the board with what won, and the result in words."""
        assert view.result is not None
        lines = [*draw_match(view, view.clocks_at, self._style), "", *ended(view, view.result)]
        if self._in_place:
            self._draw(lines)
        else:
            click.echo("\n".join(["", *lines]))

    def _draw(self, lines: Sequence[str]) -> None:
        back = f"\x1b[{self._drawn}F\x1b[J" if self._drawn else ""
        click.echo(back + "\n".join(lines))
        sys.stdout.flush()
        self._drawn = len(lines)


async def show(game: Game, bots: Sequence[str], screen: Screen) -> None:
    """Plays and shows one match; raises LocalServerError."""
    click.echo(_("A server and two bots start, each in a process of its own ..."), err=True)
    async with LocalServer(bots, SEED, game) as local:
        title = _("{first} against {second}; a server referees")
        click.echo(title.format(first=local.names[0], second=local.names[1]))
        click.echo()
        async with asyncio.timeout(_PATIENCE_S):
            await _follow(local, game, screen)
    _show_what_next(game, bots)


async def _follow(local: LocalServer, game: Game, screen: Screen) -> None:
    client = local.client
    names = (local.names[0], local.names[1])
    answer = await client.request(
        Create, game=game.spec, clock=parse_clock(game.profile.demo_clock), seat="first", play=False, invite=names
    )
    thought: Thought | None = None
    async for message in client.messages():
        view = client.session.matches.get(str(answer.match))
        match message:
            case Thought():
                thought = message
            case Moved() if view is not None:
                await screen.moved(view, message, thought)
            case Finished() if view is not None:
                screen.finished(view)
                return
            case _:
                pass
    raise LocalServerError(_("The server is gone: {reason}.").format(reason=local.server.stderr))


def _show_what_next(game: Game, bots: Sequence[str]) -> None:
    click.echo()
    click.echo(_("What to type next:"))
    rows = [
        (f"python3 run.py play --game {game.spec} --against {bots[1]}", _("play against that bot yourself")),
        (f"python3 run.py play --host-here --game {game.spec}", _("play with somebody on your network")),
        (f"python3 run.py match --game {game.spec} {bots[0]} random --games 10", _("let bots play ten games")),
    ]
    for command, what in rows:
        click.echo(f"  {command}\n      {what}")
