"""Whatever is put into a text by whatever operators, it says what the plain text says.

``make agree`` runs it on thousands of variants; ``SOPFORGE_AGREE_LEVELS`` says on how many.
"""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sopforge.artifacts.complexity.levels import OPERATORS
from sopforge.artifacts.rendering.sop.forms import FORMS
from sopforge.checks.levels import variant_passages
from sopforge.checks.sop.differences import Derived, derive_sop
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.faults.level_faults import iterate_level_faults
from tests.generators.briefs import made_briefs
from tests.judges.level_agreement import Plain, find_faults, find_noticed, make_plain, with_variant
from tests.worlds.known_briefs import ROOT, SHIPPED, SMALL, in_form, load_known

FULL = 100
EXAMPLES = int(os.environ.get("SOPFORGE_AGREE_LEVELS", "20"))
KNOWN = [SMALL, SHIPPED] if EXAMPLES >= FULL else [[*SMALL, ROOT / "briefs/referral_abuse.yaml"]]
"""Those of the shipped ones that take long are drawn in full runs."""
NAMES = sorted(item.name for item in OPERATORS)
DRAWN = settings(
    max_examples=EXAMPLES,
    # The quick run is the same each time; a full one draws others.
    derandomize=EXAMPLES < FULL,
    database=None,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@st.composite
def plains(draw: st.DrawFn) -> Plain:
    """Return plain files in each form: of known domains, and of briefs that are made."""
    made = made_briefs().map(lambda text: read_brief(text, "made.yaml"))
    known = (st.sampled_from(paths).map(load_known) for paths in KNOWN)
    brief = draw(st.one_of(*known, made, made))
    return make_plain(in_form(brief, draw(st.sampled_from(sorted(FORMS)))))


def doses() -> st.SearchStrategy[dict[str, int]]:
    """Return doses of some of the operators."""
    return st.dictionaries(st.sampled_from(NAMES), st.integers(0, 12), min_size=1)


@DRAWN
@given(plains(), doses(), st.integers(0, 1 << 30))
def test_each_variant_says_what_the_plain_text_says(
    plain: Plain, doses: dict[str, int], seed: int
) -> None:
    variant = plain.apply(doses, seed)

    assert list(find_faults(plain, variant, doses)) == []


@pytest.mark.parametrize("name", ["fees", pytest.param("tool_hire", marks=pytest.mark.exhaustive)])
def test_each_fault_planted_into_the_text_of_a_level_is_noticed(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = make_plain(load_known(ROOT / f"tests/briefs/{name}.yaml"))
    variant = plain.apply({"cross_references": 5, "indirect_thresholds": 5, **BESIDE}, 7)
    # The text that is derived is the same for all faults.
    monkeypatch.setattr(variant_passages, "derive_sop", cache_derived())
    faults = dict(iterate_level_faults(variant.sop.statements))

    assert not list(find_noticed(with_variant(plain.workspace, variant)))
    assert len(faults) > 100
    unnoticed = [
        what
        for what, statements in faults.items()
        if not list(
            find_noticed(with_variant(plain.workspace, variant.with_statements(statements)))
        )
    ]
    assert unnoticed == []


BESIDE = {"redundant_detail": 2, "redundant_rules": 4, "superseded": 2, "tangents": 2}


def cache_derived() -> Callable[[Workspace], Derived]:
    """Return what derives the SOP of a model once."""
    found: dict[str, Derived] = {}

    def derive(workspace: Workspace) -> Derived:
        text = workspace.files[DOMAIN]
        if text not in found:
            found[text] = derive_sop(workspace)
        return found[text]

    return derive
