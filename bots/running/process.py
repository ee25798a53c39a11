"""A bot in a process of its own: connects under a free name, says that it is ready, plays, and leaves when asked to."""

import sys
from contextlib import AsyncExitStack
from dataclasses import replace

import click

from bots.running.runner import BotRunner, RunSettings
from client.connection import Client
from client.errors import HelloRefused
from locales import _
from locales.folding import fold_for
from protocol.errors import ErrorCode
from terminal.text import clean
from view.match import MatchView

NAMES_TRIED = 99
PATIENCE_S = 60.0
"""How long a bot waits for a server that went away without a word."""
LEAGUE_PATIENCE_S = 3600.0
"""The same in a league, whose server may be stopped for a break, or its machine restarted."""

RENEWALS = 3
"""How often in a row, without a game, a bot enters a league anew because the server has forgotten its session."""


async def run_bot(settings: RunSettings, url: str, name: str, code: str | None = None, *, resume: bool = False) -> None:
    """Plays on the server at `url` until it is done or cancelled; raises ClientError.

    When it is cancelled, it resigns nothing: with `resume`, and in a league, the next bot of that name on this machine
    takes its seats up again. In a league it goes on under a new session if the server has forgotten its own.
    """
    tell = GameReporter().tell if settings.league is not None or sys.stderr.isatty() else None
    renewals, again = 0, False
    while True:
        runner: BotRunner | None = None
        try:
            async with AsyncExitStack() as stack:
                client, wished = await _place(stack, settings, url, name, resume=resume)
                said = _("{name} is here.") if sys.stdout.isatty() else "ready {name}"  # programs read that
                click.echo(said.format(name=clean(client.name)))
                sys.stdout.flush()
                if client.name != name and settings.insists and settings.league is None:  # names in a league may differ
                    text = _("The name {wished}, or one that looks like it, is in use: here this bot is {name}.")
                    _complain(text.format(wished=clean(name), name=clean(client.name)))
                runner = BotRunner(client, replace(settings, entry=wished), _complain, tell)
                await runner.run(code, again=again)
                return
        except HelloRefused as refused:
            finished = 0 if runner is None else runner.finished
            renewals = 1 if finished else renewals + 1
            forgotten = settings.league is not None and refused.code == ErrorCode.BAD_TOKEN.value
            if runner is None or not forgotten or renewals > RENEWALS:
                raise
            if settings.count is not None:
                settings = replace(settings, count=settings.count - finished)
            again = True
            _complain(_("The server has forgotten this bot's session: it enters the league again."))


async def _place(
    stack: AsyncExitStack, settings: RunSettings, url: str, name: str, *, resume: bool
) -> tuple[Client, str | None]:
    """A session that lasts until `stack` closes, and the name to enter a league under. Raises ClientError.

    In a league, or with `resume`, it is the session that the last bot of this name has left, if there is one: with its
    seats and its name.
    """
    if resume or settings.league is not None:
        from client.arrival import arrive

        return_s = PATIENCE_S if settings.league is None else LEAGUE_PATIENCE_S
        arrival = await stack.enter_async_context(arrive(url, name, "bot", return_s=return_s))
        return arrival.client, arrival.wished
    client = await connect(url, name)
    stack.push_async_callback(client.close)
    return client, None


class GameReporter:
    """Tells the bot's author of each game: against whom, how it ended, and the bot's score so far."""

    def __init__(self) -> None:
        self._made = [0, 0, 0]

    def tell(self, view: MatchView) -> None:
        """One line on standard error; `view` is of a match that is over."""
        from terminal import phrases

        assert view.result is not None
        assert view.seat is not None
        winner = view.result.winner
        self._made[1 if winner is None else 0 if winner == view.seat else 2] += 1
        won, drawn, lost = self._made
        text = _("Game {number}, against {name}. {verdict} So far: +{won} ={drawn} -{lost}.")
        verdict = phrases.ended(view, view.result)[0]
        name = phrases.name_of(view, view.seat.other)
        _complain(text.format(number=sum(self._made), name=name, verdict=verdict, won=won, drawn=drawn, lost=lost))


async def connect(url: str, name: str, *, patience_s: float = PATIENCE_S, service: str | None = None) -> Client:
    """A client that is connected as `name`, or as "name 2", "name 3" ... if that is taken; raises ClientError.

    service: the secret by which it proves that it is a bot of the house.
    """
    taken: HelloRefused | None = None
    for number in range(1, NAMES_TRIED + 1):
        client = Client(url, name=_numbered(name, number), kind="bot", patience_s=patience_s, service=service)
        try:
            return await client.__aenter__()
        except HelloRefused as refused:
            if refused.code != ErrorCode.NAME_TAKEN.value:
                raise
            taken = refused
    assert taken is not None
    raise taken


def _numbered(name: str, number: int) -> str:
    """`name` itself for number 1; for a higher number the name of that namesake, such as "name 2"."""
    if number == 1:
        return name
    from client.identity import namesake

    return namesake(name, number)


def _complain(text: str) -> None:
    click.echo(fold_for(sys.stderr, text), err=True)
