"""The filter of system calls, run by an interpreter of our own: what each architecture's numbers come to."""

from __future__ import annotations

import errno
import struct

import pytest

from processes.calls import refusing

ALLOWED = 0x7FFF0000
X86_64, I386, AARCH64, RISCV = 0xC000003E, 0x40000003, 0xC00000B7, 0xC00000F3
NEW_USER = 0x10000000
SHARED, PRIVATE, VALIDATED, ANONYMOUS = 1, 2, 3, 0x20


def run(program: bytes, architecture: int, number: int, *arguments: int) -> int:
    """What the filter returns, as the kernel runs it: the accumulator, and jumps forwards only."""
    padded = (*arguments, *(0,) * (6 - len(arguments)))
    data = struct.pack("=IIQ6Q", number, architecture, 0, *padded)
    steps = [struct.unpack_from("=HBBI", program, place) for place in range(0, len(program), 8)]
    place = held = 0
    while True:
        code, if_true, if_false, value = steps[place]
        place += 1
        if code == 0x20:
            (held,) = struct.unpack_from("=I", data, value)
        elif code == 0x05:
            place += value
        elif code == 0x06:
            return int(value)
        else:
            is_true = {0x15: held == value, 0x35: held >= value, 0x45: bool(held & value)}[code]
            place += if_true if is_true else if_false


def answer(machine: str, architecture: int, number: int, *arguments: int) -> int:
    """0 if the call is allowed, else the errno that it gets."""
    program = refusing(machine)
    assert program is not None
    returned = run(program, architecture, number, *arguments)
    return 0 if returned == ALLOWED else returned & 0xFFFF


@pytest.mark.parametrize(
    ("machine", "architecture", "number", "arguments", "error"),
    [
        ("x86_64", X86_64, 0, (), 0),  # read
        ("x86_64", X86_64, 319, (), errno.EPERM),  # memfd_create
        ("x86_64", X86_64, 29, (), errno.EPERM),  # shmget
        ("x86_64", X86_64, 101, (), errno.EPERM),  # ptrace
        ("x86_64", X86_64, 56, (0x11,), 0),  # clone, as fork
        ("x86_64", X86_64, 56, (0x3D0F00,), 0),  # clone, as a thread
        ("x86_64", X86_64, 56, (0x11 | NEW_USER,), errno.EPERM),
        ("x86_64", X86_64, 435, (), errno.ENOSYS),  # clone3
        ("x86_64", X86_64, 272, (0x400,), 0),  # unshare of open files
        ("x86_64", X86_64, 272, (NEW_USER,), errno.EPERM),
        ("x86_64", X86_64, 272, (0x80,), errno.EPERM),  # a namespace of time
        ("x86_64", X86_64, 9, (0, 1, 3, PRIVATE | ANONYMOUS), 0),
        ("x86_64", X86_64, 9, (0, 1, 3, SHARED), 0),
        ("x86_64", X86_64, 9, (0, 1, 3, SHARED | ANONYMOUS), errno.EPERM),
        ("x86_64", X86_64, 9, (0, 1, 3, VALIDATED | ANONYMOUS), errno.EPERM),
        ("x86_64", X86_64, 0x40000000 | 319, (), errno.ENOSYS),  # the same call as x32
        ("x86_64", I386, 3, (), 0),
        ("x86_64", I386, 356, (), errno.EPERM),
        ("x86_64", I386, 117, (), errno.ENOSYS),  # ipc
        ("x86_64", I386, 192, (0, 1, 3, SHARED | ANONYMOUS), errno.EPERM),
        ("x86_64", RISCV, 63, (), errno.ENOSYS),
        ("aarch64", AARCH64, 63, (), 0),
        ("aarch64", AARCH64, 279, (), errno.EPERM),
        ("aarch64", AARCH64, 222, (0, 1, 3, SHARED | ANONYMOUS), errno.EPERM),
        ("aarch64", AARCH64, 220, (0x11,), 0),
        ("aarch64", I386, 3, (), errno.ENOSYS),
    ],
)
def test_what_is_refused(machine: str, architecture: int, number: int, arguments: tuple[int, ...], error: int) -> None:
    assert answer(machine, architecture, number, *arguments) == error


def test_other_machines_have_no_filter() -> None:
    assert refusing("riscv64") is None
