"""What numba emits for the instructions of `machine`; imports numba, when something is compiled."""

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

_cgutils: Any = cgutils  # has no types


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
        function = _cgutils.get_or_insert_function(builder.module, function_type, "llvm.prefetch.p0")
        place = builder.bitcast(_element(builder, arguments), byte)
        to_read, keep, data = number(0), number(3), number(1)
        builder.call(function, [place, to_read, keep, data])
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


popcount = intrinsic(_popcount)
trailing_zeros = intrinsic(_trailing_zeros)
leading_zeros = intrinsic(_leading_zeros)
swap_bytes = intrinsic(_swap_bytes)
unsigned = intrinsic(_convert(types.uint64))
signed = intrinsic(_convert(types.int64))
load = intrinsic(_load)
store = intrinsic(_store)
prefetch = intrinsic(_prefetch)
