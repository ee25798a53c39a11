"""The command `arbitre warmup`: compiles the fast searches ahead of the first game."""

from __future__ import annotations

import time

import click

from locales import _, decimal


@click.command(
    "warmup",
    help=_(
        "Compile the fast searches now, so that the first strong bot need not wait for it.\n\nWhat is compiled is kept "
        "in your cache folder until Arbitre changes. Bots do this by themselves when it was not done."
    ),
)
def warmup_command() -> None:
    """Compiles everything, says how long each game took and where it is kept."""
    from bots.search import compiled, threats

    if compiled.is_installed() and not compiled.is_available():
        raise click.ClickException(
            _("This machine has too little memory to compile the fast searches, so the bots search in plain Python.")
        )
    if not compiled.is_available():
        raise click.ClickException(
            _("numba is not installed, so the strong bots search in plain Python. To install it: pip install numba")
        )
    for game in compiled.COMPILED:
        began = time.perf_counter()
        compiled.load(game)
        seconds = time.perf_counter() - began
        what = _("forced wins") if game == threats.NAME else game
        click.echo(_("{game}: ready after {seconds} s").format(game=what, seconds=decimal(seconds, 1)), err=True)
    folder = compiled.cache_folder()
    if folder is None:
        raise click.ClickException(_("No folder can be written here, so nothing of that is kept: see NUMBA_CACHE_DIR."))
    click.echo(_("Kept in {folder}").format(folder=folder), err=True)
