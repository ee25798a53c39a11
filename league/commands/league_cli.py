"""The command `arbitre league`: joins its subcommands, each of which imports what it needs when it runs."""

import click

from league.commands.codes_cli import codes_command
from league.commands.export_cli import export_command
from league.commands.new_cli import new_command
from league.commands.open_cli import open_command
from league.commands.rulings_cli import free_command, kick_command, merge_command, rename_command
from league.commands.run_cli import resume_command, run_command
from league.commands.similar_cli import similar_command
from league.commands.stats_cli import ratings_command, sprt_command
from league.commands.verify_cli import sign_command, verify_command
from league.commands.view_cli import report_command, standings_command
from locales import _

COMMANDS = (
    new_command,
    run_command,
    resume_command,
    open_command,
    codes_command,
    kick_command,
    rename_command,
    merge_command,
    free_command,
    standings_command,
    report_command,
    export_command,
    verify_command,
    sign_command,
    similar_command,
    ratings_command,
    sprt_command,
)
"""In the order of the help: from what most people need to what few do."""


class _InOrder(click.Group):
    """A group whose help keeps the order of its commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(self.commands)


league_command = _InOrder(
    "league", commands=COMMANDS, help=_("Leagues of bots: played, ranked, and how sure the ranks are.")
)
