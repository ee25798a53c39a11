"""What hypothesis draws for the rules: games with their options, and games played at random."""

from random import Random

from hypothesis import strategies as st

from games import Game, Morpion, Othello, Position, Puissance4


@st.composite
def boards(draw: st.DrawFn) -> tuple[int, int, int]:
    """Width, height and k of a game that a line wins."""
    width, height = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    if width == height == 1:
        width = 2
    return width, height, draw(st.integers(2, max(width, height)))


def othellos() -> st.SearchStrategy[Game]:
    """Othello with any options."""
    return st.builds(Othello, size=st.sampled_from((4, 6, 8, 10)), tie=st.sampled_from(("draw", "last_mover")))


def games() -> st.SearchStrategy[Game]:
    """Any game with any options; the usual boards often."""
    usual = st.sampled_from((Othello(), Puissance4(), Morpion()))
    return st.one_of(
        usual,
        othellos(),
        boards().map(lambda board: Puissance4(*board)),
        boards().map(lambda board: Morpion(*board)),
    )


@st.composite
def lines_of_play(draw: st.DrawFn, game: Game) -> list[str]:
    """The moves of a random game, to its end or to some ply before it."""
    random = Random(draw(st.integers(0, 2**32)))
    plies = draw(st.one_of(st.none(), st.integers(0, 100)))
    moves: list[str] = []
    position = game.start()
    while legal := position.legal_moves():
        if len(moves) == plies:
            break
        moves.append(random.choice(legal))
        position = position.play(moves[-1])
    return moves


@st.composite
def positions(draw: st.DrawFn) -> tuple[Game, list[str], Position]:
    """A game, the moves of a random line of play, and the position that they lead to."""
    game = draw(games())
    moves = draw(lines_of_play(game))
    position = game.start()
    for move in moves:
        position = position.play(move)
    return game, moves, position
