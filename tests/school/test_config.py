"""The file of a class: what it means, what is written is read, and every mistake with its line."""

from __future__ import annotations

import pytest

from league.config import ConfigError, usual_for
from protocol.messages import Clock
from school.config import Classroom, Pupil, read_class, write_class

GOOD = """\
[class]
title = "Seconde 4"
game = "othello"
clock = "5s+0.05s"

[pupils]
"Léa M." = {whole = "Léa Martin", team = "Rouge"}
Zoé-2 = {}
"Tom" = {team = "Bleu"}
""".replace("Zoé-2", '"Zoé"')


def test_the_file_of_the_documentation() -> None:
    classroom = read_class(GOOD, "class.toml")
    assert (classroom.title, classroom.game, classroom.time) == ("Seconde 4", "othello", Clock(5000, 50))
    assert classroom.pupils == (Pupil("Léa M.", "Léa Martin", "Rouge"), Pupil("Zoé"), Pupil("Tom", "", "Bleu"))
    assert classroom.names == ("Léa M.", "Zoé", "Tom")


def test_what_is_left_out_is_as_the_game_wants_it() -> None:
    classroom = read_class('[class]\ntitle = "4"\ngame = "morpion"\n', "class.toml")
    assert classroom.pupils == ()
    assert classroom.clock == usual_for("morpion")["clock"]


@pytest.mark.parametrize("odd", ['Ada "the" 1st', "Ada \\ Bob", "Ada]", "[x] Ada", "Ada = {}", "Ada # Bob"])
def test_what_is_written_is_read(odd: str) -> None:
    classroom = Classroom(odd, "puissance4", "10s+0.1s", (Pupil(odd, f"{odd} Whole", "Team"), Pupil("Bob")))
    assert read_class(write_class(classroom), "class.toml") == classroom


@pytest.mark.parametrize(
    ("line", "replacement", "number", "said"),
    [
        ('game = "othello"', 'game = "chess"', 3, "chess"),
        ('game = "othello"', 'gam = "othello"', 3, "no key gam"),
        ('game = "othello"', "", 1, "[class] needs a game"),
        ('clock = "5s+0.05s"', 'clock = "soon"', 4, "no clock"),
        ('title = "Seconde 4"', 'title = "a\\u0007b"', 2, "title must be"),
        ('title = "Seconde 4"', f'title = "{"a" * 101}"', 2, "100"),
        ("[pupils]", "[pupil]", 6, "no section pupil"),
        ("[pupils]", "[[pupils]]", 1, "one pair of brackets"),
        ('"Tom" = {team = "Bleu"}', '"Tom" = "Bleu"', 9, '"Tom" = {}'),
        ('"Tom" = {team = "Bleu"}', '"Tom" = {group = "Bleu"}', 9, "no key group"),
        ('"Tom" = {team = "Bleu"}', '"Tom" = {team = 4}', 9, "team must be"),
        ('"Tom" = {team = "Bleu"}', '"Tom" = {team = "\u0391\u0434\u0430"}', 9, "letters of one alphabet"),
        ('"Tom" = {team = "Bleu"}', '"T\\u202eom" = {}', 6, "can't be a name"),
        ('"Tom" = {team = "Bleu"}', f'"{"T" * 25}" = {{}}', 9, "24 characters"),
        ('"Tom" = {team = "Bleu"}', '"zoé" = {}', 9, "look like it"),
        ('"Tom" = {team = "Bleu"}', '"Zoé" = {}', 9, "in the file already"),
        ('"Tom" = {team = "Bleu"}', "Tom", 9, "not TOML"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(line: str, replacement: str, number: int, said: str) -> None:
    assert line in GOOD
    with pytest.raises(ConfigError) as caught:
        read_class(GOOD.replace(line, replacement), "2nde4/class.toml")
    assert f"2nde4/class.toml, line {number}: " in str(caught.value)
    assert said in str(caught.value)


def test_a_class_has_room_for_as_many_as_a_roster() -> None:
    rows = "".join(f'"Pupil {number}" = {{}}\n' for number in range(257))
    with pytest.raises(ConfigError, match="257 names"):
        read_class(f'[class]\ntitle = "4"\ngame = "othello"\n[pupils]\n{rows}', "class.toml")
