"""How many small mistakes the tests notice, in the rules, the referee's core, the pairings and the ratings of leagues.

    python3 run.py bench mutations --count 100 --seed 1
    python3 run.py bench mutations --count 40 --only server/match/clock.py

Each mutant (benchmarks/_mutants.py) is one mistake in a copy of Arbitre, on which only the tests run that concern its
file: TESTS says which. A mutant that they fail for, or that keeps them busy for far longer than before, is noticed.
Prints the share that is noticed and each survivor as a diff. 1 if fewer are noticed than --aim asks for.

Which mutants are drawn depends on --seed and on the sources alone. EQUIVALENT names those that change nothing that
anybody could see, with the reason: they are not drawn.
"""

from __future__ import annotations

import argparse
import difflib
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks._mutants import Mutant, mutants

ROOT = Path(__file__).parents[1]
GAMES = (
    "tests/games",
    "tests/server/match/test_endings.py",
    "tests/conformance/test_games.py",
    "tests/terminal/test_board.py",
    "tests/client/test_typing.py",
)
MATCHES = (
    "tests/server/match/test_match.py",
    "tests/server/referee/test_referee.py",
    "tests/server/match/test_thinking_time.py",
    "tests/server/referee/test_restore.py",
    "tests/server/match/test_outages.py",
    "tests/server/referee/test_security_organisers.py",
    "tests/server/referee/test_talk_bounds.py",
    "tests/server/referee/test_referee_machine.py",
)
SESSIONS = (
    "tests/server/referee/test_sessions.py",
    "tests/server/referee/test_quotas.py",
    "tests/server/referee/test_league_keys.py",
    "tests/server/referee/test_leagues.py",
    "tests/server/referee/test_referee_sessions.py",
    "tests/server/referee/test_privacy.py",
    "tests/server/test_memory.py",
    "tests/server/referee/test_services.py",
    "tests/server/referee/test_house.py",
    "tests/server/match/test_boards.py",
)
LOBBY = (
    "tests/server/referee/test_lobby.py",
    "tests/server/referee/test_listing.py",
    "tests/server/referee/test_referee_sessions.py",
    "tests/server/referee/test_privacy.py",
    "tests/server/test_memory.py",
)

