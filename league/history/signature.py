"""Signs a league's log: anybody with the public key can check that the log is the one that was signed.

What is signed (Ed25519, RFC 8032) is the league's name, how many lines the log has, and the link of the last one,
which stands for all of them. So a log that was rewritten as a whole, links included, is not what was signed. Whoever
holds the key can sign anything: a signature says that the log is theirs, not that it is true.

Errors: SignatureError    a key or signature that can't be read, made or written; the message is a sentence for the user
"""

from __future__ import annotations

import base64
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from league.history.log import LogEntry, links
from locales import _
from locales.system import reason

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAME: Final = "league.sig"
"""The signature in a league's folder."""

PREFIX: Final = "ed25519:"
"""What a public key begins with; 43 characters of base64 (RFC 4648, for URLs, without padding) follow."""

_PUBLIC = re.compile(r"ed25519:[A-Za-z0-9_-]{43}")
_LONGEST_KEY = 10_000


class SignatureError(Exception):
    """A key or signature that is not valid, or that can't be read or written."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What stands in the file. league, lines, link: what was signed. key: the public key. signature: base64."""

    league: str
    lines: int
    link: str
    key: str
    signature: str

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        text = json.dumps([self.league, self.lines, self.link], ensure_ascii=True)
        return f"arbitre league signature 1\n{text}".encode()


class SigningKey:
    """The private key in a file, and `public`, what to publish of it."""

    def __init__(self, key: Ed25519PrivateKey) -> None:
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        self._key = key
        self.public = PREFIX + _written(key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw))

    def sign(self, entries: Sequence[LogEntry]) -> Signature:
        """The signature of a log as far as it is there; it has one line at least."""
        unsigned = Signature(_name(entries), len(entries), links(entries)[-1], self.public, "")
        text = _written(self._key.sign(unsigned.message))
        return Signature(unsigned.league, unsigned.lines, unsigned.link, unsigned.key, text)


def open_key(path: Path) -> SigningKey:
    """The key in the file; where there is no file a new key is made, for its owner's eyes only. Raises SignatureError.

    Nothing that stands there is ever written over.
    """
    _need_library()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        if not path.exists():
            return _make(path)
        key = load_pem_private_key(path.read_bytes()[:_LONGEST_KEY], None)
    except OSError as error:
        raise SignatureError(
            _("The key {path} can't be used: {reason}.").format(path=path, reason=reason(error))
        ) from error
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _no_key(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _no_key(path)
    return SigningKey(key)


def is_private(path: Path) -> bool:
    """Whether nobody but its owner can read the file, as far as the system tells."""
    return sys.platform == "win32" or path.stat().st_mode & 0o077 == 0


def read_public(text: str) -> str:
    """The public key that somebody gives: itself, or a file in which it stands. Raises SignatureError.

    It also raises if the library for signatures is not installed: the key would be of no use.
    """
    _need_library()
    said = text.strip()
    if not said.startswith(PREFIX):
        try:
            said = Path(text).read_bytes()[:_LONGEST_KEY].decode("utf-8", "replace").strip()
        except (OSError, ValueError) as error:
            raise SignatureError(_no_public(text)) from error
        if said.startswith("-----BEGIN") and "PRIVATE" in said:
            raise SignatureError(
                _("{path} holds the private key. To check a league the public one is enough: {key}").format(
                    path=text, key=open_key(Path(text)).public
                )
            )
    if _PUBLIC.fullmatch(said) is None:
        raise SignatureError(_no_public(text))
    return said


def save(signature: Signature, folder: Path) -> Path:
    """Writes the signature into a league's folder, in the place of an earlier one; raises SignatureError."""
    path = folder / NAME
    new = path.with_suffix(".new")
    try:
        new.write_text(json.dumps(asdict(signature), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
        new.replace(path)
    except OSError as error:
        raise SignatureError(_("{path} can't be written: {reason}.").format(path=path, reason=reason(error))) from error
    return path


def load(folder: Path) -> Signature | None:
    """The signature in a league's folder, None if there is none; raises SignatureError."""
    path = folder / NAME
    try:
        data: Any = json.loads(path.read_text(encoding="utf-8"))
        signature = Signature(**data)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SignatureError(_("{path} can't be read: {reason}.").format(path=path, reason=reason(error))) from error
    except (ValueError, TypeError, RecursionError) as error:
        raise SignatureError(_("{path} is no signature of a league.").format(path=path)) from error
    texts = (signature.league, signature.link, signature.key, signature.signature)
    if not all(isinstance(text, str) for text in texts) or type(signature.lines) is not int:
        raise SignatureError(_("{path} is no signature of a league.").format(path=path))
    return signature


def check(entries: Sequence[LogEntry], signature: Signature | None, public: str) -> list[str]:
    """What is wrong with a log's signature, in sentences, for a reader who trusts `public`. Raises SignatureError."""
    if signature is None:
        return [_("There is no signature ({name}) beside the log.").format(name=NAME)]
    if signature.key != public:
        text = _("The signature is by another key: {key}.")
        return [text.format(key=signature.key if _PUBLIC.fullmatch(signature.key) else "?")]
    if not _is_signed(signature):
        return [_("The signature is not what this key gives: it was changed, or is of something else.")]
    if signature.league != _name(entries):
        return [_("The signature is of another league: {name}.").format(name=signature.league)]
    if short := cut_off(entries, signature):
        return short
    if signature.lines < 1 or links(entries)[signature.lines - 1] != signature.link:
        return [_("The log is not the one that was signed: it was written anew.")]
    if signature.lines < len(entries):
        text = _("Only the first {signed} of {lines} lines are signed: nobody vouches for what follows.")
        return [text.format(signed=signature.lines, lines=len(entries))]
    return []


def cut_off(entries: Sequence[LogEntry], signature: Signature) -> list[str]:
    """The sentence for a log with fewer lines than its signature says; whose signature it is does not matter."""
    if signature.lines <= len(entries):
        return []
    text = _("The log was signed with {signed} lines and has {lines}: its end was cut off.")
    return [text.format(signed=signature.lines, lines=len(entries))]


def _is_signed(signature: Signature) -> bool:
    _need_library()
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    with suppress(InvalidSignature, ValueError):
        key = Ed25519PublicKey.from_public_bytes(_read(signature.key.removeprefix(PREFIX)))
        key.verify(_read(signature.signature), signature.message)
        return True
    return False


def _make(path: Path) -> SigningKey:
    """A new key in a new file; raises OSError."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

    key = Ed25519PrivateKey.generate()
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return SigningKey(key)


def _need_library() -> None:
    if find_spec("cryptography") is None:
        raise SignatureError(
            _("For signatures the package cryptography is needed: {command}.").format(
                command=f"{sys.executable} -m pip install cryptography"
            )
        )


def _no_key(path: Path) -> SignatureError:
    text = _("{path} is no key that 'league --sign' made. Name a file that is not there: then a key is made.")
    return SignatureError(text.format(path=path))


def _no_public(text: str) -> str:
    return _("{text!r} is no public key: that is {prefix} and 43 letters and digits, or a file with it.").format(
        text=text, prefix=PREFIX
    )


def _name(entries: Sequence[LogEntry]) -> str:
    league = entries[0].data.get("league") if entries else None
    return str(league.get("name")) if isinstance(league, dict) else ""


def _written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _read(text: str) -> bytes:
    """Raises ValueError."""
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
