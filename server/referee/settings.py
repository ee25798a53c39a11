"""What an operator may set of the referee, secrets among it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.match.terms import Timeouts


@dataclass(frozen=True, slots=True)
class Access:
    """The secrets of a server: the password that all must know, if there is one, that of the organisers, and the one
    that is drawn for what the server starts for itself.
    """

    password: str | None = field(default=None, repr=False)
    organiser: str | None = field(default=None, repr=False)
    service: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Shares:
    """What one address may have at once.

    sessions: connected, or kept for those who may come back. matches: waiting or being played, by who opened them.
    waiting: matches of these with a seat that nobody was invited to. leagues: that sessions from there host.
    """

    sessions: int = 500
    matches: int = 1_000
    waiting: int = 100
    leagues: int = 20


@dataclass(frozen=True, slots=True)
class HouseShares:
    """How many games the bots of the house play at once: in all, with one visitor, with the visitors of one address."""

    games: int = 24
    of_visitor: int = 3
    of_address: int = 18

    @staticmethod
    def of(games: int) -> HouseShares:
        """The shares of so many games in all: three quarters are the most that one address takes."""
        return HouseShares(games, min(3, games), max(1, games * 3 // 4))


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator may set.

    max_matches: matches that wait or are played at once, of all users; max_own: of one user. max_sessions: users, those
    who may come back among them. shares: what one address may take of all this. house: how much the bots of the house
    play. delay_ms: how much later spectators see the matches of people.
    """

    timeouts: Timeouts = field(default_factory=Timeouts)
    max_frame_bytes: int = 1 << 16
    max_matches: int = 10_000
    max_own: int = 1_000
    max_sessions: int = 40_000
    shares: Shares = field(default_factory=Shares)
    house: HouseShares = field(default_factory=HouseShares)
    lag_compensation: bool = True
    access: Access = field(default_factory=Access)
    delay_ms: int = 0
