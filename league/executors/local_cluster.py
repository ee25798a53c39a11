"""A Dask cluster on this machine: `python -m league.executors.local_cluster WORKERS` prints "listening on ADDRESS".

It is a process of its own, so that Ctrl-C in the terminal reaches the league alone, which then ends this process; the
workers go with it, however it ends.
"""

import asyncio
import logging
import sys
import tempfile
from contextlib import suppress

from distributed import LocalCluster

from processes import stopping
from processes.child import LISTENING
from processes.stopping import Stopped


async def run(workers: int) -> None:
    """Runs until it is cancelled; each worker plays one pairing at a time."""
    with tempfile.TemporaryDirectory(prefix="arbitre-") as folder:
        async with LocalCluster(  # type: ignore[no-untyped-call] # the library is typed in part
            n_workers=workers, threads_per_worker=1, processes=True, asynchronous=True,
            dashboard_address=None,  # pyright: ignore[reportArgumentType] # None is documented: no dashboard
            memory_limit=0, local_directory=folder, silence_logs=logging.ERROR,
        ) as cluster:  # fmt: skip
            print(LISTENING + cluster.scheduler_address, flush=True)  # noqa: T201 - who started us waits for it
            await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(Stopped):
        stopping.run(run(int(sys.argv[1])))
