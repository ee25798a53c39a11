"""A client that joins or watches a match, says so, and reads; its test stops it with SIGSTOP."""

from __future__ import annotations

import sys

from tests.faults.rawsocket import RawSocket


def main() -> None:
    """Arguments: port, `join` or `watch`, match."""
    with RawSocket(int(sys.argv[1]), buffer=4096) as link:
        link.link.settimeout(None)
        link.hello(f"sleeper-{sys.argv[2]}")
        assert link.ask(type=sys.argv[2], match=sys.argv[3])["type"] == "ok"
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while link.frame() is not None:
            pass


if __name__ == "__main__":
    main()
