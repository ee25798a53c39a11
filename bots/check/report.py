"""The findings of a compliance run as a checklist for people, and as JSON for programs."""

import re
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import click

from bots.check.checks import CHECKS
from bots.check.judging import CheckedMatch, Evidence, Finding, Status
from games.base import Game
from locales import _, decimal, ngettext
from terminal.board import Style, draw_position
from terminal.text import cells_wide, clean

WIDTH = 80
_WIPE = "\r\x1b[K"
_TITLE = 17
_WORD = 7
_SAID = 48
"""Lines of the bot's stderr that are shown."""

_MESSAGE = 200
"""Characters of a message that are shown."""

_SIGNS: Mapping[Status, tuple[str, str]] = {"ok": ("✓", "green"), "failed": ("✗", "red"), "skipped": ("-", "yellow")}


@dataclass(frozen=True, slots=True)
class ReportLook:
    """How lines look: `colour` allows colours, `ascii` only ASCII; `live` shows which check is running."""

    colour: bool = False
    ascii: bool = False
    live: bool = False


def _alike(one: Finding, other: Finding) -> bool:
    texts = {re.sub(r"\d+", "0", finding.text) for finding in (one, other)}
    return one.status == other.status and len(texts) == 1


class Checklist:
    """Prints the findings of the checks `names` on stdout, one by one.

    The evidence is printed only for the first of several failures whose texts differ in nothing but numbers: a bot that
    crashes does so in most checks, at another move each time.
    """

    def __init__(self, names: Sequence[str], look: ReportLook) -> None:
        self._waiting = list(names)
        self._look = look
        self._findings: dict[str, Finding] = {}

    def begin(self) -> None:
        """Says on a terminal which check is running."""
        if self._look.live and self._waiting:
            done = f"{len(self._findings) + 1}/{len(self._findings) + len(self._waiting)}"
            click.echo(
                f"  {_padded('...', _WORD)} {_padded(_(CHECKS[self._waiting[0]].title), _TITLE)} {done}", nl=False
            )

    def add(self, name: str, finding: Finding) -> None:
        """Prints a finding."""
        lines = check_lines(name, finding, self._look)
        if finding.status == "failed" and any(_alike(finding, before) for before in self._findings.values()):
            lines.append("    " + _("as before; to see it: --only {name}").format(name=name))
        elif finding.status == "failed":
            lines += evidence_lines(name, finding.evidence, self._look)
        self._findings[name] = finding
        self._waiting.remove(name)
        self._print("\n".join(lines))
        self.begin()

    def end(self, seconds: float, more: int = 0) -> None:
        """Prints what became of all of them; more: how many checks were not asked for."""
        self._print(summary_line(self._findings, decimal(seconds, 1)))
        if self._waiting and "start" not in self._waiting:
            text = ngettext(
                "{count} check is left out: it would fail alike. Repair this first.",
                "{count} checks are left out: they would fail alike. Repair this first.",
                len(self._waiting),
            )
            click.echo(text.format(count=len(self._waiting)))
        elif more and not any(finding.status == "failed" for finding in self._findings.values()):
            text = ngettext(
                "That was the quick part. {count} more check: --full",
                "That was the quick part. {count} more checks: --full",
                more,
            )
            click.echo(text.format(count=more))

    def _print(self, text: str) -> None:
        click.echo(_WIPE + text if self._look.live else text)
        sys.stdout.flush()


def check_lines(name: str, finding: Finding, look: ReportLook) -> list[str]:
    """One line, "✓ ok       start-up   ready after 0.31 s"; more if the text is long."""
    sign, colour = _SIGNS[finding.status]
    word = _word(finding.status)
    if look.ascii:
        sign = {"✓": "+", "✗": "x"}.get(sign, sign)
    head = f"{sign} {_padded(word, _WORD)} {_padded(_(CHECKS[name].title), _TITLE)} "
    rows = textwrap.wrap(clean(finding.text), WIDTH - cells_wide(head)) or [""]
    marked = click.style(head, fg=colour) if look.colour else head
    return [marked + rows[0], *(" " * cells_wide(head) + row for row in rows[1:])]


