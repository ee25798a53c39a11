"""The server of a league that is opened again while the one of its killed host is still ending."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from league.executors.local_server import LOOPBACK, serving
from league.executors.restarting_server import RestartingServer
from processes.child import ChildError

PATIENCE_S = 60


@pytest.mark.slow
async def test_an_address_that_the_server_before_still_holds_is_waited_for(tmp_path: Path) -> None:
    kept = ("--db", str(tmp_path / "server.sqlite"))
    told = list[str]()
    async with asyncio.timeout(PATIENCE_S), serving(options=kept) as (before, url):
        port = urlsplit(url).port
        assert port is not None

        def tell(text: str) -> None:
            told.append(text)
            before.kill()

        again = RestartingServer(LOOPBACK, port, secret="s", options=kept, tell=tell, patience=PATIENCE_S)
        async with again:
            assert again.url == url
    assert [text for text in told if "can't start yet" in text] == told[:1]


@pytest.mark.slow
async def test_an_address_of_somebody_else_is_refused_at_once() -> None:
    async with asyncio.timeout(PATIENCE_S), serving() as (_other, url):
        with pytest.raises(ChildError):
            async with RestartingServer(LOOPBACK, urlsplit(url).port or 0, secret="s", tell=pytest.fail):
                pass
