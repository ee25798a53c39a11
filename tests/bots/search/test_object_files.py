"""Machine code in files: read without numba, and not read where it would end the process."""

import subprocess
import sys
from pathlib import Path

import pytest

from bots.search import compiled

needs_numba = pytest.mark.skipif(not compiled.is_available(), reason="numba is not installed")
pytestmark = needs_numba
object_files = pytest.importorskip("bots.search.object_files")

TRIPLE = """
declare void @numba_gil_ensure(ptr)
@PyExc_SystemError = external global i8
define i64 @symbol(i64 %number) {
  %fails = icmp eq i64 %number, 0
  br i1 %fails, label %failed, label %fine
failed:
  call void @numba_gil_ensure(ptr @PyExc_SystemError)
  ret i64 0
fine:
  %result = mul i64 %number, 3
  ret i64 %result
}
"""
"""What numba makes of a function that may fail."""

READS_ALL = """
import sys
from bots.search import compiled
print([compiled.load(name) is not None for name in compiled.COMPILED], "numba" in sys.modules)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    object_files.write(tmp_path / "triple.code", {"tests.triple": (TRIPLE, "symbol")})
    assert [path.name for path in tmp_path.iterdir()] == ["triple.code"]
    return tmp_path / "triple.code"


def test_a_function_is_called_by_its_name(file: Path) -> None:
    triple = object_files.read(file).function("tests.triple", "int64(int64)")
    assert triple(14) == 42
    assert triple(1 << 62) == 3 * (1 << 62) - (1 << 64)


def test_a_function_that_is_not_there_is_refused(file: Path) -> None:
    with pytest.raises(object_files.ObjectFileError):
        object_files.read(file).function("tests.double", "int64(int64)")


@pytest.mark.parametrize("place", [40, 400, -1])
def test_a_damaged_file_is_refused(file: Path, place: int) -> None:
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    file.write_bytes(content)
    with pytest.raises(object_files.ObjectFileError):
        object_files.read(file)


def test_a_file_for_another_processor_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(object_files, "_processor", lambda: "z80")
    with pytest.raises(object_files.ObjectFileError):
        object_files.read(file)


def test_what_was_compiled_is_read_without_numba() -> None:
    """Importing numba takes longer than everything else that a search begins with."""
    for name in compiled.COMPILED:
        compiled.load(name)
    done = subprocess.run([sys.executable, "-c", READS_ALL], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[True, True, True, True] False"


def test_a_file_that_cannot_be_read_is_compiled_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    compiled.cache_folder.cache_clear()
    monkeypatch.setattr(compiled, "COMPILED", {"chess": "bots.timing"})
    monkeypatch.setattr(compiled, "_loaded", {})
    try:
        assert compiled.load("chess") is not None
        (path,) = tmp_path.glob("*.code")
        good = path.read_bytes()
        path.write_bytes(good[:-1])
        monkeypatch.setattr(compiled, "_loaded", {})
        assert compiled.load("chess") is not None
        assert path.read_bytes() == good
    finally:
        compiled.cache_folder.cache_clear()
