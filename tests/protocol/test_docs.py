"""docs/protocol.md is what the code generates, and every JSON example of the documentation is a message."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from protocol.__main__ import PAGE, main
from protocol.bounds import MAX_BATCH
from protocol.codec import decode_client, decode_server
from protocol.errors import SUBPROTOCOL, ErrorCode, ProtocolError
from protocol.examples import CONVERSATION
from protocol.guide import CLOSE_CODES
from protocol.schema import CLIENT_MESSAGES, SERVER_MESSAGES, nested_structs, reference, tag_of

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


def test_the_page_can_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.__main__.PAGE", tmp_path / "protocol.md")
    assert main(["--write-docs"]) == 0
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
    for tag in re.findall(r"\(#([a-z]+)\)", page):
        assert f"\n### {tag}\n" in page.lower()


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
