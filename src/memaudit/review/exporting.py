"""What a review can be exported as: the cleaned store, a report, or a patch. Both front doors call this."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memaudit.domain import Judgement, Range
from memaudit.errors import StoreError
from memaudit.review.account import Account, Content, account
from memaudit.review.patch import patch
from memaudit.review.session import Review
from memaudit.stores.export import FORMATS as STORE_FORMATS
from memaudit.stores.export import export


def _markdown(told: Account) -> str:
    from memaudit.review.account_markdown import markdown

    return markdown(told)


def _page(told: Account) -> str:
    from memaudit.review.account_html import page

    return page(told)


REPORTS: Mapping[str, Callable[[Account], str]] = {"report": _markdown, "html": _page}
"""Formats that tell of verdicts as well, and what writes them."""

PATCH = "patch"

FORMATS = (*STORE_FORMATS, *REPORTS, PATCH)
"""Every format there is."""


def exported(review: Review, format_: str) -> bytes:
    """The cleaned store in one of its formats, or the patch. Raises UsageError, StoreError."""
    if format_ == PATCH:
        return patch_of(review)
    return export(review.stores, review.decisions, format_)


def patch_of(review: Review) -> bytes:
    """What a save would change, as a patch. Raises StoreError where there is nothing to put into one."""
    data, outside = patch(review.preview())
    if data:
        return data
    if outside:
        raise StoreError("lies outside the repository, where no patch reaches", outside[0], "save it instead")
    raise StoreError("no decision changes a file that is not saved yet", fix="git diff shows what is saved")


def reported(
    review: Review,
    format_: str,
    repo: str,
    range_: Range,
    judgements: Mapping[str, Judgement],
    content: Content,
) -> bytes:
    """The report of a review; ``content`` gives the text of the files that evidence lies in."""
    claims = [claim for store in review.stores for claim in store.claims]
    told = account(
        repo, range_, claims, judgements, review.decisions, review.contested, review.is_saved, content
    )
    return REPORTS[format_](told).encode("utf-8", "replace")
