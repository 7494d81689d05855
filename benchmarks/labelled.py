#!/usr/bin/env python3
"""Causes and suggestions of `memaudit check`, held against labelled lines and against git itself.

    labelled.py LABELS.jsonl --repos DIR [--memaudit "memaudit"] [--pairs] [--only ID …]

LABELS.jsonl has one labelled line of a memory file per row: `id`, `repo` (OWNER/NAME), `memory_path`,
`base`, `head`, `line_start`, `line_end`, `label`, and for stale lines `fix`: the shortest right rewrite,
or "retire". DIR/OWNER+NAME/repo (or DIR/OWNER+NAME) is the git dir of each repository. Standard library
only; nothing is written.

Only stale lines that memaudit finds are counted. Printed are, each with its denominator:

- **cause**: for each contradiction of the line, the commit that memaudit names beside the one that git
  names. For a path that is gone it is the newest commit that deleted it (`git log --diff-filter=D`), for
  a line the newest commit that changed how often the line (for a name: the line up to that name) stands
  in its file (`git log -S`), for a citation the newest that moved the cited line. A line that still stands
  at head, because what it begins has changed, asks for a commit of `git log -L` over its place. For what
  was wrong before the range: a commit that is an ancestor of base and takes the name out, or none.
- **suggestion**: where `fix` is not "retire", whether the proposed text has every code-like token that
  the fix brings into the line and none that the fix takes out of it (tokens: what stands in backticks, and
  words with digits, dots, slashes, underscores, hyphens or inner capitals; all words where the fix changes
  no such token). This is a mechanical test: read the pairs (`--pairs`) before you believe it.
- **apply**: all suggestions of the tier `apply`, to be read by hand.
"""

from __future__ import annotations

import argparse
import collections
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_SPAN = re.compile(r"`([^`]*)`")
_WORD = re.compile(r"[^\s`*|\"'(),;\[\]{}→]+")
_CODE = re.compile(r"[\w)][._/:=@-]+\w|\d|[a-z][A-Z]|^[-.$/@<~]|_")
_BULLET = re.compile(r"^\s*(?:[-*+]|\d+[.)]|[│├└─ ]+)\s*")


@dataclass
class Found:
    """A labelled stale line together with the claims of memaudit that overlap it and are stale."""

    label: dict[str, Any]
    git: Path
    line: str
    claims: list[dict[str, Any]]
    causes: list[tuple[bool, str]] = field(default_factory=list)

    @property
    def proposed(self) -> str | None:
        """The texts proposed for the line, or None where none is."""
        texts = [claim["suggestion"]["text"] for claim in self.claims if claim["suggestion"]]
        return "\n".join(text for text in texts if text is not None) or None


def git(repo: Path, *arguments: str) -> str:
    """The output of a git command; empty where git refuses."""
    run = subprocess.run(
        ["git", "--git-dir", str(repo), *arguments], capture_output=True, text=True, errors="replace"
    )
    return run.stdout if run.returncode == 0 else ""


def tokens(text: str) -> tuple[collections.Counter[str], set[str]]:
    """How often each word of a text stands in it, and which of them are code-like."""
    spans = {word for span in _SPAN.findall(text) for word in map(_bare, _WORD.findall(span))}
    words = collections.Counter(word for word in map(_bare, _WORD.findall(text)) if word)
    return words, spans | {word for word in words if _CODE.search(word)}


def _bare(word: str) -> str:
    return word.strip(".,:;!?<>@").removeprefix("./").rstrip("/").lower()


def says_the_same(line: str, fix: str, proposed: str) -> bool:
    """Whether a proposal changes the line as the fix does, in code-like tokens (else in all words)."""
    (was, was_code), (want, want_code) = tokens(_BULLET.sub("", line)), tokens(_BULLET.sub("", fix))
    have, _ = tokens(proposed)
    brought, dropped = want - was, was - want
    if any(word in want_code for word in brought) or any(word in was_code for word in dropped):
        brought = collections.Counter({word: n for word, n in brought.items() if word in want_code})
        dropped = collections.Counter({word: n for word, n in dropped.items() if word in was_code})
    return all(have[word] >= want[word] for word in brought) and all(
        have[word] <= want[word] for word in dropped
    )


