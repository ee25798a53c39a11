"""Work that whoever started it may stop: Ctrl-C, SIGTERM and SIGHUP end it in order, with no process left behind."""

import asyncio
import signal
from collections.abc import Coroutine
from contextlib import suppress

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


def run_stoppable(work: Coroutine[object, object, None]) -> bool:
    """Runs `work` on a loop of its own; False if somebody asked it to stop before it was done."""
    try:
        return asyncio.run(_guard(work))
    except KeyboardInterrupt:  # where a loop can't handle signals
        return False


async def _guard(work: Coroutine[object, object, None]) -> bool:
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    assert task is not None
    asked = False

    def stop() -> None:
        nonlocal asked
        if not asked:  # whoever insists does not interrupt the tidying up
            asked = True
            task.cancel()

    for number in _SIGNALS:
        with suppress(NotImplementedError, ValueError):  # Windows; not on the main thread: a test
            loop.add_signal_handler(number, stop)
    try:
        await work
    except asyncio.CancelledError:
        if not asked:
            raise
        return False
    return True
