"""The command `arbitre class`: joins its subcommands, each of which imports what it needs when it runs."""

import click

from locales import _
from school.commands.cards_cli import cards_command
from school.commands.export_cli import export_command
from school.commands.new_cli import new_command
from school.commands.open_cli import open_command

COMMANDS = (
    new_command,
    open_command,
    cards_command,
    export_command,
)
"""In the order in which a teacher needs them."""


class _InOrder(click.Group):
    """A group whose help keeps the order of its commands."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order of the table."""
        return list(self.commands)


class_command = _InOrder(
    "class", commands=COMMANDS, help=_("A class: its list and codes, its desk, what it hands in, its marks.")
)
