"""Texts in the TOML files that we write. Pure."""

from __future__ import annotations

import json


def quoted(text: str) -> str:
    """A TOML string: all that JSON escapes, TOML reads; and it wants one character more to be escaped."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
