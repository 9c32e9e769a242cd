"""The SOP as a handbook: what binds in it decides as the model does, and is proved to.

On a domain with tables and on one without.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sopforge.artifacts.packaging.rating.difficulty import describe_difficulty
from sopforge.errors import MaterialError
from sopforge.harness.environment.session import open_session
from sopforge.harness.layers.desk import open_desk
from sopforge.harness.layers.documents.document import Document
from sopforge.harness.layers.documents.handbook import Handbook
from sopforge.harness.layers.documents.proving import UnsoundHandbookError, prove_handbook
from sopforge.harness.layers.documents.shelf import Shelf
from sopforge.harness.layers.documents.stating import make_reply, read_document, write_document
from sopforge.harness.layers.layered import Cases, LayeredCases
from sopforge.harness.layers.layering import put_layers
from sopforge.harness.layers.measuring import report as report_module
from sopforge.harness.layers.measuring.measuring import compute_case_success, grade_agent
from sopforge.harness.layers.measuring.report import Reporter
from sopforge.harness.layers.plain import PlainCases
from sopforge.harness.layers.text.read_steps import read_steps
from sopforge.harness.layers.working import LayeredAgent
from sopforge.language.domain.model import DomainModel
from sopforge.language.domain.rules import Table
from tests.conftest import Released
from tests.worlds.dialled import read_core
from tests.worlds.releases import publish_counter
from tests.worlds.shared_builds import Shared

DOSE, SEED, FEW = 40, 7, 40
NAMES = ["counter", "patient"]


@pytest.fixture(scope="module")
def cores(released: Released, shared: Shared) -> dict[str, PlainCases]:
    """Return a domain with tables and one without."""
    folders = {
        "counter": publish_counter(shared),
        "patient": Path(released.published.packages["L0"]),
    }
    return {name: read_core(folder) for name, folder in folders.items()}


@pytest.fixture(scope="module")
def books(cores: dict[str, PlainCases]) -> dict[str, LayeredCases]:
    """Return the same with the SOP as a handbook."""
    found = {}
    for name, core in cores.items():
        cases = put_layers(core, {"documents": DOSE}, SEED)
        assert isinstance(cases, LayeredCases)
        found[name] = cases
    return found


def handbook_of(cases: Cases) -> Handbook:
    assert isinstance(cases, LayeredCases)
    assert isinstance(cases.layer, Handbook)
    return cases.layer


def grade(cases: Cases, model: DomainModel) -> Fraction:
    """Return the share of cases that a program has right, of some tasks."""
    tasks = list(cases.shown.tasks)
    few = tasks[:: -(-len(tasks) // FEW)]
    return compute_case_success(grade_agent(cases, LayeredAgent(model), few))


def without_rules(model: DomainModel) -> DomainModel:
    decisions = {
        name: replace(item, rules=item.rules[-1:]) if isinstance(item, Table) else item
        for name, item in model.decisions.items()
    }
    steps = {name: replace(step, edges=step.edges[-1:]) for name, step in model.steps.items()}
    return replace(model, decisions=decisions, steps=steps)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_read_in_the_documents_is_all_that_a_program_has_to_know_of_rules(
    name: str, books: dict[str, LayeredCases], cores: dict[str, PlainCases]
) -> None:
    cases, model = books[name], without_rules(cores[name].model)
    desk = open_desk(open_session(cases.environment, next(iter(cases.shown.tasks))))
    shelf = Shelf(desk.call, handbook_of(cases).page)
    shelf.take_all()
    read = read_steps(model, shelf.join_text(), shelf.find_main_section()).model

    assert grade(cases, model) < 1
    assert grade(cases, read) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_handbook_has_as_many_documents_as_asked_for_and_few_of_them_bind(
    name: str, books: dict[str, LayeredCases]
) -> None:
    book = handbook_of(books[name])

    assert len(book.documents) == DOSE
    assert len(book.binding) <= DOSE // 2


def test_numbers_say_nothing_of_what_binds(books: dict[str, LayeredCases]) -> None:
    book = handbook_of(books["counter"])
    numbers = [item.number for item in book.documents]
    places = [place for place, number in enumerate(numbers) if number in book.binding]

    assert numbers == sorted(numbers)
    assert places != list(range(places[0], places[0] + len(places)))


def test_no_tool_or_title_is_of_what_binds_alone(books: dict[str, LayeredCases]) -> None:
    book = handbook_of(books["counter"])
    titles = [item.title for item in book.documents if not item.title.startswith("Tool ")]
    shared = {title for title in titles if titles.count(title) > 1}
    ours = {item.title for item in book.documents if item.number in book.binding}

    # Of most subjects that are decided by, other desks or other days have documents, too.
    assert shared & ours
    numbers = {item.number for item in book.documents}
    assert all({item.sheet, item.other_sheet} <= numbers for item in book.tools)


def put_document(book: Handbook, number: int, change: Callable[[Document], Document]) -> Handbook:
    """Return a handbook with a document changed."""
    opened = tuple(
        write_document(change(read_document(make_reply(item))), {})
        if item.number == number
        else item
        for item in book.documents
    )
    return replace(book, documents=opened)


def put_other_limit(document: Document) -> Document:
    return replace(document, lines=("Another line.", *document.lines[1:]))


def spoil(book: Handbook) -> dict[str, tuple[str, Handbook]]:
    """Return handbooks that do not say what the SOP says, with what is found."""
    page, first = book.page, book.page.first
    beside = next(item for item in book.documents if item.number not in book.binding)
    found = {item.number: read_document(make_reply(item)) for item in book.documents}
    foreign = next(
        number
        for number, item in found.items()
        if number not in book.binding and item.owner != page.desk and not item.in_force
    )
    follows = found[first].goes_on or found[first].follows
    return {
        "other words": (
            "do not give back the SOP",
            put_document(book, first, put_other_limit),
        ),
        "a part is lacking": (
            "do not give back the SOP",
            replace(
                book, documents=tuple(item for item in book.documents if item.number != follows)
            ),
        ),
        "one more binds": (
            "that is not a part of the procedure binds",
            put_document(
                book,
                beside.number,
                lambda item: replace(
                    found[first],
                    number=item.number,
                    lines=item.lines,
                    goes_on=0,
                    follows=0,
                    references={},
                ),
            ),
        ),
        "a rule is of another desk": (
            "do not give back the SOP",
            put_document(book, follows, lambda item: replace(item, owner=found[foreign].owner)),
        ),
        "a tool is not described": (
            "a tool is not described",
            put_document(book, book.tools[0].sheet, put_other_limit),
        ),
    }


@pytest.mark.parametrize(
    "case",
    [
        "other words",
        "a part is lacking",
        "one more binds",
        "a rule is of another desk",
        "a tool is not described",
    ],
)
def test_a_handbook_that_says_something_else_is_found(
    case: str, books: dict[str, LayeredCases], cores: dict[str, PlainCases]
) -> None:
    core = cores["counter"]
    message, book = spoil(handbook_of(books["counter"]))[case]

    with pytest.raises(UnsoundHandbookError, match=message):
        prove_handbook(book, core.shown.sop, core.model, core.rows)


def test_a_text_that_decides_otherwise_than_the_model_is_found(
    books: dict[str, LayeredCases], cores: dict[str, PlainCases]
) -> None:
    core, book = cores["counter"], handbook_of(books["counter"])
    limit, other = "more than 500 EUR", "more than 900 EUR"
    assert limit in core.shown.sop

    def raise_limit(item: Document) -> Document:
        return replace(item, lines=tuple(line.replace(limit, other) for line in item.lines))

    for number in book.binding:
        book = put_document(book, number, raise_limit)
    sop = core.shown.sop.replace(limit, other)

    with pytest.raises(UnsoundHandbookError, match="differently"):
        prove_handbook(book, sop, core.model, core.rows)


def test_a_domain_whose_calls_decide_nothing_has_no_room(cores: dict[str, PlainCases]) -> None:
    core = cores["counter"]
    shown = replace(
        core.shown, tools=(), sop=core.shown.sop.replace("the tool get", "the thing get")
    )

    with pytest.raises(MaterialError) as found:
        put_layers(replace(core, shown=shown), {"documents": DOSE}, SEED)

    (fault,) = found.value.faults
    assert (fault.code, fault.where) == ("dial-not-possible", "dial documents")
    assert fault.message == (
        "the procedure calls no look-up or calculator whose other results would show"
    )


def test_the_report_says_how_many_documents_a_session_needs(
    books: dict[str, LayeredCases],
    cores: dict[str, PlainCases],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(report_module, "MOST_TASKS", 6)
    monkeypatch.setattr(report_module, "MOST_MISTAKES", 2)
    core, cases = cores["counter"], books["counter"]
    book = handbook_of(cases)

    found = Reporter(core, cases, {"documents": DOSE}, SEED).report()

    documents = found["documents"]
    assert isinstance(documents, dict)
    assert (documents["all"], documents["binding"]) == (DOSE, len(book.binding))
    assert 1 < float(str(documents["mean"])) <= float(str(documents["most"])) < len(book.binding)
    said = describe_difficulty(json.dumps({"difficulty": found}, default=float))
    assert f"a handbook of {DOSE} documents, of which {len(book.binding)} bind" in said
