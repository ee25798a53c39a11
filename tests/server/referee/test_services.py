"""Services: what a server starts for itself proves itself by a secret, and is told as what it is."""

from __future__ import annotations

import pytest

from protocol.bounds import Serves
from protocol.messages import Create, Error, FollowLobby, Hello, ListMatches, LobbyChanged, Ok, Player, Welcome
from server.referee.effects import EventHappened
from server.referee.settings import Access, Settings
from server.referee.stored import StoredMatch, StoredSession
from tests.server.desk import Desk, User

SECRET = "drawn by the server"


@pytest.fixture
def desk() -> Desk:
    return Desk(Settings(access=Access(service=SECRET)))


def hello(desk: Desk, user: User, secret: str = SECRET, serves: Serves = "bots") -> Ok | Error:
    message = Hello(desk.request_id(), 1, "test", "bot", user.name, user.token, service=secret, serves=serves)
    answer = user.ask(message)
    if isinstance(answer, Ok):
        user.token = user.said(Welcome)[0].token
    return answer


def service(desk: Desk, name: str, serves: Serves = "bots") -> User:
    user = User(desk, name, "bot")
    assert isinstance(hello(desk, user, serves=serves), Ok)
    return user


def listed(user: User) -> dict[str, Player]:
    players = user.ok(ListMatches(user.desk.request_id())).players
    assert isinstance(players, tuple)
    return {player.name: player for player in players}


def test_a_house_bot_is_told_as_one_in_the_lobby_and_in_a_match(desk: Desk) -> None:
    ada, bot = desk.user("Ada"), service(desk, "level 3")
    desk.user("Bob", "bot")
    assert {name: player.house for name, player in listed(ada).items()} == {"Ada": False, "Bob": False, "level 3": True}
    desk.seat(bot, ada)
    assert [player and player.house for player in ada.snapshot().players] == [True, False]


def test_it_stays_one_while_it_is_away_and_when_it_is_back(desk: Desk) -> None:
    ada, bot = desk.user("Ada"), service(desk, "level 3")
    match = desk.seat(ada, bot)
    bot.drop()
    eve = desk.user("Eve")
    eve.watch(match)
    assert eve.snapshot().players[1] == Player("level 3", "bot", present=False, house=True)


@pytest.mark.parametrize("secret", ["", "guessed", SECRET.upper()])
def test_a_stranger_is_refused_by_name_of_the_field(desk: Desk, secret: str) -> None:
    user = User(desk, "Eve", "bot")
    answer = hello(desk, user, secret)
    assert isinstance(answer, Error)
    assert (answer.code, answer.fatal, answer.data) == ("password_required", True, {"field": "service"})
    assert user.connection in desk.closed


def test_where_nothing_is_served_no_secret_is_right() -> None:
    desk = Desk()
    assert isinstance(hello(desk, User(desk, "Eve"), ""), Error)


def test_a_service_needs_no_password_and_a_wrong_secret_is_none() -> None:
    desk = Desk(Settings(access=Access(password="sesame", service=SECRET)))
    assert isinstance(hello(desk, User(desk, "level 3", "bot")), Ok)
    answer = hello(desk, User(desk, "Eve", "bot"), "guessed")
    assert isinstance(answer, Error)
    assert answer.data == {"field": "password"}
    closed = Desk(Settings(access=Access(password="sesame")))
    assert isinstance(hello(closed, User(closed, "Eve", "bot"), ""), Error)


def test_a_session_that_shows_no_secret_any_more_is_no_service(desk: Desk) -> None:
    bot = service(desk, "level 3")
    bot.back()
    assert not listed(desk.user("Ada"))["level 3"].house


def test_what_reviews_is_neither_shown_nor_invited(desk: Desk) -> None:
    ada = desk.user("Ada")
    ada.ok(FollowLobby(desk.request_id()))
    service(desk, "reviews", "reviews")
    desk.wait(1)
    assert not ada.said(LobbyChanged)
    assert "reviews" not in listed(ada)
    assert ada.refused(Create(desk.request_id(), "morpion", invite=("reviews",))) == "no_such_player"


def test_a_service_that_was_killed_goes_on_under_its_name_with_its_seats(desk: Desk) -> None:
    ada, bot = desk.user("Ada"), service(desk, "level 3")
    match = desk.seat(bot, ada)
    bot.drop()
    again = service(desk, "level 3")
    (welcome,) = again.said(Welcome)
    assert (welcome.resumed, welcome.matches) == (True, (match,))
    assert again.snapshot().seat == 1


def test_the_token_that_it_had_before_opens_nothing(desk: Desk) -> None:
    bot = service(desk, "level 3")
    bot.drop()
    service(desk, "level 3")
    bot.connection = desk.connect()
    answer = hello(desk, bot)
    assert isinstance(answer, Error)
    assert answer.code == "bad_token"


def test_no_service_takes_the_name_of_somebody_else_or_of_another_service(desk: Desk) -> None:
    desk.user("Ada")
    service(desk, "level 3")
    taken: tuple[tuple[str, Serves], ...] = (("Ada", "bots"), ("level 3", "reviews"))
    for name, serves in taken:
        answer = hello(desk, User(desk, name, "bot"), serves=serves)
        assert isinstance(answer, Error)
        assert answer.code == "name_taken"


def test_nobody_else_gets_the_name_of_a_service_that_plays(desk: Desk) -> None:
    ada, bot = desk.user("Ada"), service(desk, "level 3")
    desk.seat(ada, bot)
    bot.drop()
    assert User(desk, "level 3").refused(Hello(desk.request_id(), 1, "test", "human", "level 3")) == "name_taken"


def test_after_a_restart_of_the_server_it_goes_on_with_its_game(desk: Desk) -> None:
    """Its process has died with the server, and the secret is a new one: what stands in the match says what it was."""
    ada, bot = desk.user("Ada"), service(desk, "level 3")
    match = desk.seat(bot, ada)
    events = tuple(record.event for record in desk.records if isinstance(record, EventHappened))
    stored = StoredMatch(match, "morpion", None, True, None, 0, {1: "s2", 2: "s1"}, events, (0,) * len(events), None)
    later = Desk(Settings(access=Access(service=SECRET)), now=500.0)
    sessions = [
        StoredSession("s1", "Ada", "human", b"a" * 32, None), StoredSession("s2", "level 3", "bot", b"b" * 32, None),
    ]  # fmt: skip
    later.perform(later.referee.restore(sessions, [stored], later.now))
    again = service(later, "level 3")
    assert (again.said(Welcome)[0].resumed, again.snapshot().seat) == (True, 1)
    assert isinstance(hello(later, User(later, "Ada", "bot")), Error), "that is a person's session"
