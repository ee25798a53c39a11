"""The pictures of the page in README and docs: a real browser on a real server.

python -m tools.page_screens      writes docs/screens/*.png; needs chromium and the dev requirements
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from games import parse
from tests.faults.serving import serving
from tests.page.browser import HOST, Reader, Room, browsing

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screens"

DESKTOP: Final = {"viewport": {"width": 1200, "height": 760}}
PHONE: Final = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}

GAMES: Final = {
    "othello": ("f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2", "e3", "d2"),
    "puissance4": ("4", "4", "3", "5", "5", "2", "4", "3", "3"),
}
"""What the pictures show: two openings that people play."""


def main() -> None:
    """Plays, and takes pictures."""
    FOLDER.mkdir(exist_ok=True)
    with serving("--host-name", HOST) as server, browsing() as browser, Room(browser, server.port) as room:
        ada, bob = room.reader(**DESKTOP, locale="fr-FR"), room.reader(**PHONE, locale="en-GB")
        for reader, name in ((ada, "Ada"), (bob, "Bob")):
            call(reader.go(), name)
        ada.page.screenshot(path=FOLDER / "page-lobby.png")
        for game, moves in GAMES.items():
            ada.go().create(game, clock="5+3")
            bob.go().click("join")
            position = parse(game).start()
            for ply, move in enumerate(moves, 1):
                (ada if position.to_move == 1 else bob).move(move)
                position = position.play(move)
                for reader in (ada, bob):
                    reader.see_ply(ply)
            ada.page.mouse.move(0, 0)
            ada.page.wait_for_timeout(500)
            ada.page.screenshot(path=FOLDER / f"page-{game}.png")
            bob.page.screenshot(path=FOLDER / f"page-{game}-phone.png")
            bob.click("resign")
            bob.click("confirm-resign")


def call(reader: Reader, name: str) -> None:
    """Takes a name."""
    reader.click("rename")
    reader.page.fill("[name=name]", name)
    reader.click("save-name")
    reader.page.wait_for_selector(f".me:has-text('{name}')")


if __name__ == "__main__":
    main()
