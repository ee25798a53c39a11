"""What `arbitre bot` says when something is wrong: one sentence, and an exit code."""

import click
import pytest

import arbitre
from bots.base import BotSpec, BotSpecError, parse_bot
from bots.commands import bot_cli
from bots.launch_options import read_size, with_launch_options
from client.connection import Client
from client.errors import ClientError, NoServer, NotArbitre, ServerGone
from games import GAMES
from processes.launch_options import MOST_MEMORY, LaunchOptions, words_of


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["rndom"], "There is no bot called 'rndom'. The bots are: bfs, dfs, first, "),
        (["first", "--game", "chess"], f"the games are {', '.join(GAMES)}, not 'chess'"),
        (["first", "--league", "BATO"], "The code of a league has six letters, as BATOMI: 'BATO' is none."),
        (
            ["first", "--league", "BATOMÎ-DUMERILO"],
            "The code of a league has six letters, as BATOMI: 'BATOMÎ' is none.",
        ),
        (["first", "http://"], "http://: an address is a host and a port, as in 192.168.1.7:8765."),
    ],
)
def test_wrong_arguments(arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", "bot", *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"Error: {sentence}")


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (NoServer("ws://there:1", "[Errno 111]"), "No server answers at ws://there:1. To start one here:\n  "),
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
    def refuse(_spec: BotSpec, *_how: object) -> None:
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
    monkeypatch.setattr(bot_cli, "COMMANDS", {"wave": bot_cli.Entry("bots.commands.bot_cli:wave_command", "Say hello")})
    monkeypatch.setattr(bot_cli, "wave_command", wave_command, raising=False)
    assert arbitre.main(["bot", "wave", "you"]) == 0
    assert capsys.readouterr().out == "hello you\n"
    assert arbitre.main(["bot", "wave"]) == 2
    assert "run.py bot wave" in capsys.readouterr().err
    assert arbitre.main(["bot", "--help"]) == 0
    assert "wave  Say hello" in capsys.readouterr().out


def test_every_command_below_bot_can_be_loaded() -> None:
    for name in bot_cli.COMMANDS:
        assert bot_cli.load_command(name).name == name


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["first", "--sandbox"], "--sandbox is for programs of others, as stdio:CMD or my_bot.py; first is a bot of "),
        (["first", "--memory", "1G"], "--memory is for programs of others"),
        (["stdio:cat", "--memory", "12"], "Invalid value for '--memory': '12' is no size: write 512M or 2G"),
        (["stdio:cat", "--memory", "16385G"], "Invalid value for '--memory': '16385G' is no size: write 512M or 2G"),
        (["stdio:cat", "--memory", "lots"], "Invalid value for '--memory': 'lots' is no size: write 512M or 2G"),
    ],
)
def test_wrong_care(options: list[str], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert arbitre.main(["--lang", "en", "bot", *options]) == 2
    assert f"Error: {sentence}" in capsys.readouterr().err


def test_the_largest_memory_reaches_the_bot_of_a_match() -> None:
    words = words_of(LaunchOptions(memory_bytes=MOST_MEMORY))
    assert read_size(None, None, words[words.index("--memory") + 1]) == MOST_MEMORY


def test_care_reaches_the_program() -> None:
    spec = with_launch_options(parse_bot("stdio:cat"), sandbox=True, memory=read_size(None, None, "2g"), patience=2.5)
    assert spec.options.launch == LaunchOptions(sandbox=True, memory_bytes=2 << 30, move_s=2.5)


def test_without_a_sandbox_it_says_what_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("processes.sandbox.obstacle", lambda: "there is none")
    with_launch_options(parse_bot("stdio:cat"), sandbox=True, memory=None, patience=None)
    text = "No sandbox: there is none. Only memory, processes, processor and time are limited.\n"
    assert capsys.readouterr().err == text
