"""`python -m tests.games.with_more serve ...`: Arbitre with the games of tests among its own."""

from __future__ import annotations

import sys
from types import MappingProxyType

import games
from tests.games.checkers import Checkers, Holed
from tests.games.crowning import Crowning
from tests.games.fencing import Fencing
from tests.games.sowing import Sowing

if __name__ == "__main__":
    MORE = (Checkers, Holed, Crowning, Sowing, Fencing)
    games.GAMES = MappingProxyType({**games.GAMES, **{kind.id: kind for kind in MORE}})  # type: ignore[misc]

    import arbitre

    sys.exit(arbitre.main())
