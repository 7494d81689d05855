"""Paths, folders, links, imports and globs.

A path is stale only when it resolved at base and does not at head, or when history shows that it
once existed. A word that merely looks like a path and never resolved proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memaudit.domain import Block, Origin
from memaudit.grounding.ground import Ground, Side, folders_up, is_test, is_vendored, join
from memaudit.grounding.language import Polarity, polarity
from memaudit.grounding.reference import Mention, Outcome, Replacement, Status, undecided
from memaudit.grounding.words import ClaimText, Form, Word, has_slot, is_placeholder

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("The service lives in `services/api` and `apps/web`.", ("services/api", "apps/web")),
    ("Read [the guide](docs/guide.md#setup).", ("docs/guide.md",)),
    ("See @docs/architecture.md first.", ("docs/architecture.md",)),
    ("Entry point: src/cli/program.ts", ("src/cli/program.ts",)),
    ("Run `pytest tests/unit/test_a.py -k b`.", ("tests/unit/test_a.py",)),
    ("Command modules: `src/*_cmd.rs`", ("src/*_cmd.rs",)),
    ("Post it with `gh pr comment --body-file /path/to/comment.md`.", ()),
    ("See https://example.com/a/b.md.", ()),
    ("Caches live in `~/.cache/tool`.", ()),
    ("Built with Node.js.", ()),
    ("Install `@scope/package`.", ()),
    ("Send `application/json`.", ()),
    ("Template: `src/<name>/index.ts`", ()),
)
"""Claim text and what may be meant as a path in it; whether it is one, the trees decide."""

_EXTENSION = re.compile(
    r"\.(?:py|pyi|pyx|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|astro|go|rs|java|kt|kts|scala|rb|rake|erb|php|cs|fs"
    r"|swift|m|mm|c|h|cc|cpp|cxx|hpp|hh|zig|nim|ex|exs|erl|hs|lua|pl|r|jl|dart|sh|bash|zsh|fish|ps1|bat|sql|graphql|gql"
    r"|proto|thrift|html|htm|css|scss|sass|less|md|mdx|mdc|rst|txt|adoc|json|jsonc|json5|jsonl|yaml|yml|toml|ini|cfg|conf"
    r"|env|lock|xml|csv|tsv|tf|hcl|nix|gradle|properties|dockerfile|mk|just|gemspec|csproj|sln|plist|snap|tmpl|tpl|j2"
    r"|prisma|wasm|svg|png|po|example|sample|dist|service|rules)$",
    re.IGNORECASE,
)
_KNOWN_NAME = re.compile(
    r"(?:Dockerfile|Containerfile|Makefile|GNUmakefile|justfile|Justfile|Rakefile|Gemfile|Procfile|Vagrantfile|Jenkinsfile"
    r"|Brewfile|CODEOWNERS|LICENSE|CMakeLists\.txt|BUILD|WORKSPACE|\.env(?:\.[\w-]+)*|\.(?:git|docker|npm|prettier|eslint)\w*"
    r"|\.editorconfig|\.nvmrc|\.python-version|\.tool-versions)"
)
_PRODUCT = re.compile(r"(?:[A-Z]\w*|d3|socket|ASP)\.(?:js|io|ai|NET|net|py)")
_MEDIA = re.compile(r"(?:application|text|image|audio|video|multipart|font)/[\w.+-]+")
_CHARS = re.compile(r"[\w@.+~\-/*?{},!\[\]:#$()]+")
_CITATION = re.compile(r"(?:#L?\d+(?:-L?\d+)?|:\d+(?:[-:,]\d+)*)$")
_GLOB = re.compile(r"[*?]|\{[^{}]*,[^{}]*\}")
_SURE_SIMILARITY = 0.9
_SURE_SHARE = 0.8
"""From these on, a moved file or folder is proved to be the same one and not merely alike."""

_FOLDER_WORD = re.compile(r"[\w.@-]+(?:/[\w.@-]+)*/?")
_ARGUMENT_FLAG = re.compile(r"^--?[\w-]+=(.+)$")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a written path leads: ``direct`` when no guess about its folder was needed."""

    path: str
    direct: bool


