"""For tests of the sandbox: whether bubblewrap works on this machine at all, asked without our own options."""

import functools
import subprocess

import pytest


@functools.cache
def works() -> bool:
    """Whether it can make namespaces here."""
    try:
        command = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
        return subprocess.run(command, capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.SubprocessError):
        return False


def need_bubblewrap() -> None:
    """Skips the test where it does not work; where it does, a sandbox that fails is a failed test."""
    if not works():
        pytest.skip("bubblewrap is not installed, or may not make namespaces here")
