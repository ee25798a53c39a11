"""Positions as they are drawn, for clients that know no rules. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games import Game, IllegalMove, Position, Seat
from games.frame import rows_of
from protocol.bounds import Cell
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Diagram
from server.match.terms import seat_number

Cells = tuple[Cell, ...]


class Shown(NamedTuple):
    """The boards of a game; last: the position after all its moves."""

    boards: tuple[Diagram, ...]
    last: Position


class Last(NamedTuple):
    """The last move of a game: what it was about, and who made it; nothing before the first."""

    cells: Cells = ()
    mover: Seat | None = None


_NOTHING = Last()


def draw(game: Game, position: Position, ply: int, last: Last = _NOTHING, *, with_moves: bool = True) -> Diagram:
    """The board after `ply` moves, of which `last` was the last one."""
    return Diagram(
        ply,
        seat_number(position.to_move),
        rows_of(game, position),
        position.score(),
        last.cells,
        {move: game.move_cells(position, move) for move in position.legal_moves()} if with_moves else {},
        None if last.mover is None else seat_number(last.mover),
        None if position.passed is None else seat_number(position.passed),
    )


def last_of(game: Game, before: Position | None, moves: Sequence[str]) -> Last:
    """The last of `moves`, which was played in the position `before`; nothing before the first."""
    return _NOTHING if before is None else Last(game.move_cells(before, moves[-1]), before.to_move)


def boards_of(game: Game, moves: Sequence[str], since: int) -> Shown:
    """The boards after `since` moves and after each one more; raises ProtocolError(illegal_move).

    Only the last has its legal moves: those of all boards would be most of the work.
    """
    position = game.start()
    boards = [draw(game, position, 0, with_moves=not moves)] if since == 0 else []
    for ply, move in enumerate(moves, 1):
        try:
            following = position.play(move)
        except IllegalMove as refused:
            raise refused_at(position, ply - 1, refused) from refused
        if ply >= since:
            last = Last(game.move_cells(position, move), position.to_move)
            boards.append(draw(game, following, ply, last, with_moves=ply == len(moves)))
        position = following
    return Shown(tuple(boards), position)


def path_of(game: Game, moves: Sequence[str]) -> list[Position]:
    """The positions that `moves` lead through, the start among them; raises ProtocolError(illegal_move)."""
    path = [game.start()]
    for ply, move in enumerate(moves):
        try:
            path.append(path[-1].play(move))
        except IllegalMove as refused:
            raise refused_at(path[-1], ply, refused) from refused
    return path


def refused_at(position: Position, ply: int, refused: IllegalMove) -> ProtocolError:
    """The error for a move that the rules refuse after `ply` moves, in `position`."""
    data: dict[str, str | int | list[str]] = {
        "why": refused.reason, "legal": list(position.legal_moves()), "ply": ply
    }  # fmt: skip
    return ProtocolError(ErrorCode.ILLEGAL_MOVE, str(refused), data=data)