def clean(word: str) -> str:
    """A written path without citation, anchor, query, ``./`` and trailing punctuation."""
    word = word.strip().strip("\"'`“”").rstrip(".,;:!")
    word = _CITATION.sub("", word.partition("#")[0] if "#" in word and "/" in word else word)
    return word.removeprefix("./").replace("\\_", "_")


def looks_like_path(word: str, form: Form) -> bool:
    """Whether a word may be meant as a path of this repository, by its shape alone."""
    if not word or len(word) > 240 or "://" in word or not _CHARS.fullmatch(word):
        return False
    if word.startswith(("~", "$", "-", "#", "http", "//", "@")) or word in (".", "..", "/"):
        return False
    if _MEDIA.fullmatch(word) or _PRODUCT.fullmatch(word):
        return False
    bare = _GLOB.sub("", word)
    if any(char in bare for char in "[]()$:!"):
        return False
    if _GLOB.search(word):
        return "/" in word or bool(_EXTENSION.search(word))
    if is_placeholder(word):
        return False
    if _EXTENSION.search(word) or _KNOWN_NAME.fullmatch(word.rpartition("/")[2]):
        return not re.fullmatch(r"\.\w+", word) or bool(_KNOWN_NAME.fullmatch(word))
    if "/" not in word:
        return False
    if form is Form.PLAIN:
        return bool(re.fullmatch(r"[\w.@-]+(?:/[\w.@-]+)*/?", word))
    return True


