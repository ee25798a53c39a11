"""Schedules: written whole where the format allows, the same after a restart, and fair to who comes late."""

import json
import random
from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games
from league.pairing.openings import Openings, openings
from league.pairing.pairings import gauntlet
from league.pairing.schedule import (
    TIE_BREAKS,
    Bye,
    Forfeit,
    Format,
    Pairing,
    Plan,
    Schedule,
    _halves,
    _players,
    extend,
    stages,
)
from league.results import Result

EMPTY_BOOK = openings("none", games.parse("morpion"), "", read=lambda _path: [])

PLAYERS = ["Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus"]


def book(seed: str = "7") -> Openings:
    return openings("random:plies=2", games.parse("puissance4"), seed, read=lambda _path: [])


def play(pairing: Pairing, winner: str | None = None) -> list[Result]:
    """Both games of a pairing; `winner` wins them, or each player one."""
    return [Result(pairing.id, first, second, 1 if winner in (None, first) else 2) for first, second in pairing.games]


def better(pairing: Pairing) -> str:
    return min(pairing.first, pairing.second)


def run(
    plan: Plan, players: Sequence[str], withdrawn: Collection[str] = (), stop: int = 1000
) -> tuple[Schedule, list[Result]]:
    """The whole league, the alphabet deciding, or the first pairings of it."""
    schedule, results, done = Schedule(), list[Result](), 0
    while more := extend(plan, players, schedule, results, book(plan.seed), withdrawn).pairings:
        added = extend(plan, players, schedule, results, book(plan.seed), withdrawn)
        assert added.pairings == more
        schedule += added
        for pairing in schedule.pairings[done:]:
            if done == stop:
                return schedule, results
            results += play(pairing, better(pairing))
            done += 1
    return schedule, results


def test_an_endless_round_robin_goes_on_while_there_are_two() -> None:
    plan = Plan(Format.ROUND_ROBIN, "7", games_per_pair=2, is_endless=True)
    schedule = extend(plan, ["Ada", "Bob"], Schedule(), [], book())
    assert {(p.first, p.second) for p in schedule.pairings} <= {("Ada", "Bob"), ("Bob", "Ada")}
    assert len(schedule.pairings) > 1
    assert extend(plan, ["Ada", "Bob"], schedule, [], book(), ["Bob"]) == Schedule()
    more = extend(plan, ["Ada", "Bob"], schedule, [], book())
    assert len(more.pairings) == len(schedule.pairings)
    assert {pairing.first for pairing in more.pairings[:2]} == {"Ada", "Bob"}


def test_a_round_robin_is_written_whole() -> None:
    plan = Plan(Format.ROUND_ROBIN, "7", games_per_pair=4)
    schedule = extend(plan, PLAYERS, Schedule(), [], book())
    met = Counter(frozenset((p.first, p.second)) for p in schedule.pairings)
    assert met == Counter({frozenset(pair): 2 for pair in combinations(PLAYERS, 2)})
    assert len(schedule.pairings) == plan.pairings_of(7) == 42
    assert len({p.id for p in schedule.pairings}) == len({p.seed for p in schedule.pairings}) == 42
    assert [bye.round for bye in schedule.byes] == list(range(1, 8))
    assert len({p.opening for p in schedule.pairings[:20]}) == 20
    assert not extend(plan, PLAYERS, schedule, [], book()).pairings


def test_each_opening_is_played_from_both_sides() -> None:
    pairing = extend(Plan(Format.ROUND_ROBIN, "7"), PLAYERS, Schedule(), [], book()).pairings[0]
    assert pairing.games == ((pairing.first, pairing.second), (pairing.second, pairing.first))


def test_a_late_joiner_of_a_round_robin_is_paired_with_everybody() -> None:
    """With Bob too, who has left: that counts as a forfeit, as for the others, and is played if he returns."""
    plan = Plan(Format.ROUND_ROBIN, "7", rounds=2)
    schedule = extend(plan, PLAYERS[:5], Schedule(), [], book())
    more = extend(plan, [*PLAYERS[:5], "Zoe"], schedule, [], book(), withdrawn={"Bob"})
    met = Counter(frozenset((p.first, p.second)) for p in more.pairings)
    assert met == Counter({frozenset(("Zoe", name)): 2 for name in PLAYERS[:5]})
    assert min(p.round for p in more.pairings) == schedule.last + 1
    assert not {p.id for p in more.pairings} & {p.id for p in schedule.pairings}


