"""examples/classroom: each solution shows what its document shows, plays alone in a terminal, and joins a match."""

import asyncio
import contextlib
import importlib
import io
import random
import re
import subprocess
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import games
from bots.base import parse_bot
from bots.running.process import connect
from bots.running.runner import BotRunner, RunSettings
from client.connection import Client
from protocol.messages import Create, Finished, MakeMove, YourTurn
from tests.bots.search.documents import COLUMNS_002, EXAMPLES

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "classroom"
FILES = [
    # The document warns that its 4-ply examples take seconds.
    pytest.param(path, id=f"{path.parent.name}/{path.name}", marks=[pytest.mark.slow] * (path.name == "player.py"))
    for path in sorted(FOLDER.glob("*/*.py"))
]
PATIENCE_S = 60


def run(path: Path, *options: str, typed: str = "") -> str:
    """What a file prints when it is run in its own folder; it must not fail."""
    command = [sys.executable, "-X", "utf8", *options, path.name]
    done = subprocess.run(
        command, cwd=path.parent, input=typed, capture_output=True, encoding="utf-8", timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr
    return done.stdout


@contextlib.contextmanager
def solution(folder: str, module: str) -> Generator[Any]:
    """A module of one folder, which is forgotten afterwards: two folders have a main.py."""
    before = set(sys.modules)
    sys.path.insert(0, str(FOLDER / folder))
    try:
        yield importlib.import_module(module)
    finally:
        sys.path.remove(str(FOLDER / folder))
        for name in set(sys.modules) - before:
            del sys.modules[name]


def printed(*calls: Any) -> str:
    """What these functions print."""
    screen = io.StringIO()
    with contextlib.redirect_stdout(screen):
        for call in calls:
            call()
    return screen.getvalue()


class TestDocuments:
    @pytest.mark.parametrize("path", FILES)
    def test_its_examples_hold(self, path: Path) -> None:
        """The doctests, and the assertions of a file that runs when it is loaded."""
        assert run(path, "-m", "doctest") == ""

    def test_othello_shows_the_board_with_spaces_at_the_ends(self) -> None:
        with solution("othello", "Othello") as jeu:
            lines = printed(lambda: jeu.afficher_config(jeu.creer_config_init())).split("\n")
        assert lines[0] == "  1 2 3 4 5 6 7 8"
        assert lines[4] == "4 · · · □ ■ · · · "

    def test_othello_turns_the_discs_of_the_document(self) -> None:
        """000_f36bc23e995ed4a7.txt: incrementer_config changes the board that it is given."""
        with solution("othello", "Othello") as jeu:
            s = jeu.creer_config_init()
            s1 = jeu.incrementer_config(s, (3, 4), 1)
            jeu.incrementer_config(s1, (3, 3), 2)
            jeu.incrementer_config(s1, (6, 3), 2)
            jeu.incrementer_config(s1, (3, 5), 2)
            assert [row[2:5] for row in s[2:5]] == [[2, 0, 0], [2, 2, 1], [2, 2, 2]]
            board = [[0] * 8 for _ in range(8)]
            board[4:7] = [[2, 1, 2, 2, 1, 1, 1, 0], [1, 0, 1, 2, 1, 1, 1, 1], [0, 0, 2, 2, 0, 0, 1, 0]]
            jeu.incrementer_config(board, (2, 6), 2)
            assert board[5] == [1, 2, 2, 2, 1, 1, 1, 1]

    def test_othello_plays_by_the_rules(self) -> None:
        """Legal moves, discs turned, passes and the end, against our own rules through whole games."""
        rng = random.Random(5)
        with solution("othello", "Othello") as jeu:
            position, config = games.Othello().start(), jeu.creer_config_init()
            while position.outcome() is None:
                seat = int(position.to_move)
                moves = [chr(96 + x) + str(y) for x, y in jeu.creer_liste_coups_possibles(config, seat)]
                assert moves == list(position.legal_moves())
                move = rng.choice(moves)
                config = jeu.incrementer_config(config, (ord(move[0]) - 96, int(move[1])), seat)
                position = position.play(move)
                assert jeu.est_jeu_fini(config) is (position.outcome() is not None)
            assert (jeu.compte_pions(config, 1), jeu.compte_pions(config, 2)) == position.score()

    def test_tp23_plays_by_the_rules(self) -> None:
        rng = random.Random(6)
        with solution("tp23", "TP23") as tp:
            position, grille = games.Othello().start(), tp.initiale()
            while position.outcome() is None:
                couleur = int(position.to_move)
                before = [ligne[:] for ligne in grille]
                coup = rng.choice(tp.coups(grille, couleur))
                tp.jouer(grille, couleur, coup)
                tp.dejouer(grille, couleur, coup)
                assert grille == before
                tp.jouer(grille, couleur, coup)
                position = position.play("abcdefgh"[coup[1]] + str(coup[0] + 1))
                assert grille == [[int(position.cell(x, y) or 0) for x in range(8)] for y in range(8)]
            assert tp.fini(grille)
            first, second = position.score()
            assert tp.scoreNoir(grille) == first - second

    @pytest.mark.parametrize(("first", "second", "winner", "rows"), EXAMPLES[:2])
    def test_player_plays_the_games_of_the_document(
        self, first: int, second: int, winner: int, rows: list[str]
    ) -> None:
        """002_177ad5cba4f15bca.txt: the last boards of playGame (the third takes long; the bot `lookahead` has it)."""
        with solution("puissance4_classes", "player") as module:
            board = module.Board(7, 6)
            px, po = module.Player("X", "LEFT", first), module.Player("O", "LEFT", second)
            text = printed(lambda: board.playGame(px, po))
            assert [("".join(row)).replace(" ", "-") for row in board.data] == rows
            assert text.endswith(f"\n 0 1 2 3 4 5 6\n\n{'XO'[winner - 1]} wins!\n")
            assert text.startswith("| | | | | | | |\n")
            board.setBoard(COLUMNS_002)
            assert board.data[2] == [" ", " ", " ", " ", "X", " ", " "]

    def test_morpion_searches_agree_on_whether_a_line_of_play_wins(self) -> None:
        """Both walk through the same graph: one finds a line of play exactly where the other does."""
        rng = random.Random(7)
        with solution("morpion", "dfs_bfs") as search:
            for _ in range(40):
                grid, player = search.play([[0] * 3 for _ in range(3)], 1, 1, 1), 2
                for _ in range(rng.randrange(3, 7)):
                    line, col = rng.choice(search.get_free_cells(grid))
                    grid, player = search.play(grid, line, col, player), 3 - player
                if search.check_win(grid) == 0:
                    found = search.dfs_play(grid, player), search.bfs_play(grid, player)
                    assert (found[0] is None) is (found[1] is None)

    def test_main_is_one_file_for_all_games(self) -> None:
        """The document's point: only the rules differ from game to game."""
        othello, puissance4 = (
            (FOLDER / game / "main.py").read_text(encoding="utf-8") for game in ("othello", "puissance4")
        )
        assert othello.replace("Othello as jeu", "Puissance4 as jeu") == puissance4


PAIRS = [f"{x},{y}" for y in range(1, 9) for x in range(1, 9)]
COLUMNS = [str(column) for column in range(1, 8)]
CELLS = [f"{letter}{digit}" for digit in range(1, 9) for letter in "abcdefgh"]
LINES = [f"{line},{col}" for line in range(3) for col in range(3)]
SQUARES = [f"{x},{y}" for y in range(6) for x in range(7)]


@dataclass(frozen=True)
class Terminal:
    """A file played alone: what is typed first, all moves that may be typed, how often, and how it ends."""

    file: str
    first: tuple[str, ...]
    moves: list[str]
    verdict: str


TERMINALS = [
    *(
        Terminal("othello/main.py", (choice,), PAIRS, r"(Le gagnant est JOUEUR_\w+|  Egalité )\n=+\n")
        for choice in "123"
    ),
    *(Terminal("puissance4/main.py", (choice,), COLUMNS, r"(Le gagnant est \w+|  Egalité )\n=+\n") for choice in "123"),
    *(Terminal("tp23/TP23.py", (choice,), CELLS, r"Les (noirs|blancs) gagnent \([+-]\d+\)\.\n") for choice in "1234"),
    *(Terminal("puissance4_classes/player.py", (choice,), COLUMNS, r"(. wins|It's a draw)!\n") for choice in "123"),
    Terminal("puissance4_classes/board.py", (), COLUMNS, r"(. wins|It's a draw)!\n"),
    *(Terminal("morpion/play_tic_tac_toe.py", (choice,), LINES, r"(. gagne|Match nul)\.\n") for choice in "12345"),
    *(Terminal("adversaires/jeux.py", ("1", choice), SQUARES, r"(. gagne|Match nul)\.\n") for choice in "123"),
    *(Terminal("adversaires/jeux.py", ("2", choice), SQUARES, r"(. gagne|Match nul)\.\n") for choice in "123"),
]


@pytest.mark.parametrize("terminal", TERMINALS, ids=lambda terminal: f"{terminal.file} {' '.join(terminal.first)}")
@pytest.mark.slow
def test_it_plays_alone_in_a_terminal(terminal: Terminal) -> None:
    """A person types nonsense, then every move in turn: those that are not allowed are asked again."""
    typed = ["?", *terminal.first, "x", "", *(terminal.moves * 64)]
    output = run(FOLDER / terminal.file, typed="\n".join(typed) + "\n")
    assert re.search(f"{terminal.verdict}$", output), output[-500:]


def test_a_game_of_the_document_in_the_terminal() -> None:
    """000_f36bc23e995ed4a7.txt, third part: eight discs, typed by two people here; white has four in column 1."""
    output = run(FOLDER / "puissance4" / "main.py", typed="1\n2\n1\n3\n1\n3\n1\n4\n1\n")
    assert output.endswith(
        "  1 2 3 4 5 6 7\n  · · · · · · · \n  · · · · · · · \n  □ · · · · · · \n  □ · · · · · · \n  □ · ■ · · · · \n"
        "  □ ■ ■ ■ · · · \n====================\nLe gagnant est JOUEUR_BLANC\n====================\n"
    )


BOTS = [
    ("othello/main.py", "othello"),
    ("puissance4/main.py", "puissance4"),
    ("tp23/TP23.py", "othello:tie=last_mover"),
    pytest.param("tp23/TP23.py#jeuStupide", "othello", marks=pytest.mark.slow),
    ("puissance4_classes/player.py", "puissance4"),
    ("morpion/ai.py", "morpion"),
    ("carnets/joueur.ipynb", "puissance4"),
    ("carnets/jeux.ipynb", "morpion"),
    pytest.param("morpion/dfs_bfs.py", "morpion", marks=pytest.mark.slow),
    pytest.param("morpion/dfs_bfs.py#bfs_play", "morpion", marks=pytest.mark.slow),
    ("adversaires/jeux.py", "morpion"),
    ("adversaires/jeux.py", "puissance4"),
    pytest.param("adversaires/jeux.py", "morpion:width=4,height=4,k=4", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("file", "game"), BOTS, ids=lambda value: value)
@pytest.mark.slow
async def test_it_joins_a_match_unchanged(
    file: str, game: str, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match on a real server, its files in a process of their own, to its end by the rules."""
    spec = parse_bot(str(FOLDER / file))
    spec.prepare()
    rng = random.Random(8)
    complaints: list[str] = []
    async with asyncio.timeout(PATIENCE_S):
        bot = await connect(server, "pupil")
        runner = asyncio.create_task(BotRunner(bot, RunSettings(spec, "1", None, 1), complaints.append).run(None))
        async with Client(server, name="teacher", kind="human") as teacher:
            await teacher.request(Create, game=game, seat="second", invite=(bot.name,))
            async for message in teacher.messages():
                if isinstance(message, YourTurn):
                    teacher.send(MakeMove, match=message.match, ply=message.ply, move=rng.choice(message.legal))
                if isinstance(message, Finished):
                    assert message.result.reason in ("discs", "line", "full")
                    break
        await runner
        await bot.close()
    assert complaints == []
    told = capsys.readouterr().err
    if file.endswith(".ipynb"):
        assert "is a command of notebooks and no Python" in told
    else:
        assert all(" is asked. It also defines " in line for line in told.splitlines())
