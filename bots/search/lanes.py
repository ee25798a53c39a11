"""Machine instructions on vectors, for compiled functions.

`@instruction("int64(int64,int64)")` makes what a function emits callable from compiled functions: it gets LLVM's
builder and the arguments, and returns the result (None for void). LLVM makes AVX instructions of a vector where the
processor has them, and plain ones elsewhere.
"""

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from bots.search.machine import is_reading

WORD = ir.IntType(64)
SHORT = ir.IntType(16)
_NUMBER = ir.IntType(32)

Emit = Callable[..., Any]


def instruction(signature: str) -> Callable[[Emit], Callable[..., int]]:
    """What `emit(builder, *arguments)` emits, as a function of this signature for compiled functions to call."""
    if is_reading():
        return lambda emit: emit
    from numba.core import sigutils
    from numba.extending import intrinsic

    normalize: Any = sigutils.normalize_signature  # has no types
    parameters, result = normalize(signature)

    def decorate(emit: Emit) -> Callable[..., int]:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            value = emit(builder, *arguments)
            return context.get_dummy_value() if value is None else value

        answer = result(*parameters), generate
        typings: dict[int, Callable[..., Any]] = {  # numba asks how many arguments there are, and takes no *arguments
            1: lambda _context, _a: answer,
            2: lambda _context, _a, _b: answer,
            3: lambda _context, _a, _b, _c: answer,
            4: lambda _context, _a, _b, _c, _d: answer,
        }
        made: Callable[..., int] = intrinsic(typings[len(parameters)])
        return made

    return decorate


def vector(kind: Any, numbers: Sequence[int]) -> Any:
    """The constant vector of the type `kind` with these numbers; those of 64 bits may be masks."""
    return ir.Constant(kind, [number - (number >> 63 << 64) for number in numbers])


def splat(builder: Any, kind: Any, number: Any) -> Any:
    """`number` in every lane of a vector of the type `kind`."""
    nothing = ir.Constant(kind, ir.Undefined)
    first = builder.insert_element(nothing, number, _NUMBER(0))
    return builder.shuffle_vector(first, nothing, ir.Constant(ir.VectorType(_NUMBER, kind.count), [0] * kind.count))


def call(builder: Any, name: str, result: Any, arguments: Sequence[Any]) -> Any:
    """A call of one of LLVM's own functions, as "llvm.ctlz.v4i64"."""
    from numba.core import cgutils

    insert: Any = cgutils.get_or_insert_function  # has no types
    kind = ir.FunctionType(result, [argument.type for argument in arguments])
    return builder.call(insert(builder.module, kind, name), arguments)


def row(builder: Any, name: str, kind: Any, rows: Callable[[], list[Any]], index: Any) -> Any:
    """Row `index` of a table of constant vectors, called `name`, in the module that is being compiled."""
    table: Any = builder.module.globals.get(name)
    if table is None:
        values = rows()
        whole = ir.ArrayType(kind, len(values))
        table = ir.GlobalVariable(builder.module, whole, name)
        table.linkage, table.global_constant, table.align = "internal", True, 32
        table.initializer = ir.Constant(whole, values)
    return builder.load(builder.gep(table, [WORD(0), index], inbounds=True), align=32)


def place(builder: Any, address: Any, kind: Any, index: Any) -> Any:
    """A pointer to the element `index` of an array of `kind` at `address`."""
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [index])
