"""The time of a decision. Standard library only: files that run under an interpreter of their own are given it, too."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Budget:
    """The time that a decision may take, in milliseconds; None where there is no such clock.

    remaining_ms: the time left for the rest of the game, or for this move if `move_ms` is set. The network delay is
    already subtracted (see `bots.running.latency`).
    increment_ms: what each move adds, less the network delay that it has to pay for.
    move_ms: the time for each move, if that is the time control.
    opponent_ms: the time that the opponent has left.
    rtt_ms: the round-trip time to the server. allowance_ms: how much network delay the server forgives for this move.
    flag_ms: the time left before the flag falls; None if that is `remaining_ms`.
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
        """Milliseconds until the flag falls, None without a clock: the longest wait for an answer."""
        return self.remaining_ms if self.flag_ms is None else self.flag_ms


UNLIMITED = Budget()
"""No clock at all."""