TESTS: dict[str, tuple[str, ...]] = {
    "games/": GAMES,
    "games/ggf.py": (*GAMES, "tests/server/records/test_ggf.py"),
    "games/othello_board.py": (*GAMES, "tests/bots/search/test_othello_search.py"),
    "games/rulebook.py": ("tests/protocol/test_docs.py",),
    "server/match/match.py": ("tests/server/match/test_transitions.py", *MATCHES),
    "server/match/fold.py": ("tests/server/match/test_transitions.py", "tests/server/match/test_fold.py", *MATCHES),
    "server/match/transitions.py": (
        "tests/server/match/test_transitions.py",
        "tests/server/records/test_records.py",
        *MATCHES,
    ),
    "server/match/terms.py": ("tests/server/match/test_gifts.py", *MATCHES),
    "server/match/absences.py": MATCHES,
    "server/match/clock.py": ("tests/server/match/test_clock.py", "tests/server/test_fairtime.py", *MATCHES),
    "server/match/history.py": (
        "tests/server/referee/test_lobby.py",
        "tests/server/referee/test_referee_sessions.py",
        *MATCHES,
    ),
    "server/referee/requests/play.py": ("tests/server/match/test_gifts.py", *MATCHES),
    "server/referee/requests/offers.py": (
        "tests/server/referee/test_table.py",
        *MATCHES,
        "tests/server/referee/test_letters.py",
    ),
    "server/referee/requests/talk.py": (
        *MATCHES,
        "tests/server/connections/test_outspoken.py",
        "tests/server/referee/test_privacy.py",
    ),
    "server/referee/sessions.py": SESSIONS,
    "server/referee/referee.py": (
        "tests/server/referee/test_table.py",
        "tests/server/test_fairtime.py",
        "tests/server/referee/test_delaying.py",
        *MATCHES,
        *SESSIONS,
        "tests/server/referee/test_letters.py",
        "tests/server/referee/test_scoreboards.py",
    ),
    "server/referee/table.py": (
        "tests/server/referee/test_table.py",
        *LOBBY,
        *MATCHES,
        "tests/server/referee/test_delaying.py",
        "tests/server/referee/test_seat_links.py",
        "tests/server/referee/test_house.py",
        "tests/server/match/test_gifts.py",
    ),
    "server/referee/lobby.py": (
        *LOBBY,
        "tests/server/referee/test_restore.py",
        "tests/server/referee/test_seat_links.py",
        "tests/server/referee/test_referee.py",
    ),
    "server/referee/listing.py": (*LOBBY, "tests/server/referee/test_scoreboards.py"),
    "server/referee/ratelimit.py": (
        "tests/server/admission/test_security_rates.py",
        "tests/server/connections/test_handshakes.py",
        "tests/server/connections/test_fair_queue.py",
        "tests/server/admission/test_guessing.py",
        "tests/server/referee/test_letters.py",
    ),
    "server/admission/host_names.py": ("tests/server/admission/test_host_names.py",),
    "league/pairing/balance.py": (
        "tests/league/pairing/test_drawing.py",
        "tests/league/pairing/test_openings.py",
        "tests/league/pairing/test_forced_lines.py",
    ),
    "league/statistics/elo.py": (
        "tests/league/statistics/test_ratings.py",
        "tests/league/statistics/test_sprt.py",
        "tests/league/statistics/test_comparable.py",
    ),
    "league/statistics/linear.py": (
        "tests/league/statistics/test_linear.py",
        "tests/league/statistics/test_ratings.py",
    ),
    "league/pairing/matching.py": ("tests/league/pairing/test_matching.py", "tests/league/pairing/test_pairings.py"),
    "league/pairing/openings.py": (
        "tests/league/pairing/test_openings.py",
        "tests/league/pairing/test_drawing.py",
        "tests/league/pairing/test_schedule.py",
    ),
    "league/pairing/pairings.py": ("tests/league/pairing/test_pairings.py", "tests/league/pairing/test_schedule.py"),
    "league/statistics/ratings.py": (
        "tests/league/statistics/test_ratings.py",
        "tests/league/statistics/test_standings.py",
    ),
    "league/pairing/schedule.py": ("tests/league/pairing/test_schedule.py", "tests/league/history/test_season.py"),
    "league/statistics/sprt.py": ("tests/league/statistics/test_sprt.py", "tests/league/history/test_season.py"),
    "league/statistics/standings.py": (
        "tests/league/statistics/test_standings.py",
        "tests/league/report/test_table_text.py",
    ),
    "league/pairing/swiss.py": ("tests/league/pairing/test_pairings.py",),
}
"""A source, or a folder of sources -> the tests that concern it, the quick ones first."""

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "league/statistics/ratings.py",
        "return max(variance, 0.0)",
        "return max(variance, (-1.0))",
    ): "less than nothing by rounding alone",
    ("games/lines.py", "_TABLE_BITS = 12", "_TABLE_BITS = 13"): "a number that was chosen",
    ("games/base.py", "return Phrase(words[0])", "return Phrase(words[(-1)])"): "there is one word",
    (
        "games/coordinates.py",
        "return int(digits) if len(digits) <= 4 else 9999",
        "return int(digits) if len(digits) <= 4 else 10000",
    ): "no board is that large",
    ("games/perft.py", "if depth == 1:", "if depth == (0):"): "the last moves are counted one by one",
    (
        "league/statistics/ratings.py",
        "centre -= math.fsum(fit.values[: len(names)]) / len(names) * ELO_PER_NAT",
        "centre += math.fsum(fit.values[:len(names)]) / len(names) * ELO_PER_NAT",
    ): "the mean is 0 but for rounding, by the prior",
    (
        "server/referee/listing.py",
        "if len(self._tables) + len(self._players) > MOST_UNTOLD:",
        "if (len(self._tables) + len(self._players) >= MOST_UNTOLD):",
    ): "a bound that was chosen",
    (
        "games/lines.py",
        "for step in range(1, self.k):",
        "for step in range((0), self.k):",
    ): "what is there already, again",
    ("server/referee/listing.py", "_SPARE = 64", "_SPARE = (63)"): "a number that was chosen",
    (
        "games/lines.py",
        "pitch = size + (k - 1) * directions[-1]",
        "pitch = size + (k - (0)) * directions[-1]",
    ): "lanes that are wider than they have to be",
    (
        "league/pairing/openings.py",
        "for _try in range(_TRIES):",
        "for _try in (range(_TRIES - 1)):",
    ): "a number that was chosen",
    ("server/match/clock.py", "self._grace = 0", "pass"): "nothing reads it before `start` sets it",
    ("server/match/match.py", 'self._may("say")', "pass"): "the table lets players talk in any state",
    (
        "games/othello_board.py",
        "rays = {1 << y * size + x: _rays(size, x, y) for y in range(size) for x in range(size)}",
        "rays = {1 << y * size + x: _rays(size, x, y) for y in range(size) for x in (range(size + 1))}",
    ): "what stands beside the board is overwritten by the next row, or nobody asks for it",
    (
        "league/pairing/matching.py",
        "heaviest = max((weight for row in self._weights for weight in row), default=0)",
        "heaviest = max((weight for row in self._weights for weight in row), default=1)",
    ): "nobody is there to be matched",
    (
        "league/pairing/pairings.py",
        "(opponent, challenger) if (number + place) % 2 else (challenger, opponent)",
        "(opponent, challenger) if ((number - place)) % 2 else (challenger, opponent)",
    ): "sum and difference are both even, or both odd",
    (
        "games/othello.py",
        "board: OthelloBoard = field(init=False, repr=False, compare=False)",
        "board: OthelloBoard = field(init=False, repr=False, compare=True)",
    ): "equal rules have the same board",
    (
        "games/puissance4.py",
        "for full in range(1 << width)",
        "for full in (range((1 << width) + 1))",
    ): "one more than all columns has the key of none, and the same columns",
    (
        "league/statistics/ratings.py",
        "if longest < 1e-10:",
        "if longest < (-0.9999999999):",
    ): "it goes on, and stays where it is",
    (
        "server/match/match.py",
        "left_ms -= max(0, math.floor((now - stood) * 1000))",
        "left_ms -= max((-1), math.floor((now - stood) * 1000))",
    ): "no sign of life comes from the future",
    (
        "games/lines.py",
        "one, other, rest = factors[0], factors[-1], tuple(factors[1:-1])",
        "one, other, rest = factors[0], factors[-1], tuple(factors[(0):-1])",
    ): "the same condition twice",
    (
        "league/pairing/matching.py",
        "elif (meeting := self._meeting(here, there)) is not None:",
        "elif (meeting := (self._meeting(there, here))) is not None:",
    ): "what both ways have in common first is the same from both ends",
    (
        "league/statistics/ratings.py",
        "centre -= math.fsum(fit.values[: len(names)]) / len(names) * ELO_PER_NAT",
        "pass",
    ): "the prior has the mean there already; this takes off 1e-8 Elo of rounding",
    (
        "league/pairing/matching.py",
        "highest = max((cost for row in costs for cost in row), default=0)",
        "highest = max((cost for row in costs for cost in row), default=(-1))",
    ): "nobody is there to be matched",
    (
        "league/pairing/schedule.py",
        "if self.games_per_pair < 2 or self.games_per_pair % 2:",
        "if self.games_per_pair < (1) or self.games_per_pair % 2:",
    ): "1 is odd",
    ("games/othello_board.py", "break", "pass"): "nothing runs on from no run: the same, after more steps",
    (
        "server/referee/listing.py",
        "if len(self._numbers) > len(self._tables) + len(self._tables) // 8 + _SPARE:",
        "if len(self._numbers) > len(self._tables) + len(self._tables) // 9 + _SPARE:",
    ): "a number that was chosen",
    (
        "server/referee/listing.py",
        "if len(self._numbers) > len(self._tables) + len(self._tables) // 8 + _SPARE:",
        "if (len(self._numbers) >= len(self._tables) + len(self._tables) // 8 + _SPARE):",
    ): "one more or less that waits to be cleared away",
    ("server/referee/lobby.py", "_ATTEMPTS = 64", "_ATTEMPTS = (63)"): "never reached: once in 10^19 times",
    ("server/referee/lobby.py", "_ATTEMPTS = 64", "_ATTEMPTS = 65"): "never reached: once in 10^19 times",
    ("server/referee/sessions.py", "GIVEN_AGAIN = 3", "GIVEN_AGAIN = (2)"): "a number that was chosen",
    ("server/referee/sessions.py", "GIVEN_AGAIN = 3", "GIVEN_AGAIN = 4"): "a number that was chosen",
    (
        "server/referee/referee.py",
        "begun = False",
        "begun = True",
    ): "of a clock that runs already, the flag is in the heap",
    ("server/match/clock.py", "self._grace = 0", "self._grace = (-1)"): "nothing reads it before `start` sets it",
    ("server/match/clock.py", "self._grace = 0", "self._grace = 1"): "nothing reads it before `start` sets it",
    (
        "league/pairing/balance.py",
        "legal = kernel.legal(own, other)",
        "legal = (kernel.legal(other, own))",
    ): "which cells are free is the same from both sides",
    (
        "league/pairing/balance.py",
        "search = PositionSearch(position.to_move, lambda _position, _seat: 0)",
        "search = PositionSearch(position.to_move, lambda _position, _seat: (-1))",
    ): "any small number: only a forced end is asked for",
    (
        "league/pairing/balance.py",
        "search = PositionSearch(position.to_move, lambda _position, _seat: 0)",
        "search = PositionSearch(position.to_move, lambda _position, _seat: 1)",
    ): "any small number: only a forced end is asked for",
    (
        "league/pairing/balance.py",
        "return abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) < WIN // 2",
        "return abs(search.run(position, position.legal_moves(), range(2, PLIES + 1)).value) < WIN // 2",
    ): "the last depth decides",
    (
        "league/pairing/balance.py",
        "return abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) < WIN // 2",
        "return (abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) <= WIN // 2)",
    ): "values are near 0 or near WIN",
    (
        "league/pairing/balance.py",
        "return abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) < WIN // 2",
        "return abs(search.run(position, position.legal_moves(), range(1, PLIES + 1)).value) < WIN // 3",
    ): "values are near 0 or near WIN",
    (
        "league/pairing/balance.py",
        "if not self._falls and plies < 5:",
        "if not self._falls and plies < (4):",
    ): "a short cut to the same answer",
    (
        "league/pairing/balance.py",
        "if not self._falls and not threats and not self.wins(other, own, plies - 1):",
        "if not self._falls and not threats and not self.wins(other, own, plies - (0)):",
    ): "a short cut to the same answer, taken less often",
    (
        "league/pairing/swiss.py",
        "costs = [[0] * size for _row in range(size)]",
        "costs = [[(-1)] * size for _row in range(size)]",
    ): "nobody is matched with himself",
    (
        "league/pairing/swiss.py",
        "costs = [[0] * size for _row in range(size)]",
        "costs = [[1] * size for _row in range(size)]",
    ): "nobody is matched with himself",
    (
        "league/pairing/swiss.py",
        "boards = [(ranked[one], ranked[two]) for one, two in enumerate(mates) if one < two < len(ranked)]",
        "boards = [(ranked[one], ranked[two]) for one, two in enumerate(mates) if (one <= two < len(ranked))]",
    ): "nobody is matched with himself",
    (
        "league/pairing/swiss.py",
        "again, above = entrant.opponents.count(None), entrant.halves - ranked[-1].halves",
        "again, above = entrant.opponents.count(None), (entrant.halves + ranked[-1].halves)",
    ): "as much more for every player, of whom one has the bye",
    (
        "league/pairing/swiss.py",
        "again, above = entrant.opponents.count(None), entrant.halves - ranked[-1].halves",
        "again, above = entrant.opponents.count(None), entrant.halves - ranked[-(0)].halves",
    ): "as much more for every player, of whom one has the bye",
    (
        "league/pairing/swiss.py",
        "again, above = entrant.opponents.count(None), entrant.halves - ranked[-1].halves",
        "again, above = entrant.opponents.count(None), entrant.halves - ranked[-2].halves",
    ): "as much more for every player, of whom one has the bye",
    (
        "league/pairing/openings.py",
        "for _try in range(_TRIES):",
        "for _try in (range(_TRIES + 1)):",
    ): "a number that was chosen",
    ("league/pairing/schedule.py", "BLOCK: Final = 16", "BLOCK: Final = (15)"): "a number that was chosen",
    ("league/pairing/schedule.py", "BLOCK: Final = 16", "BLOCK: Final = 17"): "a number that was chosen",
    (
        "league/statistics/elo.py",
        "inside = low > 0 and high < 1",
        "inside = low > 0 and (high <= 1)",
    ): "no interval ends at exactly 0 or 1",
    (
        "league/statistics/elo.py",
        "inside = low > 0 and high < 1",
        "inside = (low >= 0) and high < 1",
    ): "no interval ends at exactly 0 or 1",
    (
        "league/statistics/elo.py",
        "return score - margin > 0 and score + margin < 1",
        "return (score - margin >= 0) and score + margin < 1",
    ): "no interval ends at exactly 0 or 1",
    (
        "league/statistics/elo.py",
        "return score - margin > 0 and score + margin < 1",
        "return score - margin > 0 and (score + margin <= 1)",
    ): "no interval ends at exactly 0 or 1",
    (
        "league/statistics/ratings.py",
        "_LONGEST_STEP: Final = 4.0",
        "_LONGEST_STEP: Final = 5.0",
    ): "a number that was chosen",
    (
        "league/statistics/ratings.py",
        "_LONGEST_STEP: Final = 4.0",
        "_LONGEST_STEP: Final = (3.0)",
    ): "a number that was chosen",
    (
        "league/statistics/ratings.py",
        "self.centre = math.fsum(anchors.values()) / len(anchors) if anchors else CENTRE",
        "self.centre = (math.fsum(anchors.values()) * len(anchors)) if anchors else CENTRE",
    ): "where the scale begins: strengths and anchors are both seen from there",
    (
        "league/statistics/ratings.py",
        "self.values = [0.0] * (len(free) + 1 + drawn)",
        "self.values = [(-1.0)] * (len(free) + 1 + drawn)",
    ): "another start, the same top",
    (
        "league/statistics/ratings.py",
        "self.values = [0.0] * (len(free) + 1 + drawn)",
        "self.values = [1.0] * (len(free) + 1 + drawn)",
    ): "another start, the same top",
    (
        "league/statistics/ratings.py",
        "for _step in range(200):",
        "for _step in range((199)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/ratings.py",
        "for _step in range(200):",
        "for _step in range(201):",
    ): "as many steps as are never needed",
    (
        "league/statistics/ratings.py",
        "for _step in range(200):",
        "for _step in (range(200 + 1)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/ratings.py",
        "for _step in range(200):",
        "for _step in (range(200 - 1)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/ratings.py",
        "if reached >= best - 1e-9 * abs(best) or factor < 1e-6:",
        "if (reached > best - 1e-09 * abs(best)) or factor < 1e-6:",
    ): "differs where nothing was played, and there it stays where it is",
    (
        "league/statistics/ratings.py",
        "if reached >= best - 1e-9 * abs(best) or factor < 1e-6:",
        "if reached >= best - 1e-9 * abs(best) or (factor <= 1e-06):",
    ): "no power of 2 is 1e-6",
    ("league/statistics/ratings.py", "factor /= 2", "factor /= 3"): "shorter steps, the same top",
    (
        "league/statistics/ratings.py",
        "centre -= math.fsum(fit.values[: len(names)]) / len(names) * ELO_PER_NAT",
        "centre -= (math.fsum(fit.values[:len(names)]) * len(names)) * ELO_PER_NAT",
    ): "the mean is 0 but for rounding, by the prior",
    (
        "league/statistics/ratings.py",
        "errors[player] = Z95 * ELO_PER_NAT * math.sqrt(max(variance, 0.0))",
        "errors[player] = Z95 * ELO_PER_NAT * math.sqrt(max(variance, (-1.0)))",
    ): "less than nothing by rounding alone",
    (
        "league/statistics/sprt.py",
        "if not low < at < high:",
        "if not (low <= at < high):",
    ): "the formula says 0 there, too",
    (
        "league/statistics/sprt.py",
        "if not low < at < high:",
        "if not (low < at <= high):",
    ): "the formula says 0 there, too",
    (
        "league/statistics/sprt.py",
        "if drift < 0:  # seen from the other side",
        "if (drift <= 0):  # seen from the other side",
    ): "without drift both sides are the same",
    (
        "league/statistics/sprt.py",
        "if strength * (high - low) < 1e-6:",
        "if (strength * (high - low) <= 1e-06):",
    ): "both formulas are good there",
    (
        "league/statistics/sprt.py",
        "shares = [1.0] * len(seen)",
        "shares = [2.0] * len(seen)",
    ): "weights, of which only the ratio counts",
    (
        "league/statistics/sprt.py",
        "for _step in range(100):",
        "for _step in range((99)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/sprt.py",
        "for _step in range(100):",
        "for _step in range(101):",
    ): "as many steps as are never needed",
    (
        "league/statistics/sprt.py",
        "for _step in range(100):",
        "for _step in (range(100 + 1)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/sprt.py",
        "for _step in range(100):",
        "for _step in (range(100 - 1)):",
    ): "as many steps as are never needed",
    (
        "league/statistics/sprt.py",
        "if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < 1e-12:",
        "if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < (-0.999999999999):",
    ): "it goes on, and stays where it is",
    (
        "league/statistics/sprt.py",
        "if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < 1e-12:",
        "if max(abs((one + two)) for one, two in zip(shares, last, strict=True)) < 1e-12:",
    ): "it goes on, and stays where it is",
    (
        "league/statistics/sprt.py",
        "if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < 1e-12:",
        "if max(abs(one - two) for one, two in (zip(last, shares, strict=True))) < 1e-12:",
    ): "a distance is the same from both ends",
    (
        "league/statistics/sprt.py",
        "if function(middle) > 0:",
        "if (function(middle) >= 0):",
    ): "a root that is hit is found from both sides",
    (
        "league/statistics/sprt.py",
        "if max(abs(one - two) for one, two in zip(shares, last, strict=True)) < 1e-12:",
        "if (max((abs(one - two) for one, two in zip(shares, last, strict=True))) <= 1e-12):",
    ): "it goes on, and stays where it is",
    ("league/statistics/sprt.py", "break", "pass"): "it goes on, and stays where it is",
    (
        "league/statistics/ratings.py",
        "if longest < 1e-10:",
        "if (longest <= 1e-10):",
    ): "no step is so long to the last bit",
    (
        "server/referee/sessions.py",
        "return [hashes[start : start + size] for start in range(0, len(hashes), size)]",
        "return [hashes[start : start + size] for start in (range(0, len(hashes) + 1, size))]",
    ): "nothing is no hash",
    (
        "server/referee/sessions.py",
        "return [hashes[start : start + size] for start in range(0, len(hashes), size)]",
        "return [hashes[start : start + size] for start in (range(0, len(hashes) - 1, size))]",
    ): "all hashes are longer than a byte",
    (
        "server/referee/sessions.py",
        "given = [*previous[1:], newest][-GIVEN_AGAIN:]",
        "given = [*previous[(0):], newest][-GIVEN_AGAIN:]",
    ): "the one that was shown stands there twice while there is room",
    (
        "server/referee/sessions.py",
        'self._opened = max(self._opened, int(session_id.removeprefix("s") or 0))',
        'self._opened = max(self._opened, int(session_id.removeprefix("s") or (-1)))',
    ): "nothing was opened before the first",
    (
        "server/referee/lobby.py",
        "drawn = self._rng.getrandbits(40)  # one question to the system, not one for each letter",
        "drawn = self._rng.getrandbits(41)  # one question to the system, not one for each letter",
    ): "a bit that nothing asks for",
    (
        "server/referee/lobby.py",
        'match_id = "".join([_ID_ALPHABET[drawn >> shift & 31] for shift in range(0, 40, 5)])',
        'match_id = "".join([_ID_ALPHABET[drawn >> shift & 31] for shift in (range(0, 40 - 1, 5))])',
    ): "the last letter begins at 35",
    (
        "server/referee/lobby.py",
        "for _ in range(_ATTEMPTS):",
        "for _ in (range(_ATTEMPTS + 1)):",
    ): "never reached: once in 10^19 times",
    (
        "server/referee/lobby.py",
        "for _ in range(_ATTEMPTS):",
        "for _ in (range(_ATTEMPTS - 1)):",
    ): "never reached: once in 10^19 times",
    (
        "server/referee/ratelimit.py",
        "self._full_at = now + (owed if owed < window else min(_MOST_OWED * window, owed))",
        "self._full_at = now + (owed if (owed <= window) else min(_MOST_OWED * window, owed))",
    ): "as much either way",
    (
        "server/referee/ratelimit.py",
        "lacking = full_at - now if full_at > now else 0.0",
        "lacking = full_at - now if (full_at >= now) else 0.0",
    ): "0 either way",
    ("server/referee/listing.py", "_SPARE = 64", "_SPARE = 65"): "a number that was chosen",
    ("server/referee/listing.py", "self._last = 0", "self._last = (-1)"): "where counting begins",
    ("server/referee/listing.py", "self._last = 0", "self._last = 1"): "where counting begins",
    (
        "server/referee/listing.py",
        "found = list(islice(open_matches.before(math.inf if after is None else after), limit + 1))",
        "found = list(islice(open_matches.before(math.inf if after is None else after), limit + 2))",
    ): "one more than is asked for",
    (
        "server/referee/lobby.py",
        'match_id = "".join([_ID_ALPHABET[drawn >> shift & 31] for shift in range(0, 40, 5)])',
        'match_id = "".join([_ID_ALPHABET[drawn >> shift & 31] for shift in range(0, (39), 5)])',
    ): "the last letter begins at 35",
    (
        "server/match/fold.py",
        "self._waited = 0.0",
        "self._waited = 1.0",
    ): "set anew before it is read, when a clock begins to run",
    (
        "server/match/fold.py",
        "self._waited = 0.0",
        "self._waited = (-1.0)",
    ): "set anew before it is read, when a clock begins to run",
    (
        "server/match/fold.py",
        "if self.outage.seat is not None:",
        "if (self.outage.seat is None):",
    ): "whose clock stood has come back before: `restore` has ended it",
    (
        "server/match/absences.py",
        "return [seat for seat, since in self.since.items() if since + wait <= now and seat not in self.told]",
        "return [seat for seat, since in self.since.items() if (since - wait) <= now and seat not in self.told]",
    ): "asked when it is due: one seat at most is away then",
    (
        "server/referee/requests/play.py",
        "hub.out.refuse(session.connection or 0, refusal, move.id)",
        "hub.out.refuse(session.connection or 1, refusal, move.id)",
    ): "who asks has a connection",
    (
        "server/referee/requests/play.py",
        "hub.out.refuse(session.connection or 0, refusal, move.id)",
        "hub.out.refuse(session.connection or (-1), refusal, move.id)",
    ): "who asks has a connection",
    (
        "server/referee/referee.py",
        "begun = match.begin(ply, now, 0 if session is None else self.forgiven_ms(table, session))",
        "begun = match.begin(ply, now, (-1) if session is None else self.forgiven_ms(table, session))",
    ): "who was asked has a seat",
    (
        "server/referee/referee.py",
        "begun = match.begin(ply, now, 0 if session is None else self.forgiven_ms(table, session))",
        "begun = match.begin(ply, now, 1 if session is None else self.forgiven_ms(table, session))",
    ): "who was asked has a seat",
    ("games/morpion.py", "stride = width + 1", "stride = width + 2"): "lines that are wider than they have to be",
    (
        "games/puissance4.py",
        "sum(top for x, top in enumerate(tops) if full >> x & 1): chosen[~full & (1 << width) - 1]",
        "sum(top for x, top in enumerate(tops) if full >> x & 1): chosen[~full & ((0) << width) - 1]",
    ): "counted from the end of the table, the same columns",
}
"""File, line, and the line with the mistake -> why nobody can see a difference."""

