"""The options of the command line: what each command takes, and how it is described."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

from memaudit import __version__
from memaudit.errors import UsageError
from memaudit.text import visible

ABOUT = {
    "check": "Print a verdict for each claim. Exit 0: none stale, 1: some stale, 2: could not run.",
    "export": "Write the store as it is after your decisions, a report of the review, or a patch.",
    "stores": "List the memory stores found.",
    "log": "Tell what earlier audits found and people decided: since when, what was before, who, when.",
    "recap": "Tell what earlier reviews came to, as text to hand to an agent.",
    "oracle": "Run the check that a claim carries at base and at head. Exit 0: not stale, 1: stale.",
    "key": "Keep the key of the model's server in the system's keyring. It is never printed.",
    "model": "Whether claims that stay open may be asked of a model, for this repository.",
    "demo": "Open the screen on a throw-away copy of the sample store.",
}
"""What each command does, in one line."""

COMMANDS = tuple(ABOUT)
"""The commands; without one the screen opens."""

FAIL_ON = {"stale": ("stale",), "unknown": ("stale", "unknown"), "never": ()}
"""The verdicts that ``--fail-on`` ends with exit code 1 for."""


class _Parser(argparse.ArgumentParser):
    """A parser whose errors are one line and exit code 2, like every other error here."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(visible(message), "", f"see {self.prog} --help")


def _common(parser: argparse.ArgumentParser) -> None:
    _path_argument(parser)
    _audit_options(parser)


def _path_argument(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "path",
        nargs="?",
        default=".",
        metavar="PATH",
        help="the repository: a work tree, a bare repository or a sub-folder (default: here)",
    )


def _audit_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--store",
        action="append",
        default=[],
        metavar="FILE_OR_DIR",
        help="audit this store only; may be given several times",
    )
    parser.add_argument("--store-at", metavar="REV", help="read the store as of this revision")
    parser.add_argument("--range", metavar="A..B", help="the change to judge against")
    parser.add_argument("--since", metavar="REV", help="the same as REV..head")
    parser.add_argument(
        "--head", metavar="REV|WORKTREE", help="where the range ends (default: the working tree)"
    )
    parser.add_argument("--judge", default="local", metavar="NAME", help="who judges: local (default)")


def _review_folder_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--review-folder",
        metavar="DIR",
        help="keep the review in this folder, together with others who do (default: the setting)",
    )


def _settings_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help="settings to use instead of the user's own"
    )


def _color_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--color",
        choices=("auto", "truecolor", "256", "ansi", "none"),
        help="colours of the screen (default: the setting, else what the terminal can do)",
    )


def main_parser() -> argparse.ArgumentParser:
    """The parser of a call without a command."""
    parser = _Parser(
        prog="memaudit",
        description="Audit a coding agent's memory: given this change, does this one claim still hold?",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(
            (
                "Without a command the screen opens on the repository at PATH. Commands, each with --help:",
                *(f"  {name:<8} {about}" for name, about in ABOUT.items()),
            )
        ),
    )
    _color_option(parser)
    _settings_option(parser)
    _review_folder_option(parser)
    parser.add_argument("--version", "-V", action="version", version=f"memaudit {__version__}")
    _common(parser)
    return parser


def command_parser(command: str) -> argparse.ArgumentParser:
    """The parser of one command."""
    parser = _Parser(prog=f"memaudit {command}", description=ABOUT[command])
    _settings_option(parser)
    if command == "demo":
        _color_option(parser)
        return parser
    if command == "log":
        _log_options(parser)
        return parser
    if command == "key":
        parser.add_argument("action", choices=("set", "status", "remove"), help="set reads standard input")
        return parser
    if command == "oracle":
        from memaudit import cli_oracle

        cli_oracle.add_options(parser)
    if command == "model":
        parser.add_argument(
            "action", choices=("on", "off", "status"), help="on shows what it will cost, and asks"
        )
        parser.add_argument("--yes", action="store_true", help="agree without being asked")
    _common(parser)
    if command == "check":
        parser.add_argument(
            "--format", choices=("text", "json", "jsonl"), default="text", help="default: text"
        )
        parser.add_argument(
            "--fail-on",
            choices=tuple(FAIL_ON),
            default="stale",
            help="which verdicts give exit code 1 (default: stale)",
        )
        parser.add_argument("--output", metavar="FILE", help="write the report to FILE")
        parser.add_argument(
            "--all", action="store_true", help="list held and unknown claims too (text format)"
        )
        parser.add_argument(
            "--model", action="store_true", help="ask the model about claims that stay open, where it is on"
        )
        parser.add_argument(
            "--batch",
            action=argparse.BooleanOptionalAction,
            help="with --model: ask in batches, at half the price within a day (default: when there is much)",
        )
        parser.add_argument(
            "--suggest",
            action="store_true",
            help="with --model: have it draft rewrites of stale claims that have no proved one",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="with --model: print every request, and send none"
        )
    if command == "recap":
        _review_folder_option(parser)
        parser.add_argument("--output", metavar="FILE", help="write it to FILE")
    if command == "export":
        _review_folder_option(parser)
        parser.add_argument(
            "--to", required=True, metavar="FILE", help="where to write; - is standard output"
        )
        parser.add_argument(
            "--format",
            choices=("markdown", "json", "jsonl", "toml", "mcp", "report", "html", "patch"),
            default="markdown",
            help="the cleaned store (markdown, json, jsonl, toml, mcp), a report of the review with its"
            " evidence (report, html), or what a save would change (patch); default: markdown",
        )
        parser.add_argument("--force", action="store_true", help="replace a file that is there already")
    return parser


def _log_options(parser: argparse.ArgumentParser) -> None:
    _path_argument(parser)
    parser.add_argument(
        "--store",
        action="append",
        default=[],
        metavar="STORE",
        help="claims of this store, file or folder only; may be given several times",
    )
    parser.add_argument("--at", metavar="REV", help="what is valid at this revision (default: HEAD)")
    parser.add_argument(
        "--claim", metavar="ID|FILE:LINE", help="the history of one claim; the start of its id will do"
    )
    parser.add_argument("--format", choices=("text", "json", "jsonl"), default="text", help="default: text")
    parser.add_argument("--output", metavar="FILE", help="write it to FILE")
