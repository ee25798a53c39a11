"""The stable error codes of protocol 1 and the one exception that carries them.

Errors: ProtocolError    a request that can't be done; becomes exactly one `error` message
"""

from __future__ import annotations

from enum import Enum
from typing import final

from msgspec import UNSET, UnsetType


class ErrorCode(Enum):
    """Codes never change their meaning; new ones may be added, so clients treat an unknown code as a plain refusal."""

    BAD_MESSAGE = "bad_message"
    UNSUPPORTED_PROTOCOL = "unsupported_protocol"
    HELLO_REQUIRED = "hello_required"
    ALREADY_SAID_HELLO = "already_said_hello"
    BAD_NAME = "bad_name"
    NAME_TAKEN = "name_taken"
    BAD_TOKEN = "bad_token"  # noqa: S105 - a code, not a secret
    BAD_RULES = "bad_rules"
    UNKNOWN_GAME = "unknown_game"
    NO_SUCH_MATCH = "no_such_match"
    NO_SUCH_PLAYER = "no_such_player"
    NO_SUCH_LEAGUE = "no_such_league"
    BAD_CODE = "bad_code"
    NOT_YOURS = "not_yours"
    OUT_OF_LEAGUE = "out_of_league"
    HOST_AWAY = "host_away"
    SEAT_TAKEN = "seat_taken"
    NOT_STARTED = "not_started"
    NOT_YOUR_TURN = "not_your_turn"
    ILLEGAL_MOVE = "illegal_move"
    STALE_PLY = "stale_ply"
    GAME_OVER = "game_over"
    NOT_OVER = "not_over"
    NOTHING_OFFERED = "nothing_offered"
    NOT_ALLOWED = "not_allowed"
    SWITCHED_OFF = "switched_off"
    TOO_EARLY = "too_early"
    TOO_LATE = "too_late"
    TOO_LARGE = "too_large"
    KICKED = "kicked"
    PAUSED = "paused"
    PASSWORD_REQUIRED = "password_required"  # noqa: S105 - a code, not a secret
    RATE_LIMITED = "rate_limited"
    BUSY = "busy"
    HOUSE_BUSY = "house_busy"
    SERVER_FULL = "server_full"
    SESSION_REPLACED = "session_replaced"
    SHUTTING_DOWN = "shutting_down"
    BEING_PLAYED = "being_played"
    NO_SERVICE = "no_service"
    INTERNAL = "internal"


@final
class ProtocolError(Exception):
    """A refusal: a stable code, a sentence in English for developers, and what a program needs to go on.

    request: the `id` of the request that is answered, if it could be read.
    fatal: the connection is closed after it.
    data: what helps the client (for illegal_move: `why` and the `legal` moves).
    """

    def __init__(  # one keyword for each field of the `error` message
        self,
        code: ErrorCode,
        message: str,
        *,
        request: int | UnsetType = UNSET,
        fatal: bool = False,
        retry_after_ms: int | UnsetType = UNSET,
        data: dict[str, str | int | list[str]] | UnsetType = UNSET,
    ) -> None:
        super().__init__(f"{code.value}: {message}")
        self.code = code
        self.message = message
        self.request = request
        self.fatal = fatal
        self.retry_after_ms = retry_after_ms
        self.data = data
