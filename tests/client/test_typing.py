"""What people type: addresses, commands in two languages, keys."""

import pytest

from client import address
from client.errors import AddressError
from client.people.typed import Say, TypedMove, Word, parse
from terminal.lines import LineEditor


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("localhost", "ws://localhost:8765"),
        (" 192.168.1.7:9000 ", "ws://192.168.1.7:9000"),
        ("ws://Ada-Laptop", "ws://ada-laptop:8765"),
        ("ws://host:80/", "ws://host:80"),
        ("WSS://games.school.example", "wss://games.school.example:443"),
        ("wss://host:8765/arbitre", "wss://host:8765/arbitre"),
        ("http://host:8765", "ws://host:8765"),
        ("[::1]", "ws://[::1]:8765"),
        ("[fe80::1]:9000", "ws://[fe80::1]:9000"),
    ],
)
def test_addresses(typed: str, url: str) -> None:
    assert address.parse(typed) == url
    assert address.parse(url) == url
    assert address.parse(address.short(url)) == url


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "host and a port"),
        ("host:", "host and a port"),
        ("host:port", "host and a port"),
        ("host:0", "host and a port"),
        ("host:70000", "host and a port"),
        ("ada laptop", "host and a port"),
        ("ftp://host", "ws://"),
        ("::1", "brackets"),
        ("fe80::1:9000", "brackets"),
        ("[::1", "host and a port"),
        ("user:secret@host", "host and a port"),
        ("ho\x1bst", "host and a port"),
    ],
)
def test_addresses_that_are_none_are_explained(typed: str, says: str) -> None:
    with pytest.raises(AddressError, match=says):
        address.parse(typed)


@pytest.mark.parametrize(
    ("typed", "command"),
    [
        ("d3", TypedMove("d3")),
        (" 3,4 ", TypedMove("3,4")),
        ("?", Word.HELP),
        ("RESIGN", Word.RESIGN),
        ("abandonner", Word.RESIGN),
        ("nulle", Word.DRAW),
        ("donner", Word.GIVE),
        ("+15", Word.GIVE),
        ("reprendre", Word.UNDO),
        ("oui", Word.YES),
        ("Non", Word.NO),
        ("revanche", Word.REMATCH),
        ("réclamer", Word.CLAIM),
        ("quitter", Word.QUIT),
        ("chat well played ", Say("well played")),
        ("dire resign", Say("resign")),
        ("chat", Say("")),
        ("chatty", TypedMove("chatty")),
        ("  ", None),
    ],
)
def test_commands_in_both_languages(typed: str, command: object) -> None:
    assert parse(typed) == command


@pytest.mark.parametrize(
    ("keys", "lines", "left"),
    [
        ("d3\r", ["d3"], ""),
        ("d3\nc4\nx", ["d3", "c4"], "x"),
        ("d4\x7f3\r", ["d3"], ""),
        ("\x7f\x7fa", [], "a"),
        ("abc\x15d", [], "d"),
        ("dire bonjour\x17", [], "dire"),
        ("\x1b[A\x1b[1;5C\x1bOHd3", [], "d3"),
        ("a\x04b\r\x04", ["ab", None], ""),
        ("\x00\x01é", [], "é"),
    ],
)
def test_the_line_editor(keys: str, lines: list[str | None], left: str) -> None:
    finished: list[str | None] = []
    editor = LineEditor(finished.append)
    for key in keys:
        editor.feed(key)
    assert (finished, editor.text) == (lines, left)
