"""What a league asks to be played, and what comes back. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from games.base import Game, Seat, position_after
from league.config import LeagueBot
from league.results import FAULTS, Result


@dataclass(frozen=True, slots=True)
class Job:
    """A pairing to be played: `games` games from the same opening, seats swapped after each.

    players: the first of them begins the first game. seed: what the bots' chance comes from, with the game's number.
    replayed: the players for whom a game of it was already replayed, since they were cut off for too long.
    """

    pairing: str
    players: tuple[LeagueBot, LeagueBot]
    opening: tuple[str, ...]
    seed: str
    games: int = 2
    replayed: tuple[str, ...] = ()

    def seats(self, number: int) -> tuple[LeagueBot, LeagueBot]:
        """Who sits where in game `number`, counted from 1."""
        one, two = self.players
        return (one, two) if number % 2 else (two, one)

    def as_dict(self) -> dict[str, Any]:
        """The job in types that JSON has; `from_dict` reads it back."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Job":
        """The job that `as_dict` wrote."""
        one, two = (LeagueBot(**bot) for bot in data["players"])
        values: dict[str, Any] = {**data, "players": (one, two), "opening": tuple(data["opening"])}
        values["replayed"] = tuple(data.get("replayed", ()))
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that is over. `winner` is a seat or None; `moves` are all that are on the board, the opening too.

    opening: how many of the moves belong to the opening. seconds: what each seat used to think, by its clock.
    detail: some lines that the faulty bot said; empty if nothing failed. away: for how many seconds the clock of each
    seat was stopped because its player was cut off; the player may have gone on thinking. move_ms: what each move took
    by the clock, 0 in the opening; empty if that is not known. date_ms: when it began, in milliseconds since 1970 UTC;
    0 if that is not known.
    """

    pairing: str
    number: int
    first: str
    second: str
    moves: tuple[str, ...]
    winner: int | None
    reason: str
    score: tuple[int, int]
    opening: int = 0
    seconds: tuple[float, float] = (0.0, 0.0)
    detail: str = ""
    away: tuple[float, float] = (0.0, 0.0)
    move_ms: tuple[int, ...] = ()
    date_ms: int = 0

    @property
    def faulty(self) -> str | None:
        """The player who failed, if that is how the game ended."""
        if self.reason not in FAULTS or self.winner is None:
            return None
        return self.second if self.winner == 1 else self.first

    def movers(self, game: Game) -> set[str]:
        """The players who have made a move of their own, after the opening."""
        position, names = game.start(), set[str]()
        for ply, move in enumerate(self.moves):
            if ply >= self.opening:
                names.add(self.first if position.to_move is Seat.FIRST else self.second)
            position = position.play(move)
        return names

    def ending(self, game: Game) -> str | None:
        """The game's own code of how its rules ended it; None if something else did."""
        if self.reason != "rules":
            return None
        position = position_after(game, self.moves)
        outcome = position.outcome()
        return None if outcome is None else outcome.termination

    def result(self) -> Result:
        """The game as the statistics see it."""
        return Result(self.pairing, self.first, self.second, self.winner, self.reason, len(self.moves), self.seconds)

    def as_dict(self) -> dict[str, Any]:
        """The game in types that JSON has; `from_dict` reads it back."""
        data = asdict(self)
        if not any(self.away):
            del data["away"]
        for name in ("move_ms", "date_ms"):
            if not data[name]:
                del data[name]
        lists: dict[str, Any] = {
            name: list(data[name]) for name in ("score", "seconds", "away", "move_ms") if name in data
        }
        return {**data, "moves": " ".join(self.moves), **lists}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Played":
        """The game that `as_dict` wrote."""
        first, second = data["score"]
        one, two = data["seconds"]
        away_one, away_two = data.get("away", (0.0, 0.0))
        values: dict[str, Any] = {
            **data, "moves": tuple(data["moves"].split()), "score": (first, second), "seconds": (one, two),
            "away": (away_one, away_two), "move_ms": tuple(data.get("move_ms", ())),
        }  # fmt: skip
        return cls(**values)


@dataclass(frozen=True, slots=True)
class DuelGame:
    """One game that is over. `seats` are the bots (0 or 1) in the order of the seats, `winner` a seat or None.

    opening: how many of the moves belong to the opening. seconds: what both used to think, by their clocks, if they had
    any. names: what the user called the bots, in the order of the seats; None if they did not. move_ms, date_ms: as
    those of `Played`. clocks: of both, in the order of the seats, if one had a clock of its own. seed: from which the
    chance of all these games comes.
    """

    number: int
    game: str
    seats: tuple[int, int]
    bots: tuple[str, str]
    moves: tuple[str, ...]
    winner: int | None
    score: tuple[int, int]
    reason: str
    seconds: float | None
    ending: str | None = None
    opening: int = 0
    names: tuple[str, str] | None = None
    move_ms: tuple[int, ...] = ()
    date_ms: int = 0
    clocks: tuple[str, str] | None = None
    seed: str = ""

    def result(self, names: Sequence[str]) -> Result:
        """The game as the statistics see it: two in a row, with seats swapped, are a pair."""
        first, second = (names[bot] for bot in self.seats)
        return Result(str((self.number + 1) // 2), first, second, self.winner, self.reason, len(self.moves))

    def as_json(self) -> dict[str, object]:
        """What `match --json` prints: `game` is the game's id, `rules` its whole specification."""
        return {
            "number": self.number,
            "game": self.game.partition(":")[0],
            "rules": self.game,
            "bots": list(self.bots),
            **({} if self.names is None else {"names": list(self.names)}),
            "moves": list(self.moves),
            **({"opening": self.opening} if self.opening else {}),
            "winner": self.winner,
            "score": list(self.score),
            "reason": self.reason,
            **({} if self.ending is None else {"ending": self.ending}),
            "plies": len(self.moves),
            **({} if self.seconds is None else {"seconds": round(self.seconds, 3)}),
            **({"seed": self.seed} if self.seed else {}),
            **({} if self.clocks is None else {"clocks": list(self.clocks)}),
            **({"move_ms": list(self.move_ms)} if self.move_ms else {}),
            **({"date_ms": self.date_ms} if self.date_ms else {}),
        }
