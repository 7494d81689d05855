"""The Markdown splitter: a document's text cut into claims, byte-exact.

Headings, front matter, comments, rules, delimiter rows, callout markers and lead-ins ("Allowed fakes:")
are no claims; they become heading paths and context. Blocks come from :mod:`~memaudit.stores.blocks`,
sentences, commands and trees from the modules of those names.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memaudit.domain import Block, Claim, Span
from memaudit.stores import shell
from memaudit.stores.blocks import CodeLine, Node, Piece, parse_blocks
from memaudit.stores.drafts import Draft, Passage, claim_text, finish, is_attached
from memaudit.stores.frontmatter import front_matter_end
from memaudit.stores.generated import generated_regions
from memaudit.stores.kinds import classify
from memaudit.stores.sentences import code_spans, split_sentences
from memaudit.stores.source import Source
from memaudit.stores.tree import read_tree
from memaudit.stores.vocabulary import SHELLS

_INTRODUCED = frozenset({"list", "fence", "code", "table", "quote"})
_PLAIN_TEXT = frozenset({"text", "txt", "plain", "plaintext", "tree", "ascii", "output", "log", "none"})
_TASK = re.compile(r"\[(?P<mark>[ xX])\]\s+")
_LOOSE_ITEM = re.compile(r"(?:[-*+]|\d{1,2}[.)])[ \t]+(?=\S)")
_BARE_IMPORT = re.compile(r"@[\w~./][^\s`]*$")
_IMPORT = re.compile(r"(?<![^\s(])@(?P<path>[\w~./][^\s`)]*)")
_CALLOUT = re.compile(r"\[![\w-]+\][+-]?")
_LABEL = re.compile(r"(?:\*\*|__)(?P<words>[^*_]{1,60})(?:\*\*|__)$")
_MARKED_PREFIX = re.compile(r"[ \t>]*$")
_MARKER = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]+$")
_IMAGES = re.compile(r"\[?!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])(?:\]\([^)]*\))?")
_INDENTED_LIST = re.compile(r"(?:[-*+]|\d{1,3}[.)])[ \t]+\S")
_ROW_START = re.compile(r"[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?\|?\s*")
_PIPE = re.compile(r"(?<!\\)\|")

Context = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Split:
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
    code_lines: set[int] = set()
    for node in (one for root in nodes for one in root.walk()):
        if node.kind in ("fence", "code"):
            code_lines.update(range(node.start, node.end))
        if node.kind == "fence" and not node.closed:
            splitter.warnings.append(f"the code block that opens on line {node.start + 1} is never closed")
    regions = generated_regions(source.lines, code_lines, splitter.heading_lines)
    splitter.warnings.extend(
        f"the generated region that opens on line {region.start + 1} has no end marker"
        for region in regions
        if not region.paired
    )
    claims = finish(
        splitter.drafts, store=store, document=document, format=format, scope=scope, regions=regions
    )
    return Split(claims, tuple(dict.fromkeys(splitter.imports)), tuple(splitter.warnings))


class _Splitter:
    """Walks the blocks of one document in order and collects drafts."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.drafts: list[Draft] = []
        self.imports: list[str] = []
        self.warnings: list[str] = []
        self.heading_lines: list[tuple[int, int]] = []
        self._headings: list[tuple[int, str]] = []
        self._heading: tuple[str, ...] = ()

    def blocks(self, nodes: Sequence[Node], context: Context, depth: int = 0) -> None:
        """Split sibling blocks; ``context`` is what they all stand under."""
        label: Context = ()
        lead: Context = ()
        for at, node in enumerate(nodes):
            following = nodes[at + 1] if at + 1 < len(nodes) else None
            here = (*context, *label, *lead)
            if node.kind == "heading" and self._reads_as_prose(node):
                lead = self._paragraph(node, (*context, *label), following)
            elif node.kind == "heading":
                lead, label = (), self._take_heading(node, depth)
            elif node.kind == "paragraph":
                if name := self._label(node, following):
                    label, lead = (name,), ()
                else:
                    lead = self._paragraph(node, (*context, *label), following)
            elif node.kind == "list":
                lead = self._list(node, here, following, depth) or lead
            elif node.kind == "quote":
                self.blocks(node.children, here, depth + 1)
            elif node.kind == "table":
                self._table(node, here)
            elif node.kind in ("fence", "code"):
                self._code(node, here, depth)

    # Headings and labels

    def _reads_as_prose(self, node: Node) -> bool:
        """Text over a ``---`` meant as a rule: CommonMark makes a heading of it, its writer did not."""
        if node.info != "-" or node.level != 2:
            return False
        return len(node.pieces) > 1 or node.cells[0].rstrip("*_").endswith((".", "!", "?", "。"))

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

    def _label(self, node: Node, following: Node | None) -> str:
        """The words of a paragraph that is a heading in bold, or an empty string."""
        if following is None or len(node.pieces) != 1:
            return ""
        text = self._words(node.pieces).strip()
        return text if _is_label(text) and following.kind != "heading" else ""

    # Prose

    def _paragraph(self, node: Node, context: Context, following: Node | None) -> Context:
        """Split a paragraph; returns its lead-in, if its last sentence introduces what follows."""
        lead: Context = ()
        for loose, pieces in self._segments(self._without_callout(node.pieces)):
            passage = Passage(self.source, pieces)
            self._find_imports(passage.text)
            if loose:
                self._loose_item(passage, (*context, *lead))
            else:
                lead = self._prose(passage, context, following is not None and following.kind != "heading")
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
        fresh = True
        for at, piece in enumerate(pieces):
            line = self.source.lines[piece.line]
            if at and _LOOSE_ITEM.match(line, piece.start, piece.end):
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

    def _loose_item(self, passage: Passage, context: Context) -> None:
        match = _LOOSE_ITEM.match(passage.text)
        start, end = passage.trim(match.end() if match else 0, len(passage.text))
        item_span = self._whole_or_part(passage, 0, end)
        self._add(passage, start, end, Block.ITEM, item_span, context)

    def _prose(self, passage: Passage, context: Context, introduces: bool) -> Context:
        text = passage.text
        ranges = [passage.trim(start, end) for start, end in split_sentences(text)]
        ranges = [(start, end) for start, end in ranges if end > start]
        if not ranges:
            return ()
        lead: Context = ()
        claims = ranges
        if introduces and _is_lead_in(text[slice(*ranges[-1])]):
            lead = (claim_text(text[slice(*ranges[-1])]),)
            claims = ranges[:-1]
        for at, (start, end) in enumerate(claims):
            if len(ranges) == 1:
                item_span = self._whole_or_part(passage, start, end)
            elif at + 1 < len(ranges):
                item_span = Span(passage.byte(start), passage.byte(ranges[at + 1][0]))
            else:
                item_span = Span(passage.span(*ranges[at - 1]).end, passage.span(start, end).end)
            self._add(passage, start, end, Block.SENTENCE, item_span, context)
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
        if not _says_something(text):
            return
        if is_attached(text) and block is Block.SENTENCE:
            context = (*context, *self._attached_to())
        kind = classify(text, block, task=task, context=context, heading=self._heading)
        first, last = passage.line(start), passage.line(end - 1)
        span = passage.span(start, end)
        self.drafts.append(
            Draft(text, block, kind, span, item_span, first, last, self._heading, context, task=task)
        )

    def _attached_to(self) -> Context:
        for draft in reversed(self.drafts):
            if draft.heading != self._heading:
                return ()
            if not is_attached(draft.text):
                return (draft.text,)
        return ()

    def _find_imports(self, text: str) -> None:
        if "@" not in text:
            return
        code = code_spans(text)
        for match in _IMPORT.finditer(text):
            if not any(start <= match.start() < end for start, end in code):
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
        count = 0
        while count < len(node.children) and node.children[count].kind == "paragraph":
            count += 1
        own = [piece for child in node.children[:count] for piece in child.pieces]
        rest = node.children[count:]
        segments = self._segments(own)
        inner = context
        lead: Context = ()
        if segments:
            passage = Passage(self.source, segments[0][1])
            self._find_imports(passage.text)
            introduces = bool(rest and rest[0].kind in _INTRODUCED) or len(segments) > 1
            said = self._own_text(node, passage, context, introduces or bool(after))
            inner = (*context, said) if said else context
            lead = (said,) if after and not rest and _is_lead_in(said) else ()
        for loose, pieces in segments[1:]:
            passage = Passage(self.source, pieces)
            self._find_imports(passage.text)
            if loose:
                self._loose_item(passage, inner)
            else:
                self._prose(passage, inner if len(pieces) > 1 else context, False)
        self.blocks(rest, inner, depth + 1)
        return lead

    def _own_text(self, node: Node, passage: Passage, context: Context, introduces: bool) -> str:
        """Add the claim an item makes itself; returns all its words, for the context of what is in it."""
        text = passage.text
        start, end = passage.trim(0, len(text))
        task = None
        if match := _TASK.match(text, start):
            task = match["mark"] != " "
            start = match.end()
        said = claim_text(text[start:end])
        if introduces:
            if _is_label(said):
                return said
            sentences = split_sentences(text[start:end])
            if sentences and _is_lead_in(text[start + sentences[-1][0] : start + sentences[-1][1]]):
                end = start + (sentences[-2][1] if len(sentences) > 1 else 0)
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

    # Tables

    def _table(self, node: Node, context: Context) -> None:
        columns: tuple[str, ...] = ()
        for at, row in enumerate(node.children):
            if at == 0:
                columns = tuple(row.cells)
                continue
            line = self.source.lines[row.start]
            match = _ROW_START.match(line)
            start = match.end() if match else 0
            end = len(line.rstrip())
            if line[start:end].endswith("|") and not line[start:end].endswith("\\|"):
                end = start + len(line[start : end - 1].rstrip())
            text = " | ".join(cell.strip() for cell in _PIPE.split(line[start:end]))
            if end <= start or not _says_something(text):
                continue
            kind = classify(text, Block.ROW, context=context, heading=self._heading)
            self.drafts.append(
                Draft(
                    text,
                    Block.ROW,
                    kind,
                    Span(self.source.byte(row.start, start), self.source.byte(row.start, end)),
                    self.source.whole_lines(row.start, row.start + 1),
                    row.start,
                    row.start,
                    self._heading,
                    context,
                    columns=columns,
                )
            )

    # Code

    def _code(self, node: Node, context: Context, depth: int) -> None:
        code = node.code
        if not any(line.text.strip() for line in code):
            return
        match = re.match(r"[\w+#-]*", node.info.lstrip("{. ").lower())
        language = match.group() if match else ""
        is_shell = language in SHELLS
        if node.kind == "code" and _INDENTED_LIST.match(code[0].text.lstrip()):
            self._indented_list(node, context, depth)
        elif (is_shell or not language or language in _PLAIN_TEXT) and self._tree(code, context, is_shell):
            return
        elif is_shell or (not language and shell.looks_like_shell(code)):
            self._commands(code, context)
        elif language not in _PLAIN_TEXT:
            self._fence(node, code, context)

    def _indented_list(self, node: Node, context: Context, depth: int) -> None:
        """A list indented so far that CommonMark takes it for code."""
        lines = [""] * node.start + [line.text for line in node.code]
        indent = min(len(line.text) - len(line.text.lstrip()) for line in node.code if line.text.strip())
        blank = [""] * node.start
        nodes = parse_blocks([*blank, *(line[indent:] for line in lines[node.start :])])
        shift = {line.line: line.column + indent for line in node.code}
        for inner in (one for root in nodes for one in root.walk()):
            inner.pieces = [
                Piece(piece.line, piece.start + shift[piece.line], piece.end + shift[piece.line])
                for piece in inner.pieces
            ]
            inner.code = [
                CodeLine(line.line, line.text, line.column + shift[line.line]) for line in inner.code
            ]
        self.blocks(nodes, context, depth + 1)

    def _tree(self, code: Sequence[CodeLine], context: Context, drawn_only: bool) -> bool:
        if drawn_only and not any("─" in line.text for line in code):
            return False
        entries = read_tree(code)
        if not entries:
            return False
        for entry in entries:
            line = code[entry.index]
            text = line.text[entry.start : entry.end]
            kind = classify(text, Block.TREE, context=context, heading=self._heading)
            self.drafts.append(
                Draft(
                    text,
                    Block.TREE,
                    kind,
                    self._code_span(line, entry.start, line, entry.end),
                    self._code_lines(line, line),
                    line.line,
                    line.line,
                    self._heading,
                    context,
                    path=entry.path,
                    below=entry.below,
                )
            )
        return True

    def _commands(self, code: Sequence[CodeLine], context: Context) -> None:
        for command in shell.split_commands(code):
            first, last = code[command.first], code[command.last]
            self.drafts.append(
                Draft(
                    command.text,
                    Block.COMMAND,
                    classify(command.text, Block.COMMAND),
                    self._code_span(first, command.start, last, command.end),
                    self._code_lines(first, last),
                    first.line,
                    last.line,
                    self._heading,
                    (*context, *command.labels),
                )
            )

    def _fence(self, node: Node, code: Sequence[CodeLine], context: Context) -> None:
        filled = [line for line in code if line.text.strip()]
        first, last = filled[0], filled[-1]
        text = "\n".join(line.text.rstrip() for line in code).strip("\n")
        start = len(first.text) - len(first.text.lstrip())
        span = self._code_span(first, start, last, len(last.text.rstrip()))
        before = self.source.lines[node.start]
        opening = re.search(r"`{3,}|~{3,}", before) if node.kind == "fence" else None
        whole = opening is None or _MARKED_PREFIX.match(before[: opening.start()])
        end = self.source.line_start(node.end)
        item_start = (
            self._first_byte(node.start)
            if whole
            else self.source.byte(node.start, opening.start() if opening else 0)
        )
        self.drafts.append(
            Draft(
                text,
                Block.FENCE,
                classify(text, Block.FENCE),
                span,
                Span(item_start, end),
                first.line,
                last.line,
                self._heading,
                context,
            )
        )

    def _code_span(self, first: CodeLine, start: int, last: CodeLine, end: int) -> Span:
        return Span(
            self.source.byte(first.line, first.column + start),
            self.source.byte(last.line, last.column + end),
        )

    def _code_lines(self, first: CodeLine, last: CodeLine) -> Span:
        return Span(self._first_byte(first.line), self.source.line_start(last.line + 1))


def _is_lead_in(sentence: str) -> bool:
    return sentence.rstrip().rstrip("*_").endswith((":", "："))


def _is_label(text: str) -> bool:
    """Whether a text is a heading in all but name: bold, short, and no statement."""
    match = _LABEL.match(text.rstrip(":"))
    if match is None:
        return False
    words = match["words"]
    return not words.rstrip().endswith((".", "!", "?", "。")) and classify(words, Block.SENTENCE) not in (
        "rule",
        "preference",
    )


def _says_something(text: str) -> bool:
    return any(char.isalnum() for char in _IMAGES.sub("", text))
