"""Files that are their owner's alone, written in one step: who sees one sees all of it. Standard library only."""

import os
import tempfile
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
