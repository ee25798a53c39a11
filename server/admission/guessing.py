"""What becomes of a wrong password, organisers' secret or token: its answer waits, and a line in the log says so.

A right secret is let in at once, whatever else came from its address, since a whole school may share one. Only the
answer to a wrong secret waits, once its address has used up its free attempts. Meanwhile its connection is held and
not read. Few are held at once: the others are answered and closed without a wait. So the number of guesses depends on
how many connections an address can open; docs/server.md says how many.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

import msgspec

from protocol.errors import ErrorCode
from protocol.messages import Error, Hello
from server.connections.handshakes import Handshake, Handshakes, Stage
from server.connections.peer import Peer
from server.logs import Event, note
from server.ratelimit import address_key
from server.referee.effects import Close, Effect, Send

POLICY_VIOLATION = 1008
"""The close code after a wrong secret."""

HELD_OF_ADDRESS: Final = 16
"""Wrong answers of one address that wait at once."""

QUIET_S: Final = 5.0
"""Between two lines of the log about the same address."""

_COST = {ErrorCode.BAD_TOKEN.value: 1.0, ErrorCode.PASSWORD_REQUIRED.value: 10.0}
"""What guessing costs: a token has 128 bits, a password is a word that somebody thought of."""

_MAX_TOLD = 100
"""Addresses that the log tells apart at one time; guesses from others share one line."""


class Guessing:
    """Answers wrong guesses. handshakes: knows who is held."""

    def __init__(self, handshakes: Handshakes) -> None:
        self._loop = asyncio.get_running_loop()
        self._handshakes = handshakes
        self._untold: dict[tuple[Event, str], int] = {}
        self.wrong = {"password": 0, "organiser": 0, "service": 0, "token": 0}

    def judge(
        self, peer: Peer, hello: Hello, effects: Sequence[Effect], perform: Callable[[Sequence[Effect]], object]
    ) -> Sequence[Effect]:
        """Those of the `effects` of a `hello` that happen now; the rest is performed when its time has come."""
        error = next((e.message for e in effects if isinstance(e, Send) and isinstance(e.message, Error)), None)
        shown = None if error is None else _shown(hello, error)
        if error is None or shown is None or peer.meter is None:
            return effects
        self.wrong[shown] += 1
        address = peer.meter.address
        self._tell(Event.WRONG_TOKEN if shown == "token" else Event.WRONG_PASSWORD, peer.host)
        delay = address.attempts.add(self._loop.time(), _COST[error.code])
        if not delay:
            return effects
        last = _last_words(peer, error)
        peer.ignored = True
        if peer.handshake is None:
            return last
        if self._handshakes.held(address) >= HELD_OF_ADDRESS:
            self._handshakes.proceed(peer.handshake, Stage.LEAVING)
            return last
        self._handshakes.proceed(peer.handshake, Stage.HELD)
        peer.hold()
        self._loop.call_later(delay, self._answer, peer, peer.handshake, last, perform)
        return ()

    def _answer(
        self, peer: Peer, handshake: Handshake, last: Sequence[Effect], perform: Callable[[Sequence[Effect]], object]
    ) -> None:
        self._handshakes.proceed(handshake, Stage.LEAVING)
        peer.release()
        perform(last)

    def _tell(self, event: Event, host: str) -> None:
        """One line at once, then one every QUIET_S seconds as long as it goes on."""
        key = (event, address_key(host))
        if key not in self._untold and len(self._untold) >= _MAX_TOLD:
            key = (event, "...")
        if key in self._untold:
            self._untold[key] += 1
            return
        self._untold[key] = 0
        note(event, address=key[1], count=1)
        self._loop.call_later(QUIET_S, self._tell_more, key)

    def _tell_more(self, key: tuple[Event, str]) -> None:
        count = self._untold.pop(key)
        if count:
            self._untold[key] = 0
            note(key[0], address=key[1], count=count)
            self._loop.call_later(QUIET_S, self._tell_more, key)


def _shown(hello: Hello, error: Error) -> str | None:
    """Which secret was wrong; None if none was shown: a client that does not know of the password is not guessing."""
    if error.code == ErrorCode.BAD_TOKEN.value:
        return "token"
    if error.code != ErrorCode.PASSWORD_REQUIRED.value:
        return None
    field = (error.data or {}).get("field")
    if field in ("organiser", "service"):
        return str(field)
    return None if hello.password is None else "password"


def _last_words(peer: Peer, error: Error) -> Sequence[Effect]:
    """The true answer, with which the connection ends: its other messages are not read any more."""
    return (
        Send((peer.number,), msgspec.structs.replace(error, fatal=True)),
        Close(peer.number, POLICY_VIOLATION, "too many wrong passwords or tokens"),
    )
