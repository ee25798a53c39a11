"""Machine code in object files: one process compiles and writes them, every later one reads them and needs no numba.

To import numba takes half a second of processor time, and to load what it keeps in its own cache as much again. `write`
takes the modules that numba gives to LLVM and translates them once and for all; `read` brings the code into memory with
LLVM alone, in milliseconds.

The first line of a file is a JSON object: the file's name, the processor that the code is for, and a hash of the code.
A damaged file, one for another processor and one with the code of another file are refused, since LLVM and the code
itself would end the process.

Errors: ObjectFileError    a file has no code that this process can run
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from llvmlite import binding

_TYPES: Mapping[str, Any] = {
    "int64": ctypes.c_int64,
    "uint64": ctypes.c_uint64,
    "boolean": ctypes.c_bool,
    "void": None,
}
"""Type in a signature -> its type in ctypes."""

_CALLED = re.compile(r"^declare (.*@(?:numba_|NRT_|_?Py)\w+\(.*)$", re.MULTILINE)
_NAMED = re.compile(r"^(@(?:numba_|NRT_|_?Py)\w+ = )external (\w+ [\w*]+)", re.MULTILINE)
"""Functions and variables of numba and Python, which numba's code uses where a function raises an exception. None of
ours does, so a file has its own instead: functions that end the process, and zeros.
"""

_LONGEST = 16 << 20
"""Bytes of a file that is looked at; the longest of ours has 90,000."""

_TRAP = "declare void @llvm.trap()\n"
_ENDS = " {\n  call void @llvm.trap()\n  unreachable\n}"


class ObjectFileError(Exception):
    """A file has no code that this process can run."""


class Code:
    """The code of a file, in memory until this object and all its functions are gone."""

    def __init__(self, image: bytes) -> None:
        self._engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _translator())
        self._engine.add_object_file(binding.ObjectFileRef.from_data(image))
        self._engine.finalize_object()

    def function(self, name: str, signature: str) -> Callable[..., Any]:
        """Return a function that can be called; it releases the interpreter's lock while it runs.

        signature: "result(parameters)", as it was compiled for. Integers wrap to these types.
        """
        address = self._engine.get_function_address(name)
        if not address:
            raise ObjectFileError(name)
        result, parameters = signature.rstrip(")").split("(")
        kinds = [_TYPES[kind] for kind in parameters.split(",") if kind]
        made: Any = ctypes.CFUNCTYPE(_TYPES[result], *kinds)(address)
        made.code = self  # so the code is there as long as the function
        return made  # type: ignore[no-any-return]


def write(path: Path, functions: Mapping[str, tuple[str, str]]) -> None:
    """Write a file in one step; raise OSError.

    functions: the name of a function for Python -> a module in LLVM's language, and what it is called there.
    """
    whole = binding.parse_assembly("")
    for name, (text, symbol) in functions.items():
        part = binding.parse_assembly(text)
        part.get_function(symbol).name = name
        whole.link_in(part)
    image = _translator().emit_object(binding.parse_assembly(_alone(str(whole))))
    passing = path.with_name(f"{path.name}.{os.getpid()}")
    passing.write_bytes(_head(path, image) + b"\n" + image)
    passing.replace(path)


def read(path: Path) -> Code:
    """Return the code of a file; raise ObjectFileError, OSError."""
    return Code(_image(path))


def is_whole(path: Path) -> bool:
    """Tell whether `read` takes this file."""
    try:
        _image(path)
    except (OSError, ObjectFileError):
        return False
    return True


def _image(path: Path) -> bytes:
    """Return what stands below the first line, which it has to fit; raise ObjectFileError, OSError."""
    if not path.is_file() or path.stat().st_size > _LONGEST:
        raise ObjectFileError(path)
    head, _, image = path.read_bytes().partition(b"\n")
    if head != _head(path, image):
        raise ObjectFileError(path)
    return image


def _alone(text: str) -> str:
    """Return a module that uses nothing of numba and Python."""
    text = _NAMED.sub(r"\1\2 zeroinitializer", text)
    text = _CALLED.sub(rf"define \1{_ENDS}", text)
    return text if _TRAP in text else text + _TRAP


def _head(path: Path, image: bytes) -> bytes:
    """Return the first line of a file with this code, for this machine."""
    facts = {"name": path.name, "processor": _processor(), "hash": hashlib.sha256(image).hexdigest()}
    return json.dumps(facts).encode()


def _processor() -> str:
    """Return the processor of this machine, and which instructions it has."""
    return f"{binding.get_default_triple()} {binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def _translator() -> Any:
    """Return LLVM's target machine for this processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features().flatten()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(cpu=binding.get_host_cpu_name(), features=features, opt=3, jit=True)
