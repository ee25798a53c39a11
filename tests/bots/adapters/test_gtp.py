"""GTP conversations, line by line: what engines are told, what they may answer, and how they fail.

The answers of the first ones are those of gtp-rhino 0.16.1; a `#` in a script is a comment of the engine.
"""

import pytest

import games
from bots.adapters.gtp import Gtp
from bots.adapters.pupils.patience import Deadline
from bots.base import RESIGN, BotFaultError, BotSpecError, Budget, MatchHistory, parse_bot
from games.base import position_after
from tests.bots.adapters.script import Script, ask, context

OTHELLO, PUISSANCE4, MORPION = map(games.parse, ("othello", "puissance4", "morpion"))

RHINO = """
> protocol_version
< = 2
<
> name
< = GTP GRhino
<
> list_commands
< = protocol_version
< boardsize
< list_games
< set_game
< time_settings
< time_left
<
> list_games
< = Othello
<
> set_game Othello
< =
<
> boardsize 8
< =
<
"""
"""What gtp-rhino is greeted with, and a part of its commands."""

BARE = """
> protocol_version
< ? unknown command
> name
< = bare
> list_commands
< ?
<
"""
"""An engine that knows little, and does not end its answers with an empty line where one line is enough."""


def greeted(script: str, rules: str = "othello") -> tuple[Gtp, Script]:
    """A talk whose engine has been greeted with the first part of the script."""
    table, lines = context(games.parse(rules), script)
    talk = Gtp(table)
    talk.greet(Deadline(60))
    return talk, lines


def fault_of(talk: Gtp, moves: str = "") -> BotFaultError:
    with pytest.raises(BotFaultError) as caught:
        ask(talk, OTHELLO, moves)
    return caught.value


def test_a_match_with_rhino() -> None:
    talk, lines = greeted(
        RHINO
        + """
        > clear_board
        < =
        <
        > play b F5
        < =
        <
        > genmove w
        < = D6
        <
        > play b C3
        < =
        <
        > genmove w
        < = D3
        <
        """
    )
    assert ask(talk, OTHELLO, "f5") == "d6"
    assert ask(talk, OTHELLO, "f5 d6 c3") == "d3"
    assert lines.is_over
    assert talk.farewell(MatchHistory()) == "quit"


def test_after_a_takeback_and_after_a_lost_answer_the_game_is_told_from_its_start() -> None:
    start = "> clear_board\n< ="
    talk, lines = greeted(
        f"""{BARE}{start}
        > play b F5
        < =
        > genmove w
        < = D6
        {start}
        > play b F5
        < =
        > play w F4
        < =
        > play b E3
        < =
        > genmove w
        < = D6
        {start}
        > genmove b
        < = C4
        """
    )
    assert ask(talk, OTHELLO, "f5") == "d6"
    assert ask(talk, OTHELLO, "f5 f4 e3") == "d6", "its d6 came too late: something else was played"
    assert ask(talk, OTHELLO, "") == "c4"
    assert lines.is_over


@pytest.mark.parametrize("answer", ["= d6", "=d6", "=12 D6", "= D6 # good", "=\\td6\\r", "=   d6   "])
@pytest.mark.parametrize("before", ["", "< \n", "< # thinking\n< Hello, I am an engine\n< \\r\n"])
def test_what_an_answer_may_look_like(answer: str, before: str) -> None:
    talk, _ = greeted(f"{BARE}> clear_board\n< = ok\n> play b F5\n< =9999\n> genmove w\n{before}< {answer}")
    assert ask(talk, OTHELLO, "f5") == "d6"


def passing() -> tuple[str, list[str]]:
    """A game whose last move leaves the opponent without one, and the same as an engine is told it, pass included."""
    position, moves, told = OTHELLO.start(), [], []
    while position.passed is None:
        moves.append(position.legal_moves()[0])
        told.append(f"play {'b' if position.to_move == 1 else 'w'} {moves[-1].upper()}")
        position = position.play(moves[-1])
    assert position.outcome() is None
    return " ".join(moves), [*told, f"play {'b' if position.passed == 1 else 'w'} pass"]


@pytest.mark.parametrize("heard", ["=", "? syntax error"])
def test_a_pass_is_told_and_may_be_refused(heard: str) -> None:
    """gtp-rhino passes by itself and answers `? syntax error`; it is not told of passes again."""
    moves, told = passing()
    position = position_after(OTHELLO, moves.split())
    colour, answer = "b" if position.to_move == 1 else "w", position.legal_moves()[0]
    script = "".join(f"> {command}\n< =\n" for command in told[:-1])
    genmove = f"> genmove {colour}\n< = {answer}\n"
    again = script if heard != "=" else f"{script}> {told[-1]}\n< =\n"
    talk, lines = greeted(
        f"{BARE}> clear_board\n< =\n{script}> {told[-1]}\n< {heard}\n{genmove}> clear_board\n< =\n> genmove b\n< = e6\n"
        f"> clear_board\n< =\n{again}{genmove}"
    )
    assert ask(talk, OTHELLO, moves) == answer
    assert ask(talk, OTHELLO, "") == "e6"
    assert ask(talk, OTHELLO, moves) == answer
    assert lines.is_over


def test_it_may_resign() -> None:
    talk, _ = greeted(f"{BARE}> clear_board\n< =\n> genmove b\n< = Resign")
    assert ask(talk, OTHELLO) == RESIGN


