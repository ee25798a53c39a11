"""Who is connected, and who was: sessions with secret tokens and unique names. Pure.

A session outlives its connection: it keeps its name and its seats until the games are over and it has been away for a
while; the host of a league stays for a day, and while somebody waits in it. Only a hash of its token is kept.
"""

from __future__ import annotations

import hashlib
import hmac
import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence

from games import Seat
from protocol.bounds import Kind, Serves
from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import Player
from server.names.lookalikes import looks
from server.names.text import display_name, name_key
from server.ratelimit import Bucket
from server.referee.stored import RestoreError

KEPT_SECONDS = 300.0
"""How long a session that nothing holds outlives its connection."""

ENTRY_KEPT_SECONDS = 7_200.0
"""The same for one that has entered a league, or to which a name there belongs: bots wait an hour for a server."""

HOST_KEPT_SECONDS = 86_400.0
"""The same for one that hosts leagues: their codes belong to it, and a class goes on after a long pause."""

_ID_DIGITS = 18
"""Digits behind the `s` of an id."""

GIVEN_AGAIN = 3
"""How many tokens stay valid that were given in exchange for the same older one."""


class Session:
    """One user of the server; its matches stand here by their ids.

    key, looks: what no other session's name may share: its letters without case, and how it looks. connection: None
    while it is away. token_hash, previous_hash: of the secret that it comes back with, and of earlier ones that may
    still be shown. batch: whether its client takes arrays of messages; boards: whether it is sent a `board` with each
    change of one. watching: the matches that it watches.

    seats: the matches in which it has a seat and that are still held; playing: those of them that are not over.
    created: the matches that it opened and that are not over. invitations: the seats that it is asked to take.
    hosts: who has entered each league that it hosts, by the league's code, in the order of coming; and as whom, if it
    has a roster. entered: the codes of the leagues that it has entered; bound: of those in which a name belongs, or
    belonged, to it. shows, follows: the leagues that it shows, or hears of, by their public ids. asked: how often it
    was invited lately, if that is bounded.
    directs: whether it knows the organisers' secret, and so may direct the matches of others.
    service: what it serves the server with, if it knows the secret of the services.
    """

    __slots__ = (
        "asked",
        "batch",
        "boards",
        "bound",
        "changed_at",
        "connection",
        "created",
        "directs",
        "entered",
        "follows",
        "hosts",
        "id",
        "invitations",
        "key",
        "kind",
        "looks",
        "name",
        "playing",
        "previous_hash",
        "seats",
        "service",
        "shows",
        "token_hash",
        "watching",
    )

    def __init__(self, session: str, name: str, kind: Kind, token_hash: bytes, previous: bytes | None = None) -> None:
        self.id = session
        self.name = name
        self.key = name_key(name)
        self.looks = looks(name)
        self.kind: Kind = kind
        self.token_hash = token_hash
        self.previous_hash = previous
        self.connection: int | None = None
        self.batch = False
        self.boards = False
        self.directs = False
        self.service: Serves | None = None
        self.changed_at = math.inf  # when it came or went, whichever was later
        self.seats: dict[str, Seat] = {}
        self.playing: set[str] = set()
        self.created: set[str] = set()
        self.invitations: dict[str, Seat] = {}
        self.watching: set[str] = set()
        self.hosts: dict[str, dict[Session, str]] = {}
        self.entered: dict[str, None] = {}
        self.bound: set[str] = set()
        self.shows: set[str] = set()
        self.follows: set[str] = set()
        self.asked: Bucket | None = None

    @property
    def player(self) -> Player:
        """The session as others see it."""
        return Player(self.name, self.kind, self.connection is not None, self.is_house())

    def is_house(self) -> bool:
        """Whether it is a bot of the house."""
        return self.service == "bots"

    def is_shown(self) -> bool:
        """Whether others may know that it is there, and may invite it."""
        return self.service is None or self.service == "bots"

    def is_listed(self) -> bool:
        """Whether it stands among those who may be invited: whoever hosts a league arranges games, and plays none."""
        return self.is_shown() and not self.hosts

    def holds(self, count: int) -> bool:
        """Whether it has opened, or plays in, `count` matches that are not over; many are both."""
        if len(self.created) + len(self.playing) < count:
            return False
        return len(self.created | self.playing) >= count

    def is_entrant(self) -> bool:
        """Whether it has entered a league that lives, or may come back to a name there."""
        return bool(self.entered or self.bound)

    def is_idle(self) -> bool:
        """Whether nothing holds the session: no game, and nobody who waits in a league of its own."""
        if self.created or self.playing:
            return False
        return all(entrant.connection is None for entrants in self.hosts.values() for entrant in entrants)

    def is_unattached(self) -> bool:
        """Whether it has no game, no league and no role here: at most it watches."""
        if self.directs or self.service is not None or self.invitations or self.hosts or self.shows:
            return False
        return self.is_idle() and not self.is_entrant()


