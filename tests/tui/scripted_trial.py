"""Plays the process that tries a check from a script: the protocol and the process are real.

Run as ``python scripted_trial.py SCRIPT``. The script is a JSON object: ``entries`` to ask with, what is
asked ``before``, ``running`` lines to tell, ``judgement`` to end with, ``failed`` for a fault instead,
``waits`` for a check without end, ``billed`` for dollars spent, ``left`` for what could not be removed. What
is asked of it is written to ``SCRIPT.heard``, one request a line.
"""

import json
import sys
from pathlib import Path


def main() -> int:
    path = Path(sys.argv[1])
    script = json.loads(path.read_text(encoding="utf-8"))
    heard = path.with_suffix(".heard")

    def send(event: dict[str, object]) -> None:
        sys.stdout.write(json.dumps(event) + "\n")
        sys.stdout.flush()

    def hear() -> str:
        line = sys.stdin.readline()
        with heard.open("a", encoding="utf-8") as file:
            file.write(line or '{"do": "end"}\n')
        return line

    hear()
    if "failed" in script:
        send({"event": "failed", **script["failed"]})
        return 2
    for entries in (*script.get("before", []), script["entries"]):
        send({"event": "asked", "entries": entries})
        if not hear():
            return 2
        if "billed" in script:
            send({"event": "billed", "usd": script.pop("billed")})
    for told in script["running"]:
        send({"event": "running", "told": told})
    if script.get("waits"):
        hear()
    if "left" in script:
        send({"event": "left", "told": script["left"]})
    if script.get("waits"):
        return 2
    send({"event": "judged", "judgement": script["judgement"]})
    return 0


if __name__ == "__main__":
    sys.exit(main())
