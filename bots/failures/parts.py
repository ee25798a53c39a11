"""How a program failed, in parts of bounded length, so that a page can show each where it belongs."""

from collections.abc import Callable
from typing import Final

from bots.adapters import wording
from bots.adapters.hint_words import hint_lines
from bots.adapters.pupils.facts import Trouble
from bots.adapters.wording import asked_here, right_answers
from bots.base import BotFaultError, BotLoadError
from games.base import Game, Position
from terminal.board import Style, draw_position

SHARES: Final = {"what": 1500, "code": 300, "position": 1200, "hint": 600, "printed": 1500}
"""The most characters of each text."""


def parts_of(
    error: BotFaultError | BotLoadError,
    file: str,
    game: Game | None = None,
    position: Position | None = None,
    *,
    named: Callable[[str], str] = str,
) -> dict[str, str | int]:
    """`what` is the matter, then what is known of `line`, `cell`, `code`, `position`, `hint`, and `printed`.

    file: as the error names it. position: in which it was asked. named: puts the author's own names into a text.
    """
    trouble = error.trouble
    texts, place = {"what": str(error), "printed": error.stderr}, dict[str, int]()
    if isinstance(trouble, Trouble):
        where = trouble.place
        place = {"line": where.line, "cell": where.cell}
        texts |= {"what": wording.sentence(trouble, file, game, in_command=False), "code": where.code}
        texts["hint"] = "\n".join([*hint_lines(trouble.hints), *right_answers(trouble)])
        if game is not None and position is not None:
            texts["position"] = "\n".join([asked_here(game, position), *draw_position(game, position, Style())])
    # A board begins with spaces, which stay.
    known: dict[str, str | int] = {name: _cut(name, named(text.strip("\n").rstrip())) for name, text in texts.items()}
    known |= place
    return {name: value for name, value in known.items() if value or name == "what"}


def _cut(name: str, text: str) -> str:
    """The end of what was printed, and the beginning of all else."""
    return text[-SHARES[name] :] if name == "printed" else text[: SHARES[name]]
