"""What the server answers to plain HTTP: a fixed table of paths. No path of a request ever becomes the name of a file.

`/healthz` says whether the server can do its work (200, or 503 while nothing can be recorded), `/metrics` gives its
figures. WebSockets open on `/` alone; a browser is told there how to play. All else is 404.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import NamedTuple

from msgspec.json import encode
from websockets.http11 import Request, Response

from protocol import VERSION
from server import visitors
from server.figures import State
from server.link import Link

SOCKET_PATH = "/"

_TEXT = "text/plain; charset=utf-8"


class Page(NamedTuple):
    """An answer."""

    status: HTTPStatus
    kind: str
    body: bytes


def health(state: State) -> Page:
    """Whether the server can do its work, for a supervisor or a load balancer."""
    well = state.store != "trouble"
    told = {
        "status": "ok" if well else "paused",
        "version": VERSION,
        "connections": state.connections,
        "matches": state.matches,
        "store": state.store,
    }
    status = HTTPStatus.OK if well else HTTPStatus.SERVICE_UNAVAILABLE
    return Page(status, "application/json", encode(told) + b"\n")


def metrics(state: State) -> Page:
    """The server's figures, if the extra is installed."""
    try:
        from server.metrics import CONTENT_TYPE, render
    except ImportError:
        text = "The figures need the package prometheus-client, which is not installed here.\n"
        return Page(HTTPStatus.NOT_IMPLEMENTED, _TEXT, text.encode())
    return Page(HTTPStatus.OK, CONTENT_TYPE, render(state))


ADMIN: Mapping[str, Callable[[State], Page]] = {"/healthz": health, "/metrics": metrics}
"""The pages about the server itself."""


class Pages:
    """Answers requests from a table. state: gathers what the pages tell. sockets: whether WebSockets open here."""

    def __init__(
        self, table: Mapping[str, Callable[[State], Page]], state: Callable[[], State], *, sockets: bool
    ) -> None:
        self._table = table
        self._state = state
        self._sockets = sockets

    def answer(self, link: Link, request: Request) -> Response | None:
        """The page that is asked for, or what else there is to say; None leaves a handshake to go on."""
        path = request.path.partition("?")[0]
        if request.method != "GET":
            return None  # the library refuses other methods
        if (page := self._table.get(path)) is not None:
            return _response(link, page(self._state()))
        if path == SOCKET_PATH and self._sockets:
            return None if "Upgrade" in request.headers else _response(link, _visited(link, request))
        return link.respond(HTTPStatus.NOT_FOUND, "There is nothing here.\n")


def _visited(link: Link, request: Request) -> Page:
    """For a browser that was pointed at us; programs see from the status that they have to ask for a WebSocket."""
    hosts = request.headers.get_all("Host")
    encrypted = link.transport.get_extra_info("ssl_object") is not None
    text = visitors.page(hosts[0] if len(hosts) == 1 else "", encrypted=encrypted)
    return Page(HTTPStatus.UPGRADE_REQUIRED, "text/html; charset=utf-8", text.encode())


def _response(link: Link, page: Page) -> Response:
    response = link.respond(page.status, "")
    response.body = page.body
    for name, value in (("Content-Type", page.kind), ("Content-Length", str(len(page.body)))):
        del response.headers[name]
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response
