"""The tools module of a model: self-contained Python source that answers every tool call."""

from __future__ import annotations

from collections.abc import Mapping

from sopforge.artifacts.rendering.tools.constants import collect_policy_constants
from sopforge.artifacts.rendering.tools.kinds import collect_kinds_used, name_kind, render_kind
from sopforge.artifacts.rendering.tools.layout import lay_out_source
from sopforge.artifacts.rendering.tools.library import collect_definitions, render_imports
from sopforge.artifacts.rendering.tools.methods import (
    build_method,
    collect_value_tables,
    list_applied_decisions,
    wrap_text,
)
from sopforge.artifacts.rendering.tools.operations import (
    build_operation,
    build_table_files,
    render_session,
)
from sopforge.artifacts.rendering.tools.source import ToolSource
from sopforge.artifacts.rendering.tools.templating import build_environment
from sopforge.language.domain.expressions.expressions import Expression
from sopforge.language.domain.guards import list_guard_checks
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import list_decision_expressions
from sopforge.language.domain.tool_checks import build_writing_checks
from sopforge.language.logic.readings.python_source import collect_helpers


def render_tools(model: DomainModel) -> str:
    """Return the source of ``tools.py``; it uses the standard library only."""
    model = model.offered
    has_tables = any(entity.table for entity in model.references)
    if has_tables:
        return _render("operations.py.j2", {**_collect_facts(model), **_collect_table_facts(model)})
    return _render("tools.py.j2", _collect_facts(model))


def render_given_part(model: DomainModel) -> str:
    """Return the source above the class: refusals with their messages, kinds, limits, tables.

    Whoever writes the class anew refuses in the same words by what stands there.
    """
    return render_tools(model).partition(f"class {name_manager(model)}")[0]


def render_replay(model: DomainModel) -> str:
    """Return the source of ``grader/replay.py``: the tools, and what their tables hold by then."""
    model = model.offered
    return _render("replay.py.j2", {**_collect_facts(model), **_collect_table_facts(model)})


def _render(name: str, facts: Mapping[str, object]) -> str:
    template = build_environment().get_template(name)
    # Rendered twice, for only the body shows which parts of the library it needs.
    body = template.render(facts, imports="", library="")
    library = "\n\n\n".join(part.source for part in collect_definitions(body))
    imports = render_imports(f"{library}\n{body}")
    return lay_out_source(template.render(facts, imports=imports, library=library))


def name_manager(model: DomainModel) -> str:
    """Return the name of the class that answers the calls."""
    return "".join(part.capitalize() for part in model.name.split("_")) + "Manager"


def _collect_facts(model: DomainModel) -> Mapping[str, object]:
    """Return what the template is filled with."""
    source = ToolSource({name: item.constant for name, item in model.policy.items()})
    expressions = _collect_expressions(model)
    read = [entity for tool in model.tools.values() for entity in model.list_entities_read(tool)]
    return {
        "title": " ".join(wrap_text(model.title)),
        "case": model.case,
        "effects": any(tool.effects for tool in model.tools.values()),
        "manager": name_manager(model),
        "constants": collect_policy_constants(model, expressions),
        "tables": collect_value_tables(model, source),
        "kinds": {
            name_kind(name): render_kind(model.fields[name], with_missing=with_missing)
            for name, with_missing in collect_kinds_used(model).items()
        },
        "records": [
            (entity, model.name_records_file(entity), model.list_stored_fields(entity))
            for entity in model.entities.values()
            if entity in read and not entity.table
        ],
        "helpers": collect_helpers(expressions),
        "tools": [build_method(model, tool, source) for tool in model.tools.values()],
    }


def _collect_table_facts(model: DomainModel) -> Mapping[str, object]:
    """Return what the template of operations is filled with besides."""
    source = ToolSource({name: item.constant for name, item in model.policy.items()})
    return {
        "tables_read": build_table_files(model),
        "session": render_session(model),
        "tools": [
            build_method(model, tool, source)
            if model.is_plain(tool)
            else build_operation(model, tool, source)
            for tool in model.tools.values()
        ],
    }


def _collect_expressions(model: DomainModel) -> list[Expression]:
    """Return all that the tools work out or test."""
    expressions: list[Expression] = []
    for tool in model.tools.values():
        expressions += [check.test for check in list_guard_checks(tool.guard)]
        expressions += [check.test for check in build_writing_checks(model, tool)]
        expressions += tool.effects.values()
        for name in list_applied_decisions(model, tool):
            expressions += list_decision_expressions(model.decisions[name])
    return expressions
