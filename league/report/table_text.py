"""The table of a league for a terminal, and as CSV. Pure, except for the language."""

from collections.abc import Callable, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from league.history.season import KICKED, SUSPENDED, Season
from league.report.cells import as_csv as cells_as_csv
from league.report.cells import defused, figure
from league.report.score_text import contest, points
from league.results import FAULTS
from league.statistics.sprt import Decision, Model, Sprt, Verdict
from league.statistics.standings import BUCHHOLZ, DIRECT, Row, Standings, Tally, ties
from locales import N_, _, decimal, language, ngettext
from locales.folding import fold
from terminal.text import cells_wide
from terminal.timeleft import time_left

UNRATED = "–"
"""Stands for the rating of who has not played."""

CROSSTABLE_AT_MOST = 14
"""Players whose crosstable is shown: with more it does not fit."""

_AROUND_ROWS = 8
"""Lines besides the rows of the two tables: heading, column heads, blank lines, a remark or two."""

FAULT_NAMES = {
    "crash": N_("crash"),
    "timeout": N_("time"),
    "illegal": N_("illegal"),
    "abandoned": N_("gone"),
}


def render(
    season: Season,
    standings: Standings,
    *,
    width: int = 80,
    height: int | None = None,
    seconds_left: float | None = None,
) -> RenderableType:
    """The whole of it: what is played, the table, the crosstable, which is left out where it does not fit."""
    parts: list[RenderableType] = [
        Text(fold(heading(season, seconds_left), width), style="bold"),
        standings_table(season, standings, width),
    ]
    rows = len(standings.rows)
    fits = width >= 24 + 5 * rows and (height is None or height >= 2 * rows + _AROUND_ROWS)
    if 2 < rows <= CROSSTABLE_AT_MOST and fits:
        parts += ["", crosstable(standings)]
    played = sum(row.as_first.games for row in standings.rows)
    said = remarks(season, standings) if played else repeats(season)
    if said:
        parts += ["", *(Text(fold(text, width)) for text in said)]  # rich breaks at no-break spaces, too
    return Group(*parts)


def heading(season: Season, seconds_left: float | None = None) -> str:
    """The league's name, and how much of it was played."""
    played, planned = len(season.games), season.planned
    if season.finished:
        what = ngettext("{count} game, finished", "{count} games, finished", played).format(count=played)
    elif planned is None:
        what = ngettext("{count} game", "{count} games", played).format(count=played)
    else:
        what = _("{played} of {planned} games").format(played=played, planned=planned)
    verdict = season.verdict
    expected = None if verdict is None or season.finished or season.is_decided else verdict.expected_games
    if expected is not None and (planned is None or played + expected < planned):
        count = in_two_digits(expected)
        text = ngettext(
            "about {count} game to come at this estimate", "about {count} games to come at this estimate", count
        )
        what += f", {text.format(count=count)}"
    if seconds_left is not None and not season.finished:
        what += f", {time_left(seconds_left)}"
    return f"{season.league.name} · {season.league.game} · {what}"


def in_two_digits(expected: float) -> int:
    """A number of games that is only an estimate, in two digits: 350 for 347.2, at least 2."""
    games = max(round(expected), 2)
    unit = int(10 ** max(len(str(games)) - 2, 0))
    return round(games / unit) * unit


def repeats(season: Season) -> list[str]:
    """A sentence saying that openings repeat, if they do; else empty."""
    found = season.repeats
    if found is None:
        return []
    different, pairings = found
    text = ngettext(
        "There is only {count} different opening (up to symmetry) for {pairings} pairings: it repeats.",
        "There are only {count} different openings (up to symmetry) for {pairings} pairings: they repeat.",
        different,
    )
    return [text.format(count=different, pairings=pairings)]


def standings_table(season: Season, standings: Standings, width: int = 80) -> Table:
    """A row for each bot, at most `width` columns wide: names are cut, then columns left out; figures are whole."""
    rows = standings.rows
    columns = [[head, *(cell(season, row) for row in rows)] for head, cell in _columns(season, rows)]
    gap, names = 2, _room_for_names(columns, width, 2)
    if names < _SHORT_NAME:
        gap, names = 1, _room_for_names(columns, width, 1)
    longest = max((cells_wide(row.name) for row in rows), default=0)
    for head, least in (
        (_("time"), _SHORT_NAME), (_("Buchholz"), _SHORT_NAME),
        *((head, min(_SHORT_NAME, longest)) for head in (_("2nd"), _("1st"), _("games"), _("faults"))),
    ):  # fmt: skip
        if names < least:
            columns = [column for column in columns if column[0] != head]
            names = _room_for_names(columns, width, 1)
    names = max(_SHORT_NAME, names)
    shown = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, gap - 1, 0, 0))
    shown.add_column("#", justify="right", no_wrap=True)
    shown.add_column(_("bot"), overflow="ellipsis", no_wrap=True, max_width=min(24, names))
    for column in columns:
        shown.add_column(column[0], justify="right", no_wrap=True)
    for number, row in enumerate(rows, 1):
        name = Text(row.name, style="strike" if season.out.get(row.name) in (SUSPENDED, KICKED) else "")
        shown.add_row(str(row.rank), name, *(column[number] for column in columns))
    return shown


