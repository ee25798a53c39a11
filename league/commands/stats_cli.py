"""The commands `arbitre league ratings` and `arbitre league sprt`: figures for results that exist already."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _, decimal, ngettext

if TYPE_CHECKING:
    from league.statistics.elo import Results
    from league.statistics.sprt import Verdict
    from league.statistics.standings import Standings

MODELS = ("logistic", "normalized", "bayesian", "bayesian-scaled")
"""The values of league.statistics.sprt.Model, which is imported only when the command runs."""

_count = click.IntRange(0, 10**9)  # league.statistics.sprt.MOST


@click.command(
    "sprt",
    short_help=_("Say whether one player is stronger: a sequential test"),
    help=_(
        "Say whether results are enough to accept that a player is ELO1 stronger than another (H1), or only ELO0 (H0): "
        "the sequential probability ratio test.\n\nResults are single games (--wins, --draws, --losses), or pairs of "
        "games from the same opening with seats swapped (--pairs), which say more. Models: logistic Elo; normalized "
        "Elo, in standard deviations; bayesian, the classic test with ELO0 and ELO1 in BayesElo; bayesian-scaled, as "
        "cutechess has it since: ELO0 and ELO1 in logistic Elo."
    ),
)
@click.option(
    "--model", type=click.Choice(MODELS), default="logistic", show_default=True, help=_("What ELO0 and ELO1 mean.")
)
@click.option("--elo0", type=float, required=True, metavar="ELO0", help=_("The difference that H0 claims."))
@click.option("--elo1", type=float, required=True, metavar="ELO1", help=_("The difference that H1 claims, the larger."))
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help=_("How often H1 may be accepted although H0 is true.")
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help=_("How often H0 may be accepted although H1 is true.")
)
@click.option("--wins", type=_count, metavar="N", help=_("Games won."))
@click.option("--draws", type=_count, metavar="N", help=_("Games drawn."))
@click.option("--losses", type=_count, metavar="N", help=_("Games lost."))
@click.option(
    "--pairs",
    metavar="LL,LD,WLDD,WD,WW",
    help=_("Pairs lost twice, lost and drawn, even, won and drawn, won twice: five numbers, with commas."),
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def sprt_command(
    *,
    model: str,
    elo0: float,
    elo1: float,
    alpha: float,
    beta: float,
    wins: int | None,
    draws: int | None,
    losses: int | None,
    pairs: str | None,
    as_json: bool,
) -> None:
    """Prints what the test says."""
    from league.statistics.sprt import Model, Sprt, SprtError, judge

    games = None if wins is None and draws is None and losses is None else (wins or 0, draws or 0, losses or 0)
    try:
        verdict = judge(Sprt(elo0, elo1, Model(model), alpha, beta), _results(games, pairs))
    except SprtError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(verdict.as_json()))
    else:
        click.echo("\n".join(_in_words(verdict)))


@click.command(
    "ratings",
    short_help=_("Rate the players of a list of results"),
    help=_(
        "Rate the players of a list of results, with error bars.\n\nFILE is CSV with a header and the columns "
        "first,second,result: who started, the other, and 1-0, 0-1 or 1/2-1/2; - reads standard input. The two games "
        "of a pair with seats swapped follow each other, or have the same value in a column 'pair'."
    ),
)
@click.argument("file", metavar=_("FILE"), type=click.Path(exists=True, dir_okay=False, allow_dash=True))
@click.option(
    "--anchor",
    "anchors",
    metavar=_("NAME=RATING"),
    multiple=True,
    help=_("A player whose rating is known and stays fixed; may be given several times. Else the average is 1000."),
)
@click.option(
    "--prior",
    default="1000",
    show_default=True,
    metavar=_("ELO | none"),
    help=_("How far from the average ratings are before any game (standard deviation); none: games alone count."),
)
@click.option("--no-advantage", is_flag=True, help=_("Don't allow for an advantage of the player who starts."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object."))
def ratings_command(file: str, anchors: tuple[str, ...], *, prior: str, no_advantage: bool, as_json: bool) -> None:
    """Prints the table."""
    from league.results import ResultsError, read_csv
    from league.statistics.standings import standings
    from locales.system import concerning, reason

    spread = _spread(prior)
    try:
        with click.open_file(file, encoding="utf-8-sig") as stream:
            results = read_csv(stream)
    except ResultsError as error:
        raise click.ClickException(concerning(file, error)) from error
    except OSError as error:
        raise click.ClickException(concerning(file, reason(error))) from error
    except UnicodeDecodeError as error:
        raise click.ClickException(_("{file} is no text in UTF-8.").format(file=file)) from error
    players = {name for result in results for name in (result.first, result.second)}
    fixed = dict(_anchor(text, players) for text in anchors)
    made = standings(results, anchors=fixed, by_rating=True, order_effect=not no_advantage, spread=spread)
    if as_json:
        played, name = len(results), Path(file).stem
        click.echo(json.dumps(made.as_json(name, played, played, finished=True), ensure_ascii=False))
    else:
        click.echo("\n".join(_rating_table(made)))


def _spread(text: str) -> float | None:
    """The prior's standard deviation, None without a prior."""
    if text.strip().lower() == "none":
        return None
    try:
        spread = float(text)
    except ValueError:
        spread = math.nan
    if not 1 <= spread <= 100_000:
        raise click.BadParameter(
            _("{text!r} is no prior: write a number of Elo from 1 to 100000, or none.").format(text=text),
            param_hint="--prior",
        )
    return spread


