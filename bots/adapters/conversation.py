"""The file of one conversation: each line that a program of others is sent, and each that it writes, with its time.

         0.000 # {"date": "2026-11-26T10:18:54.695+00:00", "program": "gtp-rhino"}
         0.004 > protocol_version
         0.009 < = 2
         0.010 <

The seconds since the file was begun; then what the line is: `>` to the program, `<` from it, `!` what it wrote to its
stderr, `#` what Arbitre knows, as a JSON object. There is a file for each program and each game.
"""

import json
import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TextIO, cast

FILE_CHARACTERS: Final = 4 << 20
"""How much of a conversation is written: its beginning. A last line says that there was more."""

LINE_CHARACTERS: Final = 4096
"""How much of a line is written."""

_NOTE: Final = "#"

NAME_CHARACTERS: Final = 40
"""How much of a program's name, and of what its game is called, stands in the name of a file."""


def file_name(name: str, game: str) -> str:
    """The name of a new file: the date, the program's name, and what tells its game from others."""
    words = (re.sub(r"[^\w.+-]+", "_", word)[:NAME_CHARACTERS].strip("_.") for word in (name, game))
    return "-".join((datetime.now(UTC).strftime("%Y%m%dT%H%M%S.%fZ"), *filter(None, words))) + ".log"


class Conversation:
    """Writes the file at `path`, which is new; any thread may. Raises OSError if it can't be begun.

    A disk that fails later ends the file and nothing else. Whoever ends the program closes the file; what Arbitre knows
    is written afterwards, too.
    """

    def __init__(self, path: Path, program: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._path = path
        self._stream = _open(path, "x")
        self._clock = clock
        self._began = clock()
        self._room = FILE_CHARACTERS
        self._printed = b""
        self._lock = threading.Lock()
        self.note(date=datetime.now(UTC).isoformat(timespec="milliseconds"), program=program)

    def sent(self, line: str) -> None:
        """A line that the program was sent."""
        self._write(">", line)

    def received(self, line: bytes) -> None:
        """A line that the program wrote, without its end."""
        self._write("<", line.decode(errors="backslashreplace").removesuffix("\r"))

    def printed(self, chunk: bytes) -> None:
        """Some of what it wrote to its stderr; empty at the end."""
        *lines, self._printed = (self._printed + chunk).split(b"\n")
        if not chunk or len(self._printed) > LINE_CHARACTERS:
            lines, self._printed = [*lines, *filter(None, [self._printed])], b""
        for line in lines:
            self._write("!", line.decode(errors="backslashreplace"))

    def note(self, **facts: object) -> None:
        """What Arbitre knows of the game."""
        self._write(_NOTE, json.dumps(facts, ensure_ascii=False))

    def close(self) -> None:
        """The program has ended, or goes on with another game."""
        with self._lock, suppress(OSError):
            self._stream.close()

    def _write(self, sign: str, text: str) -> None:
        if len(text) > LINE_CHARACTERS:
            text = f"{text[:LINE_CHARACTERS]} ..."
        line = f"{self._clock() - self._began:10.3f} {sign} {text}".rstrip() + "\n"
        with self._lock:
            if self._room <= 0 or (self._stream.closed and sign != _NOTE):
                return
            self._room -= len(line)
            line = line if self._room > 0 else "...\n"
            try:
                if self._stream.closed:
                    with _open(self._path, "a") as again:
                        again.write(line)
                else:
                    self._stream.write(line)
            except OSError:
                self._room = 0


def _open(path: Path, mode: str) -> TextIO:
    return cast(TextIO, path.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n", buffering=1))
