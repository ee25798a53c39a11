"""What a person types, as commands. English and French words are both understood, whatever language is shown. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Word(Enum):
    """The commands that are one word."""

    HELP = "help"
    BOARD = "board"
    RESIGN = "resign"
    DRAW = "draw"
    UNDO = "undo"
    YES = "yes"
    NO = "no"
    REMATCH = "rematch"
    CLAIM = "claim"
    GIVE = "give"
    QUIT = "quit"


@dataclass(frozen=True, slots=True)
class Say:
    """Words for those who see the match; none if only the command was typed."""

    text: str


@dataclass(frozen=True, slots=True)
class TypedMove:
    """Anything else: a move, as far as its game can read it."""

    text: str


Command = Word | Say | TypedMove

_WORDS = {
    Word.HELP: ("?", "help", "h", "aide"),
    Word.BOARD: ("board", "plateau"),
    Word.RESIGN: ("resign", "abandonner", "abandon"),
    Word.DRAW: ("draw", "nulle", "nul"),
    Word.UNDO: ("undo", "takeback", "reprendre"),
    Word.YES: ("yes", "y", "oui", "o"),
    Word.NO: ("no", "n", "non"),
    Word.REMATCH: ("rematch", "revanche"),
    Word.CLAIM: ("claim", "réclamer", "reclamer"),
    Word.GIVE: ("give", "+15", "donner"),
    Word.QUIT: ("quit", "exit", "q", "quitter"),
}
_BY_WORD = {text: word for word, texts in _WORDS.items() for text in texts}
_SAY = ("chat", "say", "dire")


def parse(line: str) -> Command | None:
    """The command of one line; None for an empty one."""
    typed = line.strip()
    if not typed:
        return None
    first, _, rest = typed.partition(" ")
    if first.casefold() in _SAY:
        return Say(rest.strip())
    return _BY_WORD.get(typed.casefold()) or TypedMove(typed)
