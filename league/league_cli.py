"""The command `arbitre league`: joins its subcommands, each of which imports what it needs when it runs."""

import click

from league.stats_cli import ratings_command, sprt_command
from locales import _

COMMANDS = (ratings_command, sprt_command)
"""In the order of the help: from what most people need to what few do."""

league_command = click.Group(
    "league", commands=COMMANDS, help=_("Leagues of bots: their tables, their ratings and how sure these are.")
)
