"""A link that can be cut: connections to it go on to a server, until somebody pulls the cable."""

import socket
import threading
from contextlib import suppress
from types import TracebackType
from typing import Self


class Relay:
    """Passes on what comes to `port` of this machine to the port `target`, as a context manager."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._sockets: list[socket.socket] = []
        self._is_cut = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.cut()
        self._listener.close()

    def cut(self) -> None:
        """Ends all connections, and each that comes."""
        self._is_cut.set()
        while self._sockets:
            one = self._sockets.pop()
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def mend(self) -> None:
        """Lets connections through again."""
        self._is_cut.clear()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                near, _address = self._listener.accept()
                if self._is_cut.is_set():
                    near.close()
                    continue
                far = socket.create_connection(("127.0.0.1", self._target))
                self._sockets += (near, far)
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=_pump, args=(source, sink), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