def test_a_gauntlet_has_its_challengers_play_the_field() -> None:
    plan = Plan(Format.GAUNTLET, "7", challengers=2)
    schedule = extend(plan, PLAYERS, Schedule(), [], book())
    met = Counter(frozenset((p.first, p.second)) for p in schedule.pairings)
    assert met == Counter({frozenset((one, two)): 1 for one in PLAYERS[:2] for two in PLAYERS[2:]})
    assert len(schedule.pairings) == plan.pairings_of(7) == 10
    assert schedule.rounds() == gauntlet(PLAYERS[:2], PLAYERS[2:])
    assert Plan(Format.GAUNTLET, "7").pairings_of(7) == 6, "one challenger, unless more are asked for"


@pytest.mark.parametrize("kind", list(Format))
@pytest.mark.parametrize("size", [0, 1, 2, 3, 8, 13])
def test_every_format_plays_what_it_planned(kind: Format, size: int) -> None:
    players = [f"{number:02}" for number in range(size)]
    plan = Plan(kind, "seed", rounds=3 if kind is Format.LADDER else None)
    schedule, results = run(plan, players)
    assert len(schedule.pairings) == plan.pairings_of(size)
    assert len(results) == 2 * len(schedule.pairings)
    for one in schedule.rounds():
        seen = [name for meeting in one.encounters for name in (meeting.first, meeting.second)]
        assert len(seen) == len(set(seen))
        if kind is not Format.GAUNTLET and (kind is not Format.KNOCKOUT or one is schedule.rounds()[0]):
            assert sorted([*seen, *one.byes]) == players


@pytest.mark.parametrize("kind", list(Format))
def test_the_order_of_results_changes_nothing(kind: Format) -> None:
    plan = Plan(kind, "seed", rounds=4 if kind is Format.LADDER else None)
    schedule, results = run(plan, PLAYERS, stop=6)
    shuffled = random.Random(1).sample(results, len(results))
    assert extend(plan, PLAYERS, schedule, shuffled, book("seed")) == extend(
        plan, PLAYERS, schedule, results, book("seed")
    )


@pytest.mark.parametrize("kind", [Format.SWISS, Format.KNOCKOUT, Format.LADDER])
def test_a_round_waits_for_the_one_before_but_not_for_who_left(kind: Format) -> None:
    plan = Plan(kind, "7", rounds=4)
    schedule = extend(plan, PLAYERS[:6], Schedule(), [], book())
    last = schedule.pairings[-1]
    results = [game for pairing in schedule.pairings[:-1] for game in play(pairing, better(pairing))]
    results += play(last)[:1]
    assert not extend(plan, PLAYERS[:6], schedule, results, book()).pairings
    for left, stays in (last.games[0], last.games[1]):
        more = extend(plan, PLAYERS[:6], schedule, results, book(), withdrawn={left})
        playing = {name for pairing in more.pairings for name in pairing.games[0]}
        assert left not in playing
        assert stays in playing | {bye.player for bye in more.byes}
        assert not {pairing.opening for pairing in more.pairings} & {pairing.opening for pairing in schedule.pairings}


@pytest.mark.parametrize("kind", [Format.SWISS, Format.KNOCKOUT, Format.LADDER])
def test_two_wait_for_the_end_of_their_round_too_and_one_alone_has_none(kind: Format) -> None:
    plan = Plan(kind, "7", rounds=3)
    schedule = extend(plan, PLAYERS[:2], Schedule(), [], book())
    (pairing,) = schedule.pairings
    for played in (0, 1):
        assert extend(plan, PLAYERS[:2], schedule, play(pairing)[:played], book()) == Schedule()
    assert extend(plan, PLAYERS[:2], schedule, play(pairing), book(), withdrawn={"Bob"}) == Schedule()


