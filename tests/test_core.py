"""machine.core and tools.compiling: what is compiled runs where its sources are unchanged, and nowhere else."""

import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from machine import core, modules
from machine.core import Finder, Manifest, State
from tests.cores import plain_core
from tools import compiling

SUFFIX = EXTENSION_SUFFIXES[0]

RULES = """
class Rules:
    def double(self, number: int) -> int:
        return self.again(number) + number

    def again(self, number: int) -> int:
        if number < 0:
            raise ValueError("below zero")
        return number
"""

PROGRAM = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from machine import core
finder = core.Finder(Path({package!r}), Path({into!r}), core.read_manifest(Path({into!r})))
sys.meta_path.insert(0, finder)
sys.path.insert(0, {base!r})
from small import rules
print(finder.state.value, Path(rules.__file__).suffix, rules.Rules().double(21))
try:
    rules.Rules().double(-1)
except ValueError as error:
    import traceback
    print("".join(traceback.format_exception(error)))
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with a package that has one module."""
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "__init__.py").touch()
    (tmp_path / "small" / "rules.py").write_text(RULES, encoding="utf-8")
    return tmp_path


def manifest_of(package: Path, suffix: str = SUFFIX) -> Manifest:
    return Manifest(suffix, "build", {"small.rules": core.source_of(package / "small" / "rules.py")})


def finder_of(package: Path, suffix: str = SUFFIX) -> Finder:
    return Finder(package, package / "compiled", manifest_of(package, suffix))


def test_a_manifest_is_read_as_it_was_written(package: Path) -> None:
    assert core.read_manifest(package) is None
    manifest = manifest_of(package)
    (package / core.MANIFEST).write_text(manifest.text(), encoding="utf-8")
    assert core.read_manifest(package) == manifest
    (package / core.MANIFEST).write_text("what is this\n", encoding="utf-8")
    with pytest.raises(ValueError, match="unpack"):
        core.read_manifest(package)


def test_a_source_is_known_by_its_content(package: Path) -> None:
    path = package / "small" / "rules.py"
    source = core.source_of(path)
    assert core.is_unchanged(path, source)
    os.utime(path, ns=(0, 0))
    assert core.is_unchanged(path, source)  # as in another checkout, or once a change was taken back
    path.write_text(RULES.replace("+ number", "- number"), encoding="utf-8")
    assert not core.is_unchanged(path, source)  # of the same size
    path.unlink()
    assert not core.is_unchanged(path, source)


def test_other_packages_of_that_name_are_not_ours(package: Path) -> None:
    finder = finder_of(package)
    assert finder.find_spec("small.rules", ["/somewhere/small"]) is None
    assert finder.find_spec("small.others", [str(package / "small")]) is None
    assert finder.state is None  # nothing was decided by that


def test_extensions_of_another_python_are_not_imported(package: Path) -> None:
    finder = finder_of(package, ".cpython-27.so")
    assert finder.find_spec("small.rules", [str(package / "small")]) is None
    assert finder.state is State.OUTDATED


@plain_core  # a compiled core is loaded under the name that these extensions would have
def test_extensions_that_cannot_be_loaded_are_left(package: Path) -> None:
    finder = finder_of(package)
    assert finder.find_spec("small.rules", [str(package / "small")]) is None
    assert finder.state is State.OUTDATED


def test_the_core_may_be_asked_to_be_plain(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = list(sys.meta_path)
    (package / core.MANIFEST).write_text(manifest_of(package).text(), encoding="utf-8")
    monkeypatch.setattr(core, "folder", lambda: package)
    monkeypatch.setattr(sys, "meta_path", [item for item in before if not isinstance(item, Finder)])
    monkeypatch.setenv(core.VARIABLE, "plain")
    core.use()
    assert core.state() is State.PLAIN
    monkeypatch.delenv(core.VARIABLE)
    core.use()
    core.use()
    assert [isinstance(item, Finder) for item in sys.meta_path].count(True) == 1
    assert core.state() is State.OUTDATED


def test_what_is_imported_already_stays(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = Manifest(SUFFIX, "build", {"machine.core": core.source_of(Path(core.__file__))})
    (package / core.MANIFEST).write_text(manifest.text(), encoding="utf-8")
    monkeypatch.setattr(core, "folder", lambda: package)
    monkeypatch.setattr(sys, "meta_path", [item for item in sys.meta_path if not isinstance(item, Finder)])
    monkeypatch.delenv(core.VARIABLE, raising=False)
    core.use()
    assert core.state() is State.PLAIN


def test_every_module_of_the_core_exists() -> None:
    assert list(compiling.CORE) == sorted(set(compiling.CORE))
    for name in compiling.CORE:
        assert core.path_of(modules.FOLDER, name).exists(), name


@pytest.mark.skipif(
    shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) is None, reason="there is no C compiler"
)
@pytest.mark.slow
def test_compiled_until_the_source_changes(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "CORE", ("small.rules",))
    into, path = package / "compiled", package / "small" / "rules.py"
    compiling.build(package, package, into, relative=False)
    program = PROGRAM.format(root=str(modules.FOLDER), package=str(package), base=str(package), into=str(into))

    def run() -> str:
        command = [sys.executable, "-P", "-c", program]
        return subprocess.run(command, check=True, capture_output=True, encoding="utf-8", timeout=60).stdout

    first = run()
    assert first.startswith(f"compiled {Path('x' + SUFFIX).suffix} 42\n")
    assert f'File "{path}", line 4, in double' in first  # a traceback tells what a plain one tells
    assert "return self.again(number) + number" in first
    assert f'File "{path}", line 8, in again' in first
    path.write_text(RULES.replace("+ number", "+ 2 * number"), encoding="utf-8")
    assert run().startswith("outdated .py 63\n")
    path.write_text("class Rules:\n    def double(self) -> int:\n        return 'text'\n", encoding="utf-8")
    with pytest.raises(compiling.CompileError, match="Incompatible return value type"):
        compiling.build(package, package, into, relative=False)
    assert run_state(into, package) is State.OUTDATED


def run_state(into: Path, package: Path) -> State:
    manifest = core.read_manifest(into)
    assert manifest is not None
    return Finder(package, into, manifest).decide()