def _anchor(text: str, players: set[str]) -> tuple[str, float]:
    name, equals, value = text.rpartition("=")
    try:
        rating = float(value)
    except ValueError:
        rating = math.nan
    if not equals or not abs(rating) <= 10_000:
        raise click.BadParameter(
            _("{text!r} is no fixed rating: write NAME=RATING, like Ada=1200.").format(text=text),
            param_hint="--anchor",
        )
    if name not in players:
        raise click.BadParameter(
            _("{name!r} is not among the players: {players}.").format(name=name, players=", ".join(sorted(players))),
            param_hint="--anchor",
        )
    return name, rating


def _rating_table(made: Standings) -> list[str]:
    from terminal.columns import columns

    rows: list[tuple[str, ...]] = [
        ("", _("player"), _("rating"), "±", _("games"), _("wins"), _("draws"), _("losses"), _("score"))
    ]
    for row in made.rows:
        total = row.total
        share = decimal(50 * total.halves / total.games, 1)
        counts = (total.games, total.wins, total.draws, total.losses)
        figures = (
            _rating(row.rating),
            f"{row.error:.0f}" if math.isfinite(row.rating) else "",
            *map(str, counts),
            _("{share} %").format(share=share),
        )
        rows.append((f"{row.rank}.", row.name, *figures))
    fit = made.ratings
    games = ngettext("{count} game", "{count} games", count := sum(row.as_first.games for row in made.rows))
    summary = [_("{games}; ± is half of a 95 % interval.").format(games=games.format(count=count))]
    if fit.advantage_error > 1:
        summary.append(
            _("Playing first is worth {advantage} ± {error}.").format(
                advantage=f"{fit.advantage:.0f}", error=f"{fit.advantage_error:.0f}"
            )
        )
    return [*columns(rows, left=2), "", " ".join(summary), *_without_rating(made)]


def _rating(rating: float) -> str:
    return f"{rating:.0f}" if math.isfinite(rating) else "?" if math.isnan(rating) else f"{rating:+.0f}"


def _without_rating(made: Standings) -> list[str]:
    """Why some players have no rating without a prior: one sentence for each reason."""
    kinds = (
        (math.inf, _("No finite rating, having lost to none of those who are rated: {names}.")),
        (-math.inf, _("No finite rating, having won against none of those who are rated: {names}.")),
        (math.nan, _("No rating that compares with the others, having no games with them: {names}.")),
    )
    said = []
    for kind, text in kinds:
        names = [row.name for row in made.rows if row.rating == kind or (math.isnan(kind) and math.isnan(row.rating))]
        if names:
            said.append(text.format(names=", ".join(names)))
    if said:
        said.append(_("With --prior 1000 all have one, with wide errors."))
    return said


def _results(games: tuple[int, int, int] | None, pairs: str | None) -> Results:
    from league.statistics.elo import Games, Pairs

    if games is not None and pairs is None:
        return Games(*games)
    if games is not None or pairs is None:
        raise click.UsageError(_("give --wins, --draws and --losses, or --pairs."))
    numbers = [number.strip() for number in pairs.split(",")]
    if len(numbers) != 5 or not all(number.isascii() and number.isdigit() for number in numbers):
        raise click.BadParameter(
            _("{text!r} is not five numbers with commas: LL,LD,WLDD,WD,WW.").format(text=pairs), param_hint="--pairs"
        )
    return Pairs(*map(int, numbers))


def _still_to_come(verdict: Verdict) -> list[str]:
    from league.report.table_text import in_two_digits
    from league.statistics.sprt import Decision

    if verdict.decision is not Decision.CONTINUE or verdict.expected_games is None:
        return []
    games = in_two_digits(verdict.expected_games)
    text = ngettext(
        "At this estimate, about {count} game is still to come.",
        "At this estimate, about {count} games are still to come.",
        games,
    )
    return [text.format(count=games)]


def _in_words(verdict: Verdict) -> list[str]:
    from league.statistics.sprt import Decision

    said = {
        Decision.H0: _("H0 is accepted."),
        Decision.H1: _("H1 is accepted."),
        Decision.CONTINUE: _("Not decided yet: more games are needed."),
    }
    return [
        said[verdict.decision],
        _("LLR {llr} (H0 at {lower}, H1 at {upper})").format(
            llr=decimal(verdict.llr, 2), lower=decimal(verdict.lower, 2), upper=decimal(verdict.upper, 2)
        ),
        _("Elo {elo} ± {error} (95 %), likelihood of superiority {los} %").format(
            elo=decimal(verdict.elo, 1), error=decimal(verdict.error, 1), los=decimal(100 * verdict.los, 1)
        ),
        *_still_to_come(verdict),
    ]
