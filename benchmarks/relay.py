"""What refereeing costs: Arbitre's server against a bare `websockets` relay, in CPU time of the server for a move.

    python3 run.py bench relay                       1, 100 and 1000 pairs, Othello and morpion
    python3 run.py bench relay --pairs 100 --rounds 15 --games othello
    python3 run.py bench relay --pairs 100 --durability process power
    python3 run.py bench relay --pairs 100 --cores plain compiled

In each round both servers run one after the other (with `--cores plain compiled` the relay, and Arbitre on each), and
one load generator plays the same games against both: random legal games, drawn beforehand, clocks and history on, one
connection a player. A player sends their move as soon as they have heard of the one before; a pair plays one game at a
time. Who goes first alternates, so that what else the machine does falls on both alike. Each server of each round is a
new process, so that nothing that differs from start to start (where memory lies, what hashes to what) stands in every
round. Read the median of 21 rounds or more, and the quartiles beside it. Players come from twenty addresses, where the
system has them: behind one alone they would have to take turns, which is another thing to measure (`--one-address`).

The relay is what one would write with the library and no referee: for each message it calls `broadcast` once, with the
same text for both players. Nothing that Arbitre sends is equal for both: the mover gets [ok, moved], the opponent
[moved, your_turn]. So that both servers send as many bytes, the size of the relay's text is the mean of those two over
the games that are played, measured beforehand; the clients' frames are the same bytes for both servers. The relay
writes two frames a move. Arbitre may let what nobody waits for, the mover's acknowledgement, share the frame of the
next message to them; the table tells how many frames that left.

The figure is user and system time of the server's process divided by the moves, over whole games with their ends, from
first to last move. Connecting, saying hello and opening the matches come before: a relay has no matches, so there is
nothing to compare; what a match costs from `create` to its start is printed beside it. A ratio is the relay's time
divided by Arbitre's in one round: 1.00 would be refereeing for nothing. `quartiles` hold the middle half of the rounds.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from tempfile import TemporaryDirectory

from benchmarks import _measure
from benchmarks._load import Connection, Pair, frame, play
from benchmarks._measure import ARBITRE, BenchError, Listener, Spread
from games import Seat
from games import parse as parse_game
from protocol import PROTOCOL
from protocol.codec import decode_server, encode, encode_batch
from protocol.messages import Clock, Create, Decline, Hello, Join, MakeMove, Ok

POOL = 64
"""Different games; more pairs than that play some of them at the same time."""

MOST_MATCHES = 9_500
"""A server holds 10,000 matches."""

MOST_MOVES_OF_A_PAIR = 4_000
"""In a round: one pair alone has to wait for every answer."""

BATCH = 200
CLOCK = Clock(initial_ms=3_600_000, increment_ms=1_000)
AIMS = {"plain": {"othello": 1.0, "morpion": 1.25}, "compiled": {"othello": 1.4, "morpion": 1.8}}
DURABLE_AIMS = {"plain": 0.85, "compiled": 1.1}

FOLDER = "{folder}"
DURABILITIES: dict[str, tuple[str, ...]] = {
    "none": ("--db", ":memory:"),
    "process": ("--db", f"{FOLDER}/relay.sqlite", "--durability", "process"),
    "power": ("--db", f"{FOLDER}/relay.sqlite", "--durability", "power"),
}
"""What `arbitre serve` is told, with a new folder for each start."""

SHARED_FILES = 64
ADDRESSES = 20
ID_LENGTH = 8

Turn = tuple[int, str]
"""A move and who makes it: 1 or 2."""

Games = Sequence[Sequence[Turn]]

Matches = list[tuple[str, int]]
"""The ids of a pair's matches, and which of the two players (0 or 1) moves first."""

Players = tuple[Connection, Connection]
"""A pair's connections."""

Script = list[tuple[int, bytes]]
"""See `Pair.script`."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One configuration: `matches` are those of a pair, played one after another."""

    game: str
    pairs: int
    matches: int
    seed: int
    spread: bool = True

    @property
    def warm_pairs(self) -> int:
        """Pairs that play one more match before, for both servers to be warm."""
        return min(self.pairs, 10)


@dataclass(frozen=True, slots=True)
class Run:
    """One server in one round: CPU time of a move, and of opening a match, in microseconds."""

    move_us: float
    match_us: float
    moves_per_second: float
    busy: float
    frames_per_move: float
    bytes_per_move: float


@dataclass(frozen=True, slots=True)
class Report:
    """One configuration: both servers over all rounds."""

    game: str
    durability: str
    core: str
    pairs: int
    moves: int
    rounds: int
    relay_us: Spread
    arbitre_us: Spread
    ratio: Spread
    match_us: float
    relay_moves_per_second: float
    arbitre_moves_per_second: float
    relay_bytes_per_move: float
    arbitre_bytes_per_move: float
    relay_frames_per_move: float
    arbitre_frames_per_move: float


