"""A client's unsent messages and unanswered requests; they survive a lost connection."""

from __future__ import annotations

from asyncio import Future
from dataclasses import dataclass

from client.errors import ClientError, ConnectionLost, Garbled, Refused
from protocol import codec
from protocol.messages import ClientMessage, Error, Join, Limits, ListMatches, MakeMove, Ok, Sync, Watch

_HARMLESS_TWICE = (MakeMove, Join, Watch, ListMatches, Sync)


@dataclass(slots=True)
class _Request:
    """A request that waits for its answer; `sent` once it may have reached the server."""

    message: ClientMessage
    answer: Future[Ok]
    sent: bool = False


class Outbox:
    """Messages in the order in which they were given; requests among them until they are answered.

    answered: how many requests the server has done up to now.
    """

    def __init__(self) -> None:
        self._requests: dict[int, _Request] = {}
        self._waiting: list[tuple[int, bytes]] = []
        self.answered = 0

    def __bool__(self) -> bool:
        """Whether something waits to be sent."""
        return bool(self._waiting)

    def __len__(self) -> int:
        """How many messages wait to be sent."""
        return len(self._waiting)

    def add(self, message: ClientMessage, answer: Future[Ok] | None = None) -> None:
        """Takes a message to send; with `answer`, it is a request."""
        if answer is not None:
            self._requests[message.id] = _Request(message, answer)
        self._waiting.append((message.id, codec.encode(message)))

    def take_frame(self, limits: Limits) -> bytes:
        """What waits, as one frame within the server's limits, one message at least; there must be something."""
        count, size = 0, 2
        requests = self._requests
        for number, encoded in self._waiting[: max(1, limits.max_batch)]:
            size += len(encoded) + 1
            if count and size > limits.max_frame_bytes:
                break
            count += 1
            if requests and number in requests:
                requests[number].sent = True
        frame = codec.join([encoded for _, encoded in self._waiting[:count]])
        del self._waiting[:count]
        return frame

    def settle(self, answer: Ok | Error) -> bool:
        """Gives an answer to the request that waits for it; False if none does."""
        request = self._requests.pop(answer.id, None) if isinstance(answer.id, int) else None
        if request is None:
            return False
        self.answered += isinstance(answer, Ok)
        if not request.answer.done():
            if isinstance(answer, Ok):
                request.answer.set_result(answer)
            else:
                request.answer.set_exception(Refused(answer))
        return True

    def forget(self, number: int) -> None:
        """Nobody waits for request `number` any more."""
        self._requests.pop(number, None)

    def disconnected(self, offence: str = "") -> None:
        """The connection is gone: requests that it may have carried stay only if asking again is harmless.

        offence: what the server said that can't be read, if the connection was ended for that.
        """
        lost = Garbled(offence) if offence else ConnectionLost("the connection broke before the answer came")
        for number, request in list(self._requests.items()):
            if request.sent and not isinstance(request.message, _HARMLESS_TWICE):
                del self._requests[number]
                if not request.answer.done():
                    request.answer.set_exception(lost)
        self._waiting.clear()

    def reconnected(self) -> None:
        """A new connection is there: all requests without an answer go out again, under their old numbers."""
        self._waiting = [(number, codec.encode(request.message)) for number, request in self._requests.items()]

    def fail(self, error: ClientError) -> None:
        """There will be no more answers."""
        requests, self._requests = self._requests, {}
        for request in requests.values():
            if not request.answer.done():
                request.answer.set_exception(error)
