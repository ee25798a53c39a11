"""What a league plays: pairings with all that decides them, written down before they are played. Pure.

A pairing is two games of the same players from the same opening, seats swapped. In a round robin and a gauntlet all are
written at the beginning, and for late joiners when they come; of an endless one, a block whenever it is asked for. In
the other formats a round is written when the one before is over. `extend` gives what is to be written next; the same
plan, players and results give the same pairings. Pairings with a player who has left are not waited for. In a round
robin and a gauntlet they stand written, also against late joiners: they count as forfeits, alike for all, and are
played if the player returns. In the other formats whoever has left is not paired any more, and the next round closes
what the last one left open.

A knockout that is level after its games has up to TIE_BREAKS more pairings; then the better seed goes through.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any, Final, Self

from league.pairing.openings import Openings
from league.pairing.pairings import Encounter, Round, gauntlet, knockout, ladder, round_robin
from league.pairing.swiss import SwissPlayer, swiss
from league.results import Result
from league.statistics.ratings import rate

TIE_BREAKS: Final = 2

BLOCK: Final = 16
"""Rounds that an endless round robin of two is written ahead."""


class Format(Enum):
    """How a league decides who meets whom."""

    ROUND_ROBIN = "round-robin"
    GAUNTLET = "gauntlet"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


@dataclass(frozen=True, slots=True)
class Plan:
    """How a league is to be played.

    games_per_pair: of two players who meet, even. rounds: of a Swiss or a ladder; of a round robin and a gauntlet, how
    often each two meet; None for the usual number (a ladder is then endless). challengers: of a gauntlet, how many of
    the first players are challengers. is_endless: a round robin of two that never ends by itself. Raises ValueError.
    """

    format: Format
    seed: str
    games_per_pair: int = 2
    rounds: int | None = None
    challengers: int = 1
    is_endless: bool = False

    def __post_init__(self) -> None:
        if self.games_per_pair < 2 or self.games_per_pair % 2:
            raise ValueError("games are played in colour-swapped pairs, so their number is even")
        if (self.rounds is not None and self.rounds < 1) or self.challengers < 1:
            raise ValueError("rounds and challengers are 1 or more")

    def rounds_of(self, players: int) -> int | None:
        """How many rounds are played (for a round robin: cycles); None if that is endless."""
        if self.is_endless:
            return None
        if self.format is Format.KNOCKOUT:
            return max(players - 1, 0).bit_length()
        if self.rounds is not None or self.format is Format.LADDER:
            return self.rounds
        # A Swiss finds its winner in log2(n) rounds; two more put the others in order too.
        most = max(players - 1, 1)
        return min(most.bit_length() + 2, most) if self.format is Format.SWISS else 1

    def pairings_of(self, players: int) -> int | None:
        """How many pairings are played if nobody comes or leaves, tie-breaks apart; None if that is endless."""
        rounds = self.rounds_of(players)
        if rounds is None:
            return None
        challengers = min(self.challengers, players)
        encounters = {
            Format.ROUND_ROBIN: rounds * players * (players - 1) // 2,
            Format.GAUNTLET: rounds * challengers * (players - challengers),
            Format.KNOCKOUT: max(players - 1, 0),
        }.get(self.format, rounds * (players // 2))
        return encounters * self.games_per_pair // 2


@dataclass(frozen=True, slots=True)
class Pairing:
    """Two games from the same opening: `first` starts the one, `second` the other.

    id: unique in its league, "round.board.number". seed: what all chance in its games comes from.
    """

    id: str
    round: int
    first: str
    second: str
    opening: tuple[str, ...]
    seed: str

    @property
    def games(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The players of each game, in the order of the seats."""
        return (self.first, self.second), (self.second, self.first)

    def as_dict(self) -> dict[str, object]:
        """The pairing in types that JSON has; `from_dict` reads it back."""
        return {**asdict(self), "opening": list(self.opening)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The pairing that `as_dict` wrote."""
        values: dict[str, Any] = {**data, "opening": tuple(data["opening"])}
        return cls(**values)


@dataclass(frozen=True, slots=True)
class Bye:
    """A player without an opponent in a round, because their number is odd or the bracket has a free place."""

    round: int
    player: str


@dataclass(frozen=True, slots=True)
class Forfeit:
    """A pairing that counts as won by `winner` without a game, because `loser` has left."""

    pairing: str
    winner: str
    loser: str


@dataclass(frozen=True, slots=True)
class Schedule:
    """The pairings that are written so far, in the order in which they are played."""

    pairings: tuple[Pairing, ...] = ()
    byes: tuple[Bye, ...] = ()

    def __add__(self, more: "Schedule") -> "Schedule":
        return Schedule(self.pairings + more.pairings, self.byes + more.byes)

    @property
    def last(self) -> int:
        """The number of the last round, 0 before the first."""
        return max([0, *(pairing.round for pairing in self.pairings), *(bye.round for bye in self.byes)])

    def players_of(self, number: int) -> set[str]:
        """Who was in round `number`, with a bye too."""
        players = {player for one in self.pairings if one.round == number for player in (one.first, one.second)}
        return players | {bye.player for bye in self.byes if bye.round == number}

    def rounds(self) -> list[Round]:
        """The encounters of each round, once each, and its byes."""
        meetings: list[dict[Encounter, None]] = [{} for _ in range(self.last)]
        byes: list[list[str]] = [[] for _ in meetings]
        for pairing in self.pairings:
            meetings[pairing.round - 1][Encounter(pairing.first, pairing.second)] = None
        for bye in self.byes:
            byes[bye.round - 1].append(bye.player)
        return [Round(tuple(met), tuple(resting)) for met, resting in zip(meetings, byes, strict=True)]


def extend(
    plan: Plan,
    players: Sequence[str],
    schedule: Schedule,
    results: Sequence[Result],
    openings: Openings,
    withdrawn: Collection[str] = (),
    forfeits: Iterable[Forfeit] = (),
) -> Schedule:
    """What is to be added to `schedule` now: nothing while a round is played, and nothing at the end.

    players: all who ever took part, in the order of their seeding, late joiners last. withdrawn: who of them has left.
    results: of all games that are over; forfeits: pairings that count without games. Nobody can join a knockout that
    has begun.
    """
    here = [player for player in players if player not in withdrawn]
    if plan.format in (Format.ROUND_ROBIN, Format.GAUNTLET):
        if plan.is_endless and len(here) < 2:
            return Schedule()
        known = {player for one in schedule.pairings for player in (one.first, one.second)}.union(here)
        return _written(plan, _missing(plan, players, known, schedule), schedule, openings)
    halves = _halves(results, forfeits)
    if _unfinished(here, schedule, halves):
        return Schedule()
    entered = schedule.players_of(1) or set(here)
    if plan.format is Format.KNOCKOUT:
        seeds = [player for player in players if player in entered]
        return _next_of_knockout(plan, seeds, withdrawn, schedule, halves, openings)
    rounds = plan.rounds_of(len(entered))
    if len(here) < 2 or (rounds is not None and schedule.last >= rounds):
        return Schedule()
    if plan.format is Format.SWISS:
        following = swiss(_players(plan, here, schedule, halves))
    else:
        following = ladder(_ranking(here, results), schedule.rounds())
    return _written(plan, [following], schedule, openings)


Halves = Mapping[str, Mapping[str, list[int]]]
"""Pairing id -> player -> what the player made in each game, in half points."""


def _halves(results: Iterable[Result], forfeits: Iterable[Forfeit] = ()) -> Halves:
    made: dict[str, dict[str, list[int]]] = {}
    for result in results:
        scores = made.setdefault(result.pairing, {})
        scores.setdefault(result.first, []).append(result.halves)
        scores.setdefault(result.second, []).append(2 - result.halves)
    for forfeit in forfeits:
        made[forfeit.pairing] = {forfeit.winner: [2, 2], forfeit.loser: [0, 0]}
    return made


def _unfinished(here: Sequence[str], schedule: Schedule, halves: Halves) -> bool:
    """Whether players who are still there have games of the last round left to play."""
    return any(
        {pairing.first, pairing.second} <= set(here) and len(halves.get(pairing.id, {}).get(pairing.first, ())) < 2
        for pairing in schedule.pairings
        if pairing.round == schedule.last
    )


def _missing(plan: Plan, players: Sequence[str], known: Collection[str], schedule: Schedule) -> list[Round]:
    """The rounds of a round robin or gauntlet of those who are known, without what is written already."""
    cycles = plan.rounds_of(len(known)) or schedule.last + BLOCK
    everybody = [player for player in players if player in known]
    if plan.format is Format.ROUND_ROBIN:
        rounds = round_robin(everybody, cycles)
    else:
        challengers = [player for player in players[: plan.challengers] if player in known]
        rounds = gauntlet(challengers, [player for player in everybody if player not in challengers], cycles)
    written = Counter(meeting.players for one in schedule.rounds() for meeting in one.encounters)
    missing = []
    for one in rounds:
        left = []
        for meeting in one.encounters:
            written[meeting.players] -= 1
            if written[meeting.players] < 0:
                left.append(meeting)
        if left:
            missing.append(Round(tuple(left), one.byes if not schedule.pairings else ()))
    return missing


def _written(plan: Plan, rounds: Iterable[Round], schedule: Schedule, openings: Openings) -> Schedule:
    """Pairings for all encounters of the rounds that follow the last one."""
    pairings: list[Pairing] = []
    byes: list[Bye] = []
    for number, one in enumerate(rounds, schedule.last + 1):
        byes += [Bye(number, player) for player in one.byes]
        for board, meeting in enumerate(one.encounters, 1):
            for pair in range(1, plan.games_per_pair // 2 + 1):
                opening = openings.pick(len(schedule.pairings) + len(pairings))
                pairings.append(_pairing(plan, number, board, pair, meeting, opening))
    return Schedule(tuple(pairings), tuple(byes))


def _pairing(plan: Plan, number: int, board: int, pair: int, meeting: Encounter, opening: tuple[str, ...]) -> Pairing:
    name = f"{number}.{board}.{pair}"
    return Pairing(name, number, meeting.first, meeting.second, opening, f"{plan.seed}:{name}")


# --- knockout ---------------------------------------------------------------------------------------------------------


def stages(
    plan: Plan, players: Sequence[str], schedule: Schedule, results: Sequence[Result], withdrawn: Collection[str] = ()
) -> dict[str, int]:
    """How far each player of a knockout came: the last round that it stood in, and one more if it won that round."""
    entered = schedule.players_of(1)
    seeds = [player for player in players if player in entered]
    reached = dict.fromkeys(players, 0)
    for number, _round in enumerate(schedule.rounds(), 1):
        reached.update(dict.fromkeys(schedule.players_of(number), number))
    out, undecided = _outcomes(plan, seeds, withdrawn, schedule, _halves(results))
    playing = {player for _board, pairings in undecided for player in _meeting(pairings).players}
    return {player: stage + (player in entered - out - playing) for player, stage in reached.items()}


def _outcomes(
    plan: Plan, seeds: Sequence[str], withdrawn: Collection[str], schedule: Schedule, halves: Halves
) -> tuple[set[str], list[tuple[int, list[Pairing]]]]:
    """Who is out, and the boards of the last round that are not decided.

    A player who is not in the last round is out, and so is one who lost a board of it, even if the winner leaves later.
    """
    still = schedule.players_of(schedule.last) if schedule.last else set(seeds)
    out = {player for player in seeds if player in withdrawn or player not in still}
    undecided: list[tuple[int, list[Pairing]]] = []
    for board, pairings in _boards(schedule, schedule.last).items():
        both = _meeting(pairings).players
        over = all(len(halves.get(pairing.id, {}).get(pairing.first, ())) == 2 for pairing in pairings)
        last_try = len(pairings) == plan.games_per_pair // 2 + TIE_BREAKS
        made = _made(pairings, halves)
        if over and (last_try or len(set(made.values())) == 2):
            out.add(min(both, key=lambda player: (made[player], -seeds.index(player))))
        elif not out.intersection(both):
            undecided.append((board, pairings))
    return out, undecided


def _next_of_knockout(
    plan: Plan,
    seeds: Sequence[str],
    withdrawn: Collection[str],
    schedule: Schedule,
    halves: Halves,
    openings: Openings,
) -> Schedule:
    """Tie-breaks of the last round, or the next one."""
    out, undecided = _outcomes(plan, seeds, withdrawn, schedule, halves)
    tied: list[Pairing] = []
    for board, pairings in undecided:
        opening = openings.pick(len(schedule.pairings) + len(tied))
        tied.append(_pairing(plan, schedule.last, board, len(pairings) + 1, _meeting(pairings), opening))
    if tied:
        return Schedule(tuple(tied))
    following = knockout(seeds, out, schedule.last + 1)
    is_end = not following.encounters and len(following.byes) < 2
    return Schedule() if is_end else _written(plan, [following], schedule, openings)


def _boards(schedule: Schedule, number: int) -> dict[int, list[Pairing]]:
    boards: dict[int, list[Pairing]] = {}
    for pairing in schedule.pairings:
        if pairing.round == number:
            boards.setdefault(int(pairing.id.split(".")[1]), []).append(pairing)
    return boards


def _meeting(board: Sequence[Pairing]) -> Encounter:
    """Who plays on a board: the same in all of its pairings."""
    pairing, *_others = board
    return Encounter(pairing.first, pairing.second)


def _made(board: Sequence[Pairing], halves: Halves) -> Counter[str]:
    """What each player made of the pairings of a board, in half points."""
    made = Counter[str]()
    for pairing in board:
        for player in (pairing.first, pairing.second):
            made[player] += sum(halves.get(pairing.id, {}).get(player, ()))
    return made


# --- Swiss and ladder -------------------------------------------------------------------------------------------------


def _players(plan: Plan, players: Sequence[str], schedule: Schedule, halves: Halves) -> list[SwissPlayer]:
    """The players with their histories, as the Swiss system needs them."""
    opponents: dict[str, list[str | None]] = {player: [] for player in players}
    starts: dict[str, list[bool]] = {player: [] for player in players}
    floated = dict.fromkeys(players, 0)
    everybody = Counter[str]()
    for number, one in enumerate(schedule.rounds(), 1):
        before = everybody.copy()
        for player in one.byes:
            opponents.setdefault(player, []).append(None)
            everybody[player] += 2 * plan.games_per_pair
            floated[player] = 0
        for meeting in one.encounters:
            for player, other in ((meeting.first, meeting.second), (meeting.second, meeting.first)):
                opponents.setdefault(player, []).append(other)
                starts.setdefault(player, []).append(player == meeting.first)
                gap = before[other] - before[player]
                floated[player] = (gap > 0) - (gap < 0)
        for pairing in schedule.pairings:
            if pairing.round == number:
                for player, made in halves.get(pairing.id, {}).items():
                    everybody[player] += sum(made)
    return [
        SwissPlayer(player, everybody[player], tuple(opponents[player]), tuple(starts[player]), floated[player])
        for player in players
    ]


def _ranking(players: Sequence[str], results: Iterable[Result]) -> list[str]:
    """The players by their ratings, the best first; before any game, by their seeding."""
    ratings = rate(results, players=players).ratings
    return sorted(players, key=lambda player: -round(ratings[player], 6))
