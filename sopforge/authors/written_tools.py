"""Tool code as a language model writes it: from the procedure and the API, never from answers."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.authors.language import tool_rules
from sopforge.authors.repair import Ask, Repair
from sopforge.authors.written_domain import unfenced
from sopforge.domain.model import DomainModel
from sopforge.rendering.openapi import render_openapi
from sopforge.rendering.sop import render_sop
from sopforge.rendering.tools_module import manager_name


def tools(ask: Ask, model: DomainModel, feedback: Sequence[str], repair: Repair) -> str:
    """Return ``tools.py``: a first writing, or a repair of one."""
    records = [
        {
            "file": model.records_file(entity),
            "key": entity.key,
            "columns": model.stored_fields(entity),
        }
        for entity in model.entities.values()
    ]
    values = {
        "guide": tool_rules(),
        "manager": manager_name(model),
        "procedure": render_sop(model, "").as_text(),
        "api": render_openapi(model, {}),
        "records": records,
        "feedback": list(feedback),
    }
    if not repair.round:
        return unfenced(str(ask("tool_code", values)["module"]))
    mended = {
        "guide": tool_rules(),
        "document": repair.files["tools.py"],
        "findings": repair.listed(),
    }
    return unfenced(str(ask("repair_document", mended)["document"]))
