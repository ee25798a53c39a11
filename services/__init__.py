"""Processes that run beside a server: the bots of the house, the reviews, the announcement on the network.

The server knows nothing of this package. A service that connects is a client like any other; the server recognises it
by the secret that was drawn for services (`hello.service`). `supervision` starts services, and restarts them.
"""
