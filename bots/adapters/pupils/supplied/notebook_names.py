"""Stand-ins for what is there only while somebody works in a notebook: `display`, `get_ipython`, the module IPython."""

from collections.abc import Mapping
from typing import Final

from bots.adapters.pupils.supplied import windows


def display(*shown: object, **options: object) -> None:
    """Prints what a notebook would show."""
    del options
    print(*shown)  # noqa: T201 - the pupil's screen


BUILT_IN: Final[Mapping[str, object]] = {"display": display, "get_ipython": windows.Window}
"""The names that every cell of a notebook may use."""

MODULE: Final[Mapping[str, object]] = {**windows.names(), "display": display}
"""The names of IPython: classes that accept any use and do nothing, as for windows."""
