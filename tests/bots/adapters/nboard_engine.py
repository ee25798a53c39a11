"""An NBoard engine for the tests, as a program of its own: plays the first legal move, and says what engines may say.

It holds its game to the rules: a move that it is told in a wrong position ends it.
"""

import re
import sys

from games import Othello, Position


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\r\n")
    sys.stdout.flush()


def follow(position: Position, move: str) -> Position:
    if move.upper() == "PA":
        assert position.passed is not None, "nobody has to pass here"
        return position
    return position.play(move.lower())


def main() -> None:
    position: Position = Othello().start()
    for line in sys.stdin:
        match line.split():
            case ["set", "depth", depth]:
                say("", f"set myname Scripted{depth}")
            case ["set", "game", *words]:
                position = Othello().start()
                for move in re.findall(r"[BW]\[(\w\w)\]", " ".join(words)):
                    position = follow(position, move)
            case ["move", move]:
                position = follow(position, move.partition("/")[0])
            case ["ping", number]:
                say(f"pong {number}")
            case ["go"]:
                best = position.legal_moves()[0].upper()
                say("status thinking", "nodestats 1 0.00", f"search {best} 0.50 0 1", f"=== {best} 0.50 0.0", "status")
            case ["quit"]:
                return
            case _:
                pass


if __name__ == "__main__":
    main()
