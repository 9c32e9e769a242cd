"""What oracle, columns and solver make of malformed inputs, and faults of declaring them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.schema.unused_fields import CHECK as UNUSED_FIELDS
from sopforge.errors import MaterialError
from sopforge.language.domain.expressions.expressions import Not, Presence
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.language.logic.stated_inputs import derive_stated_inputs
from sopforge.language.logic.tool_calls import Refused, answer_tool_call
from sopforge.language.logic.walking import collect_outcomes
from sopforge.proof.dataset.coverage.covering import cover_goals
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.records import format_cells
from sopforge.proof.dataset.sampling.bulk import as_columns, label_columns
from sopforge.proof.dataset.sampling.candidates import Candidate
from sopforge.proof.dataset.sampling.rows import read_rows, write_rows
from sopforge.proof.dataset.sampling.sampling import sample_rows
from sopforge.proof.dataset.tasks.task_texts import parse_task_text, render_task_text
from sopforge.proof.solving.examining.missing_values import examine_missing
from sopforge.proof.solving.examining.procedure import examine_procedure
from sopforge.proof.solving.paths import find_paths
from sopforge.proof.solving.questions import NoRow, Row, find_row
from sopforge.proof.solving.search.witnesses import find_witness
from sopforge.proof.solving.unfolding import unfold
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import WARRANTY, changed, day, warranty

MODEL = warranty()
NAMES = ("claim_id", "serial", "dealer_id", "reported_on")
MARKS = tuple(f"{name} malformed" for name in NAMES)
CLAIM = {
    "claim_id": "W-120458",
    "serial": "SN0012B",
    "dealer_id": "D508",
    "reported_on": day("2026-03-01"),
    "serial_on_file": "SN0012B",
    "bought_on": day("2025-03-01"),
    "opened": 0,
    "grade": 0,
    "dealer": 1,
    **dict.fromkeys(MARKS),
}


COURSES = {
    "all well formed": ((), "dealer claim count decide done"),
    "the dealer's number": (("dealer_id",), "dealer ask"),
    "both numbers": (("claim_id", "dealer_id"), "dealer ask"),
    "the key": (("claim_id",), "dealer send_back"),
    "what a guard compares": (("serial",), "dealer claim send_back"),
    "a day": (("reported_on",), "dealer claim count send_back"),
}


@pytest.mark.parametrize(("changes", "steps"), COURSES.values(), ids=COURSES)
def test_malformed_inputs_decide_the_path_of_a_case(changes: tuple[str, ...], steps: str) -> None:
    done = label_row(MODEL, {**CLAIM, **{f"{name} malformed": 1 for name in changes}})

    assert [node for node in done.path if node in MODEL.steps] == steps.split()


def test_an_earlier_refusal_goes_before_a_malformed_input() -> None:
    done = label_row(MODEL, {**CLAIM, "serial malformed": 1, "dealer": None})

    assert done.path == ["dealer", "dealer.unknown_record", "ask"]


def test_stored_rows_come_back_with_their_marks() -> None:
    rows = sample_rows(MODEL, 3, range(60))
    candidates = [
        Candidate(f"task-{n}", "fill", n, row, label_row(MODEL, row)) for n, row in enumerate(rows)
    ]

    assert [item.row for item in read_rows(MODEL, write_rows(MODEL, candidates))] == rows


OTHERS = {
    "channel": "type: enum, values: [Counter, Post], malformed: {share: 30, texts: [desk]}",
    "urgent": 'type: boolean, malformed: {share: 30, texts: ["yes, please"]}',
    "seen_at": (
        "type: datetime, min: 2026-01-01 08:00, max: 2026-06-30 17:00,"
        " malformed: {share: 30, texts: [noon]}"
    ),
}


def with_others() -> DomainModel:
    """Return the model with malformed inputs of further types, which a compute tool takes."""
    fields = [f"{name}: {{role: input, {kind}, description: x}}" for name, kind in OTHERS.items()]
    return warranty(
        ("serial_on_file: {", "\n        ".join([*fields, "serial_on_file: {"])),
        (
            "takes: [bought_on, reported_on]",
            "takes: [bought_on, reported_on, channel, urgent, seen_at]",
        ),
        (
            "opened and grade == 'Seller'",
            "urgent and channel == 'Post' and date_of(seen_at) >= '2026-03-01'",
        ),
    )


READING_LATER = warranty(("opened and grade == 'Seller'", "opened and serial != 'SN0001A'"))


@pytest.mark.parametrize(
    "model", [MODEL, READING_LATER, with_others()], ids=["plain", "read later", "other types"]
)
def test_labels_in_columns_are_those_of_the_walks(model: DomainModel) -> None:
    marks = list(product([None, 1], repeat=4))
    rows = [
        {**row, **dict(zip(MARKS, marks[number % 16], strict=True))}
        for number, row in enumerate(sample_rows(model, 3, range(400)))
    ]

    found = label_columns(model, as_columns(model, rows))["verdict"]

    assert list(found.values) == [
        collect_outcomes(model, label_row(model, row))["verdict"] for row in rows
    ]
    assert found.present.all()
    assert [item for item in examine_missing(model) if item.id == "malformed-read"] == []


ARGUMENTS = {"claim_id": "W-000001", "serial": "SN0012B"}


@pytest.mark.parametrize(
    ("changes", "code", "says"),
    [
        ({"claim_id": "W-1"}, "invalid_parameter", "the claim id 'W-1' is malformed"),
        ({"serial": "sn0012b"}, "invalid_parameter", "the serial number 'sn0012b' is malformed"),
        (
            {"claim_id": "W-1", "serial": "x"},
            "invalid_parameter",
            "the claim id 'W-1' is malformed",
        ),
        ({"claim_id": "W-999999"}, "record_mismatch", "claim_id does not agree with the record"),
    ],
)
def test_a_tool_refuses_a_malformed_text_before_all_else(
    changes: dict[str, str], code: str, says: str
) -> None:
    record = {**CLAIM, **ARGUMENTS}

    assert answer_tool_call(
        MODEL, MODEL.tools["getClaim"], {**ARGUMENTS, **changes}, record
    ) == Refused(code, says)


def test_the_solver_finds_malformed_inputs_and_takes_as_few_as_it_can() -> None:
    found = find_row(MODEL, [Presence("serial malformed"), Not(Presence("dealer"))])

    assert isinstance(found, Row)
    assert found.cells == {"serial": "malformed", "dealer": "no record"}
    assert found.records == {"dealer": None, "serial malformed": 1}


def test_the_solver_takes_inputs_as_well_formed_where_it_may() -> None:
    asked = Presence("claim_id malformed")
    found = find_row(MODEL, [Not(Presence("dealer"))], [asked])

    assert isinstance(found, Row)
    assert found.records["claim_id malformed"] is None
    assert isinstance(find_row(MODEL, [asked], [asked]), NoRow)


@pytest.mark.parametrize("wanted", [None, 1])
def test_a_witness_is_malformed_only_where_it_must_or_was_drawn_so(wanted: int | None) -> None:
    drawn = {**CLAIM, "serial malformed": wanted}
    asked = find_witness(MODEL, Presence("claim_id malformed"), drawn)

    assert asked == {**drawn, "claim_id malformed": 1}


def test_a_rare_malformed_input_is_covered_by_a_witness() -> None:
    texts = [(f"malformed: {{share: {share}", "malformed: {share: 1") for share in (6, 5, 4)]
    rare = warranty(*texts)
    found = cover_goals(rare, 5)

    assert {"dealer.invalid_parameter", "claim.invalid_parameter", "count.invalid_parameter"} <= {
        node for task in found.tasks for node in task.walk.path
    }


def test_two_inputs_of_one_call_that_may_be_malformed_share_the_edge_and_the_path() -> None:
    model = warranty(("          - {when: not well_formed(claim_id), to: send_back}\n", ""))

    found = find_paths(model, unfold(model), [], 100)

    assert sorted(path.nodes[-1:] + path.nodes[-2:-1] for path in found.feasible) == [
        ("ask", "dealer.invalid_parameter"),
        ("ask", "dealer.unknown_record"),
        ("done", "decide.1"),
        ("send_back", "claim.invalid_parameter"),
        ("send_back", "count.invalid_parameter"),
    ]
    assert found.infeasible == []


def test_a_step_that_only_malformed_inputs_lead_to_is_left_out_where_none_is_malformed() -> None:
    retype = "      retype: {title: Have it typed, end: {verdict: ask the dealer}}\n"
    model = warranty(
        ("refused: {invalid_parameter: ask, ", "refused: {invalid_parameter: retype, "),
        ("      ask: {title", f"{retype}      ask: {{title"),
    )
    sound = replace(model.fields["dealer_id"], malformed=None)
    typed_well = replace(model, fields={**model.fields, "dealer_id": sound})

    assert "retype" in {place.step.id for place in unfold(model)}
    assert "retype" not in {place.step.id for place in unfold(typed_well)}


def test_a_step_that_names_no_edge_is_a_finding_with_the_least_case() -> None:
    model = warranty(("        refused: {invalid_parameter: send_back}\n", ""))

    found = {item.message: item.evidence for item in examine_procedure(model)}

    message = "getClaim refuses with invalid_parameter on the procedure's own path"
    assert found == {message: "serial = malformed"}


READS = {
    "before a test": ("claim_id == 'W-000001'", ["claim_id = malformed"]),
    "after a test": ("well_formed(claim_id) and claim_id == 'W-000001'", []),
    "after the call that refuses it": ("dealer_id == 'D001'", []),
    "before the call": ("serial == 'SN0001A'", ["serial = malformed"]),
}


@pytest.mark.parametrize(("test", "cases"), READS.values(), ids=READS)
def test_a_malformed_text_is_read_only_where_it_cannot_be_malformed(
    test: str, cases: list[str]
) -> None:
    model = warranty(("when: not well_formed(claim_id)", f'when: "{test}"'))

    found = [item for item in examine_missing(model) if item.id == "malformed-read"]

    assert [item.evidence for item in found] == cases
    assert {item.where for item in found} <= {"procedure.edges.dealer.1"}


def test_a_malformed_input_that_no_step_notices_is_a_finding() -> None:
    kind = 'role: input, type: string, pattern: "N[0-9]"'
    note = f"note: {{{kind}, malformed: {{share: 2}}, description: x}}"
    first = "reported_on: {label"
    brief = read_brief(changed(WARRANTY, (first, f"{note}\n        {first}")), "warranty.yaml")
    domain = OfflineAuthor().write_domain(brief)

    found = UNUSED_FIELDS.examine(Workspace(brief, {DOMAIN: domain}))

    assert [(item.id, item.where) for item in found] == [("malformed-not-noticed", "fields.note")]


def test_a_stored_model_keeps_what_may_be_malformed() -> None:
    brief = read_brief(WARRANTY, "warranty.yaml")

    stored = read_domain(OfflineAuthor().write_domain(brief), "domain.yaml")

    assert [item.malformed for item in stored.malformable] == [
        item.malformed for item in MODEL.malformable
    ]


def test_inputs_of_other_types_are_stated_labelled_and_read_back_alike() -> None:
    model = with_others()
    rows = sample_rows(model, 3, range(300))
    walks = [label_row(model, row) for row in rows]
    nodes = Counter(node for walk in walks for node in walk.path)

    assert nodes["count.invalid_parameter"] > 50
    for number, row in enumerate(rows):
        task = f"task-{number}"
        stated = format_cells(
            model, [item.name for item in model.inputs], derive_stated_inputs(model, row)
        )
        assert parse_task_text(model, task, render_task_text(model, task, stated)) == stated
        for name, text in (("channel", "desk"), ("urgent", "yes, please"), ("seen_at", "noon")):
            assert (stated[name] == text) == (row[f"{name} malformed"] is not None)


def test_a_rule_on_a_day_stands_after_the_call_that_refuses_it() -> None:
    early = "when: not well_formed(claim_id)"
    model = warranty((early, "when: reported_on > '2026-03-01'"))

    assert [item.evidence for item in examine_missing(model)] == ["reported_on = malformed"]


REFUSED = {
    "a listed text that fits": (
        "texts: [SN on the back,",
        "texts: [SN1234X,",
        "value-not-allowed",
        "'SN1234X' is a valid value of SN[0-9]{4}[A-Z], so it is not malformed",
    ),
    "a listed text that readers change": (
        "texts: [SN on the back,",
        "texts: [MAR1,",
        "value-not-allowed",
        "the malformed text 'MAR1' is read as a date or a time by spreadsheets",
    ),
    "a listed day that is one": (
        "texts: [2026-02-30, last week]",
        "texts: [2026-06-30]",
        "value-not-allowed",
        "'2026-06-30' is a valid value of date, so it is not malformed",
    ),
    "a day without texts": (
        "malformed: {share: 4, texts: [2026-02-30, last week]}",
        "malformed: {share: 4}",
        "value-not-allowed",
        "'malformed' needs 'texts' here, which list what the task states instead",
    ),
    "no pattern": (
        'pattern: "SN[0-9]{4}[A-Z]", malformed',
        "free_text: [x y], malformed",
        "value-not-allowed",
        "a string can be malformed only if it has a pattern",
    ),
    "missing as well": (
        'pattern: "D[0-9]{3}", malformed',
        'pattern: "D[0-9]{3}", missing: none, malformed',
        "value-not-allowed",
        "a field can be either missing or malformed in some tasks, but not both",
    ),
    "no input": (
        "serial_on_file: {role: secret, type: string,",
        "serial_on_file: {role: secret, type: string, malformed: {share: 2},",
        "value-not-allowed",
        "only an input can be malformed, because records are always well formed",
    ),
    "never": (
        "malformed: {share: 6}",
        "malformed: {share: 0}",
        "invalid-value",
        "the value must be greater than or equal to 1, found 0",
    ),
    "asked of what is never malformed": (
        "when: not well_formed(claim_id)",
        "when: not well_formed(bought_on)",
        "type-error",
        "'bought_on' is never malformed here (at column 5 of the expression)",
    ),
    "asked in a rule": (
        "when: opened and grade == 'Seller'",
        "when: well_formed(serial)",
        "type-error",
        "'serial' is never malformed here (at column 1 of the expression)",
    ),
    "asked of no field": (
        "well_formed(claim_id)",
        "well_formed(claimid)",
        "type-error",
        "well_formed(...) takes the name of a field (at column 5 of the expression)",
    ),
}


@pytest.mark.parametrize(("old", "new", "code", "message"), REFUSED.values(), ids=REFUSED)
def test_a_wrong_declaration_is_refused(old: str, new: str, code: str, message: str) -> None:
    with pytest.raises(MaterialError) as caught:
        warranty((old, new))

    assert (code, message) in [(fault.code, fault.message) for fault in caught.value.faults]
