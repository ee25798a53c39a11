"""Functions as machine code, and the instructions that Python has no word for.

`compiled("int64(int64,uint64)")` makes machine code of a function for exactly these types when its module is imported,
for other compiled functions to call. `exported(...)` does the same for a function that Python calls, too; it releases
the lock of the interpreter. A signature is required: without one, a function that calls itself is compiled for the
types of its first call.

Numba compiles, unless the module is imported inside `reading`: then the code comes out of an object file
(`object_files`), numba is not imported, and only exported functions can be called.

Memory is passed as the address of an array (`address_of`), one number, and read and written with `load` and `store`:
numba would pass an array down a recursion as seven numbers and count its references. Nothing checks an index, and the
caller keeps the array alive.

Types: int64 with uint64 gives int64. Masks of boards with up to 62 bits are int64; `unsigned` and `signed` convert.
"""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from bots.search.object_files import Code

F = TypeVar("F", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]

_OPTIONS = {"nogil": True, "error_model": "numpy"}

_UNWRAPPED = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a function that only compiled ones call: its wrappers for Python and C take a fifth of compile time."""


class _Source:
    """Where machine code comes from while modules are imported: out of `code`, or from numba.

    exported: what numba has compiled since `recording` began: name -> function.
    """

    def __init__(self) -> None:
        self.code: Code | None = None
        self.exported: dict[str, Any] = {}


_source = _Source()


@contextmanager
def reading(code: Code) -> Generator[None]:
    """Take the functions of the modules that are imported meanwhile out of `code`."""
    _source.code = code
    try:
        yield
    finally:
        _source.code = None


def is_reading() -> bool:
    """Tell whether modules that are imported now take their code out of a file."""
    return _source.code is not None


@contextmanager
def recording() -> Generator[dict[str, tuple[str, str]]]:
    """Compile what is imported meanwhile; afterwards the dictionary has it for `object_files.write`."""
    made: dict[str, tuple[str, str]] = {}
    _source.exported.clear()
    yield made
    for name, function in _source.exported.items():
        ((signature, text),) = function.inspect_llvm().items()
        made[name] = text, function.overloads[signature].fndesc.llvm_cfunc_wrapper_name


def compiled(signature: str) -> Callable[[F], F]:
    """Compile a function for this signature ("result(parameters)"), for compiled functions to call: a call from Python
    ends the process.

    uint64 wraps; int64 must not overflow in a sum, difference or product (numba lets LLVM rely on that). A division by
    zero gives 0.
    """
    if is_reading():
        return lambda function: function
    decorate: Callable[[F], F] = _numba().njit(signature, **_OPTIONS, **_UNWRAPPED)
    return decorate


def exported(signature: str) -> Callable[[F], F]:
    """As `compiled`, for Python to call as well: arguments are converted to the types of the signature."""

    def decorate(function: F) -> F:
        name = f"{function.__module__}.{function.__name__}"
        made: Any
        if _source.code is not None:
            made = _source.code.function(name, signature)
        else:
            made = _source.exported[name] = _numba().njit(signature, **_OPTIONS)(function)
        typed: F = made
        return typed

    return decorate


@lru_cache(maxsize=1)
def _numba() -> Any:
    """Return numba, whose types describe neither its options nor what a signature makes of a function."""
    import numba

    return numba


def address_of(array: Array) -> int:
    """Where the elements of a contiguous array are, for `load` and `store`; valid while the array lives."""
    assert array.flags.c_contiguous
    return int(array.ctypes.data)


def allocate(words: int) -> Array:
    """An array of `words` zeros of 64 bits; memory that is never touched is never taken from the system."""
    return np.zeros(words, dtype=np.uint64)


if TYPE_CHECKING:

    def popcount(mask: int) -> int:
        """How many bits of an int64 or uint64 are set."""
        ...

    def trailing_zeros(mask: int) -> int:
        """The place of the lowest bit that is set; 64 for 0."""
        ...

    def leading_zeros(mask: int) -> int:
        """How many bits stand above the highest that is set; 64 for 0."""
        ...

    def swap_bytes(mask: int) -> int:
        """The eight bytes in the opposite order: a board of 8x8 upside down."""
        ...

    def unsigned(number: int) -> int:
        """The same 64 bits as uint64."""
        ...

    def signed(number: int) -> int:
        """The same 64 bits as int64."""
        ...

    def load(address: int, index: int) -> int:
        """The word (uint64) number `index` of the array at `address`."""
        ...

    def store(address: int, index: int, word: int) -> None:
        """Writes a word (uint64)."""
        ...

    def prefetch(address: int, index: int) -> None:
        """Asks for the word to be brought near, and does not wait for it."""
        ...

else:

    def __getattr__(name: str) -> Any:
        """Return an instruction; while code is read nobody compiles with it, and a word stands for it."""
        if name.startswith("_"):
            raise AttributeError(name)
        if is_reading():
            return name
        from bots.search import instructions

        return getattr(instructions, name)
