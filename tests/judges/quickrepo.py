"""Git repositories made in one call of git each: property tests need hundreds of them."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_START = 1_700_000_000
_PERSON = b"Ada Author <ada@example.invalid>"


class Link(str):
    """What a symbolic link leads to, where :data:`Files` would have a file's text."""

    __slots__ = ()


Files = Mapping[str, str | bytes | None]
"""Changes to a tree by path; None deletes."""


@dataclass(frozen=True)
class Revision:
    """One commit: what it changes against the one before, its message, and a branch other than main.

    ``merges`` names a branch that the commit merges.
    """

    files: Files
    message: str = "change"
    branch: str = "main"
    merges: str | None = None


def build(
    root: Path, revisions: Sequence[Revision], *, tags: Mapping[str, int] | None = None, bare: bool = False
) -> tuple[str, ...]:
    """Make a repository of these commits, check out main unless bare, and return the commits' ids.

    A branch starts where main stands when it is first named. ``tags`` gives the number of the commit
    each tag is put on, from 0.
    """
    root.mkdir(parents=True)
    _git(root, "init", "-q", "--template=", "-b", "main", *(["--bare"] if bare else []))
    packed = ("-c", "fastimport.unpackLimit=0")
    printed = _git(root, *packed, "fast-import", "--quiet", data=_stream(revisions, tags or {}))
    if not bare:
        _git(root, "reset", "-q", "--hard", "main")
    return tuple(printed.decode().split())


def _stream(revisions: Sequence[Revision], tags: Mapping[str, int]) -> bytes:
    out: list[bytes] = []
    tips: dict[str, int] = {}
    for number, revision in enumerate(revisions, 1):
        when = f"{_START + 60 * number} +0000".encode()
        out.append(b"commit refs/heads/%s\nmark :%d\n" % (revision.branch.encode(), number))
        out.append(b"committer %s %s\n" % (_PERSON, when) + _data(revision.message))
        parent = tips.get(revision.branch, tips.get("main"))
        if parent:
            out.append(b"from :%d\n" % parent)
        if revision.merges:
            out.append(b"merge :%d\n" % tips[revision.merges])
        for path, content in revision.files.items():
            quoted = path.encode()
            if content is None:
                out.append(b"D %s\n" % quoted)
            else:
                mode = b"120000" if isinstance(content, Link) else b"100644"
                out.append(b"M %s inline %s\n" % (mode, quoted) + _data(content))
        out.append(b"\nget-mark :%d\n" % number)
        tips[revision.branch] = number
    for tag, number in tags.items():
        out.append(b"reset refs/tags/%s\nfrom :%d\n\n" % (tag.encode(), number + 1))
    return b"".join(out)


def _data(content: str | bytes) -> bytes:
    raw = content if isinstance(content, bytes) else content.encode()
    return b"data %d\n%s\n" % (len(raw), raw)


def _git(root: Path, *arguments: str, data: bytes = b"") -> bytes:
    run = subprocess.run(
        ["git", *arguments], cwd=root, input=data, capture_output=True, env=os.environ, check=False
    )
    assert run.returncode == 0, run.stderr.decode()
    return run.stdout