def cause(repo: Path, label: dict[str, Any], claim: dict[str, Any], item: dict[str, Any]) -> tuple[bool, str]:
    """Whether git agrees with the commit named in one piece of evidence, and what it says."""
    named = item["commit"]["sha"] if item["commit"] else None
    base, head = label["base"], label["head"]
    if claim["origin"] == "earlier" or not (item["base"] or item["head"]):
        return _before(repo, label, claim, item, named)
    where = item["base"]
    if where is None:
        path = item["head"]["path"] if item["head"] else item["reference"]
        return _same(named, _newest(repo, base, head, path, "--no-renames", "--diff-filter=A"), "added")
    path = where["path"].rstrip("/")
    if not git(repo, "rev-parse", "--verify", "--quiet", f"{head}:{path}"):
        gone = _newest(repo, base, head, path, "--no-renames", "--diff-filter=D")
        return _same(named, gone, f"{path} deleted")
    if git(repo, "cat-file", "-t", f"{head}:{path}").strip() == "tree":
        inside = git(repo, "log", "--format=%H", "--diff-filter=ADR", f"{base}..{head}", "--", path).split()
        return named in inside, f"a commit that adds to or takes from {path}: memaudit {named and named[:9]}"
    cited = re.search(r":(\d+)(?:-\d+)?$", item["reference"])
    if cited:
        number = int(cited[1])
        while number < where["line"] and not _line(repo, base, path, number):
            number += 1
        return _same(named, _line_left(repo, base, head, path, number), f"line {number} of {path}")
    if claim["reason"] == "size-changed":
        listed = git(repo, "log", "--format=%H", f"{base}..{head}", "--", path).split()
        return named in listed, f"a commit that changed {path}: memaudit {named and named[:9]}"
    if claim["reason"] == "command-steps":
        return _same(named, _step_left(repo, base, head, where, claim), f"step in {path}")
    for needle in (_named_in(where["text"], item["reference"], claim), where["text"]):
        if needle and needle not in git(repo, "show", f"{head}:{path}"):
            return _same(named, _newest(repo, base, head, path, f"-S{needle}"), f"-S {needle[:50]!r} {path}")
    at = item["head"] or where
    place = f"-L{at['line']},+10:{at['path']}"
    changed = git(repo, "log", "--format=%H", place, f"{base}..{head}").split("\n")
    return named is not None and named in changed, f"{place}: memaudit {named and named[:9]}"


def _named_in(line: str, reference: str, claim: dict[str, Any]) -> str | None:
    """The start of a line up to the longest name of the reference, where that is what the line is about."""
    if claim["reason"] not in ("symbol-gone", "symbol-renamed", "command-gone", "command-renamed") and (
        not claim["reason"].startswith("dependency")
    ):
        return None
    names = sorted(re.findall(r"[A-Za-z_][\w:.-]*\w", reference), key=len, reverse=True)
    name = next((name for name in names if name in line), None)
    return line[: line.index(name) + len(name) + 1] if name else None


def _line(repo: Path, rev: str, path: str, number: int) -> str:
    return "".join(git(repo, "show", f"{rev}:{path}").split("\n")[number - 1 : number]).strip()


def _line_left(repo: Path, base: str, head: str, path: str, number: int) -> str | None:
    """The newest commit at which a numbered line stopped reading as it did at base."""
    wanted = _line(repo, base, path, number)
    return _flip(repo, base, head, path, lambda rev: _line(repo, rev, path, number) == wanted)


def _step_left(repo: Path, base: str, head: str, where: dict[str, Any], claim: dict[str, Any]) -> str | None:
    """The newest commit at which a task stopped to show the first word that it is said to run no longer.

    For a word that the task reached through another one, the commit that changed the task's own line.
    """
    words = re.findall(r"no longer runs? ([\w-]+)", claim["why"])
    word = words[0].lower().removesuffix("s") if words else ""
    start = re.split(r"[:=]", where["text"], maxsplit=1)[0]

    def shows(rev: str) -> bool:
        lines = git(repo, "show", f"{rev}:{where['path']}").split("\n")
        at = next((n for n, line in enumerate(lines) if line.strip().startswith(start)), None)
        if at is None:
            return False
        ended = next((n for n in range(at + 1, len(lines)) if not lines[n][:1].isspace()), len(lines))
        own = lines[at : at + 1] if lines[at][:1].isspace() else lines[at:ended]
        return (
            word
            in "\n".join(line for line in own if not line.strip().startswith("#")).partition(start)[2].lower()
        )

    if not shows(base):
        return _newest(repo, base, head, where["path"], f"-S{where['text']}")
    found = _flip(repo, base, head, where["path"], shows)
    return found or _newest(repo, base, head, where["path"], f"-S{where['text']}")


