"""Tool code as a language model writes it: from the procedure and the API, never from answers."""

from __future__ import annotations

import json

from sopforge.artifacts.rendering.api.openapi import render_openapi
from sopforge.artifacts.rendering.sop.document import SopDocument, Style
from sopforge.artifacts.rendering.sop.references import ANNEX
from sopforge.artifacts.rendering.sop.sections.dictionary import DICTIONARY
from sopforge.artifacts.rendering.sop.sections.exceptions import EXCEPTIONS
from sopforge.artifacts.rendering.sop.sections.terms import TERMS
from sopforge.artifacts.rendering.sop.sections.values import VALUES
from sopforge.artifacts.rendering.sop.sop import render_sop
from sopforge.artifacts.rendering.tools.module import name_manager, render_given_part
from sopforge.authors.writers.language import load_tool_rules
from sopforge.authors.writers.patching import Changing, strip_fence
from sopforge.authors.writers.repair import Ask, Repair, Review, as_records
from sopforge.language.domain.model import DomainModel
from sopforge.proof.dataset.records import write_records
from sopforge.proof.dataset.sampling.sampling import sample_rows

TOOLS_FILE = "tools.py"
_REFUSAL = "class ToolRefusal"
# Rows that are drawn to show how records are written; no task has them but by chance.
_SEED, _SHOWN = 0, 4


def write_tools(
    ask: Ask, changing: Changing, model: DomainModel, review: Review, repair: Repair
) -> str:
    """Return ``tools.py``: a first writing of its class, or a change of the whole."""
    given = render_given_part(model)
    material = {
        "procedure": _render_procedure(model),
        "api": render_openapi(model, {}),
        "records": _sample_record_files(model),
    }
    if repair.round:
        records = json.dumps(material["records"], ensure_ascii=False, indent=1)
        rules = "\n\n".join(
            [load_tool_rules(), str(material["api"]), str(material["procedure"]), records]
        )
        asked = repair.build_values("tools module", TOOLS_FILE, rules, review.feedback)
        return changing.repair_document(asked, repair.files[TOOLS_FILE], TOOLS_FILE)
    if TOOLS_FILE in review.files:
        parts = as_records([str(material["api"]), str(material["procedure"])])
        values = review.build_values("tools module", TOOLS_FILE, load_tool_rules(), parts)
        return changing.edit_document(values, review.files[TOOLS_FILE], TOOLS_FILE)
    asked_first = {
        **material,
        "given": given,
        "rules": load_tool_rules(),
        "manager": name_manager(model),
        "feedback": as_records(review.feedback),
    }
    written = strip_fence(str(ask("tool_code", asked_first)["module"]))
    # Some write out what they are given.
    return written if _REFUSAL in written else f"{given}{written}"


def _render_procedure(model: DomainModel) -> str:
    """Return what the SOP says of tools: values worked out, words of rules, exceptions, calls."""
    wanted = (DICTIONARY, VALUES, TERMS, EXCEPTIONS)
    lines, is_wanted = [], False
    for line in render_sop(model, "").lines:
        if line.style is Style.SECTION:
            # Sections are known by their titles, for their numbers depend on which there are.
            is_wanted = line.text.partition(". ")[2].removeprefix(ANNEX) in wanted
        if is_wanted or any(item.startswith(("tool ", "effect ")) for item in line.states):
            lines.append(line)
    return SopDocument(tuple(lines)).as_text()


def _sample_record_files(model: DomainModel) -> list[dict[str, object]]:
    """Return the files of records, each with its first lines as some rows would have them."""
    files = write_records(model, sample_rows(model, _SEED, range(_SHOWN)))
    return [
        {
            "file": name,
            "key": entity.key,
            "first_lines": files[name].splitlines()[: _SHOWN + 1],
        }
        for entity in model.entities.values()
        for name in [model.name_records_file(entity)]
    ]
