"""The domains and briefs of tests, and the shipped briefs, with an SOP in any form."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import yaml

from sopforge.language.domain.documents.schema import SopForm
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from tests.generators.briefs import as_brief

ROOT = Path(__file__).parents[2]
# In one of the worlds a rule reads what may be missing: its cases have no answers.
SMALL = [
    path
    for folder in ("domains", "worlds", "briefs")
    for path in sorted((ROOT / "tests" / folder).glob("*.yaml"))
    if path.name != "said_of_entries.yaml"
]
SHIPPED = sorted((ROOT / "briefs").glob("**/*.yaml"))


@cache
def load_known(path: Path) -> Brief:
    """Return a brief, or a document of a domain as one."""
    text = path.read_text(encoding="utf-8")
    if "\ntask_context:" in text:
        return load_brief(path)
    return read_brief(as_brief(yaml.safe_load(text)), path.name)


def in_form(brief: Brief, form: SopForm) -> Brief:
    """Return a brief that asks for an SOP in a form."""
    sop = brief.parts.sop.model_copy(update={"form": form})
    return replace(brief, parts=brief.parts.model_copy(update={"sop": sop}))
