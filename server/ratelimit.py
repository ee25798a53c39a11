"""How much one connection, and one address, may send. Pure: the time is a parameter, in seconds.

A token bucket needs one number: when it will be full again. A message is then a comparison and an addition of floats,
whatever the rate is, and a bucket that nobody uses needs no care.
"""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

BYTES_A_UNIT: Final = 1024
"""Every so many bytes count as a move more, so that few large messages are no way around the rate."""

LETTER: Final = 4096
"""Every so many characters of a letter count as a letter more: its host has to read it."""

_MOST_OWED: Final = 4
"""How many full buckets somebody may owe."""


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

    def spend(self, now: float, units: float) -> bool:
        """Takes `units` out even if they are not there; returns whether the bucket held any. The debt is bounded."""
        window, full_at = self._window, self._full_at
        lacking = full_at - now if full_at > now else 0.0
        owed = lacking + units * self._interval
        self._full_at = now + (owed if owed < window else min(_MOST_OWED * window, owed))
        return lacking < window

    def has_any(self, now: float) -> bool:
        """Whether the bucket is not empty."""
        return self._full_at - now < self._window

    def wait(self, now: float, units: float = 1.0) -> float:
        """How many seconds from now `units` will be there; at most until the bucket is full."""
        return max(0.0, min(self._full_at, self._full_at + units * self._interval - self._window) - now)

    def is_full(self, now: float) -> bool:
        """Whether nothing is missing."""
        return self._full_at <= now

    def full_s(self, now: float) -> float:
        """For how many seconds nothing has been missing."""
        return max(0.0, now - self._full_at)


class Debt:
    """What somebody owes: `burst` units are free, `rate` a second are forgiven, and each unit above delays its answer.

    Unlike a bucket it refuses nothing: each unit counts, so that the delay grows with every wrong guess, to `longest`
    seconds at most. After a pause of `longest` seconds the debt is below `burst` again.
    """

    __slots__ = ("_cleared_at", "_interval", "_longest", "_window")

    def __init__(self, rate: float, burst: float, longest: float) -> None:
        self._interval = 1 / rate
        self._window = burst / rate * (1 + 1e-9)
        self._longest = longest
        self._cleared_at = 0.0

    def add(self, now: float, units: float = 1.0) -> float:
        """Owes `units` more; returns by how many seconds the answer to what caused them is delayed."""
        cleared_at = max(self._cleared_at, now) + units * self._interval
        self._cleared_at = min(cleared_at, now + self._window + self._longest)
        return max(0.0, min(cleared_at - now - self._window, self._longest))

    def is_clear(self, now: float) -> bool:
        """Whether nothing is owed."""
        return self._cleared_at <= now


@dataclass(frozen=True, slots=True)
class Rates:
    """What is let through, in units a second, and `..._burst` at once; a unit is the work of a move (`weights`).

    work: of one connection; an address may ask for `address` times as much, and each of its connections for an equal
    part of that once more, which the others can't use up. A connection that goes on sending twice as much and more is
    cut off. The burst is what one second lets through. prompt: how much of one address is heard at
    once; beyond it, its peers take turns with all others that wait.
    chat: lines of one connection. codes: wrong codes from one address; the same rate holds for all addresses together.
    letters: to hosts of leagues, of one connection; a long one counts as several.
    attempts: wrong tokens from one address; a wrong password counts as ten. What is more is answered later, up to
    `attempts_delay` seconds.
    """

    work: float = 20_000.0
    address: float = 4.0
    prompt: float = 8_000.0
    prompt_burst: float = 400.0
    chat: float = 1.0
    chat_burst: float = 8.0
    letters: float = 8.0
    letters_burst: float = 64.0
    codes: float = 1.0
    codes_burst: float = 20.0
    attempts: float = 5.0
    attempts_burst: float = 300.0
    attempts_delay: float = 8.0


