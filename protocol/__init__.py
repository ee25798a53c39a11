"""The wire format of Arbitre, version 1: message types, their codec and the stable error codes. Pure; msgspec only."""

from typing import Final

VERSION: Final = "0.1.0"
"""The version of Arbitre, as in pyproject.toml (a test compares them); here, since all its programs import this."""

PROTOCOL = 1
"""The protocol version that `hello` and `welcome` carry."""

SUBPROTOCOL = "arbitre.v1"
"""The WebSocket subprotocol of the handshake."""
