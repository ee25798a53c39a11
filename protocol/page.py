"""docs/protocol.md, put together: chapters in words, the rules out of `games`, the reference out of the structs.

This module alone of `protocol` knows the games: the page tells their rules, the messages don't.
"""

from __future__ import annotations

import inspect as python
import json
from collections.abc import Iterator
from functools import cache

import msgspec
from msgspec import NODEFAULT, inspect

from games.rulebook import rulebook
from protocol import guide
from protocol.errors import ProtocolError
from protocol.examples import CLIENT_EXAMPLES, CONVERSATION, SERVER_EXAMPLES
from protocol.schema import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    Structs,
    bounds,
    fields_of,
    in_words,
    meaning,
    nested_structs,
    summary,
    tag_of,
)
from protocol.weights import WEIGHTS


@cache
def reference() -> str:
    """docs/protocol.md: how to write a client, then every message with its fields, bounds and an example."""
    return (
        "\n".join(
            (
                guide.INTRODUCTION,
                guide.CONNECTING,
                guide.MESSAGES,
                guide.NAMES,
                guide.MATCHES,
                *_conversation(),
                guide.GAMES,
                *rulebook(),
                guide.TIME,
                guide.ABSENCE,
                guide.LIMITS,
                *_weights(),
                guide.CHECKING,
                *_codes(),
                *_messages("From a client", CLIENT_MESSAGES, CLIENT_EXAMPLES),
                *_messages("From the server", SERVER_MESSAGES, SERVER_EXAMPLES),
                "## Parts of messages\n",
                *(line for struct in nested_structs() for line in _entry(struct, struct.__name__, ())),
            )
        ).rstrip()
        + "\n"
    )


def _conversation() -> Iterator[str]:
    yield "## A whole conversation\n"
    yield "`>` is what a client sends, `<` what it gets, one message a line; what stands together came as one array.\n"
    for step in CONVERSATION:
        if step.happens:
            yield f"{step.happens}\n"
        yield from ("```text", *(f"> {line}" for line in step.sent), *(f"< {line}" for line in step.received), "```\n")


def _weights() -> Iterator[str]:
    rows = (
        ("what can't be read" if issubclass(kind, ProtocolError) else f"`{tag_of(kind)}`", f"{weight:g}")
        for kind, weight in WEIGHTS.items()
    )
    yield from _table(("request", "moves"), rows)


def _codes() -> Iterator[str]:
    yield "## Errors\n"
    yield "Codes never change their meaning. New ones may be added: treat one that you don't know as a plain refusal.\n"
    for title, group in guide.ERROR_GROUPS.items():
        yield f"**{title}**\n"
        yield from _table(("code", "meaning"), ((f"`{code.value}`", text) for code, text in group.items()))
    yield "## Close codes\n"
    yield from _table(
        ("code", "meaning", "what to do"), ((str(code), *texts) for code, texts in guide.CLOSE_CODES.items())
    )


def _messages(title: str, structs: Structs, examples: dict[str, tuple[str, ...]]) -> Iterator[str]:
    yield f"## {title}\n"
    rows = ((f"[{tag_of(struct)}](#{tag_of(struct)})", summary(struct)) for struct in structs)
    yield from _table(("message", "what it is"), rows)
    for struct in structs:
        yield from _entry(struct, tag_of(struct), examples[tag_of(struct)])


def _entry(struct: type[msgspec.Struct], title: str, examples: tuple[str, ...]) -> Iterator[str]:
    yield f"### {title}\n"
    yield f"{python.cleandoc(struct.__doc__ or '')}\n"
    if fields_of(struct):
        rows = (_row(struct, field) for field in fields_of(struct))
        yield from _table(("field", "type", "bounds", "default", "meaning"), rows)
    for example in examples:
        yield f"```json\n{example}\n```\n"


def _row(struct: type[msgspec.Struct], field: inspect.Field) -> tuple[str, ...]:
    return f"`{field.encode_name}`", in_words(field.type), bounds(field.type), _default(field), meaning(struct, field)


def _default(field: inspect.Field) -> str:
    if field.required:
        return "required"
    if field.default is not NODEFAULT:
        return f"`{json.dumps(field.default)}`"
    return "absent" if field.default_factory is NODEFAULT else f"`{json.dumps(field.default_factory())}`"


def _table(head: tuple[str, ...], rows: Iterator[tuple[str, ...]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""
