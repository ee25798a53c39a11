"""What others wrote, made safe to show, and how much room text takes. Pure."""

from __future__ import annotations

import unicodedata

from locales.harmless import plain


def clean(text: str) -> str:
    """What others wrote, safe to show: without control, format and bidirectional characters, on one line."""
    return plain("".join(" " if character.isspace() else character for character in text))


def cells_wide(text: str) -> int:
    """How many cells of a terminal `text` takes."""
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )
