"""Lists that are made of the entries of another: which of them, and what each has."""

from __future__ import annotations

from sopforge.logic.english_reader.choices import Choices
from sopforge.logic.english_reader.entries import Entries
from sopforge.logic.english_reader.scanner import NotReadError


class Selections(Entries, Choices):
    """Reads what is listed of each entry: "each entry in the damages, with its part"."""

    def read_selection(self) -> str:
        self.take("each ")
        is_field = self.try_take("entry in ")
        name = self.read_field() if is_field else self.read_label(self.vocabulary.items)
        if name not in self.vocabulary.parts:
            raise NotReadError(f"{name} is no list")
        where = "" if self.words.startswith(", with ", self.position) else self.read_filter()
        self.take(", with ")
        parts = [self.read_part(name)]
        while self.try_take(", "):
            parts.append(self.read_part(name))
        if self.try_take(" and "):
            parts.append(self.read_part(name))
        made = f"[item({', '.join(parts)}) for entry in {name}{where}]"
        return self.resolve_item_labels(made, name)

    def read_part(self, name: str) -> str:
        """Return what an entry has, with the name that it has there."""
        return self.read_first_match(
            lambda: self.read_own_part(name), self.read_truth_part, self.read_other_part
        )

    def read_own_part(self, name: str) -> str:
        self.match_pattern("its |whether it ")
        names = self.vocabulary.parts[name]
        label = self.read_label({label: label for label in names})
        other = self.read_name() if self.words.startswith(" as ", self.position) else names[label]
        return f"{other}=entry.<{label}>"

    def read_truth_part(self) -> str:
        found = self.read_yes_or_no()
        return f"{self.read_name()}={found}"

    def read_other_part(self) -> str:
        found = self.read_operand()
        return f"{self.read_name()}={found}"

    def read_name(self) -> str:
        return self.match_pattern(r" as ([A-Za-z_]\w*)")[1]
