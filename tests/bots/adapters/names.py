"""A bot for each interface, beside modules that are called as ours and as Python's own."""

import textwrap
from pathlib import Path
from typing import Final

OURS: Final = (
    "bots",
    "client",
    "games",
    "league",
    "locales",
    "machine",
    "processes",
    "protocol",
    "run",
    "school",
    "server",
    "services",
    "terminal",
    "view",
)
PYTHONS: Final = ("copy", "ctypes", "json", "math", "queue", "random", "threading", "tkinter", "types", "typing")

BOTS: Final = {
    "coup_joueur": ("othello", "def coup_joueur(config, joueur): return 4, 3", "d3"),
    "jeuIA": ("othello", "def jeuIA(grille, couleur): return [2, 3, []]", "d3"),
    "Player": ("puissance4", "class Player:\n    def nextMove(self, board): return 2", "3"),
    "dfs_play": ("morpion", "def dfs_play(grid, player): return 1, 2", "c2"),
    "choose": ("morpion", "def choose(position, clock=None): return position.legal_moves()[4]", "b2"),
    "choose_from": ("morpion", "def choose_from(rows, player, moves): return moves[4]", "b2"),
    "strategy": ("morpion", "def strategy(game, state): return 1, 1", "b2"),
    "minimax_search": ("morpion", "def minimax_search(game, state): return 0, (1, 1)", "b2"),
}
"""Interface -> a game, a file without its imports, and what that plays first."""

_USES = """
{imports}
import {first}.inner as inner
from {last} import NAME as name

assert [{found}] == [{wanted}]
assert inner.NAME == "inner of {first}" and name == "{last}"

{source}
"""


def write_users(folder: Path, source: str, name: str = "my_bot.py") -> Path:
    """The bot, which imports every neighbour; one of them is a package, and each says which it is."""
    names = (*OURS, *PYTHONS)
    first, last = "random", "protocol"
    imports = "\n".join(f"import {name}" for name in names)
    found, wanted = ", ".join(f"{name}.NAME" for name in names), ", ".join(f"'{name}'" for name in names)
    text = _USES.format(imports=imports, first=first, last=last, found=found, wanted=wanted, source=source)
    for neighbour in names:
        # A module that imports its own name, or another's, as pupils' do.
        body = f"import {neighbour}\nimport {last}, heapq\nNAME = {neighbour!r}\n"
        if neighbour == first:
            (folder / first).mkdir()
            (folder / first / "inner.py").write_text(f"NAME = 'inner of {first}'\n", encoding="utf-8")
            (folder / first / "__init__.py").write_text(f"NAME = {first!r}\n", encoding="utf-8")
        else:
            (folder / f"{neighbour}.py").write_text(body, encoding="utf-8")
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def write_beside_ruins(folder: Path, source: str, name: str = "my_bot.py") -> Path:
    """The bot, which imports what is Python's, beside modules that must not be imported by anybody."""
    for neighbour in (*OURS, *PYTHONS, "abc", "io", "os", "pdb", "site", "tempfile"):
        (folder / f"{neighbour}.py").write_text(f"raise SystemExit('not {neighbour}')\n", encoding="utf-8")
    text = "import heapq, fractions, concurrent.futures, os, io\nfrom arbitre import games as rules\n"
    text += "assert rules.GAMES\n"
    (folder / name).write_text(text + textwrap.dedent(source), encoding="utf-8")
    return folder / name
