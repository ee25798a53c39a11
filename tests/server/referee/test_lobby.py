"""Codes that can be said aloud, ids, and finished matches that give way."""

from __future__ import annotations

import random

import pytest

from games import parse
from protocol.bounds import MAX_CHAT
from protocol.codec import encode
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Create, Join, Offered, Said, Watch
from protocol.records import begin, extend
from server.match.history import HELD, HELD_TALK, History
from server.match.match import Match
from server.match.terms import MatchContext, MatchRules
from server.referee.lobby import Lobby, rules_of
from server.referee.sessions import Sessions
from server.referee.table import Table

FEW = ("ba", "bo", "di")


def table(lobby: Lobby, *, public: bool = False) -> Table:
    match = Match(lobby.new_id(), MatchRules(parse("morpion")), MatchContext(), 0.0)
    code, link = (None, None) if public else (lobby.new_code(), match.id)
    made = Table(match, public=public, code=code, link=link, opened_ms=0)
    lobby.add(made)
    return made


def fill(lobby: Lobby) -> tuple[list[Table], ProtocolError]:
    """Opens private matches until there are no more codes."""
    tables: list[Table] = []
    while True:
        try:
            tables.append(table(lobby))
        except ProtocolError as refusal:
            return tables, refusal


def end(lobby: Lobby, made: Table) -> None:
    made.match.abort(0.0)
    lobby.finished(made, 0.0)


def test_codes_are_six_letters_each_once() -> None:
    lobby = Lobby(random.Random(1))
    codes = [table(lobby).code or "" for _ in range(10_000)]
    assert len(set(codes)) == len(codes)
    assert all(len(code) == 6 and code.isascii() and code.isalpha() and code.isupper() for code in codes)


def test_ids_are_eight_of_thirty_two_letters_each_as_likely_at_each_place() -> None:
    lobby = Lobby(random.Random(1))
    drawn = [lobby.new_id() for _ in range(2000)]
    assert {len(match_id) for match_id in drawn} == {8}
    for place in range(8):
        assert len({match_id[place] for match_id in drawn}) == 32
        # Two neighbours are drawn apart: of 1,024 pairs most occur, each about twice.
        assert len({(match_id[place], match_id[place - 1]) for match_id in drawn}) > 750


def test_what_is_not_there_is_not_found() -> None:
    lobby = Lobby(random.Random(1))
    made = table(lobby, public=True)
    assert lobby.find(made.match.id) is made
    with pytest.raises(ProtocolError) as refusal:
        lobby.find("nothing")
    assert refusal.value.code is ErrorCode.NO_SUCH_MATCH


def test_drawing_a_code_ends_also_when_there_is_none() -> None:
    tables, refusal = fill(Lobby(random.Random(1), syllables=FEW))
    assert 20 <= len(tables) <= len(FEW) ** 3
    assert (refusal.code, refusal.retry_after_ms) == (ErrorCode.SERVER_FULL, 60_000)


def test_a_code_goes_with_its_match() -> None:
    lobby = Lobby(random.Random(1), finished_kept=0, syllables=FEW)
    for _ in range(100):
        end(lobby, table(lobby))
    assert len(lobby) == 0
    assert not lobby._by_code
    assert not lobby._by_link


def test_finished_matches_that_are_held_give_up_their_codes() -> None:
    lobby = Lobby(random.Random(1), finished_kept=10_000, syllables=("ba",))
    anyone, _ = Sessions(lambda: "t").open("Ana", "human")
    old = table(lobby)
    assert lobby.find_open(anyone, Join(1, code=old.code)) is old
    end(lobby, old)
    heir = table(lobby)
    assert heir.code == old.code
    assert lobby.find_open(anyone, Join(1, code=old.code)) is heir
    assert lobby.find_open(anyone, Watch(1, link=old.link)) is old
    lobby._finished_kept = 0
    end(lobby, table(lobby, public=True))
    assert lobby.find_open(anyone, Join(1, code=(old.code or "").lower())) is heir


def test_ids_are_unique() -> None:
    lobby = Lobby(random.Random(1))
    assert len({table(lobby, public=True).match.id for _ in range(2000)}) == 2000
    assert len(lobby) == 2000


def test_a_match_finishes_once() -> None:
    lobby = Lobby(random.Random(1))
    made = table(lobby)
    made.match.abort(0.0)
    lobby.finished(made, 5.0)
    lobby.finished(made, 9.0)
    assert made.finished_at == 5.0
    assert len(lobby) == 0


def over(lobby: Lobby, origin: str | None) -> str:
    made = table(lobby, public=True)
    made.match.abort(0.0)
    lobby.finished(made, 0.0, origin)
    return made.match.id


def test_who_ends_many_matches_pushes_out_their_own() -> None:
    lobby = Lobby(random.Random(1), finished_kept=8)
    kept = [over(lobby, origin) for origin in (None, "home", "home")]
    flood = [over(lobby, "flood") for _ in range(50)]
    assert [one.match.id for one in lobby.tables()] == [*kept, *flood[-5:]]
    others = [over(lobby, f"elsewhere {number}") for number in range(4)]
    assert [one.match.id for one in lobby.tables()] == [*kept, *flood[-1:], *others]
    assert len(lobby) == 0


