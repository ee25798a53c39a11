"""Checks the secrets in a `hello`, and builds the `welcome`. Pure.

Hashes of the secrets are compared, in constant time, so the time of an answer reveals nothing about them.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable
from typing import Final

from games import GAMES
from protocol import PROTOCOL
from protocol.bounds import MAX_BATCH, MAX_CHAT, Serves
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Hello, Limits, Welcome
from server.referee.sessions import Session, secret_hash
from server.referee.settings import Access, Settings
from server.referee.table import Table

FEATURES: Final = (
    "batch",
    "takeback",
    "rematch",
    "thinking",
    "organiser",
    "league",
    "lobby",
    "network",
    "boards",
    "scoreboard",
    "give_time",
    "seat_link",
    "letters",
    "switches",
    "time_odds",
)


def admit(access: Access, hello: Hello) -> bool:
    """Whether `hello` comes from an organiser; raises ProtocolError(password_required) if it may not come in.

    `data.field` says which of the secrets was missing or wrong. The secret of a service does for the password, too: the
    server gives its services no other.
    """
    knows = _same(hello.password, access.password) or _same(hello.service, access.service)
    if access.password is not None and not knows:
        raise ProtocolError(
            ErrorCode.PASSWORD_REQUIRED, "this server has a password", fatal=True, data={"field": "password"}
        )
    if hello.organiser is None:
        return False
    if not _same(hello.organiser, access.organiser):
        raise ProtocolError(
            ErrorCode.PASSWORD_REQUIRED, "this is not the organisers' own", fatal=True, data={"field": "organiser"}
        )
    return True


def serves(access: Access, hello: Hello) -> Serves | None:
    """The kind of service that sent `hello`, None if no service did; raises ProtocolError(password_required)."""
    if hello.service is None:
        return None
    if not _same(hello.service, access.service):
        raise ProtocolError(
            ErrorCode.PASSWORD_REQUIRED, "this is no service of this server", fatal=True, data={"field": "service"}
        )
    return hello.serves


def welcome(
    session: Session, token: str, settings: Settings, tables: Iterable[Table], wall_ms: int, *, resumed: bool
) -> Welcome:
    """The answer that opens a session: its token, the server's features and limits, and the open matches."""
    limits = Limits(
        max_frame_bytes=settings.max_frame_bytes,
        max_batch=MAX_BATCH,
        max_chat=MAX_CHAT,
        max_matches=settings.max_own,
        absence_ms=int(settings.timeouts.absence * 1000),
    )
    return Welcome(
        PROTOCOL, session.id, token, session.name, FEATURES, limits, tuple(GAMES), wall_ms, resumed,
        tuple(table.match.id for table in tables if not table.is_over_to(session)),
    )  # fmt: skip


def _same(shown: str | None, secret: str | None) -> bool:
    """Whether `shown` equals `secret`, in a time that does not depend on it; False if either is missing."""
    known = secret is not None and shown is not None
    return hmac.compare_digest(secret_hash(shown or ""), secret_hash(secret or "")) and known
