"""A real browser on a real server: what tests of the page share."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache
from types import TracebackType
from typing import Any, Self

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
)  # fmt: skip

HOST = "arbitre.test"
"""A name that is this machine to the browser: on plain HTTP it is no secure context there, like an address on a LAN."""

PATIENCE_MS = 30_000


@cache
def chromium() -> str | None:
    """Where the browser is: the one that has no windows takes half the time, and shows the same."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


needs_browser = pytest.mark.skipif(chromium() is None, reason="there is no chromium here")


class Reader:
    """Somebody with a browser: `page` is what they see, `wrong` what the console complained of.

    context: a browser that somebody has used before; by default they have a new one, with these options.
    """

    def __init__(self, browser: Browser, port: int, context: BrowserContext | None = None, **options: Any) -> None:
        self._context = context or browser.new_context(**options)
        self._context.set_default_timeout(PATIENCE_MS)
        self.url = f"http://{HOST}:{port}"
        self.wrong: list[str] = []
        self.page = self.open()

    def open(self) -> Page:
        """Another tab."""
        page = self._context.new_page()
        page.on("console", self._complained)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        return page

    def _complained(self, message: ConsoleMessage) -> None:
        # A server that was killed can't be reached, which the browser says by itself.
        expected = "ERR_CONNECTION" in message.text or "ws://" in message.text
        if message.type in {"error", "warning"} and not expected:
            self.wrong.append(message.text)

    def go(self, path: str = "/") -> Self:
        """Opens a view, and waits until the server knows who reads."""
        self.page.goto(self.url + path)
        self.page.wait_for_selector(".me:not(:empty)")
        return self

    @property
    def name(self) -> str:
        """As whom the server knows them."""
        return self.page.inner_text(".me")

    @property
    def status(self) -> str:
        """The line that says whose turn it is, or who won."""
        return self.page.inner_text("[role=status]")

    def click(self, action: str) -> None:
        """Uses the control of that action."""
        self.page.click(f"[data-action={action}]")

    def create(self, game: str, *, clock: str = "none", seat: str = "first", private: bool = False) -> str:
        """Opens a match; returns its address."""
        self.page.select_option("[name=game]", game)
        self.page.check(f"[name=clock][value='{clock}']", force=True)
        self.page.check(f"[name=seat][value='{seat}']", force=True)
        if private:
            self.page.check("[name=private]")
        self.click("create")
        self.page.wait_for_selector(".board .cell")
        return self.page.url.removeprefix(self.url)

    def move(self, move: str) -> None:
        """Plays a move on the board, by clicks: `move` as on the wire."""
        self.page.wait_for_selector(".cell[aria-disabled=false]")
        target = self.page.locator(f".cell[data-move='{move}']")
        if not target.count():  # from where to where
            self.page.click(f".cell[data-square='{move[: len(move) // 2]}']")
        target.first.click()

    def see_ply(self, ply: int) -> None:
        """Waits until so many moves were played."""
        self.page.wait_for_selector(f".moves li:nth-child({ply})")

    def forget(self) -> None:
        """Loses what the page keeps of who reads it: their session, their settings and their drafts."""
        self.page.goto(f"{self.url}/lobby")
        self.page.evaluate("localStorage.clear()")

    def close_tabs(self) -> BrowserContext:
        """Closes all that is open; returns the browser, for who reads next."""
        for page in self._context.pages:
            page.close()
        return self._context

    def leave(self) -> None:
        """Closes the browser's window."""
        self._context.close()


@contextmanager
def browsing() -> Generator[Browser]:
    """A browser without a screen."""
    path = chromium()
    assert path is not None
    with sync_playwright() as playwright:
        flags = [*FLAGS, f"--host-resolver-rules=MAP {HOST} 127.0.0.1"]
        browser = playwright.chromium.launch(executable_path=path, args=flags)
        try:
            yield browser
        finally:
            browser.close()


class Room:
    """Several readers on one server."""

    def __init__(self, browser: Browser, port: int) -> None:
        self._browser = browser
        self.port = port
        self.readers: list[Reader] = []

    def reader(self, **options: Any) -> Reader:
        """One more, with a browser of their own."""
        found = self.enter({"locale": "en-GB", **options})
        self.readers.append(found)
        return found

    def enter(self, options: dict[str, Any]) -> Reader:
        """Somebody who comes in, with a new browser."""
        return Reader(self._browser, self.port, **options)

    def empty(self) -> None:
        """Sends all of them away."""
        for reader in self.readers:
            reader.leave()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.empty()
        if error is None:
            assert self.complaints() == []

    def complaints(self) -> list[str]:
        """What the consoles complained of: errors, and what the policy of the page forbids."""
        return [text for reader in self.readers for text in reader.wrong]


def alternating(*readers: Reader) -> Iterator[Reader]:
    """Who moves next, for ever."""
    while True:
        yield from readers
