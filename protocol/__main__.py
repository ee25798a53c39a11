"""Prints the protocol's reference; with `--schema` its JSON Schema.

With `--write-docs` writes docs/protocol.md, and page/types/protocol.d.ts: the types of the page's scripts.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from protocol.declarations import declarations
from protocol.page import reference
from protocol.schema import schema

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "protocol.md"
DECLARATIONS = ROOT / "page" / "types" / "protocol.d.ts"


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    match arguments:
        case []:
            sys.stdout.write(reference())
        case ["--schema"]:
            sys.stdout.write(json.dumps(schema(), indent=2) + "\n")
        case ["--write-docs"]:
            PAGE.write_text(reference(), encoding="utf-8", newline="\n")
            DECLARATIONS.write_text(declarations(), encoding="utf-8", newline="\n")
        case _:
            sys.stderr.write(f"{__doc__}\n")
            return 2
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
