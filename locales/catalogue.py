"""A catalogue as a file: .po in a form that makes small diffs, and .mo, the same bytes always.

The header holds no dates and no names of tools, entries stand sorted and without line numbers: a .po changes only when
a message does. Needs babel, a development requirement; the program itself reads .mo with the standard library.
"""

import io
import re
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir, extract_from_file
from babel.messages.pofile import read_po, write_po

HEADER: Final = """\
# French messages of Arbitre. `python3 run.py messages` keeps this file in step with the sources.
msgid ""
msgstr ""
"Language: fr\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

"""

_MO_MAGIC: Final = 0x950412DE
_APOSTROPHE: Final = re.compile(r"(?<=[^\W\d_])'(?=[\w{«`])")
# What marks a message, and which arguments hold it; pgettext's first argument is the context.
_KEYWORDS: Final = {
    **dict.fromkeys(("_", "N_", "gettext", "Phrase", "RulesError")),
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}


def extract(sources: list[Path]) -> Catalog:
    """Return the messages that these files and folders mark, without translations."""
    found = Catalog()
    for source in sources:
        for text, comments, context in _extract(source):
            found.add(text, auto_comments=comments, context=context)
    return found


def _extract(source: Path) -> Iterator[tuple[str | tuple[str, ...], list[str], str | None]]:
    """Yield message, comments for translators, context."""
    if source.is_dir():
        method_map = [("**.py", "python")]
        for _, _, text, comments, context in extract_from_dir(
            source, method_map, keywords=_KEYWORDS, comment_tags=("TRANSLATORS:",)
        ):
            yield text, comments, context
    else:
        for _, text, comments, context in extract_from_file(
            "python", source, keywords=_KEYWORDS, comment_tags=["TRANSLATORS:"]
        ):
            yield text, comments, context


def read(text: str) -> Catalog:
    """Return the catalogue that stands in the text of a .po file."""
    return read_po(io.StringIO(text), locale="fr", abort_invalid=True)


def merge(old: Catalog, wanted: Catalog, *others: Catalog) -> Catalog:
    """Return `wanted` with the translations that `old` has, and then those of `others`; nothing is guessed.

    Apostrophes become typographic ones, whichever of them people type.
    """
    merged = Catalog(locale="fr")
    for entry in messages(wanted):
        translations = [_translation(catalogue, entry) for catalogue in (*reversed(others), old)]
        string = _typeset(next((found for found in translations if found), ""))
        merged.add(entry.id, string, auto_comments=entry.auto_comments, context=entry.context)
    return merged


def _translation(catalogue: Catalog, entry: Message) -> str | tuple[str, ...]:
    """Return what `catalogue` says for this message, or "" when that is nothing, or not certain."""
    known = catalogue.get(_key(entry), entry.context)
    if known is None or known.fuzzy or known.id != entry.id or not is_translated(known):
        return ""
    return known.string if isinstance(known.string, str) else strings(known)


def _typeset(string: str | tuple[str, ...]) -> str | tuple[str, ...]:
    if isinstance(string, tuple):
        return tuple(_APOSTROPHE.sub("’", form) for form in string)
    return _APOSTROPHE.sub("’", string)


def messages(catalogue: Catalog) -> list[Message]:
    """Return the messages without the header, in the order of the file."""
    return sorted((entry for entry in catalogue if entry.id), key=lambda entry: (_key(entry), entry.context or ""))


def is_translated(entry: Message) -> bool:
    """Tell whether every form of the message has a translation."""
    return all(strings(entry))


def strings(entry: Message) -> tuple[str, ...]:
    """Return the translations of a message: one, or one for each plural form."""
    if isinstance(entry.string, str):
        return (entry.string,)
    return tuple(entry.string or ("",))


def render(catalogue: Catalog) -> str:
    """Return the text of the .po file."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=120, no_location=True, omit_header=True, sort_output=True, ignore_obsolete=True)
    return HEADER + stream.getvalue().decode()


def compile_mo(catalogue: Catalog) -> bytes:
    """Return the .mo file, without a hash table (GNU gettext's manual, "The Format of GNU MO Files")."""
    pairs = {b"": "\n".join(line[1:-3] for line in HEADER.splitlines() if line.endswith('\\n"')).encode() + b"\n"}
    for entry in messages(catalogue):
        if is_translated(entry) and not entry.fuzzy:
            context = f"{entry.context}\4" if entry.context else ""
            pairs[(context + "\0".join(ids(entry))).encode()] = "\0".join(strings(entry)).encode()
    keys = sorted(pairs)
    start = 7 * 4 + 2 * 8 * len(keys)
    tables: list[int] = []
    data = b""
    for text in [*keys, *(pairs[key] for key in keys)]:
        tables += [len(text), start + len(data)]
        data += text + b"\0"
    head = [_MO_MAGIC, 0, len(keys), 7 * 4, 7 * 4 + 8 * len(keys), 0, 0]
    return struct.pack(f"<{7 + len(tables)}I", *head, *tables) + data


def ids(entry: Message) -> tuple[str, ...]:
    """Return the message as the sources have it: one text, or singular and plural."""
    return (entry.id,) if isinstance(entry.id, str) else tuple(entry.id)


def _key(entry: Message) -> str:
    """Return what a catalogue is indexed by: the message, or its singular."""
    return ids(entry)[0]