_SHORT_NAME = 10
_RANK_WIDTH = 2


def _room_for_names(columns: Sequence[Sequence[str]], width: int, gap: int) -> int:
    return width - _RANK_WIDTH - sum(max(map(cells_wide, column)) for column in columns) - gap * (len(columns) + 2)


def _columns(season: Season, rows: Sequence[Row]) -> list[tuple[str, Callable[[Season, Row], str]]]:
    """The columns after the name that these rows need: heads, and what makes their cells."""
    columns: list[tuple[str, Callable[[Season, Row], str]]] = [
        (_("Elo"), lambda _season, row: decimal(row.rating, 0) if row.is_rated else UNRATED),
        ("±", error),
        (_("pts"), lambda _season, row: points(row.halves)),
    ]
    if any(BUCHHOLZ in row.tie_breaks for row in rows):
        columns.append((_("Buchholz"), lambda _season, row: buchholz(row)))
    columns += [
        (_("games"), lambda _season, row: str(row.total.games)),
        (_("1st"), lambda _season, row: results(row.as_first)),
        (_("2nd"), lambda _season, row: results(row.as_second)),
    ]
    if any(row.faults for row in rows):
        columns.append((_("faults"), lambda _season, row: faults(row)))
    if season.league.time is not None:  # without clocks nobody measures what the bots think
        columns.append((_("time"), lambda _season, row: duration(row.seconds)))
    return columns


def error(season: Season, row: Row) -> str:
    """Half of the interval of a rating."""
    if season.is_anchored(row.name):
        return _("fixed")
    return decimal(row.error, 0) if row.is_rated else ""


def buchholz(row: Row) -> str:
    """The points of those whom a player of a Swiss has met; "" in other formats."""
    return points(round(2 * row.tie_breaks[BUCHHOLZ])) if BUCHHOLZ in row.tie_breaks else ""


def faults(row: Row) -> str:
    """The defeats that were failures, by reason: "crash 2, time 1"."""
    known = [reason for reason in FAULTS if reason in row.faults]
    return ", ".join(f"{_(FAULT_NAMES[reason])} {row.faults[reason]}" for reason in known)


def results(tally: Tally) -> str:
    """Wins, draws and losses: "5-1-2"."""
    return f"{tally.wins}-{tally.draws}-{tally.losses}"


def crosstable(standings: Standings) -> Table:
    """What each bot made against each other, in points."""
    shown = Table(box=None, pad_edge=False, padding=(0, 1))
    shown.add_column("", justify="right")
    shown.add_column(_("points against"), overflow="ellipsis", no_wrap=True, max_width=24)
    for row in standings.rows:
        shown.add_column(str(row.rank), justify="right", no_wrap=True)
    for row in standings.rows:
        cells = [
            "·" if other is row else points(row.against[other.name].halves) if other.name in row.against else ""
            for other in standings.rows
        ]
        shown.add_row(str(row.rank), Text(row.name), *cells)
    return shown


def remarks(season: Season, standings: Standings) -> list[str]:
    """What playing first is worth, and who is out."""
    ratings = standings.ratings
    said = [
        _("Playing first is worth {elo} ± {error} Elo. Ratings: ± is 95 %.").format(
            elo=f"{decimal(ratings.advantage, 0)}", error=decimal(ratings.advantage_error, 0)
        )
    ]
    if (verdict := season.verdict) is not None and (test := season.league.test) is not None:
        said.append(_tested(season.league.names, test, verdict))
    if (score := season.score) is not None:
        said += contest(tuple(season.bots), score, verdict)
    if any(bot.clock for bot in season.bots.values()):
        said.append(_("Clocks: {clocks}.").format(clocks=season.league.clocks(season.bots.values())))
    said += [*repeats(season), *_ties(standings.rows), *_byes(standings.rows)]
    for name, reason in season.out.items():
        if reason == SUSPENDED:
            count = season.league.faults
            said.append(
                ngettext(
                    "{name} is suspended after {count} fault.",
                    "{name} is suspended after {count} faults in a row.",
                    count,
                ).format(name=name, count=count)
            )
        elif reason == KICKED:
            said.append(_("{name} was kicked by whoever runs the league.").format(name=name))
        else:
            said.append(_("{name} was withdrawn.").format(name=name))
    annulled = _("{name} was kicked, and its games do not count.")
    said += [annulled.format(name=name) for name, is_annulled in season.barred.items() if is_annulled]
    if any(row.forfeits for row in standings.rows):
        said.append(_("Games left unplayed so count as won by the others, but not in the ratings."))
    return said


