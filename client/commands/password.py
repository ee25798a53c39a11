"""The server's password on the command line: an option, a variable, or asked for where somebody sits to type it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from client.errors import HelloRefused
from locales import _
from machine.variables import PASSWORD
from protocol.bounds import MAX_SECRET
from protocol.errors import ErrorCode

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])

ATTEMPTS = 3


def password_option(command: Command) -> Command:
    """Adds --password, which does as much as the variable: it holds for every client and server started from here."""
    return click.option(
        "--password",
        envvar=PASSWORD,
        metavar=_("PASSWORD"),
        expose_value=False,
        callback=_keep,
        help=_("Password of the server; better set {variable}.").format(variable=PASSWORD),
    )(command)


def with_password(attempt: Callable[[], T]) -> T:
    """What `attempt` returns; where the server asks for a password, and a person can type one, it is tried again."""
    for _number in range(ATTEMPTS):
        try:
            return attempt()
        except HelloRefused as refused:
            asked = refused.code == ErrorCode.PASSWORD_REQUIRED.value and refused.data.get("field") != "organiser"
            if not (asked and sys.stdin.isatty()):
                raise
        if os.environ.get(PASSWORD):
            click.echo(_("That is not the password."), err=True)
        os.environ[PASSWORD] = click.prompt(_("Password of the server:"), prompt_suffix=" ", hide_input=True, err=True)
    return attempt()


def _keep(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    del context, parameter
    if value is None:
        return
    if len(value) > MAX_SECRET:
        raise click.UsageError(_("a password has at most {count} characters.").format(count=MAX_SECRET))
    os.environ[PASSWORD] = value
