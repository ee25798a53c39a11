"""What a pupil's own function did before it moved: its calls, which `bots.adapters.pupils.tracing` records."""

from dataclasses import replace
from typing import Final

from bots.adapters import wording
from bots.adapters.pupils import calls as wire
from bots.adapters.pupils.calls import BadLineError, Call, End
from bots.adapters.pupils.facts import write
from bots.adapters.pupils.patience import Deadline
from bots.adapters.python_file import TRACING, make_engine, make_question, open_file
from bots.adapters.settings import read_settings
from bots.base import UNLIMITED, BotFaultError, BotSpec
from bots.explain.calls import tree_of
from bots.explain.tree import ExplainError, Explanation
from games.base import Game, Position
from locales import _

LONGEST_TRACE_S: Final = 20.0
"""How long a decision may take while it is recorded, which makes it some five times slower."""

_GRACE_S: Final = 5.0
_SEED: Final = "explain"
_NAME: Final = 40


def explain_file(game: Game, position: Position, bot: BotSpec) -> Explanation:
    """The tree of the calls that a file makes in `position`. Raises ExplainError, BotSpecError."""
    bot.check(game)
    if position.outcome() is not None:
        raise ExplainError(_("The game is over after these moves: take a move away."))
    text, launch = str(bot.options.values["file"]), bot.options.launch
    settings = read_settings(text, launch)
    engine = make_engine(settings, launch, TRACING)
    found: list[Call] = []
    try:
        open_file(engine, settings, launch)
        asked = make_question(game, position, (), UNLIMITED, launch, _SEED)
        within_s = min(LONGEST_TRACE_S, asked.within_s)
        engine.send(write(replace(asked, within_s=within_s)))
        while not isinstance(said := wire.read(engine.receive(Deadline(within_s + _GRACE_S)), len(found)), End):
            found += said
    except BotFaultError as error:
        raise ExplainError("\n  ".join((str(error), *error.stderr.splitlines()[-1:]))) from error
    except BadLineError as error:
        raise ExplainError(_("what runs the file answered nonsense: {line}").format(line=str(error)[:80])) from error
    finally:
        engine.close()
    notes = () if said.trouble is None else _lines(wording.explain(said.trouble, settings.name, game, position))
    return tree_of(game, position, bot.name(_NAME), found, said, notes)


def _lines(text: str) -> tuple[str, ...]:
    """What went wrong, without the board that the drawing shows anyway."""
    return tuple(line.strip() for line in text.splitlines()[:2])
