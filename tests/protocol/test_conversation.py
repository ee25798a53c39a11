"""The conversation of docs/protocol.md is what the referee really says."""

from __future__ import annotations

import json
import random

from games import GAMES
from protocol.codec import decode_client, encode
from protocol.examples import CONVERSATION
from protocol.messages import YourTurn
from server.referee.effects import Send
from server.referee.referee import Referee
from server.referee.settings import Settings

MATCH = "88bc4zxj"
"""The id of the match in the documentation; the referee draws another."""

ADA, ADA_AGAIN, BOB = 1, 2, 3

BEFORE: dict[int, tuple[tuple[int, str], ...]] = {
    2: (
        (BOB, '{"type":"hello","id":1,"protocol":1,"client":"plain 0.1","kind":"human","name":"Bob"}'),
        (BOB, f'{{"type":"join","id":2,"match":"{MATCH}"}}'),
    ),
    4: ((BOB, f'{{"type":"move","id":3,"match":"{MATCH}","ply":1,"move":"a1"}}'),),
    8: ((BOB, f'{{"type":"move","id":4,"match":"{MATCH}","ply":3,"move":"a2"}}'),),
}
"""What Bob sends at a step of the conversation, before Ada's bot speaks."""

PAUSES = {3: 1.5, 4: 4.25, 6: 0.599, 8: 2.7, 9: 1.0}
"""Seconds that pass before a step."""

RECONNECT = 7


class Talk:
    """A referee, its clock, and what it said to Ada's bot."""

    def __init__(self) -> None:
        tokens = iter(("Zm9vYmFyYmF6cXV4", "Qm9iJ3Mgc2VjcmV0", "bmV4dCBzZWNyZXQh"))
        self.referee = Referee(Settings(), random.Random(1), lambda: next(tokens), lambda: 1_767_225_600_000)
        self.now = 1000.0
        self.ada = ADA
        self.heard: list[str] = []

    def say(self, connection: int, text: str) -> None:
        for message in decode_client(text.replace(MATCH, self.match)):
            for effect in self.referee.receive(connection, message, self.now):
                if not isinstance(effect, Send):
                    continue
                if isinstance(effect.message, YourTurn):
                    self.referee.handed(effect.connections[0], effect.message.match, effect.message.ply, self.now)
                if self.ada in effect.connections:
                    self.heard.append(encode(effect.message).decode().replace(self.match, MATCH))

    def reconnect(self) -> None:
        self.referee.disconnect(ADA, self.now)
        self.ada = ADA_AGAIN

    @property
    def match(self) -> str:
        return next((table.match.id for table in self.referee.lobby.tables()), MATCH)


def test_the_conversation_is_what_the_referee_says() -> None:
    talk = Talk()
    for number, step in enumerate(CONVERSATION):
        talk.now += PAUSES.get(number, 0.0)
        if number == RECONNECT:
            talk.reconnect()
        talk.heard.clear()
        for connection, text in BEFORE.get(number, ()):
            talk.say(connection, text)
        for text in step.sent:
            talk.say(talk.ada, text)
        assert [_with_three_games(text) for text in talk.heard] == [*step.received], step.happens


def _with_three_games(text: str) -> str:
    """A message with the games of the documentation, which stays as it is when there are more."""
    return text.replace(json.dumps([*GAMES], separators=(",", ":")), '["othello","puissance4","morpion"]')
