"""The program's entry: answers ``--version`` before anything heavy is imported."""

from __future__ import annotations

import sys


def main() -> int:
    """Run memaudit with the process's arguments and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from memaudit import __version__

        sys.stdout.write(f"memaudit {__version__}\n")
        return 0
    try:
        return _run(sys.argv[1:])
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    from memaudit import interrupts

    interrupts.raise_where_caught()
    try:
        from memaudit.collecting import collect_seldom

        collect_seldom()
        from memaudit.cli import run

        return run(arguments)
    finally:
        interrupts.end_at_once()


if __name__ == "__main__":
    sys.exit(main())
