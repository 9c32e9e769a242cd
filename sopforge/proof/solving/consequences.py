"""All that follows for a case: its answers, what tables hold at the end, what becomes of actions.

Each is an expression over what rows hold, so that the consequences of two models can be compared
over all rows at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.model import DomainModel, ToolKind
from sopforge.language.logic.variants.substitution import Replacement
from sopforge.proof.solving.unfolding import (
    FALSE,
    TRUE,
    Unfolded,
    Unfolder,
    build_disjunction,
    derive_answers,
    unfold,
)

Fate = tuple[str, str]
"""What becomes of an action: the tool that an agent calls, and the code of its refusal.

Where it is carried out the code is empty.
"""


@dataclass(frozen=True, slots=True)
class Consequences:
    """The answers by name, the columns that actions change at the end, and when each fate occurs.

    Where a domain has no tables, there are answers alone.
    """

    answers: Mapping[str, Replacement]
    on_file: Mapping[str, Replacement] = field(default_factory=dict)
    fates: Mapping[Fate, Expression] = field(default_factory=dict)

    def iterate_expressions(self) -> Iterator[Expression]:
        """Yield all that the consequences are worked out from."""
        for known in (*self.answers.values(), *self.on_file.values()):
            yield known.value
            yield known.present or TRUE
        yield from self.fates.values()


def derive_consequences(model: DomainModel, columns: Iterable[str] = ()) -> Consequences:
    """Return what follows for a case; ``columns`` are followed beside those that actions change.

    Raises:
        TooManyStepsError: the procedure unfolds into too many steps.
    """
    places = unfold(model)
    answers = derive_answers(model, places)
    if model.operations is None:
        return Consequences(answers)
    by = Unfolder(model)
    names = [n for n in (*model.list_changing_columns(), *columns) if n in model.fields]
    on_file = {name: by.merge_records_at_ends(places, name) for name in dict.fromkeys(names)}
    return Consequences(answers, on_file, _derive_fates(model, places))


def _derive_fates(model: DomainModel, places: Iterable[Unfolded]) -> dict[Fate, Expression]:
    found: dict[Fate, Expression] = {}
    for place in places:
        tool = model.tools.get(place.step.call or "")
        if tool is None or tool.kind is not ToolKind.ACTION:
            continue
        conditions = [("", place.passed), *((item.code, item.condition) for item in place.checks)]
        for code, condition in conditions:
            fate = (tool.offered_name, code)
            found[fate] = build_disjunction(found.get(fate, FALSE), condition)
    return found


def list_actions(model: DomainModel) -> tuple[str, ...]:
    """Return the actions that steps call, as agents call them; none where there are no tables."""
    if model.operations is None:
        return ()
    called = (model.tools[name] for name in model.called)
    return tuple(
        dict.fromkeys(tool.offered_name for tool in called if tool.kind is ToolKind.ACTION)
    )
