"""What every game in GAMES keeps, whatever its rules: a new game is covered here without another line."""

import re
from collections.abc import Iterator, Sequence
from random import Random

import pytest

from bots.explain.reading import read_position
from bots.explain.text import draw_text
from bots.explain.tree import Counter, Explanation, Kind, Scale
from games import GAMES, Game, IllegalMove, Position, Reason, RulesError, Seat, parse
from games.base import refusal_words
from games.frame import Cell, move_name, rows_of
from games.perft import perft, perft_by_moves, playout
from locales import LANGUAGES, set_language
from protocol.bounds import MAX_MOVE
from terminal.board import Style
from terminal.text import cells_wide


def games() -> Iterator[Game]:
    """Each game with its usual rules, and with each value of each option that goes with the defaults of the others."""
    for name, kind in GAMES.items():
        yield parse(name)
        for option in kind.options:
            for value in option.choices:
                if value != option.default:
                    try:
                        game = parse(f"{name}:{option.name}={value}")
                    except RulesError:
                        continue  # a value that needs another one beside it
                    yield game


def line_of_play(game: Game, seed: int) -> Sequence[tuple[Position, str]]:
    """A random game: each position with the move that was played in it."""
    random = Random(seed)
    position = game.start()
    line: list[tuple[Position, str]] = []
    while moves := position.legal_moves():
        line.append((position, random.choice(moves)))
        position = position.play(line[-1][1])
    return line


def is_nobodys(game: Game, position: Position, cell: Cell) -> bool:
    """Whether a cell has a piece that nobody holds, as a line between dots, or nobody holds any, as seeds in pits."""
    x, y = cell
    piece = game.profile.look.piece(rows_of(game, position)[y][x])
    if piece is not None and piece.seat is None:
        return True
    return all(position.cell(x, y) is None for y in range(game.height) for x in range(game.width))


every_game = pytest.mark.parametrize("game", list(games()), ids=lambda game: game.spec)
every_seed = pytest.mark.parametrize("seed", range(3))


@every_game
def test_specification(game: Game) -> None:
    assert GAMES[game.id] is type(game)
    assert parse(game.spec) == game
    assert hash(parse(game.spec)) == hash(game)
    defaults = parse(game.id)
    assert (game == defaults) == (game.spec == game.id)
    for option in game.options:
        with pytest.raises(AttributeError):
            setattr(game, option.name, option.default)


@every_game
def test_start(game: Game) -> None:
    start = game.start()
    assert start == game.start()
    assert start.to_move is Seat.FIRST
    assert start.passed is None
    assert start.outcome() is None
    assert start.legal_moves()
    assert 1 <= game.width <= 26
    assert 1 <= game.height <= 26


@every_game
@every_seed
def test_line_of_play(game: Game, seed: int) -> None:
    """A game ends, by a rule; every position on the way has the same notation when it is read back."""
    line = line_of_play(game, seed)
    for position, move in line:
        assert position.outcome() is None
        legal = position.legal_moves()
        assert len(set(legal)) == len(legal)
        assert all(move.isascii() and move.isalnum() and len(move) <= MAX_MOVE for move in legal)
        child = position.play(move)
        assert child != position
        if cells := game.move_cells(position, move):
            assert cells[-1] == game.move_cell(position, move)
            assert child.cell(*cells[-1]) is position.to_move or is_nobodys(game, child, cells[-1])
        if child.passed or not game.profile.moves_again:
            assert child.to_move is (position.to_move if child.passed else position.to_move.other)
        assert child.passed in (None, position.to_move.other)
        assert game.position(child.notation) == child
        assert hash(game.position(child.notation)) == hash(child)
        assert game.parse_move(f" {move.upper()} ") == move
    position, move = line[-1]
    end = position.play(move)
    outcome = end.outcome()
    assert outcome is not None
    ending = game.profile.ending(outcome.termination)
    assert ending is not None
    assert outcome.winner is not None or ending.drawn is not None
    assert len(line) <= game.longest
    assert outcome.score == end.score()
    assert end.legal_moves() == ()
    for move in {move for _, move in line} | set(game.start().legal_moves()):
        with pytest.raises(IllegalMove) as refused:
            end.play(move)
        assert refused.value.reason is Reason.GAME_OVER


@every_game
@every_seed
def test_cells_are_the_notation(game: Game, seed: int) -> None:
    for position, _ in line_of_play(game, seed):
        cells = [position.cell(x, y) for y in range(game.height) for x in range(game.width)]
        signs, mover = position.notation.split(" ")[:2]  # what the position remembers besides may follow
        assert mover == ("X" if position.to_move is Seat.FIRST else "O")
        owners: dict[str, Seat | None] = {"-": None, "X": Seat.FIRST, "O": Seat.SECOND}
        owners |= {piece.sign: piece.seat for piece in game.profile.look.pieces}
        assert [owners[sign] for sign in signs] == cells


