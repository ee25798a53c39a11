"""The pictures of the page in README and docs: a real browser on a real server.

python -m tools.page_screens      writes docs/screens/*.png; needs chromium and the dev requirements
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Final

from games import parse
from tests.faults.serving import serving
from tests.page.browser import HOST, Reader, Room, browsing
from tests.page.programs import Pair, Program, table

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screens"

DESKTOP: Final = {"viewport": {"width": 1200, "height": 760}}
PHONE: Final = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}

PROJECTOR: Final = {"viewport": {"width": 1920, "height": 1080}}

BOTS: Final = "human:level=1..10,minimax:depth=2"

NAMES: Final = ("Élodie", "Karim", "Les Flamants", "Tom", "Zoé")
ROWS: Final = table(
    ("Karim", 1, 4.5, 5), ("Zoé", 2, 3, 4), ("Élodie", 3, 2.5, 5), ("Tom", 4, 1.5, 5), ("Les Flamants", 5, 0.5, 5),
    against=[
        [None, 1, 1.5, 1, 1], [0, None, 1, 1, 1], [0.5, 0, None, 1, 1], [0, 0, 1, None, 0.5], [0, 0, 0, 0.5, None],
    ],
)  # fmt: skip

GAMES: Final = {
    "othello": ("f5", "d6", "c3", "d3", "c4", "f4", "c5", "b3", "c2", "e3", "d2"),
    "puissance4": ("4", "4", "3", "5", "5", "2", "4", "3", "3"),
}
"""What the pictures show: two openings that people play."""


REVIEWED: Final = ("4", "4", "3", "3", "5", "2", "5", "6", "5", "5", "3", "4")
"""A whole game, with mistakes of both."""

ALONE: Final = {
    "/local/puissance4?moves=4453": "page-local",
    "/explore/breakthrough?moves=c2c3 d5d4": "page-explore",
}
"""Boards of one reader, and their pictures."""


def main() -> None:
    """Plays, and takes pictures."""
    FOLDER.mkdir(exist_ok=True)
    with (
        serving("--host-name", HOST, "--review", "--house-bots", BOTS) as server,
        browsing() as browser,
        Room(browser, server.port) as room,
    ):
        ada, bob = room.reader(**DESKTOP, locale="fr-FR"), room.reader(**PHONE, locale="en-GB")
        for reader, name in ((ada, "Ada"), (bob, "Bob")):
            call(reader.go(), name)
        for reader, name in ((ada, "page-lobby"), (bob, "page-lobby-phone")):
            reader.page.wait_for_selector("input[name=house][value='human:level=10']", state="attached")
            reader.page.screenshot(path=FOLDER / f"{name}.png")
        ada.click("settings")
        ada.page.screenshot(path=FOLDER / "page-settings.png")
        ada.page.keyboard.press("Escape")
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
        for path, name in ALONE.items():
            view(ada, path, name)
        bob.go().page.evaluate("localStorage.setItem('arbitre.settings', JSON.stringify({theme: 'contrast'}))")
        view(bob, "/local/othello?moves=f5d6c3", "page-contrast-phone")
        learning(ada, bob)
        league(room)


def view(reader: Reader, path: str, name: str) -> None:
    """Takes a picture of a board that needs nobody else."""
    reader.go(path)
    reader.page.wait_for_selector(".cell[data-holds=X]")
    reader.page.wait_for_timeout(500)
    reader.page.screenshot(path=FOLDER / f"{name}.png")


def learning(*readers: Reader) -> None:
    """A review that is complete, and the tree of a position, on both screens."""
    for reader, end in zip(readers, ("", "-phone"), strict=True):
        reader.page.evaluate("localStorage.removeItem('arbitre.settings')")
        reader.go(f"/review/puissance4?moves={' '.join(REVIEWED)}&seat=1#7")
        reader.page.wait_for_selector("progress", state="hidden", timeout=180_000)
        reader.page.screenshot(path=FOLDER / f"page-review{end}.png")
        reader.go("/explore/othello?moves=f5 d6").click("explain")
        reader.page.wait_for_selector(".explanation [data-action=unfold]")
        reader.page.screenshot(path=FOLDER / f"page-explain{end}.png", full_page=True)


def league(room: Room) -> None:
    """A league in progress, on its page and on the wall, with four running games."""
    wall, teacher = room.reader(**PROJECTOR, locale="fr-FR"), room.reader(**DESKTOP, locale="en-GB")
    with ExitStack() as stack:
        host = stack.enter_context(Program(room.port, "Host", "human"))
        bots = [stack.enter_context(Program(room.port, f"bot {number}")) for number in range(8)]
        pairs = [Pair(*bots[at : at + 2]) for at in range(0, len(bots), 2)]
        playing = []
        for number, pair in enumerate(pairs):
            match = pair.begin("puissance4")
            pair.play(*GAMES["puissance4"][: 5 + number])
            playing.append({"match": match, "first": NAMES[number], "second": NAMES[number - 1]})
        how = {"reason": "line", "moves": " ".join(GAMES["puissance4"])}
        over = [
            {"number": n + 1, "first": one, "second": NAMES[n - 2], "winner": 1 + n % 2, **how}
            for n, one in enumerate(NAMES)
        ]
        told = {"title": "Seconde 4", "game": "puissance4", "rows": ROWS, "played": 12, "planned": 40}
        shown = host.ask("show", key="s" * 24, state="running", playing=playing, games=over, **told)["league"]
        for reader, address, name in ((teacher, "", "league"), (wall, "?wall", "wall")):
            reader.page.goto(f"{reader.url}/l/{shown}{address}")
            reader.page.wait_for_selector(".tile .disc")
            reader.page.wait_for_timeout(1000)
            reader.page.screenshot(path=FOLDER / f"page-{name}.png")


def call(reader: Reader, name: str) -> None:
    """Takes a name."""
    reader.click("rename")
    reader.page.fill("[name=name]", name)
    reader.click("save-name")
    reader.page.wait_for_selector(f".me:has-text('{name}')")


if __name__ == "__main__":
    main()
