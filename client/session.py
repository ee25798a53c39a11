"""All that one session sees: a view of each match, the last `welcome`, the token. Pure."""

from __future__ import annotations

from typing import cast, get_args

from client.errors import ViewError
from protocol.messages import MatchEvent, Murmur, ServerMessage, Snapshot, Welcome, YourTurn
from view.match import Applied, MatchView, ReplayError

MAX_SEEN = 4096
"""Matches that `hello` may name."""

MAX_MATCHES = 4096
"""Matches that a session sees at once; one more takes the place of one that is over."""

MAX_LEFT = 4096
"""The last matches that were left; their late events are recognised, and ignored."""

_EVENTS = frozenset(get_args(MatchEvent))
_NEW, _DUPLICATE, _GAP = Applied  # globals are found faster than members, and each message needs one


class Session:
    """All that one session sees: the last `welcome`, the secret token, and a view of each match."""

    def __init__(self, token: str | None = None) -> None:
        self.token = token
        self.welcome: Welcome | None = None
        self.matches: dict[str, MatchView] = {}
        self._left: dict[str, None] = {}

    def apply(self, message: ServerMessage, now: float) -> Applied:
        """Folds any server message; what is not about a match that is seen counts as new. Raises ViewError."""
        # What comes most often stands first; a `case` that does not fit costs 0.1 us.
        try:
            if type(message) in _EVENTS:
                return self._apply_event(cast(MatchEvent, message), now)
            if type(message) is YourTurn or type(message) is Murmur:
                if (view := self.matches.get(message.match)) is not None:
                    view.apply(message, now)
                return _NEW
            match message:
                case Welcome():
                    self.welcome, self.token = message, message.token
                case Snapshot() if message.match not in self.matches:
                    view = MatchView.of(message, now)
                    self._make_room()
                    self._left.pop(message.match, None)
                    self.matches[message.match] = view
                case Snapshot():
                    self.matches[message.match].apply(message, now)
                case _:
                    pass
        except ReplayError as error:
            raise ViewError(str(error)) from error
        return _NEW

    def seen(self) -> dict[str, int]:
        """The last event that was seen of each match, for `hello`: the running ones first if there are too many."""
        by_need = sorted(self.matches.values(), key=lambda view: view.status == "finished")
        return {view.match: view.seq for view in by_need[:MAX_SEEN]}

    def mark(self) -> int:
        """A number that is another one whenever a match has gone on; to be compared with an earlier one."""
        return sum(view.seq for view in self.matches.values())

    def seq(self, match: str) -> int:
        """The last event that was seen of `match`, 0 if none was."""
        return self.matches[match].seq if match in self.matches else 0

    def forget(self, match: str) -> None:
        """Drops the view of a match that is over or left; its late events are ignored."""
        self.matches.pop(match, None)
        self._left[match] = None
        if len(self._left) > MAX_LEFT:
            del self._left[next(iter(self._left))]

    def _make_room(self) -> None:
        if len(self.matches) >= MAX_MATCHES:
            over = next((view.match for view in self.matches.values() if view.status == "finished"), None)
            if over is None:
                raise ViewError(f"more than {MAX_MATCHES} matches at once")
            self.forget(over)

    def _apply_event(self, event: MatchEvent, now: float) -> Applied:
        view = self.matches.get(event.match)
        if view is not None:
            return view.follow(event, now)
        return _DUPLICATE if event.match in self._left else _GAP
