"""The tree of an explanation is the one that the bot saw: same move, same values, and drawings that can be read."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import arbitre
import games
from bots.base import UNLIMITED, parse_bot
from bots.classroom.dfs import Walker
from bots.classroom.lookahead import Lookahead
from bots.classroom.minimax import Minimax
from bots.explain import traces, tree
from bots.explain.reading import read_position
from bots.explain.svg import draw_svg
from bots.explain.text import WIDTH, draw_text
from bots.explain.traces import explain
from bots.explain.tree import Bound, ExplainError, Explanation, Kind, Node, select
from bots.explain.worth import worth_of
from bots.search.documents import evaluation_of
from bots.search.evaluation import EVALUATIONS, make_evaluation
from bots.search.kernels import make_kernel, masks_of, seat_masks
from bots.search.positions import measure_of, measures_of
from games import Game, Position, Seat
from games.base import with_side
from locales import set_language
from terminal.board import Style
from terminal.text import cells_wide
from tests.bots.classroom.samples import positions

CASES = [
    ("minimax:depth=1", "othello"),
    ("minimax:depth=3", "othello:size=6"),
    ("minimax:depth=4", "othello:size=4"),
    ("minimax:depth=2,eval=discs", "othello"),
    ("minimax:depth=2", "puissance4"),
    ("minimax:depth=3", "puissance4:width=5,height=4,k=3"),
    ("minimax:depth=3", "morpion"),
    ("minimax:depth=2,style=plain", "morpion"),
    ("minimax:depth=3,style=plain", "othello:size=4"),
    ("minimax:depth=2,style=min_max", "othello:size=6"),
    ("minimax:depth=4,style=tp23", "othello:size=4"),
    ("minimax:style=min_max_play", "morpion"),
    ("lookahead:ply=0", "puissance4"),
    ("lookahead:ply=3", "puissance4"),
    ("lookahead:ply=2,tiebreak=right", "morpion"),
    ("lookahead:ply=3", "othello:size=4"),
    ("minimax_search", "morpion"),
]


def cases(bot: str, spec: str, count: int = 8) -> Iterator[tuple[Game, Position, Explanation]]:
    """Explanations of positions of many stages; those to the end of the game start late, for they show everything."""
    game = games.parse(spec)
    least = 4 if bot == "minimax_search" else 0
    for position in positions(game, count, 9, least):
        yield game, position, explain(game, position, parse_bot(bot))


@pytest.mark.parametrize(("bot", "spec"), CASES)
def test_the_move_is_the_bots(bot: str, spec: str) -> None:
    player = parse_bot(bot).make(games.parse(spec), Seat.FIRST, random.Random(0))
    for _game, position, explanation in cases(bot, spec):
        assert explanation.move == player.choose(position, UNLIMITED)
        (chosen,) = (child for child in explanation.root.children if child.chosen)
        assert chosen.move == explanation.move


@pytest.mark.parametrize(("bot", "spec"), CASES)
def test_every_move_is_looked_at_or_said_not_to_be(bot: str, spec: str) -> None:
    for _game, _position, explanation in cases(bot, spec, 4):
        for node in explanation.root.walk():
            if node.kind is Kind.REPLIES and node.children[0].move != "pass":
                moves = [child.move for child in node.children]
                assert sorted([*moves, *node.unseen]) == sorted(node.position.legal_moves()) or "min_max_play" in bot
            elif node.kind is Kind.END and "min_max_play" not in bot:
                assert node.position.outcome() is not None


MINIMAX_CASES = [case for case in CASES if case[0].startswith("minimax:")]


@pytest.mark.parametrize(("bot", "spec"), MINIMAX_CASES)
def test_the_value_is_the_fast_searchs(bot: str, spec: str) -> None:
    for game, position, explanation in cases(bot, spec):
        player = parse_bot(bot).make(game, Seat.FIRST, random.Random(0))
        assert isinstance(player, Minimax)
        line, value = player.think(position, UNLIMITED), explanation.root.value
        assert value is not None
        assert line.value == (value if explanation.maximiser is position.to_move else -value)
        if game.id == "othello" and "style" not in bot:  # no wins that are found without a search
            assert explanation.positions == line.nodes


@pytest.mark.parametrize(("bot", "spec"), [case for case in CASES if case[0].startswith("minimax")])
def test_a_value_is_the_best_of_those_below(bot: str, spec: str) -> None:
    for _game, _position, explanation in cases(bot, spec, 4):
        for node in explanation.root.walk():
            if node.children:
                best = max if node.to_move is explanation.maximiser else min
                assert node.value == best(child.value for child in node.children if child.value is not None)


def values_by_path(node: Node, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Node]]:
    yield path, node
    for child in node.children:
        yield from values_by_path(child, (*path, child.move))


@pytest.mark.parametrize("spec", ["othello:size=6", "puissance4:width=5,height=4,k=3", "morpion"])
def test_bounds_hold_and_exact_values_are_those_of_plain_minimax(spec: str) -> None:
    game = games.parse(spec)
    cut = 0
    for position in positions(game, 12, 10):
        everything = explain(game, position, parse_bot("minimax:depth=3,style=plain"))
        plain = {path: node.value for path, node in values_by_path(everything.root)}
        explanation = explain(game, position, parse_bot("minimax:depth=3"))
        cut += explanation.cuts
        assert explanation.positions <= everything.positions
        for path, node in values_by_path(explanation.root):
            value, truth = node.value, plain[path]
            assert value is not None
            assert truth is not None
            match node.bound:
                case Bound.EXACT:
                    assert value == truth
                case Bound.LEAST:
                    assert value <= truth
                case Bound.MOST:
                    assert value >= truth
    assert cut > 10


@pytest.mark.parametrize("ply", [0, 1, 2, 3])
def test_the_scores_are_lookaheads(ply: int) -> None:
    game = games.parse("puissance4")
    player = Lookahead(game, random.Random(0), ply=ply, tiebreak="left")
    for position in positions(game, 10, 11):
        explanation = explain(game, position, parse_bot(f"lookahead:ply={ply}"))
        scores = {child.move: child.value for child in explanation.root.children}
        assert [scores.get(str(column + 1), -1) for column in range(7)] == player.scores_for(position)


@pytest.mark.parametrize("bot", ["dfs", "dfs:style=document", "bfs"])
def test_a_walk_is_shown_in_its_order(bot: str) -> None:
    game = games.parse("morpion")
    player = parse_bot(bot).make(game, Seat.FIRST, random.Random(0))
    assert isinstance(player, Walker)
    for position in positions(game, 30, 12, 2):
        explanation = explain(game, position, parse_bot(bot))
        assert explanation.move == player.choose(position, UNLIMITED)
        nodes = list(values_by_path(explanation.root))
        if bot == "bfs":
            nodes.sort(key=lambda entry: entry[1].number)
            assert [len(path) for path, _node in nodes] == sorted(len(path) for path, _node in nodes)
        assert [node.number for _path, node in nodes] == list(range(len(nodes)))
        _moves, line = player.find(position)
        assert [node.move for _path, node in nodes if node.chosen][1:] == list(line or (explanation.move,))


def test_what_can_not_be_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    game = games.parse("morpion")
    with pytest.raises(ExplainError, match="random can't be explained; what can: minimax"):
        explain(game, game.start(), parse_bot("random"))
    with pytest.raises(ExplainError, match="random can't be explained"):
        explain(game, game.position("XXXOO---- O"), parse_bot("random"))
    for module in (traces, tree):
        monkeypatch.setattr(module, "MOST_POSITIONS", 100)
    for bot in ("minimax_search", "minimax:depth=3", "minimax:depth=4,style=min_max_play", "lookahead:ply=3", "bfs"):
        with pytest.raises(ExplainError, match="more than 100 positions: take a smaller depth"):
            explain(game, game.start(), parse_bot(bot))


# -- what is shown


SVG = "{http://www.w3.org/2000/svg}"
ENDS = [
    ("minimax", "XXXOO---- O", "−∞"),
    ("minimax", "XXXOO---- X", "+∞"),
    ("minimax", "XOXXOOOXX O", "0"),
    ("minimax:style=min_max_play", "XXXOO---- X", "1"),
    ("minimax_search", "XXXOO---- O", "−1"),
    ("lookahead", "XXXOO---- X", "100"),
    ("lookahead", "XOXXOOOXX X", "50"),
]


@pytest.mark.parametrize(("bot", "notation", "value"), ENDS)
def test_a_game_that_is_over_has_its_value(bot: str, notation: str, value: str) -> None:
    game = games.parse("morpion")
    explanation = explain(game, game.position(notation), parse_bot(bot))
    assert explanation.move == ""
    assert list(explanation.root.walk()) == [explanation.root]
    lines = draw_text(explanation, Style(), 100)
    assert any(line.startswith(f"That is worth {value} to ") for line in lines)
    assert ET.fromstring(draw_svg(explanation, 60)).tag == f"{SVG}svg"


@pytest.mark.parametrize("bot", ["dfs", "bfs"])
def test_a_walk_ends_with_the_game(bot: str) -> None:
    game = games.parse("morpion")
    explanation = explain(game, game.position("XOXXOOOXX O"), parse_bot(bot))
    assert "The game is over: nobody has won." in draw_text(explanation, Style(), 100)


@pytest.mark.parametrize(
    "spec",
    [
        "othello",
        "othello:size=4",
        "puissance4",
        "puissance4:width=5,height=4,k=3",
        "morpion",
        "morpion:width=1,height=5",
        "morpion:width=10,height=10,k=5",
        "breakthrough",
        "breakthrough:size=4",
    ],
)
def test_the_parts_of_an_evaluation_add_up_to_it(spec: str) -> None:
    game = games.parse(spec)
    names = EVALUATIONS.get(game.id) or tuple(measure.name for measure in measures_of(game))
    for position, name in itertools.product(positions(game, 20, 3), names):
        worth = worth_of(game, position, parse_bot(f"minimax:eval={name}"))
        assert worth is not None
        assert worth.seat is position.to_move
        if make_kernel(game) is not None:
            assert worth.total == make_evaluation(name, game)(*masks_of(position))
        else:
            assert worth.total == measure_of(game, name).worth(position, position.to_move)


def test_tp23_counts_for_black_whoever_moves() -> None:
    game = games.parse("othello")
    for position, name in itertools.product(positions(game, 20, 3), ("discs", "positional")):
        worth = worth_of(game, position, parse_bot(f"minimax:style=tp23,eval={name}"))
        assert worth is not None
        assert worth.total == evaluation_of("tp23", name, game)(*seat_masks(position, Seat.FIRST))


SHOWN = [*CASES, ("dfs", "puissance4"), ("bfs", "morpion"), ("minimax:depth=2", "morpion:width=10,height=10,k=5")]


@pytest.fixture(params=["en", "fr"])
def both_languages(request: pytest.FixtureRequest) -> Iterator[None]:
    set_language(str(request.param))
    yield
    set_language("en")


@pytest.mark.parametrize("most", [2, 10, 60, 10_000])
@pytest.mark.parametrize(("bot", "spec"), SHOWN)
def test_a_selection_is_bounded_and_holds_the_choice(bot: str, spec: str, most: int) -> None:
    for _game, _position, explanation in cases(bot, spec, 2):
        shown = select(explanation.root, most)
        assert len(shown) == min(most, len(shown)) <= explanation.positions + 1
        assert [child.move for child in explanation.root.children if child.chosen and child in shown]
        above = {child: node for node in explanation.root.walk() for child in node.children}
        assert all(node is explanation.root or above[node] in shown for node in shown)
        if most == 10_000 and explanation.positions < most:
            assert len(shown) == explanation.positions + 1


@pytest.mark.usefixtures("both_languages")
@pytest.mark.parametrize(("bot", "spec"), SHOWN)
def test_text_fits_80_columns_and_any_terminal(bot: str, spec: str) -> None:
    for _game, _position, explanation in cases(bot, spec, 2):
        for line in draw_text(explanation, Style(), 100):
            assert cells_wide(line) <= WIDTH
        tree = "\n".join(draw_text(explanation, Style(ascii=True), 100)).split("\n\n")[-1]
        assert not set("├└│■□·≤≥∞−◀") & set(tree)


@pytest.mark.usefixtures("both_languages")
@pytest.mark.parametrize(("bot", "spec"), SHOWN)
def test_the_drawing_is_one_file_in_which_nothing_overlaps(bot: str, spec: str) -> None:
    for game, _position, explanation in cases(bot, spec, 2):
        text = draw_svg(explanation, 60)
        assert "href" not in text
        assert "url(" not in text
        drawing = ET.fromstring(text)
        width, height = float(drawing.attrib["width"]), float(drawing.attrib["height"])
        assert width < 2800
        boxes = []
        for box in drawing.iter(f"{SVG}rect"):
            if "rx" in box.attrib:  # a node; the other rectangles are the paper and frames of cells
                left, top = float(box.attrib["x"]), float(box.attrib["y"])
                boxes.append((left, top, left + float(box.attrib["width"]), top + float(box.attrib["height"])))
        assert len(boxes) == len(select(explanation.root, 60))
        assert all(left >= 0 and top >= 0 and right <= width and low <= height for left, top, right, low in boxes)
        for one, other in itertools.combinations(boxes, 2):
            assert one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]
        for label in drawing.iter(f"{SVG}text"):
            room = width - float(label.attrib["x"]) if label.attrib["text-anchor"] == "start" else width
            assert len(label.text or "") * float(label.attrib["font-size"]) * 0.45 <= room
        discs = sum(game.start().cell(x, y) is not None for x in range(game.width) for y in range(game.height))
        assert discs == 0 or len(list(drawing.iter(f"{SVG}circle"))) > discs


def test_the_text_of_a_small_tree() -> None:
    """X to move can win at c1; alpha-beta looks at nothing else."""
    game = games.parse("morpion")
    explanation = explain(game, game.position("XX-OO---- X"), parse_bot("minimax:depth=2"))
    assert draw_text(explanation, Style(), 100)[-3:] == [
        "■ MAX win in 1",
        "├─ c1 win in 1 ◀",
        "└─ not looked at: c2 a3 b3 c3",
    ]
    assert draw_text(explanation, Style(colour=True), 100)[-2] == "├─ \x1b[1;33mc1 win in 1 ◀\x1b[0m"


def test_minus_infinity_of_the_morpion_document() -> None:
    game = games.parse("morpion")
    explanation = explain(game, game.position("X---O---- X"), parse_bot("minimax:depth=2,style=min_max_play"))
    lost = explain(game, game.position("OO--X---- X"), parse_bot("minimax:depth=2,style=min_max_play"))
    assert "−∞" not in "\n".join(draw_text(explanation, Style(), 100))
    assert "├─ a2 □ MIN −∞" in draw_text(lost, Style(), 100)


def run(*arguments: str) -> int:
    return arbitre.main(["--lang", "en", "explain", *arguments])


def test_the_command_prints_a_tree(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("othello", "d3c5", "--bot", "minimax:depth=1,eval=discs") == 0
    captured = capsys.readouterr()
    assert "minimax:depth=1,eval=discs plays b6" in captured.out
    assert "└─ f6 3" in captured.out
    assert captured.err == ""


def test_the_command_prints_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("puissance4", "4453", "--bot", "lookahead:ply=1", "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["move"] == "1"
    assert answer["positions"] == answer["shown"] == len(answer["tree"]["children"]) == 7
    assert {child["value"] for child in answer["tree"]["children"]} == {50}
    assert run("puissance4", "--json", "--nodes", "5") == 0
    assert json.loads(capsys.readouterr().out)["shown"] <= 4


def test_the_command_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.svg"
    assert run("morpion", "b2a1", "--bot", "bfs", "--svg", str(file)) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert str(file) in captured.err
    assert run("morpion", "b2a1", "--bot", "bfs", "--svg", "-") == 0
    assert capsys.readouterr().out == file.read_text(encoding="utf-8")
    assert run("morpion", "--svg", str(tmp_path / "nowhere" / "tree.svg")) == 1
    assert "can't be written" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["chess"], "the games are"),
        (["morpion", "b2b2"], "b2"),
        (["morpion", "zz"], "a transcript is moves"),
        (["morpion", "--bot", "rndom"], "There is no bot called"),
        (["morpion", "--bot", "first"], "first can't be explained"),
        (["morpion", "--bot", "minimax:style=tp23"], "style=tp23 is about othello"),
        (["morpion", "a1a2b1b2c1", "--bot", "first"], "first can't be explained"),
        (["morpion", "--side", "third"], "--side"),
        (["morpion", "--nodes", "1"], "--nodes"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err.splitlines()[-1]


def test_a_drawing_shows_the_way_of_a_piece_and_what_stands_around_the_board() -> None:
    game = games.parse("breakthrough:size=4")
    drawing = draw_svg(explain(game, game.start(), parse_bot("minimax:depth=1")), 60)
    assert drawing.count('class="way"') == len(game.start().legal_moves())
    labels = [element.text for element in ET.fromstring(drawing).iter() if element.get("font-size") == "14"]
    assert labels == [*"abcd", *"4321"]
    other = games.parse("morpion")
    assert 'class="way"' not in draw_svg(explain(other, other.start(), parse_bot("minimax:depth=1")), 60)


def test_where_a_tree_is_too_deep_to_be_indented_levels_are_numbered() -> None:
    game = games.parse("puissance4:width=5,height=5,k=5")
    lines = draw_text(explain(game, game.start(), parse_bot("dfs")), Style(), 60)
    assert max(map(cells_wide, lines)) <= WIDTH
    indented = [line for line in lines if line.strip().startswith("└─")]
    assert [line.index("└") for line in indented] == [3 * min(level, 16) for level in range(21)]
    assert [line.split()[1] for line in indented[15:]] == ["16.", "[17]", "[18]", "[19]", "[20]", "[21]"]
    assert lines[-2].startswith("From level 17 on")
    shallow = draw_text(explain(game, game.start(), parse_bot("minimax:depth=2")), Style(), 60)
    assert not any(line.startswith("From level") for line in shallow)


def test_a_drawing_and_errors_call_a_game_by_its_title() -> None:
    drawing = draw_svg(explain(games.parse("morpion"), games.parse("morpion").start(), parse_bot("minimax:depth=1")), 9)
    assert "<title>Tic-tac-toe: minimax:depth=1 plays" in drawing


@pytest.mark.parametrize("seat", Seat)
def test_who_moves_is_read_below_a_board_whose_column_numbers_touch_each_other(seat: Seat) -> None:
    """Ten columns: nobody has to guess from the discs, which don't tell who has passed."""
    game = games.parse("othello:size=10")
    position = with_side(game, game.start(), seat)
    text = "\n".join(draw_text(explain(game, position, parse_bot("minimax:depth=1")), Style(), WIDTH))
    assert " 8 910\n" in text
    assert read_position(game, text) == position
