"""The time of a decision. Standard library only: files that run under an interpreter of their own are given it, too."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The time that a decision may take, in milliseconds; None where there is no such clock.

    remaining_ms: what is left for the rest of the game, or for this move if `move_ms` is set. What the network takes is
    off already (see `bots.running.latency`).
    increment_ms: what each move adds, beyond what the network takes of it.
    move_ms: what each move is given, if that is the time control.
    opponent_ms: what the opponent has left.
    rtt_ms: what messages to the server take there and back. allowance_ms: what of it this move is given back.
    flag_ms: what is left before the flag falls; None if that is `remaining_ms`.
    """

    remaining_ms: int | None = None
    increment_ms: int = 0
    move_ms: int | None = None
    opponent_ms: int | None = None
    rtt_ms: int = 0
    allowance_ms: int = 0
    flag_ms: int | None = None

    @property
    def until_flag_ms(self) -> int | None:
        """What is left before the flag falls: how long an answer may be waited for. None without a clock."""
        return self.remaining_ms if self.flag_ms is None else self.flag_ms


UNLIMITED = Budget()
"""No clock at all."""
