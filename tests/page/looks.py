"""How readers may have chosen that the page looks, and what is to hold of it then."""

from __future__ import annotations

import json
from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.page.browser import Reader, Room

ROOMY: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 800}}
LOOKS: Final[dict[str, dict[str, Any]]] = {
    "light": ROOMY,
    "dark": {**ROOMY, "color_scheme": "dark"},
    "contrast": ROOMY,
    "forced": {**ROOMY, "forced_colors": "active"},
    "zoomed": {"viewport": {"width": 640, "height": 400}, "device_scale_factor": 2},  # 1280x800 at 200 %
    "narrow": {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True},
}


def reader(room: Room, look: str, locale: str, **more: Any) -> Reader:
    """Somebody who has chosen how the page looks."""
    found = room.reader(locale=locale, **{**LOOKS[look], **more})
    if look == "contrast":
        kept = json.dumps(json.dumps({"theme": "contrast"}))
        found.page.add_init_script(f"localStorage.setItem('arbitre.settings', {kept})")
    return found


CUT: Final = """() => {
  const width = document.documentElement.clientWidth;
  const seen = (one) => one.checkVisibility() && !one.closest(".hidden, .wide, pre, .fault-line, .work-cell, [hidden]");
  const name = (one) => `${one.tagName}.${one.className} ${one.textContent.slice(0, 40)}`;
  const all = [...document.querySelectorAll("body *")].filter(seen);
  const out = all.filter((one) => one.getBoundingClientRect().right > width + 1);
  const whole = all.filter((one) => one.matches("button, a.button, label.button, .tag, h1, h2"));
  const cut = whole.filter((one) => one.scrollWidth > one.clientWidth + 1);
  return [...new Set([...out, ...cut].map(name))];
}"""
"""What stands out of the page, or is cut."""


def is_fine(page: Page) -> None:
    """Nothing is cut, nothing is to be scrolled sideways, and axe finds nothing serious."""
    assert page.evaluate(CUT) == []
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    found = Axe().run(page).response["violations"]
    serious = [violation for violation in found if violation["impact"] in ("serious", "critical")]
    assert serious == [], [(one["id"], [node["html"] for node in one["nodes"]][:3]) for one in serious]
