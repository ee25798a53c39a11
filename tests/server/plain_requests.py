"""Requests over HTTP as a browser makes them, without one."""

from __future__ import annotations

import asyncio


async def get(port: int, path: str, *headers: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers in small letters, and body."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = "".join(f"{header}\r\n" for header in headers)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{head}\r\n".encode())
    async with asyncio.timeout(20):
        answer = await reader.read()
    writer.close()
    first, _, body = answer.partition(b"\r\n\r\n")
    status, *lines = first.decode().split("\r\n")
    return int(status.split(" ")[1]), dict(line.lower().split(": ", 1) for line in lines), body
