"""The process of `bot replay --debug`: asks a file the same questions again, and opens pdb where it fails.

Arguments: SETUP FILE REQUESTS ANSWER STOP_AT_CALL. REQUESTS is the descriptor of a file with lines of `facts`, the last
of which is the question; the response goes to ANSWER. Keyboard and screen are those of the user.

- If the file raises, pdb stands at the innermost line of the author's that the exception went through.
- If its time runs out, or if it asks the keyboard, pdb stands at the line where it is.
- If it returns no legal move, it is called again under pdb, which stops at the first line of the author's function.
"""

import os
import pdb  # noqa: T100 - this module is a debugger
import sys
from types import FrameType, TracebackType

from bots.adapters.pupils.facts import Moved, Question, Ready, Response, Trouble, read_request, write
from bots.adapters.pupils.host import FileRunner, read_setup
from bots.adapters.pupils.stage import AwaitsKeyboard, Raised, Slow
from bots.adapters.pupils.trouble import Sources

_OURS = ["arbitre.*", "functools", "random", "importlib.*", "pdb"]
"""Modules that pdb steps over."""


def main() -> None:
    """Asks everything, then opens pdb or says that nothing failed."""
    requests, answer, stops_at_call = int(sys.argv[3]), int(sys.argv[4]), sys.argv[5] == "1"
    host = FileRunner(read_setup())
    with os.fdopen(requests, encoding="utf-8") as stream:
        asked = [read_request(line) for line in stream]
    response: Response | None = host.load()
    for number, request in enumerate(asked if isinstance(response, Ready) else (), 1):
        if number == len(asked) and stops_at_call and isinstance(request, Question):
            _call(host, request)
            os._exit(0)
        response = host.serve(request)
        if (trouble := _trouble_in(response)) is not None:
            if trouble.kind in ("wrong", "illegal") and isinstance(request, Question):
                _call(host, request)
            break
    with os.fdopen(answer, "w", encoding="utf-8") as stream:
        stream.write(write(response) if response is not None else "")
    if (trouble := _trouble_in(response)) is not None:
        _examine(host, trouble)
    sys.stdout.flush()
    os._exit(0)


def _trouble_in(response: Response | None) -> Trouble | None:
    if isinstance(response, Trouble):
        return response
    return None if response is None or isinstance(response, (Ready, Moved)) else response.trouble


def _call(host: FileRunner, question: Question) -> None:
    """Runs the author's function under pdb, from its first line on."""
    host.stage.clear()
    debugger = pdb.Pdb(skip=_OURS)
    try:
        returned = debugger.runcall(host.call, question)
        _say(f"returned: {returned!r}")
    except SystemExit:
        pass
    except BaseException as error:  # noqa: BLE001 - whatever they raise is shown in the debugger
        if type(error).__name__ != "BdbQuit":
            _stand(None, _within(error.__traceback__, host.sources), error)


def _examine(host: FileRunner, trouble: Trouble) -> None:
    """Opens pdb where it failed."""
    outcome = host.outcome
    host.stage.clear()
    if isinstance(outcome, Raised):
        _stand(None, _within(outcome.error.__traceback__, host.sources), outcome.error)
    elif isinstance(outcome, Slow):
        _stand(_frame_of(outcome.thread.ident, host.sources), None, None)
    elif isinstance(outcome, AwaitsKeyboard):
        frames = [_inside(frame, host.sources) for frame in sys._current_frames().values()]  # noqa: SLF001 - as in stage
        _stand(next((frame for frame in frames if frame is not None), None), None, None)
    elif trouble.place.line:
        _say(f"{trouble.error}: {trouble.detail} ({trouble.place.file}:{trouble.place.line})")


def _stand(frame: FrameType | None, trace: TracebackType | None, error: BaseException | None) -> None:
    if error is not None:
        _say(f"{type(error).__name__}: {error}")
    if frame is None and trace is None:
        return
    debugger = pdb.Pdb(skip=_OURS)
    debugger.reset()
    debugger.interaction(frame, trace)


def _within(trace: TracebackType | None, sources: Sources) -> TracebackType | None:
    """The part of a traceback between the first and the last line of the author's; all of it if there is none."""
    entries: list[TracebackType] = []
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    own = [number for number, entry in enumerate(entries) if sources.holds(entry.tb_frame.f_code.co_filename)]
    if not own:
        return entries[-1] if entries else None
    cut: TracebackType | None = None
    for entry in reversed(entries[own[0] : own[-1] + 1]):
        cut = TracebackType(cut, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return cut


def _frame_of(thread: "int | None", sources: Sources) -> FrameType | None:
    return _inside(sys._current_frames().get(thread or 0), sources)  # noqa: SLF001 - as above


def _inside(frame: FrameType | None, sources: Sources) -> FrameType | None:
    """The innermost frame of the author's in a stack, if there is one."""
    while frame is not None and not sources.holds(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
