"""The screen with many boards: the matches that are being played on a server, kept up to date."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from client.connection import Incoming, Lost
from client.errors import ClientError
from client.people.lobby import Lobby, choose
from client.tui import words
from client.tui.app import ArbitreApp
from client.tui.audience import Audience
from client.tui.lasting import LastingScreen
from client.tui.place import Place
from client.tui.widgets.buttons import Buttons, Key
from client.tui.widgets.tiles import Tiles
from locales import _, ngettext
from protocol.messages import FollowLobby, LobbyChanged, Welcome

TICK_S = 0.2
MOST = 300
"""Most boards of a wall, on all its pages."""


class WallScreen(LastingScreen[str]):
    """Shows the boards of `place`; the answer is the match to watch, or None to leave."""

    DEFAULT_CSS = """
    WallScreen #head { height: 1; width: 1fr; background: $panel; }
    WallScreen #head.away { background: $error; color: $text; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        Binding("f1,question_mark", "explain", show=False),
    ]
    app: ArbitreApp

    def __init__(self, place: Place) -> None:
        super().__init__()
        self._place = place
        self._lobby = Lobby()
        self._audience: Audience | None = None
        self._order: list[str] = []
        self._over: dict[str, float] = {}
        self._banner = ""
        self._said = ""
        self._help = False

    def compose(self) -> ComposeResult:
        """A line that says what is to be seen, the boards, the keys."""
        yield Static(" " + _("One moment ..."), id="head", markup=False)
        yield Tiles(self._place.client.session.matches.get, id="tiles")
        yield Buttons(self._keys(), id="keys", classes="keys")

    def on_mount(self) -> None:
        """Starts to follow the lobby and the matches in sight."""
        self.stands = True
        self._audience = Audience(self._place, self.app.do)
        tiles = self.tiles
        tiles.theme, tiles.ascii_only = self.app.board_theme, self.app.ascii_only
        tiles.focus()
        self._place.listen(self.hear)
        self.app.do(self._follow())
        self.set_interval(TICK_S, self._tick)

    def on_unmount(self) -> None:
        """Stops listening."""
        self._place.leave(self.hear)

    def _end(self, match: str | None) -> None:
        """Gives the answer, and stops following: the next screen may follow the lobby and this match itself."""
        self._place.leave(self.hear)
        self._place.client.send(FollowLobby, follow=False)
        if self._audience is not None:
            self._audience.want(())
        self.dismiss(match)

    @property
    def tiles(self) -> Tiles:
        """The boards."""
        return self.query_one(Tiles)

    async def _follow(self) -> None:
        self._lobby.ask()
        try:
            self._lobby.take(await self._place.client.ask(FollowLobby))
        except ClientError as error:
            self._say(words.refusal(error))
            return
        if self.stands:
            self._look()

    def hear(self, message: Incoming | ClientError) -> None:
        """Handles a message of the server, or the end of the session."""
        match message:
            case ClientError():
                self._say(words.refusal(message))
            case Lost():
                self._say(_("The connection is lost. Trying to come back ..."))
            case Welcome():
                self._say("")
                self.app.do(self._follow())
                if self._audience is not None:
                    self._audience.ask_again()
            case LobbyChanged():
                self._hear_lobby(message)
            case _:
                if (match_id := getattr(message, "match", None)) in self._order:
                    self.tiles.change(str(match_id))
                    self._paint()

    def _hear_lobby(self, message: LobbyChanged) -> None:
        now = self._place.client.now()
        self._over |= {gone: now for gone in message.gone if gone in self._order}
        self._lobby.hear(message)
        if self._lobby.is_stale:
            self.app.do(self._follow())
        self._look()

    def _look(self) -> None:
        """Chooses which boards are shown, and in which order."""
        if not self.stands:
            return
        refused = self._audience.refused if self._audience is not None else set[str]()
        playing = [match.match for match in self._lobby.live if match.match not in refused]
        order = choose(self._order, self._over, playing, self._place.client.now(), MOST)
        self._over = {match: at for match, at in self._over.items() if match in order}
        if order != self._order:
            self._order = order
            self.tiles.show(order)
        self._paint()

    def _tick(self) -> None:
        if not self.stands:
            return
        if self._over:
            self._look()
        self.tiles.tick(self._place.client.now())

    def _paint(self) -> None:
        if not self.stands:
            return
        head, tiles, count = self.query_one("#head", Static), self.tiles, len(self._order)
        head.set_class(bool(self._banner), "away")
        parts = [ngettext("{count} board", "{count} boards", count).format(count=count)]
        if not count:
            parts = [_("Nobody is playing here at the moment. Boards come by themselves.")]
        if tiles.pages > 1:
            parts.append(_("page {page} of {pages}").format(page=tiles.page + 1, pages=tiles.pages))
        views = [view for match in tiles.seen if (view := self._place.client.session.matches.get(match)) is not None]
        if self._help:
            parts = [_("Arrows choose, Enter watches, Page Up and Page Down turn pages, Esc goes back.")]
        elif late := max((view.delay_ms for view in views), default=0):
            parts.append(words.late(late))
        said = " " + (self._banner or " | ".join(parts))
        if said != self._said:  # a new text lays the whole screen out anew
            self._said = said
            head.update(said)
        self.query_one("#keys", Buttons).show(self._keys())

    def _keys(self) -> list[Key]:
        keys = [Key("Enter", _("Watch"), "choose"), Key("F1", _("Keys"), "explain"), Key("Esc", _("Back"), "back")]
        if self.stands and self.tiles.pages > 1:
            keys.insert(1, Key("PgDn", _("Next page"), "turn"))
        return keys

    def _say(self, text: str) -> None:
        self._banner = text
        if self.stands:
            self._paint()

    def on_tiles_turned(self, _event: Tiles.Turned) -> None:
        """Follows the matches in sight, and no others."""
        if self._audience is not None and self.stands:
            self._audience.want(self.tiles.seen)
        self._paint()

    def on_tiles_chosen(self, event: Tiles.Chosen) -> None:
        """A board was chosen."""
        self._end(event.match)

    def action_choose(self) -> None:
        """Takes the board at the cursor."""
        if self.tiles.chosen is not None:
            self._end(self.tiles.chosen)

    def action_turn(self) -> None:
        """Shows the next page."""
        self.tiles.turn(1)

    def action_back(self) -> None:
        """Leaves."""
        self._end(None)

    def action_explain(self) -> None:
        """Says what keys do."""
        self._help = not self._help
        self._paint()
