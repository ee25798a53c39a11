"""How records get into files: the options of `export` and `league export`, and what they write."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Literal

import click

from locales import _, ngettext, system

if TYPE_CHECKING:
    from protocol.records import GameRecord

Output = Literal["jsonl", "ggf", "text"]

format_option = click.option(
    "--format",
    "output",
    type=click.Choice(["jsonl", "ggf", "text"]),
    default="jsonl",
    show_default=True,
    help=_("How to write them."),
)
output_option = click.option(
    "--output",
    "target",
    metavar=_("PATH"),
    type=click.Path(dir_okay=False, path_type=Path),
    help=_("Write to this file instead."),
)


def write(
    records: Iterable[GameRecord | str], output: Output, target: Path | None, left: Counter[str] | None = None
) -> int:
    """Writes records to standard output or a file, and says on stderr how many were left out, and why.

    In place of a record that can't be read stands the reason. left: receives the reasons. Returns how many were
    written. Raises OSError.
    """
    written, left = 0, Counter[str]() if left is None else left
    with _writing(target) as stream:
        for record in records:
            text = record if isinstance(record, str) else _formatted(record, output)
            if isinstance(text, bytes):
                stream.write(text if output != "text" or not written else b"\n" + text)
                written += 1
            else:
                left[text] += 1
    for reason, count in left.items():
        click.echo(_("{count} not written: {reason}").format(count=count, reason=reason), err=True)
    if target is not None:
        click.echo(
            ngettext("{count} match written", "{count} matches written", written).format(count=written), err=True
        )
    return written


def system_says(error: OSError) -> str:
    """The system's words for an error, with the file that it is about."""
    detail = system.reason(error)
    return system.concerning(error.filename, detail) if error.filename else detail


@contextmanager
def _writing(target: Path | None) -> Generator[IO[bytes], None, None]:
    """Standard output, or a file that is there only once it is whole."""
    if target is None:
        yield sys.stdout.buffer
        return
    part = target.with_name(f"{target.name}.part")
    try:
        with part.open("wb") as stream:
            yield stream
        part.replace(target)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(target)  # nobody has named the other
        raise
    finally:
        part.unlink(missing_ok=True)


def _formatted(record: GameRecord, output: Output) -> bytes | str:
    """A match as it is to be written, or why it can't be."""
    from protocol.records import to_line
    from server.records import ggf
    from server.records.readable import text_of

    if output == "jsonl":
        return to_line(record) + b"\n"
    if output == "text":
        return text_of(record).encode()
    game = ggf.write(record)
    return _("GGF is for games of Othello that have a result") if game is None else f"{game}\n".encode()