LEFT_BEHIND = (".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "build", "dist")


@dataclass(frozen=True, slots=True)
class Place:
    """A mutant and the file that it is in."""

    file: str
    mutant: Mutant

    def lines(self, root: Path = ROOT) -> tuple[str, str]:
        """Return the source and the mutant, both whole."""
        source = (root / self.file).read_text(encoding="utf-8")
        return source, self.mutant.of(source)

    def diff(self, root: Path = ROOT) -> str:
        """Return what differs, with the number of the line."""
        source, other = self.lines(root)
        rows = difflib.unified_diff(source.splitlines(), other.splitlines(), lineterm="", n=0)
        changed = [row for row in rows if row[:1] in "+-" and row[:3] not in {"+++", "---"}]
        return "\n".join([f"{self.file}:{self.mutant.line} ({self.mutant.kind})", *changed])

    def is_equivalent(self, root: Path = ROOT) -> bool:
        """Tell whether EQUIVALENT names this mutant."""
        rows = self.diff(root).splitlines()[1:]
        before = " ".join(row[1:].strip() for row in rows if row[0] == "-")
        after = " ".join(row[1:].strip() for row in rows if row[0] == "+")
        return (self.file, before, after) in EQUIVALENT


def concerning(file: str) -> tuple[str, ...]:
    """Return the tests that concern a source; none if TESTS doesn't name it."""
    return TESTS.get(file) or TESTS.get(file[: file.rfind("/") + 1], ())


def sources(only: str | None, root: Path = ROOT) -> list[str]:
    """Return every source that TESTS names; of them those that are `only`, or in it."""
    found = {path.relative_to(root).as_posix() for name in TESTS for path in _files(root / name)}
    return sorted(file for file in found if only is None or file == only or file.startswith(only.rstrip("/") + "/"))


def _files(path: Path) -> list[Path]:
    return [path] if path.is_file() else list(path.glob("*.py"))


def draw(files: Sequence[str], count: int, seed: int) -> list[Place]:
    """Return so many mutants of these sources, each equally likely."""
    every = [Place(file, one) for file in files for one in mutants((ROOT / file).read_text(encoding="utf-8"))]
    random.Random(seed).shuffle(every)
    drawn: list[Place] = []
    for place in every:
        if len(drawn) == count:
            break
        if not place.is_equivalent():
            drawn.append(place)
    return drawn


class Copies:
    """Copies of Arbitre to make mistakes in, one for each that works at the same time."""

    def __init__(self, folder: Path, count: int, seed: int, root: Path = ROOT) -> None:
        self._free: queue.Queue[Path] = queue.Queue()
        self._seed = seed
        self._usual: dict[str, float] = {}
        for number in range(count):
            shutil.copytree(root, folder / str(number), ignore=shutil.ignore_patterns(*LEFT_BEHIND))
            self._free.put(folder / str(number))

    def measure(self, test: str) -> None:
        """Run a test without a mistake, to know how long it takes; it has to pass."""
        began = time.perf_counter()
        if not self._pass((test,), 1800):
            raise SystemExit(f"without a mistake this fails: {test}")
        self._usual[test] = time.perf_counter() - began

    def survives(self, place: Place, tests: tuple[str, ...]) -> bool:
        """Tell whether these tests, which were measured, pass for this mutant, in at most four times their time."""
        copy = self._free.get()
        source, other = place.lines(copy)
        try:
            self._write(copy / place.file, other)
            return self._pass(tests, 20 + 4 * sum(self._usual[test] for test in tests), copy)
        finally:
            self._write(copy / place.file, source)
            self._free.put(copy)

    def _write(self, path: Path, text: str) -> None:
        """Write a file that is newer by a second than it was, so that no older bytecode is taken for it."""
        second = int(path.stat().st_mtime) + 1
        path.write_text(text, encoding="utf-8")
        os.utime(path, (second, second))

    def _pass(self, tests: tuple[str, ...], seconds: float, copy: Path | None = None) -> bool:
        folder = copy or self._free.get()
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-x",
            "-p",
            "no:cacheprovider",
            "-m",
            "not slow and not thorough",
        ]
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / ".bytecode")}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        try:
            done = subprocess.run(
                [*command, f"--hypothesis-seed={self._seed}", *tests],
                cwd=folder, env=environment, capture_output=True, check=False, timeout=seconds,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False
        finally:
            if copy is None:
                self._free.put(folder)
        return done.returncode == 0


def try_all(places: Sequence[Place], copies: Copies, jobs: int) -> list[Place]:
    """Return the mutants that survive; tell on standard error how far it is."""
    survivors: list[Place] = []

    def measure(test: str) -> None:
        print(f"without a mistake: {test}", file=sys.stderr, flush=True)
        copies.measure(test)

    def attempt(place: Place) -> None:
        survives = copies.survives(place, concerning(place.file))
        if survives:
            survivors.append(place)
        verdict = "SURVIVES" if survives else "noticed"
        print(f"{verdict:8} {place.file}:{place.mutant.line} ({place.mutant.kind})", file=sys.stderr, flush=True)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(measure, sorted({test for place in places for test in concerning(place.file)})))
        list(pool.map(attempt, places))
    return sorted(survivors, key=lambda place: (place.file, place.mutant.start))


def main() -> int:
    """Run the command line; 1 if fewer are noticed than are to be."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100, help="mutants to try")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", metavar="PATH", help="a source or a folder of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tried at the same time")
    parser.add_argument("--aim", type=float, default=92.0, help="the share that has to be noticed, in percent")
    arguments = parser.parse_args()
    places = draw(sources(arguments.only), arguments.count, arguments.seed)
    if not places:
        parser.error(f"there is nothing to get wrong in {arguments.only}")
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), arguments.jobs, arguments.seed)
        survivors = try_all(places, copies, arguments.jobs)
    noticed = 100 * (1 - len(survivors) / len(places))
    print("\n\n".join(place.diff() for place in survivors))
    print(f"\n{len(places) - len(survivors)} of {len(places)} noticed: {noticed:.1f} %")
    return 0 if noticed >= arguments.aim else 1


if __name__ == "__main__":
    raise SystemExit(main())