def draw_games(game: str, seed: int) -> list[tuple[Turn, ...]]:
    """Random legal games, the same for the same seed."""
    rng = random.Random(f"{seed}:{game}")
    drawn = []
    for _ in range(POOL):
        position, turns = parse_game(game).start(), list[Turn]()
        while legal := position.legal_moves():
            turns.append((int(position.to_move), rng.choice(legal)))
            position = position.play(turns[-1][1])
        drawn.append(tuple(turns))
    return drawn


# ------------------------------------------------------------------------------------------------------------- scripts


def script_of(matches: Matches, drawn: Games, first: int) -> Script:
    """The frames of a pair that plays `matches`, beginning with game number `first` of those drawn."""
    script: Script = []
    for number, (match, starter) in enumerate(matches):
        for ply, (seat, move) in enumerate(drawn[(first + number) % POOL]):
            player = starter if seat == Seat.FIRST else 1 - starter
            payload = encode(MakeMove(id=len(script) + 1_000_000, match=match, ply=ply, move=move))
            script.append((player, frame(payload)))
    return script


def moves_in_refereed(payload: bytes) -> int:
    """The moves that a frame of Arbitre's tells of."""
    if b'"error"' in payload:
        raise BenchError(f"the server refused a move: {payload[:300]!r}")
    return payload.count(b'"type":"moved"')


def moves_in_relayed(_: bytes) -> int:
    """A frame of the relay tells of one move."""
    return 1


def unrefereed(count: int) -> Matches:
    """What the relay passes on for matches: frames with an id that has the length of a match's."""
    return [("a" * ID_LENGTH, number % 2) for number in range(count)]


def open_matches(players: Players, game: str, count: int) -> Matches:
    """Opens matches between two players who have said hello."""
    creator, guest = players
    matches: Matches = []
    for start in range(0, count, BATCH):
        some = range(start, min(start + BATCH, count))
        creator.send(
            encode_batch(
                Create(id=number + 2, game=game, clock=CLOCK, seat="second" if number % 2 else "first")
                for number in some
            )
        )
        opened: list[str] = []
        while len(opened) < len(some):
            for payload in creator.receive():
                opened += [answer.match for answer in decode_server(payload) if isinstance(answer, Ok) and answer.match]
        matches += [(match, number % 2) for match, number in zip(opened, some, strict=True)]
        guest.send(encode_batch(Join(id=number + 2, match=match) for number, match in zip(some, opened, strict=True)))
        guest.receive_until(b'"type":"ok"', len(some))
    for player in players:  # once this is answered (there is no such match) nothing is on its way any more
        player.send(encode(Decline(id=999_999, match="x")))
        player.receive_until(b'"id":999999')
    return matches


def greet(connections: Sequence[Connection]) -> None:
    """Says hello on new connections."""
    for number, connection in enumerate(connections):
        connection.send(
            encode(Hello(id=1, protocol=PROTOCOL, client="bench", kind="bot", name=f"bench {number}", batch=True))
        )
    for connection in connections:
        connection.receive_until(b'"type":"ok"')


# ---------------------------------------------------------------------------------------------------------------- runs


@contextmanager
def connected(port: int, paths: Sequence[str], *, spread: bool = True) -> Generator[list[Connection]]:
    """Opens a connection for each path and closes them all; `spread` over many addresses or from one."""
    connections: list[Connection] = []
    try:
        connections.extend(
            Connection(port, path, source_of(number) if spread else None) for number, path in enumerate(paths)
        )
        yield connections
    finally:
        for connection in connections:
            connection.socket.close()


def run_refereed(setting: Setting, drawn: Games, options: Sequence[str], which: str) -> Run:
    """Plays the configuration against Arbitre's server on a core, with a database of its own if it is to keep one."""
    with (
        TemporaryDirectory() as folder,
        _measure.listening([*ARBITRE, *(option.replace(FOLDER, folder) for option in options)], which) as server,
        connected(server.port, ["/"] * (2 * setting.pairs), spread=setting.spread) as connections,
    ):
        greet(connections)
        before = _measure.cpu_seconds(server.pid)
        opened = [
            open_matches(players, setting.game, setting.matches + (number < setting.warm_pairs))
            for number, players in enumerate(couples(connections))
        ]
        opening = (_measure.cpu_seconds(server.pid) - before) / sum(len(matches) for matches in opened)
        return measured(setting, drawn, server, connections, opened, opening)


