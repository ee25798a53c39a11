"""What the random machine can do: each action asks the referee and says what the model expects of it."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from games import parse
from protocol.bounds import OfferKind
from protocol.messages import (
    Abort,
    Answer,
    Claim,
    ClientMessage,
    Clock,
    Create,
    Error,
    Invitation,
    Join,
    MakeMove,
    Offer,
    Ok,
    Rematched,
    Snapshot,
    Watch,
)
from tests.server.model import TICKS, Person, Sheet, clock_of_rematch
from tests.server.world import MAX_OWN, Client, World

Model = Callable[[], str]

WRONG_CODE, WRONG_LINK = "XYZXYZ", "x" * 22


class Actions:
    """Clients by number, matches by how new they are; see world.py for what is checked after each."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.following: Sheet | None = None

    def client(self, who: int) -> Client | None:
        """A client that is connected."""
        client = self.world.clients[who]
        return client if client.connection is not None else None

    def sheet(self, which: int) -> Sheet | None:
        """One of the last matches; None stands for one that does not exist."""
        sheets = list(self.world.sheets.values())[-5:]
        return sheets[-1 - which % len(sheets)] if sheets and which < 7 else None

    def ask(
        self, client: Client, message: ClientMessage, model: Model, opened: Callable[[Ok], None] | None = None
    ) -> Ok | Error:
        return self.world.request(client, message, model, opened or self.note_rematch)

    def actor(self, who: int, sheet: Sheet | None) -> Client | None:
        """0 to 3 are the clients, 4 to 6 and 7 to 9 those who hold the seats of the match."""
        seated = None if sheet is None or who < 4 else self.who_is(sheet.seats.get(1 if who < 7 else 2))
        return self.client(who % 4 if seated is None else seated)

    def who_is(self, person: Person | None) -> int | None:
        """The number of the client that plays for `person`."""
        return next((who for who, client in enumerate(self.world.clients) if person and client.person is person), None)

    def player(
        self,
        who: int,
        which: int,
        pause: int,
        make: Callable[[int, str], ClientMessage],
        model: Callable[[Sheet, int], str],
    ) -> None:
        """A request that only a player of the match may make."""

        def expected() -> str:
            if sheet is None:
                return "no_such_match"
            if client is None or client.person is None:
                return "hello_required"
            seat = sheet.seat_of(client.person)
            return self.stranger(sheet, client.person) if seat is None else model(sheet, seat)

        sheet = self.sheet(which)
        client = self.actor(who, sheet)
        if client is not None:
            self.world.pass_time(pause)
            self.ask(client, make(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id), expected)

    def stranger(self, sheet: Sheet | None, person: Person) -> str:
        """What is said to who wants something of a match that he has no part in."""
        return "not_allowed" if sheet is not None and sheet.is_known_to(person) else "no_such_match"

    def starts(self, who: int, game: str, clock: Clock | None, *, public: bool) -> None:
        """A match, its players and a spectator."""
        before = len(self.world.sheets)
        self.creates(who, Create(0, game, clock, public), [])
        if len(self.world.sheets) > before:
            way = "id" if public else "code"
            self.enters((who + 1) % 4, 0, way, 0, watch=False)
            self.enters((who + 2) % 4, 0, way, 0, watch=True)

    def creates(self, who: int, create: Create, guests: list[int]) -> None:
        client = self.client(who)
        if client is None or client.person is None:
            return
        world, host = self.world, client.person
        names = tuple("Nobody" if guest == 4 else world.clients[guest].name for guest in guests)
        people = [world.people.get(name.casefold()) for name in names]
        message = replace(create, id=world.desk.request_id(), invite=names)

        def expected() -> str:
            if world.own(host) >= MAX_OWN:
                return "server_full"
            if any(guest is None or guest.connection is None for guest in people):
                return "no_such_player"
            if host in people:
                return "bad_message"
            if len(people) + create.play > 2 or len(set(people)) < len(people):
                return "bad_message"
            if create.game == "chess" or create.clock == Clock():
                return "bad_rules"
            for guest in people:
                assert guest is not None
                open_ones = sum(
                    sheet.status != "finished" and guest in sheet.invited.values() for sheet in world.sheets.values()
                )
                if not guest.may_be_asked(world.ticks, open_ones, MAX_OWN):
                    return "busy"
                guest.ask(world.ticks)
            return "ok"

        invited = [person for person in people if person is not None]
        self.ask(client, message, expected, lambda answer: self.opened(client, answer, message, invited))

    def opened(self, client: Client, answer: Ok, create: Create, people: list[Person]) -> None:
        """Notes a new match, and who sits where: the snapshot tells, where it is drawn."""
        world, host = self.world, client.person
        assert host is not None
        said = world.desk.said_to(client.connection or 0)
        assert said[0] is answer
        snapshot = said[1] if len(said) > 1 else None
        reports = not (create.play or create.follow)
        assert isinstance(snapshot, Snapshot) != reports
        assert isinstance(answer.match, str)
        assert isinstance(answer.code, str) != create.public
        code = answer.code if isinstance(answer.code, str) else None
        assert code is None or code not in [sheet.code for sheet in world.sheets.values()]
        assert isinstance(answer.link, str) != create.public
        link = answer.link if isinstance(answer.link, str) else None
        sheet = Sheet(answer.match, parse(create.game), create.clock, world.ticks, create.public, code, link, host)
        sheet.reports = reports
        seats = {message.match: message.seat for _, message in world.desk.step if isinstance(message, Invitation)}
        if create.play:
            assert isinstance(snapshot, Snapshot)
            mine = int(snapshot.seat or 0)
            assert mine in {"first": (1,), "second": (2,), "random": (1, 2)}[create.seat]
            sheet.invited = dict.fromkeys([3 - mine] * len(people), people[0] if people else host)
            sheet.sit(mine, host, world.ticks)
        else:
            if create.follow:
                sheet.viewers.add(host)
            invitations = [(m.seat, reader) for reader, m in world.desk.step if isinstance(m, Invitation)]
            sheet.invited = {
                seat: guest for guest in people for seat, reader in invitations if reader == guest.connection
            }
            if people and create.seat != "random":
                assert sheet.invited[1 if create.seat == "first" else 2] is people[0]
        assert len(seats) == (1 if people else 0)
        world.sheets[sheet.id] = sheet

    def enters(self, who: int, which: int, by: str, pause: int, *, watch: bool) -> None:
        client, sheet = self.client(who), self.sheet(which)
        if client is None or client.person is None:
            return
        person = client.person
        self.world.pass_time(pause)
        code, link = WRONG_CODE, WRONG_LINK
        if sheet is not None:
            code, link = sheet.code or code, sheet.link or link
        secret = by in ("code", "link")
        found = None if sheet is not None and secret and sheet.public else sheet  # a public match has no code

        def expected() -> str:
            if by == "both":
                return "bad_message"
            if found is None or not (secret or found.is_known_to(person)):
                return "no_such_match"
            return self.watches(found, person, secret) if watch else self.joins(found, person, secret)

        make = Watch if watch else Join
        match = None if secret else "nosuch" if sheet is None else sheet.id
        request = make(self.world.desk.request_id(), match)
        if by in ("code", "both"):
            request = replace(request, code=code.lower())
        elif by == "link":
            request = replace(request, link=link)
        self.ask(client, request, expected)

    def watches(self, sheet: Sheet, person: Person, secret: bool) -> str:
        if secret and sheet.status == "finished" and not sheet.sees(person):
            return "no_such_match"
        if sheet.seat_of(person) is None:
            sheet.viewers.add(person)
        return "ok"

    def joins(self, sheet: Sheet, person: Person, secret: bool) -> str:
        if sheet.seat_of(person) is not None:
            return "ok"
        mine = [seat for seat, guest in sheet.invited.items() if guest is person]
        free = mine or [seat for seat in (1, 2) if seat not in sheet.seats and seat not in sheet.invited]
        if secret and (sheet.status == "finished" or not free):
            return "no_such_match"
        if sheet.status == "finished":
            return "game_over"
        if not free:
            return "seat_taken"
        sheet.sit(free[0], person, self.world.ticks)
        return "ok"

    def plays(self, which: int, choice: int, pause: int, plies: int) -> None:
        sheet = self.sheet(which)
        for step in range(plies):
            if sheet is None or sheet.status != "playing":
                return
            who = self.who_is(sheet.seats[sheet.to_move])
            client = None if who is None else self.client(who)
            if client is None:
                return
            legal = sheet.position.legal_moves()
            self.move_as(client, sheet, sheet.ply, legal[(choice + 7 * step) % len(legal)], pause)

    def move_as(self, client: Client, sheet: Sheet, ply: int, move: str, pause: int) -> None:
        def expected() -> str:
            assert client.person is not None
            seat = sheet.seat_of(client.person)
            if seat is None:
                return self.stranger(sheet, client.person)
            return sheet.move(seat, ply, move, self.world.ticks)

        self.world.pass_time(pause)
        self.ask(client, MakeMove(self.world.desk.request_id(), sheet.id, ply, move), expected)

    def claims_in_time(self, which: int, late: int) -> None:
        sheet = self.sheet(which)
        if sheet is not None and sheet.status == "playing" and len(sheet.away) == 1:
            ((seat, since),) = sheet.away.items()
            who = self.who_is(sheet.seats[3 - seat])
            pause = max(0, since + 10 * TICKS + late - self.world.ticks)
            if who is not None:
                self.player(who, which, pause, Claim, lambda sheet, seat: sheet.claim(seat, self.world.ticks))

    def aborts(self, who: int, which: int, pause: int) -> None:
        sheet = self.sheet(which)
        client = self.actor(who, sheet)
        if client is None:
            return

        def expected() -> str:
            if sheet is None:
                return "no_such_match"
            person = client.person
            organises = person is sheet.organiser and sheet.status != "playing"
            assert person is not None
            if sheet.seat_of(person) is None and not organises:
                return self.stranger(sheet, person)
            if not organises and sheet.is_arranged() and sheet.status in ("playing", "paused"):
                return "not_allowed"
            return sheet.abort(self.world.ticks)

        self.world.pass_time(pause)
        self.ask(client, Abort(self.world.desk.request_id(), "nosuch" if sheet is None else sheet.id), expected)

    def offers(self, who: int, which: int, what: OfferKind, pause: int) -> None:
        def expected(sheet: Sheet, seat: int) -> str:
            if self.without_opponent(sheet, what):
                return "no_such_player"
            if what == "rematch" and sheet.offers.get(what) == 3 - seat:
                return self.rematch(sheet)
            return sheet.offer(seat, what, self.world.ticks)

        self.player(who, which, pause, lambda request, match: Offer(request, match, what), expected)

    def answers(self, who: int, which: int, what: OfferKind, pause: int, *, accept: bool) -> None:
        def expected(sheet: Sheet, seat: int) -> str:
            if accept and self.without_opponent(sheet, what):
                return "no_such_player"
            if accept and what == "rematch" and sheet.offers.get(what) == 3 - seat:
                return self.rematch(sheet)
            return sheet.answer(seat, what, accept=accept, now=self.world.ticks)

        self.player(who, which, pause, lambda request, match: Answer(request, match, what, accept), expected)

    def without_opponent(self, sheet: Sheet, what: str) -> bool:
        gone = len(sheet.seats) < 2 or any(person.connection is None for person in sheet.seats.values())
        return what == "rematch" and sheet.status == "finished" and gone

    def rematch(self, sheet: Sheet) -> str:
        """Both want another game; its id and its code are known when it is answered."""
        if any(self.world.own(person) >= MAX_OWN for person in sheet.seats.values()):
            return "server_full"
        del sheet.offers["rematch"]
        following = Sheet(
            "", sheet.rules, clock_of_rematch(sheet.clock), self.world.ticks, sheet.public, admitted=set(sheet.viewers)
        )
        for seat, person in sheet.seats.items():
            following.sit(3 - seat, person, self.world.ticks)
        self.following = following
        return "ok"

    def note_rematch(self, answer: Ok) -> None:
        following, self.following = self.following, None
        if following is not None:
            ids = {message.next for _, message in self.world.desk.step if isinstance(message, Rematched)}
            (following.id,) = ids
            snapshots = [message for _, message in self.world.desk.step if isinstance(message, Snapshot)]
            assert [snapshot.match for snapshot in snapshots] == [following.id] * 2
            following.code, following.link = snapshots[0].code, snapshots[0].link
            self.world.sheets[following.id] = following
