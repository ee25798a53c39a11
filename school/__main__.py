"""With `--write-docs` writes page/types/class.d.ts: the types of the letters that the page's scripts read and write."""

from __future__ import annotations

import sys
from pathlib import Path

from school.declarations import declarations

DECLARATIONS = Path(__file__).parents[1] / "page" / "types" / "class.d.ts"


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    if arguments != ["--write-docs"]:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    DECLARATIONS.write_text(declarations(), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
