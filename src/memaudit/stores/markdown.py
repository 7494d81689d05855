"""The Markdown splitter: a document's text cut into claims, byte-exact.

Headings, front matter, comments, rules, delimiter rows, callout markers and lead-ins ("Allowed fakes:")
are no claims; they become heading paths and context. Blocks come from :mod:`~memaudit.stores.blocks`,
sentences, commands and trees from the modules of those names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memaudit.domain import Block, Claim, Span
from memaudit.patterns import lazy_regex
from memaudit.stores.blocks import MAX_NESTING, Node, Piece, parse_blocks, parse_code_again
from memaudit.stores.codeblocks import code_drafts
from memaudit.stores.drafts import Draft, Passage, claim_text, finish, is_attached, says_something
from memaudit.stores.frontmatter import front_matter_end
from memaudit.stores.generated import Region, generated_regions, is_rules_marker
from memaudit.stores.kinds import classify
from memaudit.stores.sentences import code_spans, split_sentences
from memaudit.stores.source import Source
from memaudit.stores.tables import table_drafts

_INTRODUCED = frozenset({"list", "fence", "code", "table", "quote"})
_TELLING = lazy_regex(
    r"`[^`\s]*[^`\s/]/[^`\s]*`|\b[\w/-]+\.[a-z]{1,5}:\d+|\]\([^)]*/[^)]*\)"
    r"|\b[A-Za-z][\w.+#-]* v?\d+\.\d+|\bmono-?repo\b"
)
_TASK = lazy_regex(r"\[(?P<mark>[ xX])\]\s+")
_LOOSE_ITEM = lazy_regex(r"(?:[-*+]|(?P<number>[1-9]\d?)[.)])[ \t]+(?=\S)")
_BARE_IMPORT = lazy_regex(r"@[\w~./][^\s`]*\s*$")
_IMPORT = lazy_regex(r"(?<![^\s(])@(?P<path>[\w~./][^\s`)]*)")
_CALLOUT = lazy_regex(r"\[![\w-]+\][+-]?")
_LABEL = lazy_regex(r"(?:\*\*|__)(?P<words>[^*_]{1,60})(?:\*\*|__)$")
_MARKED_PREFIX = lazy_regex(r"[ \t>]*$")
_MARKER = lazy_regex(r"(?:[-*+]|\d{1,9}[.)])[ \t]+$")
_IMAGES = lazy_regex(r"\[?!\[[^\]]{0,200}\](?:\([^)]{0,300}\)|\[[^\]]{0,200}\])(?:\]\([^)]{0,300}\))?")

Context = tuple[str, ...]


class Split(NamedTuple):
    """What a Markdown text holds: its claims, the ``@imports`` as they are written, and warnings."""

    claims: tuple[Claim, ...]
    imports: tuple[str, ...]
    warnings: tuple[str, ...]


def split_markdown(
    source: Source, *, store: str, document: str, format: str, scope: tuple[str, ...] = ()
) -> Split:
    """Cut a Markdown document into claims; never fails, whatever the text."""
    splitter = _Splitter(source)
    nodes = parse_blocks(source.lines, skip=front_matter_end(source.lines))
    splitter.blocks(nodes, ())
    all_nodes = [one for root in nodes for one in root.walk()]
    code_lines = {
        line for node in all_nodes if node.kind in ("fence", "code") for line in range(node.start, node.end)
    }
    regions = generated_regions(source.lines, code_lines, splitter.heading_lines)
    claims = finish(
        splitter.drafts, store=store, document=document, format=format, scope=scope, regions=regions
    )
    return Split(claims, tuple(dict.fromkeys(splitter.imports)), tuple(_warnings(all_nodes, regions)))


def _warnings(nodes: Sequence[Node], regions: Sequence[Region]) -> Iterator[str]:
    """What in a document could not be read as its author may have meant it."""
    for node in nodes:
        if node.kind == "fence" and not node.closed:
            yield f"the code block that opens on line {node.start + 1} is never closed"
    for region in regions:
        if not region.paired:
            yield f"the generated region that opens on line {region.start + 1} has no end marker"
    for node in nodes:
        if node.kind in ("item", "quote") and not node.children and node.level >= MAX_NESTING - 2:
            yield f"line {node.start + 1} is nested too deep to be read"
            return


class _Splitter:
    """Walks the blocks of one document in order and collects drafts."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.drafts: list[Draft] = []
        self.imports: list[str] = []
        self.heading_lines: list[tuple[int, int]] = []
        self._headings: list[tuple[int, str]] = []
        self._heading: tuple[str, ...] = ()
        self._last_said: tuple[tuple[str, ...], str] = ((), "")

    def blocks(self, nodes: Sequence[Node], context: Context, depth: int = 0) -> None:
        """Split sibling blocks; ``context`` is what they all stand under."""
        label: Context = ()
        lead: Context = ()
        for at, node in enumerate(nodes):
            following = nodes[at + 1] if at + 1 < len(nodes) else None
            here = (*context, *label, *lead)
            if node.kind == "heading" and self._reads_as_prose(node):
                lead = self._paragraph(node, (*context, *label))
            elif node.kind == "heading":
                lead, label = (), self._take_heading(node, depth)
            elif node.kind == "paragraph":
                if name := self._label(node):
                    label, lead = (name,), ()
                else:
                    lead = self._paragraph(node, (*context, *label))
            elif node.kind == "list":
                lead = self._list(node, here, following, depth) or lead
            elif node.kind == "quote":
                self.blocks(node.children, here, depth + 1)
            elif node.kind == "table":
                self.drafts.extend(table_drafts(self.source, node, self._heading, here))
            elif node.kind in ("fence", "code"):
                if node.kind == "code" and _LOOSE_ITEM.match(node.code[0].text.lstrip()):
                    self.blocks(parse_code_again(node), here, depth + 1)
                else:
                    self.drafts.extend(code_drafts(self.source, node, self._heading, here))

    # Headings and labels

    def _reads_as_prose(self, node: Node) -> bool:
        """Text over a ``---`` meant as a rule: CommonMark makes a heading of it, its writer did not."""
        if node.info != "-" or node.level != 2:
            return False
        return len(node.pieces) > 1 or _ends_sentence(self._words(node.pieces))

    def _take_heading(self, node: Node, depth: int) -> Context:
        words = " ".join(self._words(node.pieces).split()) if node.pieces else ""
        if depth:
            return (words,) if words else ()
        self.heading_lines.append((node.start, node.level))
        while self._headings and self._headings[-1][0] >= node.level:
            self._headings.pop()
        if words:
            self._headings.append((node.level, words))
        self._heading = tuple(text for _, text in self._headings)
        return ()

    def _words(self, pieces: Sequence[Piece]) -> str:
        return Passage(self.source, pieces).text

    def _label(self, node: Node) -> str:
        """The words of a paragraph that is a heading in bold, or an empty string."""
        text = self._words(node.pieces).strip()
        return text if is_label(text) else ""

    # Prose

    def _paragraph(self, node: Node, context: Context) -> Context:
        """Split a paragraph; returns its lead-in, if its last sentence introduces something."""
        lead: Context = ()
        for loose, pieces in self._segments(self._without_callout(node.pieces)):
            passage = Passage(self.source, pieces)
            self._find_imports(passage.text)
            if loose:
                self._loose_item(passage, (*context, *lead))
            else:
                lead = self._prose(passage, context)
        return lead

    def _without_callout(self, pieces: Sequence[Piece]) -> list[Piece]:
        kept = list(pieces)
        if kept:
            first = kept[0]
            match = _CALLOUT.match(self.source.lines[first.line], first.start, first.end)
            if match and len(kept) > 1:
                kept.pop(0)
            elif match:
                kept[0] = Piece(first.line, match.end(), first.end)
        return kept

    def _segments(self, pieces: Sequence[Piece]) -> list[tuple[bool, list[Piece]]]:
        """Paragraph lines in groups; True marks a list item that CommonMark takes for running text."""
        groups: list[tuple[bool, list[Piece]]] = []
        loose = self._loose_items(pieces)
        fresh = True
        for at, piece in enumerate(pieces):
            line = self.source.lines[piece.line]
            if is_rules_marker(line):
                fresh = True
            elif at in loose:
                groups.append((True, [piece]))
                fresh = False
            elif _BARE_IMPORT.match(line, piece.start, piece.end):
                groups.append((False, [piece]))
                fresh = True
            elif fresh:
                groups.append((False, [piece]))
                fresh = False
            else:
                groups[-1][1].append(piece)
        return groups

    def _loose_items(self, pieces: Sequence[Piece]) -> set[int]:
        """Which lines of a paragraph are list items all the same: bullets indented too far, and numbers
        that go on counting. A lone number may be the end of a sentence that happens to start a line.
        """
        lines = [self.source.lines[piece.line][piece.start : piece.end] for piece in pieces]
        matches = [_LOOSE_ITEM.match(line) for line in lines]
        counted = {int(match["number"]) for match in matches if match and match["number"]}
        loose = set()
        for at, match in enumerate(matches):
            if not at or not match:
                continue
            number = int(match["number"] or 0)
            counts = not number or not counted.isdisjoint((number - 1, number + 1))
            if counts or lines[at - 1].rstrip().endswith((".", ":", "!", "?")):
                loose.add(at)
        return loose

    def _loose_item(self, passage: Passage, context: Context) -> None:
        match = _LOOSE_ITEM.match(passage.text)
        start, end = passage.trim(match.end() if match else 0, len(passage.text))
        item_span = self._whole_or_part(passage, 0, end)
        self._add(passage, start, end, Block.ITEM, item_span, context)

    def _prose(self, passage: Passage, context: Context) -> Context:
        text = passage.text
        ranges = [passage.trim(start, end) for start, end in split_sentences(text)]
        ranges = [(start, end) for start, end in ranges if end > start]
        if not ranges:
            return ()
        lead: Context = ()
        for at, (start, end) in enumerate(ranges):
            if _is_lead_in(text[start:end]):
                lead = (claim_text(text[start:end]),)
                if not _tells_something(text[start:end]):
                    continue
            if len(ranges) == 1:
                item_span = self._whole_or_part(passage, start, end)
            elif at + 1 < len(ranges):
                item_span = Span(passage.byte(start), passage.byte(ranges[at + 1][0]))
            else:
                item_span = Span(passage.span(*ranges[at - 1]).end, passage.span(start, end).end)
            introduced = (*context, *lead) if lead and not _is_lead_in(text[start:end]) else context
            self._add(passage, start, end, Block.SENTENCE, item_span, introduced)
            if not _is_lead_in(text[start:end]):
                lead = ()
        return lead

    def _whole_or_part(self, passage: Passage, start: int, end: int) -> Span:
        """The lines of a block that stands alone on them, else only its own characters."""
        span = passage.span(start, end)
        first, last = passage.line(start), passage.line(max(end - 1, start))
        before = self.source.raw[self.source.line_start(first) : span.start]
        if _MARKED_PREFIX.match(before.decode("utf-8").removeprefix("\ufeff")):
            return Span(self._first_byte(first), self.source.line_start(last + 1))
        return span

    def _first_byte(self, line: int) -> int:
        return self.source.byte(line, 0)

    def _add(
        self,
        passage: Passage,
        start: int,
        end: int,
        block: Block,
        item_span: Span,
        context: Context,
        task: bool | None = None,
    ) -> None:
        text = claim_text(passage.text[start:end])
        if not says_something(text):
            return
        if not is_attached(text):
            self._last_said = (self._heading, text)
        elif block is Block.SENTENCE and self._last_said[0] == self._heading and self._last_said[1]:
            context = (*context, self._last_said[1])
        kind = classify(text, block, task=task, context=context, heading=self._heading)
        first, last = passage.line(start), passage.line(end - 1)
        span = passage.span(start, end)
        self.drafts.append(
            Draft(text, block, kind, span, item_span, first, last, self._heading, context, task=task)
        )

    def _find_imports(self, text: str) -> None:
        if "@" not in text:
            return
        outside = list(text)
        for start, end in code_spans(text):
            outside[start:end] = " " * (end - start)
        for match in _IMPORT.finditer("".join(outside)):
            self.imports.append(match["path"].rstrip(".,;:!?"))

    # Lists

    def _list(self, node: Node, context: Context, following: Node | None, depth: int) -> Context:
        """Split a list; returns the last item's text where it introduces the block that follows."""
        lead: Context = ()
        for at, item in enumerate(node.children):
            last = at + 1 == len(node.children)
            after = following if last and following and following.kind in _INTRODUCED else None
            lead = self._item(item, context, after, depth)
        return lead

    def _item(self, node: Node, context: Context, after: Node | None, depth: int) -> Context:
        count = self._own_paragraphs(node)
        own = [piece for child in node.children[:count] for piece in child.pieces]
        rest = node.children[count:]
        segments = self._segments(own)
        inner = context
        lead: Context = ()
        if segments:
            passage = Passage(self.source, segments[0][1])
            self._find_imports(passage.text)
            said = self._own_text(node, passage, context, bool(rest) or len(segments) > 1)
            inner = (*context, said) if said else context
            lead = (said,) if after and not rest and _is_lead_in(said) else ()
        for loose, pieces in segments[1:]:
            passage = Passage(self.source, pieces)
            self._find_imports(passage.text)
            if loose:
                self._loose_item(passage, inner)
            else:
                self._prose(passage, inner if len(pieces) > 1 else context)
        self.blocks(rest, inner, depth + 1)
        return lead

    def _own_paragraphs(self, node: Node) -> int:
        """How many of an item's blocks are its own words: up to a lead-in or a label of what follows."""
        for at, child in enumerate(node.children):
            if child.kind != "paragraph" or (at and self._label(child)):
                return at
            if _is_lead_in(self._words(child.pieces)):
                return at + 1
        return len(node.children)

    def _own_text(self, node: Node, passage: Passage, context: Context, holds_more: bool) -> str:
        """Add the claim an item makes itself; returns all its words, for the context of what is in it."""
        text = passage.text
        start, end = passage.trim(0, len(text))
        task = None
        if match := _TASK.match(text, start):
            task = match["mark"] != " "
            start = match.end()
        said = claim_text(text[start:end])
        if holds_more and is_label(said):
            return said
        if _is_lead_in(said) and not _tells_something(said):
            sentences = split_sentences(text[start:end])
            while sentences and _is_lead_in(text[start + sentences[-1][0] : start + sentences[-1][1]]):
                sentences.pop()
            end = start + (sentences[-1][1] if sentences else 0)
        if end > start:
            self._add(passage, start, end, Block.ITEM, self._item_span(node, passage), context, task)
        return said

    def _item_span(self, node: Node, passage: Passage) -> Span:
        last = node.end
        while last > node.start + 1 and self.source.is_blank(last - 1):
            last -= 1
        line = self.source.lines[node.start]
        first_line, column = passage.line(0), self.source.line_start(passage.line(0))
        if first_line != node.start:
            return self.source.whole_lines(node.start, last)
        before = self.source.raw[column : passage.byte(0)].decode("utf-8").removeprefix("\ufeff")
        marker = _MARKER.search(before)
        if marker is None or _MARKED_PREFIX.match(before[: marker.start()]):
            return Span(self._first_byte(node.start), self.source.line_start(last))
        del line
        end = self.source.byte(last - 1, len(self.source.lines[last - 1].rstrip()))
        return Span(self.source.byte(node.start, marker.start()), end)


def _is_lead_in(sentence: str) -> bool:
    return sentence.rstrip().rstrip("*_").endswith((":", "："))


def _tells_something(sentence: str) -> bool:
    """Whether a lead-in is no mere connector: it says where something is ("**search** (`src/search/`):")
    or what the project rests on ("A Go 1.24 project with:").
    """
    return bool(_TELLING.search(sentence))


def _ends_sentence(text: str) -> bool:
    return text.rstrip().rstrip("*_").endswith((".", "!", "?", "。"))


def is_label(text: str) -> bool:
    """Whether a text is a heading in all but name: bold, short, and no statement.

    A paragraph of this sort is never a claim, a list item only where nothing stands below it.
    """
    match = _LABEL.match(text.rstrip(":"))
    if match is None:
        return False
    words = match["words"]
    return not _ends_sentence(words) and classify(words, Block.SENTENCE) not in (
        "rule",
        "preference",
    )