def evidence_lines(name: str, evidence: Evidence, look: ReportLook) -> list[str]:
    """What shows a failure: what was asked for, what the bot said, the position, and the last messages."""
    lines = [_("Asked for: {what}").format(what=_(CHECKS[name].asks))]
    said = [line for line in evidence.stderr.splitlines() if line.strip()]
    if said:
        lines += ["", _("What it wrote to its standard error:"), *(f"  {clean(line)}" for line in said[-_SAID:])]
    if evidence.played is not None:
        lines += _position_lines(evidence.played, look)
    if evidence.exchange:
        lines += ["", _("The last messages (> from the bot, < to it):")]
        lines += [f"  {shorten(clean(line))}" for line in evidence.exchange]
    return ["", *(f"    {line}".rstrip() for line in lines), ""]


def _position_lines(played: CheckedMatch, look: ReportLook) -> list[str]:
    position = played.position
    style = Style(ascii=look.ascii, colour=look.colour)
    own = style.disc(played.seat, played.game.profile.look)
    before = played.positions()[-2:-1]
    marked = [cell for position in before for cell in played.game.move_cells(position, played.moves[-1])]
    who = _("the bot") if position.to_move is played.seat else _("its opponent")
    return [
        "",
        _("{game}, move {ply}; the bot is {own}. To move: {who}").format(
            game=played.game.spec,
            ply=len(played.moves) + 1,
            own=own,
            who=who,
        ),
        "",
        *(f"  {line}" for line in draw_position(played.game, position, style, marked=marked)),
        "",
        _("moves so far: {moves}").format(moves=played.game.format_transcript(played.moves) or "-"),
        _("legal moves: {moves}").format(moves=" ".join(position.legal_moves()) or "-"),
        *_of_other_board(played.game),
    ]


def _of_other_board(game: Game) -> list[str]:
    """What whoever plays only the usual board should know: a program by stdio can't decline another one."""
    if game.spec == game.id or not game.options:
        return []
    option = game.options[0]
    text = _("This is not the usual board. If the bot plays only that, check only that: --game {game}")
    return ["", text.format(game=f"{game.id}:{option.name}={option.default}")]


def summary_line(findings: Mapping[str, Finding], seconds: str) -> str:
    """How many checks there were and what became of them."""
    count = {status: sum(one.status == status for one in findings.values()) for status in _SIGNS}
    if not count["failed"]:
        good = ngettext("{count} check: good.", "{count} checks: all good.", count["ok"]).format(count=count["ok"])
    else:
        good = ngettext("{count} check failed,", "{count} checks failed,", count["failed"]).format(
            count=count["failed"]
        )
        good += " " + ngettext("{count} is good.", "{count} are good.", count["ok"]).format(count=count["ok"])
    skipped = ngettext("{count} skipped.", "{count} skipped.", count["skipped"]).format(count=count["skipped"])
    return " ".join(part for part in (good, skipped if count["skipped"] else "", f"({seconds} s)") if part)


def as_json(findings: Mapping[str, Finding]) -> list[dict[str, object]]:
    """The findings as JSON objects: name, status, text, and for a failure what shows it."""
    return [_finding_as_json(name, finding) for name, finding in findings.items()]


def _finding_as_json(name: str, finding: Finding) -> dict[str, object]:
    found: dict[str, object] = {"check": name, "status": finding.status, "text": finding.text}
    if finding.status == "failed":
        played = finding.evidence.played
        if played is not None:
            found |= {
                "game": played.game.spec,
                "seat": int(played.seat),
                "moves": list(played.moves),
                "position": played.position.notation,
                "reason": played.result.reason if played.result is not None else played.trouble,
            }
        found |= {"exchange": list(finding.evidence.exchange), "stderr": finding.evidence.stderr}
    return found


def shorten(line: str) -> str:
    """A message without its middle if it is long."""
    return line if len(line) <= _MESSAGE else f"{line[: _MESSAGE - 45]} ... {line[-40:]}"


def _word(status: Status) -> str:
    return {"ok": _("ok"), "failed": _("FAILED"), "skipped": _("skipped")}[status]


def _padded(text: str, width: int) -> str:
    return text + " " * max(0, width - cells_wide(text))
