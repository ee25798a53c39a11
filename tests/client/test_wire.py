"""The client's end of a real connection: messages come as they were sent, however they were cut into frames."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.typing import Subprotocol

from client.wire import WebSocketWire, WireClosed, dial
from protocol import SUBPROTOCOL


async def _parts() -> AsyncIterator[str]:
    for part in ("[3", ",", "4]"):
        yield part


async def _say_all(server: ServerConnection) -> None:
    await server.send("1")
    await server.recv()
    await server.send("2")
    await server.send(_parts())
    await server.send("5")
    await server.send("6" * 70_000)
    await server.close(4001, "enough")


@pytest.mark.parametrize("early", [False, True], ids=["listening first", "listening late"])
async def test_messages_are_heard_in_order_and_then_the_end(early: bool) -> None:
    async with serve(_say_all, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)]) as server:
        (socket,) = server.sockets
        wire = await dial(f"ws://127.0.0.1:{socket.getsockname()[1]}")
        assert _bytes(await wire.receive()) == b"1"
        heard: list[bytes] = []
        await wire.send(b"go")
        if early:
            heard.append(_bytes(await wire.receive()))
        closed = await asyncio.wait_for(wire.listen(lambda frame: heard.append(_bytes(frame))), 5)
    assert heard == [b"2", b"[3,4]", b"5", b"6" * 70_000]
    assert isinstance(closed, WireClosed)
    assert (closed.code, closed.reason) == (4001, "enough")


async def test_who_is_cancelled_while_the_server_is_slow_to_end_it_drops_the_connection() -> None:
    slow = asyncio.Event()

    async def sleep(server: ServerConnection) -> None:
        server.transport.pause_reading()
        await slow.wait()

    async with serve(sleep, "127.0.0.1", 0, subprotocols=[Subprotocol(SUBPROTOCOL)], close_timeout=0.1) as server:
        (socket,) = server.sockets
        wire = await dial(f"ws://127.0.0.1:{socket.getsockname()[1]}")
        assert isinstance(wire, WebSocketWire)
        closing = asyncio.create_task(wire.close())
        await asyncio.sleep(0)
        closing.cancel()
        await asyncio.wait([closing])
        dropped = wire._link.transport.is_closing()
        slow.set()
    assert dropped


def _bytes(frame: str | bytes) -> bytes:
    return frame.encode() if isinstance(frame, str) else frame
