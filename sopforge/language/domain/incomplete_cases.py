"""Cases that come in incomplete: what the brief says of them, written as fields and steps.

An entry that may be lacking has a word for that, and a part of the procedure looks for it before
anything else. What must agree with a record is compared as soon as a tool has returned it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from sopforge.language.domain.building.gathering import Gathering
from sopforge.language.domain.documents.field_schema import (
    FieldDocument,
    NearDocument,
    OrderedItem,
    SameAsDocument,
    StringField,
)
from sopforge.language.domain.documents.model_schema import (
    ContradictingDocument,
    EdgeDocument,
    EntityDocument,
    IncompleteDocument,
    ModelDocument,
    PartDocument,
    ProcedureDocument,
    StepDocument,
)
from sopforge.language.domain.documents.yaml_documents import Path

NOT_STATED = "not stated"
"""The word that stands in a task for an entry that is lacking."""
PLACE: Path = ("incomplete",)
PART, START, LOOK, WHOLE, LACKS = (
    "completeness",
    "check_entries",
    "look_at_entries",
    "entries_complete",
    "entry_lacking",
)
DIFFERS = "entry_contradicts"
_LACKING = {
    "ask": "Ask for the missing entry",
    "return": "Return the incomplete case",
    "escalate": "Hand over the incomplete case",
}
_CONTRADICTING = {
    "ask": "Ask which of the two entries is right",
    "return": "Return the case: an entry does not match the file",
    "escalate": "Hand over the case: an entry does not match the file",
}
"""The titles of the steps at which incomplete cases end, by what the brief answers."""
_NOT_FILLED = "Do not fill in the entry yourself, and change nothing on file."
_NOT_DECIDED = "Do not decide which of the two is right, and change nothing on file."
Steps = dict[str, StepDocument]


def write_incomplete_cases(gathering: Gathering, parts: ModelDocument) -> ModelDocument:
    """Return a model's parts with the fields and steps that its incomplete cases need."""
    said = parts.incomplete
    if said is None:
        return parts
    found = len(gathering.faults)
    check_said(gathering, parts, said)
    check_names(gathering, parts, said)
    for name in said.lacking:
        check_lacking(gathering, parts, name)
    for name, item in said.contradicting.items():
        check_contradicting(gathering, parts, name, item)
    if len(gathering.faults) > found:
        return parts
    entities = write_fields(parts, said)
    procedure = write_procedure(parts, said)
    return parts.model_copy(update={"entities": entities, "procedure": procedure})


def check_said(gathering: Gathering, parts: ModelDocument, said: IncompleteDocument) -> None:
    """Add a fault for a block that names no cases, or an answer without what it needs."""
    if not said.lacking and not said.contradicting:
        message = "the block lists no entry under 'lacking' or 'contradicting'"
        gathering.add_fault(PLACE, "missing-field", message, "list one, or remove the block")
    if (said.answer == "escalate") != (said.hand_to is not None):
        message = (
            f"the answer is {said.answer}; only 'escalate' can and must have 'hand_to', the office"
            " that takes the case over"
        )
        hint = "add 'hand_to' if the answer is escalate; otherwise, remove it"
        gathering.add_fault((*PLACE, "hand_to"), "missing-field", message, hint)
    outcomes = [name for name, item in list_inputs(parts).items() if item.role == "outcome"]
    for name in said.sets:
        gathering.is_listed_name((*PLACE, "sets", name), name, outcomes, "outcome")


def check_names(gathering: Gathering, parts: ModelDocument, said: IncompleteDocument) -> None:
    """Add a fault for a step or a part that is called as one of those that are put in."""
    own = {START, LOOK, WHOLE, LACKS} if said.lacking else set()
    taken = {name for steps in list_sections(parts.procedure).values() for name in steps}
    differing = {name for name in taken if said.contradicting and name.startswith(DIFFERS)}
    named = {PART} & set(parts.procedure.parts) if said.lacking else set()
    for name in sorted(own & taken | differing | named):
        message = f"SOPForge adds a step or part '{name}' for incomplete cases"
        place: Path = ("procedure", "steps", name)
        gathering.add_fault(place, "duplicate-name", message, "rename your step or part")