def test_a_handful_of_addresses_pushes_out_nobody_else() -> None:
    lobby = Lobby(random.Random(1), finished_kept=128)
    kept = [over(lobby, origin) for origin in (None, "home", "home", *[f"visitor {number}" for number in range(10)])]
    for number in range(2000):
        over(lobby, f"flood {number % 9}")
    held = [one.match.id for one in lobby.tables()]
    assert held[: len(kept)] == kept
    assert len(held) == 128


def test_of_a_crowd_that_has_a_match_each_the_oldest_gives_way() -> None:
    lobby = Lobby(random.Random(1), finished_kept=128)
    crowd = [over(lobby, f"visitor {number}") for number in range(200)]
    again = over(lobby, "visitor 199")
    assert [one.match.id for one in lobby.tables()] == [*crowd[-127:], again]


class TestHistory:
    def test_what_came_since(self) -> None:
        history = History([], b"")
        events = [Said("m", seq, 1, "hm") for seq in range(1, 6)]
        for event in events:
            history.append(event)
        assert history.since(0) == events
        assert history.since(3) == events[3:]
        assert history.since(5) == []
        assert history.since(6) is None

    def test_what_is_no_longer_held(self) -> None:
        history = History([], b"")
        for seq in range(1, HELD + 11):
            history.append(Said("m", seq, 1, "hm"))
        assert history.since(9) is None
        held = history.since(10)
        assert held is not None
        assert [event.seq for event in held] == list(range(11, HELD + 11))

    @pytest.mark.parametrize("count", [0, 1, HELD, HELD + 11])
    def test_its_chain_is_over_all_that_ever_happened(self, count: int) -> None:
        link = begin("m", "morpion", None)
        history = History([], link)
        for seq in range(1, count + 1):
            history.append(event := Said("m", seq, 1, "hm"))
            link = extend(link, event)
        assert history.chain() == link.hex()

    @pytest.mark.parametrize("restored", [0, 3])
    @pytest.mark.parametrize("count", [5, HELD + 11])
    def test_its_chain_goes_on_with_what_is_recorded(self, restored: int, count: int) -> None:
        """In whatever order events are recorded and asked for; a restart records none of them again."""
        link = begin("m", "morpion", None)
        history = History([], link)
        for seq in range(1, count + 1):
            history.append(event := Said("m", seq, 1, "hm"))
            link = extend(link, event)
            if seq % 50 == 0:
                assert history.chain() == link.hex()
            if seq > restored:
                assert history.link(event) == encode(event)
        assert history.chain() == link.hex()

    def test_what_was_recorded_is_hashed_once(self) -> None:
        history = History([], begin("m", "morpion", None))
        for seq in range(1, 4):
            history.append(event := Said("m", seq, 1, "hm"))
            history.link(event)
        known = history.chain()
        history._events[0] = Said("m", 1, 1, "another")
        assert history.chain() == known

    def test_long_talk_is_held_no_longer_than_short_and_stays_in_the_chain(self) -> None:
        """A line of chat is a hundred times as large as a move, and thousands of matches are held."""
        link = begin("m", "morpion", None)
        history = History([], link)
        for seq in range(1, 201):
            history.append(event := Said("m", seq, 1, "é" * (MAX_CHAT if seq % 2 else 1)))
            link = extend(link, event)
        held = [len(event.text) for event in history._events if isinstance(event, Said)]
        assert HELD_TALK - MAX_CHAT <= sum(held) <= HELD_TALK
        assert history.chain() == link.hex()
        for seq in range(201, 201 + HELD):
            history.append(Offered("m", seq, "draw", 1))
        assert history.since(200) is not None
        assert history._talk == 0

    def test_a_gap_is_our_bug(self) -> None:
        history = History([], b"")
        with pytest.raises(AssertionError):
            history.append(Said("m", 2, 1, "hm"))


@pytest.mark.parametrize(
    ("opening", "said"),
    [
        (("a1", "b2", "c3"), None),
        ((), None),
        (("a1", "a1"), "the opening can't be played"),
        (("a1", "z9"), "the opening can't be played"),
        (("a1", "b1", "a2", "b2", "a3"), "the opening leaves nothing to play"),
        (("a1", "b1", "a2", "b2", "a3", "b3"), "the opening can't be played"),
    ],
)
def test_an_opening_can_be_played_and_leaves_something_to_play(opening: tuple[str, ...], said: str | None) -> None:
    asked = Create(1, "morpion", opening=opening)
    if said is None:
        assert rules_of(asked).opening == opening
        return
    with pytest.raises(ProtocolError, match=said) as refusal:
        rules_of(asked)
    assert refusal.value.code is ErrorCode.BAD_RULES
