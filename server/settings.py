"""What an operator may set of the referee, secrets among it. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field

from server.match import Timeouts


@dataclass(frozen=True, slots=True)
class Access:
    """The secrets of a server: the password that all must know, if there is one, and that of the organisers."""

    password: str | None = field(default=None, repr=False)
    organiser: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """What an operator may set.

    max_matches: matches that wait or are played at once, of all users; max_own: of one user.
    """

    timeouts: Timeouts = field(default_factory=Timeouts)
    max_frame_bytes: int = 1 << 16
    max_matches: int = 10_000
    max_own: int = 1_000
    lag_compensation: bool = True
    access: Access = field(default_factory=Access)
