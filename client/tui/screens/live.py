"""The screen that lists the matches and the shown leagues of a server, kept up to date."""

from __future__ import annotations

from typing import ClassVar, Literal, NamedTuple

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from client.connection import Incoming
from client.errors import ClientError
from client.people.lobby import Lobby
from client.tui import words
from client.tui.app import ArbitreApp
from client.tui.lasting import LastingScreen
from client.tui.place import Place
from client.tui.widgets.buttons import Buttons, Key
from locales import _, ngettext
from protocol.messages import FollowLobby, LeagueSummary, LobbyChanged, MatchSummary, Welcome
from terminal import phrases
from terminal.text import cells_wide, clean

_ROOMY = 60


class Goal(NamedTuple):
    """What the reader wants to see: a match or a league by its id, or the wall of all boards."""

    what: Literal["match", "league", "wall"]
    which: str = ""


class LiveScreen(LastingScreen[Goal]):
    """Lists what is played on `place`; the answer is what to show, or None to leave. notice: about the last goal."""

    DEFAULT_CSS = """
    LiveScreen { padding: 1 2 0 2; }
    LiveScreen #title { text-style: bold; height: 2; }
    LiveScreen #notice { height: auto; color: $text-warning; text-style: bold; }
    LiveScreen OptionList { height: 1fr; border: none; background: $background; padding: 0; scrollbar-size: 1 1; }
    LiveScreen OptionList:focus { border: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("w", "wall", show=False),
        Binding("j", "down", show=False),
        Binding("k", "up", show=False),
        Binding("f1,question_mark", "explain", show=False),
    ]
    app: ArbitreApp

    def __init__(self, place: Place, *, notice: str = "") -> None:
        super().__init__()
        self._place, self._notice = place, notice
        self._lobby = Lobby()
        self._known = False

    def compose(self) -> ComposeResult:
        """A line for the server, the list, the keys."""
        yield Static(_("One moment ..."), id="title", markup=False)
        yield Static(self._notice, id="notice", markup=False)
        yield OptionList(id="live")
        keys = [("Enter", _("Watch"), "choose"), ("w", _("Many boards"), "wall")]
        keys += [("F1", _("Keys"), "explain"), ("Esc", _("Back"), "back")]
        yield Buttons([Key(*key) for key in keys], classes="keys")

    def on_mount(self) -> None:
        """Starts to follow the lobby."""
        self.stands = True
        self.query_one(OptionList).focus()
        self._place.listen(self.hear)
        self.app.do(self._follow())

    def on_unmount(self) -> None:
        """Stops listening."""
        self._place.leave(self.hear)

    def _end(self, goal: Goal | None) -> None:
        """Gives the answer, and stops following the lobby: the next screen may follow it itself."""
        self._place.leave(self.hear)
        self._place.client.send(FollowLobby, follow=False)
        self.dismiss(goal)

    async def _follow(self) -> None:
        self._lobby.ask()
        try:
            self._lobby.take(await self._place.client.ask(FollowLobby))
        except ClientError as error:
            self._say(words.refusal(error))
            return
        self._known = True
        if self.stands:
            self._say(self._notice)
            self.paint()

    def hear(self, message: Incoming | ClientError) -> None:
        """Handles a message of the server, or the end of the session."""
        match message:
            case ClientError():
                self._say(words.refusal(message))
            case LobbyChanged():
                self._lobby.hear(message)
                if self._lobby.is_stale:
                    self.app.do(self._follow())
                self.paint()
            case Welcome():
                self.app.do(self._follow())
            case _:
                pass

    def on_resize(self) -> None:
        """Fits the lines to the width."""
        self.paint()

    def paint(self) -> None:
        """Shows the list as it stands; the cursor stays on its line."""
        if not (self._known and self.stands):
            return
        live, leagues = self._lobby.live, self._lobby.leagues
        count = ngettext("{count} game is being played.", "{count} games are being played.", len(live))
        self.query_one("#title", Static).update(
            count.format(count=len(live))
            if live
            else _("Nobody is playing here at the moment. This list fills by itself.")
        )
        options = self.query_one(OptionList)
        chosen = options.highlighted_option.id if options.highlighted_option is not None else None
        width = self.size.width - 6
        lines = [Option(_league_line(league), id=f"league {league.league}") for league in leagues]
        lines += [Option(match_line(match, width), id=f"match {match.match}") for match in live]
        options.clear_options()
        options.add_options(lines)
        places = [option.id for option in lines]
        options.highlighted = places.index(chosen) if chosen in places else 0 if places else None

    def _say(self, text: str) -> None:
        self._notice = text
        if self.stands:
            self.query_one("#notice", Static).update(text)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A line was chosen, by key or mouse."""
        what, _space, which = (event.option.id or "").partition(" ")
        self._end(Goal("league" if what == "league" else "match", which))

    def action_choose(self) -> None:
        """Takes the line at the cursor."""
        self.query_one(OptionList).action_select()

    def action_down(self) -> None:
        """Moves the cursor down."""
        self.query_one(OptionList).action_cursor_down()

    def action_up(self) -> None:
        """Moves the cursor up."""
        self.query_one(OptionList).action_cursor_up()

    def action_wall(self) -> None:
        """Shows all boards at once."""
        self._end(Goal("wall"))

    def action_back(self) -> None:
        """Leaves."""
        self._end(None)

    def action_explain(self) -> None:
        """Says what keys do."""
        self._say(_("Up and down choose, Enter watches, w shows all boards at once, Esc goes back."))


def match_line(match: MatchSummary, width: int) -> Text:
    """A line for a match: players, game, clock, number of moves, number of spectators."""
    names = " - ".join(clean(player.name) if player is not None else "?" for player in match.players)
    line = Text(f" {names}")
    parts = [phrases.title_of(match.game)]
    if match.clock is not None:
        parts.append(phrases.clock_text(match.clock))
    if width >= _ROOMY:
        parts.append(ngettext("{count} move", "{count} moves", match.ply).format(count=match.ply))
        if match.viewers:
            parts.append(ngettext("{count} watching", "{count} watching", match.viewers).format(count=match.viewers))
    line.append(" " * max(2, min(34, width // 2) - cells_wide(line.plain)))
    line.append(", ".join(parts), style="dim")
    line.truncate(width, overflow="ellipsis")
    return line


def _league_line(league: LeagueSummary) -> Text:
    line = Text().append(f" {clean(league.title)}", style="bold")
    about = _("league, {game}").format(game=phrases.title_of(league.game))
    return line.append(f"  {about}", style="dim")
