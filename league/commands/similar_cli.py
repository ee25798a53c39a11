"""The command `arbitre league similar`: which files of a class are alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from locales import _
from locales.harmless import plain

if TYPE_CHECKING:
    from league.pupils.similarity import Likeness, Lines

MOST_BYTES: Final = 1 << 20
"""How much of a file is read."""

_SHOWN: Final = 3
"""How many passages of a file are named."""


@click.command(
    "similar",
    short_help=_("Show which files of a class are alike"),
    help=_(
        "Show which of the files that pupils have handed in are alike, whatever their names, comments and layout.\n\n"
        "FOLDER has Python files, or a folder for each pupil. What more than half of the files share does not count, "
        "nor does what you have given out (--given). Two files that are alike are a reason to look at them; they prove "
        "nothing."
    ),
)
@click.argument("folder", metavar=_("FOLDER"), type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--given",
    multiple=True,
    metavar=_("FILE"),
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=_("A file that all were given; may be repeated."),
)
@click.option(
    "--least", type=click.IntRange(1, 100), default=30, show_default=True, help=_("From what share on, in %.")
)
@click.option("--json", "as_json", is_flag=True, help=_("Print one JSON object with all pairs."))
def similar_command(folder: Path, given: Sequence[Path], least: int, *, as_json: bool) -> None:
    """Prints the pairs."""
    from league.commands.new_cli import say_unclear, say_unusable
    from league.pupils.handed_in import HandedInError, find
    from league.pupils.names import called
    from league.pupils.similarity import compare

    try:
        hand_ins, unclear = find(folder)
    except HandedInError as error:
        raise click.ClickException(str(error)) from error
    say_unclear(unclear)
    pupils = [hand_in.pupil for hand_in in hand_ins]
    names = called(pupils)
    say_unusable(names, pupils, [str(hand_in.file) for hand_in in hand_ins])
    files = dict(zip(names, (hand_in.file for hand_in in hand_ins), strict=True))
    texts = {name: _text(file) for name, file in files.items()}
    shared = [_given(file) for file in given]
    found = compare({name: text for name, text in texts.items() if text is not None}, shared, least / 100)
    unreadable = [name for name, text in texts.items() if text is None]
    if as_json:
        pairs = list(map(_as_dict, found.pairs))
        parts = {"files": len(files), "pairs": pairs, "too_short": found.too_short, "unreadable": unreadable}
        click.echo(json.dumps(parts, ensure_ascii=False))
        return
    for name in unreadable:
        click.echo(_("{file}: not compared; it can't be read.").format(file=plain(str(files[name]))), err=True)
    for name in found.too_short:
        text = _("{file}: not compared; without what all have it is too short.")
        click.echo(text.format(file=plain(str(files[name]))), err=True)
    if not found.pairs:
        click.echo(_("No two of the {count} files are alike from {least} % on.").format(count=len(files), least=least))
    for pair in found.pairs:
        _show(pair, files)


def _given(file: Path) -> str:
    """A text that all pupils were given; if it can't be read, that ends the command."""
    text = _text(file)
    if text is None:
        raise click.UsageError(_("{file}: it can't be read.").format(file=file))
    return text


def _text(file: Path) -> str | None:
    """The Python of a file or notebook, None if it can't be read."""
    from bots.adapters.pupils import notebooks
    from league.pupils.handed_in import python_of

    is_notebook = file.suffix.lower() == notebooks.SUFFIX
    try:
        with file.open("rb") as stream:
            return python_of(file.name, stream.read(notebooks.LARGEST + 1 if is_notebook else MOST_BYTES))
    except (OSError, notebooks.NotebookError):
        return None


def _show(pair: Likeness, files: dict[str, Path]) -> None:
    one, two = pair.names
    click.echo(
        _("{share} %  {one} and {two}").format(share=f"{round(100 * pair.share):3}", one=plain(one), two=plain(two))
    )
    for name, passages in zip(pair.names, pair.passages, strict=True):
        click.echo(_("       {file}, lines {lines}").format(file=plain(str(files[name])), lines=_listed(passages)))


def _listed(passages: Sequence[Lines]) -> str:
    longest = sorted(sorted(passages, key=lambda lines: lines[0] - lines[1])[:_SHOWN])
    more = ", ..." if len(passages) > _SHOWN else ""
    return ", ".join(f"{first}-{last}" if first < last else str(first) for first, last in longest) + more


def _as_dict(pair: Likeness) -> dict[str, object]:
    return {"names": pair.names, "share": round(pair.share, 3), "passages": pair.passages}
