"""The peer of benchmarks/relay.py: a relay made of `websockets` and nothing else.

Two connections that ask for the same path are a pair. For every message of one, both get the same text of a fixed size,
with the library's recommended `broadcast`. It knows no rules, clocks, history, identities or limits. Its settings and
its garbage collector are those of Arbitre's server.
"""

from __future__ import annotations

import argparse
import asyncio
import gc

from websockets.asyncio.server import ServerConnection, broadcast, serve
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from protocol import SUBPROTOCOL


async def relay(size: int) -> None:
    """Serves for ever; each message that is sent has `size` bytes."""
    payload = b"x" * size
    pairs: dict[str, set[ServerConnection]] = {}

    async def handle(connection: ServerConnection) -> None:
        assert connection.request is not None, "the handshake is over"
        pair = pairs.setdefault(connection.request.path, set())
        pair.add(connection)
        try:
            async for _message in connection:
                broadcast(pair, payload, text=True)
        except ConnectionClosed:
            pass
        finally:
            pair.discard(connection)

    server = await serve(
        handle,
        "127.0.0.1",
        0,
        subprotocols=[Subprotocol(SUBPROTOCOL)],
        compression=None,
        server_header=None,
        ping_interval=5,
        ping_timeout=5,
        max_size=1 << 16,
        max_queue=64,
        backlog=1024,
    )
    gc.collect()
    gc.freeze()
    print(f"listening on ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
    await server.wait_closed()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, required=True)
    asyncio.run(relay(parser.parse_args().size))
