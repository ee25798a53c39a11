"""Which key each name in an open league belongs to: its host keeps this for a server that has forgotten the league.

The server binds names (`server.referee.bindings`); its bindings are kept beside the personal codes, in a file that only
its owner can read. It holds hashes, no keys. A ruling of the log that frees a name is carried out on the server once.

Errors: KeysError    the file can't be read; the message is a sentence for the user
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import ValidationError, convert, to_builtins

from locales import _
from locales.system import reason
from machine.files import replace_private
from protocol.messages import BoundName

NAME: Final = "keys.json"
"""The file in a league's folder."""

NO_KEY: Final = "0" * 64
"""The hash of no key: a name that is bound to it belongs to nobody until it is freed."""


class KeysError(Exception):
    """The file with whom names belong to can't be read."""


class KeyBook:
    """The bindings of one league. folder: None keeps them for this run only. tell: is told once if writing fails.

    bound: the bindings, by name. carried: how many of the rulings that free names were carried out on the server.
    opened: names that were freed and have belonged to nobody since.
    """

    def __init__(self, folder: Path | None, tell: Callable[[str], None], carried: int = 0) -> None:
        """Reads what is there; raises KeysError. carried: what counts if the file is not there."""
        self.bound: dict[str, BoundName] = {}
        self.carried = carried
        self.opened: set[str] = set()
        self._path = None if folder is None else folder / NAME
        self._tell = tell
        self._is_told = False
        if self._path is not None:
            self._load(self._path)

    def keep(self, *bound: BoundName) -> None:
        """Keeps these bindings of names."""
        if any(self.bound.get(one.name) != one for one in bound):
            self.bound |= {one.name: one for one in bound}
            self.opened -= {one.name for one in bound}
            self.save()

    def drop(self, names: Iterable[str]) -> None:
        """Names belong to nobody any more."""
        for name in names:
            self.bound.pop(name, None)
            self.opened.add(name)
        self.save()

    def carry(self, count: int) -> None:
        """Notes that the first `count` rulings that free names were carried out on the server."""
        if count != self.carried:
            self.carried = count
            self.save()

    def heirs(self, aliases: Mapping[str, str]) -> Sequence[BoundName]:
        """Bindings for the names that the organiser gave to bots: a new name belongs to the owner of the old one.

        Else anybody could enter under the new name, which nobody has used yet. If the old name had no key, the new one
        has none either.
        """
        found: dict[str, BoundName] = {}
        for old, new in aliases.items():
            if new not in self.bound and new not in self.opened:
                bound = self.bound.get(old)
                if bound is not None:
                    found[new] = BoundName(new, bound.code, bound.hash)
                else:
                    found.setdefault(new, BoundName(new, "NOBODY", NO_KEY))
        return list(found.values())

    def _load(self, path: Path) -> None:
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            self.bound = {one.name: one for one in convert(found["bound"], tuple[BoundName, ...])}
            self.carried, self.opened = int(found["carried"]), set(map(str, found["opened"]))
        except FileNotFoundError:
            return
        except (OSError, ValueError, TypeError, KeyError, RecursionError, ValidationError) as error:
            why = reason(error) if isinstance(error, OSError) else _("it is not as it was written")
            text = _("{path}, which says whom the names in this league belong to, can't be used: {reason}.")
            raise KeysError(text.format(path=path, reason=why)) from error

    def save(self) -> None:
        """Writes the file. Each opening of the league does, so if it is missing later, it was lost."""
        if self._path is None:
            return
        kept = {
            "carried": self.carried,
            "bound": [to_builtins(one) for one in self.bound.values()],
            "opened": sorted(self.opened),
        }
        try:
            replace_private(self._path, json.dumps(kept, ensure_ascii=False, indent=1))
        except OSError as error:
            if not self._is_told:
                self._is_told = True
                text = _("{path} can't be written ({reason}): a server that forgets this league lets others in.")
                self._tell(text.format(path=self._path, reason=reason(error)))
