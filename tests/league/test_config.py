"""The file of a league: what it means, and every mistake with its line."""

from dataclasses import replace

import pytest

from league.command_line import named
from league.config import (
    ConfigError,
    League,
    of_options,
    presentable,
    read_league,
    usual_for,
    wrong_bot,
)
from league.pairing.schedule import Format
from protocol.messages import Clock, Network

GOOD = """\
[league]
name = "Seconde 4"
game = "othello"              # or "morpion:width=5,height=5,k=4"
format = "round-robin"
games_per_pair = 2
clock = "5s+0.05s"
openings = "random:plies=4"
seed = 7
[[bot]]
name = "Ada"
run = "minimax:depth=2"
anchor = 1000
[[bot]]
name = "Bob"
run = "random"
"""


def test_the_file_of_the_documentation() -> None:
    league = read_league(GOOD, "league.toml")
    assert (league.name, league.game, league.seed) == ("Seconde 4", "othello", "7")
    assert league.time == Clock(5000, 50)
    assert league.plan.format is Format.ROUND_ROBIN
    assert [(bot.name, bot.run, bot.anchor) for bot in league.bots] == [
        ("Ada", "minimax:depth=2", 1000.0),
        ("Bob", "random", None),
    ]
    assert League.from_dict(league.as_dict()) == league


@pytest.mark.parametrize(
    ("line", "replacement", "number", "said"),
    [
        ('game = "othello" ', 'game = "chess" ', 3, "chess"),
        ("games_per_pair = 2", "games_per_pair = 3", 5, "even"),
        ("games_per_pair = 2", 'games_per_pair = "2"', 5, "even"),
        ("seed = 7", "sed = 7", 8, "no key sed"),
        ("seed = 7", "seed = [7]", 8, "seed must be"),
        ('clock = "5s+0.05s"', 'clock = "soon"', 6, "no clock"),
        ('format = "round-robin"', 'format = "robin"', 4, "round-robin, gauntlet, swiss, knockout, ladder"),
        ('name = "Bob"', 'name = "ADA"', 14, "two bots"),
        ('name = "Bob"', 'name = "\u0391\u0434\u0430"', 14, "letters of one script"),
        ('name = "Bob"', f'name = "{"B" * 25}"', 14, "24 characters"),
        ('name = "Bob"', 'name = "B\\u202eob"', 14, "nothing that can't be seen"),
        ('name = "Bob"', 'name = "!?"', 14, "a letter or a digit"),
        ('run = "random"', 'rum = "random"', 15, "no key rum"),
        ("anchor = 1000", 'anchor = "strong"', 12, "a number"),
        ("seed = 7", 'seed = 7\nsprt = "elo0=5"', 9, "no test"),
        ("seed = 7", 'seed = 7\noutage = "wait"', 9, "one of pause, clock"),
        ("seed = 7", "seed = 7\noutage_s = 0", 9, "from 1 to 3600"),
        ("seed = 7", "seed = 7\nlag = true", 9, "one of charged, forgiven"),
        ("seed = 7", "seed = = 7", 8, "TOML"),
        ("seed = 7", 'seed = "\\u001b[31m"', 8, "a text in quotes"),
        ('name = "Seconde 4"', 'name = "4\\u202e"', 2, "characters that can be seen"),
        ('name = "Seconde 4"', f'name = "e{chr(0x301) * 9}"', 2, "characters that can be seen"),
        ('name = "Seconde 4"', f'name = "{"x" * 4001}"', 2, "at most 4000"),
        ("seed = 7", f"seed = {'9' * 5000}", 1, "a number is too long"),
        ("seed = 7", f"seed = {'[' * 5000}", 1, "brackets"),
        ("seed = 7", f"seed{'.a' * 2000} = 7", 8, "this line is too long"),
        ('name = "Seconde 4"\n', "", 1, "needs a name"),
        ("[[bot]]", "[bot]", 9, "two brackets"),
        ("[league]", "[liga]", 1, "no section liga"),
    ],
)
def test_a_mistake_is_told_with_its_line(line: str, replacement: str, number: int, said: str) -> None:
    text = GOOD.replace(line, replacement, 1)
    if line == "[[bot]]":
        text = text[: text.rindex("[[bot]]")]
    assert text != GOOD
    with pytest.raises(ConfigError) as wrong:
        read_league(text, "league.toml")
    assert str(wrong.value).startswith(f"league.toml, line {number}:")
    assert said in str(wrong.value)


def test_a_league_has_no_more_bots_than_can_meet() -> None:
    rows = "".join(f'[[bot]]\nname = "b{number}"\n' for number in range(1001))
    with pytest.raises(ConfigError, match=r"line 2004: 1001 bots are too many"):
        read_league(f'[league]\nname = "x"\ngame = "morpion"\n{rows}', "league.toml")


def test_a_bot_that_can_not_be_run_is_told_with_its_line() -> None:
    assert str(wrong_bot(GOOD, "league.toml", 2, "Bob: why")) == "league.toml, line 15: Bob: why"


def test_a_test_is_for_two() -> None:
    text = GOOD.replace("seed = 7", 'seed = 7\nsprt = "elo0=0,elo1=10,model=normalized"')
    test = read_league(text, "league.toml").test
    assert test is not None
    assert (test.elo0, test.elo1, test.model.value) == (0, 10, "normalized")
    with pytest.raises(ConfigError, match="two bots"):
        read_league(text + '[[bot]]\nname = "Cleo"\nrun = "first"\n', "league.toml")


