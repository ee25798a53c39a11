"""What can go wrong between a client and its server.

Errors: ClientError
        |-- AddressError      an address that can't be read; the message says what to write
        |-- ViewError         the server's match can't be replayed with our rules
        |-- Refused           the server answered a request with `error`; nothing changed
        |   `-- HelloRefused  ... and that request was `hello`: there is no session
        |-- ConnectionLost    the connection broke before the answer came, and asking again might do it twice
        |   `-- Garbled       ... and we ended it, since what the server said can't be read
        |-- ServerGone        the server left for good, or did not come back in time
        |   |-- ServerClosed  ... and said so before
        |   |-- NoServer      ... and never was there: nobody answers at this address
        |   |-- Silent        ... or takes connections and says nothing
        |   |-- HungUp        ... and somebody answers there, who hangs up before a word
        |   |-- TurnedAway    ... or speaks with us, and ends the connection before there is a session
        |   |-- NoProgress    ... or lets us in and hangs up, again and again
        |   |-- Unreadable    ... and what it says can't be read
        |   |-- ServerFull    ... since it has as many connections as it may
        |   `-- NotArbitre    ... for what answers at this address is something else
        |       |-- BadAnswer ... which says so: the message is its answer, as "HTTP 404"
        |       `-- Untrusted ... or may be: its certificate is not the right one
        |-- Kicked            an organiser has sent us away
        `-- Replaced          another connection took this session over
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol.messages import Error

_SOONEST_S, _LATEST_S = 0.05, 60.0


def pause_s(retry_after_ms: int | None) -> float:
    """The seconds after which a server says that it is worth trying again, within bounds of ours."""
    return min(_LATEST_S, max(_SOONEST_S, (retry_after_ms or 0) / 1000))


class ClientError(Exception):
    """Base of all errors of this package."""


class AddressError(ClientError, ValueError):
    """An address that can't be read."""


class ViewError(ClientError):
    """The server plays by rules that this program does not know."""


class Refused(ClientError):  # noqa: N818 - reads as what happened: "except Refused"
    """The server said no: `code` is stable, `message` is for developers, `data` is what helps to go on."""

    def __init__(self, error: Error) -> None:
        super().__init__(f"{error.code}: {error.message}")
        self.code = error.code
        self.message = error.message
        self.data: Mapping[str, str | int | list[str]] = error.data or {}
        self.retry_after_ms = error.retry_after_ms or None


class HelloRefused(Refused):
    """The server did not open a session: name_taken, bad_name, bad_token, unsupported_protocol ..."""


class ConnectionLost(ClientError):  # noqa: N818 - as above
    """It is unknown whether the server did what was asked; what it did shows in the match after the reconnect."""


class Garbled(ConnectionLost):
    """The server said something that can't be read; the message names what was wrong."""


class ServerGone(ClientError):  # noqa: N818 - as above
    """The connection to the server ended for good."""


class ServerClosed(ServerGone):
    """The server said that it closes, and does not come back."""


class NoServer(ServerGone):
    """Nobody answers at `url`."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"no server at {url}: {reason}")
        self.url = url


class Silent(ServerGone):
    """The server accepts the connection and does not answer."""


class TurnedAway(ServerGone):
    """The server ends the connection in place of a `welcome`; the message is how."""


class NoProgress(ServerGone):
    """The server accepts the session and ends the connection at once, repeatedly; the message is the last reason."""


class Unreadable(ServerGone):
    """What the server says can't be read; the message names what was wrong, in English for developers."""


class HungUp(ServerGone):
    """The server ends each connection at once: perhaps only one side uses TLS."""


class NotArbitre(ServerGone):
    """The server does not speak Arbitre's protocol."""


class BadAnswer(NotArbitre):
    """The server answers with an HTTP error; the message is its status."""


class ServerFull(ServerGone):
    """The server has too many connections, in all or from this address."""


class Untrusted(NotArbitre):
    """The server's certificate is not the one in the address (`pinned`), or nobody whom we trust has signed it."""

    def __init__(self, reason: str, *, pinned: bool) -> None:
        super().__init__(reason)
        self.pinned = pinned


class Kicked(ClientError):  # noqa: N818 - as above
    """An organiser has ended this session."""


class Replaced(ClientError):  # noqa: N818 - as above
    """A newer connection speaks for this session."""
