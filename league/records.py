"""The games of a league or a duel as records of matches, which other programs read. Pure.

A league keeps moves, results, dates, and what each move took by its clock. Logs of older versions have neither dates
nor times, so their records have none.
"""

from collections.abc import Mapping
from typing import cast

from league.config import League, LeagueBot
from league.played import DuelGame, Played
from protocol.bounds import ResultReason, SeatNumber
from protocol.messages import Result
from protocol.records import GameRecord
from server.records.compose import FoundGame, compose


def record_of(league: League, game: Played, bots: Mapping[str, LeagueBot]) -> GameRecord:
    """The record of a game; the same game has the same id each time, two games of a league have different ones.

    bots: those of the league by the names that they have now.
    """
    first, second = (bots.get(name, LeagueBot(name)) for name in (game.first, game.second))
    return _record(league, (first, second), game, f"{game.pairing}.{game.number}")


def record_of_duel(league: League, game: DuelGame) -> GameRecord:
    """The record of a game of a duel. league: what the duel plays, with its two bots."""
    first, second = (league.bots[bot] for bot in game.seats)
    return _record(league, (first, second), game, str(game.number))


def _record(league: League, bots: tuple[LeagueBot, LeagueBot], game: Played | DuelGame, number: str) -> GameRecord:
    """bots: in the order of their seats. number: by which the league knows the game."""
    first, second = bots
    winner = cast("SeatNumber | None", game.winner)
    found = FoundGame(
        league.rules,
        (first.name, second.name),
        game.date_ms,
        game.moves,
        clock=league.time_of(first, second),
        times_ms=game.move_ms,
        is_charged=True,
        ended=Result(winner, cast("ResultReason", game.reason), game.score),
        opening=game.opening,
        kind="bot",
        source=f"{league.name}:{league.seed}:{number}",
    )
    record, _contradicts = compose(found)
    return record
