"""Which memory stores an audit looks at: those that are named, else those that apply where it starts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from memaudit.domain import AuditRequest, Folder, Store
from memaudit.errors import StoreError
from memaudit.repo.repository import Repository
from memaudit.repo.snapshot import Snapshot
from memaudit.stores.discover import discover
from memaudit.stores.folder import WorkingFolder
from memaudit.text import is_text


def select_stores(
    request: AuditRequest, repository: Repository, snapshot: Callable[[str], Snapshot]
) -> list[Store]:
    """Find and read the stores; ``snapshot`` gives the repository at a revision.

    Raises StoreError where there is none.
    """
    selectors, outside = _selectors(request, repository)
    stores: list[Store] = []
    if selectors or not outside:
        stores = discover(_folder(request, repository, snapshot), selectors)
    for path in outside:
        stores += _outside_store(path)
    if not stores:
        raise StoreError(
            "no memory store found",
            repository.name,
            "name one with --store, or add a CLAUDE.md or AGENTS.md",
        )
    return stores if selectors or outside else _in_reach(stores, repository.prefix)


def _folder(request: AuditRequest, repository: Repository, snapshot: Callable[[str], Snapshot]) -> Folder:
    if request.store_at is not None:
        return snapshot(repository.resolve(request.store_at))
    if repository.root is None:
        return snapshot(repository.resolve(request.head or "HEAD"))
    return WorkingFolder(repository.root, repository.tracked())


def _selectors(request: AuditRequest, repository: Repository) -> tuple[list[str], list[Path]]:
    """``--store`` values relative to the repository root, and those that lie outside it."""
    inside: list[str] = []
    outside: list[Path] = []
    root = repository.root
    for value in request.stores:
        given = Path(value).expanduser()
        if root is None or (request.store_at is not None and not given.is_absolute()):
            inside.append(value)
            continue
        base = root / repository.prefix
        path = (
            given
            if given.is_absolute()
            else next((top / given for top in (base, root) if (top / given).exists()), base / given)
        )
        absolute = Path(path.parent.resolve(), path.name)
        if absolute.is_relative_to(root.resolve()):
            inside.append(absolute.relative_to(root.resolve()).as_posix())
        else:
            outside.append(absolute)
    return inside, outside


def _in_reach(stores: Sequence[Store], prefix: str) -> list[Store]:
    """Only the documents that apply in a sub-folder: those below it and those of its ancestors."""
    if not prefix:
        return list(stores)
    found = []
    for store in stores:
        documents = tuple(
            document
            for document in store.documents
            if document.path.startswith(prefix + "/") or f"{prefix}/".startswith(_governed(document.path))
        )
        if documents:
            found.append(replace(store, documents=documents))
    return found


def _governed(path: str) -> str:
    """The folder a memory file speaks for, with a final slash, empty for the root."""
    folder = path.rpartition("/")[0]
    folder = folder.partition(".claude")[0].rstrip("/")
    return folder + "/" if folder else ""


def _outside_store(path: Path) -> list[Store]:
    """A store outside the repository, its documents named by absolute path."""
    if not path.exists():
        raise StoreError("no such file or folder", str(path), "check the path given with --store")
    if not is_text(str(path)):
        raise StoreError("has a name that is not UTF-8", str(path), "rename it to have it audited")
    top, selector = (path.parent, path.name)
    stores = discover(WorkingFolder(top, None if path.is_dir() else [path.name]), [selector])
    return [
        replace(
            store,
            documents=tuple(
                replace(
                    document,
                    path=f"{top.as_posix()}/{document.path}",
                    claims=tuple(
                        replace(claim, document=f"{top.as_posix()}/{document.path}")
                        for claim in document.claims
                    ),
                )
                for document in store.documents
            ),
        )
        for store in stores
    ]
