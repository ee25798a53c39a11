"""How the process of a bot ends when it can't play (on): a message, and a code by which who started it knows why."""

from __future__ import annotations

import click


class Unusable(click.ClickException):
    """A bot that can't be read. The cause may be in the user's file, so no usage lines are shown above the message."""

    exit_code = click.UsageError.exit_code


class Unserved(click.ClickException):
    """A league's bot has no server (any more). The code is EX_UNAVAILABLE of BSD's sysexits.h."""

    exit_code = 69


class SupervisorLost(click.ClickException):
    """The supervisor of a bot is gone, or did not start. The code is EX_TEMPFAIL of the same."""

    exit_code = 75
