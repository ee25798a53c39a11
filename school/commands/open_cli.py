"""The command `arbitre class open`: the class on a server, with its desk, its wall and what it hands in."""

from __future__ import annotations

import shlex
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _
from locales.folding import echo

if TYPE_CHECKING:
    from school.config import Classroom
    from school.journal import Journal
    from school.opening import Opened, ServerOptions

HOST = "0.0.0.0"  # noqa: S104 - pupils come from other machines
PORT = 8765


@click.command(
    "open",
    short_help=_("Open a class: its pages, its desk and its wall"),
    help=_(
        "Open the class in FOLDER: pupils come with their cards, hand in programs, and play; you run all of it from "
        "the desk, on the page.\n\nCtrl-C closes it; the same command goes on where it was, also amid a league."
    ),
)
@click.argument("path", metavar=_("FOLDER"), type=click.Path(path_type=Path))
@click.option("--host", default=HOST, show_default=True, help=_("Address of the server that is started."))
@click.option("--port", default=PORT, show_default=True, type=click.IntRange(0, 65535), help=_("Its port."))
@click.option("--no-mdns", is_flag=True, help=_("Don't announce that server on your network."))
@click.option("--no-house-bots", is_flag=True, help=_("Have no bots of the house."))
@click.option(
    "--trust-programs",
    is_flag=True,
    help=_("Run what pupils hand in although this machine has no sandbox: it can then do all that you can."),
)
def open_command(path: Path, host: str, port: int, *, no_mdns: bool, no_house_bots: bool, trust_programs: bool) -> None:
    """Opens a class, or goes on with it."""
    from league.history.lease import Lease, LeaseTakenError
    from locales.system import reason
    from school.folder import load_class, located
    from school.journal import Journal, JournalError
    from school.opening import ServerOptions

    folder = located(path)
    place = ServerOptions(host, port, announced=bool(port) and not no_mdns, house=not no_house_bots)
    try:
        with _going_on(_again(folder, place, trusts=trust_programs)), Lease(folder), Journal(folder) as journal:
            _run(folder, load_class(folder), journal, place, trusts=trust_programs)
    except (LeaseTakenError, JournalError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        text = _("{folder} can't be used: {reason}.").format(folder=folder, reason=reason(error))
        raise click.ClickException(text) from error


def _again(folder: Path, place: ServerOptions, *, trusts: bool) -> str:
    """The line that opens the class as now: with another port, pages that wait would never find it again."""
    from machine.modules import program

    words = ["class", "open", str(folder)]
    words += ["--host", place.host] if place.host != HOST else []
    words += ["--port", str(place.port)] if place.port != PORT else []
    words += ["--no-mdns"] if place.port and not place.announced else []
    words += ["--no-house-bots"] if not place.house else []
    words += ["--trust-programs"] if trusts else []
    return f"{program()} {shlex.join(words)}"


@contextmanager
def _going_on(again: str) -> Generator[None]:
    """Ends well, and says how to go on, if a signal comes at whatever moment: so does a teacher close the class."""
    from processes.stopping import Stopped

    try:
        yield
    except (Stopped, KeyboardInterrupt) as error:
        _say(_("The class is closed, and all of it kept. To go on:"))
        _say(f"  {again}")
        raise click.exceptions.Exit(0) from error


def _run(folder: Path, classroom: Classroom, journal: Journal, place: ServerOptions, *, trusts: bool) -> None:
    from league.executors.base import ExecutorError, RunError
    from processes import stopping
    from processes.child import ChildError
    from processes.sandbox import obstacle
    from school.folder import keep_codes, read_entrance
    from school.opening import open_class
    from school.state import ClassState

    codes = keep_codes(folder, ClassState.of(classroom.teams, journal.events).doors)
    hindrance = obstacle()
    if hindrance is not None and not trusts:
        text = _(
            "No sandbox: {reason}. What pupils hand in is kept and not run; --trust-programs runs it all the same."
        )
        _say(text.format(reason=hindrance))
    work = open_class(
        folder, classroom, journal, codes, read_entrance(folder), place,
        sandbox=hindrance is None, runs=hindrance is None or trusts, reached=partial(_for_others, host=place.host),
        say=_say, ready=_show,
    )  # fmt: skip
    try:
        stopping.run(work)
    except ChildError as error:
        raise click.ClickException("\n  ".join((str(error), *error.stderr.splitlines()[-3:]))) from error
    except (ExecutorError, RunError) as error:
        raise click.ClickException(str(error)) from error


def _show(opened: Opened) -> None:
    """Prints the addresses of the pupils' page, the desk and the wall, and the teacher's secret."""
    entrance, secret = opened
    _say(_("The class is open. Pupils: {address}").format(address=f"{entrance.address}/class/{entrance.code}"))
    _say(_("The desk:   {address}").format(address=f"{entrance.address}/desk/{entrance.code}"))
    _say(_("The wall:   {address}").format(address=f"{entrance.address}/desk/{entrance.code}?wall"))
    _say(_("The desk asks for the teacher's secret: {secret}").format(secret=secret))


def _for_others(url: str, host: str) -> str:
    """The address of our server as other machines reach it, if it listens to all of them."""
    from machine.networks import lan_address

    lan = lan_address() if host == HOST else None
    return url if lan is None else url.replace("127.0.0.1", lan)


def _say(text: str) -> None:
    echo(text, err=True)
