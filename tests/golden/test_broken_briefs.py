"""Broken briefs as a stranger meets them: what ``check`` prints, whole, and its exit code."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.checks.registry import examine
from sopforge.cli.app import main
from sopforge.language.domain.reading import read_brief
from sopforge.workspace import DOMAIN, Workspace
from tests.worlds.small_models import changed
from tests.unit.domain.minimal_brief import BRIEF, replaced

REPORTS = Path(__file__).parent / "reports"
BAD_INPUT, FINDINGS = 2, 1

SOUND = (Path(__file__).parents[1] / "briefs" / "refund.yaml").read_text(encoding="utf-8")
RULES = """\
      hit: first
      rules:
        - {id: E1, when: days_since_delivery > refund_days and reason != 'Damaged', then: excluded}
        - {id: E2, otherwise: eligible}
"""
LATE = "{id: E1, when: days_since_delivery > refund_days, then: excluded}"
AMOUNT = "max: 400.00, unit: USD, description: amount"
HUGE = "{role: input, type: integer, min: 0, max: 999999999999999, description: count}"
REQUEST = 'request_id: {role: input, type: string, pattern: "R[0-9]{5}", unique: true,'
NOTE = 'note: {role: input, type: string, pattern: "N[0-9]{3}", '
LEVELS = "abcdefghij"
BOMB = "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip(LEVELS, LEVELS[1:], strict=False)
)
BACK = "{when: present(returned_on), to: decide}"


def with_rules(second: str) -> str:
    """Return the sound brief with a unique table of ``LATE`` and a second rule."""
    table = f"      hit: unique\n      rules:\n        - {LATE}\n        - {second}\n"
    return changed(SOUND, (RULES, table))


BROKEN: dict[str, tuple[str, int]] = {
    "unknown_field_in_a_rule": (replaced(("when: age", "when: agee")), BAD_INPUT),
    "number_compared_with_a_label": (replaced(("price > 1", "price > 'high'")), BAD_INPUT),
    "gap": (
        with_rules("{id: E2, when: days_since_delivery < refund_days, then: eligible}"),
        FINDINGS,
    ),
    "overlap_in_a_unique_table": (
        with_rules("{id: E2, when: days_since_delivery <= 40, then: eligible}"),
        FINDINGS,
    ),
    "cyclic_decisions": (
        replaced(
            ("value: days_between(bought_on, returned_on)", "value: points"),
            ("      table: kind\n      rows: {Book: 1, Toy: 2}", "      value: age"),
            ("min: -89, max: 364", "min: 0, max: 9"),
        ),
        BAD_INPUT,
    ),
    "impossible_constraint": (
        changed(SOUND, ("  decisions:\n", "  constraints: [order_amount > 400]\n  decisions:\n")),
        FINDINGS,
    ),
    "divisor_that_may_be_zero": (
        replaced(("when: age <= return_days", "when: age / points > 2")),
        BAD_INPUT,
    ),
    "number_past_the_limit": (
        replaced(
            ("        is_opened:", f"        stock: {HUGE}\n        is_opened:"),
            ("price > 1", "stock * 100000 > price"),
        ),
        BAD_INPUT,
    ),
    "values_that_readers_change": (
        replaced(("values: [Book, Toy]", "values: ['None', '007']"), ("{Book: 1, Toy: 2}", "{}")),
        BAD_INPUT,
    ),
    "label_inside_another": (replaced(("values: [full, part]", "values: [part, full part]")), 2),
    "duplicate_key": (replaced(("      close:", "      look:")), BAD_INPUT),
    "braces_without_quotes": (replaced(("title: Look\n", "title: {{ 7*7 }}\n")), BAD_INPUT),
    "braces_in_a_label": (
        replaced(("values: [Gift, Card]", "values: [Gift, '{{ 7*7 }}']")),
        BAD_INPUT,
    ),
    "tag_in_a_label": (replaced(("values: [Gift, Card]", "values: [Gift, <b>Card</b>]")), 2),
    "five_megabytes": (BRIEF + "# " + "x" * 5_000_000 + "\n", BAD_INPUT),
    "seven_megabytes": (BRIEF + "# " + "x" * 7_000_000 + "\n", BAD_INPUT),
    "yaml_bomb": (f"a: &a [x, x, x]\n{BOMB}{BRIEF}", BAD_INPUT),
    "date_without_quotes": (replaced(("price > 1", "bought_on > 2026-01-31")), BAD_INPUT),
    "single_equals": (replaced(("when: age <= return_days", "when: kind = 'Toy'")), BAD_INPUT),
    "label_without_quotes": (replaced(("when: age <= return_days", "when: kind == Toy")), 2),
    "condition_cut_at_a_comma": (
        replaced(("when: age <= return_days", "when: max(age, points) > 3")),
        BAD_INPUT,
    ),
    "condition_cut_at_a_bracket": (
        replaced(("when: age <= return_days", "when: kind in ['Toy']")),
        BAD_INPUT,
    ),
    "text_cut_at_a_colon": (replaced(("says: the refund is", "says: the refund: is")), BAD_INPUT),
    "wrong_indentation": (replaced(("        title: Look\n", "         title: Look\n")), 2),
    "tab": (replaced(("      hit: first", "\t  hit: first")), BAD_INPUT),
    "unknown_role": (replaced(("role: observed", "role: returned")), BAD_INPUT),
    "tool_returning_an_outcome": (
        changed(SOUND, ("returns: [payment_reference]", "returns: [refund_status]")),
        FINDINGS,
    ),
    "edge_to_an_unknown_step": (replaced(("{to: close}", "{to: klose}")), BAD_INPUT),
    "back_edge_without_then": (
        replaced((BACK, "{when: not present(returned_on), to: look, at_most: 2}")),
        BAD_INPUT,
    ),
    "missing_value_read_without_a_test": (
        changed(SOUND, (AMOUNT, f"missing: not paid, {AMOUNT}")),
        FINDINGS,
    ),
    "lookup_that_takes_an_answer": (
        changed(
            SOUND,
            ("kind: action", "kind: lookup"),
            ("is: eligibility == 'eligible'", "is: order_amount > 1"),
        ),
        BAD_INPUT,
    ),
    "refused_on_the_path": (
        changed(SOUND, ("{when: eligibility == 'excluded', to", "{when: order_amount > 300, to")),
        FINDINGS,
    ),
    "edge_that_no_case_takes": (
        changed(SOUND, ("{when: order_amount > pay_limit, to", "{when: order_amount > 400, to")),
        FINDINGS,
    ),
    "malformed_input_without_an_edge": (
        changed(SOUND, (REQUEST, f"{REQUEST} malformed: {{share: 4}},")),
        FINDINGS,
    ),
    "malformed_input_that_no_step_notices": (
        changed(
            SOUND, (REQUEST, f"{NOTE}malformed: {{share: 4}}, description: note}}\n        {REQUEST}")
        ),
        FINDINGS,
    ),
    "malformed_text_that_is_none": (
        changed(SOUND, (REQUEST, f"{REQUEST} malformed: {{share: 4, texts: [R00001, R1]}},")),
        BAD_INPUT,
    ),
    "malformed_text_that_readers_change": (
        changed(SOUND, (REQUEST, f"{REQUEST} malformed: {{share: 4, texts: ['0042']}},")),
        BAD_INPUT,
    ),
    "malformed_fact_of_a_record": (
        changed(SOUND, ('"PAY-[0-9]{6}",', '"PAY-[0-9]{6}", malformed: {share: 4},')),
        BAD_INPUT,
    ),
    "endless_loop": (changed(SOUND, ("{to: finish}", "{to: look_up}")), FINDINGS),
    "too_few_tasks_asked_for": (changed(SOUND, ("n_samples: 12", "n_samples: many")), BAD_INPUT),
    "decision_on_an_input": (replaced(("points: {role: derived", "points: {role: input")), 2),
    "too_few_keys": (replaced(('"R[0-9]{4}"', '"R[0-9]"')), BAD_INPUT),
    "unknown_end": (replaced(("end: {status: closed}", "end: {status: done}")), BAD_INPUT),
    "nothing_but_a_title": ("title: Refunds\n", BAD_INPUT),
}


BROKEN_LATER = {
    "fewer_tasks_than_rules": changed(SOUND, ("n_samples: 12", "n_samples: 1")),
    "rows_that_hardly_fit": changed(
        SOUND, ("  decisions:\n", "  constraints: [order_amount == 7 * days_since_delivery + 0.01]\n  decisions:\n")
    ),
}


@pytest.fixture
def report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., tuple[str, object]]:
    """Return what a command prints on a brief, with the exit code in its last line."""

    def run(text: str, command: str, *options: str) -> tuple[str, object]:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr("sys.argv", ["sopforge", command, "refunds.yaml", *options])
        Path("refunds.yaml").write_text(text, encoding="utf-8")
        with pytest.raises(SystemExit) as ended:
            main()
        shown = capsys.readouterr()
        assert "Traceback" not in shown.out + shown.err
        return f"{shown.out}{shown.err}exit code {ended.value.code}\n", ended.value.code

    return run


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_brief_gets_its_report(
    name: str,
    golden: Callable[[Path, str], None],
    report: Callable[..., tuple[str, object]],
) -> None:
    text, code = BROKEN[name]
    shown, found = report(text, "check")
    golden(REPORTS / f"{name}.txt", shown)
    assert found == code


@pytest.mark.parametrize("name", BROKEN_LATER)
def test_a_fault_that_only_the_data_shows_has_its_line_too(
    name: str,
    golden: Callable[[Path, str], None],
    report: Callable[..., tuple[str, object]],
) -> None:
    shown, found = report(BROKEN_LATER[name], "generate", "--approve-clean")
    faults = "".join(line for line in shown.splitlines(keepends=True) if " version " not in line)
    golden(REPORTS / f"{name}.txt", faults)
    assert found == BAD_INPUT


def test_each_stored_report_belongs_to_a_brief() -> None:
    names = sorted([*BROKEN, *BROKEN_LATER])
    assert sorted(path.stem for path in REPORTS.iterdir()) == names


def test_what_is_broken_is_whole_before() -> None:
    read_brief(BRIEF, "refunds.yaml")
    sound = read_brief(SOUND, "refunds.yaml")
    domain = OfflineAuthor().write_domain(sound)
    assert examine("schema", Workspace(sound, {DOMAIN: domain})) == []
