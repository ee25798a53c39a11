"""What the operating system says of a failure, in the user's language."""

import errno
import os
from collections.abc import Mapping
from typing import Final

from locales import N_, _

_REASONS: Final[Mapping[int, str]] = {
    errno.EPERM: N_("Operation not permitted"),
    errno.ENOENT: N_("No such file or directory"),
    errno.EIO: N_("Input/output error"),
    errno.ENOMEM: N_("Cannot allocate memory"),
    errno.EACCES: N_("Permission denied"),
    errno.EEXIST: N_("File exists"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.EISDIR: N_("Is a directory"),
    errno.ENODEV: N_("It is a pipe or a device, not a file"),
    errno.EMFILE: N_("Too many open files"),
    errno.EFBIG: N_("File too large"),
    errno.ENOSPC: N_("No space left on device"),
    errno.EROFS: N_("Read-only file system"),
    errno.ENOEXEC: N_("Exec format error"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ENOTEMPTY: N_("Directory not empty"),
    errno.EADDRINUSE: N_("Address already in use"),
    errno.EADDRNOTAVAIL: N_("Cannot assign requested address"),
    errno.ENETUNREACH: N_("Network is unreachable"),
    errno.ECONNREFUSED: N_("Connection refused"),
}


def reason(error: OSError) -> str:
    """Why a call failed, as the system says it; what is not in the table is said in the system's own words."""
    said = error.strerror or str(error)
    number = error.errno or 0
    known = _REASONS.get(number)
    # Some libraries put numbers of their own there, and asyncio says where it happened, ahead of the reason.
    if known is None or os.strerror(number).lower() not in said.lower():
        return said
    return _(known)


def concerning(what: object, why: object) -> str:
    """A line that says of a file, or of anything else, what is wrong with it."""
    return _("{what}: {why}").format(what=what, why=why)
