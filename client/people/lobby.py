"""What a server's lobby lists, folded from its messages: matches, and leagues that are shown. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from protocol.messages import LeagueSummary, LobbyChanged, MatchSummary, Ok

LINGER_S = 6.0
"""How long a board that is over keeps its place among several, so that its end is seen."""

_LIVE = ("playing", "paused")


class Lobby:
    """Open matches by id, in the order in which they began, and the leagues.

    is_stale: whether too much has changed to be told: the lobby has to be asked for again.
    """

    def __init__(self) -> None:
        self.matches: dict[str, MatchSummary] = {}
        self.leagues: tuple[LeagueSummary, ...] = ()
        self.is_stale = False
        self._early: list[LobbyChanged] | None = None

    def ask(self) -> None:
        """Notes that the lobby was asked for: changes that arrive before the answer may be newer than the answer."""
        self.is_stale = False
        self._early = []

    def take(self, ok: Ok) -> None:
        """The answer to a request for the lobby replaces what was known."""
        listed = ok.matches if isinstance(ok.matches, tuple) else ()
        self.matches = {match.match: match for match in reversed(listed)}
        self.leagues = ok.leagues if isinstance(ok.leagues, tuple) else ()
        early, self._early = self._early, None
        for changed in early or ():
            self._fold(changed)

    def hear(self, changed: LobbyChanged) -> None:
        """Folds in what has changed since the lobby was asked for."""
        if self._early is not None:
            self._early.append(changed)
        self._fold(changed)

    def _fold(self, changed: LobbyChanged) -> None:
        for match in changed.matches:
            self.matches[match.match] = match
        for gone in changed.gone:
            self.matches.pop(gone, None)
        if isinstance(changed.leagues, tuple):
            self.leagues = changed.leagues
        self.is_stale = self.is_stale or changed.again

    @property
    def live(self) -> list[MatchSummary]:
        """What is being played, the newest first."""
        return [match for match in reversed(self.matches.values()) if match.status in _LIVE]


def choose(
    shown: Sequence[str], over: Mapping[str, float], playing: Collection[str], now: float, most: int
) -> list[str]:
    """Which matches stand on `most` places: those that stand there already keep theirs, new ones take free places.

    over: when the finished ones ended; each keeps its place for LINGER_S. playing: the newest first.
    """
    waiting = [match for match in playing if match not in shown]
    places: list[str] = []
    for match in shown:
        if match in playing or now - over.get(match, -LINGER_S) < LINGER_S:
            places.append(match)
        elif waiting:
            places.append(waiting.pop(0))
    return [*places, *waiting][:most]
