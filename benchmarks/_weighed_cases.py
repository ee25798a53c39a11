"""What benchmarks/weights.py measures: each request in its usual case, and bytes that are no request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain

from benchmarks._load import frame
from benchmarks._weighed import CLOCK, MIDDLE, Act, World, number, saying
from protocol import PROTOCOL
from protocol.bounds import MAX_CROSS
from protocol.codec import encode
from protocol.errors import ProtocolError
from protocol.messages import (
    Abort,
    Adjudicate,
    Answer,
    Boards,
    Chat,
    Claim,
    ClientMessage,
    Create,
    Decline,
    Dismiss,
    Enter,
    Explain,
    FollowLeague,
    FollowLobby,
    GiveTime,
    Hello,
    HostLeague,
    Join,
    Judgement,
    Kick,
    LeagueGame,
    Leave,
    ListMatches,
    MakeMove,
    Offer,
    Pause,
    Resign,
    Resume,
    Review,
    ScoreRow,
    SeatLink,
    Serve,
    ShowLeague,
    Switch,
    Sync,
    Tell,
    Terminate,
    Thinking,
    Watch,
    Write,
)

Kind = type[ClientMessage | ProtocolError]

KEY = "k" * 22
"""That an entrant shows, as Arbitre's own bots do."""

LETTER = '{"type":"answer","move":"d3"}'

LONG = 60_000
PINGS = 170
PARTS = 100


@dataclass(frozen=True, slots=True)
class Case:
    """One thing to measure. kind: the request that it is, None where its bytes count most.

    prepare: makes ready what is then sent at once.
    """

    name: str
    kind: Kind | None
    prepare: Callable[[World], Sequence[Act]]


def _moves(world: World) -> list[Act]:
    return [saying(b.mover, MakeMove(number(), b.id, MIDDLE, b.moves[0])) for b in world.boards()]


def _hello(world: World) -> list[Act]:
    return [
        saying(world.newcomer(silent=True), Hello(number(), PROTOCOL, "bench", "bot", world.fresh_name(), batch=True))
        for _ in range(world.size)
    ]


