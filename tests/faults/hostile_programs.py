"""What a hostile program may do in the sandbox: a table of programs, and what is to become of their games.

Another one takes two lines: its code, and a row. Each plays a whole match, with 128 MiB of memory and no clock. `MARK`
is in the command line of all that it starts and in the name of all that it leaves.
"""

from __future__ import annotations

import os
from typing import NamedTuple

MARK = f"hostile-{os.getpid()}-leaves-nothing"
MEMORY = "128M"
SHORT_S, LONG_S = 2, 30

OVER_MEMORY = "was stopped: it used more than 128 MiB of memory"
NO_ROOM = "No space left on device"
REFUSED = "Operation not permitted"
SILENT = "did not answer within 2 s"


class Program(NamedTuple):
    """A behaviour: the reason that its games end with, and words that its user reads.

    patience_s: how long it may think. memory: what it may use.
    """

    code: str
    reason: str
    words: str
    patience_s: int = LONG_S
    memory: str = MEMORY


START = f"""
import ctypes, mmap, os, signal, socket, sys, threading, time
MARK = {MARK!r}
C = ctypes.CDLL(None, use_errno=True)
def play(): print(sys.stdin.readline().split()[-1], flush=True)
def called(value):
    if value == -1: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return value
"""
"""What each program begins with: `play` plays one move as it should, `called` raises what a call of C refuses."""

CODE = {
    "exits_at_once": "os._exit(0)",
    "exits_later": "play(); os._exit(5)",
    "never_answers": "time.sleep(600)",
    "ignores_signals": """
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except OSError: pass
while True: time.sleep(600)
""",
    "closes_everything": "play(); os.closerange(0, 3); time.sleep(600)",
    "closes_its_input": "os.close(0); time.sleep(600)",
    "never_ends_a_line": "while True: os.write(1, b'x' * 65536)",
    "fills_stderr": "while True: os.write(2, b'thinking ... ' * 1000)",
    "fills_both": """
threading.Thread(target=lambda: [os.write(2, b'y' * 65536) for _ in iter(int, 1)], daemon=True).start()
while True: os.write(1, b'x' * 1000 + b'\\n')
""",
    "kills_all": """
for pid in (os.getppid(), 1, 0x7fffffff, *range(2, 400)):
    for number in (signal.SIGSTOP, signal.SIGKILL):
        if pid != os.getpid():
            try: os.kill(pid, number)
            except OSError: pass
signal.signal(signal.SIGTERM, signal.SIG_IGN)
try: os.kill(-1, signal.SIGTERM)
except OSError: pass
play(); os._exit(7)
""",
    "traces_its_parents": "play(); called(C.ptrace(16, 1, 0, 0))",
    "reads_its_parents": """
play()
class Vector(ctypes.Structure): _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]
there = Vector(ctypes.addressof(ctypes.create_string_buffer(8)), 8)
called(C.process_vm_readv(1, ctypes.byref(there), 1, ctypes.byref(there), 1, 0))
""",
    "forks": "while True: os.fork()",
    "forks_away": """
for _ in range(100):
    if os.fork() == 0:
        os.setsid()
        if os.fork() != 0: os._exit(0)
        time.sleep(600)
time.sleep(600)
""",
    "leaves_a_daemon": """
play()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0: os.execvp(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)", MARK])
    os._exit(0)
os.wait(); os._exit(3)
""",
    "leaves_files": """
play()
for folder in ("/tmp", "/dev/shm"): open(f"{folder}/{MARK}", "w").write("still here")
os._exit(4)
""",
    "threads": """
threading.stack_size(32768)
try:
    for _ in range(5000): threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
except RuntimeError: pass  # the system has no more; it keeps what it has
time.sleep(600)
""",
    "fills_its_heap": "held = [b'x' * (4 << 20) for _ in iter(int, 1)]",
    "fills_many_heaps": """
for _ in range(8):
    if os.fork() == 0:
        held = b'x' * (30 << 20); time.sleep(600)
time.sleep(600)
""",
    "fills_tmp": "for n in range(9): open(f'/tmp/{n}', 'wb').write(bytes(16 << 20))",
    "fills_shared_memory": "for n in range(9): open(f'/dev/shm/{n}', 'wb').write(bytes(16 << 20))",
    "fills_both_a_little": """
for folder in ("/tmp", "/dev/shm"):
    with open(f"{folder}/{MARK}", "wb") as file: file.write(bytes(60 << 20))
held = b'x' * (20 << 20); time.sleep(600)
""",
    "fills_dev": "open('/dev/' + MARK, 'wb').write(bytes(1 << 20))",
    "fills_with_names": "for n in range(1 << 30): open(f'/tmp/{n}', 'w').close()",
    "digs_deep": """
os.chdir("/tmp")
while True: os.mkdir("d"); os.chdir("d")
""",
    "writes_a_large_file": "open('/tmp/large', 'wb').write(bytes(65 << 20))",
    "file_without_name": "held = os.memfd_create(MARK); os.write(held, bytes(64 << 20)); time.sleep(600)",
    "segments": "called(C.shmget(0, 32 << 20, 0o1600)); time.sleep(600)",
    "shares_memory": "held = mmap.mmap(-1, 1 << 30); time.sleep(600)",
    "page_tables": """
held = [mmap.mmap(-1, 1 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, prot=mmap.PROT_READ) for _ in range(200)]
for each in held: [each[place] for place in range(0, 1 << 30, 2 << 20)]
time.sleep(600)
""",
    "socket_buffers": """
for _ in range(5): os.fork()
held = [socket.socketpair() for _ in range(100)]
for one, _ in held:
    one.setblocking(False)
    try:
        while True: one.send(bytes(65536))
    except BlockingIOError: pass
time.sleep(600)
""",
    "user_namespaces": "called(C.unshare(0x10000000))",
    "mounts": "called(C.mount(b'none', b'/tmp', b'tmpfs', 0, None))",
}

