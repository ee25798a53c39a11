"""What a pupil is told when a file fails: why, where, in which position, and what would be right."""

from bots.adapters.hint_words import hint_lines
from bots.adapters.pupils import notebooks
from bots.adapters.pupils.facts import Location, Trouble
from bots.adapters.python_words import in_words
from games.base import Game, Position
from locales import N_, _, ngettext
from locales.harmless import sentences
from terminal.board import Style, draw_position
from terminal.refusals import move_refused
from terminal.text import clean

_EXPECTED = {
    "pair": N_("a pair (x, y) of whole numbers, counted from 1"),
    "column": N_("a column: a whole number, counted from 1"),
    "index": N_("a column: a whole number, counted from 0"),
    "triple": N_("a list [i, j, flips]: row and column are whole numbers, counted from 0"),
    "cell": N_("a pair (line, col) of whole numbers, counted from 0"),
    "square": N_("a pair (x, y) of whole numbers, counted from 0"),
    "value": N_("a pair (value, (x, y)) whose x and y are whole numbers, counted from 0"),
    "move": N_("one of position.legal_moves(): a text such as 'd3' or '4'"),
    "listed": N_("one of the moves that it was given: a text such as 'd3' or '4'"),
}
"""What an answer should be; the keys are those of `WrongAnswer.expected`."""

_NO_NOTEBOOK = {
    "huge": N_("{file} is larger than {megabytes} MB: clear its outputs, save it, and try again."),
    "json": N_("{file} is no notebook: it is empty or damaged. Open it where it was made, and save it again."),
    "format": N_("{file} is no notebook that Jupyter can read. Open it where it was made, and save it again."),
    "language": N_("The notebook {file} is written in {language}, not in Python."),
    "empty": N_("The notebook {file} has no code: all of its code cells are empty."),
}
"""Why a file can't be used as a notebook; the keys are those of `notebooks.NotebookFault`."""

_LEGAL_SHOWN = 12

_USUAL = ("choose", "choose_from", "choisir_parmi", "coup_joueur")
"""The names that are enough for those whom a hint tells what to do."""

_NO_FAULT = ("printed", "hint")
"""The kinds that are told although the file has moved: the position has nothing to do with them."""

_INLINE = ("printed", "nothing", "unreadable", "notebook", "magic", "chosen")
"""The kinds whose sentence says where it is, if that matters; the others have the place and its code below."""


def explain(
    trouble: Trouble, file: str, game: Game | None = None, position: Position | None = None, *, in_command: bool = True
) -> str:
    """Explains a trouble: its cause, where it is, and `position` if there is one; `file`: how the user names it.

    in_command: whether they name it in a command, where # and a function may follow.
    """
    lines = [sentence(trouble, file, game, in_command=in_command)]
    if trouble.kind not in _INLINE:
        lines += _place_lines(trouble.place, file, trouble)
    if trouble.kind != "hint":
        lines += hint_lines(trouble.hints)
    if trouble.kept:
        lines.append(_kept(trouble))
    if game is not None and position is not None and trouble.kind not in _NO_FAULT:
        lines.append(asked_here(game, position))
        lines += [f"    {line}" for line in draw_position(game, position, Style())]
        lines += right_answers(trouble)
    return sentences("\n".join(lines))


def _place_lines(place: Location, file: str, trouble: Trouble) -> list[str]:
    if place.code:
        return [_("{where}:").format(where=_where(place, file)), f"    {clean(place.code)}"]
    return [_where(place, file)] if place.file or trouble.loading else []


def _kept(trouble: Trouble) -> str:
    if trouble.kind in ("demo", "syntax") or trouble.place.cell:
        return _("All else that the file defines is used.")
    return _("What the file defines before that is used all the same.")


def asked_here(game: Game, position: Position) -> str:
    """For whom a move was asked, before the board."""
    disc = Style().disc(position.to_move, game.profile.look)
    return _("It was asked to play {disc} here:").format(disc=f"{disc} ({position.to_move.value})")


def right_answers(trouble: Trouble) -> list[str]:
    """What would have been right, if that is known."""
    if not trouble.legal:
        return []
    shown = ", ".join(trouble.legal[:_LEGAL_SHOWN]) + (", ..." if len(trouble.legal) > _LEGAL_SHOWN else "")
    return [_("{function} may return here: {answers}").format(function=trouble.function, answers=shown)]


def sentence(trouble: Trouble, file: str, game: Game | None = None, *, in_command: bool = True) -> str:
    """What is the matter, without where; `game`: in which a move is illegal. in_command: as for `explain`.

    The file's own process tells the trouble, and what is in it may tell what it likes.
    """
    return sentences(_sentence(trouble, file, game, in_command=in_command))


