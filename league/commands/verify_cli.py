"""The commands `arbitre league verify` and `arbitre league sign`: whether a log is what it claims to be, and whose."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from locales import _, ngettext
from terminal.text import clean

if TYPE_CHECKING:
    from league.history.log import LogEntry
    from league.history.verification import Audit

WRONG: Final = 1
UNFINISHED: Final = 3
"""The exit codes of `verify` for a log with problems, and for a league that is not finished."""

SHOWN = 3
"""How many of the missing pairings are listed."""

WIDTH = 80
NO_BREAK: Final = "\u00a0"
"""French typography has this space before a colon."""

_LINK = re.compile(r"[0-9a-f]{64}")

_folder = click.argument("folder", metavar=_("FOLDER"), type=click.Path(path_type=Path, file_okay=False))


@click.command(
    "verify",
    short_help=_("Check a league from its log alone"),
    help=_(
        "Check a league from its log alone: that no line was changed, that the schedule is what its seed gives, that "
        "all of it was played, that every game is by the rules, and that the results are what the games say.\n\nThe "
        "last link stands for the whole log: who has published it can be asked later, with --link, whether the log is "
        "still that one. --key says so for a log that was signed.\n\nExit code: 0 if the league is whole and finished, "
        "1 if something is wrong, 2 for a wrong command, 3 if the league is not finished."
    ),
)
@_folder
@click.option("--link", metavar=_("LINK"), help=_("A last link that was published: the log has to hold it."))
@click.option("--key", metavar=_("KEY"), help=_("A public key, or a file with it: the log has to have its signature."))
def verify_command(folder: Path, link: str | None, key: str | None) -> None:
    """Checks everything; the exit code says how it came out."""
    from league.commands.folder import check_league
    from league.history.log import NAME, LogError, links, read_entries
    from league.history.signature import SignatureError, cut_off, read_public
    from league.history.signature import check as check_signature
    from league.history.signature import load as load_signature
    from league.history.verification import audit

    check_league(folder)
    wanted = None if link is None else _read_link(link)
    try:
        public = None if key is None else read_public(key)
    except SignatureError as error:
        raise click.UsageError(str(error)) from error
    problems, notes = [], []
    try:
        text = (folder / NAME).read_text(encoding="utf-8", errors="replace")
        entries, last, length = read_entries(text, folder / NAME)
        signature = load_signature(folder)
        if public is not None:
            problems += check_signature(entries, signature, public)
            notes += [] if problems else [_("Signed by this key, from the first line to the last.")]
        elif signature is not None:
            notes += cut_off(entries, signature)
            notes.append(_("There is a signature; to check it: --key, and the public key that was published."))
    except (LogError, SignatureError) as error:
        raise click.ClickException(str(error)) from error
    except OSError as error:
        raise click.ClickException(_("{path} can't be read.").format(path=folder / NAME)) from error
    found = audit(entries)
    problems = [*found.problems, *problems]
    if wanted is not None:
        said, is_there = _compare(entries, links(entries), wanted)
        (notes if is_there else problems).append(said)
    if length < len(text):
        notes.append(_("After the last whole line there is a part of one, which does not count: a stop leaves that."))
    _print(found, problems, notes)
    if problems:
        raise click.exceptions.Exit(WRONG)
    text = _("Last link, of line {line}; to publish:")
    click.echo(f"{text.format(line=len(entries))}\n  {last}")
    _say(_not_covered())
    if not found.finished:
        raise click.exceptions.Exit(UNFINISHED)


def _read_link(link: str) -> str:
    written = link.strip().lower()
    if _LINK.fullmatch(written) is None:
        raise click.UsageError(_("A link has 64 digits and letters from a to f: it is what 'league verify' prints."))
    return written


def _compare(entries: Sequence[LogEntry], found: Sequence[str], wanted: str) -> tuple[str, bool]:
    """A sentence on how a published link relates to the log, and whether the log has it."""
    if wanted not in found:
        return _("No line has the link that was published: lines were cut off, or the log was written anew."), False
    number = found.index(wanted) + 1
    if number == len(found):
        return _("The last link is the one that was published."), True
    kinds = _counted(Counter(str(one.kind) for one in entries[number:]))
    text = ngettext(
        "The link that was published is that of line {line}. {count} line came after it: {kinds}.",
        "The link that was published is that of line {line}. {count} lines came after it: {kinds}.",
        len(found) - number,
    )
    return text.format(line=number, count=len(found) - number, kinds=kinds), True


def _print(found: Audit, problems: Sequence[str], notes: Sequence[str]) -> None:
    """What was found, wrapped to the width of a terminal."""
    for line in (*problems, *_of_missing(found)):
        _say(line)
    if not problems:
        said = ngettext("{count} game: all is as it should be.", "{count} games: all is as it should be.", found.games)
        if not found.finished:
            said = ngettext("{count} game is as it should be.", "{count} games are as they should be.", found.games)
        _say(said.format(count=found.games))
    for line in (*_of_word(found), *notes):
        _say(line)


def _of_word(found: Audit) -> Iterator[str]:
    """Sentences about what the log only claims: neither the rules nor the seed decide it."""
    from league.report.duel_text import REASONS

    if count := sum(found.on_word.values()):
        text = ngettext(
            "{count} of {games} results rests on the word of whoever ran the league: {reasons}.",
            "{count} of {games} results rest on the word of whoever ran the league: {reasons}.",
            count,
        )
        reasons = ", ".join(f"{_(REASONS[reason])} {number}" for reason, number in sorted(found.on_word.items()))
        yield text.format(count=count, games=found.games, reasons=reasons)
    if found.decided:
        text = _("Decided by whoever ran the league (kinds of lines in the log): {kinds}.")
        yield text.format(kinds=_counted(found.decided))
    if found.forfeits:
        text = ngettext(
            "{count} game was not played, and counts as won: who should have played it had left.",
            "{count} games were not played, and count as won: who should have played them had left.",
            found.forfeits,
        )
        yield text.format(count=found.forfeits)


def _counted(kinds: Mapping[str, int]) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in kinds.items())


def _of_missing(found: Audit) -> Iterator[str]:
    if found.finished and not found.missing:
        return
    left = None if found.planned is None else found.planned - found.games
    if left is None:
        yield _("The league is not finished: its plan has no end.")
    elif found.finished:
        text = ngettext("{count} of {planned} games is missing.", "{count} of {planned} games are missing.", left)
        yield text.format(count=left, planned=found.planned)
    elif left:
        text = ngettext(
            "The league is not finished: {count} of {planned} games is missing.",
            "The league is not finished: {count} of {planned} games are missing.",
            left,
        )
        yield text.format(count=left, planned=found.planned)
    else:
        yield _("The league is not finished: all its games are there, the line that ends it is not.")
    for job in found.missing[:SHOWN]:
        one, two = job.players
        yield f"  {job.pairing}: {one.name} - {two.name}"
    more = len(found.missing) - SHOWN
    if more > 0:
        yield "  " + ngettext("and {count} pairing more", "and {count} pairings more", more).format(count=more)
    if not found.finished:
        yield _("If you were told that it is over, its last lines have been cut off.")


def _not_covered() -> str:
    return _(
        "Not covered: how long each bot thought, and how a game ended that its moves don't decide, are what the log "
        "says; bots that agree on a result leave no trace; and whoever holds the key can sign anything."
    )


def _say(text: str) -> None:
    """Prints a line. Text from a log may come from anybody, so it is cleaned for the terminal."""
    indent = "  " if text.startswith("  ") else ""
    safe = NO_BREAK.join(clean(part) for part in text.strip().split(NO_BREAK))
    click.echo(click.wrap_text(safe, WIDTH, indent, indent + "  "))


@click.command(
    "sign",
    short_help=_("Sign the log of a league"),
    help=_(
        "Sign the log of a league as it is now, also while it is played. KEY is a file: if it is not there, a key is "
        "made, which only you can read. Publish the public key that is printed; 'league verify --key' asks for it. "
        "'league run --sign KEY' signs when the league is over."
    ),
)
@_folder
@click.argument("key", metavar=_("KEY"), type=click.Path(path_type=Path, dir_okay=False))
def sign_command(folder: Path, key: Path) -> None:
    """Signs."""
    from league.commands.folder import check_league
    from league.commands.signing import open_signing_key, sign

    check_league(folder)
    signing_key = open_signing_key(key, folder)
    assert signing_key is not None
    sign(folder, signing_key)
