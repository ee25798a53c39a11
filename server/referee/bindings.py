"""Whom the names in one league belong to: to a key, or to the session that entered under one first. Pure.

Anybody may claim any name, so a name belongs to whoever used it first, for as long as the league lives. Of a key only a
hash is kept, with the code that the league had then: a host may hand both over to a server that has forgotten the
league, and the league has another code there.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from protocol.errors import ErrorCode, ProtocolError
from protocol.messages import BoundName
from protocol.values import key_hash
from server.names.lookalikes import looks

_looks = lru_cache(maxsize=2 * 1024)(looks)
"""What a name looks like; to compute that takes as long as a move."""

MOST_BOUND: Final = 1024
"""Names that belong to somebody in one league: four times as many as a roster has."""

MOST_HELD: Final = 2 * MOST_BOUND
"""Names that are kept of one league, with those that were freed: that they were is remembered, too."""

MOST_OF_KEY: Final = 64
"""Names in one league that belong to the same key."""


class Binding(NamedTuple):
    """Whom a name belongs to. hash: of the key, "" for the session alone. code: the league's when it was bound.

    session: the id of the session that entered under it last, "" if none did on this server. A name with neither a hash
    nor a session is free: it belongs to whoever enters under it next.
    """

    name: str
    code: str
    hash: str
    session: str

    @property
    def is_free(self) -> bool:
        """Whether it belongs to nobody."""
        return not (self.hash or self.session)

    def admits(self, session: str, key: str | None) -> bool:
        """Whether `session`, which shows `key`, may enter under the name.

        A session that has entered need not show its key again: its token has brought it here.
        """
        if self.hash and key is not None:
            return hmac.compare_digest(self.hash, key_hash(self.code, key))
        return self.session == session or self.is_free

    def entered(self, code: str, session: str, key: str | None) -> Binding:
        """The binding after `session` has entered the league `code`; it is then bound to `key`, if it had no hash."""
        if self.hash or key is None:
            return self._replace(session=session)
        return Binding(self.name, code, key_hash(code, key), session)

    def told(self) -> BoundName | None:
        """The part of it that its host may keep; None if it belongs to a session alone."""
        return BoundName(self.name, self.code, self.hash) if self.hash else None


class Bindings:
    """The bound names of one league; names that look alike count as one, except in a league with a roster."""

    def __init__(self) -> None:
        self._by_name: dict[str, Binding] = {}
        self._by_look: dict[str, str] = {}

    def __iter__(self) -> Iterator[Binding]:
        return iter(self._by_name.values())

    def __len__(self) -> int:
        return len(self._by_name)

    def exact(self, name: str) -> Binding | None:
        """The binding of a name that is written like this."""
        return self._by_name.get(name)

    def like(self, name: str) -> Binding | None:
        """The binding of a name that can't be told from this one."""
        found = self._by_name.get(name)
        if found is not None:
            return found
        others = (self._by_look[look] for look in _looks(name) if look in self._by_look)
        return next((self._by_name[other] for other in others), None)

    def check(self, binding: Binding) -> None:
        """Raises ProtocolError(server_full) if there is no room for a binding."""
        if binding.name not in self._by_name and self._is_full():
            raise ProtocolError(ErrorCode.SERVER_FULL, "this league has as many names as it may")
        if binding.hash and sum(one.hash == binding.hash for one in self) >= MOST_OF_KEY:
            known = self._by_name.get(binding.name)
            if known is None or known.hash != binding.hash:
                raise ProtocolError(ErrorCode.SERVER_FULL, "your key has as many names in this league as one may")

    def _is_full(self, more: int = 1) -> bool:
        """Whether there is no room for `more` names; names that were freed count towards MOST_HELD only."""
        held = len(self._by_name) + more
        return held > MOST_HELD or held - sum(one.is_free for one in self) > MOST_BOUND

    def put(self, binding: Binding) -> None:
        """Stores `binding`, in place of an earlier one of that name."""
        self._by_name[binding.name] = binding
        for look in _looks(binding.name):
            self._by_look.setdefault(look, binding.name)

    def news(self, bound: Iterable[BoundName], *, has_roster: bool) -> list[Binding]:
        """The bindings that a host hands over, without those of names that belong to somebody already.

        Raises ProtocolError(server_full) if they are too many.
        """
        find = self.exact if has_roster else self.like
        found = {one.name: Binding(one.name, one.code.upper(), one.hash, "") for one in bound if find(one.name) is None}
        if self._is_full(len(found)):
            raise ProtocolError(ErrorCode.SERVER_FULL, "this league has as many names as it may")
        return list(found.values())
