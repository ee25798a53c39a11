"""The lobby, leagues and recorded games as clients fold them: what is listed, and what takes whose place."""

from pathlib import Path

import pytest

from client.people.lobby import LINGER_S, Lobby, choose
from client.people.recorded import MAX_BYTES, RecordedError, games_of, of_transcript, read_recorded
from client.people.standing import Standing, points, score_text
from games import GAMES, Othello, ggf
from protocol.messages import LeagueChanged, LeagueGame, LeagueSummary, LobbyChanged, MatchSummary, Ok, Scoreboard
from protocol.values import LeagueMatch, ScoreRow

LEAGUE = "abcdefghijkl"


def listed(match: str, status: str = "playing") -> MatchSummary:
    return MatchSummary(match, "morpion", status, (None, None))  # type: ignore[arg-type]  # what a test says


def ids(lobby: Lobby) -> list[str]:
    return [match.match for match in lobby.live]


def test_a_lobby_lists_what_is_played_the_newest_first() -> None:
    lobby = Lobby()
    lobby.take(Ok(1, matches=(listed("b"), listed("w", "waiting"), listed("a"))))
    lobby.hear(LobbyChanged((listed("c"), listed("w", "playing")), ("b",)))
    assert ids(lobby) == ["c", "w", "a"]


def test_what_is_heard_before_the_answer_is_not_lost() -> None:
    lobby = Lobby()
    lobby.ask()
    lobby.hear(LobbyChanged((listed("b"),), ("a",)))
    lobby.take(Ok(1, matches=(listed("a"),)))
    assert ids(lobby) == ["b"]


def test_a_lobby_that_changed_too_much_is_asked_for_again() -> None:
    lobby = Lobby()
    lobby.hear(LobbyChanged(again=True))
    assert lobby.is_stale
    lobby.ask()
    assert not lobby.is_stale


def test_leagues_stay_unless_they_are_told_anew() -> None:
    lobby, shown = Lobby(), LeagueSummary(LEAGUE, "Prof", "Class", "morpion", "running", 4)
    lobby.take(Ok(1, matches=(), leagues=(shown,)))
    lobby.hear(LobbyChanged((listed("a"),)))
    assert list(lobby.leagues) == [shown]
    lobby.hear(LobbyChanged(leagues=()))
    assert not lobby.leagues


@pytest.mark.parametrize(
    ("shown", "over", "playing", "places", "expected"),
    [
        ([], {}, ["c", "b", "a"], 2, ["c", "b"]),
        (["a", "b"], {}, ["c", "b", "a"], 3, ["a", "b", "c"]),
        (["a", "b"], {"a": 0.0}, ["c", "b"], 2, ["a", "b"]),
        (["a", "b"], {"a": -LINGER_S}, ["c", "b"], 2, ["c", "b"]),
        (["a", "b"], {}, ["b"], 2, ["b"]),
        (["a"], {"a": -LINGER_S}, [], 2, []),
    ],
)
def test_boards_keep_their_places(
    shown: list[str], over: dict[str, float], playing: list[str], places: int, expected: list[str]
) -> None:
    assert choose(shown, over, playing, 0.0, places) == expected


def board(state: str = "running", **fields: object) -> Scoreboard:
    rows = (ScoreRow("Ada", 1, 1.5, 2), ScoreRow("Bob", 2, 0.5, 2))
    return Scoreboard("Prof", "Class", "morpion", state, rows=rows, **fields)  # type: ignore[arg-type]


def test_a_league_is_folded_from_what_its_host_tells() -> None:
    standing = Standing(LEAGUE)
    first, second = (LeagueGame(number, "Ada", "Bob", 1, "line") for number in (1, 2))
    standing.take(Ok(1, scoreboard=board(), games=(first,)))
    standing.hear(LeagueChanged(LEAGUE, board(playing=(LeagueMatch("mmmmmmmm", "Ada", "Bob"),)), (second,)))
    assert standing.newest == [second, first]
    assert standing.playing == ["mmmmmmmm"]
    assert standing.names_of("mmmmmmmm") == ("Ada", "Bob")
    standing.hear(LeagueChanged("another", board("finished"), ()))
    assert not standing.is_stale
    standing.hear(LeagueChanged(LEAGUE))
    assert standing.is_stale


