"""What happens in a match, told in sentences. Pure."""

from __future__ import annotations

from games.base import Seat
from locales import _, say
from protocol.bounds import SeatNumber
from protocol.messages import (
    Declined,
    GaveTime,
    Moved,
    Murmur,
    Offered,
    Passed,
    Paused,
    Presence,
    Resumed,
    Said,
    Seated,
    TookBack,
)
from terminal import phrases
from terminal.board import Style
from terminal.text import clean
from view.match import MatchView


def story(view: MatchView, message: object, now: float) -> str:  # noqa: C901, PLR0911 - a table
    """The sentence that tells of `message`, already folded into `view`; empty for what the drawing shows."""
    match message:
        case Seated() if message.seat != view.seat:
            return _("{name} is here.").format(name=clean(message.player.name))
        case Moved():
            return _by(view, message.seat, _("You play {move}."), _("{name} plays {move}."), move=message.move)
        case Passed():
            return _by(view, message.seat, _("You have no legal move and pass."), _("{name} can't move and passes."))
        case TookBack():
            return _("The game goes back to move {number}.").format(number=message.ply + 1)
        case Offered():
            return _offered(view, message)
        case Declined():
            return _declined(view, message)
        case GaveTime():
            return _gave_time(view, message)
        case Presence() if message.seat != view.seat:
            return _presence(view, message, now)
        case Paused(stopping=True):
            return _("The clocks stand still.")
        case Paused():
            return _("An organiser has paused the game: the clocks stand still.")
        case Resumed():
            return _("The game goes on.")
        case Said():
            return _("{name}: {text}").format(name=phrases.name_of(view, message.seat), text=clean(message.text))
        case Murmur():
            return _("{name} (watching): {text}").format(name=clean(message.name), text=clean(message.text))
        case _:
            return ""


def _declined(view: MatchView, message: Declined) -> str:
    if view.withdrawn:
        return _by(view, message.seat, _("You withdraw your offer."), _("{name} withdraws the offer."))
    return _by(view, message.seat, _("You said no."), _("{name} says no."))


def seat_line(view: MatchView, style: Style) -> list[str]:
    """Who plays what, as the match begins, and how late it is seen."""
    names, look = {seat: phrases.name_of(view, seat) for seat in Seat}, view.game.profile.look
    first = _("{name} plays {disc} and begins.").format(name=names[Seat.FIRST], disc=style.disc(Seat.FIRST, look))
    second = _("{name} plays {disc}.").format(name=names[Seat.SECOND], disc=style.disc(Seat.SECOND, look))
    match view.seat:
        case Seat.FIRST:
            first = _("You play {disc} and begin.").format(disc=style.disc(Seat.FIRST, look))
        case Seat.SECOND:
            second = _("You play {disc}.").format(disc=style.disc(Seat.SECOND, look))
        case None:
            pass
    lines = [
        _("Match {match}: {game}").format(match=clean(view.match), game=phrases.game_title(view.game)),
        f"{first} {second}",
    ]
    if view.delay_ms:
        lines.append(_("You see it {seconds} s after it happens.").format(seconds=f"{view.delay_ms / 1000:g}"))
    return lines


def turn_line(view: MatchView) -> str:
    """Whose turn it is, and for the reader what to type."""
    if not view.my_turn:
        return _("{name} is to move.").format(name=phrases.name_of(view, view.to_move))
    legal = view.position.legal_moves()
    if not legal:  # the last move has arrived, the result not yet
        return ""
    example = next((move for move in legal if view.game.move_cells(view.position, move)), None)
    if example is None:
        return _("Your move: {moves}. ? helps.").format(moves=", ".join(legal))
    x, y = view.game.move_cells(view.position, example)[-1]
    how = say(view.game.profile.typed).format(move=example, cell=f"{x + 1},{y + 1}")
    if others := [move for move in legal if not view.game.move_cells(view.position, move)]:
        return _("Your move{how}, or {others}. ? helps.").format(how=how, others=", ".join(others))
    return _("Your move{how}. ? helps.").format(how=how)


def help_lines(view: MatchView | None) -> list[str]:
    """What can be typed now."""
    lines: list[str] = []
    if view is not None and view.my_turn:
        lines.append(_("You may play: {moves}").format(moves=" ".join(view.position.legal_moves())))
    if view is None or view.seat is not None:
        lines += [
            _("resign   give the game up        draw     offer a draw"),
            _("undo     take your move back     yes, no  answer an offer"),
            _("rematch  play again              claim    win when your opponent stays away"),
            _("give     give your opponent 15 s more"),
        ]
        lines.append(_("chat ... say something           board    show the board again"))
    else:
        lines.append(_("chat ... talk to who watches     board    show the board again"))
    return [*lines, _("quit     leave")]


def _by(view: MatchView, seat: SeatNumber, you: str, other: str, move: str = "") -> str:
    return (you if seat == view.seat else other).format(name=phrases.name_of(view, seat), move=move)


def _offered(view: MatchView, offered: Offered) -> str:
    if offered.seat == view.seat:
        return _("Your offer is made; no withdraws it.")
    return phrases.offered(offered.what, phrases.name_of(view, offered.seat), asked=view.seat is not None)


def _gave_time(view: MatchView, gift: GaveTime) -> str:
    name, seconds = phrases.name_of(view, gift.seat), gift.added_ms // 1000
    if gift.seat == view.seat:
        return _("Your opponent has {seconds} s more.").format(seconds=seconds)
    if view.seat is not None:
        return _("{name} gives you {seconds} s more.").format(name=name, seconds=seconds)
    return _("{name} gives the opponent {seconds} s more.").format(name=name, seconds=seconds)


def _presence(view: MatchView, message: Presence, now: float) -> str:
    name = phrases.name_of(view, message.seat)
    if message.present:
        return _("{name} is back.").format(name=name)
    if view.seat is None or view.claimable_at is None:
        return _("{name} has lost the connection.").format(name=name)
    seconds = round(view.claimable_at - now)
    if seconds <= 0:
        return _("{name} is still away: type claim to win the game, or wait.").format(name=name)
    return _("{name} has lost the connection. In {seconds} s you may claim the win.").format(name=name, seconds=seconds)
