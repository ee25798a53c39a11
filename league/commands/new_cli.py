"""The command `arbitre league new`: writes the file of a league from a class list or a folder of pupils' files."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from games import USUAL
from league.toml_text import quoted
from locales import _, ngettext, phrase
from locales.harmless import plain

if TYPE_CHECKING:
    from league.pupils.lists import Pupil, Row

_NO_LISTS: Final = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"%PDF", b"<")
"""What files begin with that are no lists: new and old spreadsheets, PDF, and HTML or XML."""


@click.command(
    "new",
    short_help=_("Write the file of a league for a class"),
    help=_(
        "Write the file of a league for a class.\n\nSOURCE is a list of the class, as Pronote, Moodle or a spreadsheet "
        "writes it (CSV): then each pupil enters from their own machine, with a personal code. Or it is the folder "
        "with the files that pupils have handed in: then they play on this machine."
    ),
)
@click.argument("source", metavar=_("SOURCE"), type=click.Path(exists=True, path_type=Path))
@click.option("--game", metavar=_("GAME"), default=USUAL, show_default=True, help=_("What is played."))
@click.option("--name", metavar=_("NAME"), help=_("What the league is called; by default as SOURCE."))
@click.option("--group", metavar=_("NAME"), help=_("Of a list: only those of this group."))
@click.option(
    "--against",
    multiple=True,
    metavar="BOT",
    help=_("Of a folder: a bot of Arbitre that plays too; may be repeated."),
)
@click.option(
    "--output", type=click.Path(path_type=Path, dir_okay=False), help=_("The file; by default beside SOURCE.")
)
def new_command(
    source: Path, game: str, name: str | None, group: str | None, against: Sequence[str], output: Path | None
) -> None:
    """Writes the file, and says what to do with it."""
    from league.commands.folder import check_no_class, folder_beside
    from league.config import ConfigError, read_league
    from league.pupils.handed_in import HandedInError
    from league.pupils.lists import ClassListError

    output = output or source.with_name(f"{source.stem}.toml")
    if output.exists():
        raise click.UsageError(_("{file} is there already: --output takes another name.").format(file=output))
    check_game(game)
    _check_bots(against)
    check_no_class(folder_beside(output))
    head = _head(name or source.stem.replace("_", " "), game)
    has_files = source.is_dir()
    _check_no(*((group, "--group") if has_files else (against, "--against")))
    try:
        count, rest = _of_files(source, output, against) if has_files else _of_list(source, group)
        read_league(head + rest, str(output))
    except (ClassListError, ConfigError, HandedInError) as error:
        raise click.ClickException(str(error)) from error
    _write(output, head + rest)
    _say_what_next(output, count, has_files=has_files)


def check_game(game: str) -> None:
    """Raises click.UsageError unless there is such a game: the file to be written is nobody's fault yet."""
    import games

    try:
        games.parse(game)
    except games.RulesError as error:
        raise click.UsageError(phrase(error.phrase)) from error


def _check_bots(against: Sequence[str]) -> None:
    from bots.base import BotSpecError, is_foreign, parse_bot

    try:
        for bot in against:
            if not is_foreign(bot):  # a file's place is told from the file of the league
                parse_bot(bot)
    except BotSpecError as error:
        raise click.UsageError(str(error)) from error


def say_unclear(paths: Sequence[Path]) -> None:
    """Says which of the files handed in are passed over."""
    for path in paths:
        click.echo(
            _(
                "{file}: passed over; it is no Python file or notebook, nor a folder with main.py or one of these, or "
                "it is a link to elsewhere."
            ).format(file=plain(str(path))),
            err=True,
        )


def say_unusable(names: Sequence[str], pupils: Sequence[Pupil], places: Sequence[str]) -> None:
    """Says which names the server does not accept, and which names replace them."""
    from league.pupils.names import is_usable

    for name, pupil, place in zip(names, pupils, places, strict=True):
        if not is_usable(pupil):
            click.echo(
                _(
                    "{place}: {written!r} can't be a name, whose letters are of one alphabet; it is {name!r} here."
                ).format(place=plain(place), written=pupil.whole, name=name),
                err=True,
            )


def _say_sums(rows: Sequence[Row]) -> None:
    for row in rows:
        text = _("Line {line}: {written!r} is nobody's name; passed over.")
        click.echo(text.format(line=row.line, written=" ".join(filter(None, row.cells))), err=True)


def _check_no(said: object, option: str) -> None:
    if said:
        raise click.UsageError(_("{option} does not go with this SOURCE.").format(option=option))