class AddressMeter:
    """What comes from one address: its connections, its work, and its wrong tokens, passwords and codes.

    trusted: the operator said that the address is not bounded, unless it guesses. late: how many personal codes are
    still to be judged.
    """

    __slots__ = ("attempts", "codes", "connections", "late", "prompt", "trusted", "work")

    def __init__(self, rates: Rates, *, trusted: bool = False) -> None:
        rate = rates.work * rates.address
        self.trusted = trusted
        self.connections = self.late = 0
        self.work = Bucket(rate, rate)
        self.prompt = Bucket(rates.prompt, rates.prompt_burst)
        self.codes = Bucket(rates.codes, rates.codes_burst)
        self.attempts = Debt(rates.attempts, rates.attempts_burst, rates.attempts_delay)

    def is_idle(self, now: float) -> bool:
        """Whether a new meter would do as well: it has nothing to remember."""
        buckets = (self.work, self.prompt, self.codes)
        return (
            not self.connections
            and not self.late
            and self.attempts.is_clear(now)
            and all(bucket.is_full(now) for bucket in buckets)
        )


class Meter:
    """What one connection asks for, and the meter of its address."""

    __slots__ = ("_chat", "_letters", "_refusals", "_share", "_whole", "_work", "address")

    def __init__(self, rates: Rates, address: AddressMeter) -> None:
        self.address = address
        self._work = Bucket(rates.work, rates.work)
        self._whole = rates.work * rates.address
        self._share: Bucket | None = None  # most connections never need it
        self._refusals = Bucket(rates.work, rates.work)
        self._chat = Bucket(rates.chat, rates.chat_burst)
        self._letters = Bucket(rates.letters, rates.letters_burst)

    def passes(self, now: float, units: float = 1.0) -> bool:
        """Whether so much work is within the rates."""
        return self._work.take(now, units) and (self.address.work.take(now, units) or self._takes_share(now, units))

    def _takes_share(self, now: float, units: float) -> bool:
        """Whether so much work is within what is left for each connection of an address that asks for too much."""
        part = units * max(1, self.address.connections)
        if part > self._whole:
            return False
        if self._share is None:
            self._share = Bucket(self._whole, self._whole)
        return self._share.take(now, part)

    def unused_s(self, now: float) -> float:
        """For how many seconds the bucket of work has been full: the last request is at least that long ago."""
        return self._work.full_s(now)

    def owes(self, now: float, units: float) -> None:
        """Charges for work that is already done."""
        self._work.spend(now, units)
        self.address.work.spend(now, units)

    def passes_chat(self, now: float) -> bool:
        """Whether a line of chat is within its own rate."""
        return self._chat.take(now)

    def passes_letter(self, now: float, length: int) -> bool:
        """Whether a letter of so many characters is within its own rate."""
        return self._letters.take(now, 1 + length // LETTER)

    def refuse(self, now: float) -> bool:
        """Notes that a message was refused; returns False once a peer has ignored refusals for too long."""
        return self._refusals.take(now)

    def wait_ms(self, now: float) -> int:
        """When it is worth asking for more work."""
        return _ms(max(self._work.wait(now), self.address.work.wait(now)))

    def chat_wait_ms(self, now: float) -> int:
        """When it is worth talking again."""
        return _ms(self._chat.wait(now))

    def letter_wait_ms(self, now: float, length: int) -> int:
        """When it is worth sending a letter of so many characters again."""
        return _ms(self._letters.wait(now, 1 + length // LETTER))


def address_key(host: str) -> str:
    """What counts as one address: an IPv4 address, or the IPv6 network of one subscriber (its first 64 bits)."""
    address = parse_address(host)
    if address is None:
        return host
    if isinstance(address, IPv6Address) and not (address.is_link_local or address.is_loopback):
        return address.exploded[:19]
    return str(address)


def network_key(host: str) -> str:
    """Who may have many addresses: an IPv4 address, or the largest IPv6 network that a subscriber gets (48 bits)."""
    address = parse_address(host)
    if isinstance(address, IPv6Address) and not (address.is_link_local or address.is_loopback):
        return address.exploded[:14]
    return address_key(host)


def parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """`host` as an address, without the zone; an IPv4 address in IPv6 form is the IPv4 address. None if it is none."""
    try:
        address = ip_address(host.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def _ms(seconds: float) -> int:
    return int(seconds * 1000) + 1
