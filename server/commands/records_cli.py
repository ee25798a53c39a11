"""The commands `arbitre export`, `arbitre import` and `arbitre verify`."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from games import USUAL
from locales import _, ngettext, phrase
from locales.harmless import sentences
from server.commands.paths import default_database
from server.commands.record_files import Output, format_option, output_option, system_says, write

if TYPE_CHECKING:
    from games import Game
    from protocol.records import GameRecord
    from server.records.archive import Archive
    from server.records.importing import Format
    from server.records.verification import Problem
    from server.referee.stored import StoredMatch

Checked = Iterator[tuple[str, list["Problem"]]]

MAX_COMPLAINTS = 20
"""Lines on what is wrong with files, before the others are only counted."""

GIVE_UP = 10_000
"""After this many unreadable games, with no good one between, the rest of a file is skipped."""

_SQLITE = b"SQLite format 3\0"
_GGF = b"(;"

_db = click.option(
    "--db",
    metavar=_("PATH"),
    type=click.Path(dir_okay=False, path_type=Path),
    help=_("The database; by default the one that a server of yours keeps."),
)


@click.command(
    "export",
    help=_(
        "Write the match MATCH of a database, or all of them, as records that others read. A server may be running on "
        "it.\n\njsonl: everything, an object a line, as 'import' and 'verify' read it. ggf: games of Othello, for "
        "other programs. text: for people."
    ),
)
@click.argument("match", metavar=_("[MATCH]"), required=False)
@click.option("--all", "everything", is_flag=True, help=_("Write all matches."))
@_db
@format_option
@output_option
def export_command(match: str | None, *, everything: bool, db: Path | None, output: Output, target: Path | None) -> int:
    """Writes records; returns 1 if some could not be written."""
    if (match is None) != everything:
        raise click.UsageError(_("say which match, or --all for all of them."))
    from server.store.reading import read_matches

    found, damaged, left = 0, False, Counter[str]()

    def records() -> Iterator[GameRecord | str]:
        nonlocal found, damaged
        for stored in read_matches(str(db or default_database()), match):
            found, damaged = found + 1, damaged or bool(stored.unreadable)
            yield _read(stored)
        if match is not None and not found:
            raise click.ClickException(_("there is no match {match} in this database.").format(match=match))

    with _sentences():
        write(records(), output, target, left)
    return 1 if damaged or (left and match is not None) else 0


@click.command(
    "import",
    help=_(
        "Take games into a database: WTHOR (.wtb), GGF (.ggf), our own records (.jsonl), or transcripts, one game a "
        "line. A game that is there already is not taken twice. No server may be running on the database."
    ),
)
@click.argument("files", metavar=_("FILE..."), nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
@_db
@click.option(
    "--format",
    "kind",
    type=click.Choice(["jsonl", "ggf", "wthor", "transcripts"]),
    help=_("What the files hold; by default what their names say."),
)
@click.option("--game", default=USUAL, show_default=True, metavar=_("GAME"), help=_("The rules of transcripts."))
def import_command(files: tuple[Path, ...], db: Path | None, kind: Format | None, game: str) -> int:
    """Takes games; returns 1 if some were refused."""
    from games import RulesError
    from games import parse as parse_game
    from server.records.archive import Archive

    try:
        rules = parse_game(game)
    except RulesError as error:
        raise click.UsageError(_("these rules are not known: {detail}").format(detail=phrase(error.phrase))) from error
    counts = Counter[str]()
    complaints = Complaints(err=True)
    with _sentences(), Archive(str(db or default_database())) as archive:
        for file in files:
            _import_file(archive, file, kind, rules, counts, complaints)
    complaints.sum_up()
    click.echo(
        _("{taken} imported, {known} already there, {refused} refused").format(
            taken=counts["taken"], known=counts["known"], refused=counts["refused"]
        )
    )
    return 1 if counts["refused"] else 0


@click.command(
    "verify",
    help=_(
        "Check records: a jsonl file, or a database (by default that of your server). Every game is played again: "
        "moves, passes, clocks, result, and the chain of hashes over its events."
    ),
)
@click.argument("files", metavar=_("[FILE...]"), nargs=-1, type=click.Path(dir_okay=False, path_type=Path))
@_db
@click.option("--json", "as_json", is_flag=True, help=_("Print each problem as a JSON object."))
def verify_command(files: tuple[Path, ...], db: Path | None, *, as_json: bool) -> int:
    """Prints what is wrong; returns 1 if anything is."""
    sources = [*files, *([db] if db else [])] or [default_database()]
    checked = bad = 0
    complaints = Complaints(err=False, most=None if as_json else MAX_COMPLAINTS)
    with _sentences():
        for source in sources:
            for place, problems in _check_file(source, is_database=source not in files):
                checked += bool(place)
                bad += bool(problems)
                for problem in problems:
                    complaints.say(partial(_problem_line, source, place, problem, as_json=as_json))
    complaints.sum_up()
    summary = ngettext(
        "{count} record checked, {bad} with problems", "{count} records checked, {bad} with problems", checked
    )
    click.echo(summary.format(count=checked, bad=bad), err=True)
    return 1 if bad else 0


# ------------------------------------------------------------------------------------------------------------- details


@contextmanager
def _sentences() -> Generator[None, None, None]:
    """Turns the errors of files and databases into one sentence each."""
    from server.records.readable import store_sentence
    from server.store.store_errors import StoreError

    try:
        yield
    except StoreError as error:
        raise click.ClickException(store_sentence(error)) from error
    except BrokenPipeError:
        raise
    except OSError as error:
        raise click.ClickException(system_says(error)) from error


def _read(stored: StoredMatch) -> GameRecord | str:
    """The record of a match, or why there is none."""
    from server.records.archive import record_of

    return _("can't be read: see 'verify'") if stored.unreadable else record_of(stored)


class Complaints:
    """Lines about what is wrong: the first are printed, the others counted, since a file may have a million."""

    def __init__(self, *, err: bool, most: int | None = MAX_COMPLAINTS) -> None:
        self._err = err
        self._most = most
        self._count = 0

    def say(self, line: Callable[[], str]) -> None:
        """Counts one more; `line` is only made if it is printed."""
        self._count += 1
        if self._most is None or self._count <= self._most:
            click.echo(line(), err=self._err)

    def sum_up(self) -> None:
        """Says how many lines were not printed."""
        if self._most is not None and (more := self._count - self._most) > 0:
            click.echo(ngettext("and {count} more", "and {count} more", more).format(count=more), err=True)


def _import_file(
    archive: Archive, file: Path, kind: Format | None, rules: Game, counts: Counter[str], complaints: Complaints
) -> None:
    from server.records.compose import GARBAGE, RefusedError
    from server.records.importing import format_of, read_games
    from server.records.readable import refusal_sentence

    def refuse(number: int | None, refusal: RefusedError) -> None:
        counts["refused"] += 1
        place = str(file) if number is None else f"{file}:{number}"
        complaints.say(lambda: sentences(pattern.format(place=place, reason=refusal_sentence(refusal))))

    pattern = _("{place}: refused, {reason}")
    different = _("{place}: its result is not that of its moves; the moves count")
    seen = garbage = 0
    try:
        for number, found, composed, corrected in read_games(file, kind or format_of(file), rules):
            seen += 1
            if isinstance(found, RefusedError):
                refuse(number, found)
                garbage += found.refusal in GARBAGE
                if garbage == GIVE_UP:
                    click.echo(_given_up(file), err=True)
                    break
                continue
            garbage = 0
            try:
                counts["taken" if archive.add(found, same_id_is_same=composed) else "known"] += 1
            except RefusedError as refusal:
                refuse(number, refusal)
                continue
            if corrected:
                complaints.say(partial(different.format, place=f"{file}:{number}"))
    except RefusedError as refusal:
        refuse(None, refusal)
    except OSError as error:
        counts["refused"] += 1
        click.echo(system_says(error), err=True)
    else:
        if not seen:
            click.echo(_("{path}: there is no game in it").format(path=file), err=True)
            counts["refused"] += 1


def _given_up(file: Path) -> str:
    text = _("{path}: {count} times there was no game to read, and the rest is left: is --format right?")
    return text.format(path=file, count=GIVE_UP)


def _check_file(source: Path, *, is_database: bool) -> Checked:
    from server.records.archive import check
    from server.records.verification import Flaw, Problem
    from server.store.reading import Reader

    if not is_database:
        with source.open("rb") as stream:
            head = stream.read(len(_SQLITE))
        is_database = head == _SQLITE
        if head.lstrip().startswith(_GGF):
            raise click.ClickException(
                _("{file} is GGF, which has no events to check: 'import' reads it, and plays its games again.").format(
                    file=source
                )
            )
    if is_database:
        with Reader(str(source)) as reader:
            yield "", [Problem(Flaw.UNREADABLE, found=f"({detail})") for detail in reader.damage()]
            for stored in reader.matches():
                yield stored.id, check(stored)
        return
    yield from _check_lines(source)


def _check_lines(source: Path) -> Checked:
    from protocol.records import RecordError, from_line
    from server.records.importing import MAX_LINE, lines
    from server.records.verification import Flaw, Problem, verify

    with source.open("rb") as stream:
        for number, line in lines(stream, MAX_LINE):
            try:
                record, whole = from_line(line or b"")
            except RecordError as error:
                yield str(number), [Problem(Flaw.UNREADABLE, found=f"({error})")]
            else:
                yield f"{number} ({record.match})", [*([] if whole else [Problem(Flaw.SEAL)]), *verify(record)]


def _problem_line(source: Path, place: str, problem: Problem, *, as_json: bool) -> str:
    from server.records.readable import problem_sentence

    if as_json:
        flaw, seq, found, wanted = problem
        line = {"file": str(source), "record": place, "flaw": flaw.value, "seq": seq, "found": found, "wanted": wanted}
        return json.dumps(line, ensure_ascii=False)
    said = _("{place}: {problem}").format(
        place=f"{source}:{place}".removesuffix(":"), problem=problem_sentence(problem)
    )
    return sentences(said)