def test_a_test_goes_on_until_it_is_decided_unless_it_has_a_bound() -> None:
    described = replace(read_league(GOOD, "league.toml"), games_per_pair=None, sprt="elo0=0,elo1=10")
    assert described.plan.is_endless
    assert not replace(described, games_per_pair=2).plan.is_endless
    assert not replace(described, rounds=5).plan.is_endless
    assert not replace(described, sprt="").plan.is_endless
    assert replace(described, sprt="").plan.games_per_pair == 2
    with pytest.raises(ConfigError, match="round robin"):
        of_options(described, {"format": "swiss"})


def test_bots_of_the_command_line_get_names_of_their_own() -> None:
    bots = named(["random", "random", "folder/my_bot.py", "minimax:depth=4,eval=positional"])
    assert [bot.name for bot in bots] == ["random", "random 2", "my_bot", "minimax:depth=4,eval=pos"]
    assert [bot.run for bot in bots][2] == "folder/my_bot.py"


def test_bots_of_the_command_line_get_names_that_servers_take() -> None:
    bots = named(["\u03b1\u03b2_bot.py", "bot0.py", "botO.py", "\u0431\u043e\u0442.py", "--.py"])
    assert [bot.name for bot in bots] == ["bot", "bot0", "botO 2", "\u0431\u043e\u0442", "bot 2"]
    assert presentable("TP 3: \u03a9mega", "league") == "league"


def test_two_bots_whose_names_look_alike_are_refused() -> None:
    text = GOOD.replace('name = "Ada"', 'name = "\u0392\u039f\u0392"')  # Greek
    with pytest.raises(ConfigError, match="look like it"):
        read_league(text, "league.toml")


def test_options_stand_above_the_file() -> None:
    league = of_options(read_league(GOOD, "league.toml"), {"games_per_pair": 10, "clock": "none"})
    assert (league.games_per_pair, league.time) == (10, None)
    with pytest.raises(ConfigError, match="--games must be an even number"):
        of_options(league, {"games_per_pair": 5})


@pytest.mark.parametrize("key", ["seed", "clock", "name", "openings"])
def test_half_a_character_is_no_text(key: str) -> None:
    with pytest.raises(ConfigError, match=key):
        of_options(read_league(GOOD, "league.toml"), {key: "\udcff"})


def test_what_a_bot_says_of_its_process() -> None:
    said = GOOD.replace("seed = 7", "seed = 7\nponder = true").replace(
        'run = "random"', 'run = "bob/"\npython = "python3.12"\nmany_games = false\nponder = true'
    )
    league = read_league(said, "league.toml")
    ada, bob = league.bots
    assert (league.ponder, bob.python, bob.many_games, bob.ponder) == (True, "python3.12", False, True)
    assert (ada.python, ada.many_games, ada.ponder) == ("", None, None)
    assert League.from_dict(league.as_dict()) == league
    assert "ponder" not in read_league(GOOD, "league.toml").as_dict(), "logs of before are as they were"
    with pytest.raises(ConfigError, match="line 18: many_games must be true or false"):
        read_league(said.replace("many_games = false", 'many_games = "no"'), "league.toml")


def test_what_a_league_does_about_the_network() -> None:
    assert read_league(GOOD, "league.toml").network == Network("pause", 120_000, "charged")
    said = GOOD.replace("seed = 7", 'seed = 7\noutage = "clock"\noutage_s = 30\nlag = "forgiven"')
    assert read_league(said, "league.toml").network == Network("clock", 30_000, "forgiven")


def test_a_league_that_was_begun_before_goes_on_as_it_was() -> None:
    data = read_league(GOOD, "league.toml").as_dict()
    for key in ("outage", "outage_s", "lag"):
        del data[key]
    assert League.from_dict(data).network.outage == "clock"


def test_bots_of_the_command_line_may_be_given_names() -> None:
    words = [
        "new=gtp:/opt/otto/otto gtp 2",
        "gtp:/opt/otto/otto gtp 2",
        "old=minimax:depth=2",
        "minimax:depth=2",
        "./a=b.py",
    ]
    assert [(bot.name, bot.run) for bot in named(words)] == [
        ("new", "gtp:/opt/otto/otto gtp 2"), ("otto gtp 2", "gtp:/opt/otto/otto gtp 2"), ("old", "minimax:depth=2"),
        ("minimax:depth=2", "minimax:depth=2"), ("a=b", "./a=b.py"),
    ]  # fmt: skip


@pytest.mark.parametrize(("game", "openings"), [("othello", 7), ("puissance4", 6), ("breakthrough", 4), ("morpion", 3)])
def test_a_test_begins_from_openings_that_hardly_repeat(game: str, openings: int) -> None:
    """Else engines that play the same games again are judged as if these were others."""
    pair = named(["first", "random"])
    plain = of_options(League("x", game, pair, **usual_for(game)), {})
    assert plain.openings == usual_for(game)["openings"]
    tested = of_options(plain, {"sprt": "elo0=0,elo1=10"})
    assert tested.openings == f"random:plies={openings}"
    chosen = of_options(plain, {"sprt": "elo0=0,elo1=10", "openings": "two-ply"})
    assert chosen.openings == "two-ply"
    bots = "".join(f'[[bot]]\nname = "{name}"\nrun = "random"\n' for name in "ab")
    read = read_league(f'[league]\nname = "x"\ngame = "{game}"\nsprt = "elo0=0,elo1=10"\n{bots}', "x.toml")
    assert read.openings == f"random:plies={openings}"
