"""Records, and what is wrong with them, in words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from games import Game, GameError
from games import parse as parse_game
from games.base import ending_words
from locales import N_, _, endings, ngettext, say
from protocol.bounds import SeatNumber
from protocol.messages import Player, Result
from protocol.records import GameRecord
from protocol.timing import format_clock
from protocol.values import RULED, ending_of
from server.names.text import is_showable
from server.records.compose import ImportRefusal, RefusedError
from server.records.verification import Flaw, Problem
from server.store.store_errors import StoreError, StoreTrouble

_SAID_BY_SQLITE: Final = (N_("file is not a database"), N_("database disk image is malformed"), N_("disk I/O error"))
"""Details of a trouble that are known word for word, and so can be translated."""

MAX_DETAIL: Final = 200
"""Letters that are quoted of a file that can't be read."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

_TROUBLES: Final = {
    StoreTrouble.IN_USE: N_("{path} belongs to a server that is running: stop it first, or choose another --db."),
    StoreTrouble.DAMAGED: N_("{path} is damaged ({detail}): restore a copy, or choose another --db."),
    StoreTrouble.FOREIGN: N_("{path} is another program's database: choose another --db."),
    StoreTrouble.NEWER: N_("{path} was made by a newer Arbitre ({detail}): update this one."),
    StoreTrouble.OLDER: N_(
        "{path} was made by an older Arbitre ({detail}): start a server on it once to bring it up to date."
    ),
    StoreTrouble.UNCOPIED: N_(
        "{path} was made by an older Arbitre, and the copy that is made before it is brought up to date failed "
        "({detail}): make room for it, or choose another --db. Nothing was changed."
    ),
    StoreTrouble.MISSING: N_("There is no database {path}: a server makes it, or 'import'."),
    StoreTrouble.UNUSABLE: N_("{path} can't be used ({detail})."),
}

_REFUSALS: Final = {
    ImportRefusal.RULES: N_("its rules are not known ({detail})"),
    ImportRefusal.OTHER_GAME: N_("it is not Othello ({detail})"),
    ImportRefusal.VARIANT: N_("it is a variant, or does not begin at the first position ({detail})"),
    ImportRefusal.MOVE: N_("the rules don't allow move {detail}"),
    ImportRefusal.PASS: N_("a pass is written where nobody has to pass ({detail})"),
    ImportRefusal.TURN: N_("a move is written for the wrong player ({detail})"),
    ImportRefusal.UNFINISHED: N_("the game is not over and no result is written"),
    ImportRefusal.LONG: N_("it is too long for a game"),
    ImportRefusal.TRUNCATED: N_("the file ends, or the next game begins, in the middle of it {detail}"),
    ImportRefusal.UNREADABLE: N_("it is not in this format ({detail})"),
    ImportRefusal.FLAWED: N_("it does not verify: {detail}"),
    ImportRefusal.CONFLICT: N_("another match has its id, {detail}"),
    ImportRefusal.UNSAFE: N_("a name or a text has control characters"),
}

_FLAWS: Final = {
    Flaw.GAME: N_("the game “{found}” is not known"),
    Flaw.OTHER_MATCH: N_("the event is of match {found}, not {wanted}"),
    Flaw.SEQ: N_("the event has number {found}, not {wanted}"),
    Flaw.PLACE: N_("“{found}” can't happen there"),
    Flaw.SEAT: N_("the event is for the wrong seat"),
    Flaw.PLY: N_("the number of the move is {found}, not {wanted}"),
    Flaw.MOVE: N_("the rules don't allow {found}; they allow: {wanted}"),
    Flaw.PASS: N_("the seat that passes is {found}, by the rules {wanted}"),
    Flaw.TURN: N_("seat {found} is called to move, by the rules it is seat {wanted}"),
    Flaw.CLOCK: N_("the clocks don't add up: {found}, not {wanted}"),
    Flaw.RESULT: N_("the result is {found}, by the rules {wanted}"),
    Flaw.END: N_("the game is over, but the record has no end"),
    Flaw.CHAIN: N_("the chain is {found}, not {wanted}: an event was changed, dropped, added or moved"),
    Flaw.SEAL: N_("the seal does not fit: the line was changed"),
    Flaw.UNREADABLE: N_("it can't be read {found}"),
    Flaw.SUMMARY: N_("the table of results says {found}, the events {wanted}"),
}


