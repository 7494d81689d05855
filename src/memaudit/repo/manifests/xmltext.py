"""XML read as a small tree that knows its lines. Documents with a DOCTYPE are refused.

Entities can only be declared in a DOCTYPE, so none is ever expanded and nothing is ever fetched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

_MOST_ELEMENTS = 50_000
_DEEPEST = 100


@dataclass(slots=True)
class Element:
    """An element: its name without namespace, attributes, own text, and the line it begins on."""

    name: str
    attributes: dict[str, str]
    line: int
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, *path: str) -> Iterator[Element]:
        """The elements at a path of names below this one."""
        if not path:
            yield self
            return
        for child in self.children:
            if child.name == path[0]:
                yield from child.all(*path[1:])

    def first(self, *path: str) -> Element | None:
        """The first element at a path of names, None where there is none."""
        return next(self.all(*path), None)

    def value(self, *path: str) -> str:
        """The text of the first element at a path, ``""`` where there is none."""
        found = self.first(*path)
        return found.text.strip() if found else ""

    def walk(self) -> Iterator[Element]:
        """This element and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()


def parse(text: str) -> Element:
    """The root element; ValueError for what is no XML, has a DOCTYPE, or nests or repeats without end."""
    root = Element("", {}, 1)
    open_elements = [root]
    count = 0
    parser = expat.ParserCreate()
    parser.buffer_text = True

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > _MOST_ELEMENTS or len(open_elements) > _DEEPEST:
            raise ValueError("too large a document")
        element = Element(name.rpartition(":")[2], attributes, parser.CurrentLineNumber)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def end(_: str) -> None:
        open_elements.pop()

    def characters(data: str) -> None:
        open_elements[-1].text += data

    def doctype(*_: object) -> None:
        raise ValueError("a DOCTYPE is not read")

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = characters
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(text.lstrip("\ufeff").encode(), True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error
    if not root.children:
        raise ValueError("no element")
    return root.children[0]
