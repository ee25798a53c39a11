"""Mutants that change nothing that anybody could see, with the reasons: `bench mutations` does not draw them."""

from __future__ import annotations

EQUIVALENT: dict[tuple[str, str, str], str] = {
    (
        "games/coordinates.py",
        "name_of: dict[int, str] = field(init=False, compare=False, repr=False)",
        "name_of: dict[int, str] = field(init=False, compare=False, repr=True)",
    ): "how a grid shows itself to a programmer",
    (
        "games/othello_board.py",
        "flipped |= ray & stop - 1",
        "flipped |= ray & stop - 2",
    ): "no ray towards higher bits has the lowest one",
    (
        "games/coordinates.py",
        "return tables[0][1].__getitem__",
        "return tables[(-1)][1].__getitem__",
    ): "there is one table",
    (
        "league/pairing/swiss.py",
        "first = upper.due > lower.due",
        "first = (upper.due >= lower.due)",
    ): "where both are equally due, what follows decides",
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
    ("server/match/clock.py", "self._forgivable = 0", "pass"): "nothing reads it before `start` sets it",
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
    ("server/match/clock.py", "self._forgivable = 0", "self._grace = (-1)"): "nothing reads it before `start` sets it",
    ("server/match/clock.py", "self._forgivable = 0", "self._grace = 1"): "nothing reads it before `start` sets it",
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
        "server/ratelimit.py",
        "self._full_at = now + (owed if owed < window else min(_MOST_OWED * window, owed))",
        "self._full_at = now + (owed if (owed <= window) else min(_MOST_OWED * window, owed))",
    ): "as much either way",
    (
        "server/ratelimit.py",
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
