"""Openings of a league: drawn at once, the same as ever, kept when the process is killed, and heard of when few."""

import random
from pathlib import Path

import pytest

import games
from bots.classroom.lookahead import LOSS, WIN, Lookahead
from games.base import Game, Position, position_after
from league.commands.progress import Lines
from league.config import League, LeagueBot
from league.executors.base import RunError
from league.history.log import Log, load
from league.history.season import Season, begin
from league.history.verification import verify
from league.pairing.balance import PLIES, balance_of
from league.pairing.drawing import NAME, KeptAnswers
from league.pairing.openings import Census, openings
from league.report.report_page import tables_page
from league.report.table_text import remarks, repeats
from league.runner import Ledger

STORED = sorted((Path(__file__).parents[2] / "data" / "leagues").iterdir())


@pytest.mark.parametrize("folder", STORED, ids=lambda folder: folder.name)
def test_the_leagues_of_before_still_verify(folder: Path) -> None:
    problems, count = verify(load(folder))
    assert problems == []
    assert count > 0


BOARDS = {
    "morpion": 8,
    "morpion:width=4,height=4,k=4": 14,
    "morpion:width=5,height=5,k=4": 18,
    "morpion:width=4,height=3,k=3": 9,
    "morpion:width=3,height=3,k=2": 3,
    "puissance4": 30,
    "puissance4:width=4,height=4,k=3": 12,
    "puissance4:width=5,height=4,k=4": 16,
}


def some_position(game: Game, rng: random.Random, plies: int) -> Position:
    while True:
        position = game.start()
        for _ply in range(rng.randrange(plies)):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


def test_in_othello_both_sides_may_move_about_as_freely() -> None:
    """At most eight moves apart, as the mean over the replies; in random games some positions are further apart."""
    game, rng = games.parse("othello"), random.Random(3)
    is_balanced, found = balance_of(game), [0, 0]
    for plies in 4 * tuple(range(4, 44)):
        position = game.start()
        for _ply in range(plies):
            if position.outcome() is None:
                position = position.play(rng.choice(position.legal_moves()))
        replies = [len(position.play(move).legal_moves()) for move in position.legal_moves()]
        fair = bool(replies) and abs(len(position.legal_moves()) * len(replies) - sum(replies)) <= 8 * len(replies)
        assert is_balanced(position) is fair
        found[fair] += 1
    assert min(found) > 3


@pytest.mark.parametrize(
    ("transcript", "gap", "fair"),
    [("d3c5d6c7d7c3b5b6c4", "8", True), ("e6f6c4d6d7c8f4c6b7c3d3d2g6f7f8", "8.0625", False)],
)
def test_in_othello_eight_moves_apart_is_still_fair(transcript: str, gap: str, *, fair: bool) -> None:
    game = games.parse("othello")
    position = position_after(game, game.parse_transcript(transcript))
    replies = [len(position.play(move).legal_moves()) for move in position.legal_moves()]
    assert abs(len(replies) - sum(replies) / len(replies)) == float(gap)
    assert balance_of(game)(position) is fair


@pytest.mark.slow
@pytest.mark.parametrize("spec", BOARDS)
def test_the_quick_check_says_what_the_bot_lookahead_sees(spec: str) -> None:
    game, rng = games.parse(spec), random.Random(spec)
    balanced = balance_of(game)
    assert balanced is not None
    player = Lookahead(game, random.Random(0), ply=PLIES, tiebreak="left")
    for _number in range(40):
        position = some_position(game, rng, BOARDS[spec])
        assert balanced(position) is (max(player.scores_for(position)) not in (WIN, LOSS)), position.notation


def test_a_loss_that_comes_after_the_horizon_is_none() -> None:
    """After these moves a line can be forced in more than PLIES; the second player is not told to have lost."""
    game = games.parse("puissance4")
    position = position_after(game, "675177626")
    balanced = balance_of(game)
    assert balanced is not None
    assert balanced(position)


@pytest.mark.parametrize(
    ("rows", "fair"),
    [
        (".....O/....../....../X...../....../......", True),  # X is there with the fifth ply
        (".....O/....../X...../....../....../......", False),  # with the third
        ("....../....../....../.....O/....../X.....", False),  # O with the fourth
        ("....../....../.....O/....../....../X.....", True),  # with the sixth
    ],
)
def test_in_a_game_without_lines_a_race_counts_that_ends_within_the_horizon(rows: str, *, fair: bool) -> None:
    assert PLIES == 4
    game = games.parse("breakthrough")
    balanced = balance_of(game)
    assert balanced is not None
    assert balanced(game.position(f"{rows.replace('/', '').replace('.', '-')} X")) is fair


def test_eighty_openings_are_few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """What took 35 s: the work is counted, since a clock would say more of the machine."""
    game = games.parse("morpion:width=5,height=5,k=4")
    balanced = balance_of(game)
    assert balanced is not None
    asked = 0
    from bots.search.kernels import LineKernel

    winning = LineKernel.winning

    def counted(kernel: LineKernel, own: int, legal: int) -> int:
        nonlocal asked
        asked += 1
        return winning(kernel, own, legal)

    monkeypatch.setattr(LineKernel, "winning", counted)
    some = openings("random:plies=2", game, "7", read=lambda _path: [], balanced=balanced)
    some.pick(79)
    assert asked < 80 * 300


