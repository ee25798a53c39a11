"""The screen of a league: its table, the games that are being played, and those that are over, kept up to date."""

from __future__ import annotations

from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.connection import Incoming, Lost
from client.errors import ClientError, Refused
from client.people.recorded import Recorded, played
from client.people.standing import Standing, score_text
from client.tui import words
from client.tui.app import ArbitreApp
from client.tui.lasting import LastingScreen
from client.tui.league_table import table_text
from client.tui.place import Place
from client.tui.widgets.buttons import Buttons, Key
from games import parse
from games.base import GameError
from locales import _
from protocol.errors import ErrorCode
from protocol.messages import FollowLeague, LeagueChanged, LeagueGame, Welcome
from terminal import phrases
from terminal.text import clean

_WIDE = 76
"""From this width on, the games stand beside the table."""

TRY_AGAIN_S = 2.5
"""Seconds between two attempts to follow a league that the server does not know: after a restart it comes back late."""

_MOST = 100
"""Games that are listed."""


class LeagueScreen(LastingScreen["str | Recorded"]):
    """A league of `place`; the answer is the match to watch, the game to look through, or None to leave."""

    DEFAULT_CSS = """
    LeagueScreen #head { height: 1; width: 1fr; background: $panel; text-style: bold; }
    LeagueScreen #status { height: 1; padding: 0 1; }
    LeagueScreen #parts { height: 1fr; layout: vertical; }
    LeagueScreen.wide #parts { layout: horizontal; }
    LeagueScreen VerticalScroll { height: 1fr; width: 1fr; padding: 0 1; scrollbar-size: 1 1; }
    LeagueScreen OptionList { height: 1fr; width: 1fr; border: none; background: $background; padding: 0;
      scrollbar-size: 1 1; }
    LeagueScreen OptionList:focus { border: none; }
    LeagueScreen.wide VerticalScroll { width: 3fr; }
    LeagueScreen.wide OptionList { width: 2fr; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
        Binding("f1,question_mark", "explain", show=False),
    ]
    app: ArbitreApp

    def __init__(self, place: Place, league: str) -> None:
        super().__init__()
        self._place = place
        self._standing = Standing(league)
        self._games: dict[str, LeagueGame] = {}
        self._banner = ""

    def compose(self) -> ComposeResult:
        """Its name, how far it is, the table and the games, the keys."""
        yield Static("", id="head", markup=False)
        yield Static("", id="status", markup=False)
        with Container(id="parts"):
            with VerticalScroll(can_focus=False):
                yield Static("", id="table")
            yield OptionList(id="games")
        keys = [Key("Enter", _("Watch"), "choose"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Back"), "back")]
        yield Buttons(keys, classes="keys")

    def on_mount(self) -> None:
        """Starts to follow the league."""
        self.stands = True
        self.query_one(OptionList).focus()
        self._place.listen(self.hear)
        self.app.do(self._follow())
        self.set_interval(TRY_AGAIN_S, self._try_again)
        self.paint()

    def on_unmount(self) -> None:
        """Stops listening."""
        self._place.leave(self.hear)

    def _end(self, answer: str | Recorded | None) -> None:
        self._place.leave(self.hear)
        self._place.client.send(FollowLeague, league=self._standing.league, follow=False)
        self.dismiss(answer)

    async def _follow(self) -> None:
        try:
            self._standing.take(await self._place.client.ask(FollowLeague, league=self._standing.league))
        except Refused as refused:
            if refused.code != ErrorCode.NO_SUCH_LEAGUE.value:
                self._banner = words.refusal(refused)
            self._standing.miss()
        except ClientError as error:
            self._banner = words.refusal(error)
        if self.stands:
            self.paint()

    def _try_again(self) -> None:
        if self._standing.is_missing:
            self.app.do(self._follow())

    def hear(self, message: Incoming | ClientError) -> None:
        """Handles a message of the server, or the end of the session."""
        match message:
            case ClientError():
                self._banner = words.refusal(message)
            case Lost():
                self._banner = _("The connection is lost. Trying to come back ...")
            case Welcome():
                self._banner = ""
                self.app.do(self._follow())
            case LeagueChanged():
                self._standing.hear(message)
                if self._standing.is_stale:
                    self._standing.is_stale = False
                    self.app.do(self._follow())
            case _:
                return
        self.paint()

    def on_resize(self) -> None:
        """Table and games stand side by side where there is room."""
        self.set_class(self.size.width >= _WIDE, "wide")
        self.call_after_refresh(self.paint)

    def paint(self) -> None:
        """Shows the league as it stands."""
        if not self.stands:
            return
        board = self._standing.board
        title = _("League") if board is None else f"{clean(board.title)} | {phrases.title_of(board.game)}"
        self.query_one("#head", Static).update(f" {title}")
        self.query_one("#status", Static).update(self._banner or self._standing.progress)
        width = self.query_one(VerticalScroll).size.width - 2
        if board is not None and width > 0:
            self.query_one("#table", Static).update(table_text(board.rows, width))
        self._paint_games()

    def _paint_games(self) -> None:
        options = self.query_one(OptionList)
        chosen = options.highlighted_option.id if options.highlighted_option is not None else None
        board = self._standing.board
        lines = [
            Option(Text(f" > {clean(one.first)} - {clean(one.second)}", style="bold"), id=f"match {one.match}")
            for one in (board.playing if board is not None else ())
        ]
        newest = self._standing.newest[:_MOST]
        self._games = {f"game {game.number}": game for game in newest}
        lines += [Option(_game_line(game), id=place) for place, game in self._games.items()]
        options.clear_options()
        options.add_options(lines)
        places = [line.id for line in lines]
        options.highlighted = places.index(chosen) if chosen in places else 0 if places else None

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A game was chosen: one that runs is watched, one that is over is replayed."""
        what, _space, which = (event.option.id or "").partition(" ")
        if what == "match":
            self._end(which)
            return
        recorded = self._recorded(self._games[str(event.option.id)])
        if recorded is None:
            self._banner = _("The moves of this game are not known here.")
            self.paint()
        else:
            self._end(recorded)

    def _recorded(self, game: LeagueGame) -> Recorded | None:
        board = self._standing.board
        if board is None or not game.moves:
            return None
        try:
            rules = parse(board.game)
            return played(rules, rules.parse_transcript(game.moves), (clean(game.first), clean(game.second)))
        except GameError:
            return None

    def action_choose(self) -> None:
        """Takes the line at the cursor."""
        self.query_one(OptionList).action_select()

    def action_down(self) -> None:
        """Moves the cursor down."""
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        """Moves the cursor up."""
        self.query_one(OptionList).action_cursor_up()

    def action_back(self) -> None:
        """Leaves."""
        self._end(None)

    def action_explain(self) -> None:
        """Says what keys do."""
        self._banner = _("Enter watches a game that runs (>), or looks through one that is over; Esc goes back.")
        self.paint()


def _game_line(game: LeagueGame) -> Text:
    line = Text().append(f" {game.number}. ", style="dim")
    line.append(clean(game.first), style="bold" if game.winner == 1 else "")
    line.append(" - ")
    line.append(clean(game.second), style="bold" if game.winner == 2 else "")
    return line.append(f"  {score_text(game)}")
