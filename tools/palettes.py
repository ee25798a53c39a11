"""Pictures of screens with at most 256 colours: a third of the bytes, and nobody sees a difference.

They come as browsers write them: PNG, eight bits a channel, not interlaced.
"""

from __future__ import annotations

import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from typing import Final

_HEAD: Final = b"\x89PNG\r\n\x1a\n"
_CHANNELS: Final = {2: 3, 6: 4}
"""Kind of colour -> bytes of a pixel."""

MOST: Final = 256


def reduced(png: bytes) -> bytes:
    """The same picture in its MOST most frequent colours; each other colour becomes the nearest of these."""
    fields = dict(_chunks(png))
    width, height, _depth, kind = struct.unpack_from(">IIBB", fields[b"IHDR"])
    step = _CHANNELS[kind]
    rows = _rows(zlib.decompress(fields[b"IDAT"]), width * step, step)
    pixels = [[row[at : at + 3] for at in range(0, len(row), step)] for row in rows]
    counts = Counter(pixel for row in pixels for pixel in row)
    palette = [colour for colour, _count in counts.most_common(MOST)]
    known = {colour: number for number, colour in enumerate(palette)}
    index = {colour: known.get(colour, _nearest(colour, palette)) for colour in counts}
    body = b"".join(b"\0" + bytes(index[pixel] for pixel in row) for row in pixels)
    return _HEAD + b"".join(
        _chunk(name, data)
        for name, data in (
            (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
            (b"PLTE", b"".join(palette)),
            (b"IDAT", zlib.compress(body, 9)),
            (b"IEND", b""),
        )
    )


def _nearest(colour: bytes, palette: list[bytes]) -> int:
    def distance(number: int) -> int:
        return sum((one - other) ** 2 for one, other in zip(colour, palette[number], strict=True))

    return min(range(len(palette)), key=distance)


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG file; each IDAT chunk with the data of those before it, so that the last has all."""
    at, data = len(_HEAD), b""
    while at < len(png):
        size, name = struct.unpack_from(">I4s", png, at)
        body = png[at + 8 : at + 8 + size]
        data += body if name == b"IDAT" else b""
        yield name, data if name == b"IDAT" else body
        at += size + 12


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def _rows(data: bytes, size: int, step: int) -> Iterator[bytes]:
    """The rows of pixels, with the filter of each row undone."""
    above = bytes(size)
    for at in range(0, len(data), size + 1):
        above = _unfiltered(data[at], data[at + 1 : at + 1 + size], above, step)
        yield above


def _unfiltered(kind: int, row: bytes, above: bytes, step: int) -> bytes:
    if kind == 0:
        return row
    out = bytearray(step) + row
    corner = bytes(step) + above
    for at, up in enumerate(above):
        left = out[at]
        guess = (0, left, up, (left + up) // 2, _paeth(left, up, corner[at]) if kind == 4 else 0)[kind]
        out[at + step] = (out[at + step] + guess) & 255
    return bytes(out[step:])


def _paeth(left: int, up: int, corner: int) -> int:
    """Which of three neighbours is nearest to left + up - corner."""
    guess = left + up - corner
    return min((left, up, corner), key=lambda one: abs(guess - one))
