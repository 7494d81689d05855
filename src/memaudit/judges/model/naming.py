"""Whether a rewrite that a model drafted may be shown to a person: one line of prose that names real things.

It would rather refuse a good rewrite than let one through that names what is not there, brings a link or a
command along, or would break the list it stands in. What it means is judged elsewhere.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator

from memaudit.domain import Block, Claim, Judgement, Verdict
from memaudit.grounding.ground import Ground, Side
from memaudit.grounding.words import is_compound
from memaudit.judges.model.drafts import LONGEST
from memaudit.judges.model.masking import MASK
from memaudit.judges.model.packing import Selection
from memaudit.patterns import lazy_regex
from memaudit.text import visible

_SPAN = lazy_regex(r"`([^`]*)`")
_MARKER = lazy_regex(r"\s*(?:[-*+]\s|\d{1,9}[.)]\s|#{1,6}\s|>|~~~|\[[ xX]\]\s|:\s|={3}|-{3}|@)")
_LINK = lazy_regex(
    r"\w+://\S*|\bwww\.\S*|\b(?:mailto|javascript|data|file|tel):\S*|\]\s*[(\[:]|!\[", re.IGNORECASE
)
_MARKUP = lazy_regex(r"<[^\s<>=][^<>]*>|</|<!--|&#?\w{2,20};|\$\(|\$\{|\{\{|\{%|``")
_NAME = lazy_regex(r"[A-Za-z_$][\w$]*")
_NUMBER = lazy_regex(r"(?<![\w.])\d+(?:[.,]\d+)*(?![\w])")
_PLAIN = lazy_regex(r"[^\W\d_]{4,}")
# What in prose is hardly a word: with a path or a file ending, a flag, a handle, a constant.
_THING = lazy_regex(
    r"(?<![\w/.@~-])(?:(?:[~.]{0,2}/)?[\w.@-]+(?:/[\w.@*-]+)+/?|[~.]{0,2}/[\w.@/-]+|[\w-]+(?:\.[A-Za-z][\w-]*)+"
    r"|--?[A-Za-z][\w-]*|@[\w/.-]+|[A-Z][A-Z0-9]*_[A-Z0-9_]+)"
)
_FILE = lazy_regex(r"\w\.[A-Za-z]\w*$")
_EITHER = lazy_regex(r"[A-Za-z]+(?:/[A-Za-z]+)+")
_TIMES, _MORE = 2, 200
"""How much longer than the old words a rewrite may be: so many times, and so many characters."""

_LEAST_KEPT = 0.3
"""Share of the old words, names aside, that a rewrite of the same statement keeps."""

_COMMANDS = frozenset({"command", "subcommand"})
_SHELL = frozenset("&|;<>$(){}\\\n\"'*?!")


class Reader:
    """Checks rewrites of one claim against ``head``; ``seen`` is what the model was shown of the change.

    ``judge`` judges other words in the claim's place.
    """

    def __init__(
        self, claim: Claim, ground: Ground, seen: Selection, judge: Callable[[str], Judgement]
    ) -> None:
        self._claim = claim
        self._old = claim.text
        self._head: Side = ground.head
        self._judge = judge
        self._shown = "\n".join(line[1:] for hunk in seen.hunks for line in hunk.lines if line[0] != "-")

    def fault(self, text: str, before: Judgement) -> str:
        """Why a rewrite, already one line, is not shown to anybody; empty where it may be."""
        return next(self._faults(text, before), "")

    def _faults(self, text: str, before: Judgement) -> Iterator[str]:
        if not any(char.isalnum() for char in text):
            yield "it says nothing"
        if text == self._old:
            yield "it is the old text"
        if len(text) > min(LONGEST, _TIMES * len(self._old) + _MORE):
            yield "it is much longer than the statement"
        yield from self._unwritten(text)
        words = _words(self._old)
        if words and len(words & _words(text)) < _LEAST_KEPT * len(words):
            yield "it says something else altogether"
        yield from self._unreal(text, before)

    def _unwritten(self, text: str) -> Iterator[str]:
        """What may not be written into a memory file."""
        odd = any(unicodedata.category(char)[0] == "C" and char not in self._old for char in text)
        if odd or visible(text) != text:
            yield "it has characters that do not show"
        if self._old.isascii() and any(char.isalnum() and not char.isascii() for char in text):
            yield "it has letters of another script"
        if MASK in text:
            yield "a secret was masked in it"
        if (marker := _MARKER.match(text)) and not self._old.startswith(marker[0].strip()):
            yield "it begins with the mark of a list, a heading or an import"
        if text.count("`") % 2 or (
            self._claim.block is Block.ROW and text.count("|") != self._old.count("|")
        ):
            yield "its marks do not close"
        for found in _MARKUP.finditer(_SPAN.sub(" ", text)):
            if found[0] not in self._old:
                yield f"it has markup: {found[0]}"
        for found in _LINK.finditer(text):
            if found[0] not in self._old or not self._stands(found[0]):
                yield f"it has a link that the repository has not: {found[0]}"

    def _unreal(self, text: str, before: Judgement) -> Iterator[str]:
        """Names and values that head does not have."""
        for span in _SPAN.findall(text):
            if " " in span.strip() or _SHELL & set(span.replace("()", "")):
                if not self._is_command(span.strip()):
                    yield f"no such command in the repository: {span.strip()}"
            elif not self._is_kept(span.strip()) and not self._is_real(span.strip()):
                yield f"no such name in the repository: {span.strip()}"
        prose = _SPAN.sub(" ", text)
        for found in _THING.finditer(prose):
            thing = found[0].rstrip(".,:;")
            either = _EITHER.fullmatch(thing) and not self._is_path(thing)
            if not self._is_kept(thing) and not either and not self._is_real(thing):
                yield f"no such name in the repository: {thing}"
        for name in _NAME.findall(prose):
            if is_compound(name) and not self._is_kept(name) and not self._head.files_with(name):
                yield f"no such name in the repository: {name}"
        said = f"{self._shown}\n" + "\n".join(item.head.text for item in before.evidence if item.head)
        numbers = set(_NUMBER.findall(f"{said}\n{before.why}\n{self._old}"))
        for number in _NUMBER.findall(_THING.sub(" ", text)):
            if number not in numbers:
                yield f"nothing that was shown has this figure: {number}"

    def _is_kept(self, thing: str) -> bool:
        """Whether the statement has this name itself; of files that is not enough."""
        if "/" in thing or _FILE.search(thing):
            return False
        return bool(re.search(rf"(?<![\w/.-]){re.escape(thing)}(?![\w/-])", self._old))

    def _is_real(self, thing: str) -> bool:
        if self._is_path(thing):
            return True
        if "/" in thing or thing.startswith(("@", "~")):
            return self._is_dependency(thing)
        if _NUMBER.fullmatch(thing):
            return True  # Figures are looked for on their own.
        names = _NAME.findall(thing)
        if self._is_dependency(thing) or (thing and self._is_task(thing)):
            return True
        if not names or _SHELL & set(thing.replace("()", "")):
            return False
        if len(names) > 1 and thing.partition(".")[0].islower():
            return False  # A host, or a file that is not there: its parts may stand anywhere.
        return all(self._head.files_with(name) for name in names)

    def _is_path(self, thing: str) -> bool:
        plain = thing.removeprefix("./").rstrip("/")
        snapshot = self._head.snapshot
        folder = self._claim.document.rpartition("/")[0]
        near = f"{folder}/{plain}" if folder else plain
        if not plain or plain.startswith(("/", "~", "../")):
            return False
        if snapshot.kind(plain) is not None or snapshot.kind(near) is not None:
            return True
        return bool(snapshot.by_suffix(plain))

    def _is_dependency(self, thing: str) -> bool:
        return any(thing in manifest.dependencies for manifest in self._head.manifests)

    def _is_task(self, thing: str) -> bool:
        return any(thing in manifest.tasks for manifest in self._head.manifests)

    def _is_command(self, span: str) -> bool:
        """Whether a command can be seen to exist: a task of the repository, or a line that already stands in
        it as in the statement.
        """
        if span in self._old and self._stands(span):
            return True
        if _SHELL & set(span):
            return False
        judged = self._judge(f"Run `{span}`.")
        tasks = [one.text for one in judged.references if one.kind in _COMMANDS and one.head]
        return judged.verdict is Verdict.HELD and span in tasks

    def _stands(self, text: str) -> bool:
        """Whether a line of a file at head, prose and memory aside, has these very letters."""
        names = sorted(_NAME.findall(text), key=len, reverse=True)
        return bool(names) and any(text in hit.text for hit in self._head.every_line(names[0]))


def one_line(text: str) -> str:
    """A rewrite with its lines joined, as far as they are only wrapped prose."""
    return (
        " ".join(text.split()) if not re.search(r"\n\s*(?:\n|[-*+#>|]|\d+[.)]\s|```)", text.strip()) else text
    )


def _words(text: str) -> set[str]:
    return {word.lower() for word in _PLAIN.findall(_SPAN.sub(" ", text))}
