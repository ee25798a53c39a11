"""The cards of a class: for each pupil their name, their code, and the way to their page. Pure.

A card leads to `ADDRESS/class/DOOR#CODE`: browsers don't send what follows the #, so no log has the code.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

import segno

from league.pupils.lists import plain
from locales import _, language

A_PAGE: Final = 10
"""Cards on a sheet of A4: two columns of five."""


@dataclass(frozen=True, slots=True)
class Card:
    """A pupil's card. link: to their page, empty while its address is unknown; place: the address to type."""

    name: str
    code: str
    link: str = ""
    place: str = ""


def cards(codes: Mapping[str, str], address: str, door: str) -> list[Card]:
    """A card for each name, sorted; address: that of the pages. It and `door` are empty before the class was opened."""
    place = f"{address}/class/{door}" if address and door else ""
    return [
        Card(name, code, f"{place}#{code}" if place else "", place)
        for name, code in sorted(codes.items(), key=lambda item: (plain(item[0]), item[0]))
    ]


def as_lines(made: Sequence[Card]) -> str:
    """A line for each card, with tabs between: name, code, link."""
    return "".join("\t".join(filter(None, (card.name, card.code, card.link))) + "\n" for card in made)


def as_page(title: str, made: Sequence[Card]) -> str:
    """The cards as a page to be printed and cut out."""
    sheets = (made[at : at + A_PAGE] for at in range(0, len(made), A_PAGE))
    body = "\n".join(f"<ul>\n{''.join(_card(title, card) for card in sheet)}</ul>" for sheet in sheets)
    head = f'<!doctype html>\n<html lang="{language()}"><meta charset="utf-8"><title>{escape(title)}</title>\n'
    return f"{head}<style>\n{_STYLE}</style>\n{body}\n</html>\n"


def _card(title: str, card: Card) -> str:
    text = f"<div><b>{escape(card.name)}</b><small>{escape(title)}</small><code>{escape(card.code)}</code></div>"
    return f"<li>{text}{_drawn(card.link)}<p>{_way(card)}</p></li>\n"


def _way(card: Card) -> str:
    """How one gets in without a camera."""
    if not card.place:
        return escape(_("Your teacher says where the page is: type this code there."))
    said = escape(_("Scan it; or type the code there:"))
    return f"{said}<br><span>{escape(card.place.removeprefix('http://'))}</span>"


def _drawn(link: str) -> str:
    """The QR code of a link, as SVG without a size of its own; with 15 % of it damaged it can still be read."""
    if not link:
        return ""
    made = segno.make(link, error="m", boost_error=False, micro=False)
    return str(made.svg_inline(omitsize=True, border=4))


_STYLE: Final = """\
@page { size: A4; margin: 8.5mm 10mm }
* { box-sizing: border-box; margin: 0 }
body { font-family: system-ui, sans-serif; color: #000; background: #fff }
ul { display: grid; grid-template-columns: 95mm 95mm; width: 190mm; margin: 0 auto; padding: 0; list-style: none }
ul + ul { break-before: page }
li { display: grid; grid-template: 1fr auto / 1fr auto; height: 55.6mm; padding: 4mm 4mm 4mm 6mm;
  border: 1px dashed #999; break-inside: avoid; align-items: center; gap: 0 2mm; overflow: hidden }
div { display: flex; flex-direction: column; min-width: 0; gap: 1.5mm }
b { font-size: 15pt; line-height: 1.15; overflow-wrap: anywhere }
small { font-size: 9pt; color: #444; overflow-wrap: anywhere; display: -webkit-box; -webkit-line-clamp: 2;
  -webkit-box-orient: vertical; overflow: hidden }
code { font: bold 19pt/1.2 ui-monospace, monospace; overflow-wrap: anywhere }
p { grid-column: 1 / -1; font-size: 8pt; line-height: 1.3; overflow-wrap: anywhere }
span { font: bold 9pt/1.3 ui-monospace, monospace }
svg { width: 38mm; height: 38mm; margin: -2mm -3mm 0 0; background: #fff; forced-color-adjust: none }
"""
