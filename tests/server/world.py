"""Clients that come, go and fold what they are told, next to a model that says what they should see.

A step is: time passes, one request (or a lost connection), then the timer goes off. After each step every client's fold
is compared with the model, and every message of the step with who may see it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Any
from unicodedata import normalize

from protocol.bounds import Kind
from protocol.codec import encode
from protocol.messages import (
    Answer,
    ClientMessage,
    Closing,
    Create,
    Declined,
    Entrant,
    EntryRefused,
    Error,
    Explained,
    Finished,
    GaveTime,
    Hello,
    Invitation,
    Job,
    JobOver,
    LeagueChanged,
    Leave,
    Letter,
    ListMatches,
    LobbyChanged,
    MatchEvent,
    Moved,
    Murmur,
    Offer,
    Offered,
    Ok,
    Passed,
    Paused,
    Presence,
    Rematched,
    Report,
    Resumed,
    Reviewed,
    Said,
    Seated,
    ServerMessage,
    Snapshot,
    Started,
    Switched,
    Sync,
    Thought,
    Told,
    TookBack,
    Welcome,
    YourTurn,
)
from server.match.terms import Timeouts
from server.referee.outgoing import REPLACED
from server.referee.settings import Settings
from tests.server.desk import SECRET, Desk
from tests.server.model import ABANDONMENT, ABSENCE, LEFT_WAITING, TICKS, WAITING, Person, Sheet

MAX_OWN = 4
KEPT = 300 * TICKS
BUNDLE = TICKS // 4
TALK = (Said, Offered, Declined, Rematched, Presence)
"""What may still happen after the end of a match."""


@dataclass
class View:
    """A match as one client sees it: the fold of the events that it was sent."""

    seq: int = 0
    status: str = "waiting"
    moves: list[str] = field(default_factory=list)
    names: dict[int, str] = field(default_factory=dict)
    present: dict[int, bool] = field(default_factory=dict)
    offers: dict[str, int] = field(default_factory=dict)
    result: tuple[int | None, str] | None = None
    clocks: tuple[int, int] | None = None
    clocks_step: int = -1

    def take(self, event: MatchEvent, step: int) -> None:  # noqa: C901 - one case an event
        assert event.seq == self.seq + 1, f"a gap or a repetition: {event} after {self.seq}"
        assert self.status != "finished" or isinstance(event, TALK), f"after the end: {event}"
        self.seq = event.seq
        match event:
            case Seated():
                self.names[event.seat], self.present[event.seat] = event.player.name, event.player.present
            case Started():
                self.status = "playing"
            case Moved():
                assert event.ply == len(self.moves)
                self.moves.append(event.move)
                self.offers.pop("takeback", None)
                if self.offers.get("draw") == 3 - event.seat:
                    del self.offers["draw"]
            case Paused():
                self.status = "paused"
            case Resumed():
                self.status = "playing"
            case TookBack():
                del self.moves[event.ply :]
                self.offers = {}
            case Offered():
                self.offers[event.what] = event.seat
            case Declined():
                del self.offers[event.what]
            case Presence():
                self.present[event.seat] = event.present
            case Finished():
                self.status, self.offers = "finished", {}
                self.result = (event.result.winner, event.result.reason)
            case Rematched():
                self.offers.pop("rematch", None)
            case Passed() | Said() | GaveTime():
                pass
        if isinstance(event, Started | Moved | TookBack | GaveTime | Paused | Resumed | Finished):
            self.clocks, self.clocks_step = event.clocks, step

    @classmethod
    def of(cls, snapshot: Snapshot, step: int) -> View:
        seats = [(seat, player) for seat, player in enumerate(snapshot.players, 1) if player is not None]
        return cls(
            snapshot.seq,
            snapshot.status,
            list(snapshot.moves),
            {seat: player.name for seat, player in seats},
            {seat: player.present for seat, player in seats},
            {what: int(seat) for what, seat in snapshot.offers.items()},
            None if snapshot.result is None else (snapshot.result.winner, snapshot.result.reason),
            snapshot.clocks,
            step,
        )


@dataclass(eq=False)
class Board:
    """The lobby as a client sees it who follows it: the fold of the first page and of the changes."""

    game: str | None
    page: InitVar[Ok]
    matches: dict[str, str] = field(default_factory=dict)
    players: dict[str, bool] = field(default_factory=dict)
    told_at: int = -TICKS

    def __post_init__(self, page: Ok) -> None:
        assert not isinstance(page.more, int)
        self.matches = {summary.match: summary.status for summary in page.matches or ()}
        self.players = {player.name: player.present for player in page.players or ()}

    def take(self, change: LobbyChanged, now: int) -> None:
        assert now - self.told_at >= BUNDLE, "more than four times a second"
        assert change.matches or change.gone or change.players
        assert not change.again
        self.told_at = now
        self.matches |= {summary.match: summary.status for summary in change.matches}
        for match in change.gone:
            self.matches.pop(match, None)  # it may be over before it was ever told
        self.players |= {player.name: player.present for player in change.players}


@dataclass(eq=False)
class Client:
    """A program at the other end; it may be away, or have lost its token."""

    name: str
    kind: Kind
    person: Person | None = None
    token: str | None = None
    shown: str | None = None
    """The token that it came back with last: good until the next one is used."""
    views: dict[str, View] = field(default_factory=dict)
    told: dict[str, tuple[int, int]] = field(default_factory=dict)
    lobby: Board | None = None

    @property
    def connection(self) -> int | None:
        return None if self.person is None else self.person.connection


class World:
    """The referee, its model, and the clients between them."""

    def __init__(self) -> None:
        timeouts = Timeouts(ABSENCE / TICKS, ABANDONMENT / TICKS, WAITING / TICKS, LEFT_WAITING / TICKS)
        self.desk = Desk(Settings(timeouts=timeouts, max_own=MAX_OWN))
        self.ticks = 0
        self.steps = 0
        self.ticked_at = -TICKS
        self.rested = True
        self.clients = [Client("Ana", "human"), Client("Bo", "bot"), Client("Cy", "bot"), Client("Di", "human")]
        self.people: dict[str, Person] = {}
        self.ghosts: list[int] = []
        self.sheets: dict[str, Sheet] = {}

    # --------------------------------------------------------------------------------------------------------- the step

    def pass_time(self, ticks: int) -> None:
        self.ticks += ticks
        self.desk.now = self.ticks / TICKS

    def request(
        self, client: Client, message: ClientMessage, model: Callable[[], str], opened: Callable[[Ok], None]
    ) -> Ok | Error:
        """One step: `client` asks; the model, asked after what is due has happened, says what the answer must be.

        `opened` lets the model know of a match that the answer opened, before it is compared.
        """
        assert client.connection is not None
        if isinstance(message, Create | Offer | Answer | Leave | ListMatches):
            self.tick()  # these look at other matches, too: a late timer may leave those unsettled
        quiet = self.desk.referee.next_deadline() > self.desk.now
        for sheet in self.sheets.values():
            sheet.settle(self.ticks)
        before = self.digest()
        expected = model()
        answer = self.desk.ask(client.connection, message)
        code = answer.code if isinstance(answer, Error) else "ok"
        assert code == expected, f"{message} was answered {code}, not {expected}"
        first = self.desk.said_to(client.connection)[0]
        assert not quiet or first is answer, f"{first} came before the answer"
        if isinstance(answer, Ok):
            opened(answer)
        self.absorb(client, message, answer)
        if code != "ok" and quiet:
            assert self.digest() == before, f"{message} was refused and changed something"
        self.tick()
        return answer

    def tick(self) -> None:
        """The timer goes off."""
        for sheet in self.sheets.values():
            sheet.settle(self.ticks)
        self.rested, self.ticked_at = self.ticks - self.ticked_at >= BUNDLE, self.ticks
        self.desk.tick()
        self.absorb()
        self.check()

    def digest(self) -> Any:
        """All that a refused request must not change."""
        referee, now = self.desk.referee, self.desk.now
        return (
            [(s.name, s.connection, s.token_hash, s.batch) for s in referee.sessions],
            [
                (
                    table.match.id,
                    table.match.status,
                    list(table.match.moves),
                    dict(table.match.offers),
                    table.match.result,
                    dict(table.match.players),
                    table.match.history.seq,
                    table.match.clocks(now),
                    table.match.deadline(),
                    {seat: s.name for seat, s in table.sessions.items()},
                    {seat: s.name for seat, s in table.invited.items()},
                    sorted(s.name for s in table.viewers),
                )
                for table in referee.lobby.tables()
            ],
        )

    # ------------------------------------------------------------------------------------------------ what was received

    def client_at(self, connection: int) -> Client | None:
        return next((client for client in self.clients if client.connection == connection), None)

    def absorb(
        self,
        asker: Client | None = None,
        asked: ClientMessage | None = None,
        answer: object = None,
        replaced: int | None = None,
    ) -> None:
        """Gives everyone what this step sent him, and checks that he may see it.

        What went to a connection that this step replaced is lost.
        """
        self.steps += 1
        turns: set[tuple[int, str]] = set()
        answered = False
        for connection, message in self.desk.step:
            if connection == replaced:
                continue
            client = self.client_at(connection)
            answered = answered or message is answer
            if client is None or client.person is None:
                assert isinstance(message, Error), f"{message} went to an old connection"
                continue
            self.check_reader(client, client.person, message)
            match message:
                case Snapshot():
                    client.views[message.match] = View.of(message, self.steps)
                case YourTurn():
                    assert (connection, message.match) not in turns, "asked twice"
                    turns.add((connection, message.match))
                    client.told[message.match] = (connection, self.sheets[message.match].turns)
                case LobbyChanged():
                    assert client.lobby is not None, f"{client.name} does not follow the lobby"
                    client.lobby.take(message, self.ticks)
                case Rematched() | Seated() | Started() | Moved() | Passed() | TookBack() | Offered() | Declined():
                    self.fold(client, message, repeated=answered and client is asker and isinstance(asked, Sync))
                case Presence() | Said() | GaveTime() | Finished():
                    self.fold(client, message, repeated=answered and client is asker and isinstance(asked, Sync))
                case _:
                    pass

    def fold(self, client: Client, event: MatchEvent, *, repeated: bool) -> None:
        view = client.views.get(event.match)
        if view is None:
            # A client that came back remembering nothing is not told again of what was over before.
            assert self.sheets[event.match].status == "finished", f"{client.name} knows nothing of {event}"
        elif repeated and event.seq <= view.seq:
            assert event == self.history(event.match)[event.seq - 1]
        else:
            view.take(event, self.steps)

    def history(self, match: str) -> list[MatchEvent]:
        events = self.desk.referee.lobby.find(match).match.history.since(0)
        assert events is not None
        return list(events)

    def check_reader(  # noqa: C901, PLR0912 - a table
        self, client: Client, person: Person, message: ServerMessage
    ) -> None:
        """Nobody receives what he must not see."""
        if isinstance(message, Welcome):
            assert message.token.startswith(f"{message.session}.")
        else:
            assert SECRET.encode() not in encode(message), f"a token in {message}"
        match message:
            case Ok():
                for summary in message.matches or ():
                    assert self.sheets[summary.match].public
                if isinstance(message.code, str) and isinstance(message.match, str):
                    assert self.sheets[message.match].sees(person) or self.sheets[message.match].reports_to(person)
            case Report():
                sheet = self.sheets[message.match]
                assert sheet.reports_to(person)
                assert (message.result.winner, message.result.reason) == sheet.result
                assert list(message.moves) == [move for _, move in sheet.moves]
            case Snapshot() if self.sheets[message.match].reports_to(person):
                assert self.sheets[message.match].status != "finished" or self.sheets[message.match].sees(person)
            case Invitation():
                assert person in self.sheets[message.match].invited.values()
            case Thought():
                assert person in self.sheets[message.match].viewers
            case Murmur():
                sheet = self.sheets[message.match]
                assert person in sheet.viewers or (sheet.status == "finished" and sheet.sees(person))
            case YourTurn():
                self.check_turn(person, message)
            case LobbyChanged():
                for summary in message.matches:
                    assert self.sheets[summary.match].public
                for match in message.gone:
                    assert self.sheets[match].public
            case Welcome() | Error():
                pass
            case Reviewed() | Explained() | Job() | JobOver():
                raise AssertionError("nobody reviews here")
            case Closing() | Entrant() | EntryRefused() | LeagueChanged() | Letter() | Told() | Switched():
                raise AssertionError("nobody closes the server, or hosts a league, here")
            case _:
                assert self.sheets[message.match].sees(person), f"{client.name} is not around: {message}"

    def check_turn(self, person: Person, turn: YourTurn) -> None:
        sheet = self.sheets[turn.match]
        assert sheet.status == "playing"
        assert sheet.seat_of(person) == sheet.to_move, "asked out of turn"
        assert turn.ply == sheet.ply
        assert turn.legal == sheet.position.legal_moves()
        clocks = sheet.lefts(self.ticks)
        assert turn.clocks == clocks
        assert turn.deadline_ms == (None if clocks is None else clocks[sheet.to_move - 1])

    # ------------------------------------------------------------------------------------------------------- comparison

    def check(self) -> None:
        """Everyone connected sees each of his matches as the model does, and the timer is not late."""
        for sheet in self.sheets.values():
            seq = self.desk.referee.lobby.find(sheet.id).match.history.seq
            for client in self.clients:
                if client.person is not None and client.connection is not None:
                    self.compare(client, client.person, sheet, seq)
        for client in self.clients:
            if client.lobby is not None and client.connection is not None:
                self.check_lobby(client.lobby)
        deadline = self.desk.referee.next_deadline()
        assert deadline > self.desk.now, "the timer would spin"
        for sheet in self.sheets.values():
            for when in sheet.deadlines().values():
                assert deadline <= float(when) / TICKS + 1e-9, "the timer is late"

    def listed(self, game: str | None) -> list[str]:
        """What a list of that game shows, the newest first."""
        return [
            sheet.id
            for sheet in reversed(self.sheets.values())
            if sheet.public and sheet.status != "finished" and game in (None, sheet.rules.id, sheet.rules.spec)
        ]

    def check_lobby(self, board: Board) -> None:
        """Who was told nothing for a quarter of a second has missed nothing."""
        if not self.rested:
            return
        assert board.matches == {match: self.sheets[match].status for match in self.listed(board.game)}
        for person in self.people.values():
            assert board.players.get(person.name, False) == (person.connection is not None), person.name

    def compare(self, client: Client, person: Person, sheet: Sheet, seq: int) -> None:
        view = client.views.get(sheet.id)
        if not sheet.sees(person):
            client.views.pop(sheet.id, None)
            return
        if view is None:
            assert sheet.status == "finished", f"{client.name} was told nothing of {sheet.id}"
            return
        assert view.seq == seq, f"{client.name} has missed something"
        assert view.status == sheet.status
        assert view.moves == [move for _, move in sheet.moves]
        assert view.names == sheet.names
        assert view.present == sheet.present
        assert view.offers == sheet.offers
        assert view.result == sheet.result
        if view.clocks_step == self.steps:
            assert view.clocks == sheet.lefts(self.ticks)
        if sheet.status == "playing" and sheet.seat_of(person) == sheet.to_move:
            assert client.told.get(sheet.id) == (person.connection, sheet.turns), f"{client.name} was not asked"

    # ------------------------------------------------------------------------------------------------- coming and going

    def idle(self, person: Person) -> bool:
        return not any(
            sheet.status != "finished" and (sheet.seat_of(person) is not None or sheet.organiser is person)
            for sheet in self.sheets.values()
        )

    def invited(self, person: Person) -> bool:
        """Whether a match waits for somebody."""
        return any(sheet.status != "finished" and person in sheet.invited.values() for sheet in self.sheets.values())

    def own(self, person: Person) -> int:
        return sum(
            sheet.status != "finished" and (sheet.seat_of(person) is not None or sheet.organiser is person)
            for sheet in self.sheets.values()
        )

    def forget(self, person: Person) -> None:
        for sheet in self.sheets.values():
            sheet.viewers.discard(person)
        for name, held in list(self.people.items()):
            if held is person:
                del self.people[name]
        for client in self.clients:
            if client.person is person:
                client.person = None

    def greet(self, client: Client, typed: str) -> None:
        """Says hello without a token."""
        self.tick()
        key = client.name.casefold()
        holder = self.people.get(key)
        connection = self.desk.connect()
        for sheet in self.sheets.values():
            sheet.settle(self.ticks)
        taken = holder is not None and (holder.connection is not None or not self.idle(holder) or self.invited(holder))
        if holder is not None and not taken:
            self.forget(holder)
        before = self.digest() if taken else None
        person = Person(normalize("NFKC", typed), None if taken else connection, kind=client.kind)
        if not taken:
            client.person, client.token, client.views, client.lobby = person, None, {}, None
            self.people[key] = person
        answer = self.desk.ask(connection, Hello(self.desk.request_id(), 1, "test", client.kind, typed))
        assert (answer.code if isinstance(answer, Error) else "ok") == ("name_taken" if taken else "ok")
        if taken:
            assert self.digest() == before
            self.desk.drop(connection)
        else:
            client.token, client.shown = self.token_at(connection), None
            self.absorb()
        self.tick()

    def resume(self, client: Client, token: str, seen: str) -> None:
        """Says hello with a token; `seen` says what the client remembers: right, stale, absurd or nothing."""
        connection = self.desk.connect()
        for sheet in self.sheets.values():
            sheet.settle(self.ticks)
        person, right = client.person, token in (client.token, client.shown)
        hello = Hello(
            self.desk.request_id(), 1, "test", client.kind, "whoever", token, seen=self.remember(client, seen)
        )
        if person is None or not right:
            before = self.digest()
            answer = self.desk.ask(connection, hello)
            assert isinstance(answer, Error)
            assert answer.code == "bad_token"
            assert self.digest() == before
            self.desk.drop(connection)
            self.tick()
            return
        answer = self.desk.ask(connection, hello)
        if isinstance(answer, Error):
            assert answer.code == "bad_token"
            assert person.connection is None
            assert self.ticks - person.left_at >= KEPT, "forgotten too early"
            self.desk.drop(connection)
            self.forget(person)
            self.tick()
            return
        client.token, client.shown = self.token_at(connection), token
        replaced, person.connection, client.lobby = person.connection, connection, None
        if replaced is not None:
            self.ghosts.append(replaced)
            assert self.desk.closed[replaced] == REPLACED
        for sheet in self.sheets.values():
            sheet.presence(person, present=True, now=self.ticks)
        self.absorb(replaced=replaced)
        self.tick()

    def token_at(self, connection: int) -> str:
        """The token of the welcome of that connection."""
        return next(m.token for m in self.desk.said_to(connection) if isinstance(m, Welcome))

    def remember(self, client: Client, mode: str) -> dict[str, int]:
        """Sets the client back to what it remembers, and returns the `seen` that says so."""
        if client.person is None or mode == "nothing":
            client.views = {}
            return {}
        seen: dict[str, int] = {}
        for match, view in list(client.views.items()):
            if mode == "stale":
                history = self.history(match)[: max(0, view.seq - 3)]
                client.views[match] = View()
                for event in history:
                    client.views[match].take(event, -1)
            seen[match] = 10**6 if mode == "absurd" else client.views[match].seq
        return seen

    def drop(self, client: Client) -> None:
        person = client.person
        if person is None or person.connection is None:
            return
        connection, person.connection, person.left_at = person.connection, None, self.ticks
        client.lobby = None
        for sheet in self.sheets.values():
            sheet.settle(self.ticks)
            sheet.presence(person, present=False, now=self.ticks)
        self.desk.drop(connection)
        self.absorb()
        self.tick()
