"""Opens a session under the chosen name or a numbered one, or resumes the session that was left there."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from client.connection import Client
from client.errors import ClientError, HelloRefused
from client.identity import NAMESAKES, Identity, namesake
from locales import _
from protocol.bounds import Kind
from protocol.errors import ErrorCode


class Arrival(NamedTuple):
    """An open session on a server. number: 1 for the chosen name, 2 for its namesake "Ada 2", and so on.

    wished: the first of these names that no other program of this user, on this machine, holds. The session's name
    differs from it only if somebody else on the server has that name.
    """

    client: Client
    number: int
    wished: str


@asynccontextmanager
async def arrive(
    url: str,
    name: str,
    kind: Kind,
    *,
    patience_s: float = 5.0,
    return_s: float = 60.0,
    organiser: str | None = None,
    kept: Path | None = None,
) -> AsyncGenerator[Arrival, None]:
    """A session that is open; raises ClientError.

    A session that a program of this user left there, under this name and from this machine, is taken up again.
    patience_s: how long to look for the server; return_s: how long to wait for it once it is lost.
    organiser: the secret of those who may direct the matches of others. kept: the file for the token, if it is to count
    under any name.
    """
    wished: str | None = None
    for number in range(1, NAMESAKES):
        with Identity(url, namesake(name, number), kept) as identity:
            if not identity.take():
                continue
            wished = wished or identity.name
            client = await _open(identity, url, kind, (patience_s, return_s), organiser)
            if client is not None:
                try:
                    yield Arrival(client, number, wished)
                finally:
                    await client.close()
                return
    raise ClientError(_("Too many players are called {name}: choose another --name.").format(name=name))


async def _open(
    identity: Identity, url: str, kind: Kind, patience: tuple[float, float], organiser: str | None
) -> Client | None:
    """The session of `identity`, None if somebody else has its name; drops a token that the server has forgotten."""
    while True:
        client = Client(
            url,
            name=identity.name,
            kind=kind,
            token=identity.token,
            first_patience_s=patience[0],
            patience_s=patience[1],
            organiser=organiser,
        )
        client.on_token = identity.keep
        try:
            return await client.__aenter__()
        except HelloRefused as refused:
            if refused.code == ErrorCode.NAME_TAKEN.value:
                return None
            if refused.code != ErrorCode.BAD_TOKEN.value or identity.token is None:
                raise
            identity.keep(None)
