"""Who meets whom: round robin, gauntlet, knockout and ladder; the Swiss system has a module of its own. Pure.

Players are names, in the order of their seeding: the strongest first, where that is known. An encounter is played as
colour-swapped pairs of games, so colours are always even; `first` only says who starts the first game of each pair.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from league.pairing.matching import cheapest


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two players who meet."""

    first: str
    second: str

    @property
    def players(self) -> frozenset[str]:
        """Both, without order."""
        return frozenset((self.first, self.second))


@dataclass(frozen=True, slots=True)
class Round:
    """What is played at the same time: nobody is in two encounters. byes: who has no opponent this time."""

    encounters: tuple[Encounter, ...]
    byes: tuple[str, ...] = ()


def round_robin(players: Sequence[str], cycles: int = 1) -> list[Round]:
    """Everybody against everybody, `cycles` times, by Berger tables; who starts changes with each cycle.

    Source: FIDE Handbook C.05, annex 1. With n players (and a free place if n is odd), the last player meets number 1,
    1 + n/2, 1 + 2 n/2 ... modulo n - 1, and starts in every second round; the others sit around that opponent.
    """
    seats: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    rounds = []
    for number in range(len(seats) - 1):
        circle = len(seats) - 1
        middle = number * len(seats) // 2 % circle
        boards = [(seats[middle], seats[-1]) if number % 2 == 0 else (seats[-1], seats[middle])]
        sides = range(1, len(seats) // 2)
        boards += [(seats[(middle + away) % circle], seats[(middle - away) % circle]) for away in sides]
        rounds.append(_round(boards))
    return [_turned(one, around % 2) for around in range(cycles) for one in rounds]


def gauntlet(challengers: Sequence[str], field: Sequence[str], cycles: int = 1) -> list[Round]:
    """Each challenger against everybody in the field, `cycles` times; who starts changes from round to round."""
    if not (challengers and field):
        return []
    places = max(len(challengers), len(field))
    padded = [*field, *[None] * (places - len(field))]
    rounds = []
    for number in range(places):
        turned = padded[number:] + padded[:number]
        boards = [
            (opponent, challenger) if (number + place) % 2 else (challenger, opponent)
            for place, (challenger, opponent) in enumerate(zip(challengers, turned, strict=False))
            if opponent is not None
        ]
        rounds.append(Round(tuple(Encounter(one, two) for one, two in boards)))
    return [_turned(one, around % 2) for around in range(cycles) for one in rounds]


def bracket(size: int) -> list[int]:
    """The seeds 1 to `size`, a power of two, in the order of the bracket: 1 and 2 can meet only in the final."""
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def knockout(players: Sequence[str], out: Collection[str], number: int) -> Round:
    """Round `number` (from 1) of a knockout: the survivors of neighbouring parts of the bracket.

    players: all who began; the places opposite the best stay free, so that byes go to the top seeds. out: who has lost
    or left. A round without encounters and with one bye at most is the end. Raises ValueError while an earlier round
    lacks a result.
    """
    size = 1 << (len(players) - 1).bit_length()
    slots = [players[seed - 1] if seed <= len(players) else None for seed in bracket(size)]
    width = 1 << (number - 1)
    survivors: list[str | None] = []
    for start in range(0, size, width):
        alive = [player for player in slots[start : start + width] if player is not None and player not in out]
        if len(alive) > 1:
            raise ValueError(f"no winner yet between {alive[0]} and {alive[1]}")
        survivors.append(next(iter(alive), None))
    seeds = {player: seed for seed, player in enumerate(players)}
    each = iter([*survivors, None])  # at the end one survivor has no neighbour
    boards = [sorted(filter(None, pair), key=seeds.__getitem__) for pair in zip(each, each, strict=False)]
    return Round(
        tuple(Encounter(board[0], board[1]) for board in boards if len(board) == 2),
        tuple(player for board in boards if len(board) == 1 for player in board),
    )


def ladder(ranking: Sequence[str], past: Sequence[Round]) -> Round:
    """The next round of neighbours in `ranking`, the best first, who have not just met.

    The distance of two players counts squared, and as two places more if they met in the last round, one if in the one
    before. With an odd number, the lowest of those with the fewest byes has the bye.
    """
    recent = [{meeting.players for meeting in one.encounters} for one in past[-2:]]
    weights = [1, 2][2 - len(recent) :]
    byes = [player for one in past for player in one.byes]
    resting: tuple[str, ...] = ()
    players = list(ranking)
    if len(players) % 2:
        lowest = min(reversed(players), key=byes.count)
        players.remove(lowest)
        resting = (lowest,)
    costs = [
        [
            (abs(one - two) + sum(w for w, met in zip(weights, recent, strict=True) if frozenset((a, b)) in met)) ** 2
            for two, b in enumerate(players)
        ]
        for one, a in enumerate(players)
    ]
    mates = cheapest(costs)
    starts = count_starts(past)
    meetings = [
        Encounter(*sorted((players[one], players[two]), key=lambda player: starts.get(player, 0)))
        for one, two in enumerate(mates)
        if one < two
    ]
    return Round(tuple(meetings), resting)


def count_starts(past: Iterable[Round]) -> Mapping[str, int]:
    """For each player, how often it was first minus how often it was second."""
    starts: dict[str, int] = {}
    for one in past:
        for meeting in one.encounters:
            starts[meeting.first] = starts.get(meeting.first, 0) + 1
            starts[meeting.second] = starts.get(meeting.second, 0) - 1
    return starts


def _round(boards: Iterable[tuple[str | None, str | None]]) -> Round:
    """The round of these boards, of which one may have a free place: its player has a bye."""
    encounters: list[Encounter] = []
    byes: list[str] = []
    for one, two in boards:
        if one is not None and two is not None:
            encounters.append(Encounter(one, two))
        else:
            byes += [player for player in (one, two) if player is not None]
    return Round(tuple(encounters), tuple(byes))


def _turned(one: Round, turned: int) -> Round:
    """The round with the other players starting, when `turned`."""
    if not turned:
        return one
    return Round(tuple(Encounter(meeting.second, meeting.first) for meeting in one.encounters), one.byes)
