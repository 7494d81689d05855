"""Words that look like paths: their shape alone, before any tree is asked."""

from __future__ import annotations

import re

from memaudit.grounding.words import Form, is_placeholder
from memaudit.patterns import lazy_regex

EXTENSION = lazy_regex(
    r"\.(?:py|pyi|pyx|ipynb|js|jsx|mjs|cjs|ts|tsx|mts|cts|vue|svelte|astro|go|rs|java|kt|kts|scala|rb|rake|erb|php|cs|fs"
    r"|swift|m|mm|c|h|cc|cpp|cxx|hpp|hh|zig|nim|ex|exs|erl|hs|lua|pl|r|jl|dart|sh|bash|zsh|fish|ps1|bat|sql|graphql|gql"
    r"|proto|thrift|html|htm|css|scss|sass|less|md|mdx|mdc|rst|txt|adoc|json|jsonc|json5|jsonl|yaml|yml|toml|ini|cfg|conf"
    r"|env|lock|xml|csv|tsv|tf|hcl|nix|gradle|properties|dockerfile|mk|just|gemspec|csproj|sln|plist|snap|tmpl|tpl|j2"
    r"|prisma|wasm|svg|png|po|example|sample|dist|service|rules)$",
    re.IGNORECASE,
)
"""The end of a name that is most likely a file's."""

_KNOWN_NAME = lazy_regex(
    r"(?:Dockerfile|Containerfile|Makefile|GNUmakefile|justfile|Justfile|Rakefile|Gemfile|Procfile|Vagrantfile|Jenkinsfile"
    r"|Brewfile|CODEOWNERS|LICENSE|CMakeLists\.txt|BUILD|WORKSPACE|\.env(?:\.[\w-]+)*|\.(?:git|docker|npm|prettier|eslint)\w*"
    r"|\.editorconfig|\.nvmrc|\.python-version|\.tool-versions)"
)
_PRODUCT = lazy_regex(r"(?:[A-Z]\w*|d3|socket|ASP)\.(?:js|io|ai|NET|net|py)")
_MEDIA = lazy_regex(r"(?:application|text|image|audio|video|multipart|font)/[\w.+-]+")
_CHARS = lazy_regex(r"[\w@.+~\-/*?{},!\[\]:#$()]+")
_CITATION = lazy_regex(r"(?:#L?\d+(?:-L?\d+)?|:\d+(?:[-:,]\d+)*)$")
_DOT_NAME = lazy_regex(r"\.[a-z][a-z0-9]*(?:[-_]?[a-z0-9]+)+")
"""A hidden file or folder without extension: ``.cursorrules``; short ones are extensions."""

FOLDER_NOUNS = frozenset(
    {"directory", "directories", "folder", "folders", "subdirectory", "subfolder", "dir"}
)
"""What a one-word name is called when it is a folder."""

GLOB = lazy_regex(r"[*?]|\{[^{}]*,[^{}]*\}")
"""What makes a path a pattern over paths."""


_SHORTHAND = lazy_regex(r"\w\([^()]*\)/?\Z|(?:\A|/)\([^()]*\)\Z")


def is_shorthand(path: str) -> bool:
    """Whether an entry of a tree stands for several, or for none by that name: ``git(-api)``, ``(root)``.

    A folder in brackets with a slash behind it, ``(auth)/``, is one.
    """
    return bool(_SHORTHAND.search(path))


def clean(word: str) -> str:
    """A written path without citation, anchor, query, ``./`` and trailing punctuation."""
    word = word.strip().strip("\"'`“”").rstrip(".,;:!")
    word = _CITATION.sub("", word.partition("#")[0] if "#" in word and "/" in word else word)
    return word.removeprefix("./").replace("\\_", "_")


def may_be_path(word: str) -> bool:
    """Whether a word has a sign that no path is without: most words of a sentence have none."""
    return "/" in word or "." in word or bool(_KNOWN_NAME.search(word))


def looks_like_path(word: str, form: Form) -> bool:
    """Whether a word may be meant as a path of this repository, by its shape alone."""
    if not word or len(word) > 240 or not may_be_path(word) or "://" in word or not _CHARS.fullmatch(word):
        return False
    if word.startswith(("~", "$", "-", "#", "http", "//", "@")) or word in (".", "..", "/"):
        return False
    if _MEDIA.fullmatch(word) or _PRODUCT.fullmatch(word):
        return False
    bare = GLOB.sub("", word)
    if any(char in bare for char in "[]()$:!"):
        return False
    if GLOB.search(word):
        return "/" in word or word.startswith("*.") or bool(EXTENSION.search(word))
    if is_placeholder(word):
        return False
    if EXTENSION.search(word) or _KNOWN_NAME.fullmatch(word.rpartition("/")[2]):
        return not re.fullmatch(r"\.\w+", word) or bool(_KNOWN_NAME.fullmatch(word))
    if "/" not in word:
        return form is Form.CODE and len(word) > 5 and bool(_DOT_NAME.fullmatch(word))
    if form is Form.PLAIN:
        return bool(re.fullmatch(r"[\w.@-]+(?:/[\w.@-]+)*/?", word))
    return True
