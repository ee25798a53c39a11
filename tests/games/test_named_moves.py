"""Moves that their cells don't tell apart: a pawn that becomes a queen or a knight, and a pass, which has no cell."""

from __future__ import annotations

import json
from types import MappingProxyType

import pytest

import games
from client.tui.widgets.pointer import ChosenMove, Pointer
from games.frame import arrow_of, move_name
from page import catalogue
from protocol.codec import decode_server, encode
from protocol.messages import MakeMove, Moved, Offered, Ok
from server.match import boards
from terminal.board import helpful_cells
from terminal.narrator import turn_line
from tests.client.tui.stage import match, snapshot
from tests.conformance import test_games as conformance
from tests.games.crowning import Crowning
from view.match import MatchView

GAME = Crowning(3)
LAST = GAME.position("---X--O----O X p0")
"""The first seat crowns a pawn in column a; nothing else of it can move."""


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let it stand in the table of games."""
    table = MappingProxyType({**games.GAMES, "crowning": Crowning})
    for module in (games, catalogue, conformance):
        monkeypatch.setattr(module, "GAMES", table)


@pytest.mark.parametrize("game", [GAME, Crowning(4)], ids=lambda game: game.spec)
@pytest.mark.parametrize("seed", range(5))
def test_it_keeps_what_every_game_keeps(game: Crowning, seed: int) -> None:
    conformance.test_start(game)
    conformance.test_line_of_play(game, seed)
    conformance.test_cells_are_the_notation(game, seed)
    conformance.test_pieces_are_told_apart(game)
    conformance.test_nonsense_is_refused(game)
    conformance.test_refusals_have_words(game, seed)
    conformance.test_moves_are_told_apart(game, seed)
    conformance.test_transcript(game, seed)


def test_names_are_of_what_names_no_cell() -> None:
    assert LAST.legal_moves() == ("a3a4q", "a3a4n", "pass")
    names = [move_name(GAME, LAST, move) for move in LAST.legal_moves()]
    assert [(name.english, name.french) for name in names] == [
        ("queen", "dame"), ("knight", "cavalier"), ("Pass", "Passer"),
    ]  # fmt: skip


def test_a_move_without_a_name_is_called_as_it_is_written() -> None:
    assert move_name(GAME, GAME.start(), "a1a2").english == "a1a2"


def test_nothing_is_drawn_of_a_pass() -> None:
    assert arrow_of(GAME, LAST, "pass") is None
    assert arrow_of(GAME, LAST, "a3a4n") == ((0, 1), (0, 0))
    assert len(helpful_cells(GAME, LAST)) <= 2


def test_clients_that_know_no_rules_are_told_of_it() -> None:
    diagram = boards.draw(GAME, LAST, 4)
    assert diagram.moves == {"a3a4q": ((0, 1), (0, 0)), "a3a4n": ((0, 1), (0, 0)), "pass": ()}
    ok = Ok(1, boards=(diagram,))
    assert list(decode_server(encode(ok))) == [ok]
    told = json.loads(catalogue.described())["crowning"]
    assert told["names"]["pass"] == {"en": "Pass", "fr": "Passer"}
    assert told["row"] == ""  # a2a3a3a4q could be read in two ways


def typed(pointer: Pointer, text: str) -> ChosenMove | None:
    for character in text:
        assert pointer.type(character) is None
    assert pointer.typed == text
    return pointer.press()


@pytest.mark.parametrize("text", ["a3a4q", "a3-a4q"])
def test_it_can_be_typed_whole(text: str) -> None:
    assert typed(Pointer(GAME, LAST), text) == ChosenMove("a3a4q")


def test_what_is_typed_without_its_letter_is_asked_for() -> None:
    pointer = Pointer(GAME, LAST)
    assert typed(pointer, "a3a4") is None
    assert pointer.choice_keys == {"1": "a3a4q", "2": "a3a4n"}


CROWNS = ("a1a2", "b4b3", "a2b3", "c4c3")
"""The pawn on b3 goes to b4 next."""


async def test_a_pass_is_a_key_on_the_full_screen() -> None:
    async with match(snapshot("crowning", CROWNS)) as stage:
        await stage.sees("Or:", "1  Pass")
        await stage.press("1")
        move = await stage.hears(MakeMove, ok=False)
        assert move.move == "pass"
        await stage.says(Moved("m", 2, 4, 1, "pass", 2), Ok(move.id))
        await stage.sees("You play pass.")


async def test_what_a_pawn_becomes_is_asked_once_it_stands_there() -> None:
    async with match(snapshot("crowning", CROWNS)) as stage:
        await stage.press("b", "3", "b", "4", "enter")
        await stage.sees("Which one?", "1  queen", "2  knight", "Your turn.")
        await stage.press("3", "2")
        assert (await stage.hears(MakeMove, ok=False)).move == "b3b4n"


async def test_a_choice_can_be_clicked() -> None:
    async with match(snapshot("crowning", CROWNS)) as stage:
        await stage.press("b", "3", "b", "4", "enter")
        await stage.sees("2  knight")
        await stage.clicks("knight")
        assert (await stage.hears(MakeMove, ok=False)).move == "b3b4n"


async def test_an_offer_hides_no_choice() -> None:
    async with match(snapshot("crowning", CROWNS)) as stage:
        await stage.says(Offered("m", 2, "draw", 1))
        await stage.sees("You offer a draw.", "1  Pass", "x  Withdraw")
        await stage.press("b", "3", "b", "4", "enter")
        await stage.sees("Which one?", "1  queen", "2  knight")
        await stage.press("b", "3")
        await stage.sees("You offer a draw.", "x  Withdraw")


async def test_in_a_narrow_terminal_the_choices_have_room() -> None:
    async with match(snapshot("crowning", CROWNS), size=(40, 24)) as stage:
        await stage.press("b", "3", "b", "4", "enter")
        await stage.sees("Which one?", "1  queen", "2  knight")


async def test_help_tells_of_the_keys_where_a_game_needs_them() -> None:
    async with match(snapshot("crowning", CROWNS)) as stage:
        await stage.press("f1")
        await stage.sees("choose by name")
    async with match(snapshot("morpion")) as stage:
        await stage.press("f1")
        await stage.sees("play at the cursor")
        assert "choose by name" not in stage.text()


async def test_whose_turn_it_is_not_is_offered_nothing() -> None:
    async with match(snapshot("crowning", CROWNS[:1])) as stage:
        await stage.sees("Bob is to move.")
        assert "Pass" not in stage.text()
        await stage.press("1")
        assert stage.wire.heard_nothing()
        assert "It is not your turn." not in stage.text()


@pytest.mark.parametrize(
    ("notation", "told"), [("---X--O----O X p0", "like a3a4q, or pass."), ("X----------O X p0", "Your move: pass.")]
)
def test_a_terminal_says_what_can_be_typed(notation: str, told: str) -> None:
    view = MatchView.of(snapshot("crowning"), 0.0)
    view.position = GAME.position(notation)
    assert told in turn_line(view)
