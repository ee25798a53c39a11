"""The options of `arbitre serve` that say how the server is watched, as one value."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from server.delivery import Bounds


@dataclass(frozen=True, slots=True)
class Observing:
    """What the operator chose; limits: JSON of `server.delivery.Bounds`, for tests that can't wait as long."""

    limits: str = "{}"

    def bounds(self) -> Bounds:
        """What one connection may cost."""
        from msgspec.json import decode

        from server.delivery import Bounds

        return decode(self.limits, type=Bounds)


def observing_options(command: Callable[..., None]) -> Callable[..., None]:
    """Adds the options to `command`, which gets their values as `observing`."""

    @functools.wraps(command)
    def run(*args: Any, bounds: str, **others: Any) -> None:
        command(*args, observing=Observing(bounds), **others)

    for option in _options():
        option(run)
    return run


def _options() -> list[Callable[[Callable[..., None]], Callable[..., None]]]:
    """The options; the last stands first in the help."""
    return [click.option("--bounds", default="{}", hidden=True)]
