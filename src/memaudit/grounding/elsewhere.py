"""Whether a sentence speaks of another place than this tree: another repository, branch, or machine.

Of another repository or branch nothing here can tell (:func:`is_elsewhere`). What is placed, made or
brought when the software runs may be missing without harm (:func:`comes_later`), yet if it was there and
went, that counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection

EXAMPLES: tuple[tuple[str, str, bool], ...] = (
    ("In the web repo run `make book`.", "make book", True),
    ("In the `web` repo it is `src/ui.ts`.", "src/ui.ts", True),
    ("In the app's repository it is `src/ui.ts`.", "src/ui.ts", True),
    ("In the repository it is `src/ui.ts`.", "src/ui.ts", False),
    ("In the root of the git repo it is `src/ui.ts`.", "src/ui.ts", False),
    ("In this repo it is `src/ui.ts`.", "src/ui.ts", False),
    ("Unlike in the web repo, it is `src/ui.ts`.", "src/ui.ts", False),
    ("In the web repo it is a page, here it is `src/ui.ts`.", "src/ui.ts", False),
    ("Run `make up` in the infra repo.", "make up", True),
    ("Run `make up` in the morning.", "make up", False),
    ("The mobile repository is on Node 18.", "Node 18", True),
    ("The mobile app (another repository) keeps it in `src/ui.ts`.", "src/ui.ts", True),
    ("The repository `mails` has `src/ui.ts`.", "src/ui.ts", True),
    ("The submodule has `lib/zlib.c`.", "lib/zlib.c", True),
    ("The folder has `lib/zlib.c`.", "lib/zlib.c", False),
    ("Copied from the web repo into `src/ui.ts`.", "src/ui.ts", False),
    ("There is no `CHANGES.md` in the web repository.", "CHANGES.md", True),
    ("Upstream, `src/bridge.py` does it.", "src/bridge.py", True),
    ("Report upstream what `src/bridge.py` does.", "src/bridge.py", False),
    ("On `release/1.x` it is `src/mail.py`.", "src/mail.py", True),
    ("On the `next` branch it is `src/mail.py`.", "src/mail.py", True),
    ("On the `main` branch it is `src/mail.py`.", "src/mail.py", False),
    ("On a feature branch run `make lint`.", "make lint", False),
    ("Older branches still have `src/mail.py`.", "src/mail.py", True),
    ("`npm run build` in a fresh Vite project", "npm run build", True),
)
"""Claim, name in it, and whether it is of another repository or branch, run by the tests."""

LATER_EXAMPLES: tuple[tuple[str, str, bool], ...] = (
    ("On the server it is `conf/live.env`.", "conf/live.env", True),
    ("In the server it is `conf/live.py`.", "conf/live.py", False),
    ("In the container it is `conf/live.py`.", "conf/live.py", True),
    ("Run `npm run go:live` on the build server.", "npm run go:live", True),
    ("The hook is `hooks/push.sh` in your clone.", "hooks/push.sh", True),
    ("A run makes `docs/api.html`.", "docs/api.html", True),
    ("`make image` leaves `tools/image.tar` behind.", "tools/image.tar", True),
    ("The build output is `src/_version.py`.", "src/_version.py", True),
    ("Read `docs/api.html`.", "docs/api.html", False),
    ("Copy `docs/start.md` to `docs/mine.md` first.", "docs/mine.md", True),
    ("Copy `docs/start.md` to `docs/mine.md` first.", "docs/start.md", False),
    ("Ask whoever starts for a `docs/plan.md`.", "docs/plan.md", True),
    ("Follow the `docs/plan.md`.", "docs/plan.md", False),
    ("Each plugin brings its `src/main.py`.", "src/main.py", True),
    ("A plugin has `plugin.json` and `src/main.py`.", "src/main.py", True),
    ("The package has `src/main.py`.", "src/main.py", False),
)
"""Claim, name in it, and whether it is only placed or made later, run by the tests."""

_REPO = (
    r"(?:(?P<which>the|our|an?|another|its|their|your|every|each|other)\s+)"
    r"(?P<words>(?:[^\s.,;:()]+\s+){0,3}?)(?P<noun>repos?|repository|repositories|submodules?)\b"
    r"(?P<called>\s+[`\"'][\w.-]+[`\"'])?"
)
_OWN_WORDS = frozenset(
    "git github gitlab whole entire same current main root local mono public private own new existing actual"
    " full rest of this the parent remote source code project project's top-level clean".split()
)
"""Words beside "repository" that do not say that it is another one."""

_HOLDS = (
    r"(?:has|have|holds?|contains?|keeps?|uses?|ships?|is on|is at|runs on"
    r"|lives? (?:in|at)|still (?:has|uses))"
)
_IN_REPO = re.compile(rf"\b(?:in|inside|within|at|of)\s+{_REPO}", re.IGNORECASE)
_REPO_HAS = re.compile(rf"(?<!\bof )\b{_REPO}(?:\s+\([^)]*\))?\s+{_HOLDS}\b", re.IGNORECASE)
_THERE = re.compile(rf"^[`\s*_]*(?:in|inside|within|from|of|at)\s+{_REPO}", re.IGNORECASE)
_COMPARED = re.compile(r"\b(?:unlike|like|as|than|same)\s*$", re.IGNORECASE)
_BACK_HERE = re.compile(r"\b(?:here|into|this (?:repo|repository|project|one))\b", re.IGNORECASE)

_USUAL_BRANCHES = (
    r"(?:main|master|trunk|develop|dev|default|current|same|this|staging|production|feature|new|base)"
)
_BRANCH_NAME = (
    r"(?:[`\"']?(?:releases?|feature|feat|fix|hotfix|bugfix|maint(?:enance)?|support|stable|archive|wip)/[\w./-]+"
    rf"[`\"']?(?:\s+branch)?|[`\"'](?!{_USUAL_BRANCHES}[`\"'])[\w./-]+[`\"']\s+branch"
    r"|(?:older|other|some|release|maintenance)\s+branch(?:es)?)"
)
_NOT_HERE: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for before, after in (
        (r"\((?:in )?(?:another|a separate|a different|an own) repo(?:sitory)?\)", ""),
        (
            r"^\W*upstream\s*[,:]|\bupstream(?:['’]s)?\s*$"
            r"|\b(?:in|by) upstream\b|^\W*upstream (?:has|keeps|uses)\b",
            "",
        ),
        (rf"\bon\s+(?:the\s+)?{_BRANCH_NAME}", ""),
        (
            r"\b(?:older|other|some|release|maintenance)\s+branch(?:es)?\s+(?:still\s+)?(?:has|have|keeps?|uses?)\b",
            "",
        ),
        ("", rf"^[`\s*_]*(?:only\s+)?on\s+(?:the\s+)?{_BRANCH_NAME}"),
        ("", r"^[`\s*_]*in\s+(?:an?|another|their(?: own)?|your own)\s+(?:[\w-]+\s+){0,3}project\b"),
        (
            r"\bin\s+(?:another|their(?: own)?|your own|an? (?:fresh|new|blank|other))\s+"
            r"(?:[\w-]+\s+){0,2}project\b",
            "",
        ),
    )
)
"""Words before a name and after it, both of which must be found."""

_MACHINE = (
    r"(?:on\s+(?:the|our|each|every|an?|your)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:servers?|hosts?|machines?|box|vm|cluster|runner|device|nas|laptop|droplet|instance)"
    r"|in\s+(?:the|our|each|every|an?|your)\s+(?:[\w-]+\s+){0,2}?"
    r"(?:containers?|pods?|image|vm|bucket|volume|sandbox|clone))\b"
)
_FILLER = (
    r"(?:(?:an?|the|its|their|own|new|some|one|files?|folder|in|into|to|at|as|under|called|named)\s+){0,4}"
)
_COMES_LATER = tuple(
    (re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE))
    for before, after in (
        (rf"\b{_MACHINE}", ""),
        ("", rf"^[`\s*_]*{_MACHINE}"),
        (
            r"\b(?:makes?|made|leaves?|yields?|renders?|compiles?|drops?|results? in|ends? up"
            rf"|lands?)\s+{_FILLER}$",
            "",
        ),
        (
            r"\b(?:outputs?|results?|artifacts?|artefacts?|bundle|snapshots?)\s+"
            rf"(?:is|are|goes|go|lands?|ends? up)\s+{_FILLER}$",
            "",
        ),
        (
            r"\b(?:copy|copies|copied|copying|cp|symlink|clone|save|export|unpack)\b[^;]*\s(?:to|into|as)\s*$",
            "",
        ),
        (rf"\b(?:ask|asks|asked|asking)\b[^.;`]{{0,40}}\bfor\s+{_FILLER}$", ""),
        (
            r"\b(?:each|every|any)\s+(?:[\w-]+\s+){1,3}"
            r"(?:brings?|ships?|provides?|has|have|needs?|gets?|keeps?|is|are)\b[^;]{0,60}$",
            "",
        ),
        (r"^\W*an?\s+(?:[\w-]+\s+){1,2}(?:brings?|ships|has|needs|gets|keeps)\b[^;]{0,60}$", ""),
    )
)


def is_elsewhere(before: str, after: str, own: Collection[str] = ()) -> bool:
    """Whether the words around a name place it in another repository or on another branch.

    ``own`` are words, in lower case, that this repository is called by.
    """
    for match in _IN_REPO.finditer(before):
        if _is_other(match, own) and not _COMPARED.search(before[: match.start()]):
            return not _BACK_HERE.search(before[match.end() :])
    subject = _REPO_HAS.search(before)
    if subject and _is_other(subject, own):
        return not _BACK_HERE.search(before[subject.end() :])
    there = _THERE.search(after)
    return bool(there and _is_other(there, own)) or any(
        left.search(before) and right.search(after) for left, right in _NOT_HERE
    )


def comes_later(before: str, after: str) -> bool:
    """Whether the words around a name say that it is made, asked for, or placed on some machine."""
    return any(left.search(before) and right.search(after) for left, right in _COMES_LATER)


def is_of_elsewhere(words: str, own: Collection[str] = ()) -> bool:
    """Whether a heading or lead-in places all below it in another repository."""
    return any(_is_other(match, own) for match in _IN_REPO.finditer(words))


def _is_other(match: re.Match[str], own: Collection[str]) -> bool:
    if match["noun"].lower().startswith("submodule") or match["which"].lower() in ("another", "other"):
        return True
    if match["called"]:
        return match["called"].strip(" \t`\"'").lower() not in own
    words = {word.strip("`\"'*").lower() for word in match["words"].split()}
    return bool(words - _OWN_WORDS - frozenset(own))
