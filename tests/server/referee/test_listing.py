"""Pages of matches, and what those are told who follow the lobby."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.bounds import MAX_PAGE
from protocol.messages import (
    Abort,
    Adjudicate,
    Create,
    FollowLobby,
    Hello,
    HostLeague,
    Join,
    Kick,
    ListMatches,
    LobbyChanged,
    Ok,
    Pause,
    Resign,
    Resume,
)
from server.referee import listing
from server.referee.listing import BUNDLE_SECONDS, Listing, OpenMatches
from server.referee.settings import Access, Settings
from server.referee.table import Table
from tests.server.desk import Desk, User

SPECS = ("morpion", "othello:size=4", "morpion:width=4,height=4,k=3")


def opens(user: User, game: str = "morpion", *, public: bool = True) -> str:
    match = user.ok(Create(user.desk.request_id(), game, public=public, seat="first")).match
    assert isinstance(match, str)
    return match


def page(user: User, game: str | None = None, after: int | None = None, limit: int = MAX_PAGE) -> Ok:
    return user.ok(ListMatches(user.desk.request_id(), game, after, limit))


def shown(answer: Ok) -> list[str]:
    assert isinstance(answer.matches, tuple)
    return [summary.match for summary in answer.matches]


def walk(user: User, game: str | None = None, limit: int = MAX_PAGE) -> list[str]:
    found: list[str] = []
    answer = page(user, game, None, limit)
    while isinstance(answer.more, int):
        assert len(shown(answer)) == limit
        found += shown(answer)
        answer = page(user, game, answer.more, limit)
    return found + shown(answer)


class TestOpenMatches:
    def test_what_is_taken_leaves_no_more_than_a_little_behind(self) -> None:
        desk = Desk()
        table = desk.referee.lobby.find(opens(desk.user("Ada")))
        open_matches, here = OpenMatches(), list(range(3000))
        for number in here:
            open_matches.put(number, table)
        written_anew = 0
        rng = random.Random(1)
        while here:
            before = open_matches._numbers
            open_matches.take(here.pop(rng.randrange(len(here))))
            written_anew += open_matches._numbers is not before
            assert len(open_matches._numbers) <= 1.125 * len(here) + 65
            if len(here) % 100 == 0:
                assert [number for number, _ in open_matches.before(math.inf)] == here[::-1]
        assert not open_matches
        assert written_anew < 60, "one by one it would take the square of the time"


class TestGlance:
    """What somebody is told who only looks in."""

    def test_games_that_wait_come_first_and_private_ones_are_not_told(self) -> None:
        desk = Desk()
        desk.referee.wall_ms = lambda: 1_767_225_600_000
        ada, bob, cleo = (desk.user(name) for name in ("Ada", "Bob", "Cleo"))
        waits, played = opens(ada), opens(ada)
        opens(cleo, public=False)
        bob.ok(Join(desk.request_id(), match=played))
        told = desk.referee.listing.glance()
        assert [(one.match, one.status) for one in told] == [(waits, "waiting"), (played, "playing")]
        assert {one.opened_ms for one in told} == {1_767_225_600_000}

    def test_it_is_bounded(self, monkeypatch: pytest.MonkeyPatch) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        opened = [opens(ada) for _ in range(8)]
        monkeypatch.setattr(listing, "LOOKED_THROUGH", 5)
        monkeypatch.setattr(listing, "GLANCE", 3)
        assert [one.match for one in desk.referee.listing.glance()] == opened[:-4:-1]

    def test_an_empty_server(self) -> None:
        assert Desk().referee.listing.glance() == ()


class TestPages:
    def test_who_is_here_stands_on_the_first_page_alone(self) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        for _ in range(3):
            opens(ada)
        first = page(ada, limit=2)
        assert isinstance(first.players, tuple)
        assert isinstance(first.more, int)
        assert not isinstance(page(ada, after=first.more).players, tuple)

    def test_who_hosts_a_league_is_nobody_to_play_against(self) -> None:
        desk = Desk()
        ada, host = desk.user("Ada"), desk.user("2nde 4")
        host.ok(HostLeague(desk.request_id()))
        players = page(ada).players
        assert isinstance(players, tuple)
        assert [player.name for player in players] == ["Ada"]

    def test_more_is_said_only_if_there_is_more(self) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        for _ in range(4):
            opens(ada)
        assert isinstance(page(ada, limit=3).more, int)
        assert not isinstance(page(ada, limit=4).more, int)
        assert walk(ada, limit=2) == walk(ada)

    @pytest.mark.parametrize("game", ["chess", "", "othello:size=5", "morpion:k", "\ud800"])
    def test_an_unknown_game_is_none(self, game: str) -> None:
        ada = Desk().user("Ada")
        assert ada.refused(ListMatches(1000, game)) == "unknown_game"
        assert ada.refused(FollowLobby(1001, game)) == "unknown_game"

    def test_rules_are_found_however_they_are_written(self) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        match = opens(ada, "othello:tie=last_mover,size=4")
        plain = opens(ada, "othello")
        assert walk(ada, "othello:size=4,tie=last_mover") == [match]
        assert walk(ada, "othello") == [plain, match]

    def test_a_page_past_the_end_is_empty(self) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        opens(ada)
        assert shown(page(ada, after=0)) == []
        assert len(shown(page(ada, after=2**53 - 1))) == 1

    def test_a_page_steps_over_few_that_are_gone(self) -> None:
        """However many came and went: what a page costs is bounded by what it shows."""
        desk = Desk()
        ada = desk.user("Ada")
        kept = [opens(ada) for _ in range(100)]
        for _ in range(1000):
            ada.ok(Abort(desk.request_id(), opens(ada)))
        open_matches = desk.referee.listing._by_topic[None, False]
        assert len(open_matches._numbers) <= len(kept) * 9 // 8 + listing._SPARE
        assert walk(ada) == kept[::-1]

    def test_nothing_stays_of_matches_that_are_over(self) -> None:
        desk = Desk()
        ada = desk.user("Ada")
        for match in [opens(ada, game) for game in SPECS]:
            ada.ok(Abort(desk.request_id(), match))
        found: Listing = desk.referee.listing
        assert not found._by_topic
        assert not found._places


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(("open", "open", "private", "close", "page")), st.integers(0, 20)), max_size=60),
    st.sampled_from((None, "morpion", SPECS[2])),
    st.integers(1, 4),
)
def test_walking_the_pages_gives_each_open_match_once_and_the_newest_first(
    deeds: Sequence[tuple[str, int]], game: str | None, limit: int
) -> None:
    """Whatever opens and closes meanwhile: what was open all the time is shown, nothing twice, nothing closed."""
    desk = Desk()
    ada = desk.user("Ada")
    opened: list[str] = []
    closed: set[str] = set()
    fits: set[str] = set()
    for number in range(6):
        opened.append(opens(ada, SPECS[number % 3]))
        if game in (None, SPECS[number % 3], SPECS[number % 3].partition(":")[0]):
            fits.add(opened[-1])
    at_start = None
    walked: list[str] = []
    after: int | None = None
    for deed, number in deeds:
        match deed:
            case "open" | "private":
                spec = SPECS[number % 3]
                opened.append(opens(ada, spec, public=deed == "open"))
                if deed == "open" and game in (None, spec, spec.partition(":")[0]):
                    fits.add(opened[-1])
            case "close":
                victim = opened[number % len(opened)]
                if victim not in closed:
                    ada.ok(Abort(desk.request_id(), victim))
                    closed.add(victim)
            case _:
                if at_start is None:
                    at_start = [m for m in reversed(opened) if m in fits and m not in closed]
                elif after is None:
                    break
                answer = page(ada, game, after, limit)
                assert not closed.intersection(shown(answer))
                walked += shown(answer)
                after = answer.more if isinstance(answer.more, int) else None
    if at_start is None:
        at_start = [m for m in reversed(opened) if m in fits and m not in closed]
        assert walk(ada, game, limit) == at_start
        return
    while after is not None:
        answer = page(ada, game, after, limit)
        walked += shown(answer)
        after = answer.more if isinstance(answer.more, int) else None
    assert len(set(walked)) == len(walked)
    numbers = [opened.index(match) for match in walked]
    assert numbers == sorted(numbers, reverse=True)
    assert set(walked) <= set(at_start)
    assert set(at_start) - closed <= set(walked)


@dataclass
class Seen:
    """What somebody knows of the lobby, folded; and when he was told."""

    user: User
    matches: dict[str, str] = field(default_factory=dict)
    players: dict[str, bool] = field(default_factory=dict)
    told: list[float] = field(default_factory=list)

    def follow(self, game: str | None = None) -> None:
        answer = self.user.ok(FollowLobby(self.user.desk.request_id(), game))
        assert isinstance(answer.matches, tuple)
        assert isinstance(answer.players, tuple)
        self.matches = {summary.match: summary.status for summary in answer.matches}
        self.players = {player.name: player.present for player in answer.players}

    def catch_up(self) -> list[LobbyChanged]:
        """What the last step said."""
        changes = self.user.said(LobbyChanged)
        for change in changes:
            assert max(len(change.matches), len(change.gone), len(change.players)) <= MAX_PAGE
            self.told.append(self.user.desk.now)
            self.matches |= {summary.match: summary.status for summary in change.matches}
            for match in change.gone:
                self.matches.pop(match, None)
            self.players |= {player.name: player.present for player in change.players}
        return changes


def passes(desk: Desk, seconds: float, *readers: Seen) -> list[LobbyChanged]:
    """Lets time pass as the shell does; returns what the first reader is told."""
    until = desk.now + seconds
    heard: list[LobbyChanged] = []
    while (deadline := desk.referee.next_deadline()) <= until:
        desk.now = max(desk.now, deadline)
        desk.tick()
        for number, reader in enumerate(readers):
            changes = reader.catch_up()
            heard += changes if number == 0 else []
    desk.now = until
    return heard


def followed(settings: Settings | None = None) -> tuple[Desk, User, Seen]:
    desk = Desk(settings)
    ada, eve = desk.user("Ada"), Seen(desk.user("Eve"))
    eve.follow()
    passes(desk, 1, eve)
    return desk, ada, eve


class TestFeed:
    def test_the_first_page_comes_at_once_and_then_what_changes(self) -> None:
        desk = Desk()
        ada, bob, eve = desk.user("Ada"), desk.user("Bob"), Seen(desk.user("Eve"))
        match = opens(ada)
        eve.follow()
        assert eve.matches == {match: "waiting"}
        assert eve.players == {"Ada": True, "Bob": True, "Eve": True}
        bob.ok(Join(desk.request_id(), match))
        (change,) = passes(desk, 1, eve)
        assert [summary.status for summary in change.matches] == ["playing"]
        ada.ok(Resign(desk.request_id(), match))
        (change,) = passes(desk, 1, eve)
        assert change == LobbyChanged(gone=(match,))

    def test_at_most_four_messages_a_second(self) -> None:
        desk, ada, eve = followed()
        began = desk.now
        for _ in range(100):
            opens(ada)
            passes(desk, 0.02, eve)
        told = [when for when in eve.told if when >= began]
        assert 7 <= len(told) <= 9
        assert all(later - earlier >= BUNDLE_SECONDS for earlier, later in pairwise(told))

    def test_many_changes_come_in_parts_and_none_is_lost(self) -> None:
        desk, ada, eve = followed()
        matches = [opens(ada) for _ in range(250)]
        heard = passes(desk, 2, eve)
        assert [len(change.matches) for change in heard] == [100, 100, 50]
        assert list(eve.matches) == matches

    def test_what_came_and_went_between_two_messages_is_not_told(self) -> None:
        desk, ada, eve = followed()
        for _ in range(50):
            ada.ok(Abort(desk.request_id(), opens(ada)))
        assert passes(desk, 1, eve) == []

    def test_a_match_is_told_once_for_all_that_happened(self) -> None:
        desk, ada, eve = followed()
        bob = desk.user("Bob")
        match = opens(ada)
        bob.ok(Join(desk.request_id(), match))
        (change,) = passes(desk, 1, eve)
        assert [(summary.match, summary.status) for summary in change.matches] == [(match, "playing")]

    def test_who_comes_and_goes_is_told(self) -> None:
        desk, ada, eve = followed()
        ada.drop()
        passes(desk, 1, eve)
        assert eve.players["Ada"] is False
        ada.back()
        passes(desk, 1, eve)
        assert eve.players["Ada"] is True

    def test_nobody_is_told_of_private_matches_but_organisers(self) -> None:
        desk = Desk(Settings(access=Access(organiser="boss")))
        ada, eve, boss = desk.user("Ada"), Seen(desk.user("Eve")), Seen(User(desk, "Boss"))
        hello = Hello(desk.request_id(), 1, "test", "human", "Boss", organiser="boss")
        assert isinstance(desk.ask(boss.user.connection, hello), Ok)
        eve.follow()
        boss.follow()
        passes(desk, 1, eve, boss)
        match = opens(ada, public=False)
        passes(desk, 1, eve, boss)
        assert (eve.matches, boss.matches) == ({}, {match: "waiting"})

    def test_a_pause_is_another_status_and_a_kick_is_a_departure(self) -> None:
        desk = Desk(Settings(access=Access(organiser="boss")))
        ada, bob, eve, boss = desk.user("Ada"), desk.user("Bob"), Seen(desk.user("Eve")), User(desk, "Boss")
        hello = Hello(desk.request_id(), 1, "test", "human", "Boss", organiser="boss")
        assert isinstance(desk.ask(boss.connection, hello), Ok)
        match = desk.seat(ada, bob)
        eve.follow()
        for request, status in ((Pause, "paused"), (Resume, "playing")):
            boss.ok(request(desk.request_id(), match))
            passes(desk, 1, eve)
            assert eve.matches == {match: status}
        boss.ok(Adjudicate(desk.request_id(), match, 1))
        boss.ok(Kick(desk.request_id(), "Bob"))
        passes(desk, 1, eve)
        assert eve.matches == {}
        assert eve.players["Bob"] is False

    def test_one_game_alone(self) -> None:
        desk, ada, eve = followed()
        eve.follow("othello:size=4")
        opens(ada)
        match = opens(ada, "othello:size=4")
        opens(ada, "othello")
        passes(desk, 1, eve)
        assert eve.matches == {match: "waiting"}

    @pytest.mark.parametrize("way", ["asks", "drops", "is replaced"])
    def test_an_end(self, way: str) -> None:
        desk, ada, eve = followed()
        match way:
            case "asks":
                eve.user.ok(FollowLobby(desk.request_id(), follow=False))
            case "drops":
                eve.user.drop()
                eve.user.back()
            case _:
                eve.user.back()
        opens(ada)
        assert passes(desk, 1, eve) == []
        assert not desk.referee.feed._followers
        assert not desk.referee.feed._readers

    def test_a_crowd_is_told_part_by_part(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """No turn of the loop speaks to all; between two parts others are heard."""
        monkeypatch.setattr(listing, "READERS_AT_ONCE", 5)
        desk = Desk()
        crowd = [Seen(desk.user(f"c{number}")) for number in range(17)]
        for number, seen in enumerate(crowd):
            seen.follow(SPECS[0] if number % 3 else None)
        passes(desk, 2, *crowd)
        ada = desk.user("Ada")
        passes(desk, 2, *crowd)
        match = opens(ada)
        parts = []
        while desk.referee.next_deadline() <= desk.now:
            desk.tick()
            parts.append(len(desk.step))
            for seen in crowd:
                seen.catch_up()
        assert max(parts) == 5
        assert sum(part == 5 for part in parts) == sum(parts) // 5, "each part but the last is as large as it may be"
        assert all(seen.matches == {match: "waiting"} and seen.players["Ada"] for seen in crowd)

    def test_what_can_not_be_told_is_not_kept(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Who can't be told of all that happened for long has to ask again; nothing grows meanwhile."""
        monkeypatch.setattr(listing, "MOST_UNTOLD", 30)
        desk, ada, eve = followed()
        matches = [opens(ada) for _ in range(35)]
        (change,) = passes(desk, 1, eve)
        assert change == LobbyChanged(again=True)
        feed = desk.referee.feed
        assert not any((feed._tables, feed._players, feed._unknown, feed._saying))
        eve.follow()
        assert list(eve.matches) == matches[::-1]
        opens(ada)
        assert len(passes(desk, 1, eve)) == 1

    def test_players_who_come_and_go_count_with_the_matches(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(listing, "MOST_UNTOLD", 30)
        desk, ada, eve = followed()
        for number in range(16):
            opens(ada)
            desk.user(f"guest {number}")
        assert passes(desk, 1, eve) == [LobbyChanged(again=True)]

    def test_a_match_that_was_told_of_is_told_to_be_over(self) -> None:
        desk, ada, eve = followed()
        match = opens(ada)
        (change,) = passes(desk, 1, eve)
        assert [one.match for one in change.matches] == [match]
        ada.ok(Abort(desk.request_id(), match))
        (change,) = passes(desk, 1, eve)
        assert change.gone == (match,)

    def test_nothing_is_kept_for_nobody(self) -> None:
        desk, ada, eve = followed()
        eve.user.ok(FollowLobby(desk.request_id(), follow=False))
        for _ in range(10):
            opens(ada)
        assert desk.referee.feed.deadline() == math.inf


def test_a_table_stands_in_as_many_lists_as_it_has_names() -> None:
    desk = Desk()
    ada = desk.user("Ada")
    tables: list[Table] = []
    for game, public in (("othello", True), ("othello", False), ("othello:size=4", True), ("othello:size=4", False)):
        match = opens(ada, game, public=public)
        tables.append(desk.referee.lobby.find(match))
    assert [len(listing.topics(table)) for table in tables] == [4, 2, 6, 3]
