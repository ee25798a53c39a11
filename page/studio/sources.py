"""The part of Arbitre that runs in the pupil's browser, as one archive made of what is installed here.

It asks a pupil's file for moves exactly as a process does elsewhere (`bots.adapters.studio`), and needs nothing but the
standard library.
"""

from __future__ import annotations

import hashlib
import io
import zipfile
from functools import cache
from typing import Final, NamedTuple

from machine.modules import FOLDER

TAKEN: Final = (
    "bots/__init__.py", "bots/budget.py", "bots/adapters/__init__.py", "bots/adapters/hint_words.py",
    "bots/adapters/python_words.py", "bots/adapters/studio.py", "bots/adapters/wording.py",
    "bots/adapters/pupils/**/*.py", "games/*.py", "locales/__init__.py", "locales/harmless.py",
    "locales/system.py", "locales/*/LC_MESSAGES/*.mo", "machine/__init__.py", "machine/namespace.py",
    "terminal/__init__.py", "terminal/board.py", "terminal/refusals.py", "terminal/text.py",
)  # fmt: skip
"""What is in the archive."""

_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
"""The date of all files, so that the same sources give the same archive."""


class Sources(NamedTuple):
    """The archive; name: changes with what is in it."""

    name: str
    body: bytes


@cache
def sources() -> Sources:
    """The archive of our sources, made once in the life of the server."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted({path for pattern in TAKEN for path in FOLDER.glob(pattern)}):
            entry = zipfile.ZipInfo(path.relative_to(FOLDER).as_posix(), _LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, path.read_bytes())
    body = out.getvalue()
    return Sources(hashlib.sha256(body).hexdigest()[:32], body)
