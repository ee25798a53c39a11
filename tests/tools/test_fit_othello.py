"""The script that makes the weights of the Othello evaluation: a tiny run from nothing, stopped and gone on with."""

import zlib
from array import array
from pathlib import Path
from types import ModuleType

import pytest

from bots.search.othello_patterns import STAGES, WEIGHTS, layout, pack_weights, stored_places, stored_weights, twins

np = pytest.importorskip("numpy")


@pytest.fixture(scope="module")
def fit_othello() -> ModuleType:
    """The script, which is compiled when it is imported: not while tests are collected."""
    module: ModuleType = pytest.importorskip("tools.fit_othello")
    return module


@pytest.mark.slow
def test_a_fit_finds_the_weights_that_made_the_labels(fit_othello: ModuleType) -> None:
    rng = np.random.default_rng(1)
    weights = rng.normal(size=40)
    columns = rng.integers(0, 40, size=(4000, 5), dtype=np.int32)
    labels = weights[columns].sum(axis=1)
    found = fit_othello.fit(columns, labels, np.ones(4000), np.zeros(40))
    assert np.abs(found - weights).max() < 0.05


def test_packing_keeps_one_of_each_pair_of_twins(fit_othello: ModuleType) -> None:
    first, distinct, stages = twins(), len(set(twins())), [[0] * layout().size for _ in range(STAGES)]
    for place, twin in enumerate(first):
        stages[3][place] = twin % 1000
    stored = array("h", zlib.decompress(pack_weights(stages)))
    assert len(stored) == len(stored_weights()) == STAGES * distinct
    assert [stored[3 * distinct + place] for place in stored_places()] == stages[3]


@pytest.mark.slow
def test_a_run_makes_a_file_and_goes_on_where_it_was(
    fit_othello: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(fit_othello, "CHUNK", 2)
    monkeypatch.setattr(fit_othello, "LABELS", 6)
    monkeypatch.setattr(fit_othello, "STEPS", 4)  # that they find the weights is shown above
    fit_othello.main([str(tmp_path), "--games", "4", "--generations", "1"])
    assert "stage 14" in capsys.readouterr().err
    made = (tmp_path / WEIGHTS.name).read_bytes()
    (tmp_path / "generation0" / "weights.npy").unlink()
    (tmp_path / "generation0" / "stage7.npz").unlink()
    fit_othello.main([str(tmp_path), "--games", "4", "--generations", "1"])
    assert ".npy" not in capsys.readouterr().err, "the games were played before"
    assert (tmp_path / WEIGHTS.name).read_bytes() == made
