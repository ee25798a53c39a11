"""How long a bot waits before it asks a server again."""

_SOONEST_S, _LATEST_S = 0.05, 60.0


def pause_s(retry_after_ms: int | None) -> float:
    """The seconds after which a server says that it is worth trying again, within bounds of ours."""
    return min(_LATEST_S, max(_SOONEST_S, (retry_after_ms or 0) / 1000))