def store_sentence(error: StoreError) -> str:
    """Why a database can't be used, and what to do."""
    return _(_TROUBLES[error.trouble]).format(
        path=error.path, detail=_(error.detail) if error.detail in _SAID_BY_SQLITE else error.detail
    )


def refusal_sentence(error: RefusedError) -> str:
    """Why a game is not taken, as the end of a sentence."""
    detail = error.detail if len(error.detail) <= MAX_DETAIL else f"{error.detail[:MAX_DETAIL]}..."
    return _(_REFUSALS[error.refusal]).format(detail=shown(detail)).replace(" ()", "").strip()


def problem_sentence(problem: Problem) -> str:
    """What is wrong with a record, as the end of a sentence."""
    text = _(_FLAWS[problem.flaw]).format(found=shown(problem.found), wanted=shown(problem.wanted)).strip()
    return _("event {seq}: {problem}").format(seq=problem.seq, problem=text) if problem.seq else text


def shown(text: str) -> str:
    """`text` without what must not reach a terminal."""
    return "".join(character if is_showable(character) else "\N{REPLACEMENT CHARACTER}" for character in text)


def text_of(record: GameRecord) -> str:
    """A record for people: a few lines that say what was played and by whom, the moves, how it ended."""
    first, second = record.players
    moves = record.moves
    rows = [_("Match: {match}").format(match=record.match), _("Game: {game}").format(game=record.game)]
    if record.clock is not None:
        rows.append(_("Clock: {clock}").format(clock=format_clock(record.clock)))
    if record.opened_ms:
        date = _EPOCH + timedelta(milliseconds=record.opened_ms)
        rows.append(_("Date: {date}").format(date=date.strftime("%Y-%m-%d %H:%M:%S UTC")))
    rows.append(_("First: {player}").format(player=_player(first)))
    rows.append(_("Second: {player}").format(player=_player(second)))
    label = ngettext("{count} move: {moves}", "{count} moves: {moves}", len(moves))
    rows.append(label.format(count=len(moves), moves=_transcript(record.game, moves)))
    rows.append(_ending(record))
    return "\n".join(rows) + "\n"


def _player(player: Player | None) -> str:
    if player is None:
        return _("(free seat)")
    return shown(player.name) + (_(" (bot)") if player.kind == "bot" else "")


def _transcript(spec: str, moves: tuple[str, ...]) -> str:
    try:
        return parse_game(spec).format_transcript(moves)
    except GameError:
        return " ".join(moves)


def _ending(record: GameRecord) -> str:
    result = record.result
    if result is None:
        return _("The game goes on.")
    ruled = _by_the_rules(record, result)
    if result.winner is None:
        text = ruled or endings.nobody_won(result.reason)
    else:
        text = _won(record, result, result.winner, ruled)
    if result.reason in (*RULED, "adjudicated") and (game := _game(record.game)) and game.profile.look.counts:
        first, second = result.tournament_score or result.score
        text += " " + _("Score: {first} to {second}.").format(first=first, second=second)
    return text


def _won(record: GameRecord, result: Result, winner: SeatNumber, ruled: str) -> str:
    names = [shown(player.name) if player else _("(free seat)") for player in record.players]
    if result.reason in RULED:
        why = ruled or endings.by_the_rules()
    else:
        why = endings.lost_by(result.reason, names[2 - winner])
    return _("{who}: {why}.").format(who=_("{name} wins").format(name=names[winner - 1]), why=why)


def _by_the_rules(record: GameRecord, result: Result) -> str:
    """What the game says of how its rules ended it; "" if they did not, or not as this version of the game knows."""
    code, game = ending_of(result.reason, result.ending), _game(record.game)
    if code is None or game is None:
        return ""
    words = ending_words(game, code, result.winner, result.score)
    return say(words) if words is not None else ""


def _game(spec: str) -> Game | None:
    try:
        return parse_game(spec)
    except GameError:
        return None