def test_a_swiss_takes_late_joiners_and_counts_byes() -> None:
    plan = Plan(Format.SWISS, "7")
    schedule = extend(plan, PLAYERS, Schedule(), [], book())
    assert [bye.player for bye in schedule.byes] == ["Gus"]
    results = [game for pairing in schedule.pairings for game in play(pairing, better(pairing))]
    more = extend(plan, [*PLAYERS, "Hal"], schedule, results, book())
    assert not more.byes
    opponents = {frozenset(pairing.games[0]) for pairing in more.pairings}
    assert any("Gus" in both and both & {"Ada", "Bob", "Cleo"} for both in opponents)  # with a winner's points


def test_a_bye_counts_as_if_every_game_of_the_pairing_was_won() -> None:
    plan = Plan(Format.SWISS, "7", games_per_pair=2)
    schedule = Schedule((Pairing("1.1.1", 1, "A", "B", (), ""),), (Bye(1, "C"),))
    halves = _halves(play(schedule.pairings[0], "A"))
    assert {one.name: one.halves for one in _players(plan, list("ABC"), schedule, halves)} == {"A": 4, "B": 0, "C": 4}


def test_a_swiss_remembers_who_floated() -> None:
    """After a round in which 1 met a player with fewer points, that is written down for both."""
    pairings = [Pairing("1.1.1", 1, "A", "B", (), ""), Pairing("1.2.1", 1, "C", "D", (), "")]
    pairings += [Pairing("2.1.1", 2, "A", "D", (), ""), Pairing("2.2.1", 2, "B", "C", (), "")]
    results = [game for pairing in pairings for game in play(pairing, better(pairing))]
    schedule = Schedule(tuple(pairings))
    entrants = _players(Plan(Format.SWISS, "7"), list("ABCD"), schedule, _halves(results))
    assert {entrant.name: entrant.floated for entrant in entrants} == {"A": -1, "B": 1, "C": -1, "D": 1}
    assert {entrant.name: entrant.halves for entrant in entrants} == {"A": 8, "B": 4, "C": 4, "D": 0}


def test_a_swiss_remembers_who_began_and_who_had_a_bye() -> None:
    """E floated up, and then had a bye: that is no floating."""
    pairings = [Pairing("1.1.1", 1, "A", "B", (), ""), Pairing("1.2.1", 1, "E", "C", (), "")]
    pairings += [Pairing("2.1.1", 2, "A", "E", (), ""), Pairing("3.1.1", 3, "B", "A", (), "")]
    results = [game for pairing in pairings for game in play(pairing, better(pairing))]
    schedule = Schedule(tuple(pairings), (Bye(3, "E"),))
    entrants = {one.name: one for one in _players(Plan(Format.SWISS, "7"), list("ABCE"), schedule, _halves(results))}
    assert {name: one.starts for name, one in entrants.items()} == {
        "A": (True, True, False), "B": (False, True), "C": (False,), "E": (True, False),
    }  # fmt: skip
    assert entrants["E"].opponents == ("C", "A", None)
    assert (entrants["E"].floated, entrants["B"].floated) == (0, 1)


def test_a_knockout_that_is_level_is_played_on_and_then_seeding_decides() -> None:
    plan = Plan(Format.KNOCKOUT, "7")
    schedule, results = Schedule(), list[Result]()
    for name in ("1.1.1", "1.1.2", "1.1.3"):
        more = extend(plan, ["Bob", "Ada"], schedule, results, book())
        assert [pairing.id for pairing in more.pairings] == [name]
        schedule += more
        results += play(more.pairings[0])
    assert not extend(plan, ["Bob", "Ada"], schedule, results, book()).pairings


def test_tie_breaks_of_a_knockout_have_openings_of_their_own() -> None:
    plan = Plan(Format.KNOCKOUT, "7")
    schedule = extend(plan, PLAYERS[:4], Schedule(), [], book())
    results = [result for pairing in schedule.pairings for result in play(pairing)]
    schedule += extend(plan, PLAYERS[:4], schedule, results, book())
    assert [pairing.id for pairing in schedule.pairings] == ["1.1.1", "1.2.1", "1.1.2", "1.2.2"]
    assert len({pairing.opening for pairing in schedule.pairings}) == 4


