"""A restart: everything is as it was, and nobody pays for it. A real App and a real file; only sockets are missing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from protocol.errors import ErrorCode
from protocol.messages import (
    Abort,
    Answer,
    Chat,
    Claim,
    Clock,
    Create,
    Finished,
    GiveTime,
    Invitation,
    Join,
    ListMatches,
    MakeMove,
    Network,
    Offer,
    Pause,
    Paused,
    Presence,
    Resign,
    Resume,
    SeatLink,
    Snapshot,
    Sync,
    Watch,
    Welcome,
    YourTurn,
)
from server.records.archive import check
from server.referee.settings import Access, Settings
from server.store.reading import read_matches
from server.store.store import Store
from server.store.store_errors import StoreError, StoreTrouble
from tests.server.hall import TIMEOUTS, Guest, Hall, pair

CLOCK = Clock(60_000, 1000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "arbitre.sqlite"


@asynccontextmanager
async def hall_on(path: Path, settings: Settings | None = None) -> AsyncGenerator[Hall]:
    hall = Hall(partial(Store, str(path), "process"), settings=settings, seed=hash(path.name))
    try:
        yield hall
    finally:
        await hall.stop()


async def test_players_come_back_to_exactly_where_they_were(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "othello", CLOCK)
        await ada.move(match, 0, "d3")
        await bob.move(match, 1, "c3")
        before, names = (await synced(ada, match)), (ada.token, bob.token)
    async with hall_on(path) as hall:
        for guest in (ada, bob):
            await guest.come(hall)
            welcome = guest.last(Welcome)
            assert (welcome.resumed, welcome.matches) == (True, (match,))
        after = await synced(ada, match)
        assert (after.moves, after.ply, after.seat, after.legal) == (before.moves, 2, 1, before.legal)
        assert after.players == before.players
        assert after.clocks is not None
        assert before.clocks is not None
        assert after.clocks[1] == before.clocks[1]
        assert names != (ada.token, bob.token)
        await ada.move(match, 2, after.legal[0])


async def test_an_opening_waits_for_its_players_too(path: Path) -> None:
    async with hall_on(path) as hall:
        ada = Guest("Ada")
        await ada.come(hall)
        opened = await ada.ok(Create(ada.number(), "othello", CLOCK, seat="first", opening=("f5", "d6")))
        match = opened.match
        assert isinstance(match, str)
    async with hall_on(path) as hall:
        await ada.come(hall)
        bob = Guest("Bob")
        await bob.come(hall)
        await bob.ok(Join(bob.number(), match))
        assert (await synced(ada, match)).moves == ("f5", "d6")
        await ada.move(match, 2, "c3")
    async with hall_on(path) as hall:
        await ada.come(hall)
        assert (await synced(ada, match)).moves == ("f5", "d6", "c3")
        await bob.come(hall)
        await bob.ok(Abort(bob.number(), match))
    assert [check(stored) for stored in read_matches(str(path))] == [[]]


async def synced(guest: Guest, match: str) -> Snapshot:
    """The whole match, asked for with a number that nobody can have seen."""
    await guest.ok(Sync(guest.number(), match, 0))
    return guest.snapshot(match)


async def test_who_missed_nothing_gets_only_what_came_after(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, _bob, match = await pair(hall)
        await ada.move(match, 0, "a1")
        seen = max(ada.seqs(match))
    async with hall_on(path) as hall:
        await ada.come(hall, seen={match: seen})
        assert not ada.all(Snapshot)
        assert ada.seqs(match) == list(range(seen + 1, seen + len(ada.seqs(match)) + 1))
        assert ada.seqs(match)


async def test_the_record_has_no_gap_after_two_restarts_in_a_row(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
    for _ in range(2):
        async with hall_on(path):
            pass  # nobody comes
    async with hall_on(path) as hall:
        await ada.come(hall)
        await bob.come(hall)
        for ply, (guest, move) in enumerate(((bob, "b1"), (ada, "a2"), (bob, "b2"), (ada, "a3")), 1):
            await guest.move(match, ply, move)
        await bob.until(lambda: bool(bob.all(Finished)))
        assert bob.last(Finished).result.winner == 1
    (kept,) = read_matches(str(path))
    assert [event.seq for event in kept.events] == list(range(1, len(kept.events) + 1))
    away = [event for event in kept.events if isinstance(event, Presence) and not event.present]
    assert len(away) == 2, "absent is said once, however often the server starts"
    assert kept.result is not None


async def test_the_records_verify_after_restarts(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        await bob.come(hall)
        await bob.move(match, 1, "b1")
        await ada.ok(Resign(ada.number(), match))
    (kept,) = read_matches(str(path))
    assert check(kept) == []


async def test_the_clock_stands_until_the_player_to_move_is_back(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        event = await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        await hall.passes(5)
        assert (await synced(ada, match)).clocks == event.clocks
        await bob.come(hall)
        await bob.until(lambda: bool(bob.all(YourTurn)))
        await hall.passes(5)
        clocks = (await synced(ada, match)).clocks
        assert clocks is not None
        assert event.clocks is not None
        assert clocks[0] == event.clocks[0]
        assert 54_000 <= clocks[1] <= 55_000
        turn = bob.last(YourTurn)
        assert turn.deadline_ms is not None
        assert turn.deadline_ms > 59_000


async def test_a_match_comes_back_with_what_it_says_of_the_network(path: Path) -> None:
    network = Network("pause", 60_000, "forgiven")
    async with hall_on(path) as hall:
        ada, bob = Guest("Ada", "bot"), Guest("Bob", "bot")
        for guest in (ada, bob):
            await guest.come(hall)
        opened = await ada.ok(Create(ada.number(), "morpion", CLOCK, seat="first", network=network))
        match = await bob.join(opened)
        event = await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        assert (await synced(ada, match)).network == network
        await hall.passes(TIMEOUTS.abandonment + 5)
        assert (await synced(ada, match)).clocks == event.clocks
        await bob.come(hall)
        await bob.until(lambda: bool(bob.all(YourTurn)))
        bob.go()
        await ada.until(lambda: not ada.last(Presence).present)
        await hall.passes(20)
        await ada.until(lambda: bool(ada.all(Finished)))
        result = ada.last(Finished).result
        assert (result.reason, result.away) == ("aborted", 2), "45 s before, and 15 more: that is a minute"


async def test_the_clock_does_not_stand_longer_than_an_absence(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, _bob, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        await hall.passes(TIMEOUTS.absence)
        await hall.passes(61)
        await ada.until(lambda: bool(ada.all(Finished)))
        assert ada.last(Finished).result.reason == "timeout"


async def test_the_clock_of_a_match_that_waited_stands_for_its_absent_first_player(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob = Guest("Ada"), Guest("Bob")
        await ada.come(hall)
        opened = await ada.open(clock=CLOCK)
    async with hall_on(path) as hall:
        await bob.come(hall)
        match = await bob.join(opened)
        await hall.passes(5)
        assert (await synced(bob, match)).clocks == (60_000, 60_000)
        await ada.come(hall)
        await ada.move(match, 0, "a1")


async def test_an_absence_begins_anew_and_may_be_claimed_again(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall)
        bob.go()
        await ada.until(lambda: bool(ada.all(Presence)))
        await hall.passes(TIMEOUTS.absence)
        await ada.until(lambda: ada.last(Presence).claimable_ms == 0)
    async with hall_on(path) as hall:
        await ada.come(hall)
        assert await ada.refused(Claim(ada.number(), match)) == ErrorCode.TOO_EARLY.value
        await hall.passes(TIMEOUTS.absence)
        await ada.until(lambda: bool(ada.all(Presence)) and ada.last(Presence).claimable_ms == 0)
        await ada.ok(Claim(ada.number(), match))
        await ada.until(lambda: bool(ada.all(Finished)))
        assert ada.last(Finished).result.winner == 1


async def test_a_match_to_which_nobody_comes_back_ends(path: Path) -> None:
    async with hall_on(path) as hall:
        _, _, match = await pair(hall, "morpion", CLOCK)
    async with hall_on(path) as hall:
        await hall.passes(TIMEOUTS.abandonment)
        table = hall.app.referee.lobby.find(match)
        assert not table.is_open()
    (kept,) = read_matches(str(path))
    assert kept.result is not None
    assert kept.result.reason == "abandoned"


async def test_a_move_that_was_recorded_is_already_done(path: Path) -> None:
    """Faults 2 and 3: the answer got lost with the server."""
    async with hall_on(path) as hall:
        ada, _bob, match = await pair(hall)
        await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        await ada.ok(MakeMove(ada.number(), match, 0, "a1"))
        assert await ada.refused(MakeMove(ada.number(), match, 0, "b1")) == ErrorCode.STALE_PLY.value
        assert (await synced(ada, match)).moves == ("a1",)


async def test_offers_and_passed_moves_and_takebacks_come_back(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "othello:size=4", CLOCK)
        await ada.move(match, 0, "b1")
        await bob.move(match, 1, "a1")
        await bob.ok(Offer(bob.number(), match, "takeback"))
        await ada.ok(Answer(ada.number(), match, "takeback", accept=True))
        await bob.ok(Offer(bob.number(), match, "draw"))
        before = await synced(ada, match)
        assert before.offers == {"draw": 2}
    async with hall_on(path) as hall:
        await ada.come(hall)
        await bob.come(hall)
        after = await synced(ada, match)
        assert (after.offers, after.moves, after.legal) == (before.offers, before.moves, before.legal)
        await ada.ok(Answer(ada.number(), match, "draw", accept=True))
        await ada.until(lambda: bool(ada.all(Finished)))
        assert ada.last(Finished).result.reason == "agreement"


async def test_given_time_comes_back(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
        await ada.ok(GiveTime(ada.number(), match))
        await bob.ok(GiveTime(bob.number(), match))
        before = (await synced(ada, match)).clocks
    async with hall_on(path) as hall:
        await ada.come(hall)
        await bob.come(hall)
        after = (await synced(ada, match)).clocks
        assert before is not None
        assert after is not None
        assert min(before) > CLOCK.initial_ms
        assert after[0] == before[0]
        assert after[1] > CLOCK.initial_ms


async def test_a_seat_that_was_taken_over_stays_so(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        link = (await ada.ok(SeatLink(ada.number(), match))).link
        assert isinstance(link, str)
        phone = Guest("phone")
        await phone.come(hall)
        await phone.ok(Join(phone.number(), link=link))
        await phone.move(match, 0, "a1")
    async with hall_on(path) as hall:
        for guest, seat in ((ada, None), (bob, 2), (phone, 1)):
            await guest.come(hall)
            if seat is None:
                await guest.ok(Watch(guest.number(), match))
            assert (await synced(guest, match)).seat == seat


async def test_a_forced_pass_comes_back_as_it_was(path: Path) -> None:
    from games import parse

    rng = random.Random(4)
    position, moves = parse("othello:size=4").start(), list[str]()
    while position.passed is None or position.outcome() is not None:
        if position.outcome() is not None:
            position, moves = parse("othello:size=4").start(), []
        moves.append(rng.choice(position.legal_moves()))
        position = position.play(moves[-1])
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "othello:size=4")
        position = parse("othello:size=4").start()
        for ply, move in enumerate(moves):
            await (ada if position.to_move == 1 else bob).move(match, ply, move)
            position = position.play(move)
    async with hall_on(path) as hall:
        await ada.come(hall)
        after = await synced(ada, match)
        assert (after.moves, after.to_move) == (tuple(moves), position.to_move)
        assert after.legal == position.legal_moves()


async def test_a_private_match_waits_under_its_code(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob = Guest("Ada"), Guest("Bob")
        await ada.come(hall)
        opened = await ada.open(public=False)
    async with hall_on(path) as hall:
        await bob.come(hall)
        match = await bob.join(opened)
        await ada.come(hall)
        assert ada.snapshot(match).code == opened.code
        await ada.move(match, 0, "a1")


async def test_an_invitation_holds_and_keeps_others_out(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, eve = Guest("Ada"), Guest("Bob"), Guest("Eve")
        for guest in (ada, bob):
            await guest.come(hall)
        opened = await ada.open(invite=["Bob"])
    async with hall_on(path) as hall:
        await bob.come(hall)
        await eve.come(hall)
        assert bob.last(Invitation).match == opened.match
        with pytest.raises(AssertionError, match=ErrorCode.SEAT_TAKEN.value):
            await eve.join(opened)
        await bob.join(opened)


async def test_who_opened_a_match_for_others_still_watches_and_may_end_it(path: Path) -> None:
    from protocol.messages import Abort

    async with hall_on(path) as hall:
        ada, bob, cleo = Guest("Ada"), Guest("Bob"), Guest("Cleo")
        for guest in (ada, bob, cleo):
            await guest.come(hall)
        opened = await ada.ok(Create(ada.number(), "morpion", play=False, seat="second", invite=("Bob", "Cleo")))
        match = await bob.join(opened)
    async with hall_on(path) as hall:
        await ada.come(hall)
        assert ada.snapshot(match).seat is None
        await cleo.come(hall)
        assert cleo.last(Invitation).seat == 1
        await ada.ok(Abort(ada.number(), match))


async def test_names_stay_taken_and_codes_and_ids_are_not_given_twice(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, _, _ = await pair(hall)
        session = ada.last(Welcome).session
    async with hall_on(path) as hall:
        thief, eve = Guest("ada"), Guest("Eve")
        with pytest.raises(AssertionError, match=ErrorCode.NAME_TAKEN.value):
            await thief.come(hall)
        await eve.come(hall)
        assert eve.last(Welcome).session not in (session, "s2")
        await ada.come(hall)
        assert ada.last(Welcome).session == session


async def test_sessions_are_kept_for_a_while_and_then_forgotten(path: Path) -> None:
    async with hall_on(path) as hall:
        ada = Guest("Ada")
        await ada.come(hall)
    async with hall_on(path) as hall:
        await ada.come(hall)
        assert ada.last(Welcome).resumed
        ada.go()
        await asyncio.sleep(0)
    async with hall_on(path) as hall:
        await hall.passes(301)
    async with hall_on(path) as hall:
        with pytest.raises(AssertionError, match=ErrorCode.BAD_TOKEN.value):
            await ada.come(hall)


async def test_a_lost_welcome_locks_nobody_out(path: Path) -> None:
    """Row 36: older tokens open nothing, the last one shown does until the next one is."""
    async with hall_on(path) as hall:
        ada, _, _ = await pair(hall)
        first = ada.token
        await ada.come(hall)
        second = ada.token
        await ada.come(hall)
    async with hall_on(path) as hall:
        ada.token = second  # the welcome with the third got lost
        await ada.come(hall)
        ada.token = first
        with pytest.raises(AssertionError, match=ErrorCode.BAD_TOKEN.value):
            await ada.come(hall)


@pytest.mark.parametrize("knows", [True, False], ids=["with seen", "without"])
async def test_whoever_did_not_hear_of_the_end_is_told_after_a_restart(path: Path, *, knows: bool) -> None:
    """The server died between the record of the end and the network: nobody may wait for ever."""
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall)
        await ada.ok(Resign(ada.number(), match))
    async with hall_on(path) as hall:
        await bob.come(hall, seen={match: 3} if knows else {})
        if knows:
            await bob.until(lambda: bool(bob.all(Finished)))
            assert bob.last(Finished).result.winner == 2
        else:
            await bob.until(lambda: any(snapshot.status == "finished" for snapshot in bob.all(Snapshot)))
        assert (await bob.ok(ListMatches(bob.number()))).matches == ()
    async with hall_on(path) as hall:
        await ada.come(hall)
        await ada.ok(Sync(ada.number(), match, 0))
    assert [check(stored) for stored in read_matches(str(path))] == [[]], "a restart adds nothing to what is over"


async def test_talk_comes_back_too(path: Path) -> None:
    from protocol.messages import Said

    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall)
        await ada.ok(Chat(ada.number(), match, "bonne chance"))
        await bob.until(lambda: bool(bob.all(Said)))
    async with hall_on(path) as hall:
        await bob.come(hall, seen={match: 3})
        assert bob.last(Said).text == "bonne chance"


@pytest.mark.parametrize(
    "harm",
    [
        "DELETE FROM events WHERE seq = 2",
        "UPDATE events SET payload = replace(payload, 'a1', 'z9') WHERE kind = 'moved'",
        "UPDATE matches SET game = 'go'",
    ],
)
async def test_a_match_that_makes_no_sense_is_refused_at_the_start(path: Path, harm: str) -> None:
    """Row 45, for damage that SQLite does not see."""
    import sqlite3

    async with hall_on(path) as hall:
        ada, _, match = await pair(hall)
        await ada.move(match, 0, "a1")
    database = sqlite3.connect(path)
    with database:
        database.execute(harm)
    database.close()
    for _ in range(2):  # the file is let go: the second attempt says the same
        with pytest.raises(StoreError) as raised:
            Hall(partial(Store, str(path), "process"))
        assert raised.value.trouble is StoreTrouble.DAMAGED
        assert match in raised.value.detail


async def test_people_get_their_lag_back_in_restored_matches(path: Path) -> None:
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
    async with hall_on(path) as hall:
        await ada.come(hall)
        await bob.come(hall)
        for guest in (ada, bob):
            guest.line.takes(0.2)
        await bob.move(match, 1, "b1")
        await ada.move(match, 2, "b2")  # how far away they are was measured after the restart
        await bob.move(match, 3, "c3")
        await ada.until(lambda: ada.last(YourTurn).ply == 4)
        await hall.passes(1)
        assert (await ada.move(match, 4, "a2")).lag_ms == 200


async def test_a_paused_match_comes_back_paused(path: Path) -> None:
    settings = Settings(TIMEOUTS, access=Access(organiser="chalk"))
    async with hall_on(path, settings) as hall:
        ada, _, match = await pair(hall, "morpion", CLOCK)
        await ada.move(match, 0, "a1")
        teacher = Guest("Teacher")
        teacher.organiser = "chalk"
        await teacher.come(hall)
        await teacher.ok(Pause(teacher.number(), match))
    async with hall_on(path, settings) as hall:
        await ada.come(hall)
        await teacher.come(hall)
        await hall.passes(10 * TIMEOUTS.abandonment)
        before = await synced(ada, match)
        assert before.status == "paused"
        await teacher.ok(Resume(teacher.number(), match))
        await hall.passes(5)
        after = await synced(ada, match)
        assert (after.status, after.clocks) == ("playing", before.clocks), "the player to move is not back yet"


async def test_a_polite_stop_charges_the_clock_that_runs(path: Path) -> None:
    """Who hosts, stops and starts again gains no time by it."""
    async with hall_on(path) as hall:
        ada, bob, match = await pair(hall, "othello", CLOCK)
        await ada.move(match, 0, "d3")
        await hall.passes(2)
        app = hall.app
        app._perform_now(app.referee.shutdown(1000, app.now()))
        app.delivery.flush()
        await bob.until(lambda: bool(bob.all(Paused)))
        stopped = bob.last(Paused)
        assert stopped.stopping
        assert stopped.clocks is not None
        assert stopped.used_ms >= 2000
    async with hall_on(path) as hall:
        await hall.passes(3)
        for guest in (ada, bob):
            await guest.come(hall)
        again = (await synced(bob, match)).clocks
        assert again is not None
        assert again[0] == stopped.clocks[0]
        assert stopped.clocks[1] - 1000 < again[1] <= stopped.clocks[1]
        moved = await bob.move(match, 1, "c3")
        assert moved.clocks is not None
        assert moved.clocks[1] <= stopped.clocks[1] + 1000  # the increment
    (kept,) = read_matches(str(path))
    assert check(kept) == []
