"""Parameters that a claim shows a function with: "`write_note(title, folder)`"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice
from typing import NamedTuple

from memaudit.grounding.bodied import certain, certain_in, files_with
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.reference import Mention, Outcome, Replacement, broken
from memaudit.patterns import lazy_regex
from memaudit.repo.symbols import Definition, language

_STRING = lazy_regex(r"\"\"\".*?\"\"\"|\"[^\"\n]*\"|'[^'\n]*'", re.DOTALL)
_ARGUMENTS = lazy_regex(r"<[^()]*?>|\[[^()]*?\]")
_TYPE_FIRST = frozenset({"java", "csharp", "c", "cpp", "header", "php", "dart"})
_IMPLIED = frozenset({"self", "cls", "this", "ctx", "context"})
_LEADING = lazy_regex(
    r"(?:(?:mut|readonly|public|private|protected|final|ref|out)\s+)*([*&.]*)([A-Za-z_]\w*)(\?)?"
)


class Parameter(NamedTuple):
    """A parameter by name; ``required`` when a caller cannot leave it out."""

    name: str
    required: bool


def signature_changed(mention: Mention, name: str, home: str | None, ground: Ground) -> Outcome | None:
    """Stale when all parameters shown were the definition's at base and are not at head.

    A list that named every required parameter at base is also stale when head requires another.
    """
    claimed = mention.extra[1:] if mention.extra[:1] == ("call",) else ()
    before = _with_parameters(name, claimed, home, ground.base) if claimed else None
    if before is None:
        return None
    path, was = before
    same = []
    if path in ground.head.defining_files(name):
        same = [(path, item) for item in certain_in(path, name, ground.head)]
    same = same or list(islice(certain(name, ground.head), 2))
    if len(same) != 1:
        return None
    where, definition = same[0]
    old, new = parameters(ground.base, path, was), parameters(ground.head, where, definition)
    names = [item.name for item in new]
    lost = [item for item in claimed if item not in names]
    fresh = [item.name for item in new if item.name not in {one.name for one in old}]
    added = [item.name for item in new if item.required and item.name in fresh]
    complete = [item.name for item in old if item.required and item.name not in _IMPLIED] == list(claimed)
    if not lost and not (complete and added):
        return None
    owner = re.split(r"\.|::|#|->", mention.target)[-2:-1]
    proved = len(lost) == 1 and len(fresh) == 1 and (not owner or owner[0] in was.qualified)
    replacements: tuple[Replacement, ...] = (
        (Replacement(lost[0], fresh[0], proved, "parameter"),) if lost and fresh else ()
    )
    if not lost:
        replacements = (Replacement(claimed[-1], f"{claimed[-1]}, {', '.join(added)}", True, "parameter"),)
    return broken(
        mention,
        "signature-changed",
        f"{name} no longer takes {', '.join(lost)}" if lost else f"{name} also needs {', '.join(added)}",
        base=was.signature,
        head=definition.signature,
        base_at=ground.base.at(path, was.line_start),
        head_at=ground.head.at(where, definition.line_start),
        commit=ground.line_change(path, lost[0])
        if lost
        else ground.line_change(where, added[0], vanished=False),
        confidence=0.9 if lost else 0.85,
        replacements=replacements,
    )


def _with_parameters(
    name: str, claimed: Sequence[str], home: str | None, side: Side
) -> tuple[str, Definition] | None:
    """The definition that takes all claimed parameters; the one where the claim's neighbours are, if any."""
    for path in sorted(files_with(name, side), key=lambda path: path.rpartition("/")[0] != home):
        for definition in certain_in(path, name, side):
            if set(claimed) <= {item.name for item in parameters(side, path, definition)}:
                return path, definition
    return None


def parameters(side: Side, path: str, definition: Definition) -> list[Parameter]:
    """The parameters of a definition, read from its header (it may run over several lines)."""
    first, last = definition.line_start - 1, min(definition.line_end, definition.line_start + 80)
    text = _STRING.sub('""', "\n".join(side.lines(path)[first:last]))
    name = text.find(definition.name)
    start = text.find("(", name)
    # Parameters stand on the line of the name: a bracket further on is that of a call in the body.
    if start < 0 or re.search(r"[{;\n]", _ARGUMENTS.sub("", text[name:start])):
        return []
    known = language(path)
    parts, depth, begin = [], 0, start + 1
    for index in range(start, len(text)):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(text[index], 0)
        if depth == 0 or (depth == 1 and text[index] == ","):
            parts.append(text[begin:index])
            begin = index + 1
        if depth == 0:
            break
    return [parameter for part in parts for parameter in _read(part, known)]


def _read(part: str, known: str | None) -> list[Parameter]:
    part = re.sub(r"(?:#|//).*", "", part).strip()
    if part.startswith("{"):
        names = re.findall(r"[A-Za-z_]\w*", part.partition("}")[0])
        return [Parameter(name, required=False) for name in names]
    if known in _TYPE_FIRST:
        words = re.findall(r"[A-Za-z_]\w*", part.partition("=")[0])
        open_ended = "=" in part or "..." in part or words[:1] in (["params"], ["this"])
        return [Parameter(words[-1], not open_ended)] if words else []
    match = _LEADING.match(part)
    if match is None:
        return []
    optional = bool(match[1] or match[3]) or "=" in part or match[2] in _IMPLIED
    if known == "ruby" and re.search(r":\s*\S", part):
        optional = True
    return [Parameter(match[2], not optional)]
