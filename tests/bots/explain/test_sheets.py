"""Side by side, step by step, and as an exercise: what each sheet shows, and what it keeps back."""

import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import arbitre
import games
from bots.base import parse_bot
from bots.explain.comparing import compare, draw_both, draw_both_svg, table
from bots.explain.sheets import Sheet, blanks_of, source_of, steps_of
from bots.explain.svg import draw_svg
from bots.explain.traces import explain
from bots.explain.tree import ExplainError, Explanation, select
from bots.explain.words import value_text
from games.base import position_after
from locales import set_language
from terminal.board import Style
from terminal.text import cells_wide
from tests.bots.classroom.samples import positions

SVG = "{http://www.w3.org/2000/svg}"


def explained(spec: str, moves: str, bot: str) -> Explanation:
    game = games.parse(spec)
    position = position_after(game, game.parse_transcript(moves))
    return explain(game, position, parse_bot(bot))


TREES = [
    ("morpion", "b2 a1 c1", "minimax:depth=2,style=plain"),
    ("morpion", "b2 a1 c1 a3", "minimax:depth=2"),
    ("othello:size=4", "", "minimax:depth=2"),
    ("puissance4:width=4,height=4,k=3", "", "lookahead:ply=2"),
    ("morpion", "b2 a1 c1 a3 a2 c2", "minimax_search"),
    ("breakthrough:size=4", "", "minimax:depth=1"),
]


def values(drawing: str) -> list[str]:
    """The bold texts of a drawing that stand within cards: the values."""
    found = [each for each in ET.fromstring(drawing).iter(f"{SVG}text") if each.get("font-size") == "22"]
    return [each.text or "" for each in found if each.get("font-weight") == "bold" and each.get("class") != "rising"]


@pytest.mark.parametrize(("spec", "moves", "bot"), TREES)
def test_an_exercise_keeps_back_what_is_to_be_found(spec: str, moves: str, bot: str) -> None:
    explanation = explained(spec, moves, bot)
    exercise, solution = (draw_svg(explanation, 60, sheet) for sheet in (Sheet.EXERCISE, Sheet.SOLUTION))
    blanks = blanks_of(explanation, select(explanation.root, 60))
    assert exercise.count('class="blank"') == len(blanks) >= 1
    assert len(values(exercise)) == len(values(solution)) - len(blanks)
    assert solution.count('class="blank"') == 0
    for sign in ("#0b57c9", "#b3261e", f"plays {explanation.move}"):  # what is chosen, what is cut off, the move
        assert sign not in exercise
    assert "#0b57c9" in solution
    assert value_text(explanation, explanation.root) in values(solution)


@pytest.mark.parametrize(("spec", "moves", "bot"), TREES)
def test_both_sheets_lie_on_each_other(spec: str, moves: str, bot: str) -> None:
    explanation = explained(spec, moves, bot)
    frames = []
    for sheet in (Sheet.EXERCISE, Sheet.SOLUTION):
        cards = [
            each for each in ET.fromstring(draw_svg(explanation, 60, sheet)).iter(f"{SVG}rect") if "rx" in each.attrib
        ]
        frames.append([(each.get("width"), each.get("height"), each.get("y")) for each in cards])
    assert frames[0] == frames[1]


def test_the_width_of_a_blank_says_nothing() -> None:
    explanation = explained("morpion", "b2 a1 c1", "minimax:depth=2")  # values are "loss in 2" and numbers
    cards = ET.fromstring(draw_svg(explanation, 60, Sheet.EXERCISE)).iter(f"{SVG}rect")
    blanks = {each.get("width") for each in cards if each.get("class") == "blank"}
    assert len(blanks) == 2  # the root's, and those of the moves


@pytest.mark.parametrize("bot", ["dfs", "bfs"])
def test_an_exercise_needs_values(bot: str) -> None:
    with pytest.raises(ExplainError, match="needs values"):
        draw_svg(explained("morpion", "b2 a1", bot), 60, Sheet.EXERCISE)


def test_an_exercise_needs_all_that_a_value_comes_from() -> None:
    with pytest.raises(ExplainError, match="too large"):
        draw_svg(explained("othello", "d3", "minimax:depth=2"), 2, Sheet.EXERCISE)
    with pytest.raises(ExplainError, match="too large"):
        draw_svg(explained("morpion", "a1 a2 b1 b2 c1", "minimax:depth=2"), 60, Sheet.EXERCISE)


@pytest.mark.parametrize(("spec", "moves", "bot"), TREES)
def test_values_appear_after_those_that_they_come_from(spec: str, moves: str, bot: str) -> None:
    explanation = explained(spec, moves, bot)
    shown = select(explanation.root, 60)
    steps = steps_of(explanation.root, shown)
    assert steps.keys() == shown
    assert max(steps.values()) == steps[explanation.root] <= 90
    for node in shown:
        for child in node.children:
            assert child not in shown or steps[child] < steps[node]
        source = source_of(node, shown)
        assert source is None or (source in node.children and source.value == node.value)
    drawing = draw_svg(explanation, 60, Sheet.STEPS)
    assert sorted(values(drawing)) == sorted(values(draw_svg(explanation, 60)))
    assert drawing.count('class="rising"') == sum(source_of(node, shown) is not None for node in shown)
    delays = {float(delay) for delay in re.findall(r'class="value" style="animation-delay:([0-9.]+)s"', drawing)}
    assert delays == set(steps.values())


