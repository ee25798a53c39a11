"""Whether a league is what its log says: schedule, games and results, from the log alone.

The log's own chain of hashes is checked when it is read (`league.history.log`); here, whether the entries make
sense.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.base import Game, GameError, Position
from league.config import LeagueBot
from league.history.entrants import SeasonError
from league.history.log import LogEntry
from league.history.season import EXTENDED, NONSENSE, RULINGS, WITHDRAWN, Season
from league.pairing.balance import balance_of
from league.pairing.openings import OpeningsError
from league.played import Job, Played
from league.results import FAULTS
from locales import _
from protocol.values import result_of

_UNRULED = (*FAULTS, "resign", "agreement", "adjudicated")
_DRAWN = ("agreement", "adjudicated")
"""How a game may end before its last move without a winner."""


class Audit(NamedTuple):
    """What a log says of its league, compared with the rules of the games and with the plan that its seed gives.

    problems: what is wrong, a sentence each. games: how many there are. planned: how many there are to be in all, as
    far as that is known; None without an end. missing: pairings that are written in the schedule, are not excused by
    somebody who has left, and were not played. finished: whether the log has its end. on_word: how many results do not
    follow from the moves, by reason ("timeout", "resign" ...). decided: what whoever ran it has decided beside, by kind
    of line. forfeits: games that count as won and were not played.
    """

    problems: list[str]
    games: int = 0
    planned: int | None = None
    missing: tuple[Job, ...] = ()
    finished: bool = False
    on_word: Mapping[str, int] = {}
    decided: Mapping[str, int] = {}
    forfeits: int = 0


def verify(entries: Sequence[LogEntry]) -> tuple[list[str], int]:
    """What is wrong, a sentence each, and how many games there are: the first two of `audit`."""
    return audit(entries)[:2]


def audit(entries: Sequence[LogEntry]) -> Audit:
    """Reads a log from its first line to its last."""
    problems: list[str] = []
    try:
        season = Season.of(entries[:1])
    except SeasonError as error:
        return Audit([_("The log is no league: {reason}").format(reason=error)])
    season.balanced_by(balance_of(season.league.rules))
    for number, entry in enumerate(entries[1:], 2):
        try:
            problems += [
                _("line {line}: {problem}").format(line=number, problem=problem) for problem in _check(season, entry)
            ]
            season.take(entry)
        except (SeasonError, GameError, OpeningsError) as error:
            problems.append(_("line {line}: {problem}").format(line=number, problem=error))
            break
        except NONSENSE:
            problems.append(_("line {line}: {problem}").format(line=number, problem=_("this can't be understood")))
            break
    try:
        return _audit(season, entries, problems)
    except NONSENSE:
        return Audit(problems or [_("The plan of the league can't be understood.")], len(season.games))


def _audit(season: Season, entries: Sequence[LogEntry], problems: list[str]) -> Audit:
    """The audit of the whole league, once all lines are read."""
    missing = tuple(season.due((), len(season.schedule.pairings)))
    on_word = Counter(game.reason for game in season.games if game.reason in _UNRULED)
    planned = len(season.games) + sum(job.games for job in missing) if season.finished else season.planned
    decided = Counter(entry.kind for entry in entries if _is_ruling(entry))
    return Audit(problems, len(season.games), planned, missing, season.finished, on_word, decided, season.forfeits)


def _is_ruling(entry: LogEntry) -> bool:
    is_withdrawal = entry.kind == "left" and entry.data.get("reason") == WITHDRAWN
    return is_withdrawal or entry.kind in (*RULINGS, EXTENDED)


def _check(season: Season, entry: LogEntry) -> list[str]:
    match entry.kind:
        case "planned" | "finished":
            following = season.following()
            if season.consequences() or (following.kind, dict(following.data)) != (entry.kind, dict(entry.data)):
                return [_("this is not what the seed and the results give")]
            if entry.kind == "finished" and season.due((), 1):
                return [_("the league ends here, and not all that was planned was played")]
        case "left" | "decided":
            if entry.data.get("reason") != WITHDRAWN and entry not in season.consequences():
                return [_("this is not what the seed and the results give")]
        case "played":
            return _check_games(season, [Played.from_dict(game) for game in entry.data["games"]])
        case _:
            pass
    return []


def _check_games(season: Season, games: Sequence[Played]) -> list[str]:
    pairing = next((one for one in season.schedule.pairings if one.id == games[0].pairing), None)
    if pairing is None or any(game.pairing != pairing.id for game in games):
        return [_("a pairing that was not planned")]
    players = (LeagueBot(pairing.first), LeagueBot(pairing.second))
    return check_games(season.league.rules, Job(pairing.id, players, pairing.opening, pairing.seed), games)


def check_games(rules: Game, job: Job, games: Sequence[Played]) -> list[str]:
    """What is wrong with games that are said to be those of `job`, a sentence each."""
    problems: list[str] = []
    seats = [(job.pairing, number, *(bot.name for bot in job.seats(number))) for number in range(1, job.games + 1)]
    if [(game.pairing, game.number, game.first, game.second) for game in games] != seats:
        problems.append(_("pairing {pairing}: these are not its games").format(pairing=job.pairing))
    for game in games:
        if game.moves[: game.opening] != job.opening[: game.opening] or game.opening != len(job.opening):
            problems.append(_("pairing {pairing}: another opening").format(pairing=job.pairing))
        problems += [
            _("pairing {pairing}, game {number}: {problem}").format(
                pairing=job.pairing, number=game.number, problem=problem
            )
            for problem in _check_game(rules.start(), game)
        ]
    return problems


def _check_game(position: Position, game: Played) -> list[str]:
    """Replays a game, and compares its end with what is said of it."""
    for ply, move in enumerate(game.moves, 1):
        try:
            position = position.play(move)
        except GameError as error:
            return [_("move {number}, {move}: {reason}").format(number=ply, move=move, reason=error)]
    outcome = position.outcome()
    if outcome is None:
        if game.reason not in _UNRULED or (game.winner not in (1, 2) and game.reason not in _DRAWN):
            return [_("the game is not over, but the result is {reason}").format(reason=game.reason)]
        return []
    result = result_of(outcome)
    if (result.winner, result.reason, tuple(result.score)) != (game.winner, game.reason, game.score):
        return [_("the result is not what the moves give")]
    return []
