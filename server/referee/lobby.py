"""Where matches are found: all tables, by their ids, and by the codes and links of the private ones. Pure."""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Sequence
from itertools import product

from games import Game, IllegalMove, RulesError, Seat
from games import parse as parse_game
from protocol.bounds import Opening
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Create, Join, SeatClock, Watch
from server.match.terms import MatchRules
from server.referee.past import Past
from server.referee.sessions import Session
from server.referee.table import Table

FINISHED_KEPT = 2000
"""Finished matches that stay in memory, for rematches and for those who come back late."""

ABORTED_KEPT = 200
"""The same for aborted matches: fewer, so that opening and aborting in a loop does not fill the memory."""

CODE_LETTERS = 6

_ATTEMPTS = 64
"""Draws before `new_code` gives up: with half of all codes in use, one call in 10^19 finds no free one."""

_ID_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789"
_SYLLABLES = tuple("".join(pair) for pair in product("bdfgklmnprstvz", "aiou"))
_NOT_SAID = ("nazi", "pipi", "zizi", "kiki", "zoba", "fuka", "kuka", "kaka", "nana", "puta", "puto", "sodo", "tutu")


class Lobby:
    """All tables, by match id, code and link; `syllables` make up codes."""

    def __init__(
        self, rng: random.Random, finished_kept: int = FINISHED_KEPT, syllables: Sequence[str] = _SYLLABLES
    ) -> None:
        self._rng = rng
        self._syllables = syllables
        self._finished_kept = finished_kept
        self._by_id: dict[str, Table] = {}
        self._by_code: dict[str, Table] = {}
        self._by_link: dict[str, Table] = {}
        self._by_seat_link: dict[str, tuple[Table, Seat]] = {}
        self._finished = Past()
        self._aborted = Past()

    def __len__(self) -> int:
        return len(self._by_id) - len(self._finished) - len(self._aborted)

    def tables(self) -> Iterable[Table]:
        """Every table that is held."""
        return self._by_id.values()

    def new_id(self) -> str:
        """An id that no match has."""
        while True:
            drawn = self._rng.getrandbits(40)  # one question to the system, not one for each letter
            match_id = "".join([_ID_ALPHABET[drawn >> shift & 31] for shift in range(0, 40, 5)])
            if match_id not in self._by_id:
                return match_id

    def new_code(self) -> str:
        """Six letters that can be said aloud, and that no open match has; raises ProtocolError(server_full)."""
        for _ in range(_ATTEMPTS):
            code = "".join(self._rng.choices(self._syllables, k=3))
            held = self._by_code.get(code.upper())
            if (held is None or not held.is_open()) and not any(word in code for word in _NOT_SAID):
                return code.upper()
        raise ProtocolError(ErrorCode.SERVER_FULL, "too many private matches are open", retry_after_ms=60_000)

    def new_link(self) -> str:
        """A secret of 128 bits."""
        return urlsafe_b64encode(self._rng.getrandbits(128).to_bytes(16, "big")).decode().rstrip("=")

    def add(self, table: Table) -> None:
        """Keeps a new table."""
        self._by_id[table.match.id] = table
        if table.code is not None:
            self._by_code[table.code] = table
        if table.link is not None:
            self._by_link[table.link] = table

    def finished(self, table: Table, now: float, origin: str | None = None) -> list[Table]:
        """Notes once that a match is over; returns the older ones that are no longer held.

        origin: the address at which it was counted while it was open.
        """
        if table.finished_at is not None:
            return []
        for seat in tuple(table.seat_links):
            self.drop_seat_link(table, seat)
        table.close(now)
        is_aborted = table.match.result is not None and table.match.result.reason == "aborted"
        past, most = (self._aborted, ABORTED_KEPT) if is_aborted else (self._finished, self._finished_kept)
        gone = list(past.add(table, origin, min(most, self._finished_kept)))
        for one in gone:
            self._evict(one)
        return gone

    def around(self, session: Session) -> list[Table]:
        """The tables at which `session` plays or watches."""
        return [self._by_id[match_id] for match_id in (*session.seats, *session.watching)]

    def forget(self, session: Session) -> None:
        """Takes a session that is over from the tables that it watched."""
        for match_id in session.watching:
            self._by_id[match_id].viewers.discard(session)

    def get(self, match_id: str) -> Table | None:
        """The table of that match, if it is held."""
        return self._by_id.get(match_id)

    def find(self, match_id: str) -> Table:
        """The table of that match; raises ProtocolError(no_such_match)."""
        table = self._by_id.get(match_id)
        if table is None:
            raise ProtocolError(ErrorCode.NO_SUCH_MATCH, "there is no such match, or it is over for long")
        return table

    def find_for(self, session: Session, match_id: str) -> Table:
        """The table of that match, if `session` may know that it exists; raises ProtocolError(no_such_match)."""
        table = self._by_id.get(match_id)
        if table is None or not (table.public or table.is_known_to(session)):
            raise self.unknown()
        return table

    def find_open(self, session: Session, request: Join | Watch) -> Table:
        """The table that `session` may enter by id (public, or around it), code or link; raises ProtocolError."""
        match request.match, request.code, request.link:
            case str(match_id), None, None:
                return self.find_for(session, match_id)
            case None, str(code), None:
                table = self._by_code.get(code.upper())
            case None, None, str(link):
                table = self._by_link.get(link)
            case _:
                raise ProtocolError(ErrorCode.BAD_MESSAGE, "name the match by `match`, `code` or `link`, one of them")
        if table is None:
            raise self.unknown()
        return table

    def seat_link(self, table: Table, seat: Seat) -> str:
        """A new link that opens a seat of a match to somebody else, in place of an older one."""
        self.drop_seat_link(table, seat)
        link = table.seat_links[seat] = self.new_link()
        self._by_seat_link[link] = table, seat
        return link

    def drop_seat_link(self, table: Table, seat: Seat) -> None:
        """The link of a seat, if there is one, opens nothing any more."""
        link = table.seat_links.pop(seat, None)
        if link is not None:
            del self._by_seat_link[link]

    def seat_behind(self, link: str) -> tuple[Table, Seat] | None:
        """The seat that a link opens; None if it opens none."""
        return self._by_seat_link.get(link)

    def unknown(self) -> ProtocolError:
        """The same answer for a match that does not exist, is private, or can't be entered by its code."""
        text = "there is no such match, or it is private: ask for its code"
        return ProtocolError(ErrorCode.NO_SUCH_MATCH, text)

    def _evict(self, table: Table) -> None:
        del self._by_id[table.match.id]
        if table.code is not None and self._by_code.get(table.code) is table:
            del self._by_code[table.code]
        if table.link is not None:
            del self._by_link[table.link]
        for session in (*table.sessions.values(), *table.viewers):
            session.seats.pop(table.match.id, None)
            session.watching.discard(table.match.id)


