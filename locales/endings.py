"""How a match ended, in words; `reason` is a result's reason as it stands on the wire.

What the rules of a game decide, the game itself says (`games.base.Ending`).
"""

from collections.abc import Mapping
from typing import Final

from locales import N_, _

_NOBODY_WON: Final[Mapping[str, str]] = {
    "aborted": N_("The match was called off: no result."),
    "agreement": N_("Draw by agreement."),
    "abandoned": N_("Both players left: no winner."),
}

_LOST_BY: Final[Mapping[str, str]] = {
    "resign": N_("{name} resigned"),
    "timeout": N_("{name} ran out of time"),
    "abandoned": N_("{name} left the game"),
    "illegal": N_("{name} broke the rules"),
    "crash": N_("{name} crashed"),
}

_DRAW: Final = N_("Draw.")
_DECIDED: Final = N_("decided by the referee")


def nobody_won(reason: str) -> str:
    """The sentence for a match without a winner."""
    return _(_NOBODY_WON.get(reason, _DRAW))


def lost_by(reason: str, name: str) -> str:
    """Why the player called `name` lost a match that the board did not decide."""
    return _(_LOST_BY.get(reason, _DECIDED)).format(name=name)


def by_the_rules() -> str:
    """Why somebody won by an ending that we don't know: a later version of the game has it."""
    return _("by the rules of the game")
