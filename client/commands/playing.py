"""What `arbitre play` and `arbitre watch` do: they find a match, and show it line by line or on the full screen."""

from __future__ import annotations

import os
import sys
from contextlib import AsyncExitStack

from client.people.plain import PlainMatch
from client.people.seating import Wish
from client.people.sitting import Options, Sitting, look_on, sit_down, spectate
from protocol.messages import Leave
from terminal.board import Style
from terminal.lines import open_terminal


async def play(options: Options, wish: Wish) -> int:
    """Plays until the person leaves; raises ClientError."""
    async with AsyncExitStack() as stack:
        sitting = await sit_down(stack, options, wish)
        if sitting is not None:
            await _at_the_table(sitting, options)
    return 0


async def watch(options: Options, match: str | None) -> int:
    """Shows a match to its end, by default the only public one; raises ClientError.

    On the full screen the default is the list of all that is played there.
    """
    async with AsyncExitStack() as stack:
        if options.full and match is None:
            from client.tui.program import show_around

            await show_around(await spectate(stack, options), ascii_only=options.ascii)
            return 0
        sitting = await look_on(stack, options, match)
        await _at_the_table(sitting, options)
        sitting.session.client.send(Leave, match=sitting.match)
    return 0


async def _at_the_table(sitting: Sitting, options: Options) -> None:
    if options.full:
        from client.tui.program import show_match

        await show_match(sitting, ascii_only=options.ascii)
        return
    session = sitting.session
    style = Style(ascii=options.ascii, colour=sys.stdout.isatty() and not os.environ.get("NO_COLOR"))
    with open_terminal() as terminal:
        terminal.show(*sitting.lines)
        if session.server is not None:
            session.server.tell = terminal.show
        match = PlainMatch(
            session.client,
            terminal,
            style,
            sitting.match,
            stay=options.stay,
            watched=sitting.watched,
            returns=session.lasts,
        )
        await match.run()