def _flip(repo: Path, base: str, head: str, path: str, holds: Callable[[str], bool]) -> str | None:
    """The newest commit that touched a file and ended what held of it in its first parent."""
    for commit in git(repo, "log", "--no-merges", "--format=%H", f"{base}..{head}", "--", path).split():
        if not holds(commit) and holds(f"{commit}^"):
            return commit
    return None


def _newest(repo: Path, base: str, head: str, path: str, *options: str) -> str | None:
    listed = git(repo, "log", "-1", "--format=%H", *options, f"{base}..{head}", "--", path).split()
    return listed[0] if listed else None


def _same(named: str | None, expected: str | None, how: str) -> tuple[bool, str]:
    short = [sha[:9] if sha else "none" for sha in (named, expected)]
    return named == expected, f"{how}: memaudit {short[0]}, git {short[1]}"


def _before(
    repo: Path, label: dict[str, Any], claim: dict[str, Any], item: dict[str, Any], named: str | None
) -> tuple[bool, str]:
    """What was wrong before the range: the commit named took it out, or no commit ever had it."""
    # The rarest word of the reference is what is asked for: sub-commands and tasks come after the program.
    words = [
        re.split(r"::|\.(?=[A-Za-z_]+$)", word.strip("./"))[-1] for word in _WORD.findall(item["reference"])
    ]
    words = [word for word in words if not word.startswith("-")]
    name = (words[-1] if claim["reason"].startswith("command") else max(words, key=len)) if words else ""
    base, memory = label["base"], label["memory_path"]
    if named is None:
        if claim["reason"] == "path-gone":
            path = item["reference"].strip("`./").rstrip("/")
            last = git(repo, "log", "-1", "--format=%h", "--no-renames", "--diff-filter=D", base, "--", path)
            return not last.strip(), f"none named; {path} deleted before base: {last.strip() or 'never'}"
        where = [item["head"]["path"]] if item["head"] else [".", f":!{memory}", ":!*.md"]
        name = f'"{name}"' if where[0].endswith(".json") else name
        last = git(repo, "log", "-1", "--format=%h", f"-S{name}", base, "--", *where)
        return not last.strip(), f"none named; -S {name!r} before base: {last.strip() or 'never'}"
    ancestor = subprocess.run(
        ["git", "--git-dir", str(repo), "merge-base", "--is-ancestor", named, base], capture_output=True
    )
    diff = git(repo, "show", "--no-renames", "--format=", named, "--")
    stem = item["reference"].strip("./").rstrip("/").rpartition("/")[2]
    number = re.search(r"\d+(?:\.\d+)+", item["reference"])
    wanted = [number[0]] if number else [name, stem]
    out = any(
        line.startswith(("-", "diff ")) and any(word in line for word in wanted) for line in diff.split("\n")
    )
    return ancestor.returncode == 0 and out, f"{named[:9]} is before base and takes {stem or name} out: {out}"


