"""A class as a test says it stands: what the page writes is kept, and it is told what the test wants."""

from __future__ import annotations

import itertools
import json
import queue
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from msgspec import Struct
from msgspec.json import Decoder, encode
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from protocol.values import personal_hash
from school.messages import (
    Arrive,
    Desk,
    DeskLetter,
    Hall,
    Look,
    PupilLetter,
    PupilRow,
    Pupils,
    Reply,
    Rung,
    Submit,
    Work,
)

SECRET = "bureau"
CODES = {"Élodie": "BADAFIRA", "Tom": "MOLUSITA", "Zoé": "RAPIDOLU"}
"""The personal codes of the class."""

WAIT_S = 30
LADDER = (
    Rung("random", "hasard", "won", 6, 6, 6),
    Rung("first", "premier coup", "next"),
    Rung("minimax1", "minimax 1"),
)
_names = itertools.count(1)
_letters: Decoder[Any] = Decoder(PupilLetter | DeskLetter)


class FakeClass:
    """A class on the server at `port`. heard: what was written, with who wrote; halls: what each pupil is told."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.name = f"Seconde {next(_names)}"
        self._token: str | None = None
        self._numbers = itertools.count(1)
        self._answers: dict[int, queue.Queue[dict[str, Any]]] = {}
        self.heard: queue.Queue[tuple[str, Any]] = queue.Queue()
        self.sessions: dict[str, set[str]] = {}
        self.parts: dict[str, list[str]] = {}
        self.code = ""
        self.halls: dict[str, Hall] = {}
        self.desk = Desk("", "", "", "")
        self.places = {name: PupilRow(name) for name in CODES}

    def __enter__(self) -> Self:
        self.come_back()
        self.code = self.ask("host", roster=[])["code"]
        roster = [{"name": name, "hash": personal_hash(self.code, code)} for name, code in CODES.items()]
        self.ask("host", code=self.code, roster=roster)
        self.halls = {
            name: Hall("Seconde 4", name, "puissance4", "BOTSAB", ladder=LADDER, host=self.name, door=name)
            for name in CODES
        }
        self.desk = Desk("Seconde 4", self.code, "BOTSAB", "puissance4", host=self.name)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ask("dismiss", code=self.code)
        self.leave()

    def leave(self) -> None:
        """The class is away."""
        self._way.close()
        self._reader.join(WAIT_S)

    def come_back(self) -> None:
        """The class is there, again if it was away."""
        self._way = ExitStack()
        way = connect(f"ws://127.0.0.1:{self.port}/", subprotocols=[Subprotocol("arbitre.v1")])
        self._socket = self._way.enter_context(way)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        known = {} if self._token is None else {"token": self._token}
        self.ask("hello", protocol=1, client="test", kind="human", name=self.name, organiser=SECRET, **known)

    def ask(self, what: str, **fields: Any) -> dict[str, Any]:
        """Asks the server for what is granted; returns the `ok`."""
        number = next(self._numbers)
        answer = self._answers.setdefault(number, queue.Queue())
        self._socket.send(json.dumps({"type": what, "id": number, **fields}))
        told = answer.get(timeout=WAIT_S)
        assert told["type"] == "ok", told
        return told

    def letter(self, kind: type[Any], who: str | None = None) -> Any:
        """The next letter of a kind (by a pupil) that was written, or is; others before it are forgotten."""
        while True:
            by, letter = self.heard.get(timeout=WAIT_S)
            if type(letter) is kind and who in (None, by):
                return letter

    def tell(self, letter: Struct, *names: str) -> None:
        """Tells pupils; without names all who hear the class."""
        to = [one for name in names for one in self.sessions.get(name, ())]
        self._send(letter, to or None)

    def change(self, name: str, **fields: Any) -> None:
        """What a pupil is told from now on is otherwise."""
        self.halls[name] = replace(self.halls[name], **fields)
        self.tell(self.halls[name], name)

    def change_desk(self, **fields: Any) -> None:
        """The desk stands otherwise."""
        self.desk = replace(self.desk, **fields)
        self.tell(self.desk, "")

    def change_place(self, name: str, **fields: Any) -> None:
        """The desk sees a pupil otherwise."""
        self.places[name] = replace(self.places[name], **fields)
        self.tell(Pupils((self.places[name],)), "")

    def _send(self, letter: Struct, to: list[str] | None) -> None:
        fields = {} if to is None else {"to": to}
        text = encode(letter).decode()
        number = next(self._numbers)
        self._socket.send(json.dumps({"type": "tell", "id": number, "code": self.code, "text": text, **fields}))

    def _read(self) -> None:
        while True:
            try:
                told = json.loads(self._socket.recv())
            except ConnectionClosed:
                return
            for message in told if isinstance(told, list) else [told]:
                if message["type"] == "welcome":
                    self._token = message["token"]
                elif message["type"] == "letter":
                    self._hear(message)
                elif message.get("id") in self._answers:
                    self._answers[message["id"]].put(message)

    def _hear(self, message: dict[str, Any]) -> None:
        letter = _letters.decode(message["text"])
        who = message.get("entry", "")
        self.sessions.setdefault(who, set()).add(message["session"])
        match letter:
            case Arrive():
                self._send(self.halls[who], [message["session"]])
            case Look():
                self._send(self.desk, [message["session"]])
                self._send(Pupils(tuple(self.places.values()), again=True), [message["session"]])
            case Submit():
                self._take(who, letter)
            case Reply():
                self.change(who, mine=letter.move)
            case _:
                pass
        self.heard.put((who, letter))

    def _take(self, who: str, letter: Submit) -> None:
        self.parts[who] = [*(self.parts.get(who, []) if letter.part else []), letter.text]
        if letter.part + 1 == letter.parts:
            works = self.halls[who].works
            self.change(who, works=(*works, Work(len(works) + 1, letter.file, 1_790_000_000_000)))

    def source(self, who: str) -> str:
        """What a pupil has handed in last."""
        return "".join(self.parts[who])