@every_game
@every_seed
def test_an_explained_position_is_read_back(game: Game, seed: int) -> None:
    """`explain --position` reads what `explain` prints: whose turn it is, and what a position remembers, too."""
    line = line_of_play(game, seed)
    last, move = line[-1]
    for position in (*(position for position, _ in line[:: 1 + len(line) // 12]), last.play(move)):
        explanation = Explanation(game, "none", Counter().node("", position, Kind.REPLIES), "", Scale.CALLS, None)
        for language in LANGUAGES:
            set_language(language)
            for style in (Style(), Style(ascii=True)):
                assert read_position(game, "\n".join(draw_text(explanation, style, 2))) == position


@every_game
def test_pieces_are_told_apart(game: Game) -> None:
    pieces = game.profile.look.pieces
    signs = ["-", "X", "O", *(piece.sign for piece in pieces)]
    assert len(set(signs)) == len(signs)
    for piece in pieces:
        assert len(piece.sign) == 1
        assert piece.sign.isascii()
        assert piece.sign.isalnum()
        assert 1 <= cells_wide(piece.drawn) == len(piece.drawn) <= 3
        assert piece.drawn.isprintable()
        assert " " not in piece.drawn
        assert piece.count is None or piece.seat is None
    for ascii_only in (False, True):
        glyphs = [game.profile.look.cell(sign, ascii_only=ascii_only) for sign in signs]
        assert len(set(glyphs)) == len(glyphs)
    counts = [piece.count for piece in pieces if piece.count is not None]
    assert len(set(counts)) == len(counts)
    assert all(count > 0 for count in counts)


@every_game
@every_seed
def test_the_terms_of_a_measure_add_up_to_it(game: Game, seed: int) -> None:
    for position, _move in line_of_play(game, seed):
        for measure in game.profile.measures:
            for seat in Seat:
                worth = measure.worth(position, seat)
                assert abs(worth) < 1_000_000
                if measure.terms is not None:
                    assert sum(term.worth for term in measure.terms(position, seat)) == worth


@every_game
@every_seed
def test_transcript(game: Game, seed: int) -> None:
    moves = tuple(move for _, move in line_of_play(game, seed))
    assert game.parse_transcript(game.format_transcript(moves)) == moves
    assert game.parse_transcript(" ".join(moves)) == moves or len(moves) == 1
    assert game.parse_transcript("") == ()


@every_game
def test_nonsense_is_refused(game: Game) -> None:
    start = game.start()
    for text in ("", "?", "z99", "0", "-1", "a0", "99,99", "é", "\0", "x" * 10_000, "9" * 10_000):
        with pytest.raises(IllegalMove) as typed:
            game.parse_move(text)
        assert typed.value.reason in (Reason.NOT_A_MOVE, Reason.OFF_BOARD)
        with pytest.raises(IllegalMove) as played:
            start.play(text)
        assert played.value.reason in (Reason.NOT_A_MOVE, Reason.OFF_BOARD)
        with pytest.raises(RulesError):
            game.position(text)


@every_game
@every_seed
def test_refusals_have_words(game: Game, seed: int) -> None:
    """Whatever is refused has a code of all games, or one that this game has a sentence for, in both languages."""
    own = {refusal.code for refusal in game.profile.refusals}
    assert len(own) == len(game.profile.refusals)
    assert not own & set(Reason)
    assert all(re.fullmatch("[a-z][a-z_]{0,23}", code) for code in own)
    line = line_of_play(game, seed)
    tried = sorted({move for position, _ in line for move in position.legal_moves()})
    for position, played in line:
        for move in (*Random(seed).sample(tried, min(len(tried), 20)), played[::-1], played + played):
            if move not in position.legal_moves():
                with pytest.raises(IllegalMove) as refused:
                    position.play(move)
                code = refused.value.reason
                assert code in own | set(Reason)
                words = refusal_words(game, code, "MOVE")
                assert (words is None) == (code not in own)
                assert words is None or not re.search("[{}]", words.english + words.french)
                assert words is None or not re.search(" [:;?!»]|« ", words.french)


@every_game
@every_seed
def test_moves_are_told_apart(game: Game, seed: int) -> None:
    """By their cells, or by a name: a player sees which is which."""
    for position, _ in line_of_play(game, seed):
        alike: dict[tuple[tuple[int, int], ...], list[str]] = {}
        for move in position.legal_moves():
            alike.setdefault(game.move_cells(position, move), []).append(move)
        for cells, moves in alike.items():
            if not cells or len(moves) > 1:
                for language in ("english", "french"):
                    names = [getattr(move_name(game, position, move), language) for move in moves]
                    assert len(set(names)) == len(names)
                    assert all(names)


@every_game
def test_perft(game: Game) -> None:
    start = game.start()
    assert perft(start, 0) == 1
    assert perft(start, 1) == len(start.legal_moves())
    for depth in (2, 3):
        if len(start.legal_moves()) ** depth < 20_000:
            assert perft(start, depth) == perft_by_moves(start, depth)


@every_game
def test_playout(game: Game) -> None:
    start = game.start()
    random = Random(1)
    winners = {playout(start, random) for _ in range(30)}
    assert winners <= {*Seat, None}
    assert start == game.start()
    assert playout(start, Random(5)) == playout(start, Random(5))
