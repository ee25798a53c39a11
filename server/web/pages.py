"""What the server answers to plain HTTP: a fixed table of paths. No path of a request ever becomes the name of a file.

`/lobby` tells anybody who looks for a game what is open here, without a session. `/healthz` says whether the server can
do its work (200, or 503 while nothing can be recorded), `/metrics` gives its figures. WebSockets open on `/` alone; a
browser gets the page there to play on. All else is 404: for a browser that is the page, too, which says so in the
reader's language and leads back.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from msgspec.json import encode
from websockets.http11 import Request, Response

from page.files import EMBEDDED, File, Site
from page.studio.runtime_files import STATE
from protocol import VERSION
from protocol.values import LobbyPage
from server.connections.link import Link
from server.web import visitors
from server.web.figures import State
from server.web.lending import FOR_EVER, RETRY_S, Lending, is_long

SOCKET_PATH = "/"

LOBBY_PATH: Final = "/lobby"

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
        from server.web.metrics import CONTENT_TYPE, render
    except ImportError:
        text = "The figures need the package prometheus-client, which is not installed here.\n"
        return Page(HTTPStatus.NOT_IMPLEMENTED, _TEXT, text.encode())
    return Page(HTTPStatus.OK, CONTENT_TYPE, render(state))


FIGURES_PATH: Final = "/metrics"

ADMIN: Mapping[str, Callable[[State], Page]] = {"/healthz": health, FIGURES_PATH: metrics}
"""The pages about the server itself."""


_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors "
)

POLICY: Final = _POLICY + "'none'"
"""What the page may load and do: nothing that did not come from this server; and no page of another site shows it."""

WORKERS: Final = frozenset({"/app/studio/worker.js"})
"""The scripts that run WebAssembly, in a worker of their own: nothing else of the page may."""

WORKER: Final = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
"""What such a worker may load and do; its own policy counts, not that of the page that started it."""

_EMBEDDER = re.compile(r"https?://[a-z0-9]([a-z0-9.-]*[a-z0-9])?(:[1-9][0-9]{0,4})?")

_GUARDS: Final = (
    ("X-Content-Type-Options", "nosniff"),
    ("Referrer-Policy", "no-referrer"),
)


class Pages:
    """Answers requests from a table. state: gathers what the pages tell. sockets: whether WebSockets open here.

    lobby: what is open here, for `/lobby`; None where nobody plays.
    site: the page for browsers, where WebSockets open; None for a server without one. embedders: the origins whose
    pages may show a board in a frame. lending: the studio's runtime, where there is a page.
    """

    def __init__(
        self,
        table: Mapping[str, Callable[[State], Page]],
        state: Callable[[], State],
        *,
        sockets: bool,
        lobby: Callable[[], LobbyPage] | None = None,
        site: Site | None = None,
        embedders: Iterable[str] = (),
        lending: Lending | None = None,
    ) -> None:
        self._table = table
        self._state = state
        self._sockets = sockets
        self._lobby = lobby
        self._site = site
        self._lending = None if site is None else lending
        self._embedded = _POLICY + (" ".join(embedders) or "'none'")

    def answer(self, link: Link, request: Request) -> Response | None:
        """The page that is asked for, or why there is none; None lets a handshake go on."""
        path = request.path.partition("?")[0]
        if request.method != "GET":
            return None  # the library refuses other methods
        if (page := self._table.get(path)) is not None:
            return _response(link, page(self._state()))
        if path == LOBBY_PATH and self._lobby is not None:
            return _response(link, Page(HTTPStatus.OK, "application/json", encode(self._lobby()) + b"\n"))
        if path == SOCKET_PATH and self._sockets:
            if "Upgrade" in request.headers:
                return None
            if self._site is not None and _is_read(request):
                return _file(link, request, self._site.document, POLICY)
            return _response(link, _visited(link, request))
        if self._lending is not None and (lent := _lent(link, request, path, self._lending)) is not None:
            return lent
        if self._site is not None and (file := self._site.find(path)) is not None:
            policy = self._embedded if path.startswith(EMBEDDED) else WORKER if path in WORKERS else POLICY
            return _file(link, request, file, policy)
        if self._site is not None and _is_read(request):
            return _nowhere(link, request, self._site)
        return link.respond(HTTPStatus.NOT_FOUND, "There is nothing here.\n")


def _is_read(request: Request) -> bool:
    """Whether somebody reads the answer in a browser."""
    return any("text/html" in kinds for kinds in request.headers.get_all("Accept"))


def _lent(link: Link, request: Request, path: str, lending: Lending) -> Response | None:
    """The file lent at an address, or the answer about what can be lent; None for other addresses."""
    if path == STATE:
        return _response(link, Page(HTTPStatus.OK, "application/json", lending.state()))
    piece = lending.find(path)
    if piece is None:
        return None
    if piece.encoding and not any(piece.encoding in ways for ways in request.headers.get_all("Accept-Encoding")):
        return link.respond(HTTPStatus.NOT_ACCEPTABLE, "This is there with gzip only.\n")
    response = _response(link, Page(HTTPStatus.OK, piece.kind, piece.body))
    if is_long(piece.body):
        if not lending.pour(link, piece.body):
            response = link.respond(HTTPStatus.SERVICE_UNAVAILABLE, "Too many read this at once.\n")
            response.headers["Retry-After"] = str(RETRY_S)
            return response
        response.body = b""
    del response.headers["Cache-Control"]
    if piece.encoding:
        response.headers["Content-Encoding"] = piece.encoding
    for name, value in (("Cache-Control", FOR_EVER), ("Vary", "Accept-Encoding"), *_GUARDS):
        response.headers[name] = value
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _nowhere(link: Link, request: Request, site: Site) -> Response:
    """The page for an address that it has no view for."""
    response = _file(link, request, site.document, POLICY)
    if response.status_code == HTTPStatus.OK:
        response.status_code, response.reason_phrase = HTTPStatus.NOT_FOUND.value, HTTPStatus.NOT_FOUND.phrase
    return response


def _visited(link: Link, request: Request) -> Page:
    """For a browser that was pointed at us; programs see from the status that they have to ask for a WebSocket."""
    hosts = request.headers.get_all("Host")
    encrypted = link.transport.get_extra_info("ssl_object") is not None
    text = visitors.page(hosts[0] if len(hosts) == 1 else "", encrypted=encrypted)
    return Page(HTTPStatus.UPGRADE_REQUIRED, "text/html; charset=utf-8", text.encode())


def _file(link: Link, request: Request, file: File, policy: str) -> Response:
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
    response.headers["Content-Security-Policy"] = policy
    return response


def is_embedder(text: str) -> bool:
    """Whether `text` is an origin that may stand in a policy: no wildcard, no other sign that means something there."""
    return _EMBEDDER.fullmatch(text) is not None


def _response(link: Link, page: Page) -> Response:
    response = link.respond(page.status, "")
    response.body = page.body
    for name, value in (("Content-Type", page.kind), ("Content-Length", str(len(page.body)))):
        del response.headers[name]
        response.headers[name] = value
    response.headers["Cache-Control"] = "no-store"
    return response
