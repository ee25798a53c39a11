"""Nothing that one user types moves another's cursor, turns his lines around or hides in them: from hello to screen.

The server refuses or removes it; and since a client should not have to trust its server, it removes it again.
"""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from client import explanations
from client.errors import Refused
from client.explanations import explain
from client.people.seating import how_to_join
from games import Seat
from protocol.bounds import Kind
from protocol.codec import decode_server, encode
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import (
    Chat,
    Clock,
    Create,
    Error,
    Hello,
    Invitation,
    Join,
    Murmur,
    Player,
    Result,
    Said,
    Seated,
    ServerMessage,
    Snapshot,
    Thinking,
    Watch,
)
from server.names.text import chat_text, display_name, is_showable
from terminal import phrases
from terminal.board import Style, draw_match
from terminal.narrator import help_lines, seat_line, story, turn_line
from terminal.text import clean
from tests.client.fakes import RefereeInMemory
from view.match import MatchView

NASTY = (
    "\x1b[2J", "\x1b]0;title\x07", "\x1b]52;c;aGk=\x07", "\x9b2J", "\u202e", "\u2066", "\u200f", "\u061c", "\u2028",
    "\u2029", "\x00", "\r", "\n", "\b\b", "\x7f", "\u200b", "\ufeff", "\u00ad", "\U000e0041", "\ue000", "\x85",
)  # fmt: skip
LETTERS = st.text(max_size=12)
TEXTS = st.lists(st.sampled_from(NASTY) | LETTERS, min_size=1, max_size=5).map("".join)
STYLE = Style(ascii=False, colour=False)


def safe(line: str) -> bool:
    """Nothing but what draws something where it stands; a line break is the caller's to write."""
    return not any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for character in line)


class TestServer:
    @given(TEXTS)
    def test_a_name_is_safe_or_refused(self, typed: str) -> None:
        try:
            name = display_name(typed)
        except ProtocolError as refusal:
            name = refusal.message
        assert safe(name)
        assert is_showable(name)

    @given(TEXTS)
    def test_talk_is_safe_or_refused(self, typed: str) -> None:
        try:
            text = chat_text(typed)
        except ProtocolError as refusal:
            text = refusal.message
        assert safe(text)

    @given(TEXTS, TEXTS, TEXTS)
    def test_what_others_get_to_see_of_it_is_safe(self, name: str, text: str, game: str) -> None:
        """A referee between the nasty one (3) and those who read (1, 2); whatever he sends, they get nothing nasty."""
        referee = RefereeInMemory(1)
        for connection, honest in ((1, "Ada"), (2, "Bob")):
            referee.receive(connection, Hello(1, 1, "test", "human", honest))
        opened = referee.receive(1, Create(2, "morpion", seat="first"))
        match = next(m.match for m in opened if isinstance(m, Snapshot))
        referee.receive(3, Hello(1, 1, text, "human", name))
        referee.receive(3, Hello(2, 1, text, "bot", f"Eve {len(name)}"))
        referee.receive(3, Create(3, game[:64] or "x", invite=("Ada",)))
        referee.receive(3, Create(4, "morpion", invite=("Ada",)))
        referee.receive(3, Join(5, match))
        referee.receive(3, Chat(6, match, text[:300]))
        referee.receive(3, Thinking(7, match, 0, pv=(text[:4],)))
        referee.receive(2, Watch(3, match))
        referee.receive(3, Chat(8, match, text[:300]))
        heard = [message for reader in (1, 2) for message in referee.inbox[reader]]
        assert any(isinstance(message, Seated | Invitation) for message in heard)
        for message in heard:
            (again,) = decode_server(encode(message))
            assert all(map(safe, _texts(again))), again


def _texts(message: ServerMessage) -> list[str]:
    """Every string in a message."""
    found: list[str] = []

    def walk(value: object) -> None:
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            for key, item in value.items():
                walk(key)
                walk(item)
        elif isinstance(value, list | tuple):
            for item in value:
                walk(item)
        elif isinstance(value, Struct):
            for field in value.__struct_fields__:
                walk(getattr(value, field))

    walk(message)
    return found


def view(name: str, match: str = "m", *, status: str = "playing", seat: int | None = 1) -> MatchView:
    """A match as a server might tell of it that checks nothing."""
    kinds: tuple[Kind, Kind] = ("human", "bot")
    players = Player(name, kinds[0]), Player(name, kinds[1])
    snapshot = Snapshot(
        match=match, seq=3, game="morpion", status="playing", players=players, seat=None, moves=(), ply=0, to_move=1,
        legal=("a1",), clock=Clock(60_000), clocks=(60_000, 60_000), code=match,
    )  # fmt: skip
    return MatchView.of(replace(snapshot, status=status, seat=seat), 0.0)


class TestClient:
    @given(TEXTS)
    def test_what_is_cleaned_is_safe(self, text: str) -> None:
        assert safe(clean(text))

    @given(TEXTS, TEXTS, st.sampled_from((None, 1, 2)))
    def test_no_sentence_carries_it(self, name: str, text: str, seat: int | None) -> None:
        seen = view(name, text, seat=seat)
        told = [
            story(seen, message, 0.0)
            for message in (
                Seated("m", 4, 2, Player(name, "human")), Said("m", 4, 1, text), Said("m", 4, 2, text),
                Murmur("m", name, text),
            )
        ]  # fmt: skip
        lines = [
            *told, *seat_line(seen, STYLE), turn_line(seen), *help_lines(seen), *draw_match(seen, 0.0, STYLE),
            *phrases.ended(seen, Result(1, "resign", (0, 0))), *phrases.ended(seen, Result(2, "timeout", (0, 0))),
            phrases.offered("draw", phrases.name_of(seen, Seat.FIRST), asked=True), *how_to_join("ws://h:1", text),
        ]  # fmt: skip
        for line in lines:
            assert safe(line), line

    @given(TEXTS)
    def test_no_refusal_carries_it(self, text: str) -> None:
        for code in (text[:64], ErrorCode.ILLEGAL_MOVE.value, ErrorCode.BAD_MESSAGE.value):
            refusal = Refused(Error(code, text, data={"why": text, "legal": [text]}))
            assert safe(explanations.refused(refusal, text))
            assert safe(explain(refusal))