def audit(rows: list[dict[str, Any]], root: Path, command: list[str]) -> tuple[list[Found], int]:
    """The stale lines that memaudit finds, and how many labelled stale lines there are."""
    groups: dict[tuple[str, str, str, str], list[dict[str, Any]]] = collections.defaultdict(list)
    for row in rows:
        if row["label"] == "stale":
            groups[row["repo"], row["memory_path"], row["base"], row["head"]].append(row)
    found: list[Found] = []
    for (name, memory, base, head), group in sorted(groups.items()):
        folder = root / name.replace("/", "+")
        repo = folder / "repo" if (folder / "repo").is_dir() else folder
        arguments = ["check", str(repo), "--store", memory, "--store-at", base, "--range", f"{base}..{head}"]
        run = subprocess.run(
            [*command, *arguments, "--format", "json", "--fail-on", "never"], capture_output=True, text=True
        )
        if run.returncode != 0:
            print(f"!! {name} {base[:9]}..{head[:9]}: {run.stderr.strip()[-200:]}", file=sys.stderr)
            continue
        claims = [claim for claim in json.loads(run.stdout)["claims"] if claim["verdict"] == "stale"]
        lines = git(repo, "show", f"{base}:{memory}").split("\n")
        for row in group:
            first, last = row["line_start"], row["line_end"]
            hits = [claim for claim in claims if claim["line_start"] <= last and claim["line_end"] >= first]
            if hits:
                found.append(Found(row, repo, "\n".join(lines[first - 1 : last]), hits))
    return found, sum(len(group) for group in groups.values())


def report(found: list[Found], labelled: int, pairs: bool) -> None:
    """Print the figures and what is to be read by hand."""
    for item in found:
        for claim in item.claims:
            item.causes += [cause(item.git, item.label, claim, piece) for piece in claim["evidence"]]
    pieces = [(item, agrees, said) for item in found for agrees, said in item.causes]
    agreed = sum(all(agrees for agrees, _ in item.causes) for item in found)
    print(f"stale lines found        {part(len(found), labelled)}")
    print(f"cause agrees, by line    {part(agreed, len(found))}")
    print(f"cause agrees, by fact    {part(sum(agrees for _, agrees, _ in pieces), len(pieces))}")
    for item, agrees, said in pieces:
        if not agrees:
            print(f"  differs {item.label['id']}: {said}")
    rewrites = [item for item in found if item.label["fix"] != "retire"]
    same = {id(item) for item in rewrites if item.proposed and _same_text(item)}
    texts = sum(item.proposed is not None for item in rewrites)
    print(f"suggestion says the same {part(len(same), len(rewrites))}")
    print(f"suggestion has a text    {part(texts, len(rewrites))}")
    retired = [item for item in found if item.label["fix"] == "retire"]
    plain = sum(item.proposed is None for item in retired)
    print(f"to retire: no text       {part(plain, len(retired))}")
    if pairs:
        for item in rewrites:
            _show("same" if id(item) in same else "OTHER", item)
        for item in retired:
            _show("retire" if item.proposed is None else "KEEPS", item)
    applied = [item for item in found if any(_tier(claim) == "apply" for claim in item.claims)]
    print(f"suggestions to apply     {len(applied)}, to be read:")
    for item in applied:
        _show("apply", item)


def _same_text(item: Found) -> bool:
    return says_the_same(item.line, item.label["fix"], item.proposed or "")


def _tier(claim: dict[str, Any]) -> str:
    return claim["suggestion"]["tier"] if claim["suggestion"] else ""


def _show(word: str, item: Found) -> None:
    print(f"[{word}] {item.label['id']}")
    print(f"    line {item.line.strip()}")
    print(f"    fix  {item.label['fix'].strip()}")
    for claim in item.claims:
        suggestion = claim["suggestion"] or {"tier": "-", "text": None, "note": ""}
        print(f"    {suggestion['tier']:7s} {suggestion['text'] or '(' + suggestion['note'] + ')'}")


def part(some: int, whole: int) -> str:
    """A share with its denominator."""
    return f"{some}/{whole} = {100 * some / whole:.1f} %" if whole else f"{some}/0"


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("--repos", type=Path, required=True)
    parser.add_argument("--memaudit", default=f"{sys.executable} -m memaudit", help="the command to run")
    parser.add_argument("--pairs", action="store_true", help="print every line, fix and suggestion")
    parser.add_argument("--only", nargs="*", default=[], help="ids to look at")
    options = parser.parse_args()
    rows = [json.loads(line) for line in options.labels.read_text(encoding="utf-8").splitlines() if line]
    if options.only:
        rows = [row for row in rows if row["id"] in options.only]
    found, labelled = audit(rows, options.repos, shlex.split(options.memaudit))
    report(found, labelled, options.pairs)


if __name__ == "__main__":
    main()
