"""Leagues that are shown: how they stand is told to who looks, within bounds, and their addresses can't be taken."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.codec import encode
from protocol.messages import (
    Error,
    FollowLeague,
    FollowLobby,
    HostLeague,
    LeagueChanged,
    LeagueGame,
    LeagueMatch,
    LeagueSummary,
    LobbyChanged,
    Ok,
    Scoreboard,
    ScoreRow,
    ShowLeague,
)
from protocol.values import league_id
from server.referee.scoreboards import GAMES_KEPT, MOST_FOLLOWED, MOST_OF_ONE, MOST_SHOWN, READERS_AT_ONCE
from server.referee.sessions import KEPT_SECONDS
from tests.server.desk import Desk, User

KEY = "a" * 22
RUNS = LeagueMatch("abc", "Bob", "Ada")
ROWS = (ScoreRow("Ada", 1, 1.0, 1, against=(None, 1.0)), ScoreRow("Bob", 2, 0.0, 1, against=(0.0, None)))


@pytest.fixture
def desk() -> Desk:
    return Desk()


def shown(host: User, key: str = KEY, **fields: Any) -> str:
    said: dict[str, Any] = {"title": "Seconde 4", "game": "morpion", "state": "running", **fields}
    answer = host.ok(ShowLeague(host.desk.request_id(), key, **said))
    assert isinstance(answer.league, str)
    return answer.league


def refused(host: User, **fields: Any) -> str:
    said: dict[str, Any] = {"key": KEY, "title": "Seconde 4", "game": "morpion", "state": "running", **fields}
    return host.refused(ShowLeague(host.desk.request_id(), **said))


def games(*numbers: int) -> tuple[LeagueGame, ...]:
    return tuple(LeagueGame(number, "Ada", "Bob", 1, "line", "b2 a1 c1 b1 a3") for number in numbers)


def asked(reader: User, league: str, **fields: Any) -> Ok:
    return reader.ok(FollowLeague(reader.desk.request_id(), league, **fields))


def numbers(answer: Ok) -> list[int]:
    assert isinstance(answer.games, tuple)
    return [game.number for game in answer.games]


def heard(reader: User) -> list[LeagueChanged]:
    return [message for message in reader.desk.received[reader.connection] if isinstance(message, LeagueChanged)]


def test_who_follows_hears_how_the_league_stands_and_then_what_changes(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    league = shown(host, rows=ROWS, games=games(1), played=1, planned=2)
    answer = asked(eve, league)
    assert answer.scoreboard == Scoreboard("Cleo", "Seconde 4", "morpion", "running", 1, 2, ROWS)
    assert numbers(answer) == [1]
    shown(host, rows=ROWS, ties="direct", played=1, planned=2)
    desk.wait(2)
    before = len(heard(eve))
    shown(host, games=games(2), played=2, planned=2, state="finished", playing=(RUNS,))
    desk.wait(2)
    (change,) = heard(eve)[before:]
    board = Scoreboard("Cleo", "Seconde 4", "morpion", "finished", 2, 2, ROWS, (RUNS,), "direct")
    assert change == LeagueChanged(league, board, games(2))


def test_nobody_hears_of_it_more_than_once_a_second_however_fast_the_host_speaks(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    asked(eve, league := shown(host))
    for number in range(1, 51):
        shown(host, games=games(number), played=number)
        desk.wait(0.1)
    desk.wait(1)
    told = heard(eve)
    assert 5 <= len(told) <= 7
    assert isinstance(told[-1].scoreboard, Scoreboard)
    assert told[-1].scoreboard.played == 50
    assert [game.number for change in told for game in change.games] == list(range(1, 51))
    assert {change.league for change in told} == {league}


def test_more_than_fits_is_told_by_asking_again(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    asked(eve, shown(host))
    desk.wait(2)
    for start in range(1, 200, 20):
        shown(host, games=games(*range(start, start + 20)))
    desk.wait(2)
    assert heard(eve)[-1].again
    assert len(heard(eve)[-1].games) <= 32


def test_games_come_in_pages_and_so_many_are_kept(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    league = shown(host)
    for start in range(1, 601, 30):
        shown(host, games=games(*range(start, start + 30)))
    found, before = [], None
    while True:
        answer = asked(eve, league, before=before)
        found += numbers(answer)
        if not isinstance(answer.more, int):
            break
        before = answer.more
    assert found == list(range(600, 600 - GAMES_KEPT, -1))


def test_games_that_were_annulled_are_told_again(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    league = shown(host, games=games(1, 2, 3))
    asked(eve, league)
    desk.wait(2)
    shown(host, games=games(1), again=True)
    desk.wait(2)
    assert heard(eve)[-1].again
    assert numbers(asked(eve, league)) == [1]


@pytest.mark.parametrize(
    "fields",
    [
        {"title": "a\x1b[2Jb"},
        {"title": "a\u202eb"},
        {"game": "\u202eothello"},
        {"rows": (ScoreRow("Ad\u200ba", 1, 0.0, 0),)},
        {"games": (LeagueGame(1, "Ada", "B\u202eob", 1, "line"),)},
        {"playing": (LeagueMatch("abc", "Ada", "B\u202eob"),)},
        {"games": games(2, 2)},
        {"games": games(3, 2)},
        {"rows": (ScoreRow("Ada", 1, 0.0, 0, against=(None, 1.0)),)},
    ],
)
def test_what_can_not_be_shown_is_refused_and_changes_nothing(desk: Desk, fields: dict[str, Any]) -> None:
    host = desk.user("Cleo")
    assert refused(host, **fields) == "bad_message"
    league = shown(host, rows=ROWS, games=games(1))
    assert refused(host, **fields) == "bad_message"
    assert refused(host, games=games(1)) == "bad_message"
    answer = asked(desk.user("Eve"), league)
    assert isinstance(answer.scoreboard, Scoreboard)
    assert (answer.scoreboard.rows, numbers(answer)) == (ROWS, [1])


def test_the_address_follows_from_the_key_and_goes_with_it(desk: Desk) -> None:
    host, other, eve = desk.user("Cleo"), desk.user("Dan"), desk.user("Eve")
    league = shown(host)
    assert league == league_id(KEY)
    assert shown(eve, "b" * 22) != league
    assert asked(eve, league).scoreboard == Scoreboard("Cleo", "Seconde 4", "morpion", "running")
    assert shown(other) == league
    assert asked(eve, league).scoreboard == Scoreboard("Dan", "Seconde 4", "morpion", "running")
    host.drop()
    desk.wait(2 * KEPT_SECONDS + 1)
    assert isinstance(asked(eve, league).scoreboard, Scoreboard)


def test_neither_keys_nor_codes_are_told_to_anybody(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    code = host.ok(HostLeague(desk.request_id())).code
    assert isinstance(code, str)
    eve.ok(FollowLobby(desk.request_id()))
    asked(eve, shown(host, rows=ROWS))
    desk.wait(2)
    said = b"".join(map(encode, desk.received[eve.connection]))
    assert KEY.encode() not in said
    assert code.encode() not in said


def test_what_is_shown_ends_with_its_session_and_readers_hear_it(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    league = shown(host)
    eve.ok(FollowLobby(desk.request_id()))
    asked(eve, league)
    host.drop()
    desk.wait(1)
    assert isinstance(asked(eve, league).scoreboard, Scoreboard)
    desk.wait(2 * KEPT_SECONDS + 1)
    assert heard(eve)[-1] == LeagueChanged(league)
    told = [one for one in desk.received[eve.connection] if isinstance(one, LobbyChanged)]
    assert [change.leagues for change in told if isinstance(change.leagues, tuple)][-1] == ()
    error = eve.ask(FollowLeague(desk.request_id(), league))
    assert isinstance(error, Error)
    assert (error.code, error.retry_after_ms) == ("no_such_league", 2000)


def test_who_is_gone_or_has_enough_hears_nothing_more(desk: Desk) -> None:
    host, eve, ann = desk.user("Cleo"), desk.user("Eve"), desk.user("Ann")
    league = shown(host)
    asked(eve, league)
    asked(ann, league)
    asked(ann, league, follow=False)
    desk.wait(2)
    eve.drop()
    eve.back()
    shown(host, played=1)
    desk.wait(2)
    assert not heard(eve)
    assert not heard(ann)
    asked(eve, league)
    eve.back()  # over another connection, with the older one still there
    shown(host, played=2)
    desk.wait(2)
    assert not heard(eve)


def test_the_lobby_shows_leagues_and_hears_of_new_ones_but_not_of_each_game(desk: Desk) -> None:
    host, eve = desk.user("Cleo"), desk.user("Eve")
    league = shown(host, state="open")
    summary = LeagueSummary(league, "Cleo", "Seconde 4", "morpion", "open")
    assert eve.ok(FollowLobby(desk.request_id())).leagues == (summary,)
    desk.wait(1)
    shown(host, rows=ROWS)
    desk.wait(1)

    def told() -> list[Any]:
        changes = [one for one in desk.received[eve.connection] if isinstance(one, LobbyChanged)]
        return [change.leagues for change in changes if isinstance(change.leagues, tuple)]

    assert told()[-1] == (LeagueSummary(league, "Cleo", "Seconde 4", "morpion", "running", 2),)
    count = len(told())
    shown(host, games=games(1), played=1)
    desk.wait(1)
    assert len(told()) == count


class TestBounds:
    def test_one_session_shows_and_follows_so_many(self, desk: Desk) -> None:
        host, eve = desk.user("Cleo"), desk.user("Eve")
        found = [shown(host, f"{number:022}") for number in range(MOST_OF_ONE)]
        assert refused(host) == "server_full"
        found.append(shown(desk.user("Dan")))
        for league in found[:MOST_FOLLOWED]:
            asked(eve, league)
        assert eve.refused(FollowLeague(desk.request_id(), found[-1])) == "server_full"
        asked(eve, found[0], follow=False)
        asked(eve, found[-1])

    def test_a_full_server_lets_go_of_those_whose_host_is_away(self, desk: Desk) -> None:
        hosts = [desk.user(f"host {number}") for number in range(MOST_SHOWN)]
        found = [shown(host, f"{number:022}") for number, host in enumerate(hosts)]
        eve = desk.user("Eve")
        assert refused(eve) == "server_full"
        asked(eve, found[7])
        hosts[7].drop()
        shown(eve)
        desk.wait(1)
        assert heard(eve) == [LeagueChanged(found[7])]
        assert eve.refused(FollowLeague(desk.request_id(), found[7])) == "no_such_league"

    def test_many_readers_are_told_in_turns_of_the_loop(self, desk: Desk) -> None:
        host = desk.user("Cleo")
        league = shown(host)
        readers = [desk.user(f"reader {number}") for number in range(READERS_AT_ONCE + 3)]
        desk.wait(2)
        for reader in readers:
            asked(reader, league)
        shown(host, played=1)
        desk.tick()
        assert len(desk.step) == READERS_AT_ONCE
        desk.wait(0)
        assert all(len(heard(reader)) == 1 for reader in readers)
