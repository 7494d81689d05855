"""The web service of the desk."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from wsgiref.simple_server import make_server

from desk.config import load_settings
from desk.storage import Storage

Start = Callable[[str, list[tuple[str, str]]], object]


def list_tools(storage: Storage) -> object:
    return {"tools": storage.open_loans()}


def list_overdue(storage: Storage) -> object:
    return {"overdue": storage.open_loans()}


ROUTES = {
    "/api/tools": list_tools,
    "/api/overdue": list_overdue,
}


def application(environ: dict[str, str], start: Start) -> Iterable[bytes]:
    handler = ROUTES.get(environ["PATH_INFO"])
    if handler is None:
        start("404 Not Found", [])
        return [b""]
    start("200 OK", [("Content-Type", "application/json")])
    return [json.dumps(handler(Storage(load_settings().database))).encode()]


def serve() -> None:
    with make_server("", load_settings().port, application) as server:
        server.serve_forever()