def list_inputs(parts: ModelDocument) -> Mapping[str, FieldDocument]:
    """Return the fields of the case."""
    return next(iter(parts.entities.values())).fields


def check_lacking(gathering: Gathering, parts: ModelDocument, name: str) -> None:
    """Add a fault for what is no input that a task can leave out."""
    place = (*PLACE, "lacking", name)
    case = next(iter(parts.entities.values()))
    stated = [key for key, item in case.fields.items() if item.role == "input" and key != case.key]
    if not gathering.is_listed_name(place, name, stated, "field"):
        return
    item = case.fields[name]
    if item.missing or getattr(item, "malformed", None):
        message = f"'{name}' already has a 'missing' word, or may be malformed"
        gathering.add_fault(
            place,
            "entry-cannot-lack",
            message,
            "remove that from the field, or do not list the field here",
        )


def check_contradicting(
    gathering: Gathering,
    parts: ModelDocument,
    name: str,
    said: ContradictingDocument,
) -> None:
    """Add a fault for an input that cannot be compared with what is on file."""
    place = (*PLACE, "contradicting", name)
    stated = [key for key, item in list_inputs(parts).items() if item.role == "input"]
    if not gathering.is_listed_name(place, name, stated, "field"):
        return
    item = list_inputs(parts)[name]
    is_drawn_alike = isinstance(item, _DRAWN_ALIKE) and not (
        item.near if isinstance(item, _ORDERED) else getattr(item, "same_as", None)
    )
    if not is_drawn_alike:
        message = f"'{name}' is not a text, number or date that SOPForge can draw independently"
        hint = "list a text, a number or a date whose values depend on no other field"
        gathering.add_fault(place, "entry-cannot-differ", message, hint)
    if not any(iterate_revealing_steps(parts, said.on_file)):
        message = f"no step that gets '{said.on_file}' from a tool has edges"
        hint = "name a field that a tool returns, as rules do, for example payer.birth_date"
        gathering.add_fault((*place, "on_file"), "entry-cannot-differ", message, hint)
    elif is_drawn_alike:
        check_drawn_after(gathering, (*place, "on_file"), list_inputs(parts), name, said.on_file)


def check_drawn_after(
    gathering: Gathering,
    place: Path,
    fields: Mapping[str, FieldDocument],
    name: str,
    on_file: str,
) -> None:
    """Add a fault for an input that cannot be drawn as a value of the case that is on file."""
    if on_file not in fields:
        return  # a value of another record
    order = list(fields)
    if order.index(on_file) > order.index(name):
        message = f"'{name}' is drawn as '{on_file}' is, but stands above it"
        hint = f"move '{on_file}' above '{name}' under 'fields'"
        gathering.add_fault(place, "entry-cannot-differ", message, hint)
    elif isinstance(fields[name], StringField) and any(
        getattr(fields[on_file], key, None) != getattr(fields[name], key)
        for key in ("pattern", "pool", "like")
    ):
        message = f"'{name}' and '{on_file}' are drawn from different texts, so they never agree"
        hint = "give both the same pattern, pool or likeness"
        gathering.add_fault(place, "entry-cannot-differ", message, hint)


_ORDERED = OrderedItem
_DRAWN_ALIKE = (_ORDERED, StringField)


def write_fields(parts: ModelDocument, said: IncompleteDocument) -> dict[str, EntityDocument]:
    """Return the entities, with inputs that may be lacking or drawn as what is on file."""
    name, case = next(iter(parts.entities.items()))
    fields = dict(case.fields)
    for key, share in said.lacking.items():
        word = {"missing": NOT_STATED, "missing_share": share}
        fields[key] = fields[key].model_copy(update=word)
    for key, item in said.contradicting.items():
        alike = 100 - item.share
        if isinstance(fields[key], _ORDERED):
            near = NearDocument.model_validate(
                {"of": item.on_file, "from": 0, "to": 0, "share": alike}
            )
            fields[key] = fields[key].model_copy(update={"near": near})
        else:
            same = SameAsDocument(of=item.on_file, share=alike)
            fields[key] = fields[key].model_copy(update={"same_as": same})
    return {**parts.entities, name: case.model_copy(update={"fields": fields})}


