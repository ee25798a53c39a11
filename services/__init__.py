"""What serves together with a server, in processes of its own: bots of the house, and whatever else needs bots.

The server knows nothing of this package. A service is a client like any other, which shows the secret that was drawn
for it (`hello.service`), and so is told as one. `supervision` starts services and starts them again.
"""
