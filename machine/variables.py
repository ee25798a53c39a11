"""The variables of the environment that hold secrets, for those who read them and those who hide them."""

from typing import Final

PASSWORD: Final = "ARBITRE_PASSWORD"  # noqa: S105 - the name of a variable
"""The password of the server: of one that is started, and of the one that a client connects to."""

ORGANISER: Final = "ARBITRE_ORGANISER_TOKEN"
"""What makes somebody an organiser of the server."""

SERVICE: Final = "ARBITRE_SERVICE_TOKEN"
"""What a service that the server has started shows in its `hello`."""

SECRETS: Final = frozenset({PASSWORD, ORGANISER, SERVICE})
"""All of them: what no program of others is told."""
