"""The wire format of Arbitre, version 1: message types, their codec and the stable error codes. Pure; msgspec only."""
