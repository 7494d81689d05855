"""A review with the model on, in a real terminal: consent, cost, verdicts, stopping, the cap, going on."""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

from modelkit import Answer, ModelServer, claim_in
from tmuxkit import Tmux, needs_tmux

from memaudit import asking
from memaudit.audit import Audit
from memaudit.domain import AuditRequest


def billed(word: str, tokens: int) -> Answer:
    """An answer for which the server counts so many tokens."""
    content = [{"type": "text", "text": json.dumps({"verdict": word})}]
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "stub-1", "content": content}
    usage = {"input_tokens": tokens, "output_tokens": 0}
    return Answer(raw=json.dumps({**message, "stop_reason": "end_turn", "usage": usage}).encode())


@needs_tmux
def test_a_review_with_the_model_on(tmux: Tmux, pages_repo: Any, tmp_path: Path, server: ModelServer) -> None:
    audit = Audit(AuditRequest(path=pages_repo.root, range="HEAD~1..HEAD"))
    questions = asking.plan(audit, audit.run(), server.settings()).questions
    # Room for two answers at one cent each, not for a third.
    cap = round(3 * max(one.worst for one in questions) + 0.015, 4)
    file = tmp_path / "settings.toml"
    file.write_text(
        f'[model]\nname = "stub-1"\nurl = "{server.url}"\ncap_usd = {cap}\nat_once = 1\n'
        "[model.prices.stub-1]\ninput = 1\noutput = 5\ncache_read = 0.1\ncache_write = 1.25\n"
    )
    never = threading.Event()
    server.respond = lambda body: (
        billed("flipped", 10_000) if "fetch" in claim_in(body) else Answer(wait_for=never)
    )
    command = f"{sys.executable} -m memaudit {pages_repo.root} --range HEAD~1..HEAD --config {file}"
    tmux.type(f"{command}; echo LEFT=$?")
    tmux.press("Enter")
    tmux.wait_for("? 4 unknown")

    tmux.type("v")
    consent = "none yet: nothing is sent before you agree"
    plan = tmux.wait(lambda screen: "y agree, and ask 4" in screen and consent in screen)
    assert server.url.removeprefix("http://") in plan
    assert server.bodies == []
    tmux.type("y")
    cost = f"Model: 1 of 4 asked, $0.0100 of ${cap:.4f}"
    tmux.wait(lambda screen: cost in screen and "✗ stale ≈" in screen)
    tmux.press("Escape")
    tmux.wait_for("Stopped, what was answered is kept. 3 not asked, v goes on.")

    never.set()
    server.respond = lambda _: billed("held", 10_000)
    tmux.type("v")
    tmux.wait_for("3 calls for 4 open claims, 1 already answered")
    tmux.press("Enter")
    reached = tmux.wait_for(f"The cap of ${cap:.4f} is reached.")
    assert "2 of 3 asked, 1 already answered: 1 stale, 2 held." in reached
    tmux.type("v")
    tmux.wait_for("enter ask 1")
    tmux.press("Enter")
    told = "1 of 1 asked, 3 already answered: 1 stale, 3 held. Billed $0.0100."
    tmux.wait(lambda screen: told in screen and screen.count("✓ held ≈") == 3)
    assert pages_repo.git("status", "--porcelain", "--ignored") == ""
    tmux.type("q")
    tmux.wait_for("LEFT=0")
