"""What a person reads, in their language: English in the sources, French in the catalogue.

    from locales import _, ngettext, pgettext

    click.echo(_("{name} wins.").format(name=name))

Messages are looked up when they are called for, never earlier: texts that a module holds in a table are marked with
N_() there and go through _() where they are shown. Placeholders are str.format's, filled after the lookup: no f-strings
in _(). This package stands below all others of Arbitre and imports none of them.
Errors: ValueError for a language that has no catalogue.
"""

import gettext as _gettext
import locale
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol, runtime_checkable

__all__ = [
    "FOLDER",
    "LANGUAGES",
    "N_",
    "_",
    "decimal",
    "language",
    "language_of",
    "ngettext",
    "pgettext",
    "phrase",
    "say",
    "say_of",
    "set_language",
]

LANGUAGES: Final = ("en", "fr")
"""What Arbitre speaks; the first is the language of the sources."""

FOLDER: Final = Path(__file__).parent
"""Where the catalogues stand: <language>/LC_MESSAGES/arbitre.po, and the .mo compiled from it."""

_DOMAIN: Final = "arbitre"
# The variables that say which language a user reads, most deciding first: ours, then those of POSIX and GNU gettext.
_VARIABLES: Final = ("ARBITRE_LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")


class _Current:
    """The one language of this process, and its catalogue."""

    language = LANGUAGES[0]
    catalogue = _gettext.NullTranslations()


def set_language(language: str) -> None:
    """Speak `language` from here on, in this process and in those that it starts.

    The standard library's gettext functions follow, for click translates its own messages by them.
    """
    if language not in LANGUAGES:
        msg = f"no catalogue for {language!r}"
        raise ValueError(msg)
    _Current.language = language
    _Current.catalogue = _gettext.translation(_DOMAIN, FOLDER, [language], fallback=language == LANGUAGES[0])
    _gettext.bindtextdomain(_DOMAIN, str(FOLDER))
    _gettext.textdomain(_DOMAIN)
    os.environ["LANGUAGE"] = os.environ["ARBITRE_LANG"] = language


def language() -> str:
    """Return the language that is spoken: one of LANGUAGES."""
    return _Current.language


def language_of(environ: Mapping[str, str]) -> str:
    """Return the language that these environment variables ask for; without any, the one of the system's locale."""
    asked = next((environ[name] for name in _VARIABLES if environ.get(name)), None)
    if asked is None:
        asked = locale.getlocale()[0] or ""
    return next((known for known in LANGUAGES if asked.lower().startswith(known)), LANGUAGES[0])


def _(message: str) -> str:
    """Return `message` in the current language."""
    return _Current.catalogue.gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the form that goes with `count`; {count} in it is for the caller to fill."""
    return _Current.catalogue.ngettext(singular, plural, count)


def decimal(value: float, places: int) -> str:
    """Return a number as readers of the current language write it: 9.8 or 9,8."""
    written = f"{value:.{places}f}"
    return written.replace(".", ",") if _Current.language == "fr" else written


def pgettext(context: str, message: str) -> str:
    """Return `message` as it is said in `context`, for a word that has several translations."""
    return _Current.catalogue.pgettext(context, message)


@runtime_checkable
class Phrase(Protocol):
    """A message with what its placeholders stand for, perhaps phrases in turn; `games` makes them."""

    template: str
    french: str | None
    values: dict[str, object]


def phrase(words: Phrase) -> str:
    """Return a phrase in the current language."""
    values = {name: phrase(value) if isinstance(value, Phrase) else value for name, value in words.values.items()}
    template = words.french if words.french is not None and _Current.language == "fr" else _(words.template)
    return template.format(**values) if values else template


class InBoth(Protocol):
    """A text that somebody brings along in both languages; games do."""

    @property
    def english(self) -> str:
        """The text in English."""
        ...

    @property
    def french(self) -> str:
        """The text in French."""
        ...


def say(words: InBoth) -> str:
    """Return a text that is there in both languages in the current one; what placeholders it has are not filled."""
    return words.french if _Current.language == "fr" else words.english


def say_of(one: InBoth, many: InBoth, count: int) -> str:
    """Return the one of two texts that goes with `count`, in the current language: "disc" or "discs"."""
    return say(one if count == 1 or (count == 0 and _Current.language == "fr") else many)


def N_(message: str) -> str:  # noqa: N802  (the name that gettext tools know)
    """Mark `message` for the catalogue and return it as it is, to be given to _() later."""
    return message
