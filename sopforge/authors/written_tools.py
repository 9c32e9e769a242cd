"""Tool code as a language model writes it: from the procedure and the API, never from answers."""

from __future__ import annotations

from collections.abc import Sequence

from sopforge.authors.language import tool_rules
from sopforge.authors.repair import Ask, Repair, as_records
from sopforge.authors.written_domain import unfenced
from sopforge.domain.model import DomainModel
from sopforge.rendering.openapi import render_openapi
from sopforge.rendering.sop import render_sop
from sopforge.rendering.tools_module import manager_name


def tools(ask: Ask, model: DomainModel, feedback: Sequence[str], repair: Repair) -> str:
    """Return ``tools.py``: a first writing, or a repair of one."""
    if repair.round:
        asked = repair.values("tools module", "tools.py", tool_rules())
        return unfenced(str(ask("repair_findings", asked)["document"]))
    records = [
        {
            "file": model.records_file(entity),
            "key": entity.key,
            "columns": [item.name for item in model.stored_fields(entity)],
        }
        for entity in model.entities.values()
    ]
    values = {
        "rules": tool_rules(),
        "manager": manager_name(model),
        "procedure": render_sop(model, "").as_text(),
        "api": render_openapi(model, {}),
        "records": records,
        "feedback": as_records(feedback),
    }
    return unfenced(str(ask("tool_code", values)["module"]))
