"""The client over connections in memory, in virtual time: it comes back, loses nothing, and says when it must stop."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress

import pytest

from client.connection import LINGER_S, MAX_DELAY_S, Client, Incoming, Lost
from client.errors import (
    ConnectionLost,
    Garbled,
    HelloRefused,
    NoServer,
    NotArbitre,
    Refused,
    Replaced,
    ServerGone,
    Silent,
)
from client.explanations import explain
from client.wire import REPLACED, Unreachable
from protocol import VERSION
from protocol.messages import (
    Chat,
    Closing,
    Create,
    Error,
    Hello,
    MakeMove,
    Murmur,
    Ok,
    Resign,
    Snapshot,
    Started,
    Sync,
    Welcome,
)
from tests.client.fakes import LONG_S, FakeServer, FakeWire, welcome

pytestmark = [pytest.mark.looptime]


@pytest.fixture
def server() -> FakeServer:
    return FakeServer()


def client_of(server: FakeServer, *, patience_s: float = 60.0, token: str | None = None) -> Client:
    return Client(
        "ws://test:1",
        name="Ada",
        kind="bot",
        token=token,
        patience_s=patience_s,
        rng=random.Random(7),
        dial=server.dial,
    )


def snapshot(match: str = "m", seq: int = 1) -> Snapshot:
    return Snapshot(match, seq, "othello", "waiting", (None, None), 1, (), 0, 1, ())


async def next_of(messages: AsyncIterator[Incoming]) -> Incoming:
    async with asyncio.timeout(30):
        return await anext(messages)


async def test_an_answer_reaches_its_request_and_a_refusal_raises(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        first = asyncio.create_task(client.request(Create, game="othello"))
        second = asyncio.create_task(client.request(Resign, match="m"))
        create, resign = await wire.hear()
        wire.say(Error("game_over", "it is over", id=resign.id, data={"ply": 3}), Ok(create.id, "m"))
        assert (await first).match == "m"
        with pytest.raises(Refused) as refused:
            await second
        assert (refused.value.code, refused.value.data) == ("game_over", {"ply": 3})


async def test_what_one_turn_of_the_loop_sends_leaves_as_one_frame(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        for ply in range(100):
            client.send(MakeMove, match=f"m{ply}", ply=ply, move="d3")
        assert len(await wire.hear()) == 100
        assert wire.heard_nothing()


async def test_a_listener_s_answers_to_a_frame_leave_as_one_frame(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()

        def hear(message: Incoming) -> None:
            assert isinstance(message, Murmur)
            client.send(Chat, match="m", text=message.text)
            assert wire.heard_nothing()

        listening = asyncio.create_task(client.listen(hear))
        await asyncio.sleep(0)
        wire.say(Murmur("m", "Bob", "1"), Murmur("m", "Bob", "2"))
        assert [message.text for message in await wire.hear() if isinstance(message, Chat)] == ["1", "2"]
    await listening


async def test_a_listener_hears_what_came_before_and_its_failure_is_its_own(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        wire.say(Murmur("m", "Bob", "1"), Murmur("m", "Bob", "2"))
        await asyncio.sleep(1)

        def hear(message: Incoming) -> None:
            heard.append(message)
            raise LookupError

        heard: list[Incoming] = []
        with pytest.raises(LookupError):
            await client.listen(hear)
        assert heard == [Murmur("m", "Bob", "1")]
        assert await next_of(client.messages()) == Murmur("m", "Bob", "2")


async def test_what_a_listener_fails_at_leaves_the_rest_of_its_frame_to_the_next(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()

        def hear(message: Incoming) -> None:
            raise LookupError

        listening = asyncio.create_task(client.listen(hear))
        await asyncio.sleep(0)
        answer = asyncio.create_task(client.request(Chat, match="m", text="?"))
        (asked,) = await wire.hear()
        wire.say(Murmur("m", "Bob", "1"), Ok(asked.id), Murmur("m", "Bob", "2"), Murmur("m", "Bob", "3"))
        with pytest.raises(LookupError):
            await listening
        messages = client.messages()
        assert [await next_of(messages) for _ in range(2)] == [Murmur("m", "Bob", "2"), Murmur("m", "Bob", "3")]
        assert await answer == Ok(asked.id)


async def test_what_nobody_waits_for_leaves_with_the_next_or_soon(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        client.send_along(Chat, match="m", text="1")
        await asyncio.sleep(LINGER_S / 2)
        assert wire.heard_nothing()
        client.send(Chat, match="m", text="2")
        assert [message.text for message in await wire.hear() if isinstance(message, Chat)] == ["1", "2"]
        client.send_along(Chat, match="m", text="3")
        await asyncio.sleep(2 * LINGER_S)
        assert not wire.heard_nothing()


async def test_a_frame_stays_within_the_servers_limits(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        for _ in range(600):
            client.send(Chat, match="m", text="x" * 290)
        sizes: list[int] = []
        while sum(sizes) < 600:
            sizes.append(len(await wire.hear()))
        assert max(sizes) * 290 < 1 << 16


async def test_batches_are_handed_over_in_order_and_after_a_gap_the_rest_is_asked_for(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        messages = client.messages()
        wire.say(snapshot(seq=1), Murmur("m", "Bob", "one"), Murmur("m", "Bob", "two"))
        assert [type(await next_of(messages)) for _ in range(3)] == [Snapshot, Murmur, Murmur]
        wire.say(Started("m", 3, 1), Started("m", 4, 1), Murmur("m", "Bob", "three"))
        assert isinstance(await next_of(messages), Murmur)
        (sync,) = await wire.hear()
        assert isinstance(sync, Sync)
        assert (sync.match, sync.seq) == ("m", 1)
        assert wire.heard_nothing()


async def test_after_a_drop_it_comes_back_with_token_and_what_it_has_seen(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        messages = client.messages()
        wire.say(snapshot(seq=7))
        await next_of(messages)
        wire.drop()
        assert isinstance(await next_of(messages), Lost)
        back = await next_of(messages)
        assert isinstance(back, Welcome)
        assert back.resumed
        assert (server.hellos[1].token, server.hellos[1].seen) == ("s1.secret", {"m": 7})


async def test_a_move_without_an_answer_is_sent_again_with_the_same_id(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        move = asyncio.create_task(client.request(MakeMove, match="m", ply=0, move="d3"))
        (sent,) = await wire.hear()
        wire.drop()
        again = await server.wire()
        assert await again.hear() == [sent]
        again.say(Ok(sent.id))
        assert (await move).id == sent.id


async def test_what_might_happen_twice_is_not_sent_again(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        chat = asyncio.create_task(client.request(Chat, match="m", text="hello"))
        await wire.hear()
        wire.drop()
        with pytest.raises(ConnectionLost):
            await asyncio.wait_for(chat, LONG_S)
        again = await server.wire()
        await asyncio.sleep(1)
        assert again.heard_nothing()


async def test_what_the_server_said_is_named_to_who_waits_for_an_answer(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        chat = asyncio.create_task(client.request(Chat, match="m", text="hello"))
        await wire.hear()
        wire.say_raw('{"type":"snapshot"}')
        with pytest.raises(Garbled) as caught:
            await asyncio.wait_for(chat, LONG_S)
        assert "snapshot: field `match` is missing" in explain(caught.value)


async def test_a_request_made_while_the_connection_is_away_waits_for_it(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        server.down = True
        wire.drop()
        await asyncio.sleep(1)
        chat = asyncio.create_task(client.request(Chat, match="m", text="hello"))
        await asyncio.sleep(1)
        server.down = False
        again = await server.wire()
        (sent,) = await again.hear()
        again.say(Ok(sent.id))
        await chat


async def test_delays_grow_are_spread_and_bounded(server: FakeServer) -> None:
    client = client_of(server, patience_s=120)
    async with client:
        wire = await server.wire()
        server.down = True
        wire.drop()
        with pytest.raises(ServerGone):
            async for _ in client.messages():
                pass
    delays = [later - earlier for earlier, later in zip(server.dials[1:], server.dials[2:], strict=False)]
    assert server.dials[1] - server.dials[0] <= 0.1
    assert max(delays) <= MAX_DELAY_S
    assert max(delays[:3]) < max(delays[6:])
    assert len(set(delays)) == len(delays)
    assert 110 < server.dials[-1] <= 120.2


async def test_a_server_that_never_was_there_is_gone_soon(server: FakeServer) -> None:
    server.down = True
    with pytest.raises(NoServer, match="refused"):
        await client_of(server).__aenter__()
    assert server.dials[-1] <= 5


async def test_an_address_that_serves_something_else_is_not_tried_again(server: FakeServer) -> None:
    server.failures = [Unreachable("HTTP 404", permanent=True)]
    with pytest.raises(NotArbitre, match="404"):
        await client_of(server).__aenter__()
    assert len(server.dials) == 1


async def test_a_newer_connection_ends_this_one_for_good(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        request = asyncio.create_task(client.request(MakeMove, match="m", ply=0, move="d3"))
        await wire.hear()
        wire.drop(REPLACED)
        with pytest.raises(Replaced):
            await asyncio.wait_for(request, LONG_S)
        with pytest.raises(Replaced):
            async for _ in client.messages():
                pass
        with pytest.raises(Replaced):
            await client.request(Resign, match="m")
    assert len(server.dials) == 1


async def test_a_server_that_closes_for_good_is_not_looked_for(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        wire.say(Closing())
        wire.drop(1001)
        with pytest.raises(ServerGone):
            async for _ in client.messages():
                pass
    assert len(server.dials) == 1


async def test_a_server_that_restarts_is_given_the_time_that_it_asked_for(server: FakeServer) -> None:
    async with client_of(server, patience_s=1):
        wire = await server.wire()
        wire.say(Closing(retry_after_ms=30_000))
        wire.drop(1001)
        await server.wire()
    assert 30 <= server.dials[1] - server.dials[0] <= 30.2


@pytest.mark.parametrize("code", ["name_taken", "bad_name", "unsupported_protocol", "bad_token"])
async def test_a_refused_hello_is_told_by_its_code(server: FakeServer, code: str) -> None:
    server.answers = [(Error(code, "no", id=1, fatal=True),)]
    client = client_of(server, token="s1.old")
    with pytest.raises(HelloRefused) as refused:
        await client.__aenter__()
    assert refused.value.code == code
    assert client.session.token == (None if code == "bad_token" else "s1.old")


async def test_a_full_server_is_asked_again_when_it_said(server: FakeServer) -> None:
    server.answers = [(Error("server_full", "later", id=1, fatal=True, retry_after_ms=2000),)]
    async with client_of(server):
        await server.wire()
    assert 2 <= server.dials[1] - server.dials[0] <= 2.2


async def test_a_silent_server_is_left_after_a_time(server: FakeServer) -> None:
    class Mute(FakeServer):
        async def _greet(self, wire: object) -> None:
            pass

    mute = Mute()
    with pytest.raises(Silent, match="does not answer"):
        await client_of(mute).__aenter__()


async def test_a_peer_that_stops_reading_is_dropped_and_dialled_again(server: FakeServer) -> None:
    async with client_of(server) as client:
        wire = await server.wire()
        wire.stalled = True
        move = asyncio.create_task(client.request(MakeMove, match="m", ply=0, move="d3"))
        again = await server.wire()
        (sent,) = await again.hear()
        again.say(Ok(sent.id))
        await move
        assert wire.closed


async def test_closing_sends_what_waits_and_ends_the_messages(server: FakeServer) -> None:
    client = client_of(server)
    async with client:
        wire = await server.wire()
        client.send(Chat, match="m", text="bye")
    assert [type(message) for message in await wire.hear()] == [Chat]
    assert [message async for message in client.messages()] == []
    assert wire.closed


async def test_a_connection_that_breaks_at_once_each_time_is_not_hammered(server: FakeServer) -> None:
    async with client_of(server, patience_s=30) as client:

        async def breaking() -> None:
            while True:
                (await server.wire()).drop()

        task = asyncio.create_task(breaking())
        await asyncio.sleep(60)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        assert client.session.token
    assert len(server.dials) < 40


async def test_the_first_hello_says_who_is_there(server: FakeServer) -> None:
    server.answers = [(welcome(name="Ada 2"),)]
    async with client_of(server) as client:
        assert client.name == "Ada 2"
    assert server.hellos == [Hello(1, 1, f"arbitre/{VERSION}", "bot", "Ada", batch=True)]


async def closing_amid_last_words(server: FakeServer) -> tuple[FakeWire, asyncio.Task[None]]:
    """The connection of a client that closes while its server reads nothing, and its closing."""
    client = await client_of(server).__aenter__()
    wire = await server.wire()
    wire.stalled = True
    client.send(Resign, match="m")
    await asyncio.sleep(0)
    client.send(Resign, match="n")  # waits behind the first
    closing = asyncio.create_task(client.close())
    await asyncio.sleep(0.01)
    return wire, closing


async def test_who_is_cancelled_amid_the_last_words_leaves_nothing_open(server: FakeServer) -> None:
    wire, closing = await closing_amid_last_words(server)
    closing.cancel()
    await asyncio.wait([closing])
    assert closing.cancelled()
    assert wire.closed
    wire.drop()
    await asyncio.sleep(LONG_S)
    assert len(server.dials) == 1


async def test_a_connection_that_comes_amid_the_last_words_is_not_left_open(server: FakeServer) -> None:
    first, closing = await closing_amid_last_words(server)
    first.drop()
    second = await server.wire()
    await closing
    assert first.closed
    assert second.closed
