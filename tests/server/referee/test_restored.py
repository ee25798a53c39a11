"""What a referee makes of a record that it takes up: what was recorded once, who was invited, who opened a match."""

from __future__ import annotations

from games import Seat
from protocol.codec import encode
from protocol.messages import Clock, Presence
from server.referee.effects import EventHappened
from server.referee.stored import StoredMatch, StoredSession
from tests.server.desk import WIN, Desk, take_turns

CLOCK = Clock(60_000, 1000)


def test_what_was_recorded_is_not_recorded_again() -> None:
    desk = Desk()
    first, second, match = desk.pair("morpion", CLOCK)
    take_turns(first, second, match, WIN[:3])
    happened = [record for record in desk.records if isinstance(record, EventHappened)]
    assert all(record.encoded == encode(record.event) for record in happened), "written once, for all"
    kept = tuple(record.event for record in happened)
    stored = [
        StoredMatch(match, "morpion", CLOCK, True, None, 0, {}, kept, (0,) * len(kept), None),
        StoredMatch("other", "morpion", None, True, None, 1_767_225_600_000, {}, (), (), None),
    ]
    later = Desk(now=500.0)
    later.perform(later.referee.restore((), stored, later.now))
    events = [record.event for record in later.records if isinstance(record, EventHappened)]
    assert [(event.match, event.seq) for event in events] == [(match, len(kept) + 1), (match, len(kept) + 2)]
    assert all(isinstance(event, Presence) for event in events), "that everybody is away is new"
    assert [one.opened_ms for one in later.referee.listing.glance()] == [1_767_225_600_000, 0]


def test_who_was_invited_is_so_still_and_who_opened_the_match_keeps_it() -> None:
    for guest_first in (False, True):
        places = {1: "s2", 0: "s1"} if guest_first else {0: "s1", 1: "s2"}
        kept = StoredMatch("m", "morpion", None, False, "BADIFU", 0, {}, (), (), None, places=places)
        desk = Desk()
        people = [StoredSession(f"s{number}", name, "human", b"\0" * 32, None) for number, name in ((1, "A"), (2, "B"))]
        desk.perform(desk.referee.restore(people, [kept], desk.now))
        table = desk.referee.lobby.find("m")
        opener, guest = (desk.referee.sessions.get(one.id) for one in people)
        assert opener is not None
        assert guest is not None
        assert table.creator is opener
        assert (table.invited, guest.invitations) == ({Seat.FIRST: guest}, {"m": Seat.FIRST})
        assert table.viewers == {opener}
