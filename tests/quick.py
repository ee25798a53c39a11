"""What `run.py test --quick` leaves out: tests that start processes, open many sockets, search far or play long.

What stays are the rules, the protocol, the referee's core, the pure parts of leagues and bots, and the documentation:
what most changed lines break first. All that is left out here runs without --quick, and before anything is released.
"""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent

LEFT_OUT = {
    "benchmarks": "benchmarks, started",
    "bots/adapters": "programs of others, in processes",
    "bots/check": "bots that are checked, in processes",
    "bots/classroom/test_class_algorithms.py": "whole trees of class documents",
    "bots/test_guide.py": "the programs of docs/bots.md, in processes",
    "bots/strong/test_human.py": "whole games of the levels",
    "processes/test_supervisor.py": "processes",
    "bots/running/test_league_return.py": "processes",
    "bots/adapters/test_neighbours.py": "processes in sandboxes",
    "bots/search/test_othello_search.py": "positions searched far",
    "bots/running/test_pondering.py": "processes",
    "bots/running/test_process.py": "processes",
    "bots/failures/test_replay.py": "processes",
    "processes/test_sandbox.py": "processes in sandboxes",
    "bots/search/test_solver.py": "machine code, compiled cold",
    "bots/commands/test_starter.py": "processes",
    "processes/test_stopping.py": "clients in processes",
    "client/commands/test_completion.py": "shells, and what they start",
    "client/tui/screens": "the full screen, drawn anew for each key",
    "conformance": "games over a server; an oracle in another language",
    "e2e": "terminals",
    "examples": "programs in other languages",
    "faults": "hostile programs, raw sockets, simulated worlds",
    "games/test_named_moves.py": "a game on the full screen, and its server",
    "games/test_new_game.py": "a game that is written, and played over a server",
    "league/executors": "processes and clusters",
    "league/test_duel.py": "bots in processes",
    "league/test_gathering.py": "a class of clients",
    "league/test_league_accidents.py": "processes that die",
    "league/test_league_keys.py": "bots in processes",
    "league/test_league_kills.py": "leagues that are killed",
    "league/test_open_league.py": "leagues with clients",
    "league/test_rulings.py": "whole leagues, ruled on",
    "school/test_class_giving.py": "a class with its server and clients",
    "server/test_app.py": "a server with sockets",
    "server/test_logs.py": "servers in processes",
    "server/referee/test_outspoken.py": "many random messages of each type",
    "server/referee/test_referee_machine.py": "long random histories of a referee",
    "server/admission/test_security_sockets.py": "crowds of connections",
    "server/store/test_start.py": "servers that start",
    "server/test_watchdog.py": "servers in processes",
    "test_architecture.py": "import-linter, which `run.py lint` runs too",
    "test_limits.py": "all sources read",
    "test_locales.py": "all sources read",
    "test_reliability.py": "all tests collected",
    "wheel": "wheels that are built and installed",
}
"""Folder or file in tests/ -> what in it takes so long."""

HELP = "leave out what takes long: " + ", ".join(LEFT_OUT)


def is_left_out(path: Path) -> bool:
    """Tell whether --quick leaves out this file or folder."""
    return path.is_relative_to(TESTS) and path.relative_to(TESTS).as_posix() in LEFT_OUT
