"""Keeps the answers about openings while a league draws them, so that it continues after it was killed.

Whether a random opening is balanced is what takes time. The answers are kept beside the log, in the order in which they
were asked for: whoever draws again with the same seed asks the same, and is answered at once. The file is no part of
the league: `league verify` draws by itself, and a file that is lost, cut off or of something else costs time only.
"""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from games.base import Position
from league.pairing.openings import Balanced

NAME: Final = "openings.drawn"

_EDITION: Final = "1"
"""The edition of the check: answers of another edition are not read."""


class KeptAnswers:
    """A check of openings that remembers its answers in a league's folder; where it can't write, it only checks.

    rules, openings, seed: those of the league; what is asked, and so the answers, depends on them.

    The first line of the file is a hash of these and of the edition of the check. Then follows a 1 or a 0 for each
    answer. All from the first other character on is cut off: a crash left it.
    """

    def __init__(self, folder: Path, balanced: Balanced, *, rules: str, openings: str, seed: str) -> None:
        self._path = folder / NAME
        self._balanced = balanced
        told = f"{_EDITION}\n{rules}\n{openings}\n{seed}"
        self._head = hashlib.sha256(told.encode()).hexdigest().encode() + b"\n"
        self._known = self._read()
        self._asked = 0
        self._is_open = bool(self._known) or self._begin()

    def __call__(self, position: Position) -> bool:
        """Whether the next position that is asked for is balanced."""
        number, self._asked = self._asked, self._asked + 1
        if number < len(self._known):
            return self._known[number] == ord("1")
        answer = self._balanced(position)
        self._keep(b"1" if answer else b"0", "ab")
        return answer

    def _read(self) -> bytes:
        try:
            data = self._path.read_bytes()
        except OSError:
            return b""
        if not data.startswith(self._head):
            return b""
        answers = data[len(self._head) :]
        good = len(answers) - len(answers.lstrip(b"01"))
        if good < len(answers):
            with suppress(OSError):
                os.truncate(self._path, len(self._head) + good)
        return answers[:good]

    def _begin(self) -> bool:
        """A new file."""
        return self._keep(self._head, "wb")

    def _keep(self, data: bytes, mode: str) -> bool:
        if mode == "ab" and not self._is_open:
            return False
        try:
            with self._path.open(mode) as stream:
                stream.write(data)
        except OSError:
            self._is_open = False
            return False
        return True
