"""What holds for every bot in the table, in every game: a new one is covered without another line."""

import random
from collections.abc import Iterator, Mapping

import pytest

import games
from bots.base import BOTS, UNLIMITED, BotSpec, BotSpecError, Budget, Option, load_family, parse_bot
from bots.classroom.minimax_search import MOST_CELLS
from games import GAMES, Game, Seat

SIZES = [
    "othello:size=4",
    "othello:size=6,tie=last_mover",
    "morpion:width=5,height=4,k=4",
    "puissance4:width=5,height=4,k=3",
    "breakthrough:size=4",
]
RULES = [*GAMES, *SIZES]
CLOCK = Budget(remaining_ms=60_000, increment_ms=1000, opponent_ms=60_000)

A_MOMENT = Budget(remaining_ms=40, move_ms=40)

AGAINST_TIME = {"perfect"}
"""Families that search until the time is up: what they play depends on it, so it is only seen to be legal, and fast."""

SMALL = {"puissance4": ("puissance4:width=4,height=4",)}
"""Boards besides those that a game names, for families that play small ones only."""

PLAYS = {"perfect": ("puissance4", "morpion")}
"""The games of families that don't play them all."""


def values_of(option: Option) -> list[int | str]:
    """All words of an option, or its lowest numbers: quick enough, and where the edges are."""
    assert option.values is not None, "only adapters take any text"
    return list(option.values) if isinstance(option.values, tuple) else list(option.values[:3])


def variants() -> Iterator[BotSpec]:
    """Every family with its defaults, and with each value of each option."""
    for name in BOTS:
        family = load_family(name)
        quick: Mapping[str, int | str] = {
            option.name: option.values[1] for option in family.options if isinstance(option.values, range)
        }
        yield BotSpec(family, quick)
        for option in family.options:
            for value in values_of(option):
                yield BotSpec(family, {**quick, option.name: value})


VARIANTS = {bot.spec: bot for bot in variants()}


def suits(bot: BotSpec, game: Game) -> bool:
    try:
        bot.check(game)
    except BotSpecError:
        return False
    return True


QUICK = {next(spec for spec, bot in VARIANTS.items() if bot.family.name == name) for name in BOTS}
"""The first variant of each family: it plays on boards of other sizes too, in the usual run."""

PAIRS = [
    pytest.param(
        bot, game, id=f"{spec}-{game.spec}", marks=pytest.mark.slow if game.spec in SIZES and spec not in QUICK else ()
    )
    for spec, bot in VARIANTS.items()
    for game in map(games.parse, RULES)
    if suits(bot, game)
]


def play(bot: BotSpec, game: Game, seed: int, budget: Budget) -> list[str]:
    """The moves of a game of a bot against itself; `play` raises if one is illegal."""
    players = {seat: bot.make(game, seat, random.Random(f"{seed}:{seat}")) for seat in Seat}
    position, moves = game.start(), []
    while position.outcome() is None:
        moves.append(players[position.to_move].choose(position, budget))
        assert moves[-1] in position.legal_moves()
        position = position.play(moves[-1])
    return moves


@pytest.mark.parametrize(("bot", "game"), PAIRS)
def test_legal_to_the_end_and_the_same_again_under_the_same_seed(bot: BotSpec, game: Game) -> None:
    if bot.family.name in AGAINST_TIME:
        play(bot, game, 1, A_MOMENT)
        return
    assert play(bot, game, 1, UNLIMITED) == play(bot, game, 1, CLOCK)


@pytest.mark.parametrize(("bot", "game"), PAIRS)
def test_a_position_is_asked_about_out_of_the_blue(bot: BotSpec, game: Game) -> None:
    """A bot may be asked about any position at any time: after a takeback, a reconnect, a forced pass."""
    rng, position = random.Random(5), game.start()
    player = bot.make(game, Seat.FIRST, random.Random(1))
    budget = A_MOMENT if bot.family.name in AGAINST_TIME else UNLIMITED
    for _ in range(6):
        assert player.choose(position, budget) in position.legal_moves()
        after = position.play(rng.choice(position.legal_moves()))
        if after.outcome() is not None:
            break
        position = after


@pytest.mark.parametrize("spec", VARIANTS)
def test_its_text_reads_back(spec: str) -> None:
    assert parse_bot(spec) == VARIANTS[spec] or parse_bot(spec).options == VARIANTS[spec].options
    assert parse_bot(spec).spec == spec


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("game", GAMES)
def test_every_family_plays_every_game_with_its_defaults(name: str, game: str) -> None:
    """Perhaps on small boards only; then it says of larger ones which boards it takes."""
    if game not in PLAYS.get(name, GAMES):
        return
    boards = [games.parse(spec) for spec in (game, *GAMES[game].profile.boards, *SMALL.get(game, ()))]
    for board in sorted(boards, key=lambda board: board.width * board.height):
        try:
            parse_bot(name).check(board)
        except BotSpecError as error:
            said = str(error)
            assert "boards of at most" in said or "games of at most" in said
            assert board.width * board.height > MOST_CELLS


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_says_whether_it_answers_at_once(name: str) -> None:
    bot = parse_bot(name).make(games.parse("morpion"), Seat.FIRST, random.Random(1))
    assert isinstance(bot.instant, bool)
    assert bot.on_thought is None