def test_a_knockout_is_decided_by_half_a_point() -> None:
    """One game drawn and one won: for either, also for who is seeded below."""
    plan = Plan(Format.KNOCKOUT, "7")
    schedule = extend(plan, PLAYERS[:2], Schedule(), [], EMPTY_BOOK)
    (pairing,) = schedule.pairings
    for winner in PLAYERS[:2]:
        results = [Result(pairing.id, *pairing.games[0], None), play(pairing, winner)[1]]
        assert extend(plan, PLAYERS[:2], schedule, results, EMPTY_BOOK) == Schedule()
        reached = stages(plan, PLAYERS[:2], schedule, results)
        assert (reached.pop(winner), *reached.values()) == (2, 1)


def test_who_left_before_the_first_round_of_a_knockout_has_come_nowhere() -> None:
    plan = Plan(Format.KNOCKOUT, "7")
    schedule = extend(plan, PLAYERS[:3], Schedule(), [], EMPTY_BOOK, withdrawn={"Cleo"})
    results = play(schedule.pairings[0], "Ada")
    assert stages(plan, PLAYERS[:3], schedule, results, {"Cleo"}) == {"Ada": 2, "Bob": 1, "Cleo": 0}


def test_a_knockout_has_the_best_two_in_its_final() -> None:
    schedule, _results = run(Plan(Format.KNOCKOUT, "7"), PLAYERS)
    assert [bye.player for bye in schedule.byes] == ["Ada"]
    final = schedule.pairings[-1]
    assert (final.round, {final.first, final.second}) == (3, {"Ada", "Bob"})


@settings(deadline=None)
@given(
    size=st.integers(2, 17),
    pairs=st.integers(1, 2),
    seed=st.integers(0, 2**32),
    leave=st.sampled_from([0.0, 0.03, 0.1, 0.4]),
)
def test_a_knockout_comes_to_its_end_whoever_leaves(size: int, pairs: int, seed: int, leave: float) -> None:
    """Who lost an encounter never plays again, also if the winner leaves later; one at most is left at the end."""
    names = [f"{number:02}" for number in range(size)]
    plan, rng = Plan(Format.KNOCKOUT, "7", games_per_pair=2 * pairs), random.Random(seed)
    schedule, results, gone = Schedule(), list[Result](), set[str]()
    while (more := extend(plan, names, schedule, results, EMPTY_BOOK, gone)) != Schedule():
        out = losers(schedule, results, pairs + TIE_BREAKS) | gone
        assert not out.intersection(bye.player for bye in more.byes)
        assert not out.intersection(name for pairing in more.pairings for name in pairing.games[0])
        schedule += more
        assert schedule.last <= (size - 1).bit_length()
        for pairing in more.pairings:
            gone |= {name for name in names if rng.random() < leave}
            if not gone.intersection(pairing.games[0]):
                results += play(pairing, rng.choice([None, *pairing.games[0]]))
        gone |= {name for name in names if rng.random() < leave}
    assert len(set(names) - losers(schedule, results, pairs + TIE_BREAKS) - gone) <= 1
    assert gone or len(losers(schedule, results, pairs + TIE_BREAKS)) == size - 1


def losers(schedule: Schedule, results: Sequence[Result], tries: int) -> set[str]:
    """Who has lost an encounter of a knockout whose pairings were all played: by points, or the lower seed by name."""
    boards: dict[str, list[Pairing]] = {}
    for pairing in schedule.pairings:
        boards.setdefault(pairing.id.rpartition(".")[0], []).append(pairing)
    lost = set()
    for pairings in boards.values():
        one, two = sorted(pairings[0].games[0])
        games = [result for result in results if result.pairing in {pairing.id for pairing in pairings}]
        ahead = sum(1 if (result.first == one) == (result.winner == 1) else -1 for result in games)
        if len(games) == 2 * len(pairings) and (ahead or len(pairings) == tries):
            lost.add(one if ahead < 0 else two)
    return lost


