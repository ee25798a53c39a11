"""The command `arbitre class cards`: the personal codes of a class, as lines or as a page to print and cut out."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import click

from locales import _
from locales.folding import echo


@click.command(
    "cards",
    short_help=_("Print the cards with the pupils' codes"),
    help=_(
        "Print the cards with the pupils' personal codes, a line each: name, code, and the link to their page once "
        "the class has been opened. --html writes a page of cards with QR codes, ten on a sheet, to be printed and cut "
        "out. Codes are drawn once and stay."
    ),
)
@click.argument("folder", metavar=_("CLASS"), type=click.Path(path_type=Path))
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), help=_("Write a page to print."))
@click.option(
    "--address",
    metavar="URL",
    help=_("Where the page is, if pupils reach it otherwise than 'class open' says: http://name:8765."),
)
def cards_command(folder: Path, page: Path | None, address: str | None) -> None:
    """Prints the lines, or writes the page."""
    from school.cards import as_lines, as_page, cards
    from school.folder import keep_codes, load_class, load_state, located, read_entrance

    folder = located(folder)
    classroom, entrance = load_class(folder), read_entrance(folder)
    state = load_state(folder, classroom)
    kept = keep_codes(folder, state.doors)
    codes = {name: kept[state.doors_of(name)[-1]] for name in state.pupils if state.pupil(name)}
    if not codes:
        raise click.ClickException(_("Nobody is in this class yet: write names below [pupils] in class.toml."))
    at = "" if entrance is None else entrance.address
    made = cards(codes, at if address is None else _address(address), "" if entrance is None else entrance.code)
    if page is None:
        click.echo(as_lines(made), nl=False)
    else:
        _write(page, as_page(classroom.title, made))
        echo(_("{file}: open it in a browser, print it, and cut the cards out.").format(file=page))
    if entrance is None:
        text = _("The class was not opened yet: the cards have the codes alone. 'class open' first, then QR codes too.")
        echo(text, err=True)


def _address(typed: str) -> str:
    """The address of a server, without a path; anything else ends the command."""
    whole = typed.strip() if "://" in typed else f"http://{typed.strip()}"
    try:
        parts = urlsplit(whole)
        is_one = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        is_one = is_one and not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
    except ValueError:
        is_one = False
    if not is_one or " " in whole:
        raise click.BadParameter(
            _("{text!r} is no address of a server: write http://192.168.1.5:8765.").format(text=typed),
            param_hint="--address",
        )
    return whole.rstrip("/")


def _write(path: Path, text: str) -> None:
    """Writes a page that only its owner can read."""
    from locales.system import reason
    from machine.files import replace_private

    try:
        replace_private(path, text)
    except OSError as error:
        said = _("{file} can't be written: {reason}.").format(file=path, reason=reason(error))
        raise click.ClickException(said) from error
