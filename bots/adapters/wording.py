"""What a pupil is told when a file fails: where, why, in which position, and what would be right."""

from bots.adapters.pupils.facts import Place, Trouble
from games.base import Game, Position, Reason
from locales import N_, _
from terminal.board import Style, clean, draw_board
from terminal.phrases import move_refused

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

_LEGAL_SHOWN = 12


def explain(trouble: Trouble, file: str, game: Game | None = None, position: Position | None = None) -> str:
    """Explains a trouble in a few lines and draws `position` if there is one; `file`: how the user names it."""
    lines = [_sentence(trouble, file)]
    if trouble.place.code and trouble.kind not in ("printed", "unreadable"):
        lines.append(f"    {clean(trouble.place.code)}")
    if trouble.kept:
        lines.append(_("What the file defines before that is used all the same."))
    if game is not None and position is not None:
        disc = Style().disc(position.to_move, game.profile.look)
        lines.append(_("It was asked to play {disc} here:").format(disc=f"{disc} ({position.to_move.value})"))
        lines += [f"    {line}" for line in draw_board(game, position, Style())]
        if trouble.legal and trouble.kind != "printed":
            lines.append(_right_answers(trouble))
    return "\n".join(lines)


def _right_answers(trouble: Trouble) -> str:
    shown = ", ".join(trouble.legal[:_LEGAL_SHOWN]) + (", ..." if len(trouble.legal) > _LEGAL_SHOWN else "")
    return _("{function} may return here: {answers}").format(function=trouble.function, answers=shown)


def _sentence(trouble: Trouble, file: str) -> str:  # noqa: PLR0911 - a sentence for each kind
    where = _where(trouble.place, file)
    detail, function = clean(trouble.detail), trouble.function
    match trouble.kind:
        case "syntax":
            return _("{where}: this is not Python. {error}: {detail}").format(
                where=where, error=trouble.error, detail=detail
            )
        case "unreadable":
            return _("{file} can't be read: {detail}.").format(file=file, detail=detail)
        case "nothing":
            return _nothing(file, detail)
        case "missing":
            return _("{where}: there is no module called {name!r}, neither beside the file nor installed.").format(
                where=where, name=detail
            )
        case "raised":
            return _raised(trouble, where, detail)
        case "asked":
            return _asked(trouble, where, detail, file)
        case "printed":
            return _(
                "{where}: the file prints “{text}”. That disturbs nothing, but nobody reads it: it is kept for the "
                "reports of failures."
            ).format(where=where, text=detail)
        case "slow":
            return _slow(trouble, where)
        case "endless":
            return _endless(where)
        case "wrong":
            return _("{function} returned {returned}, which is not {expected}.").format(
                function=function, returned=clean(trouble.returned), expected=_(_EXPECTED[trouble.expected])
            )
        case "illegal":
            return _("{function} returned {returned}, an illegal move. {why}").format(
                function=function, returned=clean(trouble.returned), why=move_refused(detail, Reason(trouble.why))
            )


def _where(place: Place, file: str) -> str:
    if not place.line:
        return place.file or file
    if place.function:
        return _("{file}, line {line}, in {function}").format(file=place.file, line=place.line, function=place.function)
    return _("{file}, line {line}").format(file=place.file, line=place.line)


def _nothing(file: str, choice: str) -> str:
    from bots.adapters.pupils.interfaces import NAMES

    if choice:
        return _("{file} defines nothing that can be used as {choice}.").format(file=file, choice=choice)
    return _(
        "{file} defines none of the functions that can be asked for a move: {names}. If yours has another name, say "
        "which of them it stands for: {file}#my_function=coup_joueur"
    ).format(file=file, names=", ".join(NAMES))


def _raised(trouble: Trouble, where: str, detail: str) -> str:
    if trouble.error == "SystemExit":
        return _("{where}: the file calls exit().").format(where=where)
    return _("{where}: {error}").format(where=where, error=f"{trouble.error}: {detail}" if detail else trouble.error)


def _asked(trouble: Trouble, where: str, prompt: str, file: str) -> str:
    asks = (
        _("{where}: the file asks the keyboard (“{prompt}”).") if prompt else _("{where}: the file asks the keyboard.")
    )
    if trouble.loading:
        way_out = _('Start the game below if __name__ == "__main__": only.')
    else:
        way_out = _(
            "A bot has no keyboard: {function} must choose the move itself. If another function does that, name it: "
            "{file}#my_function={function}"
        )
    return f"{asks} {way_out}".format(where=where, prompt=prompt, function=trouble.function, file=file)


def _slow(trouble: Trouble, where: str) -> str:
    if trouble.loading:
        return _("{where}: the file is still busy here long after it was started. Is this an endless loop?").format(
            where=where
        )
    return _("{where}: {function} is still busy here, and its time is up. Is this an endless loop?").format(
        where=where, function=trouble.function
    )


def _endless(where: str) -> str:
    return _(
        "{where}: ponder still thinks here after the opponent has moved, and can't be interrupted. It may ask whether "
        "to stop: def ponder(position, stop) is given a function, and stop() says so."
    ).format(where=where)
