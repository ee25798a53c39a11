"""What one address may take of a server: a crowd behind it gets its share, and no more."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.messages import (
    Abort,
    Chat,
    ClientMessage,
    Create,
    Decline,
    Hello,
    HostLeague,
    Join,
    Kick,
    ListMatches,
    Offer,
    Ok,
    Rematched,
    Resign,
    SeatLink,
    Watch,
    Welcome,
)
from server.match.terms import Timeouts
from server.referee.quotas import AddressUse
from server.referee.requests import arranging
from server.referee.sessions import HOST_KEPT_SECONDS, KEPT_SECONDS
from server.referee.settings import Access, Settings, Shares
from tests.server.desk import Desk, User

SHARES = Shares(sessions=4, matches=6, waiting=2, leagues=2)
TIMEOUTS = Timeouts(absence=10, abandonment=40, waiting=100, left_waiting=20)


class Town(Desk):
    """A desk whose connections come from addresses: `origins` says which; None is trusted."""

    def __init__(self, shares: Shares = SHARES) -> None:
        super().__init__(Settings(timeouts=TIMEOUTS, shares=shares, access=Access(organiser="boss")))
        self.origins: dict[int, str | None] = {}
        self.measured.origins = self.origins

    def resident(self, name: str, origin: str | None) -> User:
        """Somebody who says hello from an address."""
        user = User(self, name)
        self.origins[user.connection] = origin
        user.hello()
        return user

    def counts(self) -> dict[str, tuple[int, int, int]]:
        """Sessions, matches and waiting matches of each address."""
        found: dict[str, AddressUse] = self.referee.quotas._uses
        return {key: (len(o.sessions), len(o.matches), len(o.waiting)) for key, o in found.items()}


def greets(town: Town, name: str, origin: str | None, *, organiser: str | None = None) -> str:
    """Says hello; returns `ok` or the code."""
    connection = town.connect()
    town.origins[connection] = origin
    answer = town.ask(connection, Hello(town.request_id(), 1, "test", "bot", name, organiser=organiser))
    if isinstance(answer, Ok):
        return "ok"
    town.drop(connection)
    return answer.code


def opens(user: User, **fields: object) -> str:
    answer = user.ask(Create(user.desk.request_id(), "morpion", **fields))  # type: ignore[arg-type]
    return "ok" if isinstance(answer, Ok) else answer.code


def opened(user: User) -> str:
    match = user.ok(Create(user.desk.request_id(), "morpion", seat="first")).match
    assert isinstance(match, str)
    return match


class TestSessions:
    def test_a_crowd_gets_its_share_and_its_neighbours_theirs(self) -> None:
        town = Town()
        assert [greets(town, f"a{n}", "a") for n in range(6)] == ["ok"] * 4 + ["server_full"] * 2
        assert [greets(town, f"b{n}", "b") for n in range(4)] == ["ok"] * 4
        assert [greets(town, f"own{n}", None) for n in range(20)] == ["ok"] * 20

    def test_who_is_away_longest_makes_room(self) -> None:
        town = Town()
        users = [town.resident(f"a{n}", "a") for n in range(4)]
        for user in (users[2], users[0], users[3]):
            town.wait(1)
            user.drop()
        assert greets(town, "new", "a") == "ok"
        names = [session.name for session in town.referee.sessions]
        assert sorted(names) == ["a0", "a1", "a3", "new"]

    def test_nobody_makes_room_whom_a_game_holds(self) -> None:
        town = Town()
        first, second, third, fourth = (town.resident(f"a{n}", "a") for n in range(4))
        town.seat(first, second)
        opened(third)
        for user in (first, second, third):
            town.wait(1)
            user.drop()
        assert greets(town, "new", "a") == "server_full"
        fourth.drop()
        assert greets(town, "new", "a") == "ok"
        assert town.referee.sessions.named("a3") is None

    def test_a_name_that_is_taken_costs_nobody_his_place(self) -> None:
        town = Town()
        users = [town.resident(f"a{n}", "a") for n in range(4)]
        users[0].drop()
        assert greets(town, "a1", "a") == "name_taken"
        assert len(town.referee.sessions) == 4

    def test_a_session_stays_on_the_account_of_its_first_address(self) -> None:
        """Coming back from elsewhere is no way to more."""
        town = Town()
        for n in range(4):
            user = town.resident(f"a{n}", "a")
            user.drop()
            user.connection = town.connect()
            town.origins[user.connection] = "elsewhere"
            user.hello()
        assert town.counts() == {"a": (4, 0, 0)}
        assert greets(town, "a4", "a") == "server_full"


class TestMatches:
    def test_waiting_ones_have_a_share_of_their_own(self) -> None:
        town = Town()
        greedy, neighbour = town.resident("a0", "a"), town.resident("a1", "a")
        assert [opens(greedy) for _ in range(3)] == ["ok", "ok", "server_full"]
        assert opens(town.resident("bo", "b")) == "ok"
        assert opens(greedy, invite=("a1",)) == "ok"
        assert [opens(neighbour) for _ in range(2)] == ["ok", "server_full"], "a first match is nobody's to prevent"

    def test_all_of_them_together(self) -> None:
        town = Town()
        users = [town.resident(f"a{n}", "a") for n in range(4)]
        guests = [town.resident(f"g{n}", None) for n in range(8)]
        codes = [opens(users[n % 4], invite=(guests[n].name,)) for n in range(8)]
        assert codes == ["ok"] * 6 + ["server_full"] * 2

    def test_a_place_is_free_again_when_a_match_starts_and_when_it_ends(self) -> None:
        town = Town()
        ada, bob = town.resident("ada", "a"), town.resident("bob", "b")
        match = opened(ada)
        opened(ada)
        assert opens(ada) == "server_full"
        bob.ok(Join(town.request_id(), match))
        assert opens(ada) == "ok"
        assert town.counts()["a"] == (1, 3, 2)
        ada.ok(Resign(town.request_id(), match))
        assert town.counts()["a"] == (1, 2, 2)

    def test_a_rematch_counts(self) -> None:
        """The address that pays takes turns: a chain of rematches is no way to more matches."""
        town = Town(Shares(matches=1))
        ada, bob = town.resident("ada", "a"), town.resident("bob", "b")
        match = town.seat(ada, bob)
        ada.ok(Resign(town.request_id(), match))
        ada.ok(Offer(town.request_id(), match, "rematch"))
        blocker = opened(ada)
        assert bob.refused(Offer(town.request_id(), match, "rematch")) == "server_full"
        ada.ok(Abort(town.request_id(), blocker))
        bob.ok(Offer(town.request_id(), match, "rematch"))
        assert town.counts() == {"a": (1, 1, 0), "b": (1, 0, 0)}

    def test_a_match_that_goes_on_for_somebody_else_counts(self) -> None:
        """Opening one and giving its seat away, again and again, is no way to more matches."""
        town = Town(Shares(matches=3))
        ada, heir, other = (town.resident(name, origin) for name, origin in (("ada", "a"), ("heir", "a"), ("bo", "b")))
        for _ in range(2):
            heir.ok(Join(town.request_id(), link=str(ada.ok(SeatLink(town.request_id(), opened(ada))).link)))
        link = ada.ok(SeatLink(town.request_id(), opened(ada))).link
        assert heir.refused(Join(town.request_id(), link=str(link))) == "server_full"
        assert opens(ada) == "server_full"
        assert town.counts() == {"a": (2, 3, 3), "b": (1, 0, 0)}
        other.ok(Join(town.request_id(), link=str(link)))
        assert town.counts() == {"a": (2, 2, 2), "b": (1, 1, 1)}

    def test_so_does_a_rematch(self) -> None:
        town = Town(Shares(matches=1))
        ada, bob, heir = town.resident("ada", "a"), town.resident("bob", "a"), town.resident("heir", "a")
        match = town.seat(ada, bob)
        opened(heir)
        ada.ok(Resign(town.request_id(), match))
        for user in (ada, bob):
            user.ok(Offer(town.request_id(), match, "rematch"))
        following = bob.said(Rematched)[-1].next
        link = bob.ok(SeatLink(town.request_id(), following)).link
        assert heir.refused(Join(town.request_id(), link=str(link))) == "server_full"

    def test_an_organiser_is_not_bounded_and_takes_nothing_from_his_neighbours(self) -> None:
        town = Town()
        boss = User(town, "boss")
        town.origins[boss.connection] = "a"
        hello = Hello(town.request_id(), 1, "test", "human", "boss", organiser="boss")
        assert isinstance(town.ask(boss.connection, hello), Ok)
        for _ in range(9):
            opened(boss)
        for _ in range(4):
            boss.ok(HostLeague(town.request_id()))
        pupil = town.resident("pupil", "a")
        assert [opens(pupil) for _ in range(3)] == ["ok", "ok", "server_full"]
        assert isinstance(pupil.ok(HostLeague(town.request_id())).code, str)

    def test_whose_owner_trusts_him_is_not_bounded(self) -> None:
        town = Town()
        own = town.resident("own", None)
        assert [opens(own) for _ in range(20)] == ["ok"] * 20
        assert not town.counts()

    def test_leagues_have_a_share(self) -> None:
        town = Town()
        users = [town.resident(f"a{n}", "a") for n in range(3)]
        for user in users[:2]:
            user.ok(HostLeague(town.request_id()))
        assert users[2].refused(HostLeague(town.request_id())) == "server_full"
        users[0].drop()
        town.wait(HOST_KEPT_SECONDS + 2 * KEPT_SECONDS)
        users[2].ok(HostLeague(town.request_id()))

    def test_leagues_of_who_comes_back_from_an_address_count_there(self) -> None:
        town = Town()
        host, other = town.resident("host", None), town.resident("other", "a")
        for _ in range(SHARES.leagues):
            host.ok(HostLeague(town.request_id()))
        host.drop()
        host.connection = town.connect()
        town.origins[host.connection] = "a"
        host.hello()
        assert other.refused(HostLeague(town.request_id())) == "server_full"


def test_one_session_follows_a_bounded_number_of_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arranging, "MOST_WATCHED", 2)
    desk = Desk()
    ada, eve = desk.user("ada"), desk.user("eve")
    matches = [opened(ada) for _ in range(3)]
    for match in matches[:2]:
        eve.ok(Watch(desk.request_id(), match))
        eve.ok(Watch(desk.request_id(), match))
    assert eve.refused(Watch(desk.request_id(), matches[2])) == "server_full"
    ada.ok(Abort(desk.request_id(), matches[0]))
    eve.ok(Watch(desk.request_id(), matches[2]))
    assert desk.referee.sessions.named("eve") is not None


Deed = tuple[str, int, int]
deeds = st.lists(
    st.tuples(
        st.sampled_from(
            ("hello", "drop", "back", "open", "invite", "private", "join", "decline", "abort", "resign", "rematch",
             "give", "league", "kick", "wait", "list")
        ),
        st.integers(0, 5),
        st.integers(0, 5),
    ),
    max_size=60,
)  # fmt: skip


@pytest.mark.parametrize("directs", [False, True])
def test_on_a_disk_that_is_nearly_full_only_what_has_begun_goes_on(*, directs: bool) -> None:
    town = Town()
    first, second, match = town.pair()
    over = town.seat(first, second)
    second.ok(Resign(town.request_id(), over))
    second.ok(Offer(town.request_id(), over, "rematch"))
    first.play(match, "b2", start=0)
    session = town.referee.sessions.named(first.name)
    assert session is not None
    session.directs = directs
    town.referee.scarce = True
    asked: list[ClientMessage] = [
        Create(town.request_id(), "morpion"),
        Offer(town.request_id(), over, "rematch"),
        Chat(town.request_id(), match, "Well played!"),
        Offer(town.request_id(), match, "takeback"),
    ]
    answers = [first.ask(request) for request in asked]
    codes = ["ok" if isinstance(answer, Ok) else answer.code for answer in answers]
    assert codes == (["ok"] * 4 if directs else ["server_full"] * 4)
    second.ok(Resign(town.request_id(), match))
    town.referee.scarce = False
    second.ok(Create(town.request_id(), "morpion"))


class Crowd:
    """Six people at two addresses, who do what the deeds say if they can."""

    def __init__(self) -> None:
        self.town = Town()
        self.users: dict[int, User] = {}
        self.here: set[int] = set()
        self.matches: list[str] = []
        self.boss = self.town.resident("boss", None)
        session = self.town.referee.sessions.named("boss")
        assert session is not None
        session.directs = True

    def ask(self, who: int, message: object) -> None:
        if who in self.here:
            answer = self.users[who].ask(message)  # type: ignore[arg-type]
            if isinstance(answer, Ok) and isinstance(answer.match, str) and answer.match not in self.matches:
                self.matches.append(answer.match)

    def hello(self, who: int, *, token: str | None = None) -> None:
        town = self.town
        user = self.users[who] = User(town, f"p{who}")
        town.origins[user.connection] = "ab"[who % 2]
        hello = Hello(town.request_id(), 1, "test", "bot" if who < 2 else "human", user.name, token)
        if isinstance(town.ask(user.connection, hello), Ok):
            user.token = user.said(Welcome)[0].token
            self.here.add(who)
        else:
            town.drop(user.connection)

    def give(self, who: int, other: int) -> None:
        """Somebody gives a seat to somebody else, as people may."""
        session = self.town.referee.sessions.named(f"p{who}")
        for match in () if session is None or who not in self.here else tuple(session.playing)[:1]:
            answer = self.users[who].ask(SeatLink(self.town.request_id(), match))
            if isinstance(answer, Ok):
                self.ask(other, Join(self.town.request_id(), link=str(answer.link)))

    def drop(self, who: int) -> None:
        if who in self.here:
            self.here.discard(who)
            self.users[who].drop()

    def does(self, deed: Deed) -> None:  # noqa: C901, PLR0912 - a table
        what, who, other = deed
        town, request = self.town, self.town.request_id()
        match = self.matches[-1 - other % len(self.matches)] if self.matches else "nosuch"
        match what:
            case "hello" if who not in self.here:
                self.hello(who)
            case "drop":
                self.drop(who)
            case "back" if who in self.users and who not in self.here:
                self.hello(who, token=self.users[who].token)
            case "open":
                self.ask(who, Create(request, "morpion"))
            case "private":
                self.ask(who, Create(request, "morpion", public=False))
            case "invite":
                self.ask(who, Create(request, "morpion", invite=(f"p{other}",)))
            case "join":
                self.ask(who, Join(request, match))
            case "decline":
                self.ask(who, Decline(request, match))
            case "abort":
                self.ask(who, Abort(request, match))
            case "resign":
                self.ask(who, Resign(request, match))
            case "rematch":
                self.ask(who, Offer(request, match, "rematch"))
            case "give":
                self.give(who, other)
            case "league":
                self.ask(who, HostLeague(request))
            case "list":
                self.ask(who, ListMatches(request))
            case "kick":
                if isinstance(self.boss.ask(Kick(request, f"p{who}")), Ok):
                    self.here.discard(who)
            case _:
                town.wait(7 * (1 + other))

    def check(self) -> None:
        for sessions, matches, waiting in self.town.counts().values():
            assert 0 < sessions <= SHARES.sessions
            assert waiting <= SHARES.waiting + SHARES.sessions
            assert matches <= SHARES.matches + SHARES.sessions


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(deeds)
def test_no_share_is_exceeded_and_all_come_back_to_nothing(doing: Sequence[Deed]) -> None:
    crowd = Crowd()
    for deed in doing:
        crowd.does(deed)
        crowd.check()
    for who in tuple(crowd.here):
        crowd.drop(who)
    crowd.town.wait(HOST_KEPT_SECONDS + 3 * KEPT_SECONDS + 200)
    quotas = crowd.town.referee.quotas
    assert not quotas._uses
    assert not quotas._of
    assert not quotas._opened
    assert len(crowd.town.referee.lobby) == 0
