"""Sessions: names, tokens, the newest connection, and when one is forgotten."""

from __future__ import annotations

from itertools import count

import pytest

from protocol.errors import ProtocolError
from server.referee.sessions import (
    ENTRY_KEPT_SECONDS,
    GIVEN_AGAIN,
    HOST_KEPT_SECONDS,
    KEPT_SECONDS,
    Session,
    Sessions,
)
from server.referee.stored import RestoreError


@pytest.fixture
def sessions() -> Sessions:
    drawn = count(1)
    return Sessions(lambda: f"t{next(drawn)}")


@pytest.mark.parametrize("wrong", ["sX", "x1", "s-1", "s" + "9" * 30, "s1 ", "s²"])
def test_what_was_never_an_id_is_not_restored(sessions: Sessions, wrong: str) -> None:
    with pytest.raises(RestoreError, match="it is no id"):
        sessions.reserve(wrong)


def test_a_token_brings_its_session_back(sessions: Sessions) -> None:
    session, token = sessions.open("Ana", "human")
    assert sessions.resume(token)[0] is session


@pytest.mark.parametrize(
    "token", ["", ".", "s1", "s1.", "s1.t2", "s2.t1", "s1.t1x", "s1.t1 ", "\u00e9.\u00e9", "s1.\ud800"]
)
def test_a_wrong_token_opens_nothing_and_tells_nothing(sessions: Sessions, token: str) -> None:
    sessions.open("Ana", "human")
    sessions.open("Bo", "human")
    with pytest.raises(ProtocolError) as refusal:
        sessions.resume(token)
    assert str(refusal.value) == "bad_token: this token opens no session: say hello without it"


def test_guests_are_all_here_or_it_is_said_who_is_not(sessions: Sessions) -> None:
    here = {name: sessions.open(name, "bot")[0] for name in ("Ana", "Bo")}
    sessions.open("Cy", "bot")
    for number, session in enumerate(here.values()):
        sessions.connect(session, number, 0.0, batch=True)
    assert sessions.guests(("Bo", "Ana")) == [here["Bo"], here["Ana"]]
    with pytest.raises(ProtocolError) as refusal:
        sessions.guests(("Ana", "Cy", "Di"))
    assert (refusal.value.code.value, refusal.value.data) == ("no_such_player", {"absent": ["Cy", "Di"]})


def test_who_is_expelled_has_no_connection_and_the_name_is_free(sessions: Sessions) -> None:
    session, token = sessions.open("Ana", "human")
    sessions.connect(session, 7, 1.0, batch=False)
    sessions.expel(session)
    assert session.connection is None
    with pytest.raises(ProtocolError, match="bad_token"):
        sessions.resume(token)
    assert sessions.open("Ana", "human")[0].name == "Ana"


def test_only_the_hash_of_a_token_is_kept(sessions: Sessions) -> None:
    session, token = sessions.open("Ana", "human")
    kept = [getattr(session, name) for name in dir(session) if not name.startswith("__")]
    assert session.token_hash in kept
    assert not any(token.partition(".")[2] in repr(value) for value in kept)


def test_a_name_is_taken_while_its_holder_is_connected(sessions: Sessions) -> None:
    session, _ = sessions.open("Ana", "human")
    sessions.connect(session, 1, 0.0, batch=False)
    for name in ("ana", "\uff21NA", " Ana "):
        with pytest.raises(ProtocolError, match="name_taken"):
            sessions.open(name, "bot")


@pytest.mark.parametrize("imitation", ["lvan", "1van", "Iv\u0430n", "\u0406van", "\uff29van"])
def test_a_name_that_looks_like_another_is_taken_with_it(sessions: Sessions, imitation: str) -> None:
    session, _ = sessions.open("Ivan", "human")
    sessions.connect(session, 1, 0.0, batch=False)
    with pytest.raises(ProtocolError, match=r"name_taken|bad_name"):
        sessions.open(imitation, "human")


def test_a_name_that_looks_like_another_names_nobody(sessions: Sessions) -> None:
    session, _ = sessions.open("aca", "human")
    assert sessions.named("ACA") is session
    assert sessions.named("\u0430\u0441\u0430") is None


def test_names_of_several_who_left_are_free_for_one_that_looks_like_each(sessions: Sessions) -> None:
    sessions.open("Ian", "human")
    sessions.open("Lan", "human")
    newer, _ = sessions.open("lan", "human")
    assert list(sessions) == [newer]
    sessions.connect(newer, 1, 0.0, batch=False)
    for name in ("Ian", "Lan"):
        with pytest.raises(ProtocolError, match="name_taken"):
            sessions.open(name, "human")
    sessions.open("ian", "human")


def test_an_old_record_may_hold_two_names_that_look_alike(sessions: Sessions) -> None:
    names = {"s4": "Ada", "s5": "\u0410da", "s6": "ad\u0430"}
    for session_id, name in names.items():
        sessions.restore(Session(session_id, name, "human", b"\0" * 32), 0.0)
    assert [sessions.named(name) for name in names.values()] == [sessions.get(session_id) for session_id in names]
    for session in list(sessions):
        sessions.connect(session, int(session.id[1:]), 0.0, batch=False)
    for gone in ("s5", "s4", "s6"):
        with pytest.raises(ProtocolError, match="name_taken"):
            sessions.open("ADA", "human")
        here = sessions.get(gone)
        assert here is not None
        sessions.expel(here)
    sessions.open("ADA", "human")


