"""The end of a game that declares endings of its own: on the wire, in a record, in a database, and in words."""

from dataclasses import replace
from typing import ClassVar

import msgspec
import pytest

import locales
from games import GAMES, parse
from games.base import Ending, Profile, Words, ending_words
from games.othello import Othello
from protocol.codec import decode_server
from protocol.messages import Finished, MatchEvent
from protocol.records import GameRecord
from protocol.values import RULED, ending_of, reason_of
from server.records.readable import text_of
from server.records.verification import Flaw, verify
from tests.server.played import play

PLAIN = Ending("plain", Words("more", "plus"))
TIED = Ending("tied", Words("more", "plus"), None, Words("level", "égal"))


def ruled() -> GameRecord:
    """A whole game of Breakthrough that its rules have ended."""
    records = (play(seed, "breakthrough:size=4") for seed in range(200))
    return next(record for record in records if record.result is not None and record.result.reason == "rules")


@pytest.mark.parametrize("code", ["line", "discs", "full", "goal", "blocked", "rules_of_2"])
def test_a_code_comes_back_from_the_wire(code: str) -> None:
    reason, ending = reason_of(code)
    assert reason in RULED
    assert ending_of(reason, ending) == code
    assert (ending is None) == (code in ("line", "discs", "full"))


def test_what_the_rules_did_not_decide_has_no_code() -> None:
    assert ending_of("resign", None) is None
    assert ending_of("timeout", "goal") is None


def test_a_record_keeps_the_ending_and_is_verified() -> None:
    record = ruled()
    assert record.result is not None
    assert record.result.ending in ("goal", "captured")
    assert not verify(record)


def test_another_ending_than_the_rules_give_is_found() -> None:
    record = ruled()
    forged = [replace_ending(event) for event in record.events]
    assert Flaw.RESULT in {problem.flaw for problem in verify(replace(record, events=tuple(forged)))}


def replace_ending(event: MatchEvent) -> MatchEvent:
    """The same event, but a result that says another ending."""
    if not isinstance(event, Finished):
        return event
    return msgspec.structs.replace(event, result=msgspec.structs.replace(event.result, ending="blocked"))


def test_a_finished_event_of_before_is_read() -> None:
    old = b'{"type":"finished","match":"m","seq":9,"result":{"winner":1,"reason":"line","score":[1,0]}}'
    (message,) = decode_server(old)
    assert isinstance(message, Finished)
    assert message.result.ending is None


@pytest.mark.parametrize("spec", GAMES)
def test_every_ending_has_words_in_both_languages(spec: str) -> None:
    game = parse(spec)
    for ending in game.profile.endings:
        for winner, score in ((1, (1, 0)), (1, (1, 1)), (None, (1, 1))):
            words = ending_words(game, ending.code, winner, score)
            assert words is not None or (winner is None and ending.drawn is None)
            if words is not None:
                assert words.english
                assert words.french
                assert words.english != words.french or words.english.isdigit()
                assert "{" not in words.english + words.french


@pytest.mark.parametrize(
    ("score", "said"),
    [((40, 24), Words("more", "plus")), ((24, 40), Words("more", "plus")), ((32, 32), Words("level", "égal"))],
)
def test_a_win_at_the_same_score_has_words_of_its_own(score: tuple[int, int], said: Words) -> None:
    class Tied(Othello):
        profile: ClassVar[Profile] = Othello.profile._replace(endings=(TIED,))

    assert ending_words(Tied(), "tied", 1, score) == said


def test_a_win_at_the_same_score_may_be_said_like_any_other() -> None:
    class Plain(Othello):
        profile: ClassVar[Profile] = Othello.profile._replace(endings=(PLAIN,))

    assert ending_words(Plain(), "plain", 2, (32, 32)) == Words("more", "plus")
    assert ending_words(Plain(), "plain", None, (32, 32)) is None
    assert ending_words(Plain(), "other", 2, (32, 32)) is None


def test_a_record_says_in_words_how_it_ended() -> None:
    record = ruled()
    assert text_of(record).endswith(("a pawn on the last row.\n", "no pawn left to the opponent.\n"))
    locales.set_language("fr")
    try:
        assert text_of(record).endswith(("un pion sur la dernière rangée.\n", "l’adversaire n’a plus de pion.\n"))
    finally:
        locales.set_language("en")


def test_the_loser_is_not_told_of_the_opponent() -> None:
    lost = Words("you can't move", "vous êtes bloqué")

    class Stuck(Othello):
        profile: ClassVar[Profile] = Othello.profile._replace(endings=(PLAIN._replace(lost=lost),))

    assert ending_words(Stuck(), "plain", 1, (1, 0), to_loser=True) == lost
    assert ending_words(Stuck(), "plain", 1, (1, 0)) == PLAIN.won
    assert ending_words(Othello(), "discs", 1, (40, 24), to_loser=True) == ending_words(Othello(), "discs", 1, (40, 24))


@pytest.mark.parametrize("spec", GAMES)
def test_an_ending_that_speaks_of_the_opponent_has_other_words_for_the_loser(spec: str) -> None:
    for ending in parse(spec).profile.endings:
        if "opponent" in ending.won.english or "adversaire" in ending.won.french:
            assert ending.lost is not None, ending.code
