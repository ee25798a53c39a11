"""The bots of the house play so many games: in all, with one visitor, and with one address."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.bounds import MAX_PAGE
from protocol.messages import Abort, Answer, Create, Error, FollowLobby, Hello, Join, ListMatches, Offer, Resign
from server.referee.settings import Access, HouseShares, Settings
from tests.server.desk import Desk, User, take_turns

SECRET = "drawn by the server"
SHARES = HouseShares(games=4, of_visitor=2, of_address=3)


class Hotel(Desk):
    """A desk with one bot of the house, and visitors from addresses."""

    def __init__(self) -> None:
        super().__init__(Settings(access=Access(service=SECRET), house=SHARES))
        self.addresses: dict[int, str] = {}
        self.measured.origins = self.addresses
        self.bot = User(self, "level 3", "bot")
        self.bot.ok(Hello(self.request_id(), 1, "test", "bot", "level 3", service=SECRET))

    def visitor(self, name: str, address: str = "192.0.2.1") -> User:
        user = User(self, name)
        self.addresses[user.connection] = address
        user.hello()
        return user

    def begin(self, visitor: User) -> str:
        """The visitor asks the bot for a game, which comes; returns the match, or the code of the refusal."""
        answer = visitor.ask(Create(self.request_id(), "morpion", invite=(self.bot.name,), seat="first"))
        if isinstance(answer, Error):
            return answer.code
        assert isinstance(answer.match, str)
        self.bot.ok(Join(self.request_id(), answer.match))
        return answer.match


@pytest.fixture
def hotel() -> Hotel:
    return Hotel()


def test_one_visitor_has_so_many_games(hotel: Hotel) -> None:
    ada = hotel.visitor("Ada")
    begun = [hotel.begin(ada) for _ in range(3)]
    assert begun[2] == "house_busy"
    ada.ok(Resign(hotel.request_id(), begun[0]))
    assert hotel.begin(ada) != "house_busy"


def test_one_address_leaves_some_for_others(hotel: Hotel) -> None:
    crowd = [hotel.visitor(f"pupil {number}") for number in range(4)]
    assert [hotel.begin(pupil) == "house_busy" for pupil in crowd] == [False, False, False, True]
    assert hotel.begin(hotel.visitor("Bob", "198.51.100.7")) != "house_busy"


def test_there_are_so_many_in_all(hotel: Hotel) -> None:
    for number in range(SHARES.games):
        assert hotel.begin(hotel.visitor(f"v{number}", f"192.0.2.{number}")) != "house_busy"
    late = hotel.visitor("late", "198.51.100.7")
    answer = late.ask(Create(hotel.request_id(), "morpion", invite=(hotel.bot.name,)))
    assert isinstance(answer, Error)
    assert (answer.code, answer.retry_after_ms) == ("house_busy", 10_000)


def test_games_among_people_are_not_counted(hotel: Hotel) -> None:
    ada, bob = hotel.visitor("Ada"), hotel.visitor("Bob")
    for _ in range(5):
        hotel.seat(ada, bob)
    assert hotel.begin(ada) != "house_busy"


def test_an_invitation_that_is_called_off_gives_its_place_back(hotel: Hotel) -> None:
    ada = hotel.visitor("Ada")
    for _ in range(5):
        opened = ada.ok(Create(hotel.request_id(), "morpion", invite=(hotel.bot.name,)))
        assert isinstance(opened.match, str)
        ada.ok(Abort(hotel.request_id(), opened.match))


def test_a_rematch_counts_for_the_visitor_and_finds_room(hotel: Hotel) -> None:
    ada = hotel.visitor("Ada")
    match = hotel.begin(ada)
    for _ in range(4):
        ada.ok(Resign(hotel.request_id(), match))
        ada.ok(Offer(hotel.request_id(), match, "rematch"))
        hotel.bot.ok(Answer(hotel.request_id(), match, "rematch", accept=True))
        match = ada.snapshot().match
    hotel.begin(ada)
    assert hotel.begin(ada) == "house_busy"


def test_a_rematch_without_room_is_refused_when_it_is_offered(hotel: Hotel) -> None:
    """Not when the bot has said yes: the visitor would wait for nothing."""
    ada = hotel.visitor("Ada")
    match = hotel.begin(ada)
    ada.ok(Resign(hotel.request_id(), match))
    hotel.begin(ada)
    hotel.begin(ada)
    assert ada.refused(Offer(hotel.request_id(), match, "rematch")) == "house_busy"


def test_what_goes_on_after_a_restart_is_counted(hotel: Hotel) -> None:
    ada = hotel.visitor("Ada")
    match = hotel.begin(ada)
    house = hotel.referee.house
    house.closed(match)
    house.restored(hotel.referee.lobby.find(match))
    hotel.begin(ada)
    assert hotel.begin(ada) == "house_busy"


def test_no_bot_of_the_house_goes_on_from_where_people_play(hotel: Hotel) -> None:
    """Nor for a friend, nor when both seats are for bots, nor as a rematch of what was opened before."""
    ada, bob, eve = hotel.visitor("Ada"), hotel.visitor("Bob"), hotel.visitor("Eve")
    moves = ("4", "4", "3", "5", "4", "2")

    def ask(who: User, opening: tuple[str, ...], *, play: bool = True) -> str:
        wish = Create(hotel.request_id(), "puissance4", invite=("level 3",), seat="first", opening=opening, play=play)
        answer = who.ask(wish)
        return answer.code if isinstance(answer, Error) else str(answer.match)

    before = ask(eve, moves)
    hotel.bot.ok(Join(hotel.request_id(), before))
    eve.ok(Resign(hotel.request_id(), before))
    match = hotel.seat(ada, bob, "puissance4")
    take_turns(ada, bob, match, moves[:5])
    assert ask(ada, moves[:5]) == "being_played"
    assert ask(eve, moves[:5]) == "being_played"
    assert ask(eve, moves, play=False) == "being_played"
    assert eve.refused(Offer(hotel.request_id(), before, "rematch")) == "being_played"
    further = (*moves[:5], "7", "7", "7", "7")
    assert ask(eve, further) != "being_played", "what is long past the board tells little of it"
    ada.ok(Resign(hotel.request_id(), match))
    assert ask(ada, moves[:5]) not in ("being_played", "house_busy")


def test_the_house_is_found_however_many_others_are_here(hotel: Hotel) -> None:
    """A page of those who are here has the newest, and the house came first."""
    ada, *_rest = [hotel.visitor(f"v{number}", f"192.0.2.{number}") for number in range(MAX_PAGE + 5)]
    for request in (ListMatches(hotel.request_id()), FollowLobby(hotel.request_id())):
        players = ada.ok(request).players
        assert isinstance(players, tuple)
        assert [player.name for player in players if player.house] == ["level 3"]
        assert players[-1].name == f"v{MAX_PAGE + 4}"
        assert len(players) == MAX_PAGE
    hotel.drop(hotel.bot.connection)
    players = ada.ok(ListMatches(hotel.request_id())).players
    assert isinstance(players, tuple)
    assert not any(player.house for player in players)


def test_the_shares_of_so_many_games() -> None:
    assert HouseShares.of(24) == HouseShares()
    assert HouseShares.of(1) == replace(HouseShares(), games=1, of_visitor=1, of_address=1)
