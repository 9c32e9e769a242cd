"""HTML as a tree, for tests that ask what a page says; a page that does not nest is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("input", "br", "meta", "link", "hr", "img"))


@dataclass
class Element:
    name: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)
    parent: Element | None = None

    @property
    def text(self) -> str:
        parts = [part if isinstance(part, str) else part.text for part in self.children]
        return " ".join("".join(parts).split())

    @property
    def classes(self) -> set[str]:
        return set(self.attributes.get("class", "").split())

    def __iter__(self) -> Iterator[Element]:
        for child in self.children:
            if isinstance(child, Element):
                yield child
                yield from child

    def all(self, tag: str = "", /, *, kind: str = "", **attributes: str) -> list[Element]:
        return [
            part
            for part in self
            if (not tag or part.name == tag)
            and (not kind or kind in part.classes)
            and all(part.attributes.get(key) == value for key, value in attributes.items())
        ]

    def one(self, tag: str = "", /, *, kind: str = "", **attributes: str) -> Element:
        (found,) = self.all(tag, kind=kind, **attributes)
        return found

    def above(self, is_meant: Callable[[Element], bool]) -> bool:
        return self.parent is not None and (is_meant(self.parent) or self.parent.above(is_meant))


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("page", {})
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        made = Element(tag, {name: value or "" for name, value in attrs}, parent=self.open[-1])
        self.open[-1].children.append(made)
        if tag not in VOID:
            self.open.append(made)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].name == tag, f"</{tag}> closes <{self.open[-1].name}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parsed(text: str) -> Element:
    reader = _Reader()
    reader.feed(text)
    reader.close()
    assert reader.open == [reader.root], [part.name for part in reader.open]
    return reader.root
