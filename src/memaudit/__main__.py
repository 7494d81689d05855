"""The program's entry: answers ``--version`` before anything heavy is imported."""

from __future__ import annotations

import sys


def main() -> int:
    """Run memaudit with the process's arguments and return its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from memaudit import __version__

        sys.stdout.write(f"memaudit {__version__}\n")
        return 0
    from memaudit.collecting import collect_seldom

    collect_seldom()
    from memaudit.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