class Sessions:
    """All sessions, by id, by name and by connection."""

    def __init__(self, draw_token: Callable[[], str]) -> None:
        self._draw_token = draw_token
        self._by_id: dict[str, Session] = {}
        self._by_key: dict[str, Session] = {}
        self._by_look: dict[str, tuple[Session, ...]] = {}
        self._by_connection: dict[int, Session] = {}
        self._house: dict[Session, None] = {}
        self._leaving: deque[tuple[float, Session]] = deque()
        self._forgotten: list[Session] = []
        self._opened = 0

    def __iter__(self) -> Iterator[Session]:
        return iter(self._by_id.values())

    def __len__(self) -> int:
        return len(self._by_id)

    def newest(self) -> Iterator[Session]:
        """The connected sessions, the one first that connected last."""
        return reversed(self._by_connection.values())

    def house(self) -> Sequence[Session]:
        """The bots of the house that are connected."""
        return tuple(self._house)

    def at(self, connection: int) -> Session | None:
        """The session that speaks over `connection`."""
        return self._by_connection.get(connection)

    def get(self, session_id: str) -> Session | None:
        """The session with that id."""
        return self._by_id.get(session_id)

    def named(self, name: str) -> Session | None:
        """The session with that name, connected or not."""
        return self._by_key.get(name_key(name))

    def guests(self, names: Sequence[str]) -> list[Session]:
        """The connected sessions with these names; raises ProtocolError(no_such_player), which tells who is absent."""
        found = [self.named(name) for name in names]
        here = [one for one in found if one is not None and one.connection is not None and one.is_shown()]
        if len(here) < len(names):
            absent = [name for name, session in zip(names, found, strict=True) if session not in here]
            message = f"nobody called {absent[0]!r} is here"
            raise ProtocolError(ErrorCode.NO_SUCH_PLAYER, message, data={"absent": absent})
        return here

    def open(self, typed: str, kind: Kind) -> tuple[Session, str]:
        """A new session and its token; raises ProtocolError (bad_name, name_taken).

        A session that is away, with neither a match nor an invitation nor a league, is forgotten if somebody comes with
        its name or one that looks like it.
        """
        name = display_name(typed)
        holders = self._holders(name)
        if any(holder.connection is not None or _keeps_name(holder) for holder in holders):
            text = "somebody here has this name, or one that looks like it: choose another"
            raise ProtocolError(ErrorCode.NAME_TAKEN, text)
        for holder in holders:
            self._forget(holder)
        self._opened += 1
        token = self._draw_token()
        session = Session(f"s{self._opened}", name, kind, secret_hash(token))
        self._add(session)
        return session, f"{session.id}.{token}"

    def resume(self, token: str) -> tuple[Session, str]:
        """The session of `token`, and its next token; raises ProtocolError(bad_token).

        The token that was shown stays valid until a newer one is used, since the welcome may get lost. So do the last
        few tokens that were given out for it, since an abandoned hello may arrive after a later one. Older tokens open
        nothing. The answer does not say which part of a token was wrong.
        """
        session_id, _, secret = token.partition(".")
        session = self._by_id.get(session_id)
        shown = secret_hash(secret)
        good = _split(secret_hash("") if session is None else session.token_hash + (session.previous_hash or b""))
        matching = [hmac.compare_digest(shown, one) for one in good]
        if session is None or not any(matching):
            raise ProtocolError(ErrorCode.BAD_TOKEN, "this token opens no session: say hello without it")
        newest, *previous = good
        if shown in previous[:1]:
            given = [*previous[1:], newest][-GIVEN_AGAIN:]
            session.previous_hash = b"".join([shown, *given])
        else:
            session.previous_hash = shown
        return session, self._renew(session)

    def reclaim(self, name: str, service: Serves) -> tuple[Session, str] | None:
        """The session that a service of this name has left, or still has, and its only token; None without one."""
        session = self.named(name)
        if session is None or session.service != service:
            return None
        session.previous_hash = None
        return session, self._renew(session)

    def _renew(self, session: Session) -> str:
        """The next token of a session."""
        secret = self._draw_token()
        session.token_hash = secret_hash(secret)
        return f"{session.id}.{secret}"

    def restore(self, session: Session, now: float) -> None:
        """Takes a session back from the record; it is away since `now`."""
        self._add(session)
        self.reserve(session.id)
        session.changed_at = now
        self._leaving.append((now + KEPT_SECONDS, session))

    def reserve(self, session_id: str) -> None:
        """Keeps new sessions from getting this id: something belongs to it, even if its session is forgotten.

        Raises RestoreError for what was never an id of ours.
        """
        number = session_id.removeprefix("s") or "0"
        if not (number.isascii() and number.isdigit() and len(number) <= _ID_DIGITS):
            raise RestoreError(f"session {session_id[:32]!r}: it is no id")
        self._opened = max(self._opened, int(number))

    def _holders(self, name: str) -> list[Session]:
        """The sessions whose names can't be told from `name`."""
        return list(dict.fromkeys(holder for look in looks(name) for holder in self._by_look.get(look, ())))

    def _add(self, session: Session) -> None:
        """Keeps a session. Old records may hold two whose names look alike: both stay."""
        self._by_id[session.id] = session
        self._by_key[session.key] = session
        for look in session.looks:
            self._by_look[look] = (*self._by_look.get(look, ()), session)

    def connect(
        self, session: Session, connection: int, now: float, *, batch: bool, boards: bool = False
    ) -> int | None:
        """Binds `session` to its newest connection; returns the one that it replaces, if any."""
        replaced = session.connection
        if replaced is not None:
            del self._by_connection[replaced]
        session.connection, session.batch, session.changed_at = connection, batch, now
        session.boards = boards
        self._by_connection[connection] = session
        if session.is_house():
            self._house[session] = None
        return replaced

    def disconnect(self, connection: int, now: float) -> Session | None:
        """The session that was speaking over `connection`, now away; None if a newer connection has replaced it."""
        session = self._by_connection.pop(connection, None)
        if session is not None:
            self._house.pop(session, None)
            session.connection, session.changed_at = None, now
            self._leaving.append((now + KEPT_SECONDS, session))
        return session

    def expel(self, session: Session) -> None:
        """Ends a session at once, whatever holds it: its token opens nothing any more, and its name is free."""
        if session.connection is not None:
            del self._by_connection[session.connection]
            session.connection = None
            self._house.pop(session, None)
        self._forget(session)

    def deadline(self) -> float:
        """When `expire` has something to look at."""
        return self._leaving[0][0] if self._leaving else math.inf

    def expire(self, now: float) -> None:
        """Forgets the sessions that were away for long enough; those that are held are looked at again later."""
        while self._leaving and self._leaving[0][0] <= now:
            _, session = self._leaving.popleft()
            if session.connection is not None or session.changed_at + KEPT_SECONDS > now:
                continue
            is_host = bool(session.hosts) and session.changed_at + HOST_KEPT_SECONDS > now
            is_entrant = session.is_entrant() and session.changed_at + ENTRY_KEPT_SECONDS > now
            if is_host or is_entrant or not session.is_idle():
                self._leaving.append((now + KEPT_SECONDS, session))
            elif self._by_id.get(session.id) is session:
                self._forget(session)

    def take_forgotten(self) -> list[Session]:
        """The sessions that are over since the last call."""
        forgotten, self._forgotten = self._forgotten, []
        return forgotten

    def _forget(self, session: Session) -> None:
        del self._by_id[session.id], self._by_key[session.key]
        for look in session.looks:
            others = tuple(other for other in self._by_look[look] if other is not session)
            if others:
                self._by_look[look] = others
            else:
                del self._by_look[look]
        self._forgotten.append(session)


def _keeps_name(session: Session) -> bool:
    """Whether an absent session is expected: by an opponent, by somebody who invited it, or by a league."""
    return bool(session.hosts or session.invitations) or session.is_entrant() or not session.is_idle()


def _split(hashes: bytes) -> list[bytes]:
    size = hashlib.sha256().digest_size
    return [hashes[start : start + size] for start in range(0, len(hashes), size)]


def secret_hash(secret: str) -> bytes:
    """What is kept of a secret, and what two are compared by."""
    return hashlib.sha256(secret.encode(errors="surrogatepass")).digest()