@pytest.mark.parametrize(
    ("shown", "said"),
    [
        (board("open"), "Open: 2 in so far."),
        (board(played=3, planned=6), "3 of 6 games played."),
        (board(played=3), "Games played: 3."),
        (board("finished", played=1), "Over, after 1 game."),
    ],
)
def test_a_league_says_how_far_it_is(shown: Scoreboard, said: str) -> None:
    standing = Standing(LEAGUE)
    standing.take(Ok(1, scoreboard=shown, games=()))
    assert standing.progress == said
    standing.miss()
    assert standing.progress == "No league is shown here at the moment."


def test_points_and_results_are_written_short() -> None:
    assert [points(made) for made in (0, 3.0, 2.5)] == ["0", "3", "2.5"]
    assert [score_text(LeagueGame(1, "a", "b", winner, "line")) for winner in (1, 2, None)] == ["1-0", "0-1", "½-½"]


TEXT = """Match: k3v9x2ab
Game: morpion:width=3,height=3,k=3
Clock: 1m+1s
Date: 2025-12-31 23:00:00 UTC
First: Zoé
Second: minimax (bot)
5 moves: b2 a1 c3 a3 c1
Zoé wins: minimax resigned.
"""

JSON = (
    '{"record":"arbitre/1","match":"k3v9x2ab","game":"morpion","players":[{"name":"Zoé","kind":"human"},null],'
    '"moves":["b2","a1"],"result":{"winner":1,"reason":"resign","score":[0,0]},"events":[],"seal":""}'
)


def test_games_are_read_out_of_texts_of_both_languages() -> None:
    for text in (TEXT, TEXT.replace("5 moves:", "5 coups :").replace("Game:", "Jeu :")):
        (found,) = games_of(text + "\n" * 2)
        assert (found.game.spec, found.names, found.moves) == (
            "morpion",
            ("Zoé", "minimax"),
            ("b2", "a1", "c3", "a3", "c1"),
        )


def test_games_are_read_out_of_records_line_by_line() -> None:
    bad = JSON.replace('"a1"', '"b2"')
    (found,) = games_of(f"{JSON}\n{bad}\nnonsense\n")
    assert found.names == ("Zoé", "")
    assert found.result is not None
    assert found.result.reason == "resign"


def test_games_are_read_out_of_ggf_with_passes_and_other_sides() -> None:
    game = Othello(size=6)
    moves = game.parse_transcript("c2b2")
    text = ggf.write(game, moves, (("PB", "Ada"), ("PW", "Bea"))).replace(";)", "B[PA]W[--];)")
    (found,) = games_of(f"{text}\n(;GM[Othello]TY[88r12]B[d3];)")
    assert (found.game, found.moves, found.names) == (game, moves, ("Ada", "Bea"))


@pytest.mark.parametrize("name", GAMES)
def test_transcripts_find_the_game_that_takes_them(name: str) -> None:
    game = GAMES[name]()
    position, moves = game.start(), list[str]()
    while position.outcome() is None:
        moves.append(position.legal_moves()[0])
        position = position.play(moves[-1])
    found = of_transcript(game.format_transcript(moves))
    assert found is not None
    assert (found.game, found.moves) == (game, tuple(moves))


def test_what_is_no_game_is_said(tmp_path: Path) -> None:
    file = tmp_path / "notes.txt"
    with pytest.raises(RecordedError, match="can't be read"):
        read_recorded(file)
    file.write_text("hello\n")
    with pytest.raises(RecordedError, match="no game in it"):
        read_recorded(file)
    with file.open("wb") as out:
        out.truncate(MAX_BYTES + 1)
    with pytest.raises(RecordedError, match="too large"):
        read_recorded(file)
