"""A program is tried as it is run later: what passes its check does not fail in a league for another bound."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from school.programs.examining import TESTS
from school.programs.trial_process import main
from school.programs.trials import MEMORY_BYTES

SOURCE = "held = bytearray({count})\ndef choose(position):\n    return position.legal_moves()[0]\n"


@pytest.mark.skipif(sys.platform != "linux", reason="memory is bounded on Linux only")
@pytest.mark.parametrize(("share", "passes"), [(0.5, True), (1.2, False)])
def test_what_takes_more_memory_than_a_league_gives_does_not_pass(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, share: float, *, passes: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("large.py").write_text(SOURCE.format(count=round(share * MEMORY_BYTES)), encoding="utf-8")
    main(["check", "large.py", "morpion", "2s/move", "seed"])
    said = capsys.readouterr().out
    assert (f'"passed":{TESTS}' in said) == passes, said
    assert ("memory" in said) != passes