def _return(matches: int, *, seen: bool) -> Callable[[World], list[Act]]:
    def prepare(world: World) -> list[Act]:
        acts = []
        for pair in world.pairs[: max(1, world.size // matches)]:
            gone = world.newcomer()
            boards = [world.board((gone, pair[1])) for _ in range(matches)]
            known = {board.id: 3 + MIDDLE for board in boards} if seen else {}
            gone.connection.socket.close()
            back = world.newcomer(silent=True)
            acts.append(saying(back, Hello(number(), PROTOCOL, "bench", "bot", "", gone.token, batch=True, seen=known)))
        return acts

    return prepare


def _create(*, public: bool) -> Callable[[World], list[Act]]:
    return lambda world: [saying(one, Create(number(), "othello", CLOCK, public)) for one, _ in world.pairs]


def _create_from_opening(world: World) -> list[Act]:
    return [saying(one, Create(number(), "othello", CLOCK, opening=world.line())) for one, _ in world.pairs]


def _watch_board(world: World) -> list[Act]:
    """Somebody who is told boards begins to watch."""
    return [saying(world.newcomer(boards=True), Watch(number(), board.id)) for board in world.boards()]


def _move_shown(world: World) -> list[Act]:
    """A move that somebody sees who is told boards."""
    boards = world.boards()
    for board in boards:
        world.newcomer(boards=True).ask(Watch(number(), board.id))
    return [saying(b.mover, MakeMove(number(), b.id, MIDDLE, b.moves[0])) for b in boards]


def _sync_board(world: World) -> list[Act]:
    """Somebody who is told boards asks for a match anew."""
    acts = []
    for board in world.boards():
        watching = world.newcomer(boards=True)
        watching.ask(Watch(number(), board.id))
        acts.append(saying(watching, Sync(number(), board.id, 0)))
    return acts


def _take_back(world: World) -> list[Act]:
    """The other one agrees that the last move is taken back."""
    boards = world.boards()
    for board in boards:
        board.mover.ask(MakeMove(number(), board.id, MIDDLE, board.moves[0]))
        board.mover.ask(Offer(number(), board.id, "takeback"))
    return [saying(board.other, Answer(number(), board.id, "takeback", accept=True)) for board in boards]


def _invite(world: World) -> list[Act]:
    return [saying(one, Create(number(), "othello", CLOCK, invite=(two.name,))) for one, two in world.pairs]


def _join(world: World) -> list[Act]:
    return [saying(two, Join(number(), world.create(one))) for one, two in world.pairs]


def _decline(world: World) -> list[Act]:
    invited = [one.ask(Create(number(), "othello", CLOCK, invite=(two.name,))).match for one, two in world.pairs]
    return [saying(two, Decline(number(), str(match))) for (_, two), match in zip(world.pairs, invited, strict=True)]


def _watch(world: World) -> list[Act]:
    return [saying(world.spectators[n][0], Watch(number(), board.id)) for n, board in enumerate(world.boards())]


def _leave(world: World) -> list[Act]:
    return [saying(world.spectators[n][0], Leave(number(), board.id)) for n, board in enumerate(world.boards(1))]


def _list(limit: int) -> Callable[[World], list[Act]]:
    return lambda world: [saying(one, ListMatches(number(), limit=limit)) for one, _ in world.pairs]


def _lobby(world: World) -> list[Act]:
    return [saying(world.newcomer(), FollowLobby(number())) for _ in range(world.size)]


def _boards(world: World) -> list[Act]:
    return [saying(one, Boards(number(), "othello", world.line())) for one, _ in world.pairs]


def _review(world: World) -> list[Act]:
    world.judge()
    return [saying(world.newcomer(), Review(number(), "othello", world.line())) for _ in range(world.size)]


def _explain(world: World) -> list[Act]:
    world.judge()
    return [saying(world.newcomer(), Explain(number(), "othello", world.line())) for _ in range(world.size)]


def _serve(world: World) -> list[Act]:
    return [saying(world.judge(), Serve(number(), "bench")) for _ in range(world.size)]


def _judgement(world: World) -> list[Act]:
    """One judge answers for one review after the other, and gets the next."""
    judge = world.judge()
    asked = [world.newcomer().ask(Review(number(), "othello", world.line())) for _ in range(world.size)]
    return [saying(judge, Judgement(number(), str(ok.ticket), done=True, why="failed")) for ok in asked]


def _in_match(request: Callable[[str], ClientMessage], *, spectators: int = 0) -> Callable[[World], list[Act]]:
    """The mover says something in the middle of a match."""
    return lambda world: [saying(board.mover, request(board.id)) for board in world.boards(spectators)]


def _crowded(world: World) -> list[Act]:
    board = world.board(world.pairs[0], list(chain(*world.spectators)))
    return [saying(board.mover, Chat(number(), board.id, "Well played!"))]


def _directing(
    request: Callable[[str], ClientMessage], first: Callable[[str], ClientMessage] | None = None
) -> Callable[[World], list[Act]]:
    def prepare(world: World) -> list[Act]:
        boards = world.boards()
        for board in boards if first is not None else ():
            world.organiser.ask(first(board.id))  # type: ignore[misc]  # there are none without it
        return [saying(world.organiser, request(board.id)) for board in boards]

    return prepare


def _answer(what: str, *, accept: bool) -> Callable[[World], list[Act]]:
    def prepare(world: World) -> list[Act]:
        boards = world.boards()
        for board in boards:
            if what == "rematch":
                board.mover.ask(Resign(number(), board.id))
            board.mover.ask(Offer(number(), board.id, what))  # type: ignore[arg-type]  # one of its words
        return [saying(b.other, Answer(number(), b.id, what, accept)) for b in boards]  # type: ignore[arg-type]  # as above

    return prepare


def _abort(world: World) -> list[Act]:
    return [saying(one, Abort(number(), world.create(one))) for one, _ in world.pairs]


def _claim(world: World) -> list[Act]:
    acts = []
    for one, _ in world.pairs:
        gone = world.newcomer()
        board = world.board((one, gone))
        gone.connection.socket.close()
        acts.append(saying(one, Claim(number(), board.id)))
    return acts


def _give_time(world: World) -> list[Act]:
    boards = [world.board((one, world.newcomer(kind="human"))) for one, _ in world.pairs]
    return [saying(board.mover, GiveTime(number(), board.id)) for board in boards]


def _seat_link(world: World) -> list[Act]:
    people = [(world.newcomer(kind="human"), world.newcomer(kind="human")) for _ in range(world.size)]
    boards = [world.board(pair) for pair in people]
    return [saying(board.mover, SeatLink(number(), board.id)) for board in boards]


def _host(world: World) -> list[Act]:
    return [saying(world.newcomer(), HostLeague(number())) for _ in range(world.size)]


def _enter(world: World) -> list[Act]:
    codes = [str(world.newcomer().ask(HostLeague(number())).code) for _ in range(world.size)]
    return [saying(world.newcomer(), Enter(number(), code, key=KEY)) for code in codes]


def _dismiss(world: World) -> list[Act]:
    acts: list[Act] = []
    for one, _ in world.pairs:
        host = world.newcomer()
        code = str(host.ask(HostLeague(number())).code)
        one.ask(Enter(number(), code))
        acts.append(saying(host, Dismiss(number(), code, one.name)))
    return acts


def _shown(key: str, rows: int = 0, games: int = 0) -> ShowLeague:
    """A league of so many bots, each of which has met all others, with so many new games of forty moves."""
    against = tuple(1.5 for _ in range(rows)) if rows <= MAX_CROSS else ()
    table = tuple(ScoreRow(f"bot {n}", n + 1, 10.5, 20, 1000.0, 55.5, against) for n in range(rows))
    over = tuple(
        LeagueGame(n + 1, f"bot {n}", f"bot {n + 1}", 1, "resign", " ".join(["d3"] * 40)) for n in range(games)
    )
    return ShowLeague(number(), key, "Seconde 4", "othello", "running", rows=table, games=over, again=True)


def _show(rows: int, games: int) -> Callable[[World], list[Act]]:
    return lambda world: [saying(world.organiser, _shown(KEY, rows, games)) for _ in range(world.size)]


def _league(world: World) -> list[Act]:
    shown = world.organiser.ask(_shown(KEY, 30, 30))
    return [saying(world.newcomer(), FollowLeague(number(), str(shown.league))) for _ in range(world.size)]


def _kick(world: World) -> list[Act]:
    guests = [world.newcomer() for _ in range(world.size)]
    for guest, (one, _) in zip(guests, world.pairs, strict=True):
        world.board((one, guest))
    return [saying(world.organiser, Kick(number(), guest.name)) for guest in guests]


def _write(world: World) -> list[Act]:
    code = str(world.newcomer().ask(HostLeague(number())).code)
    return [saying(world.organiser, Write(number(), code, LETTER)) for _ in range(world.size)]


def _tell(world: World) -> list[Act]:
    host = world.newcomer()
    code = str(host.ask(HostLeague(number())).code)
    for _ in range(world.size):
        world.newcomer().ask(Enter(number(), code, key=KEY))
    world.organiser.ask(Write(number(), code, LETTER))
    return [saying(host, Tell(number(), code, LETTER, ("nobody",))) for _ in range(world.size)]


def _switch(world: World) -> list[Act]:
    return [saying(world.organiser, Switch(number(), chat=True)) for _ in range(world.size)]


def _nonsense(world: World) -> list[Act]:
    return [
        Act(one, frame(b'{"type":"move","id":%d,"match":7}' % (asked := number())), b'"id":%d' % asked)
        for one, _ in world.pairs
    ]


def _sync(seq: int) -> Callable[[str], ClientMessage]:
    return lambda match: Sync(number(), match, seq)


def _thinking(match: str) -> Thinking:
    return Thinking(number(), match, MIDDLE, 12, 1.5, ("d3", "c5", "f6", "e3", "g4", "b5", "a4", "h2"), 1_000_000, 250)


def _pings(count: int) -> Callable[[World], list[Act]]:
    return lambda world: [Act(one, frame(b"", 0x89) * count, b"", count) for one, _ in world.pairs]


def _parts(world: World) -> list[Act]:
    acts = []
    for one, _ in world.pairs:
        request = ListMatches(number(), limit=1)
        text = encode(request).ljust(PARTS)
        parts = [
            frame(text[:1], 0x01),
            *(frame(text[n : n + 1], 0) for n in range(1, PARTS - 1)),
            frame(text[-1:], 0x80),
        ]
        acts.append(Act(one, b"".join(parts), b'"id":%d' % request.id))
    return acts


def _long(size: int) -> Callable[[World], list[Act]]:
    def prepare(world: World) -> list[Act]:
        requests = [ListMatches(number(), limit=1) for _ in world.pairs]
        return [
            Act(one, frame(encode(request).ljust(size)), b'"id":%d' % request.id)
            for (one, _), request in zip(world.pairs, requests, strict=True)
        ]

    return prepare


CASES: tuple[Case, ...] = (
    Case("move", MakeMove, _moves),
    Case("move, a board", MakeMove, _move_shown),
    Case("hello", Hello, _hello),
    Case("hello, back to 1 match", Hello, _return(1, seen=True)),
    Case("hello, back to 20 matches", Hello, _return(20, seen=False)),
    Case("create", Create, _create(public=True)),
    Case("create, private", Create, _create(public=False)),
    Case("create, inviting", Create, _invite),
    Case("create, an opening", Create, _create_from_opening),
    Case("join", Join, _join),
    Case("decline", Decline, _decline),
    Case("watch", Watch, _watch),
    Case("watch, a board", Watch, _watch_board),
    Case("leave", Leave, _leave),
    Case("list, 1", ListMatches, _list(1)),
    Case("list, 20", ListMatches, _list(20)),
    Case("list, 100", ListMatches, _list(100)),
    Case("lobby", FollowLobby, _lobby),
    Case("boards of a game", Boards, _boards),
    Case("review", Review, _review),
    Case("explain", Explain, _explain),
    Case("serve", Serve, _serve),
    Case("judgement", Judgement, _judgement),
    Case("sync, all", Sync, _in_match(_sync(0))),
    Case("sync, a board", Sync, _sync_board),
    Case("sync, the last event", Sync, _in_match(_sync(32))),
    Case("resign", Resign, _in_match(lambda match: Resign(number(), match))),
    Case("offer", Offer, _in_match(lambda match: Offer(number(), match, "draw"))),
    Case("answer, no", Answer, _answer("draw", accept=False)),
    Case("answer, a draw", Answer, _answer("draw", accept=True)),
    Case("answer, a takeback", Answer, _take_back),
    Case("answer, a rematch", Answer, _answer("rematch", accept=True)),
    Case("abort", Abort, _abort),
    Case("give time", GiveTime, _give_time),
    Case("seat link", SeatLink, _seat_link),
    Case("claim", Claim, _claim),
    Case("chat, 10 spectators", Chat, _in_match(lambda match: Chat(number(), match, "Well played!"), spectators=10)),
    Case("chat, 80 spectators", Chat, _crowded),
    Case("thinking, 5 spectators", Thinking, _in_match(_thinking, spectators=5)),
    Case("host", HostLeague, _host),
    Case("enter", Enter, _enter),
    Case("show a league", ShowLeague, _show(0, 0)),
    Case("show a league, 30 rows", None, _show(30, 0)),
    Case("show a league, 30 games", None, _show(0, 30)),
    Case("league", FollowLeague, _league),
    Case("dismiss", Dismiss, _dismiss),
    Case("pause", Pause, _directing(lambda match: Pause(number(), match))),
    Case("resume", Resume, _directing(lambda match: Resume(number(), match), lambda match: Pause(number(), match))),
    Case("adjudicate", Adjudicate, _directing(lambda match: Adjudicate(number(), match, 1))),
    Case("terminate", Terminate, _directing(lambda match: Terminate(number(), match))),
    Case("kick", Kick, _kick),
    Case("switch", Switch, _switch),
    Case("write", Write, _write),
    Case("tell", Tell, _tell),
    Case("what is no message", ProtocolError, _nonsense),
    Case("a ping", None, _pings(1)),
    Case(f"{PINGS} pings in a packet", None, _pings(PINGS)),
    Case(f"a message in {PARTS} parts", None, _parts),
    Case("a message of 1 KB", None, _long(1_000)),
    Case("a message of 60 KB", None, _long(LONG)),
)
