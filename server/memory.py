"""When the cycle collector runs: seldom, and by how much memory has grown; never because many small things came by.

Python's own schedule looks through each few thousand new objects, and among ten thousand connections that took 20 to
120 ms at a time in which nobody was served, to find nothing: the server's own work leaves no cycles, only connections
that end do. Here a collection comes when half as much again is alive as after the last one, so that its cost for each
object made stays the same however large the crowd.
"""

import gc

FEWEST = 100_000
"""Objects that are not worth a collection: some tens of megabytes."""


class Collector:
    """Takes the collector of this process over, from `start` to `stop`; whoever has a clock calls `tend`."""

    def __init__(self) -> None:
        """Changes nothing yet."""
        self._alive = 0
        self._running = False

    def start(self) -> None:
        """Looks through everything once, then leaves what is there alone for good."""
        gc.collect()
        gc.freeze()
        gc.disable()
        self._running = True

    def tend(self) -> bool:
        """Collects if that is worth it; says whether it was."""
        grown, _, _ = gc.get_count()
        if not self._running or grown < max(FEWEST, self._alive // 2):
            return False
        gc.collect()
        self._alive = len(gc.get_objects())
        return True

    def stop(self) -> None:
        """Hands the collector back to Python."""
        if self._running:
            gc.unfreeze()
            gc.enable()
            self._running = False
