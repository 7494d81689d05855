"""A review as one HTML page: no script, nothing fetched, everything that was read escaped.

The page says so itself to the browser, by a content security policy that allows its own style only.
"""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence

from memaudit.domain import DecisionKind, Verdict
from memaudit.review.account import Account, Excerpt, Item, Proof
from memaudit.review.account_words import (
    SHORT,
    count_words,
    decision_words,
    person_words,
    place_words,
    range_words,
    state_words,
    verdict_words,
)
from memaudit.text import visible

_STYLE = """
:root { color-scheme: light dark; --fg: #1c1f24; --bg: #ffffff; --soft: #5b6470; --line: #d5dae1;
  --code: #f3f5f8; --bad: #b3261e; --good: #1b6e3c; --open: #8a5a00; --old: #fbe3e1; --new: #dff3e4; }
@media (prefers-color-scheme: dark) {
  :root { --fg: #e4e7ec; --bg: #15181d; --soft: #9aa4b1; --line: #333a44; --code: #1d2128;
    --bad: #ff8a80; --good: #7ad69b; --open: #f0c36a; --old: #47211f; --new: #1d3a28; } }
body { color: var(--fg); background: var(--bg); max-width: 72rem; margin: 2rem auto; padding: 0 1rem;
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; border-bottom: 1px solid var(--line); margin-top: 2rem; }
h3 { font-size: 1rem; margin: 0; font-family: ui-monospace, monospace; }
article { border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; margin: 1rem 0; }
p, ul { margin: .4rem 0; } .soft { color: var(--soft); }
.stale { color: var(--bad); font-weight: 600; } .held { color: var(--good); font-weight: 600; }
.unknown { color: var(--open); font-weight: 600; }
blockquote { margin: .5rem 0; padding: .3rem .8rem; border-left: 4px solid var(--line);
  white-space: pre-wrap; }
del, ins { display: block; text-decoration: none; padding: .15rem .5rem; white-space: pre-wrap; }
del { background: var(--old); } ins { background: var(--new); }
del::before { content: "− "; } ins::before { content: "+ "; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: .6rem; }
pre { background: var(--code); padding: .5rem; margin: .2rem 0; font: 13px/1.45 ui-monospace, monospace;
  white-space: pre-wrap; }
pre b { font-weight: 700; } pre b::before { content: "▶"; } pre span::before { content: " "; }
@media print { body { max-width: none; margin: 0; font-size: 11pt; } article { break-inside: avoid; }
  :root { --fg: #000; --bg: #fff; --code: #fff; --soft: #444; --line: #999; } }
"""


def page(account: Account) -> str:
    """The whole report."""
    return "\n".join(_page(account)) + "\n"


def _page(account: Account) -> Iterator[str]:
    title = f"Review of {_text(account.repo.rstrip('/').rsplit('/', 1)[-1])}"
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8">'
    yield (
        '<meta http-equiv="Content-Security-Policy"'
        " content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    )
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<meta name="referrer" content="no-referrer">'
    yield f"<title>{title}</title><style>{_STYLE}</style></head><body>"
    yield f"<h1>{title}</h1>"
    yield f'<p class="soft">{_text(range_words(account.range))}</p><ul>'
    for line in count_words(account):
        yield f"<li>{_text(line)}</li>"
    for name, counts in sorted(account.people.items()):
        yield f"<li>{_text(name)}: {_text(person_words(counts))}</li>"
    yield "</ul>"
    yield from _section("Decided", account.decided)
    yield from _section("Stale, nobody decided", account.stale)
    yield from _list("Accepted", account.accepted, is_open=True)
    yield from _list("Unknown, nobody decided", account.unknown, is_open=False)
    yield from _list("Held, nobody decided", account.held, is_open=False)
    yield "</body></html>"


def _section(title: str, items: Sequence[Item]) -> Iterator[str]:
    if items:
        yield f"<h2>{title} ({len(items):,})</h2>"
    for item in items:
        yield from _article(item)


def _list(title: str, items: Sequence[Item], *, is_open: bool) -> Iterator[str]:
    if not items:
        return
    yield f"<h2>{title} ({len(items):,})</h2>"
    yield f"<details{' open' if is_open else ''}><summary>{len(items):,} claims</summary><ul>"
    for item in items:
        by = (
            f' <span class="soft">{_text(decision_words(item.decisions[-1]))}</span>'
            if item.decisions
            else ""
        )
        yield f"<li><code>{_text(place_words(item))}</code> {_text(item.claim.text)}{by}</li>"
    yield "</ul></details>"


def _article(item: Item) -> Iterator[str]:
    verdict = item.judgement.verdict if item.judgement else Verdict.UNKNOWN
    yield f"<article><h3>{_text(place_words(item))}</h3>"
    yield f'<p class="{verdict.value}">{_text(verdict_words(item.judgement))}</p>'
    heading = " › ".join((*item.claim.heading, *item.claim.context))
    if heading:
        yield f'<p class="soft">{_text(heading)}</p>'
    edits = [one for one in item.decisions if one.kind is not DecisionKind.ACCEPT]
    if edits:
        yield f"<del>{_text(item.claim.text)}</del>"
        for one in edits:
            if one.kind is DecisionKind.REWRITE:
                yield f"<ins>{_text(one.text or '')}</ins>"
    else:
        yield f"<blockquote>{_text(item.claim.text)}</blockquote>"
    if item.judgement is not None and item.judgement.why:
        yield f"<p>{_text(item.judgement.why)}</p>"
    for decision in item.decisions:
        yield f"<p><strong>{_text(decision_words(decision))}</strong></p>"
    if item.decisions:
        yield f'<p class="soft">{state_words(item)}</p>'
    for proof in item.proofs:
        yield from _proof(proof)
    yield "</article>"


def _proof(proof: Proof) -> Iterator[str]:
    note = f", {_text(proof.note)}" if proof.note else ""
    yield f'<p class="soft">Evidence for <code>{_text(proof.reference)}</code>{note}</p><div class="sides">'
    for side, excerpt in (("base", proof.before), ("head", proof.after)):
        yield from _excerpt(side, excerpt)
    yield "</div>"
    if proof.commit is not None:
        commit = proof.commit
        yield (
            f'<p class="soft">By <code>{_text(commit.sha[:SHORT])}</code> {_text(commit.date[:10])}'
            f" {_text(commit.author)}: {_text(commit.summary)}</p>"
        )


def _excerpt(side: str, excerpt: Excerpt | None) -> Iterator[str]:
    if excerpt is None:
        yield f'<div><span class="soft">at {side}: nothing</span></div>'
        return
    width = len(str(excerpt.lines[-1].number)) if excerpt.lines else 1
    lines = []
    for line in excerpt.lines:
        tag = "b" if line.deciding else "span"
        lines.append(f"<{tag}>{line.number:>{width}}  {_text(line.text.expandtabs(4))}</{tag}>")
    yield (
        f'<div><span class="soft">at {side}: <code>{_text(excerpt.path)}</code></span>'
        f"<pre>{chr(10).join(lines)}</pre></div>"
    )


def _text(text: str) -> str:
    """Text of any origin, inert in HTML and to whoever reads the source."""
    return html.escape(visible(text), quote=True)