def _ties(rows: Sequence[Row]) -> list[str]:
    """What decides between those who are level on points, if that puts any in order."""
    first = ties(rows)
    if first is None:
        return []
    if first == BUCHHOLZ:
        return [
            _(
                "Level on points: Buchholz decides (the points of those whom one has met, and one's own for a round "
                "without a game), then the games against each other, then the points of those whom one has beaten."
            )
        ]
    return [
        _(
            "Level on points: the games against each other decide, then the points of those whom one has beaten, a "
            "draw counting half."
        )
    ]


def _byes(rows: Sequence[Row]) -> list[str]:
    """Who has points for rounds without an opponent; those of forfeits are told apart."""
    made = [(row.name, row.bye_halves - sum(row.forfeits.values())) for row in rows]
    names = ", ".join(f"{name} ({points(halves)})" for name, halves in made if halves)
    text = _("Points for rounds without an opponent, which count as won: {names}.")
    return [text.format(names=names)] if names else []


def _tested(names: Sequence[str], test: Sprt, verdict: Verdict) -> str:
    """What the test of a league of two says, with the names: it is from the first one's side."""
    ends = (test.elo1, test.elo0) if verdict.decision is Decision.H1 else (test.elo0, test.elo1)
    if verdict.decision is Decision.CONTINUE:
        text = _(
            "Is the lead of {first} over {second} {elo} {unit}, or {other}? Not decided: LLR {llr}, H0 at {lower}, "
            "H1 at {upper}."
        )
    else:
        text = _(
            "The test accepts {hypothesis}: the lead of {first} over {second} is {elo} {unit} rather than {other} "
            "(LLR {llr})."
        )
    return text.format(
        hypothesis=verdict.decision.value, first=names[0], second=names[1], elo=f"{ends[0]:g}", other=f"{ends[1]:g}",
        unit="nElo" if test.model is Model.NORMALIZED else "Elo", llr=decimal(verdict.llr, 2),
        lower=decimal(verdict.lower, 2), upper=decimal(verdict.upper, 2),
    )  # fmt: skip


def duration(seconds: float) -> str:
    """A time in the two units that matter: 0.4 s, 12 s, 3 min 20 s, 2 h 5 min."""
    if seconds < 10:
        return _("{seconds} s").format(seconds=decimal(seconds, 1))
    if seconds < 60:
        return _("{seconds} s").format(seconds=round(seconds))
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return _("{minutes} min {seconds} s").format(minutes=minutes, seconds=rest)
    return _("{hours} h {minutes} min").format(hours=minutes // 60, minutes=minutes % 60)


CSV_HEADER: Sequence[str] = (
    N_("rank"), N_("name"), N_("rating"), N_("error"), N_("games"), N_("wins"), N_("draws"), N_("losses"),
    N_("points"), N_("bye_points"), N_("first_wins"), N_("first_draws"), N_("first_losses"), N_("second_wins"),
    N_("second_draws"), N_("second_losses"), N_("crash"), N_("timeout"), N_("illegal"), N_("abandoned"), N_("seconds"),
    N_("buchholz"), N_("direct"), N_("sonneborn_berger"),
)  # fmt: skip
"""The columns, in English."""

_CSV_PLACES = {
    "rating": 2, "error": 2, "points": 1, "bye_points": 1, "seconds": 3, "buchholz": 1, "direct": 1,
    "sonneborn_berger": 2,
}  # fmt: skip
"""Numbers with decimals, and how many."""


def as_csv(standings: Standings) -> str:
    """The table for a spreadsheet of the reader's language: names of columns, semicolons and decimal commas in French.

    In English, as programs expect it: commas between the columns, and points in the numbers.
    """
    is_french = language() == "fr"
    rows = [[_(column) for column in CSV_HEADER] if is_french else CSV_HEADER]
    for row in standings.rows:
        total, first, second = row.total, row.as_first, row.as_second
        cells: tuple[float | str, ...] = (
            row.rank, defused(row.name), *((row.rating, row.error) if row.is_rated else ("", "")),
            total.games, total.wins, total.draws, total.losses, row.halves / 2, row.bye_halves / 2,
            first.wins, first.draws, first.losses, second.wins, second.draws, second.losses,
            *(row.faults.get(reason, 0) for reason in FAULTS), row.seconds,
            *(row.tie_breaks.get(name, "") for name in (BUCHHOLZ, DIRECT, "sonneborn_berger")),
        )  # fmt: skip
        rows.append([_written(column, cell) for column, cell in zip(CSV_HEADER, cells, strict=True)])
    return cells_as_csv(rows)


def _written(column: str, cell: float | str) -> str:
    return figure(float(cell), _CSV_PLACES[column]) if column in _CSV_PLACES and cell != "" else str(cell)
