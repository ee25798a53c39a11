"""docs/protocol.md is what the code generates, and every JSON example of the documentation is a message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from games import GAMES, parse
from games.perft import perft_by_moves
from protocol import SUBPROTOCOL
from protocol import page as generated
from protocol.__main__ import DECLARATIONS, PAGE, main
from protocol.bounds import MAX_BATCH, MAX_NAME, MAX_SHOWN_NAME
from protocol.codec import decode_client, decode_server
from protocol.declarations import declarations
from protocol.errors import ErrorCode, ProtocolError
from protocol.examples import CONVERSATION
from protocol.guide import CLOSE_CODES
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, nested_structs, tag_of
from server.commands.paths import DEFAULT_PORT
from server.connections.connection_bounds import Bounds
from server.match.clock import LAG_CAP_MS, LAG_GAIN_MS
from server.match.terms import MAX_OFFERS, Timeouts
from server.ratelimit import Rates
from server.referee.requests.arranging import MOST_INVITATIONS
from server.referee.requests.talk import MAX_THOUGHTS
from server.referee.sessions import KEPT_SECONDS
from server.referee.settings import Settings
from server.web.pages import SOCKET_PATH

reference = cache(generated.reference)
"""The page; what is in it, perft too, is counted once."""

ROOT = Path(__file__).parent.parent.parent
_FENCE = re.compile(r"^( *)```json\n(.*?)^\1```", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^([<>]) ([{\[].*)$", re.MULTILINE)


def _is_message(text: str) -> bool:
    if all(not isinstance(answer, ProtocolError) for answer in decode_client(text)):
        return True
    try:
        return bool(decode_server(text))
    except ProtocolError:
        return False


def _examples() -> Iterator[tuple[str, str]]:
    for page in sorted((ROOT / "docs").glob("*.md")):
        name = page.relative_to(ROOT).as_posix()
        for number, fence in enumerate(_FENCE.finditer(page.read_text(encoding="utf-8"))):
            yield f"{name}#{number}", fence[2]


def test_the_page_is_what_the_code_generates() -> None:
    assert PAGE.read_text(encoding="utf-8") == reference(), "run `python -m protocol --write-docs`"


def test_the_types_of_scripts_are_what_the_code_generates() -> None:
    assert DECLARATIONS.read_text(encoding="utf-8") == declarations(), "run `python -m protocol --write-docs`"


def test_the_types_of_scripts_name_each_message_and_what_may_be_left_out() -> None:
    text = declarations()
    for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        assert f'  interface {struct.__name__} {{\n    type: "{tag_of(struct)}";\n' in text
    for struct in nested_structs():
        assert f"  interface {struct.__name__} {{\n" in text
    assert "    to_move: 1 | 2;\n    clocks?: [number, number] | null;\n" in text


def test_the_page_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.__main__.PAGE", tmp_path / "protocol.md")
    monkeypatch.setattr("protocol.__main__.DECLARATIONS", tmp_path / "protocol.d.ts")
    assert main(["--write-docs"]) == 0
    assert (tmp_path / "protocol.d.ts").read_bytes() == declarations().encode()
    assert (tmp_path / "protocol.md").read_bytes() == reference().encode()


@pytest.mark.parametrize(("where", "text"), list(_examples()))
def test_every_json_example_is_a_message(where: str, text: str) -> None:
    assert _is_message(text), where


def test_there_are_examples() -> None:
    assert sum(1 for _ in _examples()) >= len(CLIENT_MESSAGES) + len(SERVER_MESSAGES)
    assert not _is_message('{"type":"resign","id":1,"match":""}')
    assert not _is_message("[]")


def test_the_page_tells_everything() -> None:
    page = reference()
    for struct in (*CLIENT_MESSAGES, *SERVER_MESSAGES):
        assert f"\n### {tag_of(struct)}\n" in page
    for struct in nested_structs():
        assert f"\n### {struct.__name__}\n" in page
    for code in ErrorCode:
        assert f"| `{code.value}` | " in page
    for close in CLOSE_CODES:
        assert f"| {close} | " in page
    assert f"`{SUBPROTOCOL}`" in page
    assert f"1 to {MAX_BATCH} messages" in page
    headings = [heading.lower().replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", page, re.MULTILINE)]
    assert len(headings) == len(set(headings)), "a link to the second of two would lead to the first"
    assert set(headings).issuperset(re.findall(r"\(#([^)]+)\)", page))
    for game in GAMES.values():
        assert game.guide in page
        for option in game.options:
            assert f"| `{option.name}` | {option.allowed} | `{option.default}` | {option.meaning} |" in page


def test_the_page_says_the_numbers_that_hold() -> None:
    said = " ".join(reference().split())
    bounds, timeouts, rates, shares = Bounds(), Timeouts(), Rates(), Settings().shares
    for number in (
        f"{DEFAULT_PORT} is the port unless",
        f"`ws://HOST:{DEFAULT_PORT}{SOCKET_PATH}`",
        f"({Settings().max_frame_bytes >> 10} KiB unless",
        f"Send `hello` within {bounds.hello:g} seconds",
        f"every {bounds.ping_interval:g} seconds and waits {bounds.ping_timeout:g} seconds for the pong",
        f"no pong came within {bounds.ping_timeout:g} s of a ping",
        f"when {bounds.backlog >> 20} MiB waits for it, or when it takes nothing for {bounds.send:g} seconds",
        f"A name has 1 to {MAX_NAME} characters",
        f"one of up to {MAX_SHOWN_NAME} characters",
        f"both players have left for {timeouts.abandonment / 60:g} minutes",
        f"is good as long as the session lives: for {KEPT_SECONDS:g} seconds",
        f"a quota that begins at {LAG_CAP_MS} ms, grows by {LAG_GAIN_MS} ms with each move",
        f"and never above {LAG_CAP_MS}.",
        f"**Talk**: {rates.chat_burst:g} lines at once, then one a second",
        f"{rates.codes_burst:g} wrong codes of matches and leagues are free, then one a second",
        f"the work of {rates.work:,.0f} moves a second",
        f"{MAX_OFFERS} between two moves",
        f"{MAX_THOUGHTS} a move",
        f"at most {MOST_INVITATIONS} to answer",
        f"{shares.sessions} sessions, {shares.matches:,} open matches ({shares.waiting} of them",
    ):
        assert number in said
    assert rates.chat == 1


def test_the_counts_are_those_of_the_rules() -> None:
    shown = re.findall(r"^- `([a-z0-9:=,]+)`: ([0-9, ]+)$", reference(), re.MULTILINE)
    assert {spec.partition(":")[0] for spec, _ in shown} == set(GAMES)
    for spec, counts in shown:
        start = parse(spec).start()
        assert [perft_by_moves(start, depth + 1) for depth in range(3)] == [int(n) for n in counts.split(", ")[:3]]


def test_the_conversation_is_made_of_messages() -> None:
    lines = _LINE.findall(reference())
    assert len(lines) == sum(len(step.sent) + len(step.received) for step in CONVERSATION)
    for side, text in lines:
        if side == ">":
            assert not isinstance(decode_client(text)[0], ProtocolError)
        else:
            decode_server(text)


def test_the_conversation_obeys_the_protocol() -> None:
    answered: list[int] = []
    asked: list[int] = []
    seq = 0
    for step in CONVERSATION:
        asked += [json.loads(text)["id"] for text in step.sent]
        for message in map(json.loads, step.received):
            if message["type"] in ("ok", "error"):
                answered.append(message["id"])
            elif message["type"] == "snapshot":
                seq = message["seq"]
            elif "seq" in message:
                seq += 1
                assert message["seq"] == seq
        assert answered == asked, "each request has one answer"
    assert json.loads(CONVERSATION[-1].received[-1])["type"] == "finished"
