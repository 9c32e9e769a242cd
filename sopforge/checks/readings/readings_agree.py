"""Schema: what a second reading decides otherwise has been asked, and answers are followed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sopforge.checks.readings.question_findings import (
    make_unfollowed_finding,
    show_fault,
    show_question,
)
from sopforge.checks.readings.questions import (
    compare_workspace,
    find_reading_questions,
    select_open,
    select_unfollowed,
)
from sopforge.errors import Fault, MaterialError
from sopforge.findings import Finding, make_warning_finding
from sopforge.language.domain.fields import Role
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.values.types import EnumType
from sopforge.proof.comparing.aligning.alignment import AlignedOutcome, write_alignment
from sopforge.proof.comparing.aligning.matching import match_models
from sopforge.proof.comparing.comparison import NO_CASES, Comparison
from sopforge.workspace import ALIGNMENT, DOMAIN, SECOND, Workspace

_ONE_IN = 10
"""At the most one case in so many may be left out in silence."""


class ReadingsAgree:
    """Two readings of the brief decide all cases alike, except those that a person has settled.

    What was answered, the model decides so.
    """

    name = "readings-agree"
    stage = "schema"
    compares_brief = True
    compares_readings = True

    def examine(self, workspace: Workspace) -> list[Finding]:
        model, answers = workspace.model, workspace.brief.parts.answers
        try:
            compared = compare_workspace(workspace)
        except MaterialError as refused:
            return [_make_unread_finding(fault) for fault in refused.faults]
        asked = find_reading_questions(workspace)
        return [
            *_list_unmatched(compared),
            *_list_unheld(compared, workspace),
            *map(make_unfollowed_finding, select_unfollowed(asked, answers)),
            *(
                make_warning_finding("readers-differ", item.text, **show_question(item, model.name))
                for item in select_open(asked, answers)
            ),
        ]

    def spoil(self, workspace: Workspace) -> Workspace:
        """Let the second reading be the first, with two labels of each outcome exchanged."""
        model, second = workspace.model, workspace.files[DOMAIN]
        known = match_models(model, model)
        mixed = replace(known, outcomes={**known.outcomes, **dict(_iterate_mixed_up(model))})
        text = write_alignment(mixed, model)
        return workspace.with_files({SECOND: second, ALIGNMENT: text})


def _iterate_mixed_up(model: DomainModel) -> Iterator[tuple[str, AlignedOutcome]]:
    for item in model.with_role(Role.OUTCOME):
        if isinstance(item.type, EnumType):
            one, other = item.type.values[:2]
            yield item.name, AlignedOutcome(item.name, {one: other, other: one})


def _list_unmatched(compared: Comparison | None) -> list[Finding]:
    """Return a warning of what one reading has and the other has no word for, if there is any."""
    if compared is None or not (compared.open or compared.only_ours):
        return []
    named = [f"the {item.label} of the second reading" for item in compared.open]
    named += [f"the outcome {name} of the model" for name in compared.only_ours]
    return [
        make_warning_finding(
            "readings-not-aligned",
            f"the two readings share no name for {len(named)} of their facts and results, so"
            " nothing that depends on them is compared",
            where=DOMAIN,
            evidence="\n".join(named),
            hint="map the names in alignment.yaml, or check whether one reading left them out",
        )
    ]


def _list_unheld(compared: Comparison | None, workspace: Workspace) -> list[Finding]:
    """Return a warning of the drawn cases that the second reading cannot hold, if they are many."""
    census = compared.census if compared else NO_CASES
    left = census.drawn - census.held
    if left * _ONE_IN <= census.drawn:
        return []
    labels = read_domain(workspace.files[SECOND], "second.yaml").fields
    counts = sorted(census.unheld.items(), key=lambda item: (-item[1], item[0]))
    named = [
        f"the {labels[name].label if name in labels else name}: {count} cases"
        for name, count in counts
    ]
    return [
        make_warning_finding(
            "readings-hold-other-cases",
            f"{left} of {census.drawn} sampled cases cannot occur in the second reading and"
            f" {'is' if left == 1 else 'are'} not compared",
            where=DOMAIN,
            evidence="\n".join(named),
            hint="map the values of these facts to values of the second reading in alignment.yaml",
        )
    ]


def _make_unread_finding(fault: Fault) -> Finding:
    message = f"the two readings of the brief cannot be compared: {fault.message}"
    shown = show_fault(fault, "reads the brief again")
    return make_warning_finding("second-reading-unread", message, **shown)


CHECK = ReadingsAgree()
