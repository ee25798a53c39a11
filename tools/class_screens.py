"""The pictures of a class and of the studio in README and docs: real browsers in a class that is open, amid a lesson.

python -m tools.class_screens [fr|en]    writes docs/screens/class-*.png and studio*.png of one language, or of both;
                                         needs chromium, npm's registry and the dev requirements

The class is open on this machine alone, but tells the address of a classroom.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import click
from playwright.sync_api import Page, ViewportSize
from websockets.exceptions import ConnectionClosed

from locales import _, set_language
from machine.modules import command
from school.folder import keep_codes, load_class, read_entrance
from school.journal import Journal
from school.opening import Opened, ServerOptions, open_class
from tests.page.browser import Reader, Room, browsing
from tests.page.programs import Program
from tools.palettes import reduced

FOLDER: Final = Path(__file__).parents[1] / "docs" / "screens"
ADDRESS: Final = "http://192.168.1.20:8765"
PATIENCE_MS: Final = 600_000
PATIENCE_S: Final = PATIENCE_MS / 1000

LANGUAGES: Final = ("fr", "en")
LOCALES: Final = {"fr": "fr-FR", "en": "en-GB"}
DESKTOP: Final = {"width": 1200, "height": 760}
TALL: Final = {"width": 1200, "height": 900}
PROJECTOR: Final[ViewportSize] = {"width": 1280, "height": 720}
PHONE: Final = {"viewport": {"width": 390, "height": 760}, "has_touch": True, "is_mobile": True}

HEAD: Final = {"fr": "Nom;Prénom;Groupe", "en": "Last name;First name;Group"}
TEAM: Final = {"fr": "Groupe", "en": "Group"}
TITLE: Final = {"fr": "Seconde 4", "en": "2nde 4"}
NEWS: Final = {
    "fr": "Encore dix minutes : rendez votre meilleure version !",
    "en": "Ten more minutes: hand in your best version!",
}
PUPILS: Final = (
    ("AUBRY", "Inès"), ("BENALI", "Karim"), ("CARON", "Léa"), ("DIALLO", "Moussa"), ("FABRE", "Hugo"),
    ("GARNIER", "Zoé"), ("LEROY", "Tom"), ("MARTY", "Léa"), ("NGUYEN", "Linh"), ("OLIVE", "Sacha"),
)  # fmt: skip
"""Invented names."""

CHOOSES: Final = """import time


def choose(position):
    time.sleep(0.1)
    moves = position.legal_moves()
    return {best}
"""
CRASHES: Final = {
    "fr": """COINS = ["a1", "h1", "a8", "h8"]


def choose(position):
    coups = position.legal_moves()
    coins = [coup for coup in coups if coup in COINS]
    print(len(coups), "coups, coins :", coins)
    return coins[0]
""",
    "en": """CORNERS = ["a1", "h1", "a8", "h8"]


def choose(position):
    moves = position.legal_moves()
    corners = [move for move in moves if move in CORNERS]
    print(len(moves), "moves, corners:", corners)
    return corners[0]
""",
}
HANGS: Final = """def choose(position):
    n = 0
    while n < 10:
        position.legal_moves()
    return position.legal_moves()[0]
