"""Transports without a network, for connections of the shell."""

from __future__ import annotations

import asyncio
from typing import Any


class Swallowing(asyncio.Transport):
    """A transport that swallows what is written."""

    def __init__(self) -> None:
        super().__init__()
        self.closed = False

    def write(self, data: object) -> None:
        assert not self.closed

    def can_write_eof(self) -> bool:
        return True

    def write_eof(self) -> None:
        """Nothing follows."""

    def is_closing(self) -> bool:
        return self.closed

    def abort(self) -> None:
        self.closed = True

    def pause_reading(self) -> None:
        """The test goes on all the same."""

    def resume_reading(self) -> None:
        """The test never stopped."""

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """None."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default
