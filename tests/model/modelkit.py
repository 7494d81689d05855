"""A server on this machine that speaks the Messages API as far as needed, and a repository to ask about.

The server is real HTTP on a loopback address: what the tests see is what the SDK put on the wire.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memaudit.settings_model import ModelSettings, Price

BATCHES = "/v1/messages/batches"
PRICE = Price(input=1.0, output=5.0, cache_read=0.1, cache_write=1.25, as_of="2026-11-30")


@dataclass
class Answer:
    """What the server does with a request: a status and a body, or an accident on the way."""

    text: str = '{"verdict": "held"}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    stop_reason: str = "end_turn"
    content: Any = None
    cut: bool = False
    wait_for: threading.Event | None = None


def error(status: int, message: str = "no", **headers: str) -> Answer:
    """An error as the API words it."""
    kinds = {400: "invalid_request_error", 401: "authentication_error", 429: "rate_limit_error"}
    body = {"type": "error", "error": {"type": kinds.get(status, "api_error"), "message": message}}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(status=status, raw=json.dumps(body).encode(), headers=named)


def verdict(word: str) -> Answer:
    """The one answer that counts."""
    return Answer(json.dumps({"verdict": word}))


class ModelServer:
    """Answers with what ``respond`` makes of a request body; counts tokens and keeps marked prefixes."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.respond: Callable[[dict[str, Any]], Answer] = lambda body: verdict("held")
        self.arrived = threading.Semaphore(0)
        self.open = 0
        self.most_open = 0
        self._lock = threading.Lock()
        self.least_kept = 0
        self.characters_a_token = 4
        self._prefixes: set[str] = set()
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.looks = 0
        self.fate: Callable[[dict[str, Any]], str] = lambda body: "succeeded"
        self.accident: Callable[[str, str], Answer | None] = lambda method, path: None
        outer = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                outer.handle(self)

            def do_GET(self) -> None:
                outer.handle(self)

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()

    def settings(self, **values: Any) -> ModelSettings:
        """Settings that lead here, at a price."""
        given = {"name": "stub-1", "url": self.url, "prices": {"stub-1": PRICE}, **values}
        return ModelSettings(**given)

    def script(self, *answers: Answer) -> None:
        """Give these answers one after the other, the last one ever after."""
        left = list(answers)

        def respond(_: dict[str, Any]) -> Answer:
            with self._lock:
                return left.pop(0) if len(left) > 1 else left[0]

        self.respond = respond

    def forget(self, least_kept: int) -> None:
        """Begin anew with nothing kept; from now on prefixes of so many tokens are."""
        self.bodies.clear()
        self.headers.clear()
        self.least_kept = least_kept
        self._prefixes.clear()

    def handle(self, http: BaseHTTPRequestHandler) -> None:
        body = json.loads(http.rfile.read(int(http.headers.get("content-length") or 0)) or b"{}")
        if http.path.partition("?")[0].startswith(BATCHES):
            self._handle_batch(http, body)
            return
        with self._lock:
            self.bodies.append(body)
            self.headers.append(dict(http.headers.items()))
            self.paths.append(http.path)
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        self.arrived.release()
        answer = self.respond(body)
        try:
            if answer.wait_for is not None:
                answer.wait_for.wait()
            self._send(http, answer, body)
        except OSError:
            http.close_connection = True
        finally:
            with self._lock:
                self.open -= 1

    def _handle_batch(self, http: BaseHTTPRequestHandler, body: dict[str, Any]) -> None:
        """Batches: made, listed, looked at (``looks`` times before they are through), read."""
        path = http.path.partition("?")[0]
        accident = self.accident(http.command, path)
        _, name, *rest = f"{path[len(BATCHES) :]}//".split("/")[:3]
        with self._lock:
            self.paths.append(f"{http.command} {path}")
            self.headers.append(dict(http.headers.items()))
            if http.command == "POST" and (accident is None or accident.cut):
                name = f"msgbatch_{len(self.batches) + 1}"
                self.batches[name] = body["requests"]
                self.bodies += [request["params"] for request in body["requests"]]
        self.arrived.release()
        if accident is not None and not accident.cut:
            answer = accident
        elif not name:
            told = [self._batch(one) for one in self.batches]
            page = {"data": told, "has_more": False, "first_id": None, "last_id": None}
            answer = Answer(raw=json.dumps(page).encode())
        elif name not in self.batches:
            answer = error(404)
        elif rest == ["results"]:
            lines = [json.dumps(self._result(one)) for one in reversed(self.batches[name])]
            answer = Answer(raw="".join(f"{line}\n" for line in lines).encode())
        else:
            answer = Answer(raw=json.dumps(self._batch(name)).encode())
            self.looks -= http.command == "GET"
        self._send(http, replace(answer, cut=accident is not None and accident.cut), body)

    def _batch(self, name: str) -> dict[str, Any]:
        through = self.looks <= 0
        counts = dict.fromkeys(("processing", "succeeded", "errored", "canceled", "expired"), 0)
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if through else "in_progress",
            "request_counts": counts | {"processing": len(self.batches[name])},
            "created_at": datetime.now(UTC).isoformat(),
            "expires_at": datetime.now(UTC).isoformat(),
            "results_url": f"{self.url}{BATCHES}/{name}/results" if through else None,
        }

    def _result(self, request: dict[str, Any]) -> dict[str, Any]:
        kind, body = self.fate(request["params"]), request["params"]
        result: dict[str, Any] = {"type": kind}
        if kind == "succeeded":
            answer = self.respond(body)
            result["message"] = json.loads(answer.raw or self._message(answer, body))
        elif kind == "errored":
            result["error"] = {"type": "error", "error": {"type": "invalid_request_error", "message": "no"}}
        return {"custom_id": request["custom_id"], "result": result}

    def _send(self, http: BaseHTTPRequestHandler, answer: Answer, body: dict[str, Any]) -> None:
        data = answer.raw if answer.raw is not None else self._message(answer, body)
        http.send_response(answer.status)
        for name, value in answer.headers.items():
            http.send_header(name, value)
        http.send_header("content-type", "application/json")
        http.send_header("content-length", str(len(data)))
        http.end_headers()
        if answer.cut:
            http.wfile.write(data[: len(data) // 2])
            http.wfile.flush()
            http.close_connection = True
            http.connection.shutdown(2)
            return
        http.wfile.write(data)

    def _message(self, answer: Answer, body: dict[str, Any]) -> bytes:
        content = answer.content if answer.content is not None else [{"type": "text", "text": answer.text}]
        return json.dumps(
            {
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": body["model"],
                "content": content,
                "stop_reason": answer.stop_reason,
                "stop_sequence": None,
                "usage": self._usage(body),
            }
        ).encode()

    def _usage(self, body: dict[str, Any]) -> dict[str, int]:
        """So many characters a token; what is marked is written once and read from then on."""
        front, rest = body["system"], ""
        marked = False
        for part in body["messages"][0]["content"]:
            if marked:
                rest += part["text"]
            else:
                front += part["text"]
            marked = marked or "cache_control" in part
        first, second = (len(text) // self.characters_a_token for text in (front, rest))
        if not marked or first < self.least_kept:
            return {"input_tokens": first + second, "output_tokens": 20}
        with self._lock:
            known = front in self._prefixes
            self._prefixes.add(front)
        name = "cache_read_input_tokens" if known else "cache_creation_input_tokens"
        return {"input_tokens": second, "output_tokens": 20, name: first}


def claim_in(body: dict[str, Any]) -> str:
    """The claim that a request is about."""
    found = re.search(r"^statement: (.*)$", body["messages"][0]["content"][1]["text"], re.MULTILINE)
    assert found is not None
    return found[1]


def change_in(body: dict[str, Any]) -> str:
    """The pieces of the change that a request shows."""
    return str(body["messages"][0]["content"][0]["text"])
