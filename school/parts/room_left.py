"""Tells the teacher when the disk is nearly full: from then on pupils can hand nothing in.

What is played, and what the desk does, is kept as long as anything can be written.
"""

from __future__ import annotations

import asyncio
import shutil
from typing import Final

from locales import _
from school.core import Core, LetterError
from school.programs.pupil_files import LEAST_FREE

LOOK_S: Final = 2.0


class RoomLeft:
    """Looks at the disk with the folder of the class. is_short: whether it is nearly full, as far as is known."""

    def __init__(self, core: Core) -> None:
        self.is_short = False
        self._core = core

    async def run(self) -> None:
        """Looks again and again, until it is cancelled."""
        while True:
            self._look()
            await asyncio.sleep(LOOK_S)

    def refusal(self) -> LetterError:
        """What the desk is told while there is too little room."""
        text = _("The disk with {folder} is nearly full: pupils can hand nothing in, and soon nothing more is kept. "
                 "Make room; then all goes on by itself.")  # fmt: skip
        return LetterError("disk", text.format(folder=self._core.folder))

    def _look(self) -> None:
        try:
            is_short = shutil.disk_usage(self._core.folder).free < LEAST_FREE
        except OSError:
            return  # whoever writes there is told why
        if is_short != self.is_short:
            self.is_short = is_short
            self._core.warn(str(self.refusal()) if is_short else _("There is room on the disk again: all goes on."))