"""
GREEDY: Final = "max(moves, key=lambda move: repr(position.play(move)).count(str(position.to_move)))"
BEST: Final = (
    "moves[0]", "moves[-1]", "moves[len(moves) // 2]",
    "min(moves, key=lambda move: len(position.play(move).legal_moves()))",
    "max(moves, key=lambda move: len(position.play(move).legal_moves()))",
    "next((move for move in moves if move[0] in 'ah' or move[1] in '18'), moves[0])", "moves[len(moves) // 3]",
)  # fmt: skip
"""What the programs that work choose."""

BEGUN: Final = r"\\b(1[2-9]|[2-9]\\d) (of|sur)"
"""What the wall says when its picture is taken: at least twelve games are over."""

POSITION: Final = ("f5", "d6", "c3", "d3", "c4", "f4", "f6", "f3", "e6", "e7", "d7", "c5")
REPLIES: Final = ("b6", "b6", "c6", "e3", "b6", "c6", "f7")
"""The position of the question, and the answers of some pupils."""


class Class(NamedTuple):
    """A class that is open."""

    folder: Path
    opened: Opened
    codes: dict[str, str]
    port: int
    language: str

    @property
    def names(self) -> list[str]:
        """The names of its pupils."""
        return sorted(self.codes)


@contextmanager
def lesson(folder: Path, language: str) -> Generator[Class]:
    """A class of a list of names, open in a thread of its own."""
    rows = (f"{last};{first};{TEAM[language]} {1 + at % 2}" for at, (last, first) in enumerate(PUPILS))
    (folder / "list.csv").write_text("\n".join((HEAD[language], *rows)), encoding="utf-8")
    new = ("class", "new", str(folder / "list.csv"), "--title", TITLE[language], "--output", str(folder / "class"))
    subprocess.run(command(*new), check=True, stdout=subprocess.DEVNULL)
    ready: Future[tuple[Opened, str]] = Future()
    loop = asyncio.new_event_loop()
    there = folder / "class"
    task = loop.create_task(_host(there, ready))
    thread = threading.Thread(target=_run, args=(loop, task, ready), daemon=True)
    thread.start()
    opened, url = ready.result(PATIENCE_S)
    try:
        codes = keep_codes(there, load_class(there).names)
        yield Class(there, opened, codes, int(url.rstrip("/").rpartition(":")[2]), language)
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join(PATIENCE_S)


def _run(loop: asyncio.AbstractEventLoop, task: asyncio.Task[None], ready: Future[Any]) -> None:
    try:
        loop.run_until_complete(task)
    except asyncio.CancelledError:
        pass
    except BaseException as error:
        if ready.done():
            raise
        ready.set_exception(error)


async def _host(folder: Path, ready: Future[tuple[Opened, str]]) -> None:
    """Hosts it, and says where it really is."""
    where = [""]

    def reached(url: str) -> str:
        where[0] = url
        return ADDRESS.replace("http", "ws")

    with Journal(folder) as journal:
        classroom = load_class(folder)
        await open_class(
            folder, classroom, journal, keep_codes(folder, classroom.names), read_entrance(folder),
            ServerOptions("127.0.0.1", 0),
            sandbox=True, runs=True, reached=reached, say=click.echo,
            ready=lambda opened: ready.set_result((opened, where[0])),
        )  # fmt: skip


class Pupil:
    """A pupil without a browser: a connection that does what their page would do."""

    def __init__(self, stack: ExitStack, there: Class, name: str) -> None:
        self._door = there.opened.entrance.code
        self._way = stack.enter_context(Program(there.port, f"page of {name}"[:24], "human"))
        self._way.ask("enter", code=self._door, personal=there.codes[name])
        self._line = threading.Lock()
        self.write(type="arrive")
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        """Reads what comes until the connection closes: a page that does not read is let go."""
        with suppress(ConnectionClosed):
            while True:
                with self._line:
                    self._way.ask("lobby", follow=False)
                time.sleep(1)

    def write(self, **letter: Any) -> None:
        """Writes a letter to the class."""
        with self._line:
            self._way.ask("write", code=self._door, text=json.dumps(letter))

    def hand_in(self, text: str) -> None:
        """Hands a program in."""
        self.write(type="submit", file=_("my_bot.py"), part=0, parts=1, text=text)


class Lesson:
    """A lesson, and who sees it."""

    def __init__(self, there: Class, room: Room) -> None:
        self._there = there
        self._room = room
        self._end = "" if there.language == "en" else f".{there.language}"
        self.desk = self.reader(viewport=DESKTOP)
        self.desk.go(f"/desk/{there.opened.entrance.code}")
        self.desk.page.fill("[name=secret]", there.opened.secret)
        self.desk.click("enter-desk")
        self.desk.page.wait_for_selector(".roll-table")

    def reader(self, **options: Any) -> Reader:
        """Somebody with a browser."""
        found = self._room.reader(locale=LOCALES[self._there.language], **options)
        found.url = f"http://127.0.0.1:{self._there.port}"
        found.page.set_default_timeout(PATIENCE_MS)
        return found

    def pupil(self, name: str, **options: Any) -> Reader:
        """A pupil who looks at the page."""
        found = self.reader(**options)
        found.go(f"/class/{self._there.opened.entrance.code}#{self._there.codes[name]}")
        found.page.wait_for_selector(".hall:visible")
        return found

    def take(self, page: Page, name: str) -> None:
        """Takes a picture when nothing moves any more."""
        page.wait_for_timeout(800)
        (FOLDER / f"{name}{self._end}.png").write_bytes(reduced(page.screenshot()))


def teach(there: Class, seen: Lesson, stack: ExitStack) -> None:
    """A lesson: programs are handed in, a league is played, a question is asked."""
    names = there.names
    pupils = {name: Pupil(stack, there, name) for name in names[:-3]}
    for name, best in zip(pupils, BEST, strict=True):
        pupils[name].hand_in(CHOOSES.format(best=best))
    crashing, hanging = seen.pupil(names[-3], viewport=TALL), Pupil(stack, there, names[-2])
    phone = seen.pupil(names[-1], **PHONE)
    _hand_in(crashing, CRASHES[there.language])
    hanging.hand_in(HANGS)
    _hand_in(phone, CHOOSES.format(best=GREEDY))
    crashing.page.wait_for_selector(".fault")
    _begin(seen.desk)
    wall = _wall(seen)
    wall.wait_for_selector(f".class-wall > .wall-status:text-matches('{BEGUN}')")
    seen.desk.page.wait_for_timeout(5000)
    seen.take(seen.desk.page, "class-desk")
    seen.take(wall, "class-wall")
    seen.take(crashing.page, "class-pupil")
    _ask(seen, [*pupils.values()], phone, wall)
    _write_a_bot(seen, phone.page, names[-1])


def _hand_in(reader: Reader, text: str) -> None:
    reader.page.set_input_files("#hand-file", {"name": _("my_bot.py"), "mimeType": "", "buffer": text.encode()})
    reader.page.wait_for_selector("[data-version='1'] .check:is(.works, .fails)")


def _begin(desk: Reader) -> None:
    """Begins a graded league of the programs, once all are checked."""
    desk.page.wait_for_selector(".roll-table:not(:has(.check:is(.waiting, .running)))")
    desk.click("begin")
    desk.page.check("[name=graded][value=graded]", force=True)
    desk.click("begin-league")


def _wall(seen: Lesson) -> Page:
    """The wall as a projector shows it."""
    with seen.desk.page.expect_popup() as popup:
        seen.desk.click("to-wall")
    popup.value.set_viewport_size(PROJECTOR)
    popup.value.set_default_timeout(PATIENCE_MS)
    return popup.value


def _ask(seen: Lesson, pupils: list[Pupil], phone: Reader, wall: Page) -> None:
    """A question, which all answer."""
    desk = seen.desk
    desk.click("ask")
    desk.page.fill("[name=setup-moves]", " ".join(POSITION))
    desk.click("setup-moves")
    desk.see_ply(len(POSITION))
    desk.page.click("[data-action=ask-this]:enabled")
    phone.page.wait_for_selector(".asked .cell[data-move]")
    for pupil, move in zip(pupils, REPLIES, strict=True):
        pupil.write(type="reply", question=1, move=move)
    phone.move(REPLIES[0])
    seen.take(phone.page, "class-pupil-phone")
    desk.click("reveal")
    wall.wait_for_selector(".verdict-said:not(:empty)")
    seen.take(wall, "class-question")
    desk.click("question-over")


def _write_a_bot(seen: Lesson, before: Page, name: str) -> None:
    """The studio, opened from the class on another machine than before, in the middle of a game."""
    before.close()
    reader = seen.pupil(name, viewport={"width": 1200, "height": 1040})
    reader.click("studio")
    page = reader.page
    page.wait_for_selector("[data-editor]")
    page.wait_for_selector(".studio > [role=status]:text-matches('is ready|est prêt')")
    page.wait_for_selector("[name=rival] option[value='human:level=3']", state="attached")
    page.select_option("[name=game]", "othello")
    page.select_option("[name=rival]", "human:level=3")
    reader.click("run")
    page.wait_for_selector(".moves li:nth-child(14)")
    page.evaluate("window.scrollTo(0, 0)")
    seen.take(page, "studio")


def print_cards(there: Class, seen: Lesson, path: Path) -> None:
    """The first rows of the sheet of cards."""
    done = ("class", "cards", str(there.folder), "--html", str(path))
    subprocess.run(command(*done), check=True, stdout=subprocess.DEVNULL)
    reader = seen.reader(viewport={"width": 760, "height": 440})
    reader.page.goto(path.as_uri())
    seen.take(reader.page, "class-cards")


def main() -> None:
    """Takes the pictures of the languages that were asked for."""
    asked = sys.argv[1:] or list(LANGUAGES)
    if len(asked) > 1:
        for language in asked:
            subprocess.run([sys.executable, "-m", "tools.class_screens", language], check=True)
        return
    set_language(asked[0])
    with TemporaryDirectory() as kept, ExitStack() as stack:
        folder = Path(kept)
        _have_a_studio(folder)
        there = stack.enter_context(lesson(folder, asked[0]))
        browser = stack.enter_context(browsing())
        room = stack.enter_context(Room(browser, there.port))
        seen = Lesson(there, room)
        teach(there, seen, stack)
        print_cards(there, seen, folder / "cards.html")


def _have_a_studio(folder: Path) -> None:
    """Installs the studio where this user has none."""
    from page.studio.installation import usable

    if usable() is None:
        os.environ["XDG_DATA_HOME"] = str(folder / "data")
        subprocess.run(command("studio", "install"), check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
