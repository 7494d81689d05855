"""What the screen asks of an audit beside its verdicts: other words, files, names, commits, the ledger."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import TYPE_CHECKING

from memaudit.errors import UsageError
from memaudit.wire import Json, judgement_to_json

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.domain import Claim

_READING_SECONDS = 0.15
"""How long the code is read for names before what was found so far is offered."""


class Questions:
    """Answers requests on the claims of one audit, as JSON values."""

    def __init__(self, audit: Audit) -> None:
        self._audit = audit
        self._claims = {claim.id: claim for claim in audit.claims}

    def answer(self, request: Json) -> tuple[str, Json]:
        """The name of the answering event and its values. Raises MemauditError."""
        if request.get("do") == "head":
            return "head", {"moved_to": self._audit.moved_to()}
        if request.get("do") == "again":
            return "again", {"judged": self._again(request.get("files", {}))}
        claim = self._claims.get(str(request.get("id")))
        if claim is None:
            raise UsageError("no such claim", str(request.get("id")))
        match request.get("do"):
            case "rejudge":
                judgement = self._audit.rejudge(claim, str(request.get("text", "")))
                return "rejudged", {"judgement": judgement_to_json(judgement)}
            case "content":
                text = self._audit.content(claim, str(request.get("side")), str(request.get("path")))
                return "content", {"text": text}
            case "sides":
                base, head = self._audit.sides(claim)
                return "sides", {"base": base.rev, "head": head.rev}
            case "complete":
                return "completed", self._complete(str(request.get("word", "")))
            case "commit":
                return "commit", self._commit(str(request.get("sha", "")), request.get("paths", []))
            case "history":
                return "history", {"lines": self._history(claim)}
            case other:
                raise UsageError("no such request", str(other))

    def _again(self, files: Json) -> list[Json]:
        """All claims with their verdicts, once documents hold other bytes (in base 64, by path)."""
        held = {path: base64.b64decode(data) for path, data in files.items()}
        return [
            {"claim": asdict(claim), **judgement_to_json(judgement)}
            for claim, judgement in self._audit.judge_again(held)
        ]

    def _complete(self, word: str) -> Json:
        vocabulary = self._audit.vocabulary
        names = vocabulary.offer(word, _READING_SECONDS)
        return {"names": names, "complete": vocabulary.complete}

    def _commit(self, sha: str, paths: list[str]) -> Json:
        from memaudit.repo.message import read_commit

        return read_commit(self._audit.repository, sha, paths).as_json()

    def _history(self, claim: Claim) -> list[tuple[str, str]]:
        from memaudit.review.ledger_keeper import history_lines

        return history_lines(self._audit.repository, claim.id, self._audit.range.head_commit)
