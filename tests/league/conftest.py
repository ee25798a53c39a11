"""What tests of contests start from."""

import asyncio

# pytest-asyncio asks for a current loop before each async test, and Python 3.11 makes one that nobody closes, unless it
# was told that there is none.
asyncio.set_event_loop(None)