def _sentence(  # noqa: C901, PLR0911 - a sentence for each kind
    trouble: Trouble, file: str, game: Game | None, *, in_command: bool
) -> str:
    detail, function = clean(trouble.detail), trouble.function
    match trouble.kind:
        case "syntax":
            return _("This is not Python. {error}").format(error=in_words(trouble.error, detail))
        case "unreadable":
            return _("{file} can't be read: {detail}.").format(file=file, detail=detail)
        case "notebook":
            return _(_NO_NOTEBOOK[trouble.error]).format(file=file, language=detail, megabytes=notebooks.LARGEST >> 20)
        case "magic":
            return _magic(trouble, _where(trouble.place, file), detail)
        case "chosen":
            return _chosen(trouble, file, in_command=in_command)
        case "hint":
            return "\n".join(hint_lines(trouble.hints))
        case "nothing":
            return _nothing(file, detail, is_guessed=bool(trouble.hints), in_command=in_command)
        case "missing":
            return _("There is no module called {name!r}, neither beside the file nor installed.").format(name=detail)
        case "raised":
            return _("The file calls exit().") if trouble.error == "SystemExit" else in_words(trouble.error, detail)
        case "asked":
            return _asked(trouble, detail, file, in_command=in_command)
        case "printed":
            return _(
                "{where}: the file prints “{text}”. That disturbs nothing, but nobody reads it: it is kept for the "
                "reports of failures."
            ).format(where=_where(trouble.place, file), text=detail)
        case "slow" | "full" | "demo" | "endless":
            return _busy(trouble)
        case "wrong":
            return _("{function} returned {returned}, which is not {expected}.").format(
                function=function, returned=clean(trouble.returned), expected=_(_EXPECTED[trouble.expected])
            )
        case "illegal":
            why = move_refused(game, trouble.detail, trouble.why)
            return _("{function} returned {returned}, an illegal move. {why}").format(
                function=function, returned=clean(trouble.returned), why=why
            )


def _where(place: Location, file: str) -> str:
    if not place.line:
        return place.file or file
    text = _("{file}, cell {cell}, line {line}") if place.cell else _("{file}, line {line}")
    if place.function and place.cell:
        text = _("{file}, cell {cell}, line {line}, in {function}")
    elif place.function:
        text = _("{file}, line {line}, in {function}")
    return text.format(file=place.file, cell=place.cell, line=place.line, function=place.function)


def _magic(trouble: Trouble, where: str, detail: str) -> str:
    text = ngettext(
        "{where}: “{text}” is a command of notebooks and no Python: it is left out.",
        "{where}: “{text}” is a command of notebooks and no Python: it is left out, as all of them are ({count}).",
        trouble.count,
    )
    return text.format(where=where, text=detail, count=trouble.count)


def _chosen(trouble: Trouble, file: str, *, in_command: bool) -> str:
    text = _("{function} of {file} is asked. It also defines {others}, which is not asked.")
    if in_command:
        text = _("{function} of {file} is asked. It also defines {others}: to ask that, write {example}")
    others, example = ", ".join(trouble.others), f"{file}#{trouble.others[0]}"
    return text.format(function=trouble.function, file=file, others=others, example=example)


def _nothing(file: str, choice: str, *, is_guessed: bool, in_command: bool) -> str:
    """Why nothing is asked; is_guessed: whether a hint says what to do, so that some names are enough."""
    from bots.adapters.pupils.interfaces import NAMES

    if choice:
        return _("{file} defines nothing that can be used as {choice}.").format(file=file, choice=choice)
    names = f"{', '.join(_USUAL)}, ..." if is_guessed else ", ".join(NAMES)
    text = _("{file} defines none of the functions that can be asked for a move ({names}).")
    if in_command:
        text += " " + _("If yours has another name, say which of them it stands for: {file}#my_function=coup_joueur")
    return text.format(file=file, names=names)


def _asked(trouble: Trouble, prompt: str, file: str, *, in_command: bool) -> str:
    asks = _("The file asks the keyboard (“{prompt}”).") if prompt else _("The file asks the keyboard.")
    if trouble.loading and trouble.hints:
        way_out = _("A bot has no keyboard.")
    elif trouble.loading:
        way_out = _('Start the game below if __name__ == "__main__": only.')
    elif not in_command:
        way_out = _("A bot has no keyboard: {function} must choose the move itself.")
    else:
        way_out = _(
            "A bot has no keyboard: {function} must choose the move itself. If another function does that, name it: "
            "{file}#my_function={function}"
        )
    return f"{asks} {way_out}".format(prompt=prompt, function=trouble.function, file=file)


def _busy(trouble: Trouble) -> str:
    if trouble.kind == "full":
        text = _(
            "{function} fills the memory: its time is up, it is still busy, and has taken {megabytes} MB more. "
            "What grows here without end?"
        )
        return text.format(function=trouble.function, megabytes=trouble.count)
    if trouble.kind == "demo":
        return _(
            "The file plays or tests here while it is loaded; that was stopped, since a match does not need it. Below "
            'if __name__ == "__main__": it is not even begun.'
        )
    if trouble.kind == "endless":
        return _(
            "ponder still thinks after the opponent has moved, and can't be interrupted. It may ask whether to stop: "
            "def ponder(position, stop) is given a function, and stop() says so."
        )
    if trouble.loading:
        return _("The file is still busy long after it was started. Is this an endless loop?")
    if trouble.moves:
        text = ngettext(
            "{function} has no time left: its time was for the whole game, and {count} move has used it up. Let it "
            "think less about each move.",
            "{function} has no time left: its time was for the whole game, and {count} moves have used it up. Let it "
            "think less about each move.",
            trouble.moves,
        )
        return text.format(function=trouble.function, count=trouble.moves)
    return _("{function} is still busy, and its time is up. Is this an endless loop?").format(function=trouble.function)
