"""The forms of an SOP: a short instruction, the full manual, or a policy with annexes.

Two published procedures of one domain differ as much (SOP-Bench, second paper, table 1): a short
one that names who is responsible for each step, and a long one in modules. The rules are the same
in each form, word for word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sopforge.domain.documents.schema import SopForm
from sopforge.domain.model import DomainModel
from sopforge.logic.english import English
from sopforge.rendering.sop.document import Line, Style, format_table_row
from sopforge.rendering.sop.draft import Section
from sopforge.rendering.sop.references import ANNEX, INPUTS
from sopforge.rendering.sop.sections.dictionary import DICTIONARY
from sopforge.rendering.sop.sections.opening import DEFINITIONS
from sopforge.rendering.sop.sections.procedure import TERMS
from sopforge.rendering.sop.sections.values import VALUES

LIMITS = "Limits and amounts"


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
        kept = [part for part in sections if part.lines and part.title.lower() not in self.left_out]
        body = [part for part in kept if part.title not in self.annexes]
        annexes = [part for title in self.annexes for part in kept if part.title == title]
        return [*body, *(Section(f"{ANNEX}{part.title}", part.lines) for part in annexes)]


FORMS: dict[SopForm, Form] = {
    "instruction": Form(
        left_out=("scope", DEFINITIONS.lower(), LIMITS.lower()),
        explains_constants=False,
        explains_all_values=False,
        lists_records=False,
    ),
    "manual": Form(left_out=(LIMITS.lower(),)),
    "policy": Form(annexes=(INPUTS, DICTIONARY, VALUES, TERMS, LIMITS)),
}


def render_limits(model: DomainModel) -> Iterator[Line]:
    """Return the constants of a model as a table, each with what it means; nothing without any."""
    if not model.policy:
        return
    text = (
        "The limits and amounts of this procedure are collected here. Each is also given where it"
        " applies."
    )
    yield Line(Style.PARAGRAPH, text)
    yield Line(Style.ROW, format_table_row(["limit or amount", "value"]))
    for name, item in model.policy.items():
        value = English(model.fields).visit_constant(item.constant).replace("|", "/")
        meaning = " ".join(item.meaning.replace("|", "/").split())
        yield Line(Style.ROW, format_table_row([meaning, value]), (f"policy {name}",))
