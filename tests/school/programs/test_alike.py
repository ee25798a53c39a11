"""Which programs of a class are alike."""

from __future__ import annotations

import json

from school.programs.alike import MOST_PAIRS, similar

LOOKING = """
def value(position, depth):
    if position.is_over or depth == 0:
        return sum(1 for cell in position.cells if cell == "X") - len(position.moves())
    best = -1000
    for move in position.moves():
        found = -value(position.play(move), depth - 1)
        if found > best:
            best = found
    return best

def choose(position):
    ranked = sorted(position.moves(), key=lambda move: -value(position.play(move), 3))
    print("chosen", ranked[0], len(ranked))
    return ranked[0]
"""
OTHER = """
import random
def corners(board, size):
    return [board[0], board[size - 1], board[size * (size - 1)], board[size * size - 1]]
def choose(position):
    wanted = {"a1", "a8", "h1", "h8"}
    for move in position.legal_moves():
        if move in wanted and random.random() > 0.1:
            return move
    while True:
        guess = random.randrange(len(position.legal_moves()))
        if guess % 2 == 0 or len(position.legal_moves()) == 1:
            return position.legal_moves()[guess]
"""


def notebook(text: str) -> str:
    cell: dict[str, object] = {
        "cell_type": "code",
        "metadata": {},
        "outputs": [],
        "execution_count": None,
        "source": text,
    }
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


def test_a_copy_is_found_under_other_names_and_in_a_notebook() -> None:
    renamed = LOOKING.replace("found", "score").replace("best", "top").replace("    ", "  ")
    found = similar(
        {
            "Léa": ("bot.py", LOOKING),
            "Tom": ("mine.ipynb", notebook(renamed)),
            "Zoé": ("bot.py", OTHER),
            "Ida": ("bot.py", "def choose(position):\n    return 1\n"),
            "Bob": ("bot.ipynb", "{"),
        }
    )
    assert [(pair.one, pair.other, pair.share) for pair in found.pairs] == [("Léa", "Tom", 1.0)]
    assert set(found.short) == {"Ida", "Bob"}


def test_what_was_printed_beside_an_export_is_no_excuse_and_a_heading_in_a_text_hides_nothing() -> None:
    export = "In [1]:\n\n" + LOOKING + "\nOut[1]:\n\nan answer, and what I think of it\n"
    hidden = '"""\nIn [1]:\n"""\n' + LOOKING
    found = similar({"Léa": ("bot.py", LOOKING), "Tom": ("bot.txt", export), "Zoé": ("bot.py", hidden)} | {
        name: ("bot.py", OTHER + "\n" * number) for number, name in enumerate(("Ida", "Bob", "Ann", "Eve"))
    })  # fmt: skip
    copies = {frozenset((pair.one, pair.other)): pair.share for pair in found.pairs}
    assert {pair for pair, share in copies.items() if share > 0.9} >= {
        frozenset(pair) for pair in (("Léa", "Tom"), ("Léa", "Zoé"), ("Tom", "Zoé"))
    }
    assert not {"Léa", "Tom", "Zoé"} & set(found.short)


def test_a_class_of_copies_has_bounded_news() -> None:
    programs = {f"{number}": ("bot.py", LOOKING if number < 25 else OTHER) for number in range(50)}
    assert 0 < len(similar(programs).pairs) <= MOST_PAIRS
