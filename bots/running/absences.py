"""Claims of a bot whose opponent is away: when the server would grant one, and again while it says "not yet"."""

import asyncio
from collections.abc import Callable, Coroutine

from client.connection import Client
from client.errors import ClientError, Refused, pause_s
from protocol.messages import Claim
from view.match import MatchView

_MARGIN_S = 0.05
_AGAIN_S = 0.1


class AbsenceClaims:
    """A timer for each match whose opponent is away; when it goes off, the bot claims the match.

    spawn: runs a coroutine beside the caller. wait_s: how long a bot waits at least, whatever the server allows.
    """

    def __init__(self, client: Client, spawn: Callable[[Coroutine[object, object, None]], None], wait_s: float) -> None:
        self._client = client
        self._spawn = spawn
        self._wait_s = wait_s
        self._timers: dict[str, asyncio.TimerHandle] = {}

    def watch(self, view: MatchView) -> None:
        """Sets the timer of a match that the bot plays if its opponent is away, and stops it if they are back."""
        assert view.seat is not None
        opponent = view.player(view.seat.other)
        if opponent is None or opponent.present or view.waits_for_absent:
            self.stop(view.match)
        elif view.match not in self._timers:
            welcome = self._client.session.welcome
            absence_s = welcome.limits.absence_ms / 1000 if welcome is not None else 0.0
            left_s = absence_s if view.claimable_at is None else view.claimable_at - self._client.now()
            self._set(view.match, max(left_s, self._wait_s) + _MARGIN_S)

    def stop(self, match: str) -> None:
        """Nothing is to be claimed in a match."""
        timer = self._timers.pop(match, None)
        if timer is not None:
            timer.cancel()

    def close(self) -> None:
        """Stops all timers."""
        for match in list(self._timers):
            self.stop(match)

    def _set(self, match: str, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timers[match] = loop.call_later(max(0.0, seconds), lambda: self._spawn(self._claim(match)))

    async def _claim(self, match: str) -> None:
        try:
            await self._client.request(Claim, match=match)
        except Refused as refused:
            if match in self._timers and refused.retry_after_ms:
                self._set(match, max(_AGAIN_S, pause_s(refused.retry_after_ms)))
        except ClientError:
            pass  # the connection is gone: what became of the match shows after the reconnect
