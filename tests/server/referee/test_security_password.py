"""A server with a password: who gets in, and that who does not leaves no trace."""

from __future__ import annotations

import pytest

from protocol.messages import Clock, Create, Error, Hello, Ok, Welcome
from server.match.terms import Timeouts
from server.referee.effects import Close, Send
from server.referee.settings import Access, Settings
from tests.server.desk import Desk, User

OPEN = "sesame, ouvre-toi"
SETTINGS = Settings(timeouts=Timeouts(absence=10), access=Access(OPEN, "organiser's own"))


def hello(desk: Desk, name: str = "Ada", **more: str | None) -> Hello:
    return Hello(desk.request_id(), 1, "test", "human", name, **more)  # type: ignore[arg-type]  # str fields only


class TestPassword:
    @pytest.mark.parametrize("shown", [None, "", "sesame", OPEN + " ", OPEN.upper(), "é" * 128, "\x00"])
    def test_a_wrong_one_opens_nothing_and_ends_the_connection(self, shown: str | None) -> None:
        desk = Desk(SETTINGS)
        connection = desk.connect()
        answer = desk.ask(connection, hello(desk, password=shown))
        assert isinstance(answer, Error)
        assert (answer.code, answer.fatal, answer.data) == ("password_required", True, {"field": "password"})
        assert desk.closed[connection] == 1008
        assert list(desk.referee.sessions) == []

    def test_the_right_one_lets_in(self) -> None:
        desk = Desk(SETTINGS)
        assert isinstance(desk.ask(desk.connect(), hello(desk, password=OPEN)), Ok)

    def test_a_server_without_one_takes_any(self) -> None:
        desk = Desk()
        assert isinstance(desk.ask(desk.connect(), hello(desk, password="whatever")), Ok)
        assert isinstance(desk.ask(desk.connect(), hello(desk, "Bob")), Ok)

    def test_without_it_not_even_a_good_token_does_anything(self) -> None:
        desk = Desk(SETTINGS)
        user = User(desk, "Ada")
        first = hello(desk, password=OPEN)
        assert isinstance(desk.ask(user.connection, first), Ok)
        token = next(m.token for m in user.said(Welcome))
        before = desk.referee.sessions.at(user.connection)
        assert before is not None
        hashes = before.token_hash, before.previous_hash
        assert isinstance(desk.ask(desk.connect(), hello(desk, token=token)), Error)
        assert (before.token_hash, before.previous_hash) == hashes
        assert before.connection == user.connection
        assert desk.closed.get(user.connection) is None
        assert isinstance(desk.ask(desk.connect(), hello(desk, token=token, password=OPEN)), Ok)

    def test_a_refused_name_stays_free(self) -> None:
        desk = Desk(SETTINGS)
        desk.ask(desk.connect(), hello(desk))
        assert isinstance(desk.ask(desk.connect(), hello(desk, password=OPEN)), Ok)

    def test_no_record_and_no_message_tells_it(self) -> None:
        desk = Desk(SETTINGS)
        for shown in (None, "wrong", OPEN):
            effects = desk.referee.receive(desk.connect(), hello(desk, password=shown), 0.0)
            assert OPEN not in repr(effects)
            assert all(isinstance(effect, Send | Close) for effect in effects) or shown == OPEN
        assert OPEN not in repr(SETTINGS)
        assert "organiser's own" not in repr(SETTINGS)


class TestOrganiser:
    def test_the_secret_makes_an_organiser_of_this_connection(self) -> None:
        desk = Desk(SETTINGS)
        connection = desk.connect()
        desk.ask(connection, hello(desk, password=OPEN, organiser="organiser's own"))
        session = desk.referee.sessions.at(connection)
        assert session is not None
        assert session.directs

    def test_who_comes_back_without_it_is_none(self) -> None:
        desk = Desk(SETTINGS)
        user = User(desk, "Ada")
        desk.ask(user.connection, hello(desk, password=OPEN, organiser="organiser's own"))
        token = user.said(Welcome)[0].token
        connection = desk.connect()
        desk.ask(connection, hello(desk, token=token, password=OPEN))
        session = desk.referee.sessions.at(connection)
        assert session is not None
        assert not session.directs

    @pytest.mark.parametrize("access", [Access(), Access(organiser="right")])
    @pytest.mark.parametrize("shown", ["", "wrong", "None"])
    def test_a_wrong_one_opens_nothing(self, access: Access, shown: str) -> None:
        desk = Desk(Settings(access=access))
        answer = desk.ask(desk.connect(), hello(desk, organiser=shown))
        assert isinstance(answer, Error)
        assert answer.data == {"field": "organiser"}
        assert list(desk.referee.sessions) == []

    def test_players_are_none(self) -> None:
        desk = Desk()
        user = desk.user("Ada")
        user.ok(Create(desk.request_id(), "morpion", Clock(1000)))
        session = desk.referee.sessions.at(user.connection)
        assert session is not None
        assert not session.directs
