"""The option --openings of `match` and `league run`, and how what it names is read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from locales import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from games.base import Game
    from league.pairing.openings import Openings

openings_option = click.option(
    "--openings", metavar=_("OPENINGS"), help=_("none, two-ply, random:plies=4, or a file of transcripts.")
)


def read_openings(text: str, rules: Game, seed: str, home: Path) -> tuple[Openings, Sequence[str]]:
    """The openings that `text` describes, and the lines of the file in `home` that it names, if it names one.

    What is wrong ends the command.
    """
    from league.pairing.balance import balance_of
    from league.pairing.openings import OpeningsError, openings

    lines: list[str] = []

    def read(path: str) -> list[str]:
        try:
            lines[:] = (home / path).read_text(encoding="utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise click.UsageError(
                _("openings = {text!r} is neither none, two-ply, random:plies=N nor a file.").format(text=path)
            ) from error
        return lines

    try:
        return openings(text, rules, seed, read=read, balanced=balance_of(rules)), lines
    except OpeningsError as error:
        said = _("{name}: {reason}").format(name=text, reason=error) if lines else str(error)
        raise click.UsageError(said) from error
