"""A bot as a process of its own: connects under a free name, says that it is ready, plays, leaves when asked to."""

import sys
from contextlib import AsyncExitStack

import click

from bots.runner import Runner, Settings
from client.arrival import arrive
from client.board import clean
from client.connection import Client
from client.errors import HelloRefused
from client.identity import namesake
from protocol.errors import ErrorCode

NAMES_TRIED = 99
PATIENCE_S = 60.0
"""How long a bot waits for a server that went away without a word."""
LEAGUE_PATIENCE_S = 3600.0
"""The same in a league: it may have been stopped for a break, or its machine started again."""


async def run_bot(settings: Settings, url: str, name: str, code: str | None = None, *, resume: bool = False) -> None:
    """Plays on the server at `url` until it is done or cancelled; raises ClientError.

    Cancelled, it resigns nothing, for the seat may be taken up again; with `resume`, by the next bot of that name on
    this machine.
    """
    async with AsyncExitStack() as stack:
        if resume:
            client, _number = await stack.enter_async_context(arrive(url, name, "bot"))
        else:
            patience_s = PATIENCE_S if settings.league is None else LEAGUE_PATIENCE_S
            client = await connect(url, name, patience_s=patience_s)
            stack.push_async_callback(client.close)
        click.echo(f"ready {clean(client.name)}")
        sys.stdout.flush()
        await Runner(client, settings, _complain).run(code)


async def connect(url: str, name: str, *, patience_s: float = PATIENCE_S) -> Client:
    """A client that is connected as `name`, or as "name 2", "name 3" ... if that is taken; raises ClientError."""
    taken: HelloRefused | None = None
    for number in range(1, NAMES_TRIED + 1):
        client = Client(url, name=name if number == 1 else namesake(name, number), kind="bot", patience_s=patience_s)
        try:
            return await client.__aenter__()
        except HelloRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN.value:
                raise
            taken = refused
    assert taken is not None
    raise taken


def _complain(text: str) -> None:
    click.echo(text, err=True)
