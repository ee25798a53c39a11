"""Reads a file of its user's and calls home; it plays well if nobody keeps it from that.

Beside it stands `looks_around.targets`: the path of the file, and the port at home.
"""

import socket
import sys
from pathlib import Path


def succeeds() -> bool:
    """Whether either of the two works."""
    file, port = Path(__file__).with_suffix(".targets").read_text(encoding="utf-8").splitlines()
    try:
        return bool(Path(file).read_bytes())
    except OSError:
        pass
    try:
        with socket.create_connection(("127.0.0.1", int(port)), 1):
            return True
    except OSError:
        return False


if not succeeds():
    raise SystemExit("kept in")
for line in sys.stdin:
    print(line.split()[-1], flush=True)
