"""Decisions written into a document: bytes spliced, everything undecided left as it is, then proved.

:func:`edit` computes the new bytes, :func:`verify` parses them again and compares claim by claim,
:func:`write_file` puts them on disk.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Mapping, Sequence

from memaudit.domain import Block, Claim, Decision, DecisionKind, Document, Span
from memaudit.errors import StoreError, WriteError
from memaudit.patterns import lazy_regex
from memaudit.stores.atomic import Written, write_file
from memaudit.stores.document import load_document
from memaudit.stores.drafts import claim_text, is_attached
from memaudit.stores.markdown import is_label
from memaudit.stores.source import BOM
from memaudit.stores.splice import Change, Splice

__all__ = ["Written", "edit", "nested_claims", "verify", "write_file"]

_BREAK = lazy_regex(r"[ \t]*[\r\n]+\s*")
_CLOSED = lazy_regex(r"[.!?…:。！？][\"'”’»)\]*_`]*\Z")
_STOP = lazy_regex(r"([.!?。！？])[\"'”’»)\]*_`]*\Z")


def nested_claims(document: Document, claim: Claim) -> list[Claim]:
    """The claims below one, that retiring it takes along and that have to be retired with it.

    A "Why: …" or "How to apply: …" below a claim is part of it and not listed.
    """
    return [one for one in _inside(document, claim) if not is_attached(one.text)]


def edit(document: Document, decisions: Mapping[str, Decision]) -> bytes:
    """The document's bytes with the decisions carried out; those about other documents are ignored.

    Accepting changes nothing. A rewrite replaces the claim's own text; line breaks in it become
    spaces, except in code. Retiring takes out the whole item; of the blank lines that then meet, one
    goes too.

    Raises StoreError for a claim that is locked, for one whose nested claims are kept, for an empty
    wording, and where the result would not read as decided.
    """
    changes = _changes(document, decisions)
    if not changes:
        return document.raw
    problems = []
    # Taking lines out can join what stood apart; a blank line in their place keeps it apart.
    for leave_blank in (False, True):
        splice = Splice(document.raw, changes, leave_blank=leave_blank)
        problem = _problem(document, changes, splice)
        if problem is None:
            return splice.after
        problems.append(problem)
    raise StoreError(problems[0], document.path, "change the wording, or undo this decision")


def verify(document: Document, decisions: Mapping[str, Decision], after: bytes) -> None:
    """Prove that ``after`` is the document with the decisions carried out and nothing else changed.

    Parses it again: every undecided claim must be there byte for byte at its place, every retired one
    gone, every rewritten one with its new wording. Raises WriteError otherwise.
    """
    changes = _changes(document, decisions)
    if not changes:
        if after != document.raw:
            raise WriteError("the new content differs though nothing was decided", document.path)
        return
    for leave_blank in (False, True):
        splice = Splice(document.raw, changes, leave_blank=leave_blank)
        if splice.after == after:
            if problem := _problem(document, changes, splice):
                raise WriteError(problem, document.path, "nothing was written")
            return
    raise WriteError("the new content is not what was decided", document.path, "nothing was written")


def _inside(document: Document, claim: Claim) -> Iterator[Claim]:
    if claim.block is Block.TREE:
        at = document.claims.index(claim)
        yield from document.claims[at + 1 : at + 1 + claim.children]
    elif claim.block is Block.ITEM:
        for one in document.claims:
            if one is not claim and _contains(claim.item_span, one.span):
                yield one


def _contains(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _changes(document: Document, decisions: Mapping[str, Decision]) -> list[Change]:
    """What to do to the bytes, in order, without overlaps."""
    retired: list[Claim] = []
    changes: list[Change] = []
    for claim in document.claims:
        decision = decisions.get(claim.id)
        if decision is None or decision.kind is DecisionKind.ACCEPT:
            continue
        if claim.locked:
            raise StoreError(
                f"this claim may not be edited: {claim.locked}",
                _place(document, claim),
                "change what generates it, or accept the claim",
            )
        if decision.kind is DecisionKind.RETIRE:
            retired.append(claim)
        elif (text := _fitted(document, claim, decision.text or "")) is not None:
            changes.append(Change(claim.span, text))
    _refuse_orphans(document, retired, decisions)
    removed = _merged([claim.item_span for claim in retired])
    starts = [span.start for span in removed]
    kept = [change for change in changes if not _within(removed, starts, change.span)]
    return sorted([*kept, *(Change(span, None) for span in removed)], key=lambda one: one.span)


def _place(document: Document, claim: Claim) -> str:
    return f"{document.path}:{claim.line_start}"


def _refuse_orphans(document: Document, retired: Sequence[Claim], decisions: Mapping[str, Decision]) -> None:
    for claim in retired:
        if not claim.children:
            continue
        kept = [
            one
            for one in nested_claims(document, claim)
            if (decision := decisions.get(one.id)) is None or decision.kind is not DecisionKind.RETIRE
        ]
        if kept:
            raise StoreError(
                f"retiring this claim would take {len(kept)} kept below it along",
                _place(document, claim),
                "retire those too, or rewrite this one",
            )


def _merged(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(spans):
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _within(removed: Sequence[Span], starts: Sequence[int], span: Span) -> bool:
    at = bisect.bisect_right(starts, span.start) - 1
    return at >= 0 and _contains(removed[at], span)


def _fitted(document: Document, claim: Claim, text: str) -> bytes | None:
    """A new wording as bytes that fit the claim's place; None where nothing would change."""
    if not text.strip():
        raise StoreError("the new wording is empty", _place(document, claim), "retire the claim instead")
    if any("\ud800" <= char <= "\udfff" for char in text):
        raise StoreError("the new wording is not valid text", _place(document, claim), "type it again")
    if " ".join(text.split()) == " ".join(claim.text.split()):
        return None
    raw, span = document.raw, claim.span
    line_start = raw.rfind(b"\n", 0, span.start) + 1
    if claim.block in (Block.FENCE, Block.COMMAND):
        prefix = raw[line_start : span.start].removeprefix(BOM)
        if claim.block is Block.COMMAND:
            prefix = prefix[: len(prefix) - len(prefix.lstrip(b" \t>"))]
        line_end = raw.find(b"\n", span.start)
        eol = b"\r\n" if raw[line_end - 1 : line_end] == b"\r" else b"\n"
        lines = [line.rstrip().encode("utf-8") for line in text.strip("\r\n").split("\n")]
        return lines[0] + b"".join(eol + (prefix + line if line else prefix.rstrip()) for line in lines[1:])
    text = _BREAK.sub(" ", text.strip())
    if claim.block is Block.SENTENCE and not _CLOSED.search(text):
        stop = _STOP.search(claim.text)
        rest = raw[span.end :].split(b"\n", 1)[0]
        if stop and rest.strip(b" \t\r"):
            text += stop.group(1)
    return text.encode("utf-8")