def test_the_name_of_one_who_left_is_free_and_his_token_void(sessions: Sessions) -> None:
    session, token = sessions.open("Ana", "human")
    sessions.connect(session, 1, 0.0, batch=False)
    sessions.disconnect(1, 1.0)
    newer, _ = sessions.open("ana", "human")
    assert sessions.named("ANA") is newer
    with pytest.raises(ProtocolError, match="bad_token"):
        sessions.resume(token)
    sessions.expire(1.0 + KEPT_SECONDS)
    assert list(sessions) == [newer]


def test_the_newest_connection_is_the_one(sessions: Sessions) -> None:
    session, _ = sessions.open("Ana", "human")
    assert sessions.connect(session, 1, 0.0, batch=False) is None
    assert sessions.connect(session, 2, 0.0, batch=True) == 1
    assert sessions.at(1) is None
    assert sessions.at(2) is session
    assert sessions.disconnect(1, 1.0) is None
    assert session.connection == 2


def test_a_session_is_forgotten_after_its_time_and_not_before(sessions: Sessions) -> None:
    session, _ = sessions.open("Ana", "human")
    for connection, now in ((1, 0.0), (2, 50.0)):
        sessions.connect(session, connection, now, batch=False)
        sessions.disconnect(connection, now)
    sessions.expire(KEPT_SECONDS)
    assert list(sessions) == [session]
    assert sessions.deadline() == 50.0 + KEPT_SECONDS
    sessions.expire(50.0 + KEPT_SECONDS)
    assert list(sessions) == []
    assert sessions.named("Ana") is None


@pytest.mark.parametrize(("holds", "kept_s"), [("hosts", HOST_KEPT_SECONDS), ("entered", ENTRY_KEPT_SECONDS)])
def test_a_league_keeps_a_session_for_its_time_and_no_longer(sessions: Sessions, holds: str, kept_s: float) -> None:
    session, _ = sessions.open("Ana", "human")
    sessions.connect(session, 1, 0.0, batch=False)
    if holds == "hosts":
        session.hosts["CODE"] = {}
    else:
        session.entered["CODE"] = None
    sessions.disconnect(1, 7.0)
    sessions.expire(7.0 + kept_s - KEPT_SECONDS)
    assert list(sessions) == [session]
    sessions.expire(7.0 + kept_s)
    assert list(sessions) == []


def test_a_session_from_the_record_is_kept_as_long_as_one_that_has_just_gone(sessions: Sessions) -> None:
    session = Session("s7", "Ana", "human", b"hash", None)
    sessions.restore(session, 50.0)
    sessions.expire(49.0 + KEPT_SECONDS)
    assert (list(sessions), sessions.deadline()) == ([session], 50.0 + KEPT_SECONDS)
    sessions.expire(50.0 + KEPT_SECONDS)
    assert list(sessions) == []


def test_one_who_came_back_is_not_forgotten(sessions: Sessions) -> None:
    session, token = sessions.open("Ana", "human")
    sessions.connect(session, 1, 0.0, batch=False)
    sessions.disconnect(1, 0.0)
    sessions.connect(session, 2, 1.0, batch=False)
    sessions.expire(10 * KEPT_SECONDS)
    assert sessions.resume(token)[0] is session


def test_a_hello_that_arrives_late_locks_nobody_out(sessions: Sessions) -> None:
    session, first = sessions.open("Ada", "human")
    sessions.resume(first)  # its welcome is lost
    _, held = sessions.resume(first)
    sessions.resume(first)  # sent before that, and given up
    assert sessions.resume(held)[0] is session
    with pytest.raises(ProtocolError):
        sessions.resume(first)


def test_a_token_that_is_shown_for_ever_gives_few_good_ones(sessions: Sessions) -> None:
    session, first = sessions.open("Ada", "human")
    given = [sessions.resume(first)[1] for _ in range(50)]
    assert session.previous_hash is not None
    assert len(session.previous_hash) == 32 * (GIVEN_AGAIN + 1)
    with pytest.raises(ProtocolError):
        sessions.resume(given[-GIVEN_AGAIN - 2])
    assert sessions.resume(given[-GIVEN_AGAIN - 1])[0] is session
    for token in (first, given[-1]):
        with pytest.raises(ProtocolError):
            sessions.resume(token)


def test_a_match_that_one_opened_and_plays_in_counts_once(sessions: Sessions) -> None:
    session, _ = sessions.open("Ana", "human")
    session.created |= {"1", "2", "3"}
    session.playing |= {"3", "4"}
    assert [session.holds(count) for count in range(7)] == [True] * 5 + [False] * 2
    session.created.clear()
    assert [session.holds(count) for count in range(4)] == [True] * 3 + [False]
