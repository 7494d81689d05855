"""Which memory stores a repository holds, each file loaded once whatever names it goes by."""

from __future__ import annotations

import dataclasses
import itertools
import posixpath
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from memaudit.domain import Document, Folder, Store
from memaudit.errors import StoreError
from memaudit.stores import memory_dir
from memaudit.stores.document import load_document
from memaudit.stores.families import FAMILIES
from memaudit.stores.family import Found
from memaudit.stores.folder import A_FOLDER
from memaudit.stores.links import named_file, real_path, through_links
from memaudit.stores.source import refuse_misread
from memaudit.text import is_text, visible

MAX_HOPS = 4
"""How many files deep ``@imports`` are followed."""

_TEXT = (".md", ".mdc", ".mdx", ".markdown", ".txt", ".text", ".rules")
_DATA = (".json", ".jsonl", ".ndjson", ".json5", ".yaml", ".yml", ".toml", ".xml", ".csv", ".tsv", ".html")
_LINKED = frozenset(part for family in FAMILIES for folder in family.folders for part in folder.split("/"))


@runtime_checkable
class _Listing(Protocol):
    """A folder that can also list files that nobody looked for."""

    def below(self, path: str) -> Iterable[str]: ...


@runtime_checkable
class _Telling(Protocol):
    """A folder that can say why it gives nothing for a path."""

    def why_unread(self, path: str) -> str: ...


def discover(folder: Folder, selectors: Sequence[str] = ()) -> list[Store]:
    """The stores of a folder.

    Without ``selectors`` every known family is looked for; a file that cannot be read becomes a
    document without claims and with a warning. With them exactly these files and folders are loaded,
    each as a store of its own; one that does not exist or cannot be read raises StoreError.
    """
    if selectors:
        return [_selected(folder, selector) for selector in dict.fromkeys(map(_plain, selectors))]
    paths = through_links(folder, folder.files(), _LINKED)
    loader = _Loader(folder, paths)
    formats: dict[str, str] = {}
    for family in FAMILIES:
        for found in family.find(folder, paths):
            store = visible(found.store)
            formats.setdefault(store, family.format)
            if not loader.admit(found):
                loader.note_unread(dataclasses.replace(found, store=store))
    loader.follow_imports()
    return [
        Store(name, formats[name], "project", documents) for name, documents in loader.documents().items()
    ]


def require_readable(stores: Sequence[Store], *, named: bool) -> None:
    """Raise StoreError if nothing could be read: of one of stores that were ``named``, else of all."""
    groups = [list(store.documents) for store in stores]
    for documents in groups if named else [list(itertools.chain(*groups))]:
        if documents and all(one.unread for one in documents):
            first, more = documents[0], len(documents) - 1
            rest = f", and {more} more {'file' if more == 1 else 'files'} could not be read" if more else ""
            raise StoreError(
                f"{'; '.join(first.warnings)}{rest}", first.path, "there is nothing else here to audit"
            )


@dataclass(slots=True)
class _File:
    """A file under its real path, with what found it and all the names it was found by."""

    path: str
    raw: bytes
    found: Found
    names: dict[str, None] = field(default_factory=dict)
    imports: bool = False
    document: Document | None = None