@given(size=st.integers(2, 12), seed=st.integers(0, 999))
@settings(deadline=None, max_examples=40)
def test_a_knockout_ranks_by_how_far_each_came(size: int, seed: int) -> None:
    """Oracle: whoever lost to somebody who went on came less far; only the champion never lost his board."""
    rng = random.Random(seed)
    players = [f"p{number:02}" for number in range(size)]
    plan = Plan(Format.KNOCKOUT, "1")
    schedule, results = Schedule(), list[Result]()
    beaten: dict[str, str] = {}
    while (more := extend(plan, players, schedule, results, EMPTY_BOOK)).pairings:
        schedule += more
        for pairing in more.pairings:
            winner, loser = rng.sample((pairing.first, pairing.second), 2)
            results += play(pairing, winner)
            beaten[loser] = winner
    reached = stages(plan, players, schedule, results)
    (champion,) = set(players) - set(beaten)
    assert max(reached, key=reached.__getitem__) == champion
    assert list(reached.values()).count(reached[champion]) == 1
    for loser, winner in beaten.items():
        assert reached[loser] < reached[winner]


def test_who_won_a_board_stands_above_who_still_plays() -> None:
    plan = Plan(Format.KNOCKOUT, "1")
    schedule = extend(plan, PLAYERS[:4], Schedule(), [], EMPTY_BOOK)
    first = schedule.pairings[0]
    reached = stages(plan, PLAYERS[:4], schedule, play(first, first.first))
    assert reached[first.first] == 2
    assert [reached[player] for player in PLAYERS[:4] if player != first.first] == [1, 1, 1]


def test_nobody_has_won_a_board_that_is_played_on() -> None:
    plan = Plan(Format.KNOCKOUT, "7")
    schedule, results = Schedule(), list[Result]()
    for _try in range(1 + TIE_BREAKS):
        more = extend(plan, PLAYERS[:2], schedule, results, book())
        schedule += more
        assert stages(plan, PLAYERS[:2], schedule, results) == dict.fromkeys(PLAYERS[:2], 1)
        results += play(more.pairings[0])
    assert sorted(stages(plan, PLAYERS[:2], schedule, results).values()) == [1, 2]


def test_a_knockout_closes_gaps_of_those_who_left_on_both_sides() -> None:
    """Whom A and B were to meet in the second round leaves: both have byes, and meet in the final."""
    plan, seeds = Plan(Format.KNOCKOUT, "7"), list("ABCDEFGH")
    schedule = extend(plan, seeds, Schedule(), [], EMPTY_BOOK)
    results = [game for pairing in schedule.pairings for game in play(pairing, better(pairing))]
    schedule += extend(plan, seeds, schedule, results, EMPTY_BOOK, {"D", "C"})
    assert schedule.rounds()[1].byes == ("A", "B")
    schedule += extend(plan, seeds, schedule, results, EMPTY_BOOK, {"D", "C"})
    assert [pairing.games[0] for pairing in schedule.pairings if pairing.round == 3] == [("A", "B")]


def test_a_ladder_has_no_end() -> None:
    plan = Plan(Format.LADDER, "7")
    assert plan.pairings_of(7) is None
    schedule, _results = run(plan, PLAYERS, stop=30)
    assert schedule.last > 8


def test_the_seed_decides_everything() -> None:
    plans = [Plan(Format.SWISS, seed) for seed in ("7", "7", "8")]
    one, two, other = (run(plan, PLAYERS)[0] for plan in plans)
    assert one == two
    assert [p.opening for p in one.pairings] != [p.opening for p in other.pairings]


def test_pairings_survive_being_written() -> None:
    pairing = Pairing("1.2.1", 1, "Ada", "Bob", ("4", "4"), "7:1.2.1")
    assert Pairing.from_dict(json.loads(json.dumps(pairing.as_dict()))) == pairing


