"""`arbitre solve`: one position, many, and those that can't be read or reached."""

import json

import pytest
from click.testing import CliRunner, Result

from bots.commands.solve_cli import solve_command
from bots.search import compiled

needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")


def run(*arguments: str, lines: str = "") -> Result:
    return CliRunner().invoke(solve_command, ["--memory", "8", *arguments], input=lines)


def test_json_has_these_keys_and_no_others() -> None:
    done = run("morpion", "b2 a1", "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert list(answer) == ["game", "to_move", "value", "best", "moves", "exact", "nodes", "seconds"]
    assert (answer["game"], answer["to_move"], answer["value"], answer["exact"]) == ("morpion", 1, 0, True)
    assert set(answer["best"]) <= set(answer["moves"])
    assert len(answer["moves"]) == 7


def test_words_say_who_moves_what_it_is_worth_and_what_is_best() -> None:
    done = run("morpion", "a1 b1 a2 b2")
    assert done.exit_code == 0
    assert "To move: first player" in done.stdout
    assert "+1, a win for the side to move" in done.stdout
    assert "Best: a3 b3" in done.stdout or "Best: a3" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_a_position_may_be_given_by_its_cells() -> None:
    answer = json.loads(run("morpion", "--position", "XO-XO---- X; A3:+1; % a comment", "--json").stdout)
    assert answer["value"] == 1
    assert "a3" in answer["best"]


def test_many_positions_are_answered_in_order_and_bad_lines_too() -> None:
    done = run("morpion", "-", lines="b2\nb2 b2\na1 b1\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer.get("value") for answer in answers] == [0, None, 1]
    assert answers[1] == {"game": "morpion", "error": "b2 is taken already."}
    assert done.exit_code == 1


def test_cells_come_from_standard_input_as_well() -> None:
    done = run("morpion", "--position", "-", lines="XO-XO---- X\n--------- X\n")
    assert [json.loads(line)["value"] for line in done.stdout.splitlines()] == [1, 0]
    assert done.exit_code == 0


@needs_numba
def test_what_is_out_of_reach_is_said_plainly() -> None:
    done = run("puissance4", "--time", "0.02")
    assert done.exit_code == 1
    assert "Out of reach in this time" in done.stdout
    answer = json.loads(run("puissance4", "--time", "0.02", "--json").stdout)
    assert (answer["value"], answer["best"], answer["exact"]) == (None, [], False)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("chess", "e4"), "the games are"),
        (("puissance4", "8"), "8 is not on the board."),
        (("morpion", "b2", "--position", "--------- X"), "not both"),
        (("morpion", "--position", "---- X"), "a position is 9 cells"),
    ],
)
def test_what_can_not_be_read_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    done = run(*arguments)
    assert done.exit_code == 2
    assert sentence in done.stderr
