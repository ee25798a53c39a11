"""The start and the end of a service's process, whatever the service does."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Coroutine

from machine.variables import SERVICE
from processes import stopping


def secret() -> str:
    """The secret that the server has drawn for its services."""
    return os.environ[SERVICE]


def run(make: Callable[[], Coroutine[object, object, None]]) -> None:
    """Runs a service until it ends or is asked to. First unblocks signals: a server blocks them, and children inherit
    its mask.
    """
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, stopping.SIGNALS)
    stopping.handle_signals()
    code = 0
    try:
        stopping.run(make(), within_s=stopping.AT_MOST_S)
    except stopping.Stopped:
        pass
    finally:
        stopping.leave_with(code)
