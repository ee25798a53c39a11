"""Who may show the page in a frame, and who gets in with a password: in a real browser."""

from __future__ import annotations

import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Browser, FrameLocator

from tests.faults.serving import serving
from tests.page.browser import HOST, Reader, Room, needs_browser

pytestmark = [pytest.mark.slow, needs_browser]

SECRET = "seize-lettres-au-moins"


class _School(BaseHTTPRequestHandler):
    """A site whose page frames the address in its query."""

    def do_GET(self) -> None:
        """One page for every path."""
        address = self.path.partition("?")[2]
        frame = f'<iframe src="{address}" width="900" height="700"></iframe>'
        body = f'<!doctype html><link rel="icon" href="data:,">{frame}'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Says nothing."""


@contextmanager
def school() -> Generator[str]:
    """The origin of another site."""
    site = ThreadingHTTPServer(("127.0.0.1", 0), _School)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{site.server_port}"
    finally:
        site.shutdown()
        thread.join()
        site.server_close()


def framed(reader: Reader, origin: str, path: str) -> FrameLocator:
    """A view of the server within the page of a site."""
    reader.page.goto(f"{origin}/?{reader.url}{path}")
    return reader.page.frame_locator("iframe")


def test_a_site_that_was_named_frames_boards_and_nothing_else(browser: Browser) -> None:
    with school() as named, serving("--host-name", HOST, "--embed", named) as server:
        with Room(browser, server.port) as room:
            ann, bob, eve = room.reader(), room.reader(), room.reader()
            where = ann.go().create("morpion")
            bob.go(where).click("join")
            ann.move("b2")
            frame = framed(eve, named, f"/embed{where}")
            frame.locator(".cell[data-holds=X]").wait_for()
            bob.move("a1")
            frame.locator(".cell[data-holds=O]").wait_for()
            assert frame.locator(".top").is_hidden()
            assert frame.locator(".cell[aria-disabled=false]").count() == 0
            frame = framed(eve, named, "/embed/replay/puissance4?moves=4453")
            frame.locator(".cell[data-holds=O]").first.wait_for()
            frame.locator("[data-action=previous]").click()
            frame.locator(".status:has-text('Move 3 of 4')").wait_for()
            # The reader's own session has not become another's, nor was it taken over.
            assert ann.page.locator("#banner").is_hidden()
        with Room(browser, server.port) as room:
            for path in ("/", where, "/local/morpion", "/replay/puissance4?moves=4"):
                eve = room.reader()
                framed(eve, named, path)
                eve.page.wait_for_timeout(500)
                assert any("frame-ancestors" in text for text in eve.wrong), path
                eve.wrong.clear()


def test_no_other_site_frames_anything(browser: Browser) -> None:
    options = ("--host-name", HOST, "--embed", "https://school.example")
    with school() as other, serving(*options) as server, Room(browser, server.port) as room:
        eve = room.reader()
        framed(eve, other, "/embed/replay/puissance4?moves=4453")
        eve.page.wait_for_timeout(500)
        assert any("frame-ancestors" in text for text in eve.wrong)
        eve.wrong.clear()


def test_a_password_lets_in(browser: Browser) -> None:
    with serving("--host-name", HOST, "--password", SECRET) as server, Room(browser, server.port) as room:
        ann = room.reader()
        ann.page.goto(ann.url)
        ann.page.wait_for_selector("#banner:has-text('asks for a password')")
        ann.page.fill("#banner input", "falsch")
        ann.click("password")
        ann.page.wait_for_selector("#banner:has-text('not the password')")
        assert "falsch" not in ann.page.url
        ann.page.fill("#banner input", SECRET)
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector(".me:not(:empty)")
        assert ann.page.locator("#banner").is_hidden()
        ann.create("morpion")
        ann.page.reload()
        ann.page.wait_for_selector("#banner:not([hidden]), .me:not(:empty)")
        kept = ann.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
        assert SECRET not in kept
