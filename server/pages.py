"""What the server answers to plain HTTP: a fixed table of paths. No path of a request ever becomes the name of a file.

`/healthz` says whether the server can do its work (200, or 503 while nothing can be recorded), `/metrics` gives its
figures. WebSockets open on `/` alone; a browser gets the page there to play on. All else is 404.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from msgspec.json import encode
from websockets.http11 import Request, Response

from page.files import File, Site
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


POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""What the page may load and do: nothing that did not come from this server."""

_GUARDS: Final = (
    ("Content-Security-Policy", POLICY),
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)


class Pages:
    """Answers requests from a table. state: gathers what the pages tell. sockets: whether WebSockets open here.

    site: the page for browsers, where WebSockets open; None for a server without one.
    """

    def __init__(
        self,
        table: Mapping[str, Callable[[State], Page]],
        state: Callable[[], State],
        *,
        sockets: bool,
        site: Site | None = None,
    ) -> None:
        self._table = table
        self._state = state
        self._sockets = sockets
        self._site = site

    def answer(self, link: Link, request: Request) -> Response | None:
        """The page that is asked for, or what else there is to say; None leaves a handshake to go on."""
        path = request.path.partition("?")[0]
        if request.method != "GET":
            return None  # the library refuses other methods
        if (page := self._table.get(path)) is not None:
            return _response(link, page(self._state()))
        if path == SOCKET_PATH and self._sockets:
            if "Upgrade" in request.headers:
                return None
            if self._site is not None and any("text/html" in kinds for kinds in request.headers.get_all("Accept")):
                return _file(link, request, self._site.document)
            return _response(link, _visited(link, request))
        if self._site is not None and (file := self._site.find(path)) is not None:
            return _file(link, request, file)
        return link.respond(HTTPStatus.NOT_FOUND, "There is nothing here.\n")


def _visited(link: Link, request: Request) -> Page:
    """For a browser that was pointed at us; programs see from the status that they have to ask for a WebSocket."""
    hosts = request.headers.get_all("Host")
    encrypted = link.transport.get_extra_info("ssl_object") is not None
    text = visitors.page(hosts[0] if len(hosts) == 1 else "", encrypted=encrypted)
    return Page(HTTPStatus.UPGRADE_REQUIRED, "text/html; charset=utf-8", text.encode())


def _file(link: Link, request: Request, file: File) -> Response:
    """A file of the page, unless the browser has it already; compressed for those who take it so."""
    known = {
        tag.strip().removeprefix("W/") for tags in request.headers.get_all("If-None-Match") for tag in tags.split(",")
    }
    if file.tag in known:
        response = _response(link, Page(HTTPStatus.NOT_MODIFIED, file.kind, b""))
        del response.headers["Content-Length"], response.headers["Content-Type"]
    else:
        takes = any("gzip" in ways for ways in request.headers.get_all("Accept-Encoding"))
        response = _response(link, Page(HTTPStatus.OK, file.kind, file.compressed if takes else file.body))
        if takes:
            response.headers["Content-Encoding"] = "gzip"
    del response.headers["Cache-Control"]
    for name, value in (("Cache-Control", "no-cache"), ("Vary", "Accept-Encoding"), ("ETag", file.tag), *_GUARDS):
        response.headers[name] = value
    return response


def _response(link: Link, page: Page) -> Response:
    response = link.respond(page.status, "")
    response.body = page.body
    for name, value in (("Content-Type", page.kind), ("Content-Length", str(len(page.body)))):
        del response.headers[name]
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response