def test_plans_that_nobody_can_play_are_refused() -> None:
    with pytest.raises(ValueError, match="even"):
        Plan(Format.SWISS, "7", games_per_pair=3)
    with pytest.raises(ValueError, match="1 or more"):
        Plan(Format.SWISS, "7", rounds=0)
    with pytest.raises(ValueError, match="1 or more"):
        Plan(Format.GAUNTLET, "7", challengers=0)
    assert Plan(Format.SWISS, "7", rounds=1).rounds_of(9) == 1


@pytest.mark.parametrize(
    ("players", "knockout", "swiss"),
    [(0, 0, 1), (1, 0, 1), (2, 1, 1), (3, 2, 2), (4, 2, 3), (5, 3, 4), (8, 3, 5), (9, 4, 6), (16, 4, 6), (17, 5, 7)],
)
def test_how_many_rounds_a_knockout_and_a_swiss_have(players: int, knockout: int, swiss: int) -> None:
    """A Swiss has two more than it takes to find a winner, but nobody meets anybody twice."""
    assert Plan(Format.KNOCKOUT, "7").rounds_of(players) == knockout
    assert Plan(Format.SWISS, "7").rounds_of(players) == swiss
    assert Plan(Format.SWISS, "7", rounds=9).rounds_of(players) == 9
    assert Plan(Format.ROUND_ROBIN, "7").rounds_of(players) == 1


def test_a_forfeit_counts_as_two_games_won() -> None:
    assert _halves([], [Forfeit("1.1.1", "Ada", "Bob")]) == {"1.1.1": {"Ada": [2, 2], "Bob": [0, 0]}}
    played = play(Pairing("1.1.2", 1, "Ada", "Bob", (), "7"), "Ada")
    assert _halves(played) == {"1.1.2": {"Ada": [2, 2], "Bob": [0, 0]}}


@pytest.mark.parametrize("late", [False, True])
def test_who_met_somebody_with_more_points_floated_up(late: bool) -> None:
    """Points are those before the round: nobody floats in the first, and who comes late has none."""
    plan = Plan(Format.SWISS, "7", games_per_pair=2)
    met = [Pairing("1.1.1", 1, "Ada", "Bob", (), ""), Pairing("1.2.1", 1, "Cleo", "Dan", (), "")]
    names = ["Ada", "Bob", "Cleo", "Dan"]
    played = _halves([result for pairing in met for result in play(pairing, better(pairing))])
    entrants = _players(plan, names, Schedule(tuple(met)), played)
    assert [(one.halves, one.floated) for one in entrants] == [(4, 0), (0, 0), (4, 0), (0, 0)]
    other = "Zoe" if late else "Dan"
    met += [Pairing("2.1.1", 2, "Ada", other, (), ""), Pairing("2.2.1", 2, "Bob", "Eve", (), "")]
    entrants = _players(plan, [*names, "Eve", "Zoe"], Schedule(tuple(met)), played)
    floated = {one.name: one.floated for one in entrants}
    assert floated == {**dict.fromkeys([*names, "Eve", "Zoe"], 0), "Ada": -1, other: 1}
    assert {one.name: one.halves for one in entrants} == {"Ada": 4, "Cleo": 4, "Bob": 0, "Dan": 0, "Eve": 0, "Zoe": 0}


def test_half_a_point_more_is_enough_to_float() -> None:
    met = [Pairing("1.1.1", 1, "Ada", "Bob", (), ""), Pairing("1.2.1", 1, "Cleo", "Dan", (), "")]
    results = [Result("1.1.1", "Ada", "Bob", 1), Result("1.1.1", "Bob", "Ada", None), *play(met[1])]
    met += [Pairing("2.1.1", 2, "Ada", "Cleo", (), ""), Pairing("2.2.1", 2, "Bob", "Dan", (), "")]
    entrants = _players(Plan(Format.SWISS, "7"), ["Ada", "Bob", "Cleo", "Dan"], Schedule(tuple(met)), _halves(results))
    assert [(one.halves, one.floated) for one in entrants] == [(3, -1), (1, 1), (2, 1), (2, -1)]
