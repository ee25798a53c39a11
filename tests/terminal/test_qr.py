"""QR codes on a terminal: read back by a decoder that knows nothing of how they were made."""

from __future__ import annotations

import io

import numpy as np
import pytest

from terminal import qr

zxingcpp = pytest.importorskip("zxingcpp", reason="zxing-cpp is not installed")

ADDRESS = "http://192.168.100.200:65535"
OURS = (f"{ADDRESS}/", f"{ADDRESS}/m/88bc4zxj", f"{ADDRESS}/j/BATOMI")
OTHERS = (
    f"{ADDRESS}/j/Zm9vYmFyYmF6cXV4Zm9vYg",
    "https://[fd00:231::1]:8765/m/88bc4zxj",
    f"{ADDRESS}/replay/othello?moves=d3#4",
)

PIXELS = 4
"""Of a module."""


def seen(lines: list[str], *, colour: bool) -> np.ndarray:
    """What a camera sees of a dark terminal with these lines on it: black is 0."""
    rows = []
    for line in lines:
        glyphs = line.removeprefix("\x1b[38;5;16;48;5;231m").removesuffix("\x1b[0m")
        rows += [[(glyph in half) is not colour for glyph in glyphs] for half in ("▀█", "▄█")]
    image = np.pad(np.array(rows, dtype=np.uint8) * 255, 6)
    return np.kron(image, np.ones((PIXELS, PIXELS), dtype=np.uint8))


@pytest.mark.parametrize("link", OURS + OTHERS)
@pytest.mark.parametrize("colour", [True, False])
def test_a_phone_reads_it(link: str, *, colour: bool) -> None:
    (read,) = zxingcpp.read_barcodes(seen(qr.code(link, colour=colour), colour=colour), try_invert=False)
    assert read.text == qr.compact(link)
    assert read.text.lower() == link.lower()


@pytest.mark.parametrize("link", OURS)
def test_ours_take_fifteen_lines(link: str) -> None:
    lines = qr.code(link, colour=False)
    assert len(lines) == 15
    assert {len(line) for line in lines} == {29}


@pytest.mark.parametrize("link", OTHERS[:1] + OTHERS[2:])
def test_what_would_mean_something_else_in_capitals_keeps_its_letters(link: str) -> None:
    assert qr.compact(link) == link


class Stream(io.TextIOWrapper):
    def __init__(self, encoding: str, *, terminal: bool) -> None:
        super().__init__(io.BytesIO(), encoding=encoding)
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("encoding", "terminal", "kind", "shown"),
    [("utf-8", True, "xterm", True), ("utf-8", False, "xterm", False), ("ascii", True, "xterm", False),
     ("utf-8", True, "dumb", False)],
)  # fmt: skip
def test_only_where_somebody_sees_it(
    monkeypatch: pytest.MonkeyPatch, encoding: str, kind: str, *, terminal: bool, shown: bool
) -> None:
    monkeypatch.setenv("TERM", kind)
    assert qr.shows_codes(Stream(encoding, terminal=terminal)) is shown
