"""The entry of a bot in a league: made by a code, made again after a reconnect, and ended by the server.

A league that is over, whose host removes the bot, or that somebody else enters with the same key or personal code,
puts the bot out. It then enters no more; the games that it has begun are played to their ends.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from client.connection import Client
from client.errors import ClientError, Refused, pause_s
from locales import N_, _
from protocol.errors import ErrorCode
from protocol.messages import Enter

_ENTER_AGAIN_S = 0.5

_REFUSED_FOR_A_WHILE = (ErrorCode.NO_SUCH_LEAGUE.value, ErrorCode.RATE_LIMITED.value)
"""What a return to a league may be refused with: its host has not come back yet, or too many enter at once."""

_WHY_OUT = {
    "closed": N_("The league is over."),
    "removed": N_("Whoever runs the league has sent this bot away."),
    "replaced": N_(
        "Somebody has entered the league with the same key or personal code since, so this bot leaves. If that was not "
        "you, tell whoever runs the league."
    ),
}
"""Why a bot is no longer in a league, by `why` of the server's error."""


class LeagueEntry:
    """A bot's place in the league `code`.

    personal: the personal code, if the league has a roster. key: the key to which the name in the league belongs.
    name: that name, if it may differ from the session's. insists: if the name belongs to somebody else, whether to give
    up, instead of entering under the session's name. complain: is told why the bot is out.

    has_entered: whether the server has said so, since it last was away. is_out: whether the league has put the bot out.
    """

    def __init__(
        self,
        client: Client,
        code: str,
        complain: Callable[[str], None],
        *,
        personal: str | None,
        key: str | None,
        name: str | None,
        insists: bool,
    ) -> None:
        self.has_entered = False
        self.is_out = False
        self._client = client
        self._code = code
        self._complain = complain
        self._personal = personal
        self._key = key
        self._name = name
        self._insists = insists

    async def enter(self, *, again: bool) -> None:
        """Enters the league, if need be under the session's own name; raises ClientError.

        again: whether the bot was in it before, maybe under a session that the server has forgotten.
        """
        name = None if self._name == self._client.name else self._name
        try:
            await self._client.ask(
                Enter, code=self._code, personal=self._personal, key=self._key, name=name, again=again
            )
        except Refused as refused:
            if refused.code != ErrorCode.NOT_YOURS.value or name is None or self._insists:
                raise
            self._name = None
            await self.enter(again=again)
        self.has_entered = True

    async def enter_again(self) -> None:
        """Enters the league again after a reconnect: the server, or the league's host, may have forgotten us.

        If another session has entered meanwhile with the same key or personal code, that one stays, and we are out.
        """
        with suppress(ClientError):
            while not self.is_out:
                try:
                    await self.enter(again=True)
                except Refused as refused:
                    if refused.code in _REFUSED_FOR_A_WHILE:
                        await asyncio.sleep(max(_ENTER_AGAIN_S, pause_s(refused.retry_after_ms)))
                    else:
                        self._turned_away(refused)
                else:
                    return

    def lost_server(self) -> None:
        """The server is away: whether we are still in the league shows when it is back."""
        self.has_entered = False
        self._complain(_("The league's server is away; waiting for it. Ctrl-C ends this bot."))

    def put_out(self, why: object) -> None:
        """The server says that we are out, and `why`."""
        self.is_out = True
        self._complain(_(_WHY_OUT.get(str(why), _WHY_OUT["closed"])))

    def _turned_away(self, refused: Refused) -> None:
        """The league does not take us back."""
        from client import explanations

        self.is_out = True
        if refused.code != ErrorCode.OUT_OF_LEAGUE.value:
            self._complain(explanations.refused(refused))
        elif (why := refused.data.get("why")) is not None:
            self.put_out(why)
