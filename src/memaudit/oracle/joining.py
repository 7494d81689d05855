"""The verdict of a check beside the one that a claim had before."""

from __future__ import annotations

from dataclasses import replace

from memaudit.domain import Judgement, Verdict


def joined(before: Judgement | None, tried: Judgement) -> Judgement:
    """The judgement of a claim once its check was run, beside the one that it had.

    What the check shows goes first. It shows that a claim is false by one failure, but only as much of it to
    be true as it tests: a contradiction that another judge has shown stands, and so does a verdict where the
    check gives none.
    """
    if before is None:
        return tried
    evidence = [*tried.evidence, *(one for one in before.evidence if one not in tried.evidence)]
    # A test that is in no revision, like a snippet or a draft, has no place to be looked at first.
    evidence.sort(key=lambda one: one.base is None and one.head is None)
    stands = (tried.verdict is Verdict.UNKNOWN and before.verdict is not Verdict.UNKNOWN) or (
        tried.verdict is Verdict.HELD and before.verdict is Verdict.STALE
    )
    if stands:
        why = f"{before.why}; its check was run too ({tried.reason}): {tried.why}"
        return replace(before, why=why, evidence=(*before.evidence, *tried.evidence))
    suggestion = before.suggestion if tried.verdict is before.verdict else None
    return replace(tried, references=before.references, evidence=tuple(evidence), suggestion=suggestion)