def parse_rules(spec: str) -> Game:
    """The game with its options; raises ProtocolError(bad_rules) if it is not offered."""
    try:
        return parse_game(spec)
    except RulesError as error:
        raise ProtocolError(ErrorCode.BAD_RULES, str(error)) from error


def rules_of(create: Create) -> MatchRules:
    """The rules that `create` asks for; raises ProtocolError(bad_rules) if they are not offered."""
    game, clock = parse_rules(create.game), create.clock
    if clock is not None:
        _check_clock(clock)
        if clock.second is not None:
            _check_clock(clock.second)
            if bool(clock.move_ms) != bool(clock.second.move_ms):
                raise ProtocolError(ErrorCode.BAD_RULES, "both seats have a clock for the game, or for each move")
    _check_opening(game, create.opening)
    return MatchRules(game, clock, create.opening, create.network)


def _check_clock(clock: SeatClock) -> None:
    if bool(clock.initial_ms) == bool(clock.move_ms):
        raise ProtocolError(ErrorCode.BAD_RULES, "a clock needs initial_ms or move_ms, one of them")
    if clock.move_ms and clock.increment_ms:
        raise ProtocolError(ErrorCode.BAD_RULES, "a time for each move has no increment")


def _check_opening(game: Game, opening: Opening) -> None:
    position = game.start()
    try:
        for move in opening:
            position = position.play(move)
    except IllegalMove as refused:
        raise ProtocolError(ErrorCode.BAD_RULES, f"the opening can't be played: {refused}") from refused
    if position.outcome() is not None:
        raise ProtocolError(ErrorCode.BAD_RULES, "the opening leaves nothing to play")
