"""What `replay` reads of a file, and what does it no harm."""

from __future__ import annotations

from client.people.recorded import games_of

GAME = "(;GM[Othello]PB[Ada]PW[Bea]TY[8]B[f5]W[d6];)"


def test_games_in_ggf_are_found_among_what_was_cut() -> None:
    found = list(games_of(f"{GAME} and (;GM[Othello]PB[Cut]B[f5]\n{GAME}(;"))
    assert [(one.names, one.moves) for one in found] == [(("Ada", "Bea"), ("f5", "d6"))] * 2


def test_what_is_begun_a_hundred_thousand_times_is_read_once() -> None:
    assert list(games_of("(;GM[Othello]" * 100_000)) == []
