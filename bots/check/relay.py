"""A relay on loopback between a bot and a server: passes frames on as an interference says, and writes them down."""

import asyncio
from collections import deque
from contextlib import AsyncExitStack, suppress
from types import TracebackType
from typing import Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from bots.check.interference import HARMLESS, Cut, Deliver, Faithful, Frame, Interference, Message, RelayEntry, Sender
from protocol import SUBPROTOCOL

KEPT = 4000
"""Entries of the log that are kept."""

_PING_S = 5.0
_CLOSE_S = 1.0
_LARGEST_FRAME = 1 << 20
_NOT_SENT = frozenset({1005, 1006, 1015})
_RESERVED = 1000


class Relay:
    """As an async context manager: a door to the server at `server_url`, at `url`, for one bot.

    interference: what is done to the frames; may be replaced between two matches.
    log: what passed since `forget`. welcomed: set while the bot has a session. lost: set while it has lost its last
    connection; refused: set once it was refused a session.
    subprotocols: those that it asked for. name: its name on the server.
    """

    def __init__(self, server_url: str) -> None:
        self.interference: Interference = Faithful()
        self.log: deque[RelayEntry] = deque(maxlen=KEPT)
        self.url = ""
        self.subprotocols: tuple[str, ...] = ()
        self.name = ""
        self.welcomed = asyncio.Event()
        self.lost = asyncio.Event()
        self.refused = asyncio.Event()
        self._server_url = server_url
        self._stack = AsyncExitStack()
        self._open = 0

    async def __aenter__(self) -> Self:
        door = await self._stack.enter_async_context(
            serve(
                self._relay,
                "127.0.0.1",
                0,
                compression=None,
                select_subprotocol=self._select,
                max_size=_LARGEST_FRAME,
                ping_interval=_PING_S,
                ping_timeout=_PING_S,
                close_timeout=_CLOSE_S,
            )
        )
        self.url = f"ws://127.0.0.1:{next(iter(door.sockets)).getsockname()[1]}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    def forget(self) -> None:
        """Starts a new log, without interference."""
        self.interference = Faithful()
        self.log.clear()

    async def away(self, longest_s: float) -> None:
        """Returns once the bot has been without a connection for `longest_s`."""
        while True:
            await self.lost.wait()
            try:
                async with asyncio.timeout(longest_s):
                    await self.welcomed.wait()
            except TimeoutError:
                return

    def _select(self, _connection: ServerConnection, offered: "list[Subprotocol] | object") -> Subprotocol | None:
        self.subprotocols = tuple(str(one) for one in offered) if isinstance(offered, list | tuple) else ()
        return Subprotocol(SUBPROTOCOL) if SUBPROTOCOL in self.subprotocols else None

    async def _relay(self, bot: ServerConnection) -> None:
        try:
            server = await connect(
                self._server_url,
                compression=None,
                proxy=None,
                subprotocols=[Subprotocol(SUBPROTOCOL)],
                max_size=_LARGEST_FRAME,
                close_timeout=_CLOSE_S,
            )
        except (OSError, WebSocketException):
            return  # the server is gone: closing is the answer
        self._open += 1
        pumps = [
            asyncio.create_task(self._pump("bot", bot, server)),
            asyncio.create_task(self._pump("server", server, bot)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            await asyncio.gather(*pumps, return_exceptions=True)
            self._open -= 1
            if not self._open:
                self.welcomed.clear()
                self.lost.set()
            await asyncio.gather(_end(bot, like=server), _end(server, like=bot))

    async def _pump(
        self, sender: Sender, source: ServerConnection | ClientConnection, target: ServerConnection | ClientConnection
    ) -> None:
        """Passes on what comes from `source` until either side is closed or the connection is cut."""
        with suppress(ConnectionClosed):
            async for data in source:
                if isinstance(data, bytes):
                    await target.send(data)
                    continue
                frame = Frame.of(data)
                if sender == "bot":
                    self._write_down(RelayEntry(_now(), "bot", frame))
                for step in self.interference.pass_on(sender, frame):
                    match step:
                        case Deliver():
                            if sender == "server":
                                self._write_down(RelayEntry(_now(), "server", Frame.of(step.text)))
                            await target.send(step.text)
                        case Cut():
                            self._write_down(RelayEntry(_now(), "cut"))
                            source.transport.abort()
                            target.transport.abort()
                            return

    def _write_down(self, entry: RelayEntry) -> None:
        self.log.append(entry)
        if entry.what == "server":
            for message in entry.frame.messages:
                if message.get("type") == "welcome":
                    self._welcome(message)
                elif message.get("type") == "error" and not self.name and message.get("code") not in HARMLESS:
                    self.refused.set()

    def _welcome(self, message: Message) -> None:
        self.name = str(message.get("name", ""))
        self.lost.clear()
        self.welcomed.set()


async def _end(connection: ServerConnection | ClientConnection, *, like: ServerConnection | ClientConnection) -> None:
    """Closes a connection as the other one was closed."""
    code, reason = like.close_code, like.close_reason
    if code is None or code in _NOT_SENT:
        code, reason = _RESERVED, ""
    with suppress(ConnectionClosed, OSError):
        await connection.close(code, reason or "")


def _now() -> float:
    return asyncio.get_running_loop().time()
