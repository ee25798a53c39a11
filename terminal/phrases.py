"""The protocol's codes in words: games, clocks, what was offered, how a match ended. Pure.

`refusals` says why a move is refused.
"""

from __future__ import annotations

from typing import assert_never

from games import parse
from games.base import Game, GameError, Seat, ending_words
from locales import _, endings, say
from protocol.bounds import OfferKind, SeatNumber
from protocol.messages import Clock, Result, SeatClock
from protocol.timing import format_clock
from protocol.values import RULED, ending_of
from terminal.text import clean
from view.match import MatchView


def game_title(game: Game) -> str:
    """What people call a game, with the options that are not the usual ones."""
    title = game.profile.title
    name = say(title) if title is not None else game.id
    name = name[:1].upper() + name[1:]
    options = game.spec.partition(":")[2]
    return f"{name} ({options})" if options else name


def title_of(spec: str) -> str:
    """What people call a game that a server names; its own word for one that we don't know."""
    try:
        return game_title(parse(spec))
    except GameError:
        return clean(spec)


def clock_text(clock: SeatClock | None) -> str:
    """A time control as people read it; what is typed is the same in every language (`protocol.timing`)."""
    if clock is None:
        return _("none")
    if isinstance(clock, Clock) and clock.second is not None:
        return ", ".join(map(clock_text, clock.seats))
    text = format_clock(clock)
    return _("{time} a move").format(time=text.removesuffix("/move")) if text.endswith("/move") else text


def offered(what: OfferKind, name: str, *, asked: bool) -> str:
    """That the player called `name` offers something; `asked` if the reader is to answer."""
    match what:
        case "draw":
            text = _("{name} offers a draw.")
        case "takeback":
            text = _("{name} asks to take a move back.")
        case "rematch":
            text = _("{name} wants a rematch.")
        case _:
            assert_never(what)
    said = text.format(name=name)
    answer = _("Type yes or no.")
    return f"{said} {answer}" if asked else said


def ended(view: MatchView, result: Result) -> list[str]:
    """How the match ended, from where its reader sits; then the score, if the game counts."""
    lines = [_verdict(view, result)]
    counts = view.game.profile.look.counts
    if counts is not None and result.reason in RULED:
        first, second = result.score
        what = say(counts[1]).capitalize()
        lines.append(_("{what}: {first} to {second}.").format(what=what, first=first, second=second))
        if result.tournament_score is not None and result.tournament_score != result.score:
            first, second = result.tournament_score
            lines.append(
                _("Tournament score (empty squares to the winner): {first} to {second}.").format(
                    first=first, second=second
                )
            )
    return lines


def _verdict(view: MatchView, result: Result) -> str:
    if result.declined == "busy":
        return _("The invitation was declined: whoever was invited plays as many matches as they can. Try again later.")
    if result.refused_by is not None:
        return _("The invitation was refused: no game.")
    if result.winner is None:
        return _by_the_rules(view, result) or endings.nobody_won(result.reason)
    why = _why(view, result, result.winner)
    if view.seat is not None:
        who = _("You win") if view.seat == result.winner else _("You lose")
    else:
        who = _("{name} wins").format(name=name_of(view, result.winner))
    return _("{who}: {why}.").format(who=who, why=why)


def _why(view: MatchView, result: Result, winner: SeatNumber) -> str:
    loser = name_of(view, Seat(winner).other)
    match result.reason:
        case "resign" if view.seat == 3 - winner:
            return _("you resigned")
        case "timeout" if view.seat == 3 - winner:
            return _("you ran out of time")
        case reason if reason in RULED:
            return _by_the_rules(view, result) or endings.by_the_rules()
        case _:
            return endings.lost_by(result.reason, loser)


def _by_the_rules(view: MatchView, result: Result) -> str:
    """What the game says of how its rules ended it; "" if they did not, or not as this version of the game knows."""
    code = ending_of(result.reason, result.ending)
    to_loser = view.seat is not None and view.seat != result.winner
    words = None if code is None else ending_words(view.game, code, result.winner, result.score, to_loser=to_loser)
    return say(words) if words is not None else ""


def name_of(view: MatchView, seat: SeatNumber | Seat) -> str:
    """The name of who sits on `seat`, safe to show."""
    player = view.player(Seat(seat))
    return clean(player.name) if player is not None else _("(free seat)")