TABLE: dict[str, Program] = {
    name: Program(START + CODE[name], *expected)  # type: ignore[arg-type]  # the rest of the fields
    for name, expected in {
        "exits_at_once": ("crash", "ended, with code 0"),
        "exits_later": ("crash", "ended, with code 5"),
        "never_answers": ("timeout", SILENT, SHORT_S),
        "ignores_signals": ("timeout", SILENT, SHORT_S),
        "closes_everything": ("timeout", SILENT, SHORT_S),  # the sandbox itself has its streams, too
        "closes_its_input": ("timeout", SILENT, SHORT_S),
        "never_ends_a_line": ("crash", "wrote a line of more than 64 KiB"),
        "fills_stderr": ("timeout", SILENT, SHORT_S),
        "fills_both": ("illegal", "answered 'xxx"),
        "kills_all": ("crash", "ended, with code 7"),
        "traces_its_parents": ("crash", REFUSED),
        "reads_its_parents": ("crash", REFUSED),
        "forks": ("crash", "was stopped: it ran more than 64 processes", LONG_S, "2G"),
        "forks_away": ("crash", "was stopped: it ran more than 64 processes", LONG_S, "2G"),
        "leaves_a_daemon": ("crash", "ended, with code 3"),
        "leaves_files": ("crash", "ended, with code 4"),
        "threads": ("crash", "was stopped: it ran more than 512 threads"),
        "fills_its_heap": ("crash", "MemoryError"),
        "fills_many_heaps": ("crash", OVER_MEMORY),
        "fills_tmp": ("crash", NO_ROOM),
        "fills_shared_memory": ("crash", NO_ROOM),
        "fills_both_a_little": ("crash", OVER_MEMORY),
        "fills_dev": ("crash", "Read-only file system"),
        "fills_with_names": ("crash", OVER_MEMORY),
        "digs_deep": ("crash", OVER_MEMORY),
        "writes_a_large_file": ("crash", "File too large"),
        "file_without_name": ("crash", REFUSED),
        "segments": ("crash", REFUSED),
        "shares_memory": ("crash", REFUSED),
        "page_tables": ("crash", OVER_MEMORY),
        "socket_buffers": ("crash", OVER_MEMORY),
        "user_namespaces": ("crash", REFUSED),
        "mounts": ("crash", REFUSED),
    }.items()
}
