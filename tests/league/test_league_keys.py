"""Who enters is who was there: real bots with keys of their own, links that are cut, and a teacher who hears of it."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from client.identity import STATE_DIR
from client.key import NAME as KEY_FILE
from league.history.keys import NAME as BOOK_FILE
from league.history.log import load
from league.history.verification import verify
from tests.league.open_class import Class, arbitre, describe, soon
from tests.league.processes import ARBITRE, started
from tests.relay import Relay

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals")

NOT_YOURS = "In this league the name belongs to somebody else."


class School(Class):
    """A league, and bots of users who have each a key of their own."""

    def __init__(self, folder: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> None:
        super().__init__(folder, stack)
        self._patch = patch
        self._enter = stack.enter_context

    def home(self, user: str) -> Path:
        """Where a user's key and tokens are."""
        return self.folder / f"home of {user}"

    def pupil(self, user: str, name: str | None, port: int | str | None = None, *more: str) -> subprocess.Popen[str]:
        """A bot of `user` that wants to enter as `name`."""
        self._patch.setenv(STATE_DIR, str(self.home(user)))
        where = f"ws://127.0.0.1:{port or self.port}"
        words = ["bot", "random", where, "--league", self.code, *(("--name", name) if name else ()), *more]
        return self._enter(started([*ARBITRE, "--lang", "en", *words], self.folder))

    def games_of(self, name: str) -> int:
        return sum(name in (game.first, game.second) for game in self.season().games)

    def plays(self, name: str) -> None:
        """Waits until somebody has played some more."""
        before = self.games_of(name) if (self.folder / "class" / "league.jsonl").exists() else 0
        soon(lambda: self.games_of(name) > before + 1)

    def heard(self, words: str) -> None:
        """Waits until the teacher reads a line with these words."""
        soon(lambda: any(words in line for line in self.told))


@pytest.fixture
def school(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[School]:
    with ExitStack() as stack:
        yield School(tmp_path, stack, monkeypatch)


def last_words(bot: subprocess.Popen[str], status: int) -> str:
    """What a bot that has ended with this status said."""
    assert bot.wait(30) == status
    assert bot.stderr is not None
    return bot.stderr.read()


@pytest.mark.slow
def test_nobody_plays_the_games_of_who_has_lost_the_link(school: School) -> None:
    """Eve has Ann's name and the league's code. Ann plays on once the link is back; the teacher reads of all of it."""
    describe(school.folder, "")
    school.open()
    with Relay(int(school.port)) as link:
        ann = school.pupil("ann", "Ann", link.port)
        for user in ("Bob", "Zoé"):
            school.pupil(user, user)
        school.plays("Ann")
        link.cut()
        school.heard("Ann: away for 1")
        assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)
        school.heard("Ann: refused ")
        school.heard("league free class Ann")
        link.mend()
        school.heard("Ann is back after ")
        school.plays("Ann")
        assert ann.poll() is None
        assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)
    assert set(school.season().bots) == {"Ann", "Bob", "Zoé"}
    assert all(len(line.rstrip("\n")) <= 80 for line in school.told if "Ann" in line and ": " in line)
    assert verify(load(school.folder / "class"))[0] == []


@pytest.mark.slow
def test_the_same_key_comes_back_from_anywhere(school: School) -> None:
    """After a crash of the bot, from another machine, after a crash of the teacher's; and no other key does."""
    describe(school.folder, "")
    school.open()
    ann = school.pupil("ann", "Ann")
    for user in ("Bob", "Zoé"):
        school.pupil(user, user)
    school.plays("Ann")
    ann.kill()
    ann.wait()
    assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)
    ann = school.pupil("ann", "Ann")
    school.plays("Ann")

    laptop = school.home("ann's laptop")
    laptop.mkdir()
    shutil.copy(school.home("ann") / KEY_FILE, laptop)
    other = school.pupil("ann's laptop", "Ann")
    assert "with the same key or personal code since" in last_words(ann, 0)
    school.plays("Ann")

    school.end(signal.SIGKILL)
    book = school.folder / "class" / BOOK_FILE
    assert book.stat().st_mode & 0o777 == 0o600
    assert (school.home("ann") / KEY_FILE).read_text(encoding="ascii").strip() not in book.read_text(encoding="utf-8")
    school.open("class")
    assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)
    school.plays("Ann")
    assert other.poll() is None
    assert set(school.season().bots) == {"Ann", "Bob", "Zoé"}


