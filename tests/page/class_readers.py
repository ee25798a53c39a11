"""Readers of a class, for the tests of its pages: a pupil with a card, a teacher at the desk; and what they see."""

from __future__ import annotations

import re
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from school.messages import (
    Fault,
    League,
)
from tests.page.browser import Reader, Room
from tests.page.class_host import CODES, SECRET, FakeClass

HOSTILE = "<img src=x onerror=a()>"
AT = 1_790_000_000_000
FAULT = Fault(
    "The column 7 does not exist.", 12, 3, "return 7", "a b c\n- - -", f"Perhaps they begin at 1. {HOSTILE}", "7"
)
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 780}, "has_touch": True, "is_mobile": True}
LEAGUE = League(1, "bots", "puissance4", "running", graded=True, played=3, planned=6)


def pupil(room: Room, fake: FakeClass, name: str = "Élodie", /, **options: Any) -> Reader:
    """A pupil with their card."""
    reader = room.reader(**options)
    reader.go(f"/class/{fake.code}#{CODES[name]}").page.wait_for_selector(".hall:visible")
    expect(reader.page.locator(".me")).to_have_text(re.compile(f"^{name}( 2)?$"))  # the session is renamed once
    return reader


def teacher(room: Room, fake: FakeClass, **options: Any) -> Reader:
    """The teacher at the desk."""
    reader = room.reader(**options).go(f"/desk/{fake.code}")
    reader.page.fill("[name=secret]", SECRET)
    reader.click("enter-desk")
    reader.page.wait_for_selector(".roll-table [data-name=Tom]")
    return reader


def is_accessible(page: Page) -> bool:
    found = Axe().run(page).response["violations"]
    serious = [violation for violation in found if violation["impact"] in ("serious", "critical")]
    assert serious == [], [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in serious]
    return True