@pytest.mark.parametrize(
    ("answer", "reason", "message"),
    [
        ("= pass", "illegal", "engine answered 'pass': it passes, but it has a move"),
        ("= a1", "illegal", "engine answered 'a1': a1 would turn over no disc: every move must turn over at least one"),
        ("=", "illegal", "engine answered '': “” is not a move here"),
        ("? out of memory", "crash", "engine answered 'out of memory' to 'genmove b'"),
    ],
)
def test_answers_that_lose_the_match(answer: str, reason: str, message: str) -> None:
    talk, _ = greeted(f"{BARE}> clear_board\n< =\n> genmove b\n< {answer}")
    error = fault_of(talk)
    assert (error.reason, str(error)) == (reason, message)
    assert error.exchange[-1] == f"< {answer}"


def test_an_engine_that_refuses_a_move_is_quoted() -> None:
    talk, _ = greeted(f"{BARE}> clear_board\n< =\n> play b F5\n< ? illegal move")
    assert str(fault_of(talk, "f5")) == "engine answered 'illegal move' to 'play b F5'"


@pytest.mark.parametrize("said", [RHINO.partition("> boardsize")[0], BARE])
def test_a_board_that_it_does_not_know_is_no_fault(said: str) -> None:
    with pytest.raises(BotSpecError, match="engine does not play Othello \\(size=6\\): it says 'unacceptable size'"):
        greeted(f"{said}> boardsize 6\n< ? unacceptable size", "othello:size=6")


def test_silence_is_a_timeout() -> None:
    talk, _ = greeted(f"{BARE}> clear_board\n< =\n> genmove b")
    assert fault_of(talk).reason == "timeout"


def test_another_version_is_refused() -> None:
    table, _ = context(OTHELLO, "> protocol_version\n< = 3")
    with pytest.raises(BotFaultError, match="engine answered '3' to 'protocol_version'"):
        Gtp(table).greet(Deadline(60))


@pytest.mark.parametrize(
    ("budget", "settings", "left"),
    [
        (Budget(), "", ""),
        (Budget(remaining_ms=59_949, increment_ms=100), "> time_settings 59 0 0\n< =", "> time_left b 59 0\n< =\n"),
        (Budget(remaining_ms=59_950, increment_ms=100), "> time_settings 60 0 0\n< =", "> time_left b 60 0\n< =\n"),
        (Budget(remaining_ms=1_960, move_ms=2_000), "> time_settings 0 2 1\n< =", "> time_left b 2 1\n< =\n"),
        (Budget(remaining_ms=2_500, move_ms=2_600), "> time_settings 0 2 1\n< =", "> time_left b 2 1\n< ? later\n"),
    ],
)
def test_the_time_is_told_in_whole_seconds(budget: Budget, settings: str, left: str) -> None:
    start = "> clear_board\n< =\n"
    talk, lines = greeted(f"{RHINO}{start}{settings}\n{left}> genmove b\n< = d3\n{start}{left}> genmove b\n< = c4")
    assert ask(talk, OTHELLO, budget=budget) == "d3"
    assert ask(talk, OTHELLO, budget=budget) == "c4"
    assert lines.is_over


class TestOtherGames:
    def test_an_engine_says_which_games_it_plays(self) -> None:
        script = RHINO.partition("> boardsize")[0].replace("< = Othello", "< = Hex\n< Connect Four\n< Tic-Tac-Toe")
        for rules, name, opening, vertex, move in [
            ("puissance4", "Connect Four", "44", "D3", "4"),
            ("morpion", "Tic-Tac-Toe", "", "B1", "b1"),
        ]:
            size = "> boardsize 3\n< =\n" if rules == "morpion" else ""
            told = "> play b D1\n< =\n> play w D2\n< =\n" if opening else ""
            talk, lines = greeted(
                f"{script.replace('set_game Othello', f'set_game {name}')}{size}> clear_board\n< =\n{told}"
                f"> genmove b\n< = {vertex}",
                rules,
            )
            assert ask(talk, games.parse(rules), " ".join(opening)) == move
            assert lines.is_over

    def test_one_that_does_not_play_it_is_quoted(self) -> None:
        table, _ = context(MORPION, RHINO.partition("> set_game")[0])
        with pytest.raises(BotSpecError, match="engine does not play Tic-tac-toe: it says 'Othello'"):
            Gtp(table).greet(Deadline(60))

    def test_one_that_does_not_say_is_taken_to_play_othello(self) -> None:
        table, _ = context(PUISSANCE4, BARE)
        with pytest.raises(BotSpecError, match="engine does not say that it plays Connect Four"):
            Gtp(table).greet(Deadline(60))

    def test_columns_leave_out_the_letter_i(self) -> None:
        game = games.parse("othello:size=10")
        position = game.start()
        moves: list[str] = []
        while not any(move[0] in "ij" for move in moves):
            moves.append(max(position.legal_moves()))
            position = position.play(moves[-1])
        vertices = [move.replace("j", "k").replace("i", "j").upper() for move in moves]
        colours = "bw" * len(moves)
        told = "".join(
            f"> play {colour} {vertex}\n< =\n" for colour, vertex in zip(colours, vertices[:-1], strict=False)
        )
        start = "> boardsize 10\n< =\n> clear_board\n< =\n"
        genmove = f"> genmove {colours[len(moves) - 1]}\n< = {vertices[-1]}"
        talk, _ = greeted(f"{BARE}{start}{told}{genmove}", game.spec)
        assert ask(talk, game, " ".join(moves[:-1])) == moves[-1]


def test_a_game_whose_moves_are_two_cells_is_refused() -> None:
    with pytest.raises(BotSpecError, match="gtp does not play Breakthrough: it knows moves of one cell only"):
        parse_bot("gtp:command=true").check(games.parse("breakthrough"))
