"""The forms of an SOP: a short instruction, the full manual, or a policy with annexes.

Two published procedures of one domain differ as much (SOP-Bench, second paper, table 1): a short
one that names who is responsible for each step, and a long one in modules. The rules are the same
in each form, word for word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sopforge.artifacts.rendering.sop.draft import Section
from sopforge.artifacts.rendering.sop.references import ANNEX, DEFINITIONS, INPUTS
from sopforge.artifacts.rendering.sop.sections.dictionary import DICTIONARY
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.artifacts.rendering.sop.sections.values import VALUES
from sopforge.language.domain.documents.schema import SopForm


@dataclass(frozen=True, slots=True)
class Form:
    """The sections that an SOP of a form leaves out, and those that it has as annexes.

    ``explains_constants``: each step says what its constants mean; ``lists_records``: the SOP says
    what is kept of a case; ``explains_all_values``: the data dictionary has each value, not only
    those whose "yes" and "no" stand for clauses of the rules.
    """

    left_out: tuple[str, ...] = ()
    annexes: tuple[str, ...] = ()
    explains_constants: bool = True
    explains_all_values: bool = True
    lists_records: bool = True

    @property
    def has_definitions(self) -> bool:
        """Whether the SOP says what its terms mean, apart from where it uses them."""
        return DEFINITIONS.lower() not in self.left_out

    def arrange(self, sections: Sequence[Section]) -> list[Section]:
        """Return the sections of the form in their order, annexes last."""
        kept = [
            part for part in sections if part.statements and part.title.lower() not in self.left_out
        ]
        body = [part for part in kept if part.title not in self.annexes]
        annexes = [part for title in self.annexes for part in kept if part.title == title]
        return [*body, *(Section(f"{ANNEX}{part.title}", part.statements) for part in annexes)]


FORMS: dict[SopForm, Form] = {
    "instruction": Form(
        left_out=("scope", DEFINITIONS.lower()),
        explains_constants=False,
        explains_all_values=False,
        lists_records=False,
    ),
    "manual": Form(annexes=(DICTIONARY, VALUES)),
    "policy": Form(annexes=(INPUTS, DICTIONARY, VALUES, TERMS)),
}
