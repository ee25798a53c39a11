"""The password on the command line: where it comes from, when it is asked for, and that a client sends it."""

import os
import sys

import click
import pytest
from click.testing import CliRunner

from client.commands.password import ATTEMPTS, password_option, with_password
from client.connection import Client
from client.errors import HelloRefused
from machine.variables import PASSWORD
from protocol.messages import Error, Hello
from tests.client.fakes import FakeServer


def refusal(code: str) -> HelloRefused:
    return HelloRefused(Error(code, "no", fatal=True))


class Door:
    """Opens for one password, which it finds in the variable."""

    def __init__(self) -> None:
        self.shown: list[str | None] = []

    def __call__(self) -> str:
        self.shown.append(os.environ.get(PASSWORD))
        if self.shown[-1] != "sesame":
            raise refusal("password_required")
        return "in"


@pytest.fixture(autouse=True)
def no_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(PASSWORD, "")


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What somebody at a terminal types, one answer after another."""
    answers: list[str] = []

    def prompt(text: str, *, prompt_suffix: str, hide_input: bool, err: bool) -> str:
        assert f"{text}{prompt_suffix}" == "Password of the server: "
        assert hide_input
        assert err
        return answers.pop(0)

    monkeypatch.setattr(click, "prompt", prompt)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True)
    return answers


class TestPrompt:
    def test_it_is_asked_for_until_it_is_right(self, typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        typed[:] = ["wrong", "sesame", "never"]
        door = Door()
        assert with_password(door) == "in"
        assert door.shown == ["", "wrong", "sesame"]
        assert capsys.readouterr().err == "That is not the password.\n", "said of the wrong one, not before the first"
        assert typed == ["never"]

    def test_but_not_for_ever(self, typed: list[str]) -> None:
        typed[:] = ["wrong"] * 10
        with pytest.raises(HelloRefused):
            with_password(Door())
        assert len(typed) == 10 - ATTEMPTS

    def test_a_program_is_not_asked(self, typed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys.stdin, "isatty", lambda: False)
        with pytest.raises(HelloRefused):
            with_password(Door())

    def test_other_refusals_are_no_question(self, typed: list[str]) -> None:
        def attempt() -> None:
            raise refusal("name_taken")

        with pytest.raises(HelloRefused):
            with_password(attempt)


class TestOption:
    def test_it_holds_for_all_that_is_started_here(self) -> None:
        @click.command()
        @password_option
        def command() -> None:
            click.echo(os.environ[PASSWORD])

        assert CliRunner().invoke(command, ["--password", "sesame"]).output == "sesame\n"
        assert CliRunner().invoke(command, ["--password", "x" * 129]).exit_code == 2


class TestClient:
    async def hello(self, **secrets: str) -> Hello:
        server = FakeServer()
        async with Client("ws://x:1", name="Ada", kind="bot", dial=server.dial, **secrets):  # type: ignore[arg-type]  # strings
            return server.hellos[0]

    async def test_it_says_what_it_was_given(self) -> None:
        hello = await self.hello(password="sesame", organiser="mine")
        assert (hello.password, hello.organiser) == ("sesame", "mine")

    async def test_else_what_the_variable_says(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(PASSWORD, "from afar")
        assert (await self.hello()).password == "from afar"

    async def test_else_nothing(self) -> None:
        hello = await self.hello()
        assert (hello.password, hello.organiser) == (None, None)
