"""The table of a league on the full screen."""

from __future__ import annotations

from client.tui.league_table import table_text
from protocol.values import ScoreRow


def test_who_has_not_played_has_a_dash_for_a_rating() -> None:
    rows = (ScoreRow("Ada", 1, 2, 2, 60.0, 40.0), ScoreRow("Bob", 2, 0, 0))
    _head, ada, bob = table_text(rows, 60).plain.splitlines()
    assert ada.split() == ["1", "Ada", "2", "2", "+60", "±40"]
    assert bob.split() == ["2", "Bob", "0", "0", "–"]
