"""What every game offers: seats, positions, outcomes and the errors of a refused move.

A game is a frozen object that holds its options (`Othello(size=6)`); a position is immutable and hashable. Nothing here
knows a clock, a player's name or a connection: whose turn it is comes from the position alone.

What a game says of itself is made of named tuples: each process reads all of it when it starts, and a class that is a
frozen dataclass takes 0.4 ms to make, seven times as long.

Errors: GameError
        |-- IllegalMove     a move that the rules refuse, with its reason
        `-- RulesError      a game specification or a transcript that can't be read
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum, StrEnum
from typing import Any, ClassVar, NamedTuple, Protocol, Self


class Seat(IntEnum):
    """The two players, in the order in which they start: 1 is black (Othello), X (morpion), first (Puissance 4)."""

    FIRST = 1
    SECOND = 2

    @property
    def other(self) -> "Seat":
        """The opponent's seat."""
        return _SECOND if self is _FIRST else _FIRST


_FIRST, _SECOND = Seat.FIRST, Seat.SECOND  # a global is found faster than a member of an enumeration


class Termination(StrEnum):
    """The endings that several games share: codes like those that a game declares for itself (`Ending.code`)."""

    LINE = "line"
    DISCS = "discs"
    FULL = "full"


class Reason(StrEnum):
    """The reasons to refuse a move that several games share: codes like those that a game declares (`Refusal.code`)."""

    NOT_A_MOVE = "not_a_move"
    OFF_BOARD = "off_board"
    OCCUPIED = "occupied"
    FORBIDDEN = "forbidden"
    GAME_OVER = "game_over"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The end of a game by its rules.

    winner: the seat that won, None for a draw.
    termination: the rule that ended the game, by the code of one of the game's endings (`Profile.endings`).
    score: what each seat made, first then second: discs on the board in Othello, 1 for a win and 0 elsewhere.
    tournament_score: Othello only, the score with the empty squares given to the winner (half each in a draw).
    cells: the winning cells as 0-based (x, y), row 0 on top; every cell of every line that the last move completed.
    """

    winner: Seat | None
    termination: str
    score: tuple[int, int]
    tournament_score: tuple[int, int] | None = None
    cells: tuple[tuple[int, int], ...] = ()


class GameError(Exception):
    """Base of all errors of this package."""


class IllegalMove(GameError):  # noqa: N818 - the field's term; "IllegalMoveError" would say nothing more
    """A move that the rules refuse.

    move: what was tried. reason: the code of why; one of `Reason`, or of the game's own (`Profile.refusals`).
    """

    def __init__(self, move: str, reason: str) -> None:
        super().__init__(f"illegal move {move!r}: {reason}")
        self.move = move
        self.reason = reason


class Words(NamedTuple):
    """A text for people in both languages, which a game brings along; its placeholders are filled where it is used."""

    english: str
    french: str


class Phrase:
    """Words for people that others may put into another language: a template, and what its {placeholders} stand for.

    The templates are messages of the catalogue, or are there in both languages (`french`, else None); `locales.phrase`
    says one in the current language, str() in English.
    """

    __slots__ = ("french", "template", "values")

    def __init__(self, template: str | Words, **values: object) -> None:
        self.template = template.english if isinstance(template, Words) else template
        self.french = template.french if isinstance(template, Words) else None
        self.values = values

    def __str__(self) -> str:
        return self.template.format(**self.values) if self.values else self.template


class RulesError(GameError):
    """A game specification ("othello:size=7") or a transcript that can't be read; `phrase` says what to write."""

    def __init__(self, template: str | Words, **values: object) -> None:
        self.phrase = Phrase(template, **values)
        super().__init__(str(self.phrase))


_QUOTED = 40


def quote(text: str) -> str:
    """`text` as it may stand in an error message: escaped, and cut when it is long."""
    return repr(text if len(text) <= _QUOTED else text[:_QUOTED] + "...")


Value = int | str


