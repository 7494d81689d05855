"""Plays the audit process from a script: the protocol and the process are real, the verdicts are given.

Run as ``python scripted_worker.py SCRIPT``. The script is a JSON object: ``events`` to send after the
first request, ``contents`` by "side:path", ``history`` by claim id, ``rejudged`` by text, ``names`` by
word, ``commits`` by id, ``moved_to`` for a commit that HEAD is at by now, ``model`` for answers on what has
to do with the model by act, ``crash`` to die of in the end, ``silent`` for a process that is too busy to
answer, and ``pause`` for seconds between the events.
"""

import base64
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

UNREAD = {
    "verdict": "unknown",
    "reason": "no-reference",
    "why": "It names nothing.",
    "origin": None,
    "confidence": 0.5,
    "judge": "grounded",
    "references": [],
    "evidence": [],
    "suggestion": None,
}


def main() -> int:
    script = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def send(event: dict[str, object]) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    sys.stdin.readline()
    for event in script["events"]:
        send(event)
        time.sleep(script.get("pause", 0))
    if script.get("crash"):
        sys.stderr.write(script["crash"])
        sys.stderr.flush()
        return 3
    for line in sys.stdin:
        request = json.loads(line)
        if script.get("silent"):
            continue
        token = request["token"]
        if request["do"] == "content":
            text = script["contents"].get(f"{request['side']}:{request['path']}")
            send({"event": "content", "token": token, "text": text})
        elif request["do"] == "complete":
            names = script.get("names", {}).get(request["word"], [])
            send({"event": "completed", "token": token, "names": names, "complete": True})
        elif request["do"] == "commit" and request["sha"] in script.get("commits", {}):
            send({"event": "commit", "token": token, **script["commits"][request["sha"]]})
        elif request["do"] == "history":
            lines = script.get("history", {}).get(request["id"], [])
            send({"event": "history", "token": token, "lines": lines})
        elif request["do"] == "again":
            send({"event": "again", "token": token, "judged": list(again(script, request["files"]))})
        elif request["do"] == "sides":
            range_ = next(event["range"] for event in script["events"] if event["event"] == "opened")
            send({"event": "sides", "token": token, "base": range_["base"], "head": range_["head"]})
        elif request["do"] == "head":
            send({"event": "head", "token": token, "moved_to": script.get("moved_to", "")})
        elif request["do"] == "model":
            send({"event": "model", "token": token, **script["model"].get(request["act"], {})})
        else:
            judgement = script["rejudged"].get(request.get("text"), script["rejudged"].get("*"))
            if judgement is None:
                send(
                    {
                        "event": "refused",
                        "token": token,
                        "what": "no verdict in the script",
                        "where": "",
                        "fix": "",
                    }
                )
            else:
                send({"event": "rejudged", "token": token, "judgement": judgement})
    return 0


def again(script: dict[str, Any], files: dict[str, str]) -> Iterator[dict[str, Any]]:
    """The claims as files of these bytes have them, each with the verdict that its words were given."""
    from memaudit.review.sheet import reread
    from memaudit.wire import store_from_wire

    opened = next(event for event in script["events"] if event["event"] == "opened")
    stores = [store_from_wire(one) for one in opened["stores"]]
    given = {
        item["id"]: item
        for event in script["events"]
        if event["event"] == "judged"
        for item in event["items"]
    }
    by_words = {claim.text: given[claim.id] for one in stores for claim in one.claims if claim.id in given}
    for document in (document for one in stores for document in one.documents):
        data = files.get(document.path)
        read = document if data is None else reread(document, base64.b64decode(data))
        for claim in read.claims:
            judged = script["rejudged"].get(claim.text) or by_words.get(claim.text) or UNREAD
            yield {"claim": asdict(claim), **judged}


if __name__ == "__main__":
    sys.exit(main())
