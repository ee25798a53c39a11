"""Files that are written in one step, or not at all: whoever sees one sees all of it. Standard library only."""

import errno
import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


def replace_private(path: Path, text: str) -> None:
    """Puts a file with `text` at `path`, readable by its owner alone, in the place of one that is there.

    It is on the disk when this returns, or what was there before is untouched; raises OSError.
    """
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.stem}")  # made with 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        Path(draft).replace(path)
    except BaseException:
        Path(draft).unlink(missing_ok=True)
        raise


def read_bounded(path: Path, most: int) -> bytes:
    """What stands in a file that others have made; raises OSError: as `beginning`, EFBIG for more than `most` bytes."""
    data = beginning(path, most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
    return data


def beginning(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file that others have made.

    Raises OSError: ENODEV for a folder, or for a pipe or a device, which could keep a reader waiting for ever.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV), str(path))
        with os.fdopen(handle, "rb", closefd=False) as stream:
            return stream.read(most)
    finally:
        os.close(handle)


class Additions:
    """A file that is only ever added to: each addition is there whole and on the disk, or has not happened.

    Opening it raises OSError. length: how many bytes of it count, None for all; what stands behind them is cut off.
    """

    def __init__(self, path: Path, length: int | None = None, mode: int = 0o600) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, mode)
        try:
            self._length = os.fstat(self._descriptor).st_size if length is None else length
            self._cut()
        except BaseException:
            self.close()
            raise

    def add(self, data: bytes) -> None:
        """Returns when it is on the disk. Raises OSError."""
        self._cut()
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[os.write(self._descriptor, rest) :]
            os.fsync(self._descriptor)
        except OSError:
            with suppress(OSError):  # then it is cut before anything else is added
                self._cut()
            raise
        self._length += len(data)

    def close(self) -> None:
        """Lets go of it."""
        os.close(self._descriptor)

    def _cut(self) -> None:
        """Cuts off what an incomplete write has left."""
        if os.fstat(self._descriptor).st_size > self._length:
            os.truncate(self._descriptor, self._length)


def takes(folder: Path, size: int) -> bool:
    """Whether `size` bytes can be written in `folder` now."""
    try:
        with tempfile.TemporaryFile(dir=folder) as stream:
            stream.write(bytes(size))
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        return False
    return True
