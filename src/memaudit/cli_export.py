"""``memaudit export``: the cleaned store, a report of the review, or a patch of it, to a file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from memaudit.domain import AuditRequest
from memaudit.errors import MemauditError
from memaudit.settings import Settings

if TYPE_CHECKING:
    from memaudit.audit import Audit
    from memaudit.review.account import Content

_WAIT_SECONDS = 60.0
_KEPT_FILES = 32


def export(
    request: AuditRequest,
    settings: Settings,
    format_: str,
    to: str,
    *,
    replace: bool,
    told: Callable[[str], None],
) -> None:
    """Write the review of what ``request`` asks for to the file ``to``, ``-`` for standard output.

    ``told`` hears at once that the journal is waited for. Raises MemauditError; a memory file under
    review is never written over, another file only with ``replace``.
    """
    from memaudit.audit import Audit
    from memaudit.outputs import refuse_to_write, write_output
    from memaudit.review.exporting import REPORTS, exported, reported
    from memaudit.review.journal_file import Patience
    from memaudit.review.session import review_of

    audit = Audit(request)
    audit.require_readable()
    for line in audit.not_read:
        told(f"left out: {line}")
    review = review_of(audit, settings.decided_by, Patience(_WAIT_SECONDS, told))
    try:
        if to != "-":
            refuse_to_write(to, review.files, replace=replace)
        if format_ in REPORTS:
            judged = {claim.id: judgement for claim, judgement in audit.run()}
            repo, content = audit.repository.name, _content(audit)
            data = reported(review, format_, repo, audit.range, judged, content)
        else:
            data = exported(review, format_)
    finally:
        review.close()
    if to == "-":
        sys.stdout.buffer.write(data)
    else:
        write_output(to, data)


def _content(audit: Audit) -> Content:
    claims = {claim.id: claim for claim in audit.claims}

    @lru_cache(maxsize=_KEPT_FILES)
    def content(claim_id: str, side: str, path: str) -> str | None:
        try:
            return audit.content(claims[claim_id], side, path) if claim_id in claims else None
        except MemauditError:
            return None

    return content
