"""Async context managers that are opened in steps and clean up at their end, or when a step fails."""

from abc import ABC, abstractmethod
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self


class Resource(ABC):
    """An async context manager: `_start` enters what it needs into `_stack`, which is closed in reverse."""

    def __init__(self) -> None:
        self._stack = AsyncExitStack()

    @abstractmethod
    async def _start(self) -> None:
        """Opens everything."""

    @abstractmethod
    def _meaning(self, error: BaseException) -> Exception | None:
        """The error to raise for an error of `_start`; None for that error itself."""

    async def __aenter__(self) -> Self:
        """Starts everything; raises what the class says, and leaves nothing behind."""
        try:
            await self._start()
        except BaseException as error:
            await self._stack.aclose()
            if (meaning := self._meaning(error)) is not None:
                raise meaning from error
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()
