"""What an SOP says that actions change, and beyond which values they refuse to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sopforge.domain.fields import Field
from sopforge.domain.language.expressions import AnyOf, Constant, Expression, Read
from sopforge.domain.model import DomainModel
from sopforge.domain.values.types import BooleanType, NumberType
from sopforge.logic.english_reader import NotReadError
from sopforge.reading.sop_language import Language
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.sections.effects import phrase_done, phrase_own_value

Limits = tuple[Expression | None, Expression | None]
_FORMS = (frames.SESSION_CLAUSE, frames.CLAUSE_ON_FILE)
_SETTING = (
    *(
        frames.LEFT,
        frames.KEPT,
        frames.REDUCED_BY_ONE,
        frames.REDUCED_TO_ZERO,
        frames.CHANGE,
        frames.SESSION_EFFECT,
    ),
    *(frames.EFFECT, frames.SETTING),
)


@dataclass(frozen=True, slots=True)
class EffectReader:
    """Reads the sentences about what calls change; what is no such sentence is not read."""

    model: DomainModel
    language: Language
    names: Mapping[str, str]

    def read_effect(self, text: str) -> tuple[str, Expression]:
        """Return the field that a call changes, and what to; raises ``NotReadError``."""
        for form in _FORMS:
            found = form.match(text)
            clause = self.find_clause(found["clause"]) if found else None
            if clause is not None:
                return clause
        if conditional := self.read_clause_by_condition(text):
            return conditional
        found = next((said for said in (form.match(text) for form in _SETTING) if said), None)
        if found is None or found["label"] not in self.names:
            raise NotReadError(text)
        if "passed" in found and ", but " in found["value"]:
            raise NotReadError(text)  # is the difference limited, or what comes out?
        item = self.model.fields[self.names[found["label"]]]
        return item.name, self.language.interpret_value(self.rebuild_value(item, found), item)

    def read_clause_by_condition(self, text: str) -> tuple[str, Expression] | None:
        """Return the yes/no field that a call records by a condition, None for other sentences."""
        if left := frames.CLAUSE_OR_LEFT.match(text):
            return self.read_clause_or_left(left)
        found = frames.CLAUSE_BY_CONDITION.match(text)
        clauses = (
            [self.find_clause(found[name]) for name in ("clause", "opposite")] if found else []
        )
        if found is None or not all(clauses):
            return None
        (name, answer), (other, opposite) = (clause for clause in clauses if clause)
        if name != other or answer == opposite:
            raise NotReadError(text)
        item, is_yes = self.model.fields[name], answer == Constant(answer.type, 1)
        first, second = ("yes", "no") if is_yes else ("no", "yes")
        words = f'"{first}" if {found["condition"]}, otherwise "{second}"'
        return name, self.language.interpret_value(words, item)

    def read_clause_or_left(self, found: Mapping[str, str]) -> tuple[str, Expression] | None:
        """Return the yes/no field that becomes yes by a condition, and else stays as it was."""
        clause = self.find_clause(found["clause"])
        if clause is None:
            return None
        name, answer = clause
        item = self.model.fields[name]
        if found["label"] != item.label or answer != Constant(item.type, 1):
            raise NotReadError(found["clause"])
        condition = self.language.interpret_condition(found["condition"])
        return name, AnyOf((Read(item.type, name), condition))

    def find_clause(self, clause: str) -> tuple[str, Expression] | None:
        """Return the yes/no field and the answer for which a clause stands.

        What is done just now is said without the word for an earlier time.
        """
        answers = [
            (words, item, value)
            for item in self.model.fields.values()
            if item.said and isinstance(item.type, BooleanType)
            for words, value in ((item.said.yes, 1), (item.said.no, 0))
        ]
        found = [known for known in answers if known[0] == clause] or [
            known for known in answers if phrase_done(known[0]) == clause
        ]
        if len(found) != 1:
            return None
        _, item, value = found[0]
        return item.name, Constant(item.type, value)

    def rebuild_value(self, item: Field, found: Mapping[str, str]) -> str:
        """Return a value with what the field holds before where the sentence leaves it so."""
        own = phrase_own_value(self.model, item)
        if found.keys() <= {"each", "label", "value"}:
            return f"the {item.label} minus ({found.get('value', '1')}), but at least 0"
        if "value" not in found:
            return own
        if "passed" in found:
            changed = f"the {item.label} {frames.CHANGES[found['verb']]} ({found['value']})"
            if not found["passed"]:
                return changed
            return f"{changed}, but {frames.PASSED[found['passed']]} {found['limit']}"
        if "condition" in found:
            return f"{own} if {found['condition']}{frames.OTHERWISE}{found['value']}"
        return f"{found['value']}{frames.OTHERWISE}{own}" if found["stays"] else found["value"]

    def read_limits(self, text: str) -> tuple[str, str, Limits]:
        """Return a tool, a field and the values beyond which it refuses; raises as above."""
        found = frames.BEYOND.match(text)
        if found is None or found["label"] not in self.names:
            raise NotReadError(text)
        item = self.model.fields[self.names[found["label"]]]
        is_number = isinstance(item.type, NumberType)
        below, above = frames.BEYOND_NUMBERS if is_number else frames.BEYOND_DAYS
        limits: dict[str, Expression] = {}
        for part in found["limits"].split(" or "):
            word = next((known for known in (below, above) if part.startswith(f"{known} ")), "")
            if not word or word in limits:
                raise NotReadError(text)
            limits[word] = self.language.interpret_value(part.removeprefix(f"{word} "), item)
        return found["tool"], item.name, (limits.get(below), limits.get(above))
