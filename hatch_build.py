"""Builds what is installed: one package `arbitre`, made of the folders that stand side by side in the repository.

A copy of each folder goes below `arbitre/`, and in the copies each import of a module of ours gets its full name, as
vendoring tools do it: `from games.base import Game` becomes `from arbitre.games.base import Game`, `import games`
becomes `from arbitre import games`. Lines keep their numbers. arbitre.py becomes `__main__.py`. Texts that name modules
are not touched: `machine.modules` knows what they mean. What the rewriting does not know, it refuses: a build fails
rather than that an import of a bare `games` is installed (tests/wheel/test_build.py).

With `ARBITRE_WHEEL=compiled` the wheel has the compiled core besides (`machine.core`) and is for one platform.

Errors: RewriteError (a ValueError)    an import in a form that is not rewritten
"""

import ast
import os
import shutil
import sys
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NAME = "arbitre"

MODULES = ("damage", "run", "saying")
"""Modules of a checkout alone: what arbitre.py imports of them where it finds run.py beside it."""

PACKAGE = '''"""Arbitre, as it is installed; the folders of its repository are the packages below this one."""


def main() -> int:
    """Run the process's command line; return the exit code."""
    from arbitre.__main__ import main as run

    return run()
'''
"""The text of arbitre/__init__.py: small, since each process imports it."""


CHECKED_WITH = ("page/types", "page/tsconfig.json", "page/eslint.config.mjs")
"""What linters read of the page; nobody who installs it needs it."""

VARIABLE = "ARBITRE_WHEEL"
"""The environment variable that asks for a `compiled` wheel."""

PINS = ("base.txt", "compile.txt")
"""What compiling needs: the compilers, and the libraries whose types our modules use."""


class RewriteError(ValueError):
    """An import in a form that is not rewritten; the message says where, and how to write it."""


def rewrite(text: str, ours: Collection[str], where: str) -> str:
    """A module's text with the full names of the modules `ours` in its imports; raises RewriteError."""
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text, where)):
        if isinstance(node, ast.Import):
            found = [alias.name for alias in node.names if _top(alias.name) in ours]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            found = [name for name in (node.module or "",) if _top(name) in ours]
        else:
            continue
        if found:
            line = lines[node.lineno - 1].encode()
            before, statement = line[: node.col_offset].decode(), line[node.col_offset :].decode()
            lines[node.lineno - 1] = before + _full(statement, node, f"{where}:{node.lineno}")
    return "".join(lines)


def _full(statement: str, node: ast.Import | ast.ImportFrom, where: str) -> str:
    """The first line of an import of ours, rewritten."""
    if isinstance(node, ast.ImportFrom):
        old, new = f"from {node.module} ", f"from {NAME}.{node.module} "
    elif len(node.names) > 1:
        raise RewriteError(f"{where}: import one module of ours a line")
    else:
        package, _, module = node.names[0].name.rpartition(".")
        if package and node.names[0].asname is None:
            raise RewriteError(f"{where}: write `from {package} import {module}`")
        old, new = f"import {node.names[0].name}", f"from {NAME}{package and '.'}{package} import {module}"
    if not statement.startswith(old):
        raise RewriteError(f"{where}: write it with single spaces, on one line")
    return new + statement[len(old) :]


def _top(name: str) -> str:
    return name.partition(".")[0]


def assemble(root: Path, folders: Collection[str], package: Path) -> None:
    """Makes the package `arbitre` of the repository at `root`, in a folder that is not there yet."""
    ours = {*folders, *MODULES}
    files: Mapping[Path, Path] = {
        **{path: path.relative_to(root) for folder in folders for path in sorted((root / folder).rglob("*"))},
        root / f"{NAME}.py": Path("__main__.py"),
    }
    for path, place in files.items():
        if not path.is_file() or "__pycache__" in place.parts or place.name.startswith("."):
            continue
        if place.as_posix().startswith(CHECKED_WITH):
            continue
        target = package / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".py":
            text = rewrite(path.read_text(encoding="utf-8"), ours, place.as_posix())
            target.write_text(text, encoding="utf-8", newline="\n")
        else:
            shutil.copyfile(path, target)
    (package / "__init__.py").write_text(PACKAGE, encoding="utf-8", newline="\n")


def is_compiled() -> bool:
    """Tell whether a compiled wheel is asked for."""
    return os.environ.get(VARIABLE) == "compiled"


def _compile(root: Path, package: Path) -> None:
    """Puts the compiled core beside the assembled package."""
    sys.path.insert(0, str(root))
    try:
        from tools import compiling
    finally:
        sys.path.remove(str(root))
    compiling.build(package, package.parent, package / "compiled", relative=True)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]  # of its own settings
    """What hatchling calls for a wheel; the option `folders` names what goes into it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Adds the package to what is built; an editable installation finds the repository as it is."""
        if version == "editable":
            return
        self._made = tempfile.TemporaryDirectory(prefix="arbitre-wheel-")
        package = Path(self._made.name) / NAME
        assemble(Path(self.root), self.config["folders"], package)
        if is_compiled():
            _compile(Path(self.root), package)
            build_data.update(pure_python=False, infer_tag=True)
        build_data["force_include"][str(package)] = NAME

    def dependencies(self) -> list[str]:
        """What a build needs beside hatchling: nothing, unless it compiles."""
        if not is_compiled():
            return []
        texts = [(Path(self.root) / "requirements" / name).read_text(encoding="utf-8") for name in PINS]
        lines = [line.removesuffix("\\").strip() for text in texts for line in text.splitlines()]
        return [line for line in lines if "==" in line and not line.startswith(("#", "--"))]

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Removes the assembled package."""
        del build_data, artifact_path
        if version != "editable":
            self._made.cleanup()
