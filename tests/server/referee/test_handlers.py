"""The referee's table of handlers: every message that a client may send has one, and no other."""

from __future__ import annotations

import random
from typing import get_args

from protocol.messages import ClientMessage
from server.referee.referee import Referee
from server.referee.settings import Settings


def test_every_message_has_a_handler() -> None:
    referee = Referee(Settings(), random.Random(1), lambda: "secret", lambda: 0)
    assert set(referee._handlers) == set(get_args(ClientMessage))