class PathKind:
    """Paths of files and folders, and globs over them."""

    name = "path"

    def mentions(self, text: ClaimText) -> Iterable[Mention]:
        """Paths in code spans, links, imports, commands, tree entries and prose."""
        seen: set[str] = set()
        for word, written in self._written(text):
            target = clean(written)
            if word.form is Form.LINK and not re.match(r"^[\w.\-/%()@+]+$", target):
                continue
            if word.form not in (Form.LINK, Form.TREE) and not looks_like_path(target, word.form):
                continue
            if word.form is Form.LINK and (":" in written or written.startswith(("#", "/", "mailto"))):
                continue
            if target in seen:
                continue
            seen.add(target)
            offset = max(text.text.find(written, word.start), word.start)
            end = min(offset + len(written), len(text.text))
            said = polarity(text, offset, end)
            kind = "glob" if _GLOB.search(target) else "path"
            yield Mention(kind, written, target, offset, end, word.form, said)

    def _written(self, text: ClaimText) -> Iterable[tuple[Word, str]]:
        for word in text.words:
            if word.form is Form.FENCE:
                continue
            if word.form in (Form.CODE, Form.COMMAND) and re.search(r"\s", word.text):
                for part in re.split(r"[\s|;&<>]+", word.text):
                    argument = _ARGUMENT_FLAG.match(part)
                    yield word, argument[1] if argument else part.strip("\"'(){}")
            else:
                yield word, word.text

    def prepare(self, mentions: Sequence[tuple[Mention, ClaimText]], ground: Ground) -> None:
        """Ask the history once for all paths that the range removed and all that were gone before."""
        removed: set[str] = set()
        unknown: set[str] = set()
        for mention, text in mentions:
            if mention.kind == "glob" or resolve(mention, text, ground.head):
                continue
            base = resolve(mention, text, ground.base)
            if base:
                removed.add(base[0].path)
            elif _means_place(mention, text):
                places = (
                    join(folder, mention.target.lstrip("/")) for folder in folders_up(text.claim.document)
                )
                unknown.update(place for place in places if place)
        ground.ask_removed(removed)
        ground.ask_origin(unknown)

    def check(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        """Resolve at both ends and compare; see the module's first lines for the rule."""
        if mention.kind == "glob":
            return self._check_glob(mention, text, ground)
        base = resolve(mention, text, ground.base)
        head = resolve(mention, text, ground.head)
        if mention.polarity in (Polarity.DENIED, Polarity.REMOVED):
            return _check_absence(mention, base, head, ground)
        if mention.polarity is Polarity.PLANNED:
            return _check_plan(mention, base, head, ground)
        kept = _still_there(mention, base, head, ground)
        if kept is not None:
            why = f"{mention.target} is there at head" + (
                "" if kept.path.rstrip("/") == mention.target.rstrip("/") else f", as {kept.path}"
            )
            return Outcome(
                mention,
                Status.SUPPORTED,
                "supported",
                why,
                base=base[0].path if base else None,
                head=kept.path,
                base_at=ground.base.place(base[0].path) if base else None,
                head_at=ground.head.place(kept.path),
            )
        if mention.polarity in (Polarity.HISTORICAL, Polarity.REJECTED):
            return undecided(mention, f"{mention.target} is only told of as something past or avoided")
        if base:
            return _gone(mention, base[0], ground)
        return _never_there(mention, text, ground)

    def _check_glob(self, mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
        base, head = (glob_matches(mention.target, text, side) for side in (ground.base, ground.head))
        if head:
            return Outcome(
                mention,
                Status.SUPPORTED,
                "supported",
                f"{len(head)} files match at head",
                base=f"{len(base)} files",
                head=f"{len(head)} files",
                head_at=ground.head.place(head[0]),
                base_at=ground.base.place(base[0]) if base else None,
            )
        if base and mention.polarity in (Polarity.ASSERTED, Polarity.EXAMPLE):
            return Outcome(
                mention,
                Status.CONTRADICTED,
                "glob-empty",
                f"{mention.target} matched {len(base)} files at base and matches none at head",
                origin=Origin.RANGE,
                base=f"{len(base)} files",
                base_at=ground.base.place(base[0]),
                commit=ground.removed_by(base[-1]),
                confidence=0.93,
            )
        return None


def glob_matches(pattern: str, text: ClaimText, side: Side) -> list[str]:
    """Files that a glob matches from the document's folder, an ancestor, or anywhere below the root."""
    import pathspec

    if not pattern.rpartition("/")[2].strip("*"):
        folder = pattern.rstrip("*/")
        pattern = folder + "/" if folder else pattern
    names = _braces(pattern.lstrip("/"))
    for folder in folders_up(text.claim.document):
        rooted = (
            [f"/{folder}/{name}" if folder else f"/{name}" for name in names] if "/" in pattern else names
        )
        spec = pathspec.GitIgnoreSpec.from_lines(rooted)
        found = [path for path in side.snapshot.files() if spec.match_file(path)]
        if found:
            return sorted(found)
    spec = pathspec.GitIgnoreSpec.from_lines([f"**/{name}" for name in names])
    return sorted(path for path in side.snapshot.files() if spec.match_file(path))


def _braces(pattern: str) -> list[str]:
    match = re.search(r"\{([^{}]*)\}", pattern)
    if not match:
        return [pattern]
    return [
        name
        for option in match[1].split(",")
        for name in _braces(pattern[: match.start()] + option.strip() + pattern[match.end() :])
    ][:64]


def resolve(mention: Mention, text: ClaimText, side: Side) -> list[Found]:
    """Where a written path may lead, the likeliest first.

    Order: the document's folder, its ancestors, the folders its context names, then a unique suffix.
    """
    target = mention.target.lstrip("/").rstrip("/")
    if not target:
        return []
    snapshot, found = side.snapshot, []
    for folder in folders_up(text.claim.document):
        path = join(folder, target)
        if path and _exists(path, side):
            found.append(Found(path, direct=True))
    if mention.form is Form.TREE and "/" in target:
        inner = target.partition("/")[2]
        for folder in folders_up(text.claim.document):
            path = join(folder, inner)
            if path and _exists(path, side):
                found.append(Found(path, direct=True))
    if not found:
        for folder in context_folders(text, side):
            path = join(folder, target)
            if path and _exists(path, side):
                found.append(Found(path, direct=True))
    if not found and not target.startswith("."):
        ranked = sorted(
            (path for path in snapshot.by_suffix(target) if not is_vendored(path)),
            key=lambda path: (is_test(path), path.count("/"), path),
        )
        found = [Found(path, direct=False) for path in ranked]
    if not found and "/" in target and "." not in target.rpartition("/")[2]:
        found = _without_extension(target, text, side)
    return found


def _exists(path: str, side: Side) -> bool:
    return side.snapshot.exists(path)


def _without_extension(target: str, text: ClaimText, side: Side) -> list[Found]:
    """A module written as imports write it: ``src/net/retry`` for ``src/net/retry.py``."""
    for folder in folders_up(text.claim.document):
        path = join(folder, target)
        parent = path.rpartition("/")[0] if path else None
        if not path or parent is None or side.snapshot.kind(parent) != "folder":
            continue
        stem = path.rpartition("/")[2] + "."
        names = [name for name in side.snapshot.children(parent) if name.startswith(stem)]
        if names:
            return [Found(f"{parent}/{names[0]}" if parent else names[0], direct=True)]
    return []


def context_folders(text: ClaimText, side: Side) -> list[str]:
    """Folders that headings, lead-ins, parent items or the claim itself name."""
    found: list[str] = []
    for word in _folder_words(text):
        if side.snapshot.by_name(word.rpartition("/")[2]):
            places = (join(folder, word) for folder in folders_up(text.claim.document))
            place = next((place for place in places if place and side.snapshot.kind(place) == "folder"), None)
            if place and place not in found:
                found.append(place)
    return found


def _folder_words(text: ClaimText) -> list[str]:
    claim = text.claim
    sources = (text.text, *reversed(claim.context), *reversed(claim.heading))
    words = (match[0].strip("./") for source in sources for match in _FOLDER_WORD.finditer(source))
    return list(dict.fromkeys(word for word in words if len(word) > 1))


def _still_there(mention: Mention, base: list[Found], head: list[Found], ground: Ground) -> Found | None:
    """The place at head that keeps the claim true, if any."""
    if not head:
        return None
    if not base:
        return head[0]
    first = base[0]
    names_place = (
        "/" in mention.target.strip("/") or mention.target.endswith("/") or mention.target.startswith("/")
    )
    same = next((item for item in head if item.path == first.path), None)
    if same:
        return same
    if first.direct and names_place:
        return next((item for item in head if item.direct), None)
    if not first.direct and len(base) > 1:
        before = {item.path for item in base}
        return next((item for item in head if item.path not in before), None) or (
            head[0] if is_test(first.path) == is_test(head[0].path) else None
        )
    return head[0]


def _check_absence(mention: Mention, base: list[Found], head: list[Found], ground: Ground) -> Outcome:
    direct = next((item for item in head if item.direct), None)
    if direct is None:
        return Outcome(
            mention,
            Status.SUPPORTED,
            "supported",
            f"{mention.target} is absent at head, as the claim says",
            base=base[0].path if base else None,
        )
    if any(item.direct for item in base):
        return undecided(mention, f"{mention.target} is there although the claim calls it gone or missing")
    return Outcome(
        mention,
        Status.CONTRADICTED,
        "absence-undone",
        f"the claim says that {mention.target} is not there; the range brought it (back)",
        origin=Origin.RANGE,
        head=direct.path,
        head_at=ground.head.place(direct.path),
        commit=ground.removed_by(direct.path),
        confidence=0.9,
    )


def _check_plan(mention: Mention, base: list[Found], head: list[Found], ground: Ground) -> Outcome:
    built = next((item for item in head if item.direct), None)
    if built and not base:
        return Outcome(
            mention,
            Status.CONTRADICTED,
            "plan-built",
            f"the claim plans {mention.target}; the range built it",
            origin=Origin.RANGE,
            head=built.path,
            head_at=ground.head.place(built.path),
            commit=ground.removed_by(built.path),
            confidence=0.8,
        )
    return undecided(mention, f"{mention.target} is spoken of as a plan")


def _gone(mention: Mention, was: Found, ground: Ground) -> Outcome:
    """A path that stood at base and does not at head: moved where git can show it, else gone."""
    snapshot = ground.base.snapshot
    folder = snapshot.kind(was.path) == "folder"
    rename = None if folder else ground.changes.renamed(was.path)
    target = ground.changes.moved_folder(was.path) if folder else (rename.new if rename else None)
    proved = bool(target) and (
        (was.direct and _kept_share(was.path, target or "", ground) >= _SURE_SHARE)
        if folder
        else rename is not None and rename.similarity >= _SURE_SIMILARITY
    )
    replacements: tuple[Replacement, ...] = ()
    if target:
        written = _as_written(mention.target, was.path, target)
        replacements = (Replacement(mention.target, written, proved, f"{was.path} → {target}"),)
    reason = "path-moved" if target else "path-gone"
    said = f"moved to {target}" if target else "gone"
    return Outcome(
        mention,
        Status.CONTRADICTED,
        reason,
        f"{was.path} was there at base and is {said} at head",
        origin=Origin.RANGE,
        base=was.path,
        head=target,
        base_at=ground.base.place(was.path),
        head_at=ground.head.place(target) if target else None,
        commit=ground.removed_by(was.path),
        confidence=0.95 if was.direct else 0.85,
        replacements=replacements,
    )


def _kept_share(old: str, new: str, ground: Ground) -> float:
    """The share of a folder's files that stand under the new folder by the same names."""
    inside = [path[len(old) + 1 :] for path in ground.changes.deleted if path.startswith(old + "/")]
    kept = sum(ground.head.snapshot.exists(f"{new}/{name}") for name in inside)
    return kept / len(inside) if inside else 0.0


def _as_written(written: str, old: str, new: str) -> str:
    """The new path in the old spelling: relative where it was, with the slash it had."""
    stem = written.strip("/")
    result = new
    if old != stem and old.endswith("/" + stem):
        prefix = old[: -len(stem)]
        if new.startswith(prefix):
            result = new[len(prefix) :]
    if written.startswith("/"):
        result = "/" + result.lstrip("/")
    return result + "/" if written.endswith("/") and not result.endswith("/") else result


def _never_there(mention: Mention, text: ClaimText, ground: Ground) -> Outcome | None:
    """A path at neither end: ignored and ref names explain themselves, history may show the rest."""
    target = mention.target.lstrip("/")
    if target.rstrip("/") in ground.refs:
        return Outcome(
            mention, Status.SUPPORTED, "supported", f"{target} is the name of a branch or tag", head=target
        )
    head = ground.head.snapshot
    if any(
        head.ignored(path) for folder in folders_up(text.claim.document) if (path := join(folder, target))
    ):
        return Outcome(
            mention,
            Status.SUPPORTED,
            "supported",
            f"{target} is ignored by git: made, not kept",
            head="ignored",
        )
    if mention.polarity is not Polarity.ASSERTED or not _means_place(mention, text):
        return None
    for folder in folders_up(text.claim.document):
        path = join(folder, target)
        commit = ground.origin_of(path) if path else None
        if commit is not None:
            return Outcome(
                mention,
                Status.CONTRADICTED,
                "path-gone",
                f"{path} was removed before the range began",
                origin=Origin.EARLIER,
                commit=commit,
                confidence=0.85,
            )
    if mention.form in (Form.LINK, Form.IMPORT) and _EXTENSION.search(target):
        return Outcome(
            mention,
            Status.CONTRADICTED,
            "path-gone",
            f"the link leads to {target}, which is at neither end of the range",
            origin=Origin.EARLIER,
            confidence=0.8,
        )
    parent = target.rpartition("/")[0]
    in_command = mention.form is Form.COMMAND or (
        mention.form is Form.CODE and " " in mention_span(mention, text)
    )
    if in_command and parent and _EXTENSION.search(target) and head.kind(parent) == "folder":
        return Outcome(
            mention,
            Status.CONTRADICTED,
            "path-gone",
            f"{parent}/ holds no {target.rpartition('/')[2]} at either end",
            origin=Origin.EARLIER,
            head_at=ground.head.place(parent),
            confidence=0.75,
        )
    return None


def mention_span(mention: Mention, text: ClaimText) -> str:
    """The whole code span or word that a mention was read from."""
    return next((word.text for word in text.words if word.start <= mention.start < word.end), mention.text)


def _means_place(mention: Mention, text: ClaimText) -> bool:
    """Whether the claim points at a file to be found, rather than at a shape, an output or a slot."""
    if text.claim.block is Block.FENCE or mention.target.startswith("/") or has_slot(mention.target):
        return False
    if mention.form is Form.PLAIN and not _EXTENSION.search(mention.target):
        return False
    return (
        "/" in mention.target.strip("/")
        or bool(_EXTENSION.search(mention.target))
        or mention.form is Form.LINK
    )