def run_relayed(setting: Setting, drawn: Games, size: int) -> Run:
    """Plays the configuration against the bare relay, which sends texts of `size` bytes."""
    opened = [unrefereed(setting.matches + 1)] * setting.pairs
    with (
        _measure.listening(["-m", "benchmarks._bare_relay", "--size", str(size)]) as server,
        connected(
            server.port, [f"/{number // 2}" for number in range(2 * setting.pairs)], spread=setting.spread
        ) as connections,
    ):
        return measured(setting, drawn, server, connections, opened, None)


def source_of(number: int) -> str | None:
    """The address from which a connection comes: players are not all behind one, whose peers would have to take turns.

    Where only 127.0.0.1 is this machine, they are.
    """
    return f"127.0.0.{2 + number % ADDRESSES}" if _measure.LINUX else None


def couples(connections: Sequence[Connection]) -> list[Players]:
    """The connections two by two."""
    return list(zip(connections[::2], connections[1::2], strict=True))


def measured(
    setting: Setting,
    drawn: Games,
    server: Listener,
    connections: Sequence[Connection],
    opened: Sequence[Matches],
    opening: float | None,
) -> Run:
    """Plays all games and reads what the server's process took for it.

    opened: the matches of each pair. opening: the seconds that one took to open; None for the relay.
    """
    players = couples(connections)
    count = setting.matches
    warm = [Pair(players[n], script_of(opened[n][count:], drawn, 0)) for n in range(setting.warm_pairs)]
    main = [Pair(players[n], script_of(opened[n][:count], drawn, n * count)) for n in range(setting.pairs)]
    moves_in = moves_in_relayed if opening is None else moves_in_refereed
    play(warm, moves_in)
    before = _measure.cpu_seconds(server.pid)
    traffic = play(main, moves_in)
    used = _measure.cpu_seconds(server.pid) - before
    return Run(
        move_us=used / traffic.moves * 1e6,
        match_us=(opening or 0.0) * 1e6,
        moves_per_second=traffic.moves / traffic.seconds,
        busy=used / traffic.seconds,
        frames_per_move=traffic.frames / traffic.moves,
        bytes_per_move=traffic.received / traffic.moves,
    )