@pytest.mark.slow
def test_a_name_that_the_teacher_gives_free(school: School) -> None:
    """Eve was faster. While the league is played, and while it is stopped; a new name belongs to who had the old."""
    describe(school.folder, "")
    school.open()
    eve = school.pupil("eve", "Ann")
    for user in ("Bob", "Zoé"):
        school.pupil(user, user)
    school.plays("Ann")
    assert NOT_YOURS in last_words(school.pupil("ann", "Ann"), 1)
    done = arbitre(school.folder, "league", "free", "class", "ann")
    assert (done.returncode, done.stdout) == (0, "Ann is free: whoever enters under it next has it.\n"), done.stderr
    school.heard("Ann is free: whoever enters under it next has it.")
    assert "Whoever runs the league has sent this bot away." in last_words(eve, 0)
    ann = school.pupil("ann", "Ann")
    school.plays("Ann")
    assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)

    assert arbitre(school.folder, "league", "rename", "class", "Ann", "Anna").returncode == 0
    school.heard("Ann is Anna now.")
    assert NOT_YOURS in last_words(school.pupil("eve", "Anna"), 1)
    ann.kill()
    ann.wait()
    ann = school.pupil("ann", "Anna")
    school.plays("Anna")

    school.end(signal.SIGINT)
    assert arbitre(school.folder, "league", "free", "class", "Anna").returncode == 0
    school.open("class")
    assert "has sent this bot away" in last_words(ann, 0)
    school.pupil("eve", "Ann")
    school.plays("Anna")
    school.end(signal.SIGINT)
    school.open("class")
    assert NOT_YOURS in last_words(school.pupil("ann", "Ann"), 1), "what was given free once is not given free again"


@pytest.mark.slow
def test_a_server_that_has_forgotten_all_is_told_by_the_host(school: School) -> None:
    """Somebody else's server, that keeps nothing on disk: under the new code the same keys open the same names."""
    describe(school.folder, "")
    words = [*ARBITRE, "serve", "--host", "127.0.0.1", "--port", "0", "--db", ":memory:"]
    with ExitStack() as servers:
        server = servers.enter_context(started(words, school.folder, subprocess.PIPE))
        assert server.stdout is not None
        url = server.stdout.readline().split()[-1]
        school.port = url.rpartition(":")[2]
        school.open("class.toml", url)
        bots = [school.pupil(name.lower(), name) for name in ("Ann", "Bob", "Zoé")]
        school.plays("Ann")
        for bot in bots:
            bot.kill()
            bot.wait()
        server.kill()
        server.wait()
        words[words.index("0")] = school.port
        server = servers.enter_context(started(words, school.folder, subprocess.PIPE))
        assert server.stdout is not None
        server.stdout.readline()
        assert school.teacher is not None
        assert school.teacher.wait(30) == 1
        code = school.code
        school.open("class", url)
        assert school.code != code
        assert NOT_YOURS in last_words(school.pupil("eve", "Ann"), 1)
        for name in ("Ann", "Bob", "Zoé"):
            school.pupil(name.lower(), name)
        school.plays("Ann")


@pytest.mark.slow
def test_two_bots_of_one_user_are_two(school: School) -> None:
    """Without --name the second one is a namesake, with the same key; so are those of two users."""
    describe(school.folder, "")
    school.open()
    for user in ("ann", "ann", "bob"):
        school.pupil(user, None)
    soon(lambda: set(school.season().bots) == {"random", "random 2", "random 3"})
    school.plays("random 3")