def _problem(document: Document, changes: Sequence[Change], splice: Splice) -> str | None:
    """What is wrong with the new bytes, or None when they read as decided."""
    try:
        fresh = load_document(document.path, splice.after, store="", format=document.format)
    except StoreError as error:
        return error.what
    left = {claim.span: claim for claim in fresh.claims}
    starts = [change.span.start for change in changes]
    for claim in document.claims:
        at = bisect.bisect_right(starts, claim.span.start) - 1
        if at >= 0 and _contains(changes[at].span, claim.span):
            continue
        moved = splice.moved(claim.span)
        found = left.pop(moved, None) if moved else None
        if found is None or _reading(found) != _reading(claim):
            return f'line {claim.line_start} would no longer stand for itself: "{claim.text[:60]}"'
    for place in splice.rewritten:
        text = splice.after[place.start : place.end].decode("utf-8")
        inside = [left.pop(span) for span in sorted(left) if _contains(place, span)]
        said = "".join(_letters(claim.text) for claim in inside)
        if not inside or inside[0].span.start != place.start or said != _letters(claim_text(text)):
            return f'the new wording would not be read as one claim: "{text[:60]}"'
    # A label whose list is gone stands for itself.
    stray = [claim for claim in left.values() if not is_label(claim.text)]
    return f'other text would turn into a claim: "{stray[0].text[:60]}"' if stray else None


def _reading(claim: Claim) -> tuple[str, tuple[str, ...], Block]:
    return claim.text, claim.heading, claim.block


def _letters(text: str) -> str:
    """The words of a text and nothing of its layout."""
    return "".join(filter(str.isalnum, text))
