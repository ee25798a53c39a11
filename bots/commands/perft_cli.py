"""The command `arbitre perft`: counts the positions that a game reaches, to check and time its rules."""

from __future__ import annotations

import time

import click

from games import USUAL
from locales import _, phrase


@click.command(
    "perft",
    help=_(
        "Count the ways in which a game can go: the leaves of its tree DEPTH moves down.\n\nA forced pass counts as a "
        "move, and a game that is over as one leaf. Example: perft {game} 4."
    ).format(game=USUAL),
)
@click.argument("game", metavar=_("GAME"))
@click.argument("depth", metavar=_("DEPTH"), type=click.IntRange(0, 100))
@click.option("--divide", is_flag=True, help=_("Print the number after each first move, too."))
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object, with the seconds that it took."))
def perft_command(game: str, depth: int, *, divide: bool, as_json: bool) -> None:
    """Prints the number of leaves."""
    import games
    from games.perft import perft

    try:
        rules = games.parse(game)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error
    began = time.perf_counter()
    position = rules.start()
    moves: dict[str, int] = {}
    if divide and depth > 0:
        for move in position.legal_moves():
            after = position.play(move)
            moves[move] = perft(after, max(0, depth - 1 - (after.passed is not None)))
            if not as_json:
                click.echo(f"{move} {moves[move]}")
        leaves = sum(moves.values())
    else:
        leaves = perft(position, depth)
    if as_json:
        import json

        answer: dict[str, object] = {"game": rules.spec, "depth": depth, "leaves": leaves}
        if divide:
            answer["moves"] = moves
        answer["seconds"] = round(time.perf_counter() - began, 3)
        click.echo(json.dumps(answer))
    else:
        click.echo(leaves)
