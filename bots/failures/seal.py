"""Seals: which capsules this account has written. A capsule names the program that `bot replay` runs.

The key lies beside the capsules in the account's state folder. Without a folder that can be written there is no seal,
and the account is asked about its own capsules, too.
"""

import hashlib
import hmac
import secrets
from contextlib import suppress

import msgspec

from bots.failures.capsule import Capsule
from machine import folders
from machine.files import replace_private

_NAME = "capsules.key"
_KEY_BYTES = 32


def sealed(capsule: Capsule) -> Capsule:
    """The capsule with the seal of this account, whose key is made when it is first needed."""
    key = _key() or _new_key()
    return capsule if key is None else msgspec.structs.replace(capsule, seal=_seal(capsule, key))


def is_own(capsule: Capsule) -> bool:
    """Whether this account has written the capsule, and nobody has changed it since."""
    key = _key()
    return key is not None and hmac.compare_digest(capsule.seal.encode(), _seal(capsule, key).encode())


def _seal(capsule: Capsule, key: bytes) -> str:
    text = msgspec.json.encode(msgspec.structs.replace(capsule, seal=""))
    return hmac.new(key, text, hashlib.sha256).hexdigest()


def _key() -> bytes | None:
    with suppress(OSError, ValueError):
        key = bytes.fromhex((folders.state() / _NAME).read_text(encoding="ascii"))
        return key if len(key) == _KEY_BYTES else None
    return None


def _new_key() -> bytes | None:
    key = secrets.token_bytes(_KEY_BYTES)
    with suppress(OSError):
        folders.state().mkdir(parents=True, exist_ok=True, mode=0o700)
        replace_private(folders.state() / _NAME, key.hex())
        return _key()  # two processes may have made one at once: the one that stays counts
    return None
