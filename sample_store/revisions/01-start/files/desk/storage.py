"""Loans and members in SQLite; the queries are plain SQL."""

from __future__ import annotations

import sqlite3


class Storage:
    """One open database."""

    def __init__(self, path: str) -> None:
        self._database = sqlite3.connect(path)

    def open_loans(self) -> list[tuple[str, str, str]]:
        query = "SELECT member, tool, due FROM loans WHERE returned IS NULL"
        return self._database.execute(query).fetchall()

    def add_tool(self, name: str, shelf: str) -> None:
        with self._database:
            self._database.execute("INSERT INTO tools (name, shelf) VALUES (?, ?)", (name, shelf))
