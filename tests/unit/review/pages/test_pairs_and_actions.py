"""Pages of a domain with tables: pairs side by side, what is on file, what actions change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace

import pytest

from review.artifact import Artifact
from review.pages.parts.pair_views import NOT_KEPT, PAGE, WHY_ALONE
from review.pages.parts.tool_cards import build_tool_cards
from sopforge.language.domain.tasks import write_tasks, write_trajectories
from sopforge.proof.dataset.pairs.refusal_pairs import Alone
from sopforge.workspace import COVERAGE, ROWS, TASKS, TRAJECTORIES
from tests.judges.markup import Element
from tests.worlds.changed_briefs import domain_of
from tests.worlds.counter_rows import COUNTER, GUARDED, NAMED, counter
from tests.worlds.reviewed import page, page_text, with_files

LARGEST_PAGE = 400_000


@pytest.fixture(scope="module")
def dataset(refunds: Mapping[str, Artifact]) -> Artifact:
    """Return the dataset of the counter, with what it was made from."""
    return replace(refunds["dataset"], workspace=domain_of(COUNTER))


def stage(refunds: Mapping[str, Artifact], name: str) -> Artifact:
    return replace(refunds[name], workspace=domain_of(COUNTER))


def card_of(made: Element, node: str, label: str) -> Element:
    found = [
        part
        for part in made.all("article", kind="pair-view")
        if part.one("h3").text == node
        and any(label in row.text for row in part.all("tr", kind="apart"))
    ]
    return found[0]


def cells(card: Element, head: str) -> list[str]:
    (row,) = [item for item in card.all("tr") if item.all("th") and item.all("th")[0].text == head]
    return [cell.text for cell in row.all("td")]


def test_a_pair_stands_side_by_side_with_the_datum_marked(dataset: Artifact) -> None:
    pairs = json.loads(dataset.workspace.files[COVERAGE])["pairs"]["paired"]
    tasks = {task.id: task for task in dataset.workspace.tasks}
    made = page(dataset, {"part": "pairs"})
    assert len(made.all("article", kind="pair-view")) == len(pairs) > 4
    card = card_of(made, "Rule R4 of the reason", "amount")
    refused, acting = (tasks[name] for name in pairs["reason.R4"])
    if refused.end_state:
        refused, acting = acting, refused
    heads = [head.text for head in card.all("thead")[0].all("th")]
    assert heads == [f"Refused {refused.id}", f"Carried out {acting.id}"]
    assert [mark.text for mark in card.all("mark")] == [
        refused.inputs["amount"],
        acting.inputs["amount"],
    ]
    assert cells(card, "verdict") == ["refused", "carried out"]
    assert "exceeds the balance" in cells(card, "decided by")[0]
    assert "is at most the balance" in cells(card, "decided by")[1]
    nothing, changed = cells(card, "on file")
    assert nothing == "no change"
    for table, records in (acting.end_state or {}).items():
        for key in records:
            assert f"{table} {key}, balance:" in changed


def test_hundreds_of_pairs_come_in_pages(dataset: Artifact) -> None:
    paired = [task for task in dataset.workspace.tasks if task.pair == "reason.R4"]
    rows = {
        json.loads(line)["key"]: json.loads(line)
        for line in dataset.workspace.files[ROWS].split("\n")
        if line
    }
    tasks, lines = [], []
    for number in range(300):
        for task in paired:
            key = f"{task.key} {number}"
            tasks.append(
                replace(task, id=f"{task.id}-{number}", key=key, pair=f"reason.R4 {number:03}")
            )
            lines.append(json.dumps({**rows[task.key], "key": key}) + "\n")
    files = {
        TASKS: write_tasks(tasks),
        TRAJECTORIES: write_trajectories(tasks),
        ROWS: "".join(lines),
    }
    large = with_files(dataset, files)
    seen = [
        [
            head.text
            for head in page(large, {"part": "pairs", "pair_page": str(number)}).all("thead")
        ]
        for number in (1, 2, 25)
    ]
    assert len(page(large, {"part": "pairs"}).all("article", kind="pair-view")) == PAGE
    assert seen[0] != seen[1] != seen[2]
    assert len(page_text(large, {"part": "pairs"})) < LARGEST_PAGE


@pytest.mark.parametrize(
    ("report", "says"),
    [
        ({"why_alone": {"reason.R2, part 1": "proved"}}, WHY_ALONE[Alone.PROVED]),
        ({"why_alone": {"reason.R2, part 1": "undecided"}}, WHY_ALONE[Alone.UNDECIDED]),
        ({}, NOT_KEPT),
    ],
)
def test_a_leaf_without_a_pair_stands_there_with_why(
    dataset: Artifact, report: dict[str, object], says: str
) -> None:
    coverage = json.loads(dataset.workspace.files[COVERAGE])
    coverage["pairs"] = {"paired": {}, "alone": ["reason.R2, part 1"], **report}
    made = page(with_files(dataset, {COVERAGE: json.dumps(coverage)}), {"part": "pairs"})
    (item,) = made.one("h3", id="alone").parent.all("li")[-1:]  # type: ignore[union-attr]  # it has one
    assert item.text == f"rule R2 of the reason reason.R2, part 1: {says}"


def test_a_domain_without_tables_has_no_pairs_to_show(refunds: Mapping[str, Artifact]) -> None:
    made = page(refunds["dataset"])
    assert not made.all("h2", id="pairs")
    assert not made.all("article", kind="pair-view")


def test_a_task_in_full_says_what_is_on_file_before_and_after(dataset: Artifact) -> None:
    acting = next(task for task in dataset.workspace.tasks if task.pair and task.end_state)
    refused = next(task for task in dataset.workspace.tasks if task.pair and not task.end_state)
    rows = page(dataset, {"task": acting.id}).one("table", kind="filed").one("tbody").all("tr")
    shown = {row.all("th")[0].text: [cell.text for cell in row.all("td")] for row in rows}
    assert acting.end_state is not None
    records = acting.end_state["account"]
    assert shown.keys() == {f"account {key}" for key in records}
    before = sum(float(row[1]) for row in shown.values())
    after = sum(float(row[2]) for row in shown.values())
    assert before == pytest.approx(after)
    for key, columns in records.items():
        assert float(shown[f"account {key}"][2]) == columns["balance"]
    other = page(dataset, {"task": refused.id})
    assert "The task changes nothing on file." in other.text
    beside = next(
        t.id for t in dataset.workspace.tasks if t.pair == refused.pair and t.id != refused.id
    )
    assert beside in other.text


def test_a_card_says_what_an_action_changes_and_refuses_in_its_order() -> None:
    cards = {card.name: card for card in build_tool_cards(counter(GUARDED, NAMED))}
    assert set(cards) == {"openSession", "getAccount", "getOwner", "transferMoney"}
    card = cards["transferMoney"]
    assert [refusal.code for refusal in card.refusals] == [
        "invalid_parameter",
        "unknown_record",
        "no_session",
        "too_high",
        "same_record",
        "out_of_range",
    ]
    assert "0.00 to 5000.00 EUR" in card.refusals[-1].when
    assert [(item.label, item.place) for item in card.changes] == [
        ("balance of the source", "account.balance"),
        ("balance of the target", "account.balance"),
    ]
    assert [step for step, _ in cards["getAccount"].called] == ["read_payer", "read_payee"]


def test_a_change_with_conditions_says_each_and_what_stays() -> None:
    kept = (
        "source.balance: source.balance - amount,",
        'source.balance: "source.balance - amount if amount > 100.00 else unchanged",',
    )
    cards = {card.name: card for card in build_tool_cards(counter(kept))}
    assert cards["transferMoney"].changes[0].becomes == (
        (
            "if the amount is more than 100 EUR",
            "becomes the balance of the source minus the amount",
        ),
        ("", "stays as it is"),
    )


def test_specs_stand_beside_the_tools_that_agents_call(refunds: Mapping[str, Artifact]) -> None:
    made = page(stage(refunds, "toolspec"))
    assert "The model has no such tool" not in made.text
    assert "These tools are not described" not in made.text
    assert "getAccount[" not in made.text
    for name in ("tools", "schema"):
        assert "getAccount[" not in page(stage(refunds, name)).text


def test_a_column_stands_once_on_the_page_of_the_schema(refunds: Mapping[str, Artifact]) -> None:
    made = page(stage(refunds, "schema"))
    names = [row.attributes["id"] for row in made.all("tr") if "id" in row.attributes]
    columns = [name for name in names if name.startswith("field-account.")]
    assert sorted(columns) == [
        f"field-account.{n}" for n in ("balance", "blocked", "code", "owner")
    ]
    assert "field-logged_in" in names
    (balance,) = made.all("tr", id="field-account.balance")
    assert balance.all("th")[0].text == "balanceaccount.balance"


def test_why_a_leaf_has_no_pair_is_kept_where_it_is_proved(refunds: Mapping[str, Artifact]) -> None:
    """Who is blocked asks for more than there is: not to be blocked lets no such case act."""
    tied = (
        "[pin == payer.code]",
        "[pin == payer.code, not payer.blocked or amount > payer.balance]",
    )
    workspace = domain_of(COUNTER, tied)
    report = json.loads(workspace.files[COVERAGE])["pairs"]
    assert report["alone"] == list(report["why_alone"])
    assert report["why_alone"]["reason.R2, part 1"] == Alone.PROVED
    assert "reason.R2, part 2" in report["paired"]
    made = page(replace(refunds["dataset"], workspace=workspace), {"part": "pairs"})
    assert WHY_ALONE[Alone.PROVED] in made.text
