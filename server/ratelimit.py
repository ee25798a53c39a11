"""How much one connection, and one address, may send. Pure: the time is a parameter, in seconds.

A token bucket needs one number: when it will be full again. A message is then a comparison and an addition of floats,
whatever the rate is, and a bucket that nobody uses needs no care.
"""

from __future__ import annotations

from dataclasses import dataclass

BYTES_A_MESSAGE = 1024
"""Every so many bytes count as one message more, so that few large ones are no way around the rate."""


class Bucket:
    """Lets `rate` units a second through, and `burst` at once after a pause.

    The generic cell rate algorithm (ITU-T I.371): `_full_at` is when the bucket will be full again, and what it lacks
    is that time from now, times the rate.
    """

    __slots__ = ("_full_at", "_interval", "_window")

    def __init__(self, rate: float, burst: float) -> None:
        self._interval = 1 / rate
        self._window = burst / rate * (1 + 1e-9)  # the sum of many intervals rounds
        self._full_at = 0.0

    def take(self, now: float, units: float = 1.0) -> bool:
        """Takes `units` out (at most what a full bucket holds), if they are there; else nothing."""
        window, full_at, cost = self._window, self._full_at, units * self._interval
        # Conditions, not min and max: this stands before each message, and calls would double what it costs.
        lacking = full_at - now if full_at > now else 0.0
        lacking += cost if cost < window else window  # noqa: FURB136 - as above
        if lacking > window:
            return False
        self._full_at = now + lacking
        return True

    def wait(self, now: float, units: float = 1.0) -> float:
        """How many seconds from now `units` will be there; at most until the bucket is full."""
        return max(0.0, min(self._full_at, self._full_at + units * self._interval - self._window) - now)

    def is_full(self, now: float) -> bool:
        """Whether nothing is missing."""
        return self._full_at <= now


class Debt:
    """What somebody owes: `burst` units are free, `rate` a second are forgiven, and what is above delays its answer.

    Unlike a bucket it refuses nothing: each unit counts, so that the delay grows with every wrong guess, to `longest`
    seconds at most. After a pause of as long it is below its burst again.
    """

    __slots__ = ("_cleared_at", "_interval", "_longest", "_window")

    def __init__(self, rate: float, burst: float, longest: float) -> None:
        self._interval = 1 / rate
        self._window = burst / rate * (1 + 1e-9)
        self._longest = longest
        self._cleared_at = 0.0

    def add(self, now: float, units: float = 1.0) -> float:
        """Owes `units` more; returns the seconds by which what caused them is answered later."""
        cleared_at = max(self._cleared_at, now) + units * self._interval
        self._cleared_at = min(cleared_at, now + self._window + self._longest)
        return max(0.0, min(cleared_at - now - self._window, self._longest))

    def is_clear(self, now: float) -> bool:
        """Whether nothing is owed."""
        return self._cleared_at <= now


@dataclass(frozen=True, slots=True)
class Rates:
    """What is let through, in units a second, and `..._burst` at once.

    messages: of one connection; an address may send `address` times as many. A connection that goes on sending twice
    as much and more is cut off. The burst of messages is what one second lets through.
    chat: lines of one connection. attempts: wrong tokens from one address; a wrong password counts as ten. What is
    more is answered later, up to `attempts_delay` seconds.
    """

    messages: float = 20_000.0
    address: float = 4.0
    chat: float = 1.0
    chat_burst: float = 8.0
    attempts: float = 5.0
    attempts_burst: float = 300.0
    attempts_delay: float = 8.0


class AddressMeter:
    """What comes from one address: its connections, its messages, and its wrong tokens and passwords.

    trusted: its owner said that the address is not bounded.
    """

    __slots__ = ("attempts", "connections", "messages", "trusted")

    def __init__(self, rates: Rates, *, trusted: bool = False) -> None:
        rate = rates.messages * rates.address
        self.trusted = trusted
        self.connections = 0
        self.messages = Bucket(rate, rate)
        self.attempts = Debt(rates.attempts, rates.attempts_burst, rates.attempts_delay)

    def is_idle(self, now: float) -> bool:
        """Whether a new meter would know as much."""
        return not self.connections and self.attempts.is_clear(now) and self.messages.is_full(now)


class Meter:
    """What one connection sends, and the meter of its address."""

    __slots__ = ("_chat", "_messages", "_refusals", "address")

    def __init__(self, rates: Rates, address: AddressMeter) -> None:
        self.address = address
        self._messages = Bucket(rates.messages, rates.messages)
        self._refusals = Bucket(rates.messages, rates.messages)
        self._chat = Bucket(rates.chat, rates.chat_burst)

    def passes(self, now: float, units: float = 1.0) -> bool:
        """Whether a message is within the rates."""
        return self._messages.take(now, units) and self.address.messages.take(now, units)

    def passes_chat(self, now: float) -> bool:
        """Whether a line of chat is within its own rate."""
        return self._chat.take(now)

    def refuse(self, now: float) -> bool:
        """Notes that a message was refused; False once that went on for too long: the peer does not listen."""
        return self._refusals.take(now)

    def wait_ms(self, now: float, *, chat: bool) -> int:
        """When it is worth trying again."""
        waits = (self._chat.wait(now),) if chat else (self._messages.wait(now), self.address.messages.wait(now))
        return int(max(waits) * 1000) + 1
