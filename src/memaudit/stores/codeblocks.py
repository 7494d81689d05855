"""Code blocks cut into claims: commands of shell code, entries of trees, anything else as one."""

from __future__ import annotations

from collections.abc import Sequence

from memaudit.domain import Block, Span
from memaudit.patterns import lazy_regex
from memaudit.stores.blocks import CodeLine, Node
from memaudit.stores.drafts import Draft
from memaudit.stores.kinds import classify
from memaudit.stores.shell import looks_like_shell, split_commands
from memaudit.stores.source import Source
from memaudit.stores.tree import Entry, read_tree
from memaudit.stores.vocabulary import PLAIN_TEXT, SHELLS

_LANGUAGE = lazy_regex(r"[{. ]*([\w+#-]*)")
_FENCE = lazy_regex(r"`{3,}|~{3,}")


def code_drafts(
    source: Source, node: Node, heading: tuple[str, ...], context: tuple[str, ...]
) -> list[Draft]:
    """The claims of a code block, by its language; plain text that draws no tree makes none."""
    return _CodeBlock(source, node, heading, context).drafts()


class _CodeBlock:
    def __init__(
        self, source: Source, node: Node, heading: tuple[str, ...], context: tuple[str, ...]
    ) -> None:
        self._source = source
        self._node = node
        self._heading = heading
        self._context = context

    def drafts(self) -> list[Draft]:
        code = self._node.code
        match = _LANGUAGE.match(self._node.info.lower())
        language = match[1] if match else ""
        shell = language in SHELLS
        if not any(line.text.strip() for line in code):
            return []
        if (shell or not language or language in PLAIN_TEXT) and (
            entries := read_tree([line.text for line in code], drawn_only=shell)
        ):
            return [self._entry(entry) for entry in entries]
        if shell or (not language and looks_like_shell(code)):
            return self._commands(code)
        return [] if language in PLAIN_TEXT else [self._whole(code)]

    def _entry(self, entry: Entry) -> Draft:
        line = self._node.code[entry.index]
        text = line.text[entry.start : entry.end]
        return Draft(
            text,
            Block.TREE,
            classify(text, Block.TREE, context=self._context, heading=self._heading),
            self._span(line, entry.start, line, entry.end),
            self._source.whole_lines(line.line, line.line + 1),
            line.line,
            line.line,
            self._heading,
            self._context,
            path=entry.path,
            below=entry.below,
        )

    def _commands(self, code: Sequence[CodeLine]) -> list[Draft]:
        return [
            Draft(
                command.text,
                Block.COMMAND,
                classify(command.text, Block.COMMAND),
                self._span(code[command.first], command.start, code[command.last], command.end),
                self._source.whole_lines(code[command.first].line, code[command.last].line + 1),
                code[command.first].line,
                code[command.last].line,
                self._heading,
                (*self._context, *command.labels),
            )
            for command in split_commands(code)
        ]

    def _whole(self, code: Sequence[CodeLine]) -> Draft:
        filled = [line for line in code if line.text.strip()]
        first, last = filled[0], filled[-1]
        lines = [line.text.rstrip() for line in code]
        text = "\n".join(lines).strip("\n")
        indent = len(text) - len(text.lstrip())
        return Draft(
            text[indent:],
            Block.FENCE,
            classify(text, Block.FENCE),
            self._span(first, indent, last, len(last.text.rstrip())),
            self._block_span(),
            first.line,
            last.line,
            self._heading,
            self._context,
        )

    def _block_span(self) -> Span:
        """The whole block, its fences included; from the fence on where a list marker stands before it."""
        node, source = self._node, self._source
        opening = _FENCE.search(source.lines[node.start]) if node.kind == "fence" else None
        start = source.line_start(node.start)
        if opening and source.lines[node.start][: opening.start()].strip(" \t>"):
            start = source.byte(node.start, opening.start())
        return Span(start, source.line_start(node.end))

    def _span(self, first: CodeLine, start: int, last: CodeLine, end: int) -> Span:
        return Span(
            self._source.byte(first.line, first.column + start),
            self._source.byte(last.line, last.column + end),
        )
