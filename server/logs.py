"""What the server says about itself: one event a line, for people in their language or, with --log-json, for programs.

Events stand in one table with their level and their sentence. A field is a number, a code, an address or an id; tokens,
passwords, names and texts of players never are.
"""

from __future__ import annotations

import json
import logging
import sys
import time
import traceback
from enum import Enum
from pathlib import Path
from types import TracebackType

from locales import N_, _

log = logging.getLogger("arbitre.server")

Value = str | int | float | bool | None


class Event(Enum):
    """What may happen: the name that programs read, the level, and what people read."""

    STARTED = "started", logging.INFO, N_("started, process {pid}")
    LISTENING = "listening", logging.INFO, N_("listening on {host}, port {port}")
    PEER_CONNECTED = "peer_connected", logging.DEBUG, N_("connection {connection} from {address}")
    PEER_LEFT = "peer_left", logging.DEBUG, N_("connection {connection} is over, code {code}")
    PEER_ABORTED = "peer_aborted", logging.WARNING, N_(
        "connection {connection} from {address} does not read: cut off, {waiting} bytes wait for it"
    )  # fmt: skip
    WRONG_PASSWORD = "wrong_password", logging.WARNING, N_("wrong passwords from {address}: {count}")
    WRONG_TOKEN = "wrong_token", logging.WARNING, N_("wrong tokens from {address}: {count}")
    MATCH_OPENED = "match_opened", logging.INFO, N_("match {match} is open: {game}")
    MATCH_FINISHED = "match_finished", logging.INFO, N_("match {match} is over after {plies} plies: {reason}")
    STORE_TROUBLE = "store_trouble", logging.ERROR, N_(
        "nothing can be recorded ({trouble}): games pause until it can"
    )  # fmt: skip
    STORE_RECOVERED = "store_recovered", logging.WARNING, N_("recording goes on, and so do the games")
    STORE_RAISED = "store_raised", logging.WARNING, N_(
        "{path} was brought from schema {before} to {after}; as it was, it is kept in {copy}"
    )  # fmt: skip
    STORE_OPEN_TO_OTHERS = "store_open_to_others", logging.WARNING, N_(
        "others may read {path}, and that can't be changed ({reason}): ask its owner to (chmod 600)"
    )  # fmt: skip
    STORE_SCARCE = "store_scarce", logging.WARNING, N_(
        "only {free} MB of the disk are free: no match begins until there is more (--keep deletes old ones)"
    )  # fmt: skip
    STORE_NOT_TIDIED = "store_not_tidied", logging.WARNING, N_(
        "old matches could not be deleted ({trouble}): it is tried again in an hour"
    )  # fmt: skip
    INTERNAL_ERROR = (
        "internal_error",
        logging.ERROR,
        N_("internal error ({error} at {place})"),
    )
    NO_MORE_CONNECTIONS = "no_more_connections", logging.ERROR, N_(
        "nobody else can connect for now ({error}): raise the limit of open files (ulimit -n)"
    )  # fmt: skip
    LOOP_STUCK = "loop_stuck", logging.ERROR, N_(
        "the server has done nothing else for {seconds} s: please report where it stands ({place})"
    )  # fmt: skip
    ENDED_BY_FORCE = "ended_by_force", logging.ERROR, N_("the server did not stop in time: it is ended ({place})")
    SERVICE_ENDED = "service_ended", logging.WARNING, N_(
        "the service {service} has ended (code {code}): it is started again"
    )  # fmt: skip
    SERVICE_GIVEN_UP = "service_given_up", logging.ERROR, N_(
        "the service {service} keeps ending (code {code}): it is not started again"
    )  # fmt: skip
    SHUTTING_DOWN = "shutting_down", logging.INFO, N_("closing, {connections} connections")

    def __init__(self, key: str, level: int, text: str) -> None:
        self.key = key
        self.level = level
        self.text = text


def note(event: Event, **fields: Value) -> None:
    """Says that something happened."""
    if log.isEnabledFor(event.level):
        log.log(event.level, "%s", _(event.text).format(**fields), extra={"event": event.key, "fields": fields})


def note_error(error: BaseException) -> None:
    """Logs a bug of ours. The exception's message may hold what a client sent: only JSON at level debug has it."""
    place = _place(error.__traceback__)
    fields: dict[str, Value] = {"error": type(error).__name__, "place": place}
    text = _(Event.INTERNAL_ERROR.text).format(**fields)
    if log.isEnabledFor(logging.DEBUG):
        fields["traceback"] = "".join(traceback.format_exception(error))
    log.error("%s", text, extra={"event": Event.INTERNAL_ERROR.key, "fields": fields})


def set_up(*, as_json: bool, level: int) -> None:
    """Sends the lines to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonFormatter() if as_json else logging.Formatter("%(levelname)s %(message)s"))
    logging.basicConfig(level=max(level, logging.WARNING), handlers=[handler], force=True)
    log.setLevel(level)
    logging.getLogger("websockets").setLevel(logging.CRITICAL)


class JsonFormatter(logging.Formatter):
    """A record as one JSON object: time (UTC), level, event, and the event's fields."""

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "time": f"{stamp}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": getattr(record, "event", "message"),
        }
        fields: dict[str, Value] | None = getattr(record, "fields", None)
        line.update({"logger": record.name, "text": record.getMessage()} if fields is None else fields)
        return json.dumps(line, ensure_ascii=False)


def _place(trace: TracebackType | None) -> str:
    """The file and line at the end of a traceback."""
    frames = traceback.extract_tb(trace)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else "?"