def league(
    openings_: str, bots: int = 4, game: str = "morpion:width=5,height=5,k=4", format_: str = "round-robin"
) -> League:
    return League(
        "Test", game, tuple(LeagueBot(f"Bot {number}", "first") for number in range(bots)), format=format_,
        openings=openings_, seed="s",
    )  # fmt: skip


class Counted:
    """A check that counts what it is asked, and is killed at some question."""

    def __init__(self, game: Game, dies_at: int | None = None) -> None:
        balanced = balance_of(game)
        assert balanced is not None
        self._balanced = balanced
        self._dies_at = dies_at
        self.asked = 0

    def __call__(self, position: Position) -> bool:
        if self.asked == self._dies_at:
            raise KeyboardInterrupt
        self.asked += 1
        return self._balanced(position)


def drawn(folder: Path, played: League, check: Counted, count: int) -> list[tuple[str, ...]]:
    balanced = KeptAnswers(folder, check, rules=played.rules.spec, openings=played.openings, seed=played.seed)
    some = openings(played.openings, played.rules, played.seed, read=lambda _path: [], balanced=balanced)
    some.pick(count - 1)
    return list(some.made)


def test_a_kill_goes_on_where_it_was(tmp_path: Path) -> None:
    played = league("random:plies=6")
    whole = drawn(tmp_path / "nowhere", played, first := Counted(played.rules), 40)
    with pytest.raises(KeyboardInterrupt):
        drawn(tmp_path, played, Counted(played.rules, dies_at=25), 40)
    again = Counted(played.rules)
    assert drawn(tmp_path, played, again, 40) == whole
    assert again.asked == first.asked - 25


@pytest.mark.parametrize("damage", ["", "nothing of ours", "\0\0\0", "1"])
def test_a_damaged_file_costs_time_only(tmp_path: Path, damage: str) -> None:
    played = league("random:plies=6")
    whole = drawn(tmp_path, played, Counted(played.rules), 30)
    path = tmp_path / NAME
    kept = path.read_bytes()
    path.write_bytes(kept[:80] + damage.encode() if damage != "nothing of ours" else damage.encode())
    if damage != "1":
        assert drawn(tmp_path, played, Counted(played.rules), 30) == whole
        assert path.read_bytes() == kept
    other = league("random:plies=5")
    assert drawn(tmp_path, other, Counted(other.rules), 5) == drawn(tmp_path / "x", other, Counted(other.rules), 5)


async def test_drawing_is_heard_and_leaves_the_plan_as_it_is(tmp_path: Path) -> None:
    entry = begin(league("random:plies=3"), [], tmp_path)
    expected = Season.of([entry])
    expected.balanced_by(balance_of(expected.league.rules))
    heard: list[tuple[int, int]] = []
    with Log(tmp_path) as log:
        log.append(entry)
        ledger = Ledger(log, drawing=lambda done, of: heard.append((done, of)))
        await ledger._draw()
        assert ledger.season.following() == expected.following()
    assert heard[-1] == (6, 6)


async def test_openings_that_can_not_be_found_stop_a_league_with_a_sentence(tmp_path: Path) -> None:
    with Log(tmp_path) as log:
        log.append(begin(league("random:plies=9", game="morpion"), [], tmp_path))
        with pytest.raises(RunError, match="No balanced opening of 9 moves"):
            await Ledger(log)._draw()


@pytest.mark.parametrize(
    ("text", "spec", "count", "different"),
    [
        ("two-ply", "morpion", 6, None),
        ("two-ply", "othello", 6, 3),
        ("two-ply", "morpion", 15, 12),
        ("random:plies=1", "morpion", 6, 3),
        ("random:plies=2", "morpion:width=5,height=5,k=4", 45, None),
        ("none", "morpion", 6, None),
    ],
)
def test_openings_that_repeat_are_said(text: str, spec: str, count: int, different: int | None, tmp_path: Path) -> None:
    bots = next(bots for bots in range(2, 12) if bots * (bots - 1) // 2 == count)
    entry = begin(league(text, bots, spec), [], tmp_path)
    season = Season.of([entry])
    season.balanced_by(balance_of(season.league.rules))
    season.take(season.following())
    if different is None:
        assert season.repeats is None
        assert repeats(season) == []
        return
    assert season.repeats == (different, count)
    said = f"There are only {different} different openings (up to symmetry) for {count} pairings: they repeat."
    assert said in remarks(season, season.standings())
    assert said in tables_page(season)
    lines: list[str] = []
    Lines(lines.append).show(season)
    assert lines == [said]


async def test_a_swiss_knows_it_before_its_first_round(tmp_path: Path) -> None:
    with Log(tmp_path) as log:
        log.append(begin(league("two-ply", 4, "othello", "swiss"), [], tmp_path))
        ledger = Ledger(log)
        await ledger._draw()
        assert ledger.season.repeats == (3, 6)


def test_mirror_images_are_one_opening() -> None:
    census = Census(games.parse("morpion"))
    census.take([("a1", "b2"), ("c3", "b2"), ("a1", "b2"), ("b2", "a1")])
    assert (census.different, census.total) == (2, 4)
