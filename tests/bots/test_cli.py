"""What `arbitre bot` says when something is wrong: one sentence, and an exit code."""

import click
import pytest

import arbitre
from bots import cli
from bots.base import BotSpec, BotSpecError
from client.connection import Client
from client.errors import ClientError, NoServer, NotArbitre, ServerGone


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rndom"], "There is no bot called 'rndom'. The bots are: bfs, dfs, first, "),
        (["first", "--game", "chess"], "the games are othello, puissance4, morpion, not 'chess'"),
        (["first", "http://"], "http://: an address is a host and a port, as in 192.168.1.7:8765."),
    ],
)
def test_wrong_arguments(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", "bot", *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"Error: {sentence}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NoServer("ws://there:1", "[Errno 111]"), "No server answers at ws://there:1. To start one here: "),
        (NotArbitre("HTTP 200"), "What answers at this address is not an Arbitre server."),
        (ServerGone("the server closed"), "The server is gone."),
    ],
)
def test_servers_that_are_not_there(
    error: ClientError, sentence: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(_client: Client) -> None:
        raise error

    monkeypatch.setattr(Client, "__aenter__", fail)
    assert arbitre.main(["--lang", "en", "bot", "first", "ws://there:1"]) == 1
    captured = capsys.readouterr()
    assert captured.err.startswith(f"Error: {sentence}")
    assert captured.out == ""


def test_a_bot_that_cannot_be_run_says_so_before_it_connects(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_spec: BotSpec) -> None:
        raise BotSpecError("nothing to run")

    monkeypatch.setattr(BotSpec, "prepare", refuse)
    assert arbitre.main(["--lang", "en", "bot", "first", "ws://localhost:1"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == "Error: nothing to run"


@click.command("wave")
@click.argument("whom")
def wave_command(whom: str) -> None:
    click.echo(f"hello {whom}")


def test_a_first_word_of_the_table_is_a_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cli, "COMMANDS", {"wave": cli.Entry("bots.cli:wave_command", "Say hello")})
    monkeypatch.setattr(cli, "wave_command", wave_command, raising=False)
    assert arbitre.main(["bot", "wave", "you"]) == 0
    assert capsys.readouterr().out == "hello you\n"
    assert arbitre.main(["bot", "wave"]) == 2
    assert "arbitre bot wave" in capsys.readouterr().err
    assert arbitre.main(["bot", "--help"]) == 0
    assert "wave  Say hello" in capsys.readouterr().out


def test_every_command_below_bot_can_be_loaded() -> None:
    for name in cli.COMMANDS:
        assert cli.load_command(name).name == name