class Option(NamedTuple):
    """One option: its name, the value it has when nothing is said, every value that it may take, and what it sets.

    label: what a form calls it, beginning with a capital; None if that is its name. values: what a form calls choices
    that are no numbers, in the order of `choices`.
    """

    name: str
    default: Value
    choices: tuple[Value, ...]
    meaning: str
    label: Words | None = None
    values: tuple[Words, ...] = ()

    @property
    def allowed(self) -> Phrase:
        """The choices in words: "1 to 10", "4, 6, 8 or 10", "draw or last_mover"."""
        first, last = self.choices[0], self.choices[-1]
        if isinstance(first, int) and isinstance(last, int) and 2 < len(self.choices) == last - first + 1:
            return Phrase("{first} to {last}", first=first, last=last)
        words = [str(choice) for choice in self.choices]
        if len(words) == 1:
            return Phrase(words[0])
        return Phrase("{others} or {last}", others=", ".join(words[:-1]), last=words[-1])

    def check(self, value: object) -> None:
        """Raises RulesError unless `value` is one of the choices."""
        if type(value) is not type(self.default) or value not in self.choices:
            raise self._refused(str(value))

    def read(self, text: str) -> Value:
        """The choice that is written `text`; raises RulesError."""
        for choice in self.choices:
            if str(choice) == text:
                return choice
        raise self._refused(text)

    def _refused(self, text: str) -> RulesError:
        return RulesError(
            "{option} must be {allowed}, not {text}", option=self.name, allowed=self.allowed, text=quote(text)
        )


class Position(Protocol):
    """One immutable, hashable position of a game.

    Equal positions have the same future: searches remember a position by its `__eq__` and `__hash__`.
    """

    @property
    def to_move(self) -> Seat:
        """Whose turn it is. In a game that is over, the seat whose turn it would be."""
        ...

    @property
    def passed(self) -> Seat | None:
        """The seat that was forced to pass between the last move and this position, if any."""
        ...

    def legal_moves(self) -> tuple[str, ...]:
        """Every legal move in a fixed order (rows from the top, columns from the left); empty once the game is over.

        A move is letters and digits, 16 at most: that is what can travel.
        """
        ...

    def play(self, move: str) -> Self:
        """The position after `move`; raises IllegalMove and changes nothing if the rules refuse it."""
        ...

    def outcome(self) -> Outcome | None:
        """The result by the rules, or None while the game goes on."""
        ...

    def score(self) -> tuple[int, int]:
        """What each seat has made so far, as `Outcome.score` counts it: discs in Othello, 1 for a win elsewhere."""
        ...

    def cell(self, x: int, y: int) -> Seat | None:
        """Who holds the cell in column `x`, row `y` (0-based, row 0 on top)."""
        ...

    @property
    def notation(self) -> str:
        """The whole position on one line: the cells, rows from the top, a space, X or O to move.

        A cell is X, O, - or the sign of a `Piece`. What a game remembers beside that (pieces in hand, a count of moves)
        follows, after another space.
        """
        ...


class Ending(NamedTuple):
    """One way in which the rules end a game.

    code: `Outcome.termination`; travels with the result. Small letters and underscores, at most 24.
    won: why the winner won, as a clause: "{k} in a line", where {k} stands for the game's option k.
    drawn: the sentence of a draw; None if this ending is never a draw.
    level: used instead of `won` if both seats have the same score.
    lost: instead of `won`, as told to the loser; needed where `won` speaks of "the opponent".
    """

    code: str
    won: Words
    drawn: Words | None = None
    level: Words | None = None
    lost: Words | None = None


class Refusal(NamedTuple):
    """One reason of a game's own to refuse a move.

    code: `IllegalMove.reason`; travels as `data.why` of an `illegal_move` error. Small letters and underscores, at most
    24; not one of `Reason`. words: a sentence; {move} stands for the move, {k} for the game's option k.
    """

    code: str
    words: Words


class MoveName(NamedTuple):
    """What people call the part of a move that names no cell: a pass, a swap, the piece that a pawn becomes.

    text: that part as moves have it, "q" of "e7e8q", "pass". words: for a button: "Pass", "Passer".
    """

    text: str
    words: Words


class Labels(Enum):
    """What stands around a drawn board.

    CELLS: columns numbered on top and lettered below, rows numbered from the top. COLUMNS: column numbers alone.
    FROM_BELOW: columns lettered below, rows numbered from the bottom, as in chess.
    """

    CELLS = "cells"
    COLUMNS = "columns"
    FROM_BELOW = "from_below"


class Colours(NamedTuple):
    """The colours of a board on a page, as CSS writes them: its cells, the pieces of both seats, an empty hole.

    other: every second cell of a chequered board, beginning beside the cell in the upper left corner; "" for no such.
    sign: what is written on a cell that nobody holds.
    """

    cell: str = "#2e7d4f"
    first: str = "#111111"
    second: str = "#f7f7f2"
    hole: str = "transparent"
    other: str = ""
    sign: str = "#ffffff"