def test_the_steps_are_a_static_file_that_respects_less_motion() -> None:
    drawing = draw_svg(explained("morpion", "b2 a1", "minimax:depth=2"), 60, Sheet.STEPS)
    assert "<script" not in drawing
    assert "href" not in drawing
    assert "url(" not in drawing
    assert "@media(prefers-reduced-motion:reduce){.value,.rising{animation:none}}" in drawing
    assert "@media print{.value,.rising{animation:none}}" in drawing
    assert "opacity" not in drawing.split("</style>")[1]  # without the animation everything is seen


# -- side by side


SMALL = ["othello:size=6", "puissance4:width=5,height=4,k=3", "morpion", "breakthrough:size=4"]


@pytest.mark.parametrize("spec", SMALL)
@pytest.mark.parametrize("depth", [1, 3])
def test_alpha_beta_sees_less_and_finds_the_same(spec: str, depth: int) -> None:
    game = games.parse(spec)
    for position in positions(game, 5, 4):
        comparison = compare(game, position, parse_bot(f"minimax:depth={depth}"))
        whole, cut = comparison.plain, comparison.cut
        assert whole.root.value == cut.root.value
        assert sum(counts[0] for counts in comparison.levels) == whole.positions
        assert sum(counts[1] for counts in comparison.levels) == cut.positions
        assert comparison.saved == whole.positions - cut.positions >= 0
        assert all(one >= other for one, other in comparison.levels)
        lines = draw_both(comparison, Style(), 40)
        assert max(map(cells_wide, lines)) <= 80
        assert len(list(table(comparison))) == len(comparison.levels) + 2
        drawing = ET.fromstring(draw_both_svg(comparison, 40))
        assert len(list(drawing.iter(f"{SVG}svg"))) == 3


def test_the_table_and_the_rows_of_a_small_tree() -> None:
    game = games.parse("othello:size=4")
    comparison = compare(game, game.start(), parse_bot("minimax:depth=2,style=plain"))
    assert list(table(comparison)) == [
        "   level     plain  alphabeta      saved",
        "       1         4          4        0 %",
        "       2        12          6       50 %",
        "     all        16         10       38 %",
    ]
    rows = draw_both(comparison, Style(), 40)
    assert sum(row.endswith("cut off") for row in rows) == 6


def test_the_headings_are_french_for_who_reads_french() -> None:
    game = games.parse("othello:size=4")
    comparison = compare(game, game.start(), parse_bot("minimax:depth=1"))
    set_language("fr")
    try:
        lines = draw_both(comparison, Style(), 40)
        heads = [line for line in lines if "sans coupures" in line]
        assert heads[0].split() == ["niveau", "sans", "coupures", "alpha-bêta", "épargné"]
        assert len(heads) == 2
        assert {len(line) for line in table(comparison)} == {len(heads[0])}, "numbers stand below their headings"
    finally:
        set_language("en")


def run(*arguments: str) -> int:
    return arbitre.main(["--lang", "en", "explain", *arguments])


def test_the_command_writes_the_sheets(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "tree.svg"
    assert run("morpion", "b2 a1 c1", "--exercise", str(file)) == 0
    assert "Exercise." in file.read_text(encoding="utf-8")
    assert "Solution." in (tmp_path / "tree-solution.svg").read_text(encoding="utf-8")
    assert run("morpion", "b2 a1 c1", "--steps", "--svg", str(file)) == 0
    assert "@keyframes" in file.read_text(encoding="utf-8")
    assert run("morpion", "b2 a1 c1", "--compare", "--svg", str(file)) == 0
    assert capsys.readouterr().out == ""
    assert run("morpion", "b2 a1 c1", "--compare") == 0
    assert "alphabeta" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--compare", "--bot", "dfs"], "--compare is for minimax"),
        (["--compare", "--bot", "minimax:style=min_max_play"], "--compare is for minimax"),
        (["--compare", "--position", "XXXOO----"], "The game is over"),
        (["--compare", "--steps"], "go alone"),
        (["--steps"], "needs --svg"),
        (["--exercise", "a.svg", "--svg", "b.svg"], "go alone"),
        (["--exercise", "a.svg", "--json"], "go alone"),
        (["--exercise", "a.svg", "--bot", "dfs"], "needs values"),
        (["--compare", "--bot", "minimax:depth=9"], "more than 200000 positions"),
    ],
)
def test_what_can_not_be_is_said(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if "depth=9" in arguments[-1]:
        for module in ("traces", "tree"):
            monkeypatch.setattr(f"bots.explain.{module}.MOST_POSITIONS", 1000)
        sentence = sentence.replace("200000", "1000")
    assert run("morpion", *arguments) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert sentence in captured.err.splitlines()[-1]