class _Loader:
    """Loads found files, each once. With ``strict`` an unreadable file raises StoreError."""

    def __init__(self, folder: Folder, paths: Iterable[str], *, strict: bool = False) -> None:
        self._folder = folder
        self._present = frozenset(paths)
        self._strict = strict
        self._files: dict[str, _File] = {}

    def admit(self, found: Found) -> bool:
        """Note a found file under its real path; False where there is nothing to read.

        The finder that knows the file by its real path decides on its store and format.
        """
        if not is_text(found.path):
            return False
        names = [found.path]
        path = real_path(self._folder, found.path)
        raw = self._folder.read(path)
        while raw is not None and (named := named_file(path, raw, self._present)) and named not in names:
            names.append(path)
            path = real_path(self._folder, named)
            raw = self._folder.read(path)
        if raw is None:
            return False
        file = self._files.setdefault(path, _File(path, raw, found))
        if found.path == path and file.found.path != path:
            file.found = found
        file.imports = file.imports or found.imports
        file.names.update(dict.fromkeys(names))
        return True

    def note_unread(self, found: Found) -> None:
        """Keep of a file that could not be admitted why, under a name that can be written down."""
        path = visible(found.path)
        why = self.why_unread(found.path)
        if why and path not in self._files:
            document = Document(path, found.format, b"", (), warnings=(why,), unread=True)
            self._files[path] = _File(path, b"", found, {path: None}, document=document)

    def why_unread(self, path: str) -> str:
        """Why a file cannot be admitted; empty where there is none."""
        if not is_text(path):
            return "has a name that is not UTF-8: rename it to have it audited"
        return self._folder.why_unread(path) if isinstance(self._folder, _Telling) else ""

    def follow_imports(self) -> None:
        """Admit what the admitted files import, level by level."""
        level = [file for file in self._files.values() if file.imports]
        followed = {file.path for file in level}
        for _ in range(MAX_HOPS):
            below: list[_File] = []
            for file in level:
                for name in self._load(file).imports:
                    target = real_path(self._folder, name)
                    if target in followed or not self._may_import(target):
                        continue
                    if target in self._files or self.admit(
                        Found(target, file.found.store, "claude-import", imports=True)
                    ):
                        followed.add(target)
                        below.extend(one for one in [self._files.get(target)] if one)
            level = below

    def paths(self) -> list[str]:
        """The real paths of all admitted files."""
        return list(self._files)

    def documents(self) -> dict[str, tuple[Document, ...]]:
        """The documents by the name of their store, in the order they were admitted."""
        stores: dict[str, tuple[Document, ...]] = {}
        for file in self._files.values():
            aliases = tuple(name for name in file.names if name != file.path)
            document = dataclasses.replace(self._load(file), aliases=aliases)
            stores[file.found.store] = (*stores.get(file.found.store, ()), document)
        return stores

    def _may_import(self, path: str) -> bool:
        if path.startswith(("/", "~", "../")):
            return False
        return path.endswith(_TEXT) or "." not in posixpath.basename(path)

    def _load(self, file: _File) -> Document:
        if file.document is None:
            found = file.found
            try:
                refuse_misread(file.raw, file.path)
                file.document = load_document(
                    file.path,
                    file.raw,
                    store=found.store,
                    format=found.format,
                    scope=found.scope,
                    shadows=found.shadows,
                    present=self._present,
                )
            except StoreError as error:
                if self._strict:
                    raise
                file.document = Document(
                    file.path, found.format, file.raw, (), warnings=(error.what,), unread=True
                )
        return file.document


def _plain(selector: str) -> str:
    path = posixpath.normpath(selector or ".")
    if path == ".." or path.startswith(("/", "../")):
        raise StoreError("is outside the repository", selector, "give a path below the repository's root")
    return path


def _selected(folder: Folder, selector: str) -> Store:
    """The one store that a path names: a file, or a folder of Markdown files."""
    present = list(folder.files())
    loader = _Loader(folder, [*present, selector], strict=True)
    if folder.read(real_path(folder, selector)) is not None:
        found = [_as_known(folder, selector) or _as_text(selector)]
        store_format = found[0].format
    else:
        found = _in_folder(folder, selector, present)
        store_format = memory_dir.FORMAT
    if not found and (why := loader.why_unread(selector)) not in ("", A_FOLDER):
        raise StoreError(why, selector, "check the path given with --store")
    if not found:
        raise StoreError(
            "there is no such memory file, and no folder with Markdown files in it",
            selector,
            "check the path given with --store; it counts from the repository's root",
        )
    for one in found:
        one = dataclasses.replace(one, store=selector)
        if not loader.admit(one):
            loader.note_unread(one)
    for path in loader.paths():
        # A file reached by another name is what its real name says, here as in a whole discovery.
        if known := _as_known(folder, path):
            loader.admit(dataclasses.replace(known, store=selector))
    documents = tuple(one for documents in loader.documents().values() for one in documents)
    return Store(selector, store_format, "project", documents)


def _in_folder(folder: Folder, selector: str, present: Iterable[str]) -> list[Found]:
    prefix = "" if selector == "." else f"{selector}/"
    inside = {path for path in present if path.startswith(prefix)}
    if isinstance(folder, _Listing):
        inside.update(folder.below(selector))
    paths = through_links(folder, inside, _LINKED)
    texts = [path for path in paths if path.endswith(_TEXT)]
    return [_as_known(folder, one.path) or one for one in memory_dir.files_of(selector, texts)]


def _as_text(path: str) -> Found:
    """A file of no family as Markdown. Data would be split into claims at odd places, and saved broken."""
    if path.lower().endswith(_DATA):
        raise StoreError(
            "is data, and not Markdown or plain text", path, "name a file of Markdown or text with --store"
        )
    return Found(path, path, "markdown")


def _as_known(folder: Folder, path: str) -> Found | None:
    """What the families make of a single file."""
    return next((found for family in FAMILIES for found in family.find(folder, [path])), None)
