"""The report of a review: all that decides is in it, and nothing in it can act."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from reviewing import PULLED

from memaudit.domain import (
    CommitInfo,
    Decision,
    DecisionKind,
    Evidence,
    Judgement,
    Location,
    Origin,
    Store,
    Verdict,
)
from memaudit.review.account import Account, account
from memaudit.review.account_html import page
from memaudit.review.account_markdown import markdown
from memaudit.stores.document import load_document

CODE = "import csv\n\n\ndef load(path):\n    return csv\n\n\nEND = 1\n"
MEMORY = "# Orchard\n\n- `load` reads it.\n- The port is 80.\n- Be kind.\n- Tests run.\n- Old one.\n"

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=http://evil.example/x.png onerror=alert(1)>",
    "![x](http://evil.example/pixel.png) [y](javascript:alert(1))",
    "\x1b]0;owned\x07 \u202egnissim\u202c",
    "```\n# out of the fence\n<b>x</b>",
    "\" onmouseover='alert(1)' & &lt;",
    "http://evil.example/plain www.evil.example *a* _b_ ~~c~~ | d | $e$",
    "]]> --> </style></title></pre>",
)


def claims_of(text: str) -> Store:
    document = load_document("CLAUDE.md", text.encode(), store="CLAUDE.md", format="claude")
    return Store("CLAUDE.md", "claude", "project", (document,))


def told(text: str = MEMORY, spice: str = "") -> Account:
    """One stale and rewritten claim, one stale, one unknown, one accepted, one retired unseen by two."""
    claims = claims_of(text).claims[:5]
    more = f" {spice}" if spice else ""
    loaded, port, kind, tests, old = (one.id for one in claims)
    evidence = Evidence(
        f"load{spice}",
        Location("src/importer.py", 4, "def load(path):"),
        Location(f"src/{spice}.py", 9, f"def read(path):{more}"),
        CommitInfo("5c1e77d0" * 5, f"Move it{more}", f"Ada{more}", "2024-03-02T10:00:00+00:00"),
        f"moved{more}",
    )
    judgements = {
        loaded: Judgement(
            loaded,
            Verdict.STALE,
            "symbol-renamed",
            f"load is read now{more}",
            "grounded",
            0.9,
            Origin.RANGE,
            evidence=(evidence,),
        ),
        port: Judgement(port, Verdict.STALE, "port-changed", "It is 81.", "grounded", 0.9, Origin.EARLIER),
        kind: Judgement(kind, Verdict.UNKNOWN, "no-reference", "", "grounded", 0.9),
        tests: Judgement(tests, Verdict.HELD, "supported", "", "grounded", 0.9),
        old: Judgement(old, Verdict.HELD, "supported", "", "grounded", 0.9),
    }
    at = "2026-01-02T03:04:05+00:00"
    decisions = {
        loaded: Decision(loaded, DecisionKind.REWRITE, f"Mara{more}", at, f"`read` reads it.{more}"),
        tests: Decision(tests, DecisionKind.ACCEPT, "Ada", at),
        old: Decision(old, DecisionKind.RETIRE, "Ada", at),
    }
    contested = {old: (decisions[old], Decision(old, DecisionKind.ACCEPT, f"Mara{more}", at))}
    contents = {("base", "src/importer.py"): CODE}
    return account(
        f"/home/you/orchard{more}",
        PULLED,
        claims,
        judgements,
        decisions,
        contested,
        lambda claim: claim == tests,
        lambda _, side, path: contents.get((side, path)),
    )


def test_the_markdown_report_has_verdict_evidence_and_decision() -> None:
    text = markdown(told())
    for part in (
        "# Review of orchard",
        "5 claims: 2 stale, 2 held, 1 unknown",
        "1 of 2 stale claims decided",
        "Ada: 1 accepted, 1 retired",
        "### CLAUDE.md:3",
        "✗ stale, since base \\[symbol-renamed\\]",
        "```diff\n- `load` reads it.\n+ `read` reads it.\n```",
        "**rewritten by Mara, 2026-01-02 03:04 UTC**\n(not in the file yet)",
        "```text\n  2\n  3\n> 4  def load(path):\n  5      return csv\n  6\n```",
        "> 9  def read(path):",
        "By 5c1e77d05c 2024-03-02 Ada: Move it",
        "## Stale, nobody decided (1)",
        "already before base",
        "## Accepted (1)",
        "## Unknown, nobody decided (1)",
        "contested: nobody had seen the other's decision",
    ):
        assert part in text, part


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


def parsed(text: str) -> Page:
    found = Page()
    found.feed(text)
    found.close()
    assert found.open == []
    return found


def test_the_page_has_the_same_and_is_whole_in_itself() -> None:
    raw = page(told())
    found = parsed(raw)
    for part in (
        "✗ stale, since base [symbol-renamed]",
        "load is read now",
        "def load(path):",
        "Mara",
        "UTC",
    ):
        assert part in found.text
    tags = {tag for tag, _ in found.tags}
    assert tags <= set(
        "html head meta title style body h1 h2 h3 p ul li article blockquote del ins strong div span pre b"
        " code details summary".split()
    )
    attributes = {name for _, attrs in found.tags for name in attrs}
    assert attributes <= {"lang", "charset", "http-equiv", "content", "name", "class", "open"}
    assert "default-src 'none'" in raw
    assert "prefers-color-scheme: dark" in raw
    assert "@media print" in raw
    assert not re.search(r"url\(|@import|https?:", raw)


@pytest.mark.parametrize("spice", HOSTILE)
def test_hostile_text_is_shown_and_does_nothing(spice: str) -> None:
    memory = MEMORY.replace("reads it.", "reads it. " + " ".join(spice.split()).replace("`", ""))
    raw = page(told(memory, spice))
    plain, found = parsed(page(told())), parsed(raw)
    assert [(tag, attrs.keys()) for tag, attrs in found.tags] == [
        (tag, attrs.keys()) for tag, attrs in plain.tags
    ]
    text = markdown(told(memory, spice))
    for character in "\x1b\x07\u202e\u202c":
        assert character not in raw + text
    tokens = MarkdownIt("gfm-like", {"linkify": False, "html": True}).parse(text)
    kinds = {one.type for token in tokens for one in (token, *(token.children or []))}
    assert not kinds & {"link_open", "image", "html_inline", "html_block", "em_open", "s_open", "table_open"}
    headings = [
        one.content for one, before in zip(tokens[1:], tokens, strict=False) if before.type == "heading_open"
    ]
    assert "out of the fence" not in " ".join(headings)
    assert "http://" not in re.sub(r"(?s)```.*?```", "", text)


def test_a_line_that_moved_is_shown_alone() -> None:
    claims = claims_of(MEMORY).claims
    stale = told().items[0].judgement
    assert stale is not None
    moved = replace(
        stale, evidence=(replace(stale.evidence[0], base=Location("src/importer.py", 5, "def load(path):")),)
    )
    one = account("x", PULLED, claims[:1], {claims[0].id: moved}, {}, {}, lambda _: False, lambda *_: CODE)
    before = one.items[0].proofs[0].before
    assert before is not None
    assert [(line.number, line.text) for line in before.lines] == [(5, "def load(path):")]


def test_nothing_is_written_about_a_claim_that_was_not_judged(tmp_path: Path) -> None:
    claims = claims_of(MEMORY).claims
    retired = Decision(claims[0].id, DecisionKind.RETIRE, "Ada", "2026-01-02T03:04:05+00:00")
    one = account("x", PULLED, claims, {}, {claims[0].id: retired}, {}, lambda _: True, lambda *_: None)
    assert "not judged" in markdown(one)
    assert "not judged" in page(one)
