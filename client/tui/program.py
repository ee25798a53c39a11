"""The program on the full screen: what it begins with, and how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from client.tui.app import ArbitreApp
from client.tui.driver import keep_for_the_end
from locales.folding import echo
from processes import stopping

if TYPE_CHECKING:
    from client.connection import Client
    from client.people.recorded import Recorded
    from client.people.sitting import Sitting


async def run(app: ArbitreApp, work: Coroutine[Any, Any, str]) -> str:
    """Runs `app`, and in it `work`, which shows screens. Returns what `work` returns, and raises what it raises."""
    done: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def go() -> None:
        try:
            done.set_result(await work)
        except Exception as error:  # noqa: BLE001 - it is raised to whoever started us
            done.set_exception(error)
        finally:
            app.exit()

    app.first = go
    forget = stopping.before_the_end(keep_for_the_end())
    try:
        await app.run_async()
    finally:
        work.close()
        forget()
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError  # Textual takes a signal for a wish to leave
    if app.failure is not None:
        raise app.failure
    return done.result() if done.done() else ""


async def show_match(sitting: Sitting, *, ascii_only: bool) -> None:
    """Shows one match until its reader leaves; then prints the farewell, if there is one."""
    from client.tui.screens.sitting import sit

    app = ArbitreApp(ascii_only=ascii_only)
    if said := await run(app, sit(app, sitting)):
        echo(said)


async def show_around(client: Client, *, ascii_only: bool) -> None:
    """Shows what is played on the server of `client` until the reader leaves; then prints the farewell."""
    from client.tui.screens.onlooking import look_around

    app = ArbitreApp(ascii_only=ascii_only)
    if said := await run(app, look_around(app, client)):
        echo(said)


async def show_games(found: list[Recorded], title: str, at: int | None, *, ascii_only: bool) -> None:
    """Shows the games in `found`. If there are none, the reader chooses from their own games and the files."""
    from client.tui.screens.onlooking import choose_game, open_file

    app = ArbitreApp(ascii_only=ascii_only)

    async def look() -> str:
        return await choose_game(app, title, found, at or 0) if found else await open_file(app)

    await run(app, look())


async def show_menu(*, ascii_only: bool = False) -> None:
    """Shows the menu, and the screens that it leads to, until the reader leaves."""
    app = ArbitreApp(ascii_only=ascii_only)

    async def stay() -> str:
        await app.painted()  # before the slow imports of all that the menu leads to
        from client.tui.screens.home import stay_home

        return await stay_home(app)

    await run(app, stay())