def compare(setting: Setting, rounds: int, durability: str, more: Sequence[str], cores: Sequence[str]) -> list[Report]:
    """Measures one configuration on each core in interleaved rounds; who goes first alternates."""
    drawn = draw_games(setting.game, setting.seed)
    options = [*DURABILITIES[durability], *more]
    few = Setting(
        setting.game, min(setting.pairs, 8), max(1, min(setting.matches, POOL // 8)), setting.seed, setting.spread
    )
    size = round(run_refereed(few, drawn, options, cores[0]).bytes_per_move / 2)
    relay: list[Run] = []
    arbitre: dict[str, list[Run]] = {which: [] for which in cores}
    for number in range(rounds):
        order = (None, *cores)
        for which in order if number % 2 else order[::-1]:
            if which is None:
                relay.append(run_relayed(setting, drawn, size))
            else:
                arbitre[which].append(run_refereed(setting, drawn, options, which))
        for which, runs in arbitre.items():
            _measure.progress(
                f"{setting.game}, {setting.pairs} pairs, durability {durability}, {which} core, round {number + 1}: "
                f"relay {relay[-1].move_us:.1f}, "
                f"Arbitre {runs[-1].move_us:.1f} us a move, ratio {relay[-1].move_us / runs[-1].move_us:.3f}"
            )
    moves = moves_of(setting, drawn)
    return [report_of(setting, durability, which, relay, runs, moves) for which, runs in arbitre.items()]


def report_of(
    setting: Setting, durability: str, which: str, relay: Sequence[Run], arbitre: Sequence[Run], moves: int
) -> Report:
    """The rounds of one configuration on one core in one line."""
    return Report(
        game=setting.game,
        durability=durability,
        core=which,
        pairs=setting.pairs,
        moves=moves,
        rounds=len(relay),
        relay_us=Spread.of([run.move_us for run in relay]),
        arbitre_us=Spread.of([run.move_us for run in arbitre]),
        ratio=Spread.of([bare.move_us / run.move_us for bare, run in zip(relay, arbitre, strict=True)]),
        match_us=Spread.of([run.match_us for run in arbitre]).median,
        relay_moves_per_second=Spread.of([run.moves_per_second for run in relay]).median,
        arbitre_moves_per_second=Spread.of([run.moves_per_second for run in arbitre]).median,
        relay_bytes_per_move=relay[0].bytes_per_move,
        arbitre_bytes_per_move=arbitre[0].bytes_per_move,
        relay_frames_per_move=relay[0].frames_per_move,
        arbitre_frames_per_move=arbitre[0].frames_per_move,
    )


def moves_of(setting: Setting, drawn: Games) -> int:
    """The moves of one server in one round."""
    return sum(len(drawn[number % POOL]) for number in range(setting.pairs * setting.matches))


# ------------------------------------------------------------------------------------------------------------- command


def settings_of(games: Sequence[str], pairs: Sequence[int], moves: int, seed: int) -> list[Setting]:
    """The configurations, each of about `moves` moves a round and at least one whole game a pair."""
    settings = []
    for game in games:
        length = sum(len(turns) for turns in draw_games(game, seed)) / POOL
        for count in pairs:
            matches = max(1, round(min(moves, MOST_MOVES_OF_A_PAIR * count) / (count * length)))
            settings.append(Setting(game, count, min(matches, MOST_MATCHES // count - 1, 900), seed))
    return settings


def row_of(report: Report) -> dict[str, object]:
    """What is printed of a configuration."""
    aim = AIMS[report.core].get(report.game) if report.pairs == 100 else None
    if aim is not None and report.durability != "none":
        aim = DURABLE_AIMS[report.core] if report.durability == "process" else None
    return {
        "game": report.game,
        "pairs": report.pairs,
        "durability": report.durability,
        "core": report.core,
        "relay us/move": f"{report.relay_us.median:.1f}",
        "Arbitre us/move": f"{report.arbitre_us.median:.1f}",
        "ratio": f"{report.ratio.median:.3f}",
        "quartiles": f"{report.ratio.quarter:.3f}..{report.ratio.three_quarters:.3f}",
        "min..max": f"{report.ratio.low:.3f}..{report.ratio.high:.3f}",
        "aim": "" if aim is None else f"{aim:.2f}",
        "moves/s relay": f"{report.relay_moves_per_second:.0f}",
        "Arbitre": f"{report.arbitre_moves_per_second:.0f}",
        "bytes/move relay": f"{report.relay_bytes_per_move:.0f}",
        "Arbitre ": f"{report.arbitre_bytes_per_move:.0f}",
        "frames": f"{report.relay_frames_per_move:.2f} {report.arbitre_frames_per_move:.2f}",
        "us/match opened": f"{report.match_us:.0f}",
        "moves": report.moves,
        "rounds": report.rounds,
    }


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """Reads the options."""
    parser = argparse.ArgumentParser(prog="python3 run.py bench relay", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pairs", type=int, nargs="+", default=[1, 100, 1000], help="pairs that play at once")
    parser.add_argument("--games", nargs="+", default=list(AIMS["plain"]), help="games, with options: othello:size=6")
    parser.add_argument("--rounds", type=int, default=21, help="pairs of runs of each configuration")
    parser.add_argument(
        "--moves",
        type=int,
        default=12_000,
        help="moves of a server in a round, about (whole games; fewer with few pairs)",
    )
    parser.add_argument("--seed", type=int, default=1, help="draws the games")
    parser.add_argument(
        "--durability", nargs="+", choices=tuple(DURABILITIES), default=["none"], help="what Arbitre's server keeps"
    )
    parser.add_argument("--cores", nargs="+", choices=tuple(AIMS), help="which cores; by default the one that runs")
    parser.add_argument("--serve", default="", metavar="OPTIONS", help="more options of `arbitre serve`, in quotes")
    parser.add_argument("--one-address", action="store_true", help="let all players come from 127.0.0.1")
    parser.add_argument("--json", action="store_true", help="print every figure of every round")
    parser.add_argument("--markdown", action="store_true", help="print the table for docs/performance.md")
    options = parser.parse_args(arguments)
    if min(*options.pairs, options.rounds, options.moves) < 1 or max(options.pairs) >= MOST_MATCHES // 2:
        parser.error(f"--pairs are 1 to {MOST_MATCHES // 2 - 1}, --rounds and --moves at least 1")
    options.cores = cores_that_run(options.cores)
    return options


def cores_that_run(asked: Sequence[str] | None) -> Sequence[str]:
    """The cores that were asked for, else the one that runs; raises BenchError where the compiled one doesn't."""
    if asked and "compiled" in asked and _measure.running_core() != "compiled":
        raise BenchError("the compiled core does not run here: python3 run.py compile")
    return asked or [_measure.running_core()]


def main(arguments: Sequence[str]) -> None:
    """Measures and prints."""
    options = parse(arguments)
    _measure.need_files(2 * max(options.pairs) + SHARED_FILES)
    settings = [
        replace(setting, spread=not options.one_address)
        for setting in settings_of(options.games, options.pairs, options.moves, options.seed)
    ]
    reports = [
        report
        for durability in options.durability
        for setting in settings
        for report in compare(setting, options.rounds, durability, options.serve.split(), options.cores)
    ]
    if options.json:
        _measure.print_json({"machine": _measure.machine(), "reports": reports})
        return
    if not options.markdown:
        print(f"Server CPU time for a move, microseconds. {_measure.machine()}.")
    _measure.show([row_of(report) for report in reports], markdown=options.markdown)


if __name__ == "__main__":
    _measure.run_main(main)
