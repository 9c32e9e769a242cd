"""The tools module of a model: self-contained Python source that answers every tool call."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.domain.guards import guard_checks
from sopforge.domain.language.expressions import Expression
from sopforge.domain.model import DomainModel
from sopforge.domain.rules import decision_expressions
from sopforge.logic.readings.python_source import helpers_of
from sopforge.rendering.tools.constants import policy_constants
from sopforge.rendering.tools.kinds import kind_name, kind_source, kinds_used
from sopforge.rendering.tools.layout import laid_out
from sopforge.rendering.tools.library import definitions_for, imports_for
from sopforge.rendering.tools.methods import method, value_tables, worked_out, wrapped
from sopforge.rendering.tools.source import ToolSource
from sopforge.rendering.tools.templating import environment


def render_tools(model: DomainModel) -> str:
    """Return the source of ``tools.py``; it uses the standard library only."""
    template, facts = environment().get_template("tools.py.j2"), _facts(model)
    body = template.render(facts, imports="", library="")
    library = "\n\n\n".join(part.source for part in definitions_for(body))
    imports = imports_for(f"{library}\n{body}")
    return laid_out(template.render(facts, imports=imports, library=library))


def manager_name(model: DomainModel) -> str:
    """Return the name of the class that answers the calls."""
    return "".join(part.capitalize() for part in model.name.split("_")) + "Manager"


def _facts(model: DomainModel) -> Mapping[str, object]:
    """Return what the template is filled with."""
    source = ToolSource({name: item.constant for name, item in model.policy.items()})
    expressions = _expressions(model)
    read = [entity for tool in model.tools.values() for entity in model.entities_read(tool)]
    return {
        "title": " ".join(wrapped(model.title)),
        "case": model.case,
        "effects": any(tool.effects for tool in model.tools.values()),
        "manager": manager_name(model),
        "constants": policy_constants(model, expressions),
        "tables": value_tables(model, source),
        "kinds": {
            kind_name(name): kind_source(model.fields[name], with_missing=with_missing)
            for name, with_missing in kinds_used(model).items()
        },
        "records": [
            (entity, model.records_file(entity), model.stored_fields(entity))
            for entity in model.entities.values()
            if entity in read
        ],
        "helpers": helpers_of(expressions),
        "tools": [method(model, tool, source) for tool in model.tools.values()],
    }


def _expressions(model: DomainModel) -> list[Expression]:
    """Return all that the tools work out or test."""
    expressions: list[Expression] = []
    for tool in model.tools.values():
        expressions += [check.test for check in guard_checks(tool.guard)]
        expressions += tool.effects.values()
        for name in worked_out(model, tool):
            expressions += decision_expressions(model.decisions[name])
    return expressions
