"""The actions of a match's screen beside moving and looking back: offers, answers, saving, taking over, leaving."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from client.errors import ClientError
from client.people.controller import MatchController, OnlineController, Request
from client.people.typed import Word
from client.tui import words
from client.tui.app import ArbitreApp
from client.tui.lasting import LastingScreen
from client.tui.place import Place
from client.tui.screens import saving
from client.tui.screens.acting import Reader, allows
from client.tui.screens.asking import Question, question_of, yes_or_no
from client.tui.widgets.forms import FormScreen, Option, Row
from locales import _
from view.match import MatchView


class DoingScreen(LastingScreen[str]):
    """The base of MatchScreen, with what its reader asks for; MatchScreen shows the match.

    place: the session that it is on, None for two at one screen. takes_over: whether the reader wants to play on
    without the server, which is away. hosts: whether the server ends when the reader leaves.
    """

    app: ArbitreApp

    def __init__(self, controller: MatchController, place: Place | None) -> None:
        super().__init__()
        self.controller = controller
        self.takes_over = False
        self.hosts = False
        self._place = place
        self._refused = ""
        self._asked: tuple[Question, Callable[[], Awaitable[None]]] | None = None

    @property
    def view(self) -> MatchView | None:
        """The match as it stands, None before the first word of the server."""
        return self.controller.view

    @property
    def together(self) -> bool:
        """Whether both players sit at this screen."""
        return self._place is None

    def paint(self) -> None:
        """Shows the match as it stands."""
        raise NotImplementedError

    def _say(self, refusal: str) -> None:
        self._refused = refusal
        self.paint()

    def _reader(self, view: MatchView) -> Reader:
        return Reader(view, self.together, self.controller.away)

    def _want(self, action: str, request: Request) -> None:
        """Sends a request, if its action is offered now."""
        if self.view is not None and allows(self._reader(self.view), action):
            self.app.do(self._ask(request))

    async def _ask(self, request: Request) -> None:
        try:
            await self.controller.do(request)
        except ClientError as error:
            self._say(words.refusal(error))

    def action_again(self) -> None:
        """Takes back while the game runs, asks for a rematch after it."""
        view = self.view
        if view is not None:
            self.action_rematch() if view.status == "finished" else self.action_takeback()

    def action_takeback(self) -> None:
        """Asks to take a move back."""
        self._want("takeback", Word.UNDO)

    def action_rematch(self) -> None:
        """Asks to play again."""
        self._want("rematch", Word.REMATCH)

    def action_agree(self) -> None:
        """Offers a draw while the game runs, saves it after."""
        view = self.view
        if view is not None:
            self.action_save() if view.status == "finished" else self.action_draw()

    def action_draw(self) -> None:
        """Offers a draw; two at one screen are asked once."""
        view = self.view
        if view is None or not allows(self._reader(view), "draw"):
            return
        if self.together:
            self._confirm(_("Do you both agree to a draw?"), _("Draw"), lambda: self._ask(Word.DRAW))
        else:
            self._want("draw", Word.DRAW)

    def action_save(self) -> None:
        """Writes the game into a file."""
        if self.view is not None and allows(self._reader(self.view), "save"):
            self.app.do(self._save(self.view))

    async def _save(self, view: MatchView) -> None:
        formats = saving.formats_of(view)
        rows = [
            Row("how", _("As"), tuple(Option(one.label, one) for one in formats)),
            Row("file", _("File"), text=saving.file_name(view, formats[0].ending)),
        ]
        form = FormScreen(_("Save the game"), rows, begin=_("Save"), changed=partial(saving.rename, view))
        if (values := await self.app.show(form)) is not None:
            self._say(saving.save(view, values["how"], values["file"]))

    def action_resign(self) -> None:
        """Gives the game up, after a question."""
        if self.view is not None and allows(self._reader(self.view), "resign"):
            self._confirm(_("Do you give the game up?"), _("Resign"), lambda: self._ask(Word.RESIGN))

    def action_give(self) -> None:
        """Gives the opponent 15 seconds."""
        self._want("give", Word.GIVE)

    def action_further(self) -> None:
        """Hosts the game here while its server is away, reviews it after the end."""
        view = self.view
        if view is not None:
            self.action_review() if view.status == "finished" else self.action_take_over()

    def action_review(self) -> None:
        """Looks through the game that is over, with its review."""
        from client.tui.screens.review import look_through, recorded_of

        if self.view is not None and allows(self._reader(self.view), "review"):
            place = None if self.controller.away else self._place  # without its server, this computer makes the review
            self.app.do(look_through(self.app, recorded_of(self.view), place, review=True))

    def action_take_over(self) -> None:
        """Hosts the game here if its server is away, after a question."""
        if self.view is not None and allows(self._reader(self.view), "take_over"):
            text = _("Host the game here? It goes on from this position; the clocks begin anew.")
            self._confirm(text, _("Host it here"), self._take_over)

    async def _take_over(self) -> None:
        self.takes_over = True
        self.dismiss("")

    def action_claim(self) -> None:
        """Claims the win from who stays away."""
        self.app.do(self._ask(Word.CLAIM))

    def action_yes(self) -> None:
        """Answers yes to what is asked."""
        view = self.view
        if self._asked is not None:
            _question, run = self._asked
            self._asked = None
            self.app.do(self._run(run))
        elif view is not None:
            keys = question_of(view, self.controller.now()).keys
            if any(key.action == "claim" for key in keys):
                self.action_claim()
            elif keys:
                self.app.do(self._ask(Word.YES))

    def action_no(self) -> None:
        """Answers no to what is asked, or withdraws one's own offer."""
        if self._asked is not None:
            self._asked = None
            self.paint()
        elif self.view is not None and self.view.offers and self._reader(self.view).plays:
            self.app.do(self._ask(Word.NO))

    async def _run(self, run: Callable[[], Awaitable[None]]) -> None:
        await run()
        if self.is_mounted:
            self.paint()

    def _confirm(self, text: str, yes: str, run: Callable[[], Awaitable[None]]) -> None:
        self._asked = (yes_or_no(text, yes, _("Cancel")), run)
        self.paint()

    # -- leaving

    def action_leave(self) -> None:
        """Leaves: at once if nothing is lost by it, or if asked for twice."""
        view = self.view
        if view is None or not self._reader(view).runs or self._asks_to_leave:
            self.app.do(self._leave())
        elif self.together or not (self.hosts or self._returns):
            self._confirm(_("Leave? This game is not kept."), _("Leave"), self._leave)
        else:
            hosting = _("Leave? The server stops with you: your guest waits until you host again.")
            guest = _("Leave? You don't resign: your seat is kept for a while.")
            self._confirm(hosting if self.hosts else guest, _("Leave"), self._leave)

    @property
    def _returns(self) -> bool:
        """Whether the reader finds the match again; against a bot of their own it ends with this program."""
        return isinstance(self.controller, OnlineController) and self.controller.returns

    @property
    def _asks_to_leave(self) -> bool:
        return self._asked is not None and self._asked[1] == self._leave

    async def _leave(self) -> None:
        said = await self.controller.farewell() if isinstance(self.controller, OnlineController) else ""
        if self.app.screen is self:
            self.dismiss(said)
