"""Open leagues as a class meets them: real processes, personal codes, and what is put right while they are played."""

import json
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from league.history.log import load
from league.history.verification import verify
from tests.league.open_class import ROSTER, Class, arbitre, describe, soon
from tests.league.processes import ARBITRE, played, started

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Class]:
    with ExitStack() as stack:
        yield Class(tmp_path, stack)


@pytest.mark.slow
def test_a_class_with_personal_codes(room: Class) -> None:
    """Cards before the league is open; a name alone opens nothing; the teacher's machine dies; a second session."""
    describe(room.folder)
    before = dict(row.split("\t") for row in arbitre(room.folder, "league", "codes", "class.toml").stdout.splitlines())
    assert list(before) == ["Léa", "Tom", "Zoé"]
    room.open()
    codes = room.codes()
    assert codes == {name: f"{room.code}-{code}" for name, code in before.items()}
    file = room.folder / "class" / "codes.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE((room.folder / "class" / "host.json").stat().st_mode) == 0o600

    for code, said in ((room.code, "asks for your personal code"), (f"{room.code}-BIDULE", "none of its")):
        eve = room.bot(code, "Léa")
        assert eve.wait(30) == 1
        assert eve.stderr is not None
        assert said in eve.stderr.read()
    bots = {name: room.bot(code, f"bot of {name[0]}") for name, code in codes.items()}
    soon(lambda: played(room.folder / "class"))
    assert set(room.season().bots) == {"Léa", "Tom", "Zoé"}

    code = room.code
    room.end(signal.SIGKILL)
    room.open("class")
    assert room.code == code
    done = len(room.season().games)
    soon(lambda: len(room.season().games) > done + 10)

    again = room.bot(codes["Léa"].lower(), "elsewhere")
    room.hear("Léa has entered once more, from elsewhere: the newest counts.")
    assert bots["Léa"].wait(30) == 0
    assert bots["Léa"].stderr is not None
    assert "Somebody has entered the league with the same key or personal code since" in bots["Léa"].stderr.read()
    done = len([game for game in room.season().games if "Léa" in (game.first, game.second)])
    soon(lambda: len([game for game in room.season().games if "Léa" in (game.first, game.second)]) > done)
    assert again.poll() is None
    room.end(signal.SIGTERM)
    held = b"".join(path.read_bytes() for path in (room.folder / "class").glob("*") if path != file)
    assert not [code for code in before.values() if code.encode() in held], "a code stands in the log or the database"
    assert verify(load(room.folder / "class"))[0] == []


@pytest.mark.slow
def test_a_league_is_put_right_while_it_is_played(room: Class) -> None:
    """Ann has entered twice, somebody under a silly name, and somebody who should not be there."""
    describe(room.folder, "")
    room.open()
    for name in ("Ann", "Ann2", "xXx"):
        room.bot(room.code, name)
    mallory = room.bot(room.code, "Mallory")
    soon(lambda: {"Ann", "Ann2", "xXx", "Mallory"} <= set(room.season().bots) and played(room.folder / "class"))

    def rule(*words: str) -> str:
        done = arbitre(room.folder, "league", words[0], "class", *words[1:])
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert rule("kick", "mallory", "--annul") == "Mallory is kicked, and its games don't count.\n"
    assert mallory.wait(30) == 0
    assert mallory.stderr is not None
    assert "Whoever runs the league has sent this bot away." in mallory.stderr.read()
    assert room.bot(room.code, "Mallory").wait(30) == 0
    assert rule("rename", "xXx", "Maximilien") == "xXx is Maximilien now.\n"
    assert rule("merge", "Ann2", "Ann").startswith("Ann2 is Ann now, who has ")
    refused = arbitre(room.folder, "league", "kick", "class", "Nobody")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "Nobody in this league is called Nobody. There are: Ann, Maximilien" in refused.stderr

    done = len(room.season().games)
    soon(lambda: len(room.season().games) > done + 10)
    assert {row.name for row in room.season().standings().rows} == {"Ann", "Maximilien"}
    room.hear("Ann2 is Ann now.")
    room.end(signal.SIGINT)
    assert rule("rename", "Ann", "Anna") == "Ann is Anna now.\n"
    assert not list((room.folder / "class" / "asked").glob("*"))
    season = room.season()
    assert set(season.bots) == {"Anna", "Maximilien"}
    assert (season.called("Ann2"), season.called("xXx")) == ("Anna", "Maximilien")
    assert verify(load(room.folder / "class"))[0] == []
    table = json.loads(arbitre(room.folder, "league", "standings", "class", "--json").stdout)
    assert {row["name"] for row in table["rows"]} == {"Anna", "Maximilien"}
    room.open("class")
    done = len(room.season().games)
    soon(lambda: len(room.season().games) > done)


@pytest.mark.slow
def test_on_another_s_server_the_code_is_the_league_s_until_it_is_over(room: Class) -> None:
    """The server is started again, too; once the league is over, those who entered are told, and the code is free."""
    describe(room.folder, ROSTER, rounds=2)
    words = [*ARBITRE, "serve", "--host", "127.0.0.1", "--port", "0", "--db", "server.db"]
    with ExitStack() as servers:
        server = servers.enter_context(started(words, room.folder, subprocess.PIPE))
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        room.open("class.toml", url)
        code = room.code
        assert code in (room.folder / "class" / "league.jsonl").read_text(encoding="utf-8"), "kept before it is told"
        room.end(signal.SIGKILL)
        server.send_signal(signal.SIGKILL)
        server.wait()
        words[words.index("0")] = url.rpartition(":")[2]
        server = servers.enter_context(started(words, room.folder, subprocess.PIPE))
        assert server.stdout is not None
        server.stdout.readline()
        room.open("class", url)
        assert room.code == code
        room.port = url.rpartition(":")[2]
        bots = [room.bot(code, name) for name, code in room.codes().items()]
        assert room.teacher is not None
        assert room.teacher.wait(60) == 0
        for bot in bots:
            assert bot.wait(20) == 0
            assert bot.stderr is not None
            assert bot.stderr.read().splitlines()[-1] == "The league is over."
        room.open("class", url)
        assert room.code != code
