"""How much players may offer, ask and say: bounded for each ply, and for each who receives it."""

from __future__ import annotations

import pytest

from protocol.messages import (
    Answer,
    Create,
    Decline,
    Error,
    Invitation,
    MakeMove,
    Offer,
    Offered,
    Ok,
    Resign,
    Thinking,
    Thought,
)
from server.match.terms import MAX_OFFERS
from server.referee.requests.arranging import ASKED_A_SECOND, ASKED_AT_ONCE, MOST_INVITATIONS
from server.referee.requests.talk import MAX_THOUGHTS
from tests.server.desk import Desk, User


def offer_and_withdraw(user: User, match: str, times: int, what: str = "draw") -> list[str]:
    """What became of each offer; those that were made are withdrawn."""
    codes = []
    for _ in range(times):
        answer = user.ask(Offer(user.desk.request_id(), match, what))  # type: ignore[arg-type]
        codes.append("ok" if isinstance(answer, Ok) else answer.code)
        if isinstance(answer, Ok):
            user.ok(Answer(user.desk.request_id(), match, what, accept=False))  # type: ignore[arg-type]
    return codes


class TestOffers:
    def test_six_between_two_moves(self) -> None:
        desk = Desk()
        ada, bob, match = desk.pair()
        assert offer_and_withdraw(ada, match, 8) == ["ok"] * MAX_OFFERS + ["rate_limited"] * 2
        ada.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        assert offer_and_withdraw(bob, match, 7) == ["ok"] * 6 + ["rate_limited"]

    @pytest.mark.parametrize("what", ["draw", "rematch"])
    def test_nobody_uses_up_what_the_opponent_may_offer(self, what: str) -> None:
        for spender in (0, 1):
            desk = Desk()
            *players, match = desk.pair()
            if what == "rematch":
                players[0].ok(Resign(desk.request_id(), match))
            spends, saves = players[spender], players[1 - spender]
            offer_and_withdraw(spends, match, MAX_OFFERS, what)
            assert offer_and_withdraw(saves, match, 7, what) == ["ok"] * MAX_OFFERS + ["rate_limited"]
            assert offer_and_withdraw(spends, match, 1, what) == ["rate_limited"]

    def test_to_accept_is_always_possible(self) -> None:
        desk = Desk()
        ada, bob, match = desk.pair()
        offer_and_withdraw(ada, match, MAX_OFFERS - 1)
        ada.ok(Offer(desk.request_id(), match, "draw"))
        ada.ok(Offer(desk.request_id(), match, "draw"))  # stands already
        bob.ok(Offer(desk.request_id(), match, "draw"))

    def test_the_end_leaves_room_for_a_rematch_however_much_was_offered(self) -> None:
        desk = Desk()
        ada, bob, match = desk.pair()
        offer_and_withdraw(ada, match, MAX_OFFERS)
        bob.ok(Resign(desk.request_id(), match))
        assert offer_and_withdraw(ada, match, 7, "rematch") == ["ok"] * 6 + ["rate_limited"]

    def test_what_is_refused_reaches_nobody(self) -> None:
        desk = Desk()
        ada, bob, match = desk.pair()
        offer_and_withdraw(ada, match, MAX_OFFERS)
        assert ada.refused(Offer(desk.request_id(), match, "draw")) == "rate_limited"
        assert not bob.said(Offered)
        assert len(desk.step) == 1


class TestInvitations:
    def invite(self, host: User, guest: User) -> str:
        answer = host.ask(Create(host.desk.request_id(), "morpion", invite=(guest.name,)))
        return "ok" if isinstance(answer, Ok) else answer.code

    def test_one_person_has_so_many_to_answer(self) -> None:
        desk = Desk()
        hosts, guest = [desk.user(f"h{n}") for n in range(20)], desk.user("guest")
        codes = [self.invite(host, guest) for host in hosts]
        assert codes == ["ok"] * MOST_INVITATIONS + ["busy"] * 12
        heard = [m for m in desk.received[guest.connection] if isinstance(m, Invitation)]
        assert len(heard) == MOST_INVITATIONS

    def test_declining_makes_room_but_not_at_once_for_as_many(self) -> None:
        desk = Desk()
        host, guest = desk.user("host"), desk.user("guest")
        codes = []
        for _ in range(30):
            codes.append(self.invite(host, guest))
            for match in [m.match for m in guest.said(Invitation)]:
                guest.ok(Decline(desk.request_id(), match))
        assert codes.count("ok") == ASKED_AT_ONCE
        desk.wait(1 / ASKED_A_SECOND)
        assert [self.invite(host, guest) for _ in range(2)] == ["ok", "busy"]

    def test_who_is_refused_is_told_when_to_try_again(self) -> None:
        desk = Desk()
        host, guest = desk.user("host"), desk.user("guest")
        for _ in range(MOST_INVITATIONS):
            self.invite(host, guest)
        answer = host.ask(Create(desk.request_id(), "morpion", invite=("guest",)))
        assert isinstance(answer, Error)
        assert answer.retry_after_ms == 5000
        assert len(desk.referee.lobby) == MOST_INVITATIONS, "what is refused opens nothing"

    def test_a_program_takes_as_many_as_it_may_play(self) -> None:
        desk = Desk()
        desk.settings(max_own=12)
        hosts, bot = [desk.user(f"h{n}") for n in range(3)], desk.user("bot", "bot")
        assert [self.invite(hosts[n % 3], bot) for n in range(14)] == ["ok"] * 12 + ["busy"] * 2


class TestThoughts:
    @pytest.fixture
    def desk(self) -> Desk:
        return Desk()

    def think(self, user: User, match: str, times: int) -> list[str]:
        answers = [user.ask(Thinking(user.desk.request_id(), match, 0)) for _ in range(times)]
        return ["ok" if isinstance(answer, Ok) else answer.code for answer in answers]

    def test_a_hundred_for_each_move(self, desk: Desk) -> None:
        ada, bob, match = desk.pair(kind="bot")
        eve = desk.user("Eve")
        eve.watch(match)
        assert self.think(ada, match, 102) == ["ok"] * MAX_THOUGHTS + ["rate_limited"] * 2
        assert not eve.said(Thought)
        assert self.think(bob, match, 1) == ["ok"], "each player has his own count"
        ada.ok(MakeMove(desk.request_id(), match, 0, "a1"))
        assert self.think(ada, match, 101) == ["ok"] * 100 + ["rate_limited"]
        heard = [m for m in desk.received[eve.connection] if isinstance(m, Thought)]
        assert len(heard) == 201