def _read(source: Path) -> list[Pupil]:
    """The pupils of a list; what is wrong with it ends the command."""
    from league.pupils.decoding import decoded
    from league.pupils.lists import MOST_BYTES, read_list
    from locales.system import concerning, reason

    try:
        with source.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise click.ClickException(concerning(source, reason(error))) from error
    if source.suffix.lower() == ".zip":
        raise click.ClickException(_("{file} is an archive: unpack it, and name the folder.").format(file=source))
    if len(data) > MOST_BYTES or not _is_text(data):
        raise click.ClickException(_("{file} is no list: save it as CSV in your spreadsheet.").format(file=source))
    pupils, sums = read_list(decoded(data))
    _say_sums(sums)
    return pupils


def _is_text(data: bytes) -> bool:
    """Whether it may be a list, by how it begins."""
    from league.pupils.decoding import UTF_16

    return not data.lstrip().startswith(_NO_LISTS) and (b"\0" not in data or data.startswith(UTF_16))


def listed(source: Path, group: str | None, most: int) -> dict[str, Pupil]:
    """The pupils of a list, or of one group, by their names in the table; prints what is odd. Raises ClassListError."""
    from league.pupils.lists import ClassListError, in_group
    from league.pupils.names import called

    pupils = _read(source)
    pupils = pupils if group is None else in_group(pupils, group)
    names = called(pupils)
    if len(names) > most:
        text = _("{count} names are too many for one league, which has room for {most}: --group takes a part of them.")
        raise ClassListError(text.format(count=len(names), most=most))
    say_unusable(names, pupils, [_("Line {line}").format(line=pupil.line) for pupil in pupils])
    return dict(zip(names, pupils, strict=True))


def _of_list(source: Path, group: str | None) -> tuple[int, str]:
    """How many pupils a list has, and the roster of them."""
    from league.config import MAX_ROSTER

    pupils = listed(source, group, MAX_ROSTER)
    rows = "".join(f"  {quoted(name)},{_whole(name, pupil)}\n" for name, pupil in pupils.items())
    return len(pupils), f"\n[roster]\nnames = [\n{rows}]\n"


def _whole(name: str, pupil: Pupil) -> str:
    """A comment with the whole name, if the table has another."""
    return "" if name == pupil.whole else f"  # {pupil.whole}"


def _of_files(source: Path, output: Path, against: Sequence[str]) -> tuple[int, str]:
    """How many programs a class has handed in, and the sections of the bots."""
    from league.pupils.handed_in import find
    from league.pupils.names import called, numbered
    from processes.sandbox import obstacle

    hand_ins, unclear = find(source)
    say_unclear(unclear)
    pupils = [hand_in.pupil for hand_in in hand_ins]
    names = called(pupils)
    say_unusable(names, pupils, [str(hand_in.file) for hand_in in hand_ins])
    names = numbered([*names, *(spec.partition(":")[0].capitalize() for spec in against)])
    runs = [*(_seen_from(output.parent, hand_in.file) for hand_in in hand_ins), *against]
    bots = zip(names, runs, strict=True)
    sections = "".join(f"\n[[bot]]\nname = {quoted(name)}\nrun = {quoted(run)}\n" for name, run in bots)
    return len(pupils), f"sandbox = {'true' if obstacle() is None else 'false'}\n{sections}"


def _seen_from(folder: Path, file: Path) -> str:
    """The path that leads from a folder to a file."""
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # on another drive of Windows
        return file.resolve().as_posix()


def _head(title: str, game: str) -> str:
    return f"[league]\nname = {quoted(title)}\ngame = {quoted(game)}\n"


def _write(output: Path, text: str) -> None:
    from locales.system import reason

    try:
        with output.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise click.ClickException(
            _("{file} can't be written: {reason}.").format(file=output, reason=reason(error))
        ) from error


def _say_what_next(output: Path, count: int, *, has_files: bool) -> None:
    from machine.modules import program

    found = ngettext(
        "{file}: {count} bot. Look it through; then:", "{file}: {count} bots. Look it through; then:", count
    )
    if not has_files:
        found = ngettext(
            "{file}: {count} name. Look it through; then:", "{file}: {count} names. Look it through; then:", count
        )
    click.echo(found.format(file=output, count=count))
    file = shlex.quote(str(output))
    cards = _("cards.html")
    lines = (f"league run {file}",) if has_files else (f"league codes {file} --html > {cards}", f"league open {file}")
    for line in lines:
        click.echo(f"  {program()} {line}")
