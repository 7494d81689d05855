"""Makes what in ``docs/`` comes from the program itself: the tables of keys, and the pictures.

    python docs/make.py keys      the tables in docs/keys.md
    python docs/make.py images    docs/images/*.svg: the screen on the sample project

Run it in an environment with memaudit installed from this checkout.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent

PICTURES: dict[str, tuple[str, tuple[int, int], tuple[str, ...]]] = {
    "review": ("dark", (120, 34), ("j", "j", "j", "j", "j", "j", "j")),
    "rewrite": ("dark", (120, 34), ("j", "e")),
    "save": ("light", (120, 34), ("j", "t", "t", "t", "r", "s")),
    "narrow": ("light", (80, 24), ("j",)),
}
"""Theme, size and keys by name."""


def main(arguments: list[str]) -> int:
    """Make one of the two."""
    if arguments == ["keys"]:
        make_keys()
    elif arguments == ["images"]:
        asyncio.run(make_images())
    else:
        sys.stderr.write(str(__doc__))
        return 2
    return 0


def make_keys() -> None:
    """Put the tables of the registry in place of those in the page."""
    from memaudit.tui.actions import keys_table

    page = DOCS / "keys.md"
    before = page.read_text(encoding="utf-8").split("### ", 1)[0]
    page.write_text(before + keys_table().rstrip("\n") + "\n", encoding="utf-8")


async def make_images() -> None:
    """Take all pictures, each of a fresh copy of the sample project."""
    (DOCS / "images").mkdir(exist_ok=True)
    os.environ["TEXTUAL_ANIMATIONS"] = "none"
    for name, (theme, size, keys) in PICTURES.items():
        with tempfile.TemporaryDirectory() as folder:
            os.environ["MEMAUDIT_STATE"] = str(Path(folder) / "state")
            svg = await picture(Path(folder) / "lendwell", theme, size, keys)
        (DOCS / "images" / f"{name}.svg").write_text(svg, encoding="utf-8")
        sys.stderr.write(f"docs/images/{name}.svg\n")


async def picture(root: Path, theme: str, size: tuple[int, int], keys: tuple[str, ...]) -> str:
    """The screen after some keys, each pressed when the one before is done."""
    from memaudit.demo import build_demo
    from memaudit.domain import AuditRequest
    from memaudit.settings import Settings
    from memaudit.tui.app import MemauditApp

    app = MemauditApp(AuditRequest(path=build_demo(root)), Settings(theme=theme, author="Mara"))
    async with app.run_test(size=size) as pilot:
        review: Any = app.screen
        while review.progress is not None:
            await pilot.pause(0.05)
        for key in ("", *keys):
            if key:
                await pilot.press(key)
            await pilot.pause(1)
        app.clear_notifications()
        await pilot.pause(0.2)
        return tidy(app.export_screenshot())


def tidy(svg: str) -> str:
    """Without the fonts that a picture would load from elsewhere, and with blanks that every viewer keeps."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return svg.replace("<text class", '<text xml:space="preserve" class')


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
