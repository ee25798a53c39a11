"""The standing of a league that a server shows, folded from its messages. Pure, except for words."""

from __future__ import annotations

from locales import _, decimal, ngettext
from protocol.messages import LeagueChanged, LeagueGame, Ok, Scoreboard


class Standing:
    """The table of a league and its games, as its host tells them.

    board: None before the first answer, and when nothing is shown any more. is_stale: whether it has to be asked for
    again.
    """

    def __init__(self, league: str) -> None:
        self.league = league
        self.board: Scoreboard | None = None
        self.games: dict[int, LeagueGame] = {}
        self.is_missing = False
        self.is_stale = False

    def take(self, ok: Ok) -> None:
        """The answer to a request for the league replaces what was known."""
        self.board = ok.scoreboard if isinstance(ok.scoreboard, Scoreboard) else None
        self.games = {game.number: game for game in ok.games} if isinstance(ok.games, tuple) else {}
        self.is_missing, self.is_stale = self.board is None, False

    def miss(self) -> None:
        """The server does not know the league, or has not been told of it again yet."""
        self.board, self.is_missing = None, True

    def hear(self, changed: LeagueChanged) -> None:
        """Folds in what has changed since the answer."""
        if changed.league != self.league:
            return
        if isinstance(changed.scoreboard, Scoreboard):
            self.board = changed.scoreboard
            self.games |= {game.number: game for game in changed.games}
        self.is_stale = changed.again or not isinstance(changed.scoreboard, Scoreboard)

    @property
    def playing(self) -> list[str]:
        """The matches that are being played."""
        return [one.match for one in self.board.playing] if self.board is not None else []

    def names_of(self, match: str) -> tuple[str, str] | None:
        """What the league calls the players of a match that is being played."""
        playing = self.board.playing if self.board is not None else ()
        return next(((one.first, one.second) for one in playing if one.match == match), None)

    @property
    def newest(self) -> list[LeagueGame]:
        """The games that are over, the last first."""
        return [self.games[number] for number in sorted(self.games, reverse=True)]

    @property
    def progress(self) -> str:
        """How far it is, in a sentence."""
        board = self.board
        if board is None:
            return _("No league is shown here at the moment.") if self.is_missing else _("One moment ...")
        if board.state == "open":
            return _("Open: {count} in so far.").format(count=len(board.rows))
        if board.state == "finished":
            return ngettext("Over, after {count} game.", "Over, after {count} games.", board.played).format(
                count=board.played
            )
        if board.planned is None:
            return _("Games played: {count}.").format(count=board.played)
        return _("{count} of {of} games played.").format(count=board.played, of=board.planned)


def points(made: float) -> str:
    """Points as tables write them: "3", "3.5"."""
    return str(int(made)) if made == int(made) else decimal(made, 1)


def score_text(game: LeagueGame) -> str:
    """The result of a game for both seats: "1-0"."""
    return {1: "1-0", 2: "0-1"}.get(game.winner or 0, "½-½")
