"""Plays the audit process from a script: the protocol and the process are real, the verdicts are given.

Run as ``python scripted_worker.py SCRIPT``. The script is a JSON object: ``events`` to send after the
first request, ``contents`` by "side:path", ``history`` by claim id, ``rejudged`` by text, ``names`` by
word, ``commits`` by id, ``moved_to`` for a commit that HEAD is at by now, ``crash`` to die of in the end,
and ``silent`` for a process that is too busy to answer.
"""

import json
import sys
from pathlib import Path


def main() -> int:
    script = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))

    def send(event: dict[str, object]) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    sys.stdin.readline()
    for event in script["events"]:
        send(event)
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
        elif request["do"] == "sides":
            range_ = next(event["range"] for event in script["events"] if event["event"] == "opened")
            send({"event": "sides", "token": token, "base": range_["base"], "head": range_["head"]})
        elif request["do"] == "head":
            send({"event": "head", "token": token, "moved_to": script.get("moved_to", "")})
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


if __name__ == "__main__":
    sys.exit(main())
