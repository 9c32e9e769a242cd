"""The setting of a procedure: who works where and with what, as its brief declares it.

What is not declared follows from the model; where that says nothing, words stand that fit any case.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from sopforge.artifacts.complexity.material import NAMES, Material
from sopforge.artifacts.rendering.sop.sections.control import UNCONTROLLED
from sopforge.artifacts.rendering.sop.sections.opening import ANYBODY
from sopforge.language.domain.documents.schema import UNDECLARED, ControlDocument, SettingDocument
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.values.types import DateType, MomentType, TextType
from sopforge.language.english.nouns import pluralize

_MOST_WORDS = 4
_BARE = frozenset({"id", "no"})


@dataclass(frozen=True, slots=True)
class Setting:
    """Who works by a procedure, on what, and with what; each list may be empty.

    ``entries`` are what cases state, and ``results`` what is looked up.
    ``first_day`` is the first day on which a case can arise, 0 where cases have no day.
    """

    domain: str
    case: str
    worker: str
    roles: tuple[str, ...]
    owner: str
    systems: tuple[str, ...]
    papers: tuple[str, ...]
    entries: tuple[str, ...]
    results: tuple[str, ...]
    first_day: int

    @property
    def cases(self) -> str:
        """What several cases are called."""
        return pluralize(self.case)


def build_setting(
    model: DomainModel,
    declared: SettingDocument = UNDECLARED,
    control: ControlDocument = UNCONTROLLED,
) -> Setting:
    """Return the setting of a model's procedure."""
    case = model.case.name.replace("_", " ")
    named = (step.by for step in model.steps.values() if step.by)
    worker = declared.worker or next(named, ANYBODY)
    owner = control.owner or ""
    others = dict.fromkeys([*declared.offices, *declared.roles, *model.hand_overs, owner])
    papers = declared.papers or (f"{case} file",)
    kinds = {paper.rsplit(" ", 1)[-1] for paper in papers}
    written = (item.label for item in _list_written_inputs(model))
    return Setting(
        model.name,
        case,
        worker,
        tuple(role for role in others if role and role not in {worker, ANYBODY}),
        owner,
        tuple(declared.systems) or (f"{case} register",),
        tuple(papers),
        # An entry that is a paper itself, such as a card, stands on none.
        _select_names(label for label in written if label.rsplit(" ", 1)[-1] not in kinds),
        _select_names(item.label for item in model.with_role(Role.OBSERVED)),
        _find_first_day(model, control.effective_on or ""),
    )


def choose_setting(declared: SettingDocument, material: Material) -> SettingDocument:
    """Return what a brief declares; of what it does not, what was written for the domain."""
    written = {part: getattr(material, part) for part in NAMES if not getattr(declared, part)}
    return declared.model_copy(update=written)


def _list_written_inputs(model: DomainModel) -> list[Field]:
    """Return the inputs that people write themselves, such as names; all where these are few."""
    written = [item for item in model.inputs if isinstance(item.type, TextType | DateType)]
    return written if len(written) > 1 else list(model.inputs)


def _select_names(labels: Iterable[str]) -> tuple[str, ...]:
    """Return the labels that stand after "the" as they are."""
    short = (label for label in labels if len(label.split()) <= _MOST_WORDS)
    return tuple(dict.fromkeys(filter(_is_name, short)))


def _is_name(label: str) -> bool:
    words = label.replace("-", " ").split()
    return _BARE.isdisjoint(words) and all(word.isalpha() and word.islower() for word in words)


def _find_first_day(model: DomainModel, in_force: str) -> int:
    """Return the first day of a case: where its inputs have several days, the one that is last.

    An edition that is in force from an earlier day on has replaced all others by then.
    """
    kinds = [item.type for item in model.inputs]
    days = [kind.get_day(kind.minimum) for kind in kinds if isinstance(kind, MomentType)]
    first = max(days, default=0)
    begun = date.fromisoformat(in_force).toordinal() if in_force else 0
    return min(filter(None, (first, begun)), default=0)