@dataclass(frozen=True, slots=True)
class Piece:
    """What a cell can hold beside one usual piece of each seat: a king, an arrow that blocks it, four seeds.

    sign: how a notation writes it: one letter or digit, not X or O. name: what people call it. seat: whose it is; None
    if nobody holds such a cell. glyph: what drawings write on it: one to three characters, each one column wide,
    none a space, unlike those of other pieces. count: how many lie there, where cells are nobody's (`games.counts`);
    what programs get that get the board as rows.
    """

    sign: str
    name: Words
    seat: Seat | None = None
    glyph: str = ""
    count: int | None = None

    @property
    def drawn(self) -> str:
        """What drawings write on it."""
        return self.glyph or (self.sign if self.count is None else str(self.count))

    def written(self, *, ascii_only: bool) -> str:
        """What a terminal writes on it: `drawn`; the sign, if it has no Unicode and needs some for that."""
        return self.sign if ascii_only and not self.drawn.isascii() else self.drawn


class Look(NamedTuple):
    """How a board is drawn.

    glyphs, ascii_glyphs: an empty cell, a cell of the first seat, one of the second; with and without Unicode.
    signs: whether drawings show the signs of `ascii_glyphs` instead of discs. labels: what stands around the board.
    helps: whether the cells that one may play are marked. counts: what the score counts, "disc" and "discs": it then
    stands beside the names while a match goes on; None if it says nothing before the end. pieces: what else cells may
    hold.
    """

    glyphs: str = "·■□"
    ascii_glyphs: str = ".XO"
    signs: bool = False
    labels: Labels = Labels.CELLS
    helps: bool = False
    counts: tuple[Words, Words] | None = None
    colours: Colours = Colours()
    pieces: tuple[Piece, ...] = ()

    def piece(self, sign: str) -> Piece | None:
        """The piece that a notation writes with `sign`; None for X, O and -."""
        return next((piece for piece in self.pieces if piece.sign == sign), None)

    @property
    def widest(self) -> int:
        """How many characters the widest cell has: one, but where a piece has more."""
        return max((len(piece.drawn) for piece in self.pieces), default=1)

    def cell(self, sign: str, *, ascii_only: bool) -> str:
        """The text that stands for a cell which a notation writes with `sign`."""
        piece = self.piece(sign)
        if piece is not None:
            return piece.written(ascii_only=ascii_only)
        return (self.ascii_glyphs if ascii_only else self.glyphs)["-XO".index(sign)]


class Term(NamedTuple):
    """A term of an evaluation: how much of `label` a seat has, and how much its opponent has.

    each: what one of them is worth. theirs: 0 where the measure counts the seat's own alone.
    """

    label: Words
    own: int
    theirs: int
    each: int = 1

    @property
    def worth(self) -> int:
        """What this part adds."""
        return self.each * (self.own - self.theirs)


class Measure(NamedTuple):
    """What a position is worth to a seat that looks no further: the evaluation of searches.

    unit: what counts as one small advantage, such as a piece. A value must stay below 1,000,000.
    terms: the parts that add up to the worth; None if there is nothing to tell apart.
    """

    name: str
    worth: Callable[[Any, Seat], int]
    unit: int = 1
    terms: Callable[[Any, Seat], tuple[Term, ...]] | None = None


class Profile(NamedTuple):
    """What a game says of itself beside its rules: everything that the rest of Arbitre wants to know of it.

    endings: every ending that its rules know.
    refusals: why its rules refuse a move, beside what `Reason` says.
    title: what people call it in a sentence; None if that is its id.
    aliases: what programs of others call it, in small letters, without spaces and hyphens.
    move_names: what people call moves, or parts of them, that name no cell; where several moves have the same cells,
    players choose by these names.
    typed: how to type a move, as it follows "Your move"; {move} stands for an example: ", like {move}".
    look: how its board is drawn.
    boards: other specifications, small and odd ones, for counts to check against and for `bot check`.
    sizes: more of them, which `bot check` plays: large ones, and others on which a bot may fail.
    passes: whether a seat may have to pass.
    moves_again: whether a seat may move again though the opponent need not pass, as one that closes a box.
    worth: what the values of its own solver say; None where it has none, or where they are 1, 0 and -1. measures: what
    generic searches value a position by: the first by default, without any the score.
    demo: the bots of `demo`: two that differ, neither of which thinks long. demo_clock: their clock.
    openings, league_clock: the defaults of a league for its openings and its clock; without openings of its own they
    are random, as deep as the board needs for enough of them.
    """

    endings: tuple[Ending, ...]
    refusals: tuple[Refusal, ...] = ()
    title: Words | None = None
    aliases: tuple[str, ...] = ()
    move_names: tuple[MoveName, ...] = ()
    typed: Words = Words(", like {move}", ", par exemple {move}")
    look: Look = Look()
    boards: tuple[str, ...] = ()
    sizes: tuple[str, ...] = ()
    passes: bool = False
    moves_again: bool = False
    worth: Words | None = None
    measures: tuple[Measure, ...] = ()
    demo: tuple[str, str] = ("minimax:depth=3", "minimax:depth=1")
    demo_clock: str = "1m+1s"
    openings: str = ""
    league_clock: str = "10s+0.1s"

    def ending(self, code: str) -> Ending | None:
        """The ending of that code; None if this game has none."""
        return next((ending for ending in self.endings if ending.code == code), None)

    def refusal(self, code: str) -> Refusal | None:
        """The refusal of that code; None if this game has none of its own."""
        return next((refusal for refusal in self.refusals if refusal.code == code), None)


