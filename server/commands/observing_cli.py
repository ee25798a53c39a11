"""The options of `arbitre serve` that say how the server is watched, as one value."""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from locales import _

if TYPE_CHECKING:
    from server.app import App
    from server.connections.connection_bounds import Bounds

ADMIN_HOST = "127.0.0.1"
"""Where --admin-port listens: for programs on this machine."""

_LEVELS = ("debug", "info", "warning", "error")


@dataclass(frozen=True, slots=True)
class Observing:
    """What the operator chose; limits: JSON of a connection's `Bounds`, for tests that can't wait."""

    admin_port: int | None = None
    log_json: bool = False
    log_level: str | None = None
    limits: str = "{}"

    def bounds(self) -> Bounds:
        """What one connection may cost."""
        from msgspec.json import decode

        from server.connections.connection_bounds import Bounds

        return decode(self.limits, type=Bounds)

    def set_up_logs(self) -> None:
        """Sets up the log: by default warnings for people, or with --log-json all from level info on for programs."""
        from server.logs import set_up

        level = self.log_level or ("info" if self.log_json else "warning")
        set_up(as_json=self.log_json, level=logging.getLevelNamesMapping()[level.upper()])

    async def started(self, app: App, host: str, port: int) -> None:
        """To be called when the server listens; raises OSError for an admin port that is taken."""
        from server.logs import Event, note

        note(Event.STARTED, pid=os.getpid())
        note(Event.LISTENING, host=host, port=port)
        if self.admin_port is not None:
            admin = await app.start_admin(ADMIN_HOST, self.admin_port)
            place = next(iter(admin.sockets)).getsockname()[1]
            note(Event.LISTENING, host=ADMIN_HOST, port=place)
            address = f"http://{ADMIN_HOST}:{place}"
            click.echo(_("health and figures: {address}/healthz and /metrics").format(address=address), err=True)


def observing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to `command`, which gets their values as `observing`."""

    @functools.wraps(command)
    def run(
        *args: Any, admin_port: int | None, log_json: bool, log_level: str | None, bounds: str, **others: Any
    ) -> None:
        command(*args, observing=Observing(admin_port, log_json, log_level, bounds), **others)

    for option in _options():
        option(run)
    return run


def _options() -> list[Callable[[Callable[..., None]], Callable[..., None]]]:
    """The options; the last stands first in the help."""
    return [
        click.option("--bounds", default="{}", hidden=True),
        click.option("--log-json", is_flag=True, help=_("Log one JSON object a line.")),
        click.option(
            "--log-level",
            type=click.Choice(_LEVELS),
            help=_("What is logged; by default warnings, and with --log-json all that happens."),
        ),
        click.option(
            "--admin-port",
            type=click.IntRange(0, 65535),
            help=_("Answer /healthz and /metrics on this port of this machine only, not on the public one."),
        ),
    ]
