"""The process of the house's bots: `python -m services.house.process ADDRESS BOTS`, with the secret in its environment.

One process for all of them: most of their time they wait, and ten processes would take ten times the memory. Their
searches share one core, so that games against the house never take the whole machine. A bot loads what takes time and
memory when somebody first asks it to play; on a new machine, another process compiles the searches before the bots that
need them connect.
"""

from __future__ import annotations

import asyncio
import random
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import click

from bots.running.process import connect
from bots.running.runner import BotRunner, RunSettings
from bots.search import compiled
from client.connection import Client
from client.errors import ClientError, HelloRefused, Kicked
from locales import set_language
from machine import modules
from processes.child import Child, ChildError
from protocol.errors import ErrorCode
from protocol.messages import Resign
from services import process
from services.house.entries import HouseBot, parse
from services.house.idle import Idle

CLAIMS_AFTER_S: Final = 600.0
"""How long a bot of the house waits before it claims the game of an absent opponent: they may only have put their phone
down.
"""

LOOK_S: Final = 60.0
"""The time between two checks for idle games."""


async def run(address: str, bots: Sequence[HouseBot], secret: str) -> None:
    """Lets all bots play until the server is gone; raises ExceptionGroup of what ended one of them."""
    async with asyncio.TaskGroup() as group:
        heavy = {bot.name for bot in bots if bot.bot.family.compiles(bot.bot.options, None)}
        for bot in sorted(bots, key=lambda each: each.name in heavy):
            if bot.name not in heavy:
                group.create_task(play(address, bot, secret))
        if heavy:
            await warm_up()
            for bot in bots:
                if bot.name in heavy:
                    group.create_task(play(address, bot, secret))


async def warm_up() -> None:
    """Lets another process compile what is not compiled yet, so that this one goes on playing."""
    if not compiled.is_available() or all(map(compiled.is_ready, compiled.COMPILED)):
        return
    try:
        async with Child(modules.command("warmup"), name="warmup") as child:
            await child.wait()
    except ChildError:
        return


async def play(address: str, bot: HouseBot, secret: str) -> None:
    """Lets one bot play, under a new session if the server has forgotten its own, until an organiser sends it away."""
    settings = RunSettings(
        bot.bot, str(random.SystemRandom().randrange(1_000_000)), rematch=True, obliging=True,
        claims_after_s=CLAIMS_AFTER_S, prepare=bot.bot.prepare,
    )  # fmt: skip
    while True:
        client = await connect(address, bot.name, service=secret)
        looking = asyncio.create_task(give_up_idle(client))
        try:
            await BotRunner(client, settings, _complain).run()
        except Kicked:
            return
        except HelloRefused as refused:
            if refused.code != ErrorCode.BAD_TOKEN.value:
                raise
        finally:
            looking.cancel()
            await client.close()


async def give_up_idle(client: Client) -> None:
    """Resigns games in which nobody moves any more, until it is cancelled."""
    idle, loop = Idle(), asyncio.get_running_loop()
    while True:
        await asyncio.sleep(LOOK_S)
        for match in idle.look(client.session.matches.values(), loop.time()):
            with suppress(ClientError):
                await client.ask(Resign, match=match)


def _complain(text: str) -> None:
    click.echo(text, err=True)


def main(arguments: Sequence[str]) -> None:
    """Runs the process."""
    set_language("en")
    address, bots = arguments
    process.run(lambda: run(address, parse(bots), process.secret()))


if __name__ == "__main__":
    main(sys.argv[1:])
