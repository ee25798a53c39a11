"""`python3 run.py messages`: take up what the sources say now in the French catalogue, and compile it.

Translations stay; a message that is gone from the sources goes; new ones stand empty, are listed, and wait for you to
write them into locales/fr/LC_MESSAGES/arbitre.po (then run this again: it compiles the .mo). `--add FILE` takes
translations from a second .po file, so that people who work side by side need not edit the same one.
"""

import importlib.util
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

import click
from babel.messages.catalog import Catalog

from locales import FOLDER, catalogue

ROOT: Final = FOLDER.parent
PO: Final = FOLDER / "fr" / "LC_MESSAGES" / "arbitre.po"
MO: Final = PO.with_suffix(".mo")
PACKAGES: Final = (
    "locales",
    "machine",
    "games",
    "protocol",
    "page",
    "view",
    "processes",
    "terminal",
    "server",
    "client",
    "bots",
    "league",
    "school",
    "services",
)


def sources() -> list[Path]:
    """Return what is searched for messages: our command line and packages, and click, which users read as well."""
    ours = [ROOT / "arbitre.py", *(ROOT / name for name in PACKAGES)]
    spec = importlib.util.find_spec("click")
    assert spec is not None
    assert spec.origin is not None
    return [*(path for path in ours if path.exists()), Path(spec.origin).parent]


def current() -> Catalog:
    """Return the catalogue as it stands in the file."""
    return catalogue.read(PO.read_text(encoding="utf-8") if PO.exists() else catalogue.HEADER)


def replace(path: Path, content: bytes) -> None:
    """Write a file in one step, and not at all when it would not change."""
    with suppress(FileNotFoundError):
        if path.read_bytes() == content:
            return
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.write_bytes(content)
    fresh.replace(path)


@click.command()
@click.option("--add", "additions", multiple=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(additions: tuple[Path, ...]) -> None:
    """Bring the French catalogue up to date; list what is still to be translated."""
    others = [catalogue.read(path.read_text(encoding="utf-8")) for path in additions]
    merged = catalogue.merge(current(), catalogue.extract(sources()), *others)
    replace(PO, catalogue.render(merged).encode())
    replace(MO, catalogue.compile_mo(merged))
    entries = catalogue.messages(merged)
    missing = [entry for entry in entries if not catalogue.is_translated(entry)]
    for entry in missing:
        click.echo(repr(entry.id))
    click.echo(f"{len(entries)} messages, {len(missing)} of them to translate in {PO.relative_to(ROOT)}", err=True)
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
