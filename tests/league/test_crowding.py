"""More bots that think than cores: whoever tests an engine is told, since clocks run meanwhile."""

import pytest

from league.commands import crowding


@pytest.mark.parametrize(
    ("at_once", "is_timed", "ponders", "thinking"),
    [(4, True, False, 0), (5, True, False, 5), (5, False, False, 0), (2, True, True, 0), (3, True, True, 6)],
)
def test_it_is_said_when_clocks_run_while_bots_wait(
    at_once: int,
    thinking: int,
    *,
    is_timed: bool,
    ponders: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(crowding, "cores", lambda: 4)
    crowding.warn_if_crowded(at_once, is_timed=is_timed, ponders=ponders)
    said = capsys.readouterr().err
    assert bool(said) is bool(thinking)
    if thinking:
        assert said.startswith(f"Up to {thinking} bots think at once on 4 cores, and their clocks run")