def list_sections(procedure: ProcedureDocument) -> dict[str, Steps]:
    """Return the steps of the main procedure, under the empty name, and of each part."""
    return {"": procedure.steps, **{name: part.steps for name, part in procedure.parts.items()}}


def iterate_revealing_steps(parts: ModelDocument, on_file: str) -> Iterator[tuple[str, str]]:
    """Yield the part and the name of each step that learns a value, and then has edges."""
    for section, steps in list_sections(parts.procedure).items():
        for name, step in steps.items():
            tool = parts.tools.get(step.call or "")
            if tool is not None and step.edges and on_file in list_revealed(step, tool.returns):
                yield section, name


def list_revealed(step: StepDocument, returns: Iterable[str]) -> list[str]:
    """Return what a call makes known, as rules name it."""
    found = []
    for path in returns:
        first, dot, rest = path.partition(".")
        found.append(f"{step.with_.get(first, first)}{dot}{rest}")
    return found


def write_procedure(parts: ModelDocument, said: IncompleteDocument) -> ProcedureDocument:
    """Return the procedure with steps for the cases that are incomplete."""
    sections = {name: dict(steps) for name, steps in list_sections(parts.procedure).items()}
    for key, item in said.contradicting.items():
        for section, name in list(iterate_revealing_steps(parts, item.on_file)):
            end = f"{DIFFERS}_{section}" if section else DIFFERS
            step = sections[section][name]
            edge = EdgeDocument(to=end, when=f"{key} != {item.on_file}")
            sections[section][name] = step.model_copy(update={"edges": (edge, *step.edges)})
            sections[section][end] = write_end(said, _CONTRADICTING, _NOT_DECIDED)
    procedure = parts.procedure
    kept = {
        name: part.model_copy(update={"steps": sections[name]})
        for name, part in procedure.parts.items()
    }
    changed = procedure.model_copy(update={"steps": sections[""], "parts": kept})
    return write_part(changed, said) if said.lacking else changed


def write_part(procedure: ProcedureDocument, said: IncompleteDocument) -> ProcedureDocument:
    """Return the procedure with a part before it, which looks whether entries are lacking."""
    edges = [EdgeDocument(to=LACKS, when=f"not present({name})") for name in said.lacking]
    # Whoever takes the first step looks for missing entries, too.
    begun = procedure.steps.get(procedure.start)
    by = begun.by if begun is not None else None
    look = StepDocument(
        by=by,
        title="Look for missing entries",
        edges=(*edges, EdgeDocument(to=WHOLE)),
    )
    part = PartDocument(
        title="Check that the entries are complete",
        start=LOOK,
        steps={
            LOOK: look,
            WHOLE: StepDocument.model_validate({"by": by, "title": "Go back", "return": True}),
            LACKS: write_end(said, _LACKING, _NOT_FILLED, by),
        },
    )
    first = StepDocument(
        title="Check the entries", by=by, do=PART, edges=(EdgeDocument(to=procedure.start),)
    )
    return procedure.model_copy(
        update={
            "start": START,
            "steps": {START: first, **procedure.steps},
            "parts": {**procedure.parts, PART: part},
        }
    )


def write_end(
    said: IncompleteDocument,
    titles: Mapping[str, str],
    instruction: str,
    by: str | None = None,
) -> StepDocument:
    """Return the step at which an incomplete case ends."""
    return StepDocument(
        by=by,
        title=titles[said.answer],
        instruction=instruction,
        end=dict(said.sets),
        hand_to=said.hand_to,
    )
