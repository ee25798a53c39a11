"""Warns where more games are played at once than this machine has cores: their clocks run while they wait for one."""

import click

from bots.running.starts import cores
from locales import ngettext


def warn_if_crowded(at_once: int, *, is_timed: bool, ponders: bool = False) -> None:
    """Warns on stderr. at_once: games, in each of which one bot thinks, or both where bots ponder."""
    thinking, here = at_once * (2 if ponders else 1), cores()
    if is_timed and thinking > here:
        text = ngettext(
            "Up to {thinking} bots think at once on {count} core, and their clocks run while they wait for it:\n"
            "that changes moves and losses on time. A smaller --concurrency avoids it.",
            "Up to {thinking} bots think at once on {count} cores, and their clocks run while they wait for one:\n"
            "that changes moves and losses on time. A smaller --concurrency avoids it.",
            here,
        )
        click.echo(text.format(thinking=thinking, count=here), err=True)
