"""One memory file, read: bytes decoded strictly, cut into claims, nothing lost on the way."""

from __future__ import annotations

import posixpath
from collections.abc import Collection, Iterator, Sequence

from memaudit.domain import Document
from memaudit.patterns import lazy_regex
from memaudit.stores.markdown import Split, split_markdown
from memaudit.stores.source import Source

MAX_BYTES = 4 * 1024 * 1024
"""Larger files are not split: agents skip them too."""

_CONFLICT_MARKS = (b"\n<<<<<<< ", b"\n=======", b"\n>>>>>>> ")
_FILE_LIKE = lazy_regex(r"(?:~?/|\.\.?/)|\.[A-Za-z][\w-]{0,9}$")


def load_document(
    path: str,
    raw: bytes,
    *,
    store: str,
    format: str,
    scope: Sequence[str] = (),
    aliases: Sequence[str] = (),
    shadows: str | None = None,
    present: Collection[str] = (),
) -> Document:
    """Read one Markdown document from its bytes.

    ``path`` is relative to the repository root. ``present`` are paths known to exist: an ``@word``
    that does not look like a file is an import only if it is among them. A file over
    :data:`MAX_BYTES`, or with merge conflict markers, gives an unread document with a warning. Raises
    StoreError when the bytes are not UTF-8.
    """
    unread = True
    split = Split((), (), (f"is larger than {MAX_BYTES // 1024 // 1024} MiB and was not read",))
    if all(mark in b"\n" + raw for mark in _CONFLICT_MARKS):
        split = Split((), (), ("holds merge conflict markers: resolve them first",))
    elif len(raw) <= MAX_BYTES:
        split = split_markdown(
            Source(raw, path), store=store, document=path, format=format, scope=tuple(scope)
        )
        unread = False
    return Document(
        path=path,
        format=format,
        raw=raw,
        claims=split.claims,
        aliases=tuple(aliases),
        imports=tuple(_imports(path, split.imports, present)),
        scope=tuple(scope),
        shadows=shadows,
        warnings=split.warnings,
        unread=unread,
    )


def _imports(document: str, names: Sequence[str], present: Collection[str]) -> Iterator[str]:
    """Where ``@imports`` lead: relative to the document's folder; home and absolute paths stay."""
    for name in names:
        path = name
        if not name.startswith(("/", "~")):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(document), name))
        if _FILE_LIKE.search(name) or path in present:
            yield path
