"""Whether a league is what its log says: schedule, games and results, from the log alone. Pure.

The log's own chain of hashes is checked when it is read (`league.log`); here it is whether the entries make sense.
"""

from collections.abc import Sequence

from games.base import Game, GameError, Position, Seat, Termination
from league.balance import balance_of
from league.config import Entry as Bot
from league.log import Entry
from league.played import Job, Played
from league.results import FAULTS
from league.season import WITHDRAWN, Season, SeasonError
from locales import _

_RULED = {
    Termination.LINE: "line",
    Termination.DISCS: "discs",
    Termination.FULL: "full",
}
_UNRULED = (*FAULTS, "resign", "agreement", "adjudicated")
_DRAWN = ("agreement", "adjudicated")
"""How a game may end before its last move without a winner."""


def verify(entries: Sequence[Entry]) -> tuple[list[str], int]:
    """What is wrong, a sentence each, and how many games there are."""
    problems: list[str] = []
    try:
        season = Season.of(entries[:1])
    except (SeasonError, KeyError, TypeError, ValueError) as error:
        return [_("The log is no league: {reason}").format(reason=error)], 0
    season.balanced_by(balance_of(season.league.rules))
    for number, entry in enumerate(entries[1:], 2):
        try:
            problems += [
                _("line {line}: {problem}").format(line=number, problem=problem) for problem in _check(season, entry)
            ]
            season.take(entry)
        except (SeasonError, GameError, KeyError, TypeError, ValueError) as error:
            problems.append(_("line {line}: {problem}").format(line=number, problem=error))
            break
    return problems, len(season.games)


def _check(season: Season, entry: Entry) -> list[str]:
    match entry.kind:
        case "planned" | "finished":
            following = season.following()
            if season.consequences() or (following.kind, dict(following.data)) != (entry.kind, dict(entry.data)):
                return [_("this is not what the seed and the results give")]
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
    players = (Bot(pairing.first), Bot(pairing.second))
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
    winner = None if outcome.winner is None else 1 if outcome.winner is Seat.FIRST else 2
    if (winner, _RULED[outcome.termination], tuple(outcome.score)) != (game.winner, game.reason, game.score):
        return [_("the result is not what the moves give")]
    return []
