"""What people read of a duel: a line a game, and the table at its end. Pure."""

from collections.abc import Sequence

import games
from games.base import Game, ending_words
from league.config import usual_for
from league.played import DuelGame, Played
from league.report.score_text import contest, points
from league.statistics.score import Score
from league.statistics.standings import Tally
from locales import N_, _, decimal, ngettext, say
from terminal.columns import columns

REASONS = {
    "rules": N_("by the rules"),
    "line": N_("a line"),
    "discs": N_("most discs"),
    "full": N_("board full"),
    "resign": N_("resignation"),
    "timeout": N_("out of time"),
    "abandoned": N_("abandoned"),
    "illegal": N_("illegal move"),
    "crash": N_("the bot failed"),
    "agreement": N_("agreement"),
    "adjudicated": N_("adjudicated"),
    "aborted": N_("aborted"),
}

_DRAWN = {"discs": N_("as many discs")}
"""What a draw is called, for reasons whose usual words say who is ahead."""


def end_of(game: Game, played: Played) -> str:
    """How a game of a league ended, in a few words."""
    return _reason(game, played.reason, played.ending(game), played.winner, played.score)


def tally(records: Sequence[DuelGame], bot: int, seat: int) -> Tally:
    """What `bot` (0 or 1) made in the games in which it had `seat` (1 or 2)."""
    played = [record for record in records if record.seats[seat - 1] == bot]
    wins = sum(record.winner == seat for record in played)
    draws = sum(record.winner is None for record in played)
    return Tally(wins, draws, len(played) - wins - draws)


def game_line(record: DuelGame, count: int, names: Sequence[str]) -> str:
    """One line for a game that is over: its number, who won, how, in how many moves."""
    number = f"{record.number:>{len(str(count))}}/{count}"
    reason = _reason(games.parse(record.game), record.reason, record.ending, record.winner, record.score)
    moves = ngettext("{count} move", "{count} moves", len(record.moves)).format(count=len(record.moves))
    if record.winner is None:
        return _("{number}  draw ({reason}), {moves}").format(number=number, reason=reason, moves=moves)
    name = names[record.seats[record.winner - 1]]
    started = _("as first") if record.winner == 1 else _("as second")
    score = f"{record.score[0]}-{record.score[1]}" if record.reason == "discs" else ""
    how = f"{reason} {score}".strip()
    return _("{number}  {name} wins {started} ({how}), {moves}").format(
        number=number, name=name, started=started, how=how, moves=moves
    )


def _reason(game: Game, reason: str, ending: str | None, winner: int | None, score: tuple[int, int]) -> str:
    """How a game ended; in the game's own words where it has them."""
    words = None if ending is None else ending_words(game, ending, winner, score)
    if words is not None:
        return say(words)
    return _(REASONS[reason] if winner is not None else _DRAWN.get(reason, REASONS[reason]))


def duel_table(records: Sequence[DuelGame], names: Sequence[str]) -> list[str]:
    """The table of a duel: each bot's score, and its wins, draws and losses with each seat."""
    heads: tuple[str, ...] = ("", _("score"), _("as first"), _("as second"))
    rows: list[tuple[str, ...]] = [heads]
    for bot, name in enumerate(names):
        first, second = tally(records, bot, 1), tally(records, bot, 2)
        rows.append((name, points(first.halves + second.halves), _results(first), _results(second)))
    return [*columns(rows), "", _summary(records)]


def findings(records: Sequence[DuelGame], names: Sequence[str]) -> list[str]:
    """What several games say: whether they differ from each other, and how sure the first bot's lead is."""
    count, different = len(records), len({(record.seats, record.moves) for record in records})
    if different == count:
        said = [_("All {count} games are different.").format(count=count)]
    else:
        text = ngettext(
            "Only {different} of {count} games is different; repeats make the lead look surer than it is.",
            "Only {different} of {count} games are different; repeats make the lead look surer than it is.",
            different,
        )
        said = [
            text.format(count=count, different=different),
            _("Openings make them differ: --openings {openings}").format(
                openings=usual_for(records[0].game, tested=True)["openings"]
            ),
        ]
    return [*contest(names, score_of(records, names)), *said]


def score_of(records: Sequence[DuelGame], names: Sequence[str]) -> Score:
    """What the first bot has made against the second."""
    return Score.of([record.result(names) for record in records], names[0])


def _summary(records: Sequence[DuelGame]) -> str:
    count = len(records)
    plies = sum(len(record.moves) for record in records) / count
    times = [record.seconds for record in records if record.seconds is not None]
    games = ngettext("{count} game", "{count} games", count).format(count=count)
    if not times:
        text = _("{games}, {plies} moves each on average; + wins, = draws, - losses.")
        return text.format(games=games, plies=decimal(plies, 1))
    return _("{games}, {plies} moves and {seconds} s each on average; + wins, = draws, - losses.").format(
        games=games, plies=decimal(plies, 1), seconds=decimal(sum(times) / count, 2)
    )


def _results(made: Tally) -> str:
    return f"+{made.wins} ={made.draws} -{made.losses}"
