"""Whose keys the names in an open league belong to, as its host keeps it: for a server that has forgotten the league.

The server binds names (`server.bindings`); what it says of that is kept beside the personal codes, in a file that only
its owner can read. It holds hashes, no keys. What the log says of names that were given free is carried out once.

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
"""The hash of no key: a name that is bound to it is nobody's until it is given free."""


class KeysError(Exception):
    """The file with whom names belong to can't be read."""


class KeyBook:
    """What is kept of one league. folder: None keeps it for this run alone. tell: hears once if it can't be written.

    bound: by name. carried: how many of the names that were given free are so on the server, too. opened: names that
    were given free, and belong to nobody since.
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
        """Names belong to these from now on."""
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
        """So many names that were given free are so on the server."""
        if count != self.carried:
            self.carried = count
            self.save()

    def heirs(self, aliases: Mapping[str, str]) -> Sequence[BoundName]:
        """New names, as bots were given them by whoever runs the league, and whom each belongs to: as the old one did.

        Else anybody might come under the new name, which nobody has entered with. What had no key has none then.
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
        """Writes the file: where it is missing later, it was lost."""
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
