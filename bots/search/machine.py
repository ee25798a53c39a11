"""Functions as machine code, and the instructions that Python has no word for; imports numba (see `compiled`).

`compiled("int64(int64,uint64)")` compiles a function for exactly these types when its module is imported, with the
lock of the interpreter let go, and keeps the machine code in the cache folder. A signature is required: without one, a
function that calls itself is compiled for the types of its first call; that works, and crashes when it comes out of the
cache.

Memory is passed as the address of an array (`address_of`), one number, and read and written with `load` and `store`:
numba would pass an array down a recursion as seven numbers and count its references. Nothing checks an index, and the
caller keeps the array alive.

Types: int64 with uint64 gives int64. Masks of boards with up to 62 bits are int64; `unsigned` and `signed` convert.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from bots.search.compiled import cache_folder

F = TypeVar("F", bound=Callable[..., Any])
Array = np.ndarray[Any, Any]

_numba: Any = numba  # its types describe neither its settings nor what a signature makes of a function
_folder = cache_folder()
if _folder is not None:
    _numba.config.CACHE_DIR = str(_folder)


def compiled(signature: str) -> Callable[[F], F]:
    """Compiles the function for this signature ("result(parameters)"), or loads it.

    Arguments that Python code gives are converted to its types. uint64 wraps; int64 must
    not overflow in a sum, difference or product (numba lets LLVM rely on that). A division by zero gives 0.
    """
    decorate: Callable[[F], F] = _numba.njit(signature, cache=_folder is not None, nogil=True, error_model="numpy")
    return decorate


def address_of(array: Array) -> int:
    """Where the elements of a contiguous array are, for `load` and `store`; valid while the array lives."""
    assert array.flags.c_contiguous
    return int(array.ctypes.data)


def allocate(words: int) -> Array:
    """An array of `words` zeros of 64 bits; memory that is never touched is never taken from the system."""
    return np.zeros(words, dtype=np.uint64)


# What follows gives numba the machine instruction for a call. The signatures that Python sees stand below.


def _popcount(_context: Any, mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.zext(builder.ctpop(arguments[0]), ir.IntType(64))

    return types.int64(mask), generate


def _trailing_zeros(_context: Any, mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(mask), generate


def _leading_zeros(_context: Any, mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(mask), generate


def _swap_bytes(_context: Any, mask: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.bswap(arguments[0])

    return mask(mask), generate


def _convert(to: Any) -> Callable[[Any, Any], Any]:
    def typing(_context: Any, _number: Any) -> Any:
        return to(types.int64), lambda _target, _builder, _signature, arguments: arguments[0]

    return typing


def _element(builder: Any, arguments: Any) -> Any:
    pointer = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
    return builder.gep(pointer, [arguments[1]])


def _load(_context: Any, _address: Any, _index: Any) -> Any:
    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.load(_element(builder, arguments))

    return types.uint64(types.int64, types.int64), generate


def _store(_context: Any, _address: Any, _index: Any, _word: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        builder.store(arguments[2], _element(builder, arguments))
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), generate


def _prefetch(_context: Any, _address: Any, _index: Any) -> Any:
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = _numba.core.cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        place = builder.bitcast(_element(builder, arguments), byte)
        to_read, keep, data = number(0), number(3), number(1)
        builder.call(function, [place, to_read, keep, data])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


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
    popcount = intrinsic(_popcount)
    trailing_zeros = intrinsic(_trailing_zeros)
    leading_zeros = intrinsic(_leading_zeros)
    swap_bytes = intrinsic(_swap_bytes)
    unsigned = intrinsic(_convert(types.uint64))
    signed = intrinsic(_convert(types.int64))
    load = intrinsic(_load)
    store = intrinsic(_store)
    prefetch = intrinsic(_prefetch)
