"""The mutation run: which mistakes it makes, and that it tells those that tests notice from those that they don't."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from benchmarks import mutations
from benchmarks._equivalent_mutants import EQUIVALENT
from benchmarks._mutants import mutants
from benchmarks.mutations import ROOT, TESTS, Copies, Place, concerning, draw, sources, try_all


def made(source: str) -> list[str]:
    """Every mutant of a source."""
    return [mutant.of(source) for mutant in mutants(source)]


@pytest.mark.parametrize(
    ("source", "others"),
    [
        ("a < b", ["(a <= b)"]),
        ("a in b", ["(a not in b)"]),
        ("é = a + b", ["é = (a - b)"]),
        ("a and b or c", ["((a and b) and c)", "(a or b) or c"]),
        ("True", ["False"]),
        ("7", ["(6)", "8"]),
        ("MOST = 99", ["MOST = (98)", "MOST = 100"]),
        ("MOST = 100", []),
        ("MOST: Final = 7_200.0", []),
        ("MOST = 10**9", []),
        ("MOST = 1 << 20", []),
        ("MOST = 60 * 60", []),
        ("_log.info('text', a + 1)", []),
        ("a = round(b, 6)", ["a = (round(6, b))"]),
        ("a = hmac.compare_digest(b, c)", []),
        ("a -= b", ["a += b", "pass"]),
        ("if a:\n    b", ["if (not a):\n    b"]),
        ("[a for a in b if c]", ["[a for a in b if (not c)]"]),
        ("f(a, b)", ["(f(b, a))", "pass"]),
        ("a = f(b, b)", []),
        ("a = max(b, c)", []),
        ("range(a)", ["(range(a + 1))", "(range(a - 1))", "pass"]),
        ("a.b = c", ["pass"]),
        ("raise A", ["pass"]),
        ("def f(a: int = 1) -> 2: 'text'", ["def f(a: int = (0)) -> 2: 'text'", "def f(a: int = 2) -> 2: 'text'"]),
        ("assert a < 1", []),
        ("'a' + b", []),
        ("A = Ab | Cd | None", []),
        ("if TYPE_CHECKING:\n    import a", []),
        ("@d(1)\nclass A(B, slots=True):\n    a: Literal[1]", []),
        ("a = f'{b + 1}'", []),
    ],
)  # fmt: skip
def test_its_mistakes_are_of_these_kinds(source: str, others: list[str]) -> None:
    assert sorted(made(source)) == sorted(others)


def test_each_mutant_of_our_sources_is_a_program_that_differs() -> None:
    source = (ROOT / "server" / "match" / "clock.py").read_text(encoding="utf-8")
    for other in made(source):
        assert ast.dump(ast.parse(other)) != ast.dump(ast.parse(source))


def test_every_source_has_tests_and_every_exception_is_still_one() -> None:
    for name, tests in TESTS.items():
        assert (ROOT / name).exists(), name
        for test in tests:
            assert (ROOT / test).exists(), test
    assert all(concerning(file) for file in sources(None))
    assert concerning("bots/classroom/random_bot.py") == ()
    assert sources("server/match/clock.py") == ["server/match/clock.py"]
    assert "games/othello.py" in sources("games")
    for file, before, after in EQUIVALENT:
        places = [Place(file, mutant) for mutant in mutants((ROOT / file).read_text(encoding="utf-8"))]
        assert any(place.is_equivalent() for place in places), (file, before, after)


def test_a_seed_draws_the_same_mutants_and_no_equivalent_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    files = ["server/match/clock.py", "league/statistics/elo.py"]
    first = draw(files, 20, 3)
    assert draw(files, 20, 3) == first
    assert draw(files, 20, 4) != first
    rows = first[0].diff().splitlines()
    known = (first[0].file, rows[1][1:].strip(), rows[2][1:].strip())
    monkeypatch.setattr(mutations, "EQUIVALENT", {**EQUIVALENT, known: "for this test"})
    assert draw(files, 19, 3) == first[1:]


@pytest.mark.slow
def test_those_that_tests_notice_are_told_from_those_that_survive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "limit.py").write_text("def small(number):\n    return number < 10\n", encoding="utf-8")
    (root / "test_limit.py").write_text(
        "from limit import small\n\ndef test():\n    assert small(3)\n    assert not small(10)\n", encoding="utf-8"
    )
    (root / "pytest.ini").write_text("[pytest]\nmarkers = slow\npythonpath = .\n", encoding="utf-8")
    monkeypatch.setitem(TESTS, "limit.py", ("test_limit.py",))
    copies = Copies(tmp_path / "copies", 1, 1, root)
    places = [Place("limit.py", mutant) for mutant in mutants((root / "limit.py").read_text(encoding="utf-8"))]
    assert [place.mutant.text for place in places] == ["(number <= 10)", "(9)", "11"]
    (survivor,) = try_all(places, copies, 1)
    assert survivor.diff(root).splitlines() == [
        "limit.py:2 (constant)", "-    return number < 10", "+    return number < (9)",
    ]  # fmt: skip
    assert capsys.readouterr().err.count("noticed") == 2
    (root / "test_limit.py").write_text("def test():\n    assert False\n", encoding="utf-8")
    with pytest.raises(SystemExit, match="without a mistake this fails"):
        try_all(places, Copies(tmp_path / "others", 1, 1, root), 1)