class Game(Protocol):
    """The rules with their options; immutable and hashable. `games.options.Rules` has what most games share."""

    id: ClassVar[str]
    options: ClassVar[tuple[Option, ...]]
    """Every option, in the order in which `spec` writes them."""
    guide: ClassVar[str]
    """The rules for beginners, in Markdown: start, moves, passes, end, score. For docs/protocol.md."""
    profile: ClassVar[Profile]
    """What it says of itself beside its rules."""

    @property
    def width(self) -> int:
        """Columns of the board."""
        ...

    @property
    def height(self) -> int:
        """Rows of the board."""
        ...

    @property
    def longest(self) -> int:
        """No game has more moves than this."""
        ...

    @property
    def usual(self) -> int:
        """About as many moves as a game has, and no more than `longest`: bots share out their time by it."""
        ...

    @property
    def spec(self) -> str:
        """The shortest text that `games.parse` turns into this game: "othello", "morpion:width=5,height=5,k=4"."""
        ...

    def start(self) -> Position:
        """The initial position."""
        ...

    def position(self, notation: str) -> Position:
        """The position that a `notation` describes; raises RulesError."""
        ...

    def parse_move(self, text: str) -> str:
        """The move ("d3") that a person typed as "D3", " d3 " or "4,3" (x,y from 1).

        Raises IllegalMove with the reason NOT_A_MOVE or OFF_BOARD.
        """
        ...

    def move_cell(self, position: Position, move: str) -> tuple[int, int]:
        """The 0-based cell (x, y) that `move` fills in `position` (a Puissance 4 disc falls).

        The last of `move_cells`; call it only for a move that has one.
        """
        ...

    def move_cells(self, position: Position, move: str) -> tuple[tuple[int, int], ...]:
        """The cells by which a hand makes `move`, in that order.

        It is the one cell that the move fills; or those from where and to where it goes, with the ones between on which
        it rests. A move that is no place on the board, such as a pass, has none.

        Several moves may have the same cells: a pawn that becomes a queen or a knight. Their names tell them apart.
        Cells that change as a consequence, such as flipped discs, are not among them.
        """
        ...

    def parse_transcript(self, text: str) -> tuple[str, ...]:
        """The moves of a game from its start ("f5d6c3", "4453", "b2 a1"), each checked; passes may be written or not.

        Raises RulesError, IllegalMove.
        """
        ...

    def format_transcript(self, moves: Sequence[str]) -> str:
        """The moves as one text that `parse_transcript` reads back; passes are not written."""
        ...


def with_side(game: Game, position: Position, seat: Seat) -> Position:
    """The same board, with all that is remembered beside it, and `seat` to move; raises RulesError."""
    cells, _mover, *remembered = position.notation.split(" ", 2)
    return game.position(" ".join((cells, "XO"[seat - 1], *remembered)))


def position_after(game: Game, moves: Iterable[str]) -> Position:
    """The position that `moves` lead to from the start of `game`; raises IllegalMove."""
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position


def ending_words(
    game: Game, code: str, winner: int | None, score: tuple[int, int], *, to_loser: bool = False
) -> Words | None:
    """Why the winner won, or the sentence of a draw, by the code of the ending; None if the game has no such ending."""
    ending = game.profile.ending(code)
    if ending is None:
        return None
    is_level = ending.level is not None and score[0] == score[1]
    won = ending.lost if to_loser and ending.lost is not None else ending.won
    words = ending.drawn if winner is None else ending.level if is_level else won
    return words and _filled(words, option_values(game))


def refusal_words(game: Game, code: str, move: str) -> Words | None:
    """Why `game` refuses `move`, by the code of a refusal of its own; None for all other codes."""
    refusal = game.profile.refusal(code)
    return None if refusal is None else _filled(refusal.words, {**option_values(game), "move": move})


def option_values(game: Game) -> dict[str, Value]:
    """The options of `game` with their values."""
    return {option.name: getattr(game, option.name) for option in game.options}


def _filled(words: Words, values: dict[str, Value]) -> Words:
    return Words(words.english.format(**values), words.french.format(**values))
