"""The files that pin what is installed: with hashes, alike, and without a trace of where they came from."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from protocol import VERSION

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", ["uv", "base", "dev", "bench", "tls", "compile"])
def test_pins_carry_hashes_and_no_trace_of_where_they_came_from(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    assert not re.search(r"://|index-url|find-links|trusted-host|file:| @ ", text)
    blocks = re.split(r"\n(?=\w)", text)[1:]
    assert blocks
    for block in blocks:
        assert re.match(r"[\w.-]+==[\w.]+", block), block
        assert "--hash=sha256:" in block, block
    wanted = re.findall(r"^([a-z][\w-]*)", (ROOT / "requirements" / f"{name}.in").read_text(), re.MULTILINE)
    pinned = {re.split("==", block)[0] for block in blocks}
    assert {word.replace("_", "-") for word in wanted} <= pinned


def test_packages_of_npm_are_pinned_alike() -> None:
    text = (ROOT / "requirements" / "package-lock.json").read_text(encoding="utf-8")
    assert "://" not in text
    packages = json.loads(text)["packages"]
    wanted = json.loads((ROOT / "requirements" / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    assert packages.pop("")["devDependencies"] == wanted
    for name, version in wanted.items():
        assert packages[f"node_modules/{name}"]["version"] == version
    for name, package in packages.items():
        assert package["integrity"].startswith("sha512-"), name
        assert "resolved" not in package, name


def test_the_package_says_what_the_requirement_files_say() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements" / "base.in").read_text(encoding="utf-8").splitlines()
    floored = [*project["dependencies"], *project["optional-dependencies"]["strong"]]
    wanted = [text.partition(">=")[0] for text in floored]
    assert sorted(line for line in lines if line and not line.startswith("#")) == sorted(wanted)
    assert project["version"] == VERSION
    assert "Private :: Do Not Upload" in project["classifiers"]
