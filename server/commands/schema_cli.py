"""The command `arbitre schema`."""

from __future__ import annotations

import json

import click

from locales import _


@click.command("schema", help=_("Print the JSON Schema of every message of the protocol."))
def schema_command() -> None:
    """Prints the schema on standard output."""
    from protocol.schema import schema

    click.echo(json.dumps(schema(), indent=2, ensure_ascii=False))
