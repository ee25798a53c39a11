"""What a server writes about itself: for people, for programs, and never a secret."""

from __future__ import annotations

import json
import logging
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from locales import set_language
from server.logs import Event, JsonFormatter, note, note_error
from tests.faults.rawsocket import RawSocket, frame
from tests.faults.serving import serving

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="starts processes as Linux has them")


def lines(said: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


class TestLines:
    def test_a_sentence_in_the_reader_s_language(self, caplog: pytest.LogCaptureFixture) -> None:
        set_language("fr")
        note(Event.STORE_TROUBLE, trouble="disk full")
        assert caplog.records[0].getMessage() == (
            "rien ne peut être enregistré (disk full)\N{NO-BREAK SPACE}: "
            "les parties s’arrêtent jusqu’à ce que ce soit possible"
        )

    def test_json(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.INFO, "arbitre.server"):
            note(Event.MATCH_OPENED, match="abc", game="morpion")
        line = json.loads(JsonFormatter().format(caplog.records[0]))
        assert line.pop("time").endswith("Z")
        assert line == {"level": "info", "event": "match_opened", "match": "abc", "game": "morpion"}

    def test_what_others_log_is_json_too(self, caplog: pytest.LogCaptureFixture) -> None:
        logging.getLogger("asyncio").warning("slow %s", "thing\nsecond line")
        text = JsonFormatter().format(caplog.records[0])
        assert "\n" not in text
        assert json.loads(text)["text"] == "slow thing\nsecond line"

    @pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
    def test_a_traceback_is_for_programs_that_debug(self, caplog: pytest.LogCaptureFixture, level: int) -> None:
        with caplog.at_level(level, "arbitre.server"):
            try:
                int("the player's own words")
            except ValueError as error:
                note_error(error)
        record = caplog.records[0]
        assert "test_logs.py" in record.getMessage()
        assert "words" not in record.getMessage()
        assert ("words" in JsonFormatter().format(record)) is (level == logging.DEBUG)

    def test_below_its_level_an_event_costs_nothing(self, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING, "arbitre.server"):
            note(Event.PEER_LEFT)  # its sentence would miss its fields
        assert not caplog.records


@linux
class TestProcess:
    def test_the_events_of_a_session(self) -> None:
        with serving("--log-json", "--log-level", "debug") as server:
            with RawSocket(server.port) as one, RawSocket(server.port) as two:
                one.hello("one")
                two.hello("two")
                match = one.ask(type="create", game="morpion", seat="first")["match"]
                two.ask(type="join", match=match)
                two.ask(type="resign", match=match)
                one.send(frame(b"\x03\xe8", 8))
                assert one.close_code() == 1000
            found = lines(server.stop())
        assert server.child.returncode == 0
        names = [line["event"] for line in found]
        assert names[:2] == ["started", "listening"]
        assert names[-1] != "message"
        for name in ("peer_connected", "peer_left", "match_opened", "match_finished", "shutting_down"):
            assert name in names
        finished = next(line for line in found if line["event"] == "match_finished")
        assert (finished["match"], finished["reason"], finished["winner"]) == (match, "resign", 1)
        assert {line["code"] for line in found if line["event"] == "peer_left"} >= {1000}

    def test_people_are_told_of_trouble_only(self) -> None:
        with serving() as server:
            with RawSocket(server.port) as link:
                link.hello("one")
            assert server.stop().strip() == "closing"

    def test_no_secret_is_written_anywhere(self, tmp_path: Path) -> None:
        """Tokens and passwords are neither in what is logged at its loudest nor in the database or its journal."""
        database = tmp_path / "arbitre.db"
        secrets = {"word-of-the-class", "organiser-secret"}
        environment = {"ARBITRE_PASSWORD": "word-of-the-class", "ARBITRE_ORGANISER_TOKEN": "organiser-secret"}
        with serving("--log-json", "--log-level", "debug", "--db", str(database), environment=environment) as server:
            with RawSocket(server.port) as one, RawSocket(server.port) as two, RawSocket(server.port) as wrong:
                token = one.hello("one", password="word-of-the-class")["token"]
                secrets.add(token)
                match = one.ask(type="create", game="morpion", seat="first", public=False)["match"]
                assert match
                secrets.add(two.hello("one", token=token, password="word-of-the-class")["token"])
                wrong.shake_hands()
                secrets.add("guessed-password")
                wrong.say(type="hello", protocol=1, client="raw", kind="bot", name="x", password="guessed-password")
                wrong.hear("error")
                wrong.send(frame(b'{"type":"hello","id":1,"token":"guessed-token","surprise":[}'))
                secrets.add("guessed-token")
                two.ask(type="list")
            output, errors = f"listening on port {server.port}", server.stop()
            kept = b"".join(path.read_bytes() for path in tmp_path.iterdir())
        assert server.child.returncode == 0
        assert lines(errors)
        assert kept
        for secret in secrets:
            assert secret not in output + errors
            assert secret.encode() not in kept
        with sqlite3.connect(database) as stored:
            assert stored.execute("SELECT count(*) FROM sessions").fetchone()[0] >= 1


def test_the_table_of_events_is_complete() -> None:
    """Each event has its own name, and a sentence for people."""
    assert len({event.key for event in Event}) == len(Event)
    assert all(event.text for event in Event)


def test_imports_are_light() -> None:
    """Logging needs neither the network nor the metrics."""
    code = "import sys, server.logs; sys.exit('websockets' in sys.modules or 'prometheus_client' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
