"""The page of a league: its games replay to the same boards, nothing in it escapes, and it needs nothing else."""

import re
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from bots.search.analysis import Analysis, Step
from games.base import Seat, position_after
from games.frame import frame_of
from league.config import League
from league.history.season import Season
from league.played import Played
from league.report.report_page import page, tables_page
from tests.league.fakes import CoinExecutor, league, run
from tests.league.report.pages import data_of


@pytest.fixture(scope="module")
def season(tmp_path_factory: pytest.TempPathFactory) -> Season:
    return run(tmp_path_factory.mktemp("league") / "x", CoinExecutor(), league(4))


def test_who_has_not_played_has_a_dash_and_no_place_in_the_drawing(tmp_path: Path, season: Season) -> None:
    text = tables_page(Season(league(4), [], tmp_path))
    assert (text.count("<td>–</td>"), text.count('class="dot"')) == (4, 0)
    assert tables_page(season).count('class="dot"') == 4


def test_every_game_replays_to_its_board(season: Season) -> None:
    data = data_of(page(season, {}))
    assert len(data["games"]) == len(season.games)
    for shown, played in zip(data["games"], season.games, strict=True):
        cells = [0] * (data["width"] * data["height"])
        for cell in (*data["start"], *(cell for change in shown["changes"] for cell in change)):
            cells[cell % len(cells)] = cell // len(cells)
        position = position_after(season.league.rules, played.moves)
        owners = [position.cell(index % 3, index // 3) for index in range(9)]
        assert cells == [owner or 0 for owner in owners]
        assert shown["moves"] == list(played.moves)


def test_the_cell_that_was_played_stands_first_in_othello(tmp_path: Path) -> None:
    described = League("T", "othello", league(2).bots, seed="1", openings="none")
    game = Played("1.1.1", 1, "Ada", "Bob", ("f5", "d6", "c3"), 1, "resign", (4, 3))
    season = Season(described, [], tmp_path)
    season.games.append(game)
    data = data_of(page(season, {}))
    assert len(data["start"]) == 4
    assert [change[0] % 64 for change in data["games"][0]["changes"]] == [4 * 8 + 5, 5 * 8 + 3, 2 * 8 + 2]


def test_a_cell_that_a_move_leaves_is_emptied(tmp_path: Path) -> None:
    described = League("T", "breakthrough:size=4", league(2).bots, seed="1", openings="none")
    game = Played("1.1.1", 1, "Ada", "Bob", ("b2a3",), 1, "resign", (0, 0))
    season = Season(described, [], tmp_path)
    season.games.append(game)
    data = data_of(page(season, {}))
    assert data["games"][0]["changes"] == [[16 + 4, 2 * 4 + 1]]


@pytest.mark.parametrize(
    ("rules", "move", "ways"),
    [("breakthrough:size=4", "b2a3", [[2 * 4 + 1, 4, -1]]), ("othello", "f5", None)],
)
def test_a_board_is_drawn_as_its_game_says(rules: str, move: str, ways: list[list[int]] | None, tmp_path: Path) -> None:
    described = League("T", rules, league(2).bots, seed="1", openings="none")
    season = Season(described, [], tmp_path)
    season.games.append(Played("1.1.1", 1, "Ada", "Bob", (move,), 1, "resign", (0, 0)))
    data, look = data_of(page(season, {})), described.rules.profile.look
    assert data["games"][0].get("ways") == ways
    assert data["colours"] == look.colours._asdict()
    assert {side: tuple(labels) for side, labels in data["frame"].items()} == asdict(frame_of(described.rules))


def test_where_a_won_game_was_thrown_away(season: Season) -> None:
    game = season.games[0]
    step = Step(4, Seat.FIRST, game.moves[4], 1, 0, ("c3", "a1"))
    other = Step(3, Seat.SECOND, game.moves[3], 0, 0)
    text = page(season, {(game.pairing, game.number): Analysis((other, step), 3)})
    shown = data_of(text)["games"][0]
    assert shown["turns"] == [
        {"ply": 4, "text": f"move 5: {game.first} plays {game.moves[4]}, won to drawn (best: c3 a1)"}
    ]
    assert "<th>accuracy</th>" in text
    assert "Accuracy: the share" in text
    assert "<th>accuracy</th>" not in page(season, {})
    assert "Accuracy: the share" not in page(season, {})


def test_names_are_text_and_nothing_more(tmp_path: Path) -> None:
    evil = "</script><img src=x>"
    bots = (replace(league(2).bots[0], name=evil), league(2).bots[1])
    season = Season(League(evil, "morpion", bots, seed="1", openings="none"), [], tmp_path)
    season.games.append(Played("1.1.1", 1, evil, "Bob", ("b2",), 2, "crash", (0, 0), detail=evil))
    text = page(season, {})
    assert "<img" not in text
    assert text.count("</script>") == 2
    assert data_of(text)["games"][0]["first"] == evil


def test_it_needs_nothing_else(season: Season) -> None:
    text = page(season, {})
    assert not re.search(r"""(src|href|url)\s*[=(]\s*["']?(?!#)""", text)
    assert "default-src 'none'" in text
    assert "$" not in re.sub(r"<script.*?</script>", "", text, flags=re.DOTALL)


def test_a_league_that_has_not_begun_has_a_page(tmp_path: Path) -> None:
    text = page(Season(league(3), [], tmp_path), {})
    assert data_of(text)["games"] == []


def test_the_tables_alone_are_a_page_without_games(season: Season) -> None:
    text = tables_page(season)
    assert "<script" not in text
    assert "$" not in text
    for name in season.bots:
        assert f'<td class="name">{name}</td>' in text


def test_the_likelihood_of_superiority_is_that_of_the_ratings(season: Season) -> None:
    table = season.standings()
    found = re.findall(r'title="(\w+) is stronger than (\w+): ([\d.]+) %">([^<]+)</td>', tables_page(season))
    assert len(found) == len(table.rows) * (len(table.rows) - 1)
    for one, two, percent, shown in found:
        likely = table.ratings.los[one][two]
        assert float(percent) == pytest.approx(100 * likely, abs=0.051)
        assert shown in (f"{100 * likely:.0f}", "&lt;1", "&gt;99")
        assert shown != "100"
