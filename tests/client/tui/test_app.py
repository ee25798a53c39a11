"""The program around the screens: what it costs those who never see it, how it ends, what becomes of its errors."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Region
from textual.widgets import Static

from client.people.settings import Preferences
from client.tui import app as app_module
from client.tui.app import ArbitreApp
from client.tui.driver import GIVE_BACK, driver_class, keep_for_the_end
from client.tui.program import run
from tests.client.tui.stage import seen, shown, until


def test_commands_without_a_screen_never_load_textual() -> None:
    program = (
        "import sys, arbitre, client.commands.play_cli, client.commands.playing, services.serve_cli; "
        "from client.people import hot_seat, plain; "
        "sys.exit(' '.join(name for name in sys.modules if name.partition('.')[0] == 'textual') or 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr) == (0, "")


class Headless(ArbitreApp):
    """As it is, but without a terminal."""

    async def run_async(self, **_more: object) -> str | None:
        return await super().run_async(headless=True)


async def test_what_work_says_and_raises_comes_out() -> None:
    async def said() -> str:
        return "good"

    async def fails() -> str:
        raise ValueError("bad")

    assert await run(Headless(preferences=Preferences("Ada")), said()) == "good"
    with pytest.raises(ValueError, match="bad"):
        await run(Headless(preferences=Preferences("Ada")), fails())


async def test_a_signal_ends_the_work_and_is_passed_on() -> None:
    ended = asyncio.Event()

    async def waits() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return ""

    task = asyncio.create_task(run(Headless(preferences=Preferences("Ada")), waits()))
    await asyncio.sleep(0.5)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ended.is_set()


async def test_an_error_of_ours_ends_the_program_and_is_raised_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    app = Headless(preferences=Preferences("Ada"))
    monkeypatch.setattr(Headless, "is_headless", False)  # as on a terminal: tests see tracebacks

    async def works() -> str:
        async def breaks() -> None:
            raise KeyError("ours")

        app.do(breaks())
        await asyncio.Event().wait()
        return ""

    with pytest.raises(KeyError):
        await run(app, works())


async def test_an_empty_no_color_is_no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "")
    assert ArbitreApp(preferences=Preferences()).board_theme is not None
    monkeypatch.setenv("NO_COLOR", "1")
    assert ArbitreApp(preferences=Preferences()).board_theme is None
    assert os.environ["NO_COLOR"] == "1"


@pytest.mark.parametrize("theme", list(app_module.BOARDS))
async def test_every_theme_shows(theme: str) -> None:
    async def stay(app: ArbitreApp) -> None:
        app.prefer(theme=theme)
        await asyncio.Event().wait()

    async with shown(stay) as (app, pilot):
        await until(pilot, lambda: "One moment" in seen(app))
        assert app.current_theme.name == theme


@pytest.mark.skipif(sys.platform == "win32", reason="Textual's own driver is used there")
def test_the_driver_asks_for_no_sizes_and_everything_is_switched_off_at_the_end() -> None:
    driver = driver_class()
    assert driver is not None
    assert "_query_in_band_window_resize" in vars(driver)
    for mode in (1000, 1003, 1006, 1049, 2004):
        assert f"\x1b[?{mode}l" in GIVE_BACK
    keep_for_the_end()()  # not on a terminal here: harmless


async def test_no_line_begins_with_a_sign_that_a_no_break_space_holds() -> None:
    class Narrow(App[None]):
        def compose(self) -> ComposeResult:
            yield Static("Les flèches avancent\u00a0; Début", id="text", markup=False)

    app = Narrow()
    async with app.run_test(size=(21, 4)):
        lines = app.query_one("#text", Static).render_lines(Region(0, 0, 21, 2))
    assert [line.text.strip() for line in lines] == ["Les flèches", "avancent\u00a0; Début"]
