"""The matches that the reader follows without a seat, as long as they are in sight."""

from __future__ import annotations

from collections.abc import Callable, Collection, Coroutine
from typing import Any

from client.errors import ClientError, Refused
from client.tui.place import Place
from protocol.messages import Leave, Watch
from view.match import MatchView


class Audience:
    """Follows matches of `place`. do: runs a coroutine in the background. refused: matches that can't be watched."""

    def __init__(self, place: Place, do: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self._client = place.client
        self._do = do
        self._wanted: list[str] = []
        self.refused: set[str] = set()

    def view_of(self, match: str) -> MatchView | None:
        """The view of a match, None if it has not come yet."""
        return self._client.session.matches.get(match)

    def want(self, matches: Collection[str]) -> None:
        """Follows these matches and no others."""
        before, self._wanted = self._wanted, [match for match in matches if match not in self.refused]
        for match in before:
            if match not in self._wanted:
                self._leave(match)
        for match in self._wanted:
            if match not in before:
                self._do(self._watch(match))

    def ask_again(self) -> None:
        """Follows the matches again on a new connection: a restarted server has forgotten its spectators."""
        for match in self._wanted:
            self._do(self._watch(match))

    async def _watch(self, match: str) -> None:
        try:
            await self._client.request(Watch, match=match)
        except Refused:
            self.refused.add(match)
        except ClientError:
            pass  # `ask_again` repeats the request when the connection is back

    def _leave(self, match: str) -> None:
        self._client.session.forget(match)
        self._client.send(Leave, match=match)
