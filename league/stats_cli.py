"""The commands `arbitre league ratings` and `arbitre league sprt`: figures for results that exist already."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from locales import _, decimal

if TYPE_CHECKING:
    from league.elo import Results
    from league.sprt import Verdict

MODELS = ("logistic", "normalized", "bayesian", "bayesian-scaled")
"""The values of league.sprt.Model, which is imported only when the command runs."""

_count = click.IntRange(min=0)


@click.command(
    "sprt",
    help=_(
        "Say whether results are enough to accept that a player is ELO1 stronger than another (H1), or only ELO0 (H0): "
        "the sequential probability ratio test.\n\nResults are single games (--wins, --draws, --losses), or pairs of "
        "games from the same opening with seats swapped (--pairs), which say more. Models: logistic Elo; normalized "
        "Elo, in standard deviations; bayesian, BayesElo; bayesian-scaled, as cutechess has it."
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
    from league.sprt import Model, Sprt, SprtError, judge

    games = None if wins is None and draws is None and losses is None else (wins or 0, draws or 0, losses or 0)
    try:
        verdict = judge(Sprt(elo0, elo1, Model(model), alpha, beta), _results(games, pairs))
    except SprtError as error:
        raise click.UsageError(str(error)) from error
    if as_json:
        click.echo(json.dumps(verdict.as_json()))
    else:
        click.echo("\n".join(_in_words(verdict)))


def _results(games: tuple[int, int, int] | None, pairs: str | None) -> Results:
    from league.elo import Games, Pairs

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


def _in_words(verdict: Verdict) -> list[str]:
    from league.sprt import Decision

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
        _("Elo {elo} +/- {error} (95 %), likelihood of superiority {los} %").format(
            elo=decimal(verdict.elo, 1), error=decimal(verdict.error, 1), los=decimal(100 * verdict.los, 1)
        ),
    ]
