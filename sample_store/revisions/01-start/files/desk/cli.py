"""The command line of the desk."""

from __future__ import annotations

import argparse
import csv
from pathlib import Path

from desk.config import load_settings
from desk.storage import Storage


def main() -> int:
    parser = argparse.ArgumentParser(prog="lendwell-admin")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("serve", help="run the web service")
    commands.add_parser("remind", help="send the reminders that are due")
    importer = commands.add_parser("import", help="read a list of tools")
    importer.add_argument("file", type=Path)
    importer.add_argument("--dry-run", action="store_true", help="only say what would be added")
    arguments = parser.parse_args()
    if arguments.command == "import":
        return import_tools(arguments.file, arguments.dry_run)
    return 0


def import_tools(file: Path, dry_run: bool) -> int:
    storage = Storage(load_settings().database)
    with file.open(newline="") as lines:
        for row in csv.DictReader(lines):
            if not dry_run:
                storage.add_tool(row["name"], row["shelf"])
    return 0
