"""Rows that several forms share: a game and its board, a clock, who begins, which bot is the opponent."""

from __future__ import annotations

from client.people.seating import Wish
from client.tui.forms import FormScreen, Option, Row
from games import GAMES, USUAL, parse
from locales import _, say
from protocol.timing import parse_clock
from terminal.phrases import clock_text, game_title

CLOCKS = ("none", "1m+1s", "3m+2s", "5m+3s", "15m+10s", "30s/move")
LEVELS = range(1, 11)
ALGORITHMS = ("random", "first", "lookahead:ply=2", "minimax:depth=2", "minimax:depth=4", "strong")
"""The bots beside the levels, weak ones first: the algorithms of class, and the strongest bot that plays any game."""


def game_rows(spec: str | None = None) -> tuple[Row, Row]:
    """Which game, and on which board."""
    chosen = parse(spec or USUAL).id
    games = tuple(Option(game_title(make()), name) for name, make in GAMES.items())
    boards = board_options(chosen)
    at = next((number for number, board in enumerate(boards) if board.value == spec), 0)
    return (
        Row("game", _("Game"), games, list(GAMES).index(chosen)),
        Row("board", _("Board"), boards, at),
    )


def board_options(name: str) -> tuple[Option, ...]:
    """The boards of a game: the usual one first, then all choices of its only option, or those that the game lists."""
    game = GAMES[name]()
    options, profile = game.options, game.profile
    others = (
        [f"{name}:{options[0].name}={choice}" for choice in options[0].choices if choice != options[0].default]
        if len(options) == 1
        else (*profile.boards, *profile.sizes)
    )
    return tuple(Option(_board(spec), spec) for spec in dict.fromkeys((name, *others)))


def adapt_board(form: FormScreen, changed: str) -> None:
    """Offers the boards of the game that was chosen."""
    if changed == "game":
        form.row("board").offer(board_options(form.row("game").value))


def clock_row(chosen: str = CLOCKS[0]) -> Row:
    """Which clock."""
    options = tuple(Option(clock_text(clock), clock) for clock in map(parse_clock, CLOCKS))
    return Row("clock", _("Clock"), options, CLOCKS.index(chosen))


def seat_row() -> Row:
    """Who begins."""
    return Row(
        "seat",
        _("Who begins"),
        (Option(_("by lot"), "random"), Option(_("I do"), "first"), Option(_("the other"), "second")),
    )


def level_row() -> Row:
    """The level of the bot that plays as people do."""
    return Row("level", _("Level"), tuple(Option(str(level), f"human:level={level}") for level in LEVELS), 2)


def algorithm_row() -> Row:
    """Which other bot to play instead."""
    options = (Option(_("none"), None), *(Option(name, name) for name in ALGORITHMS))
    return Row("algorithm", _("Or a bot of class"), options)


def wish_of(values: dict[str, object], **more: object) -> Wish:
    """What a form asks of a server."""
    chosen = {"game": values["board"], "clock": values.get("clock"), "seat": values.get("seat", "random"), **more}
    return Wish(**chosen)  # type: ignore[arg-type]  # the rows above hold what belongs there


def _board(spec: str) -> str:
    game = parse(spec)
    size = f"{game.width} x {game.height}"
    named = {"size", "width", "height"}
    more = [
        f"{say(option.label).lower() if option.label else option.name} {value}"
        for option in game.options
        if option.name not in named and (value := getattr(game, option.name)) != option.default
    ]
    return ", ".join((size, *more))
