"""Files that one process at a time holds. The lock ends with the process, however it ends. Standard library only."""

import os
import sys


def lock(handle: int, *, wait: bool = False, at: int = 0) -> None:
    """Locks an open file until it is closed. Raises BlockingIOError if another process has it, and OSError.

    at: the byte that Windows locks; others can't read it meanwhile. On Windows, a wait gives up after ten seconds.
    """
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, at, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)
        except PermissionError as error:
            raise BlockingIOError(error.errno, error.strerror) from error
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
