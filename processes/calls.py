"""The system calls that the sandbox refuses, as a seccomp filter: a small program of the kernel's packet filter (BPF).

A refused call takes memory that belongs to no process and to no file system of the sandbox, so that nobody can count
it; opens a namespace, which would give more such memory; or looks into other processes. Programs fall back to /tmp and
/dev/shm: glibc and all language runtimes that we know do.

Sources: seccomp(2), linux/seccomp.h, linux/bpf_common.h, linux/audit.h; the numbers of the calls are those of
arch/x86/entry/syscalls/syscall_64.tbl, syscall_32.tbl and include/uapi/asm-generic/unistd.h of Linux 6.
"""

import errno
import platform
import struct
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

_NAMESPACES: Final = 0x7E02_0080
"""CLONE_NEWTIME, NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; of `clone` the low byte is a signal."""
_SIGNAL: Final = 0xFF
_MAP_SHARED: Final = 0x01
_MAP_ANONYMOUS: Final = 0x20

_LOAD, _JUMP, _IF_EQUAL, _IF_AT_LEAST, _IF_SET, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_ALLOW: Final = 0x7FFF_0000
_REFUSE: Final = 0x0005_0000
_X32: Final = 0x4000_0000
"""From here on the numbers are those of the x32 interface to a 64-bit kernel, which nobody uses."""

_REFUSED: Final = (
    "memfd_create", "memfd_secret", "shmget", "msgget", "semget", "vmsplice", "io_uring_setup", "userfaultfd", "bpf",
    "perf_event_open", "add_key", "request_key", "keyctl", "ptrace", "process_vm_readv", "process_vm_writev",
)  # fmt: skip
"""Refused whatever the arguments, with EPERM."""


class _Architecture(NamedTuple):
    """audit: its AUDIT_ARCH. calls: the numbers, in the order of `_REFUSED`, then clone, unshare, mmap, clone3.

    unknown: calls that hide their arguments in memory, where a filter can't look; they fail as if they did not exist.
    """

    audit: int
    calls: tuple[int, ...]
    unknown: tuple[int, ...] = ()


_X86_64: Final = _Architecture(
    0xC000_003E,
    (319, 447, 29, 68, 64, 278, 425, 323, 321, 298, 248, 249, 250, 101, 310, 311, 56, 272, 9, 435),
)
_I386: Final = _Architecture(
    0x4000_0003,
    (356, 447, 395, 399, 393, 316, 425, 374, 357, 336, 286, 287, 288, 26, 347, 348, 120, 310, 192, 435),
    (90, 117),  # the first mmap, and ipc
)
_AARCH64: Final = _Architecture(
    0xC000_00B7,
    (279, 447, 194, 186, 190, 75, 425, 282, 280, 241, 217, 218, 219, 117, 270, 271, 220, 97, 222, 435),
)

_MACHINES: Final[Mapping[str, Sequence[_Architecture]]] = {
    "x86_64": (_X86_64, _I386),
    "aarch64": (_AARCH64,),
}
"""By the name that `platform.machine` gives: all that its kernel runs."""


def refusing(machine: str | None = None) -> bytes | None:
    """The filter for `machine` (by default this one), as `bwrap --seccomp` reads it; None if the calls are unknown."""
    architectures = _MACHINES.get(platform.machine() if machine is None else machine)
    if architectures is None:
        return None
    program = [_step(_LOAD, _ARCHITECTURE_AT)]
    for architecture in architectures:
        block = _block(architecture)
        program += [_step(_IF_EQUAL, architecture.audit, 1, 0), _step(_JUMP, len(block)), *block]
    return b"".join((*program, _step(_RETURN, _REFUSE | errno.ENOSYS)))


def _block(architecture: _Architecture) -> list[bytes]:
    """What is done with the calls of one architecture."""
    refused, (clone, unshare, mmap, clone3) = architecture.calls[:-4], architecture.calls[-4:]
    program = [_step(_LOAD, _NUMBER_AT)]
    if architecture is _X86_64:
        program += [_step(_IF_AT_LEAST, _X32, 0, 1), _step(_RETURN, _REFUSE | errno.ENOSYS)]
    for number in (*architecture.unknown, clone3):  # without clone3 the C libraries take clone, which shows its flags
        program += [_step(_IF_EQUAL, number, 0, 1), _step(_RETURN, _REFUSE | errno.ENOSYS)]
    for number in refused:
        program += [_step(_IF_EQUAL, number, 0, 1), _step(_RETURN, _REFUSE | errno.EPERM)]
    program += _with_flags(clone, 0, _NAMESPACES & ~_SIGNAL)
    program += _with_flags(unshare, 0, _NAMESPACES)
    program += _with_flags(mmap, 3, _MAP_ANONYMOUS, _MAP_SHARED)
    return [*program, _step(_RETURN, _ALLOW)]


def _with_flags(number: int, argument: int, *masks: int) -> list[bytes]:
    """Refuses the call `number` if that argument (from 0) has at least one bit of each mask."""
    tests = [_step(_IF_SET, mask, 0, len(masks) - place) for place, mask in enumerate(masks)]
    body = [
        _step(_LOAD, _ARGUMENTS_AT + 8 * argument),
        *tests,
        _step(_RETURN, _REFUSE | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return [_step(_IF_EQUAL, number, 0, len(body)), *body]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction, a `struct sock_filter`; the jumps count from the next."""
    return struct.pack("=HBBI", code, if_true, if_false, value)
