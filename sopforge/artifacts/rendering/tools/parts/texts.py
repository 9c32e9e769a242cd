"""The kinds of parameters that are texts."""

from __future__ import annotations

import re

from sopforge.artifacts.rendering.tools.parts.refusals import composed, invalid, nearest, tidied


class Text:
    """Free text of 1 to 200 characters."""

    def __init__(self, name: str) -> None:
        self.name = name

    def check(self, value: object) -> str:
        value = composed(value)
        if isinstance(value, str) and value.strip() and len(value) <= 200:
            return value
        raise invalid(self.name, value, "text of 1 to 200 characters")

    def read(self, cell: str) -> str:
        return cell

    def write(self, value: str) -> str:
        return value


class Identifier:
    """Text of a fixed form; ``form`` says in words what the pattern says."""

    def __init__(self, name: str, pattern: str, form: str) -> None:
        self.name = name
        self.pattern = re.compile(pattern, re.ASCII)
        self.form = form

    def check(self, value: object) -> str:
        value = composed(value)
        if isinstance(value, str) and self.pattern.fullmatch(value):
            return value
        raise invalid(self.name, value, f"text of the form {self.form}", self.meant(value))

    def meant(self, value: object) -> str | None:
        """Return the text of this form that differs in case, blanks or wide characters only."""
        text = tidied(value)
        tried = (text, text.upper(), text.lower())
        return next(filter(self.pattern.fullmatch, tried), None)

    def read(self, cell: str) -> str:
        return cell

    def write(self, value: str) -> str:
        return value


class Label:
    """One of a list of words."""

    def __init__(self, name: str, *labels: str) -> None:
        self.name = name
        self.labels = labels

    def check(self, value: object) -> str:
        value = composed(value)
        if isinstance(value, str) and value in self.labels:
            return value
        allowed = f"one of {', '.join(map(repr, self.labels))}"
        raise invalid(self.name, value, allowed, nearest(value, self.labels))

    def read(self, cell: str) -> str:
        return cell

    def write(self, value: str) -> str:
        return value


class LabelSet:
    """A list of words, each at most once; ``empty`` stands for none of them in a cell."""

    def __init__(self, name: str, *labels: str, empty: str) -> None:
        self.name = name
        self.labels = labels
        self.empty = empty

    def check(self, value: object) -> tuple[str, ...]:
        """Return the words in their declared order."""
        allowed = f"a list of any of {', '.join(map(repr, self.labels))}, each at most once"
        if not isinstance(value, list):
            raise invalid(self.name, value, allowed, self.meant(value))
        value = [composed(label) for label in value]
        for number, label in enumerate(value):
            if not isinstance(label, str) or label not in self.labels:
                meant = nearest(label, self.labels)
                raise invalid(f"{self.name}[{number}]", label, allowed, meant)
        if len(set(value)) < len(value):
            raise invalid(self.name, value, allowed)
        return tuple(label for label in self.labels if label in value)

    def meant(self, value: object) -> list[str] | None:
        """Return the list for which a text stands in tasks and records."""
        labels = self.read(tidied(value))
        return list(labels) if set(labels) <= set(self.labels) else None

    def read(self, cell: str) -> tuple[str, ...]:
        return () if cell == self.empty else tuple(cell.split("; "))

    def write(self, value: tuple[str, ...]) -> list[str]:
        return list(value)


class YesOrNo:
    """Yes or no, held as true or false."""

    def __init__(self, name: str) -> None:
        self.name = name

    def check(self, value: object) -> bool:
        if value in ("yes", "no"):
            return value == "yes"
        meant = nearest(value, ("yes", "no"))
        if isinstance(value, bool):
            meant = "yes" if value else "no"
        raise invalid(self.name, value, "'yes' or 'no'", meant)

    def read(self, cell: str) -> bool:
        return cell == "yes"

    def write(self, value: bool) -> str:
        return "yes" if value else "no"
