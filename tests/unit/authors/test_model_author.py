"""A model writes from prose; what it writes is checked, repaired, and kept only where it is sound.

The model is played by functions that answer each template from its values.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from sopforge.artifacts.rendering.sop.document import SopDocument, Style
from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.authors.prompts.templates import load_template
from sopforge.authors.providers.completion import Request
from sopforge.authors.writers.model_author import ModelAuthor
from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.authors.writers.patching import strip_fence
from sopforge.authors.writers.repair import Repair
from sopforge.authors.writers.writing import sop
from sopforge.authors.writers.writing.domain import add_head
from sopforge.authors.writers.writing.sop import MOST_AT_ONCE
from sopforge.errors import MaterialError
from sopforge.findings import Severity, make_error_finding, make_note_finding, make_warning_finding
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.language.domain.reading import Brief, read_brief, read_domain
from sopforge.pipeline.gates.gate import edit
from sopforge.pipeline.stages.pipeline import Ending, Progress, advance
from sopforge.pipeline.stages.sop import build_sop_files
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Store, Version
from tests.recordings.deriving import NOTHING_ADDED

PROSE = (
    "Librarians work from the return slip and from the loan system. Where there is no delay, a"
    " return is in time. Up to 3 days late it is tolerated, unless a film was lent; any other one"
    " is charged. For each day late 1.25 EUR are due, after more than 10 days 12.50 EUR."
)
STATED = (Path(__file__).parents[2] / "briefs" / "fees.yaml").read_text(encoding="utf-8")
FEES = STATED.replace(yaml.safe_load(STATED)["task_context"].strip(), PROSE)
WRITTEN = yaml.safe_load(FEES)
MODEL_TEXT = FEES[FEES.index("model:") : FEES.index("\ndataset:")]
AROUND = {name: part for name, part in WRITTEN.items() if name != "model"}
ACCOUNT: Mapping[str, Any] = {
    "sources": [
        {
            "says": "Where there is no delay, a return is in time",
            "items": ["decisions.lateness.L1"],
        },
        {
            "says": "Up to 3 days late it is tolerated, unless a film was lent",
            "items": ["policy.grace_days", "decisions.lateness.L2"],
        },
        {"says": "any other one is charged", "items": ["decisions.lateness.L3"]},
        {
            "says": "For each day late 1.25 EUR are due",
            "items": ["policy.daily_fee", "decisions.fee.F2"],
        },
        {
            "says": "after more than 10 days 12.50 EUR",
            "items": ["policy.most", "decisions.fee.F1"],
        },
    ],
    "set_aside": [],
    "assumptions": [],
    "contradictions": [],
}

Answer = Mapping[str, Any]
Player = Callable[[Mapping[str, Any]], Answer]


@dataclass
class Played:
    """Answers by functions, and remembers what was asked."""

    players: Mapping[str, Player]
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    rounds: list[tuple[str, int]] = field(default_factory=list)
    identity = "played"
    concurrency = 1

    def compute_template_digest(self, template: str) -> str:
        return f"version of {template}"

    def ask(
        self, template: str, values: Mapping[str, Any], *, stage: str, repair: int = 0
    ) -> Answer:
        assert stage
        self.rounds.append((stage, repair))
        self.asked.append((template, values))
        return self.players[template](values)

    def find_recorded_answer(
        self, template: str, values: Mapping[str, Any]
    ) -> tuple[Request, None]:
        return load_template(template).build_request(values, model="played"), None

    def times(self, template: str) -> int:
        return sum(name == template for name, _ in self.asked)


def brief_of(**changes: object) -> Brief:
    """Return the brief in prose alone."""
    author = {"name": "anthropic", "model": "played", "rounds": 2}
    return read_brief(yaml.safe_dump({**AROUND, "author": author, **changes}), "fees.yaml")


def written(model: str = MODEL_TEXT, **remarks: object) -> Player:
    return lambda _: {"model": model, **ACCOUNT, **remarks}


def always(answer: Answer) -> Player:
    return lambda _: answer


def add_remark(document: str, kind: str, **remark: object) -> str:
    """Return a domain with a further remark of a kind."""
    whole = yaml.safe_load(document)
    whole["remarks"].setdefault(kind, []).append(remark)
    start = document.index("remarks:")
    remarks = yaml.safe_dump({"remarks": whole["remarks"]}, sort_keys=False)
    return document[:start] + remarks + document[document.index("model:") :]


def with_paragraph(text: str, after: int = 0) -> Player:
    """Return a player who puts a paragraph into the procedure."""

    def play(values: Mapping[str, Any]) -> Answer:
        added = {"insertions": [{"after": after, "text": text}]}
        procedures = [
            part["section"]
            for part in values["sections"]
            if part["heading"].endswith("Main procedure")
        ]
        return {"sections": [{"section": number, **added} for number in procedures]}

    return play


def list_headings(values: Mapping[str, Any]) -> list[str]:
    """Return the headings of the sections that are asked for, without their numbers."""
    return [part["heading"].partition(". ")[2] for part in values["sections"]]


@cache
def sound_tools() -> str:
    return render_tools(read_brief(FEES, "fees.yaml").model)


PLAYERS: Mapping[str, Player] = {
    "domain_model": written(),
    "dataset_values": lambda _: {"fields": []},
    "tool_code": lambda _: {"module": sound_tools()},
    **{name: always(nothing) for name, nothing in NOTHING_ADDED.items()},
}


def run(
    store: Path, players: Mapping[str, Player], brief: Brief | None = None
) -> tuple[Progress, Played]:
    """Return how far a brief comes with a played model."""
    brief, asking = brief or brief_of(), Played({**PLAYERS, **players})
    author = ModelAuthor(brief.parts.writer, asking)
    return advance(open_store(store), brief, approve_clean=True, author=author), asking


def newest(store: Path, stage: str) -> Version:
    return open_store(store).get_domain("fees").list_versions(stage)[-1]


def request_changes(store: Store, version: Version, words: str) -> None:
    log, asked = AuditLog(store.get_domain("fees")), DecisionVerdict.REQUEST_CHANGES
    log.append_decision(version, asked, "ada", DeciderKind.PERSON, Opinion(words))


def test_prose_becomes_a_domain_that_passes_all_gates(tmp_path: Path) -> None:
    progress, asking = run(tmp_path, {})

    found = [item.id for item in progress.version.manifest.findings]
    assert (progress.ending, found) == (Ending.APPROVED, [])
    assert asking.times("repair_findings") == 0
    domain = newest(tmp_path, "schema").files["domain.yaml"]
    assert read_domain(domain, "domain.yaml") == read_brief(FEES, "fees.yaml").model


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(MODEL_TEXT.replace("max: 40,", ""), id="refused by the reader"),
        pytest.param("", id="empty"),
    ],
)
def test_what_is_found_goes_back_with_the_document(tmp_path: Path, broken: str) -> None:
    def repaired(values: Mapping[str, Any]) -> Answer:
        errors = [item for item in values["findings"] if item["severity"] == Severity.ERROR]
        assert errors
        assert "title: Late Fees of a Library" in values["document"]
        return {"document": yaml.safe_dump({"remarks": ACCOUNT}) + MODEL_TEXT}

    players = {"domain_model": written(broken), "repair_findings": repaired}
    progress, asking = run(tmp_path, players)

    assert progress.ending is Ending.APPROVED
    assert asking.times("repair_findings") == 1
    run_file = next((tmp_path / "fees" / "stages" / "schema").glob("*/run.json"))
    assert '"repair_rounds": 1' in run_file.read_text(encoding="utf-8")


def test_a_contradiction_is_shown_with_both_sentences(tmp_path: Path) -> None:
    brief = brief_of(context=["The fee is charged from day two."])
    sentences = {
        "first": "Settle late returns of a library: look the loan up, judge it, and state the fee.",
        "second": "The fee is charged from day two.",
        "followed": "the first",
    }
    players = {
        "domain_model": written(
            contradictions=[sentences], assumptions=[{"says": "A day is a day.", "items": []}]
        )
    }
    run(tmp_path, players, brief)

    findings = newest(tmp_path, "schema").manifest.findings
    shown = {item.id: item for item in findings}
    assert shown["brief-contradicts-itself"].severity is Severity.WARNING
    for text in (sentences["first"], sentences["second"]):
        assert text in shown["brief-contradicts-itself"].message
    assert shown["author-assumed"].message == "A day is a day."


def test_a_contradiction_that_the_brief_does_not_hold_is_an_error(tmp_path: Path) -> None:
    sentences = {"first": "Books are free.", "second": "Books cost.", "followed": "the first"}
    players = {
        "domain_model": written(contradictions=[sentences]),
        "repair_findings": lambda values: {"document": values["document"]},
    }
    progress, _ = run(tmp_path, players)

    assert [item.id for item in progress.version.manifest.findings] == ["remark-not-in-brief"]


def sop_of(store: Path) -> str:
    return newest(store, "sop").files["sop.txt"]


def derived_sop() -> SopDocument:
    brief = read_brief(FEES, "fees.yaml")
    return OfflineAuthor().write_sop(brief.model, brief)


@pytest.mark.parametrize(
    "lie",
    [
        "After 17 days the fee doubles.",
        "Ask lookUpLoan twice.",
    ],
)
def test_a_section_that_says_more_than_the_model_is_asked_for_again_then_derived(
    tmp_path: Path, lie: str
) -> None:
    progress, asking = run(tmp_path, {"sop_section": with_paragraph(lie)})

    again = [
        values for name, values in asking.asked if name == "sop_section" and values["findings"]
    ]
    assert [list_headings(values) for values in again] == [["Main procedure"]] * 2
    number = again[0]["sections"][0]["section"]
    assert again[0]["before"] == [
        {"section": number, "insertions": [{"after": 0, "text": lie}]},
    ]
    assert {item["section"] for item in again[0]["findings"]} == {number}
    assert any(lie in item["evidence"] for item in again[0]["findings"])
    assert progress.ending is Ending.APPROVED
    assert lie not in sop_of(tmp_path)


def test_paragraphs_part_no_list_and_lines_stay() -> None:
    def everywhere(values: Mapping[str, Any]) -> Answer:
        longest = max(len(part["lines"]) for part in values["sections"])
        texts = [
            {"after": n, "text": f"Mind this,\n{'x' * (n + 2)}."} for n in range(-1, longest + 3)
        ]
        numbers = [part["section"] for part in values["sections"]]
        return {"sections": [{"section": number, "insertions": texts} for number in numbers]}

    brief = brief_of()
    author = ModelAuthor(brief.parts.writer, Played({"sop_section": everywhere}))
    document = author.choose_stage_author("sop", ()).write_sop(
        read_brief(FEES, "fees.yaml").model, brief
    )

    own = [place for place, line in enumerate(document.lines) if line.excused == "own words"]
    kept = [line for line in document.lines if line.excused != "own words"]
    assert len(own) > 20
    assert all(document.lines[n].text.startswith("Mind this, x") for n in own)
    inner = [n for n in own if document.lines[n - 1].style is not Style.SECTION]
    following = {document.lines[n + 1].style for n in inner if n + 1 < len(document.lines)}
    assert following <= {Style.PARAGRAPH, Style.STEP, Style.SECTION}
    derived = derived_sop().lines
    assert [(x.text, x.states) for x in kept] == [(x.text, x.states) for x in derived]


def test_a_summary_stands_in_its_place_and_all_else_is_derived(tmp_path: Path) -> None:
    def specs(_: Mapping[str, Any]) -> Answer:
        return summing_up("Shows how a loan went")({})

    run(
        tmp_path,
        {"api_texts": summing_up("It shows\none loan.", "Services."), "toolspec_texts": specs},
    )
    written = open_store(tmp_path).get_domain("fees").list_versions
    document = yaml.safe_load(written("api")[-1].files["openapi.yaml"])
    [spec] = json.loads(written("toolspec")[-1].files["toolspecs.json"])

    derived_api, derived_specs = derived_interface(tmp_path)
    assert document["info"].pop("summary") == "Services."
    [operation] = [part for methods in document["paths"].values() for part in methods.values()]
    assert operation.pop("description") == "It shows one loan."
    assert document == derived_api
    text = "Shows how a loan went. Ask the loan system for a loan. Parameters, all required: "
    assert spec["toolSpec"]["description"].startswith(text)
    spec["toolSpec"]["description"] = spec["toolSpec"]["description"].partition(". ")[2]
    assert [spec] == derived_specs


def derived_interface(store: Path) -> tuple[Any, Any]:
    """Return the API and the toolspecs that the offline author makes of the same brief."""
    advance(open_store(store / "offline"), read_brief(FEES, "fees.yaml"), approve_clean=True)
    written = open_store(store / "offline").get_domain("fees").list_versions
    return (
        yaml.safe_load(written("api")[-1].files["openapi.yaml"]),
        json.loads(written("toolspec")[-1].files["toolspecs.json"]),
    )


@pytest.mark.parametrize("is_whole", [True, False], ids=["whole", "class alone"])
def test_a_class_is_put_below_what_it_is_given(is_whole: bool) -> None:  # noqa: FBT001 - a case
    def write(values: Mapping[str, Any]) -> Answer:
        assert values["given"].endswith(
            '_FIELDS_OF_LOAN = {\n    "loan_id": _LOAN_ID,\n    "days_late": _DAYS_LATE,\n}\n\n\n'
        )
        return {
            "module": sound_tools() if is_whole else sound_tools().removeprefix(values["given"])
        }

    asking = Played({**PLAYERS, "tool_code": write})
    author = ModelAuthor(AuthorDocument(name="anthropic", model="m"), asking, stage="tools")
    model = read_brief(FEES, "fees.yaml").model

    assert author.write_tools(model).rstrip() == sound_tools().rstrip()


def test_a_module_with_fewer_differences_is_the_better_one(tmp_path: Path) -> None:
    sound = sound_tools()
    worse = sound.replace('"unknown_record"', '"no_such_record"')
    broken = "import nothing_that_there_is\n" + sound
    documents = iter([broken, worse])
    players = {
        "tool_code": lambda _: {"module": worse},
        "repair_findings": lambda _: {"document": next(documents)},
    }
    progress, asking = run(tmp_path, players)

    # The module that answers nothing is worse than one that answers some calls wrongly.
    asked = [values["document"] for name, values in asking.asked if name == "repair_findings"]
    assert [text == strip_fence(worse) for text in asked] == [True, True]
    assert progress.version.files["tools.py"] == strip_fence(worse)
    [found] = progress.version.manifest.findings
    assert found.count > 5
    assert f"in {found.count} calls, for example lookUpLoan(" in found.message


def test_a_repair_keeps_to_what_reviewers_said() -> None:
    asking = Played({**PLAYERS, "repair_findings": lambda _: {"document": "model: {}"}})
    author = ModelAuthor(AuthorDocument(name="anthropic", model="m"), asking)
    found = [make_error_finding("gap", "no rule fits")]
    for stage, file in (("schema", "domain.yaml"), ("tools", "tools.py")):
        writer = author.choose_stage_author(stage, ["Four days are free.", "No, five days are."])
        reviser = writer.choose_reviser({file: "before"}, found)
        assert reviser is not None
        if stage == "schema":
            reviser.write_domain(brief_of())
        else:
            reviser.write_tools(read_brief(FEES, "fees.yaml").model)

    remarks = [{"text": "Four days are free."}, {"text": "No, five days are."}]
    assert [values["remarks"] for _, values in asking.asked] == [remarks, remarks]


def test_what_reviewers_say_reaches_the_model() -> None:
    author = ModelAuthor(AuthorDocument(name="anthropic", model="m"), Played(PLAYERS))
    writer = author.choose_stage_author("schema", ["Count Sundays too."])

    writer.write_domain(brief_of())

    assert isinstance(writer, ModelAuthor)
    assert isinstance(author.asking, Played)
    assert author.asking.asked[0][1]["feedback"] == [{"text": "Count Sundays too."}]


def test_stages_that_are_not_the_models_are_derived() -> None:
    settings = AuthorDocument(name="anthropic", model="m", stages=("schema",))
    author = ModelAuthor(settings, Played(PLAYERS))

    assert isinstance(author.choose_stage_author("tools", ()), OfflineAuthor)
    assert author.choose_stage_author("schema", ()).name == "anthropic m"


def test_a_reviewers_words_change_the_version_that_was_sent_back(tmp_path: Path) -> None:
    def edited(values: Mapping[str, Any]) -> Answer:
        assert values["remarks"] == [{"text": "Four days are free."}]
        return {"document": four_days(values["document"])}

    def four_days(document: str) -> str:
        asked = {"says": "A reviewer asked for four days.", "items": ["policy.grace_days"]}
        noted = add_remark(document, "assumptions", **asked)
        return add_remark(noted, "set_aside", says="Up to 3 days late", because="history").replace(
            "value: 3,", "value: 4,"
        )

    brief, asking = brief_of(), Played({**PLAYERS, "edit_document": edited})
    author, store = ModelAuthor(brief.parts.writer, asking), open_store(tmp_path)
    first = advance(store, brief, author=author).version
    request_changes(store, first, "Four days are free.")

    second = advance(store, brief, author=author).version

    changed = read_domain(four_days(first.files["domain.yaml"]), "domain.yaml")
    assert read_domain(second.files["domain.yaml"], "domain.yaml") == changed
    assert changed != read_domain(first.files["domain.yaml"], "domain.yaml")
    assert asking.times("domain_model") == 1
    assert advance(store, brief, author=author).version.number == second.number == 2


def test_added_context_changes_the_version_that_was_approved(tmp_path: Path) -> None:
    seen: list[list[dict[str, str]]] = []

    def edited(values: Mapping[str, Any]) -> Answer:
        seen.append(values["remarks"])
        days, said = 3 + len(seen), values["remarks"][0]["text"]
        old = ["Up to 3 days late", "Four days are free."][len(seen) - 1]
        noted = add_remark(values["document"], "set_aside", says=old, because="history")
        cited = add_remark(noted, "sources", says=said, items=["policy.grace_days"])
        return {"document": cited.replace(f"value: {days - 1},", f"value: {days},")}

    asking = Played({**PLAYERS, "edit_document": edited})
    plain, store = brief_of(), open_store(tmp_path)
    author = ModelAuthor(plain.parts.writer, asking)
    advance(store, plain, author=author, approve_clean=True)

    added = brief_of(context=["Four days are free."])
    again = brief_of(context=["Four days are free.", "No, five days are."])
    second = advance(store, added, author=author, approve_clean=True)
    third = advance(store, again, author=author, approve_clean=True)

    assert seen == [[{"text": "Four days are free."}], [{"text": "No, five days are."}]]
    assert asking.times("domain_model") == 1
    versions = store.get_domain("fees").list_versions("schema")
    for days, version in zip((3, 4, 5), versions, strict=True):
        assert f"value: {days}," in version.files["domain.yaml"]
    assert second.ending is third.ending is Ending.APPROVED
    # The model holds what was added, so that the SOP does not quote it beside the rule.
    assert "days are free" not in store.get_domain("fees").list_versions("sop")[-1].files["sop.txt"]
    assert advance(store, again, author=author).built == ()


def test_an_edit_after_added_context_has_nothing_written_anew(tmp_path: Path) -> None:
    def edited(values: Mapping[str, Any]) -> Answer:
        document = values["document"].replace("value: 3,", "value: 5,")
        return {"document": document}

    asking = Played({**PLAYERS, "edit_document": edited, "repair_findings": edited})
    plain, added = brief_of(), brief_of(context=["Four days are free."])
    author, store = ModelAuthor(plain.parts.writer, asking), open_store(tmp_path)
    advance(store, plain, author=author, approve_clean=True)
    changed = advance(store, added, author=author).version
    text = changed.files["domain.yaml"].replace("value: 5,", "value: 4,")
    edit(store.get_domain("fees"), stage="schema", digest="", text=text, by="ada")

    again = advance(store, added, author=author).version

    assert again.files["domain.yaml"] == text
    assert asking.times("domain_model") == 1


def test_what_a_brief_states_is_settled(tmp_path: Path) -> None:
    brief = brief_of(model=WRITTEN["model"])

    progress, asking = run(tmp_path, {"domain_model": written("model: {}")}, brief)

    assert progress.ending is Ending.APPROVED
    assert asking.times("domain_model") == 0


# A fee below 0, which its field does not have.
REFUTED = MODEL_TEXT.replace("days_late * daily_fee", "days_late * daily_fee - most")


def test_an_apology_is_no_better_than_a_document_with_errors(tmp_path: Path) -> None:
    shown: list[str] = []

    def apologies(values: Mapping[str, Any]) -> Answer:
        shown.append(values["document"])
        return {"document": "I am sorry, I cannot."}

    players = {"domain_model": written(REFUTED), "repair_findings": apologies}
    progress, _ = run(tmp_path, players)

    assert progress.ending is Ending.AWAITING_APPROVAL
    assert "daily_fee - most" in progress.version.files["domain.yaml"]
    assert len(shown) == 2
    assert all("daily_fee - most" in document for document in shown)


def test_what_was_changed_in_vain_is_shown_as_its_changes_alone(tmp_path: Path) -> None:
    worse = REFUTED.replace("days_late <= grace_days", "days_late <= grace_day")
    documents = iter([worse, REFUTED])
    shown: list[str] = []
    dropped: list[list[str]] = []

    def repaired(values: Mapping[str, Any]) -> Answer:
        shown.append(values["dropped_changes"])
        dropped.append([item["id"] for item in values["dropped"]])
        assert "daily_fee - most" in values["document"]
        return {"document": next(documents)}

    run(tmp_path, {"domain_model": written(REFUTED), "repair_findings": repaired})

    assert dropped == [[], ["unknown-field"]]
    first, second = shown
    assert first == ""
    changed = [line for line in second.splitlines() if line[:1] in "+-"][2:]
    assert any("grace_days" in line for line in changed if line.startswith("-"))
    assert any("grace_day" in line and "grace_days" not in line for line in changed)
    assert len(second) < len(REFUTED) / 4


DEEPER = MODEL_TEXT.replace("days_late == 0", "days_latest == 0").replace(
    "days_late <= grace_days", "days_latest <= grace_day"
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # No YAML; then YAML with two names that nobody declared: more faults, and read further.
        (MODEL_TEXT.replace("model:", "model: [", 1), DEEPER),
        (MODEL_TEXT + "\n  surplus: 1\n", DEEPER),
    ],
)
def test_a_correction_that_is_read_further_is_kept(tmp_path: Path, first: str, second: str) -> None:
    documents = iter([second, MODEL_TEXT])
    shown: list[str] = []

    def repaired(values: Mapping[str, Any]) -> Answer:
        shown.append(values["document"])
        return {"document": next(documents)}

    progress, _ = run(tmp_path, {"domain_model": written(first), "repair_findings": repaired})

    assert "days_latest" not in shown[0]
    assert "days_latest" in shown[1]
    assert progress.ending is Ending.APPROVED


def replacing(*pairs: tuple[str, str], not_applied: tuple[str, ...] = ()) -> Answer:
    parts = [{"find": find, "replace": other} for find, other in pairs]
    return {"replacements": parts, "document": "", "not_applied": [*not_applied]}


def test_a_repair_may_give_what_it_replaces_alone(tmp_path: Path) -> None:
    wrong_tools = sound_tools().replace('"unknown_record"', '"no_such_record"')
    asked: list[str] = []

    def repaired(values: Mapping[str, Any]) -> Answer:
        asked.append(values["kind"])
        if values["kind"] == "tools module":
            return replacing(('"no_such_record"', '"unknown_record"'))
        return replacing(("daily_fee - most", "daily_fee"))

    players = {
        "domain_model": written(REFUTED),
        "tool_code": lambda _: {"module": wrong_tools},
        "repair_findings": repaired,
    }
    progress, _ = run(tmp_path, players)

    assert asked == ["domain model", "tools module"]
    assert progress.ending is Ending.APPROVED
    files = newest(tmp_path, "tools").files
    assert files["tools.py"] == strip_fence(sound_tools())


def test_a_replacement_that_fits_nowhere_goes_back_and_changes_nothing(tmp_path: Path) -> None:
    right = ("daily_fee - most", "daily_fee")
    answers = iter([replacing(right, ("days_early", "x")), replacing(right)])
    shown: list[tuple[str, list[tuple[str, str]]]] = []

    def repaired(values: Mapping[str, Any]) -> Answer:
        dropped = [(item["id"], item["evidence"]) for item in values["dropped"]]
        shown.append((values["document"], dropped))
        return next(answers)

    progress, _ = run(tmp_path, {"domain_model": written(REFUTED), "repair_findings": repaired})

    assert shown[0][0] == shown[1][0]
    assert ("replacement-refused", "days_early") in shown[1][1]
    assert progress.ending is Ending.APPROVED


def test_what_the_model_leaves_undone_is_shown_at_the_gate(tmp_path: Path) -> None:
    why = "The daily fee is not lowered: no amount was given."
    brief = brief_of()
    noted = """  set_aside:
  - {says: Up to 3 days late, because: history}
  assumptions:
  - {says: A reviewer asked for four days., items: [policy.grace_days]}
  sources:
"""
    edited = replacing(("value: 3,", "value: 4,"), ("  sources:\n", noted), not_applied=(why,))
    asking = Played({**PLAYERS, "edit_document": lambda _: edited})
    author, store = ModelAuthor(brief.parts.writer, asking), open_store(tmp_path)
    first = advance(store, brief, author=author).version
    words = "Four days are free, and the fee is lower."
    request_changes(store, first, words)

    second = advance(store, brief, author=author).version

    assert "value: 4," in second.files["domain.yaml"]
    [found] = [item for item in second.manifest.findings if item.id == "feedback-not-applied"]
    assert (found.severity, why in found.message) == (Severity.WARNING, True)


def test_an_answer_that_changes_nothing_says_so(tmp_path: Path) -> None:
    brief, said = brief_of(), "Make it nicer."
    asking = Played({**PLAYERS, "edit_document": lambda _: replacing()})
    author, store = ModelAuthor(brief.parts.writer, asking), open_store(tmp_path)
    first = advance(store, brief, author=author).version
    assert [item.id for item in first.manifest.findings] == []
    request_changes(store, first, said)

    second = advance(store, brief, author=author).version

    assert second.manifest.content == first.manifest.content
    [found] = second.manifest.findings
    assert found.id == "feedback-not-applied"
    assert "a requested change was not made" in found.message
    assert said in found.message


def test_summaries_of_an_earlier_api_are_kept_where_the_tools_are_others() -> None:
    model = read_brief(FEES, "fees.yaml").model
    other = read_brief(FEES.replace("max: 40", "max: 30"), "fees.yaml").model
    settings = AuthorDocument(name="anthropic", model="m")
    saying = Played({**PLAYERS, "api_texts": summing_up("It shows one loan.", "Services.")})
    first = ModelAuthor(settings, saying, stage="api").write_openapi(model, [])
    silent = Played(PLAYERS)

    writer = ModelAuthor(settings, silent).choose_stage_author(
        "api", ["Shorter."], {"openapi.yaml": first}
    )
    written_anew = writer.write_openapi(other, [])

    [(_, values)] = silent.asked
    assert values["before"] == [
        {"tool": "", "summary": "Services."},
        {"tool": "lookUpLoan", "summary": "It shows one loan."},
    ]
    document = yaml.safe_load(written_anew)
    [operation] = [part for methods in document["paths"].values() for part in methods.values()]
    assert operation["description"] == "It shows one loan."
    assert document["components"]["schemas"]["days_late"]["maximum"] == 30


def test_an_empty_summary_takes_the_one_of_the_api_away(tmp_path: Path) -> None:
    silent = {"summaries": [{"tool": "lookUpLoan", "summary": " "}]}
    players = {"api_texts": summing_up("It shows one loan."), "toolspec_texts": lambda _: silent}
    _, asking = run(tmp_path, players)

    [values] = [values for name, values in asking.asked if name == "toolspec_texts"]
    assert values["before"] == [{"tool": "lookUpLoan", "summary": "It shows one loan."}]
    specs = newest(tmp_path, "toolspec").files["toolspecs.json"]
    assert json.loads(specs) == derived_interface(tmp_path)[1]


def test_notes_do_not_go_back() -> None:
    found = (
        make_warning_finding("odd", "is it?"),
        make_note_finding("assumed", "so it is"),
        make_error_finding("gap", "no rule fits"),
    )
    shown = Repair(1, 3, {}, found).list_findings()
    assert [item["id"] for item in shown] == ["gap", "odd"]


def test_reviewers_of_the_sop_are_answered_in_what_they_saw_and_what_is_left_out_stays() -> None:
    brief, model = brief_of(), read_brief(FEES, "fees.yaml").model
    said = "The shelf is at the door."
    asking = Played({**PLAYERS, "sop_section": with_paragraph(said)})
    first = ModelAuthor(brief.parts.writer, asking).choose_stage_author("sop", ())
    seen, silent = first.write_sop(model, brief), Played(PLAYERS)
    assert said in seen.as_text()

    again = ModelAuthor(brief.parts.writer, silent).choose_stage_author(
        "sop", ["Shorter."], build_sop_files(seen)
    )

    assert again.write_sop(model, brief) == seen
    [values] = [values for _, values in silent.asked if "Main procedure" in list_headings(values)]
    [changes] = [said for said in values["before"] if said["insertions"]]
    [heading] = [
        part["heading"] for part in values["sections"] if part["section"] == changes["section"]
    ]
    assert [item["text"] for item in changes["insertions"]] == [said]
    assert seen.as_text().index(heading) < seen.as_text().index(said)


def test_sections_that_only_list_are_asked_for_where_a_reviewer_spoke() -> None:
    brief, model = brief_of(), read_brief(FEES, "fees.yaml").model

    def ask_for(feedback: list[str]) -> list[list[str]]:
        asking = Played(PLAYERS)
        author = ModelAuthor(brief.parts.writer, asking).choose_stage_author("sop", feedback)
        author.write_sop(model, brief)
        return [list_headings(values) for _, values in asking.asked]

    # Purpose and roles are the brief's, the dictionary and the results are lists.
    assert ask_for([]) == [["Scope", "Main procedure", "Escalation"]]
    spoken = ask_for(["The data dictionary is hard to read."])
    assert {"Annex: Data dictionary", "Results"} <= {
        name for headings in spoken for name in headings
    }
    assert all(len(headings) <= MOST_AT_ONCE for headings in spoken)


def test_a_question_has_no_more_sections_than_its_answer_has_room_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def write() -> tuple[SopDocument, list[list[str]]]:
        brief, model = brief_of(), read_brief(FEES, "fees.yaml").model
        asking = Played({**PLAYERS, "sop_section": with_paragraph("The shelf is at the door.")})
        author = ModelAuthor(brief.parts.writer, asking).choose_stage_author("sop", ())
        document = author.write_sop(model, brief)
        return document, [list_headings(values) for _, values in asking.asked]

    together, _ = write()
    monkeypatch.setattr(sop, "ROOM", 1100)
    apart, asked = write()

    assert asked == [["Scope"], ["Main procedure"], ["Escalation"]]
    assert apart == together
    assert "The shelf is at the door." in apart.as_text()


def test_prose_gets_as_many_tasks_as_its_goals_need(tmp_path: Path) -> None:
    few = brief_of(dataset={**WRITTEN["dataset"], "n_samples": 3})

    progress, _ = run(tmp_path, {}, few)

    assert progress.ending is Ending.APPROVED
    version = newest(tmp_path, "dataset")
    assert len(version.files["tasks.jsonl"].splitlines()) > 3
    assert "n-samples-raised" in {finding.id for finding in version.manifest.findings}


def test_a_repair_keeps_the_briefs_own_words_and_the_remarks(tmp_path: Path) -> None:
    sound = OfflineAuthor().write_domain(read_brief(FEES, "fees.yaml"))

    def renamed(_: Mapping[str, Any]) -> Answer:
        return {"document": sound.replace("Late Fees of a Library", "Other Fees")}

    players = {
        "domain_model": written(
            MODEL_TEXT.replace("max: 40,", ""),
            assumptions=[{"says": "A day is a day.", "items": []}],
        ),
        "repair_findings": renamed,
    }
    run(tmp_path, players)

    domain = newest(tmp_path, "schema").files["domain.yaml"]
    assert "title: Late Fees of a Library" in domain
    assert "A day is a day." in domain


@pytest.mark.parametrize(
    "text",
    [
        "a: 1\n",
        "```yaml\na: 1\n```",
        "Here it is:\n```yaml\na: 1\n```\nI hope it helps.",
        "```yaml\r\na: 1\r\n```\r\n",
        "```yaml \na: 1",
        "\ufeff---\na: 1",
    ],
)
def test_what_stands_around_a_document_is_taken_away(text: str) -> None:
    assert strip_fence(text) == "a: 1\n"


def test_a_paragraph_that_is_repaired_stays_with_a_note(tmp_path: Path) -> None:
    good = "Readers are often surprised by a fee, so say kindly what it is for."

    def repaired(values: Mapping[str, Any]) -> Answer:
        text = good if values["findings"] else "Films are always lost."
        return with_paragraph(text)(values)

    progress, _ = run(tmp_path, {"sop_section": repaired})

    assert progress.ending is Ending.APPROVED
    version = newest(tmp_path, "sop")
    (note,) = version.manifest.findings
    assert (note.id, note.severity, note.evidence) == ("own-words", Severity.NOTE, good)
    assert "Main procedure" in note.message
    assert good in version.files["sop.txt"]


def summing_up(summary: str, api: str = "") -> Player:
    said = {"lookUpLoan": summary, "": api}
    return lambda _: {
        "summaries": [{"tool": tool, "summary": text} for tool, text in said.items() if text]
    }


def test_a_summary_that_says_too_much_goes_back(tmp_path: Path) -> None:
    def repaired(values: Mapping[str, Any]) -> Answer:
        leak = "Show what is more than 3 days late"
        return summing_up("Show a loan" if values["findings"] else leak)(values)

    progress, asking = run(tmp_path, {"api_texts": repaired})

    found = [
        item for name, values in asking.asked if name == "api_texts" for item in values["findings"]
    ]
    assert [item["id"] for item in found] == ["own-words-number", "own-words-decide"]
    assert "lookUpLoan, description: the summary counts or measures (3)" in found[0]["message"]
    assert progress.ending is Ending.APPROVED
    document = newest(tmp_path, "api").files["openapi.yaml"]
    assert "description: Show a loan." in document


def test_only_summaries_that_stay_wrong_are_left_out(tmp_path: Path) -> None:
    stubborn = summing_up("Says whether the reader is charged.", "What the library offers.")

    def specs(_: Mapping[str, Any]) -> Answer:
        return summing_up("Call it before all else.")({})

    progress, asking = run(tmp_path, {"api_texts": stubborn, "toolspec_texts": specs})

    assert progress.ending is Ending.APPROVED
    assert (asking.times("api_texts"), asking.times("toolspec_texts")) == (3, 3)
    store = open_store(tmp_path)
    document = store.get_domain("fees").list_versions("api")[-1].files["openapi.yaml"]
    assert "Says whether" not in document
    assert "summary: What the library offers." in document
    [spec] = json.loads(
        store.get_domain("fees").list_versions("toolspec")[-1].files["toolspecs.json"]
    )
    assert [spec] == derived_interface(tmp_path)[1]


@pytest.mark.parametrize("rounds", [0, 1])
def test_a_section_is_asked_for_again_as_often_as_there_are_rounds(
    tmp_path: Path, rounds: int
) -> None:
    brief = brief_of(author={"name": "anthropic", "model": "played", "rounds": rounds})
    progress, asking = run(
        tmp_path, {"sop_section": with_paragraph("After 17 days the fee doubles.")}, brief
    )

    again = [
        values for name, values in asking.asked if name == "sop_section" and values["findings"]
    ]
    assert len(again) == rounds
    assert progress.ending is Ending.APPROVED
    assert sop_of(tmp_path) == derived_sop().as_text()


def test_a_model_that_writes_no_schema_needs_one_in_the_brief() -> None:
    with pytest.raises(MaterialError, match="model-missing"):
        brief_of(author={"name": "anthropic", "model": "played", "stages": ["sop", "api"]})


def test_an_estimate_counts_the_material_that_is_worded() -> None:
    brief = brief_of()
    author = ModelAuthor(brief.parts.writer, Played(PLAYERS))
    domain = OfflineAuthor().write_domain(read_brief(FEES, "fees.yaml"))
    estimated = author.estimate_questions(read_brief(FEES, "fees.yaml").model, brief, domain)
    questions = [question for question in estimated if not question.repair]
    repairs = [question for question in estimated if question.repair]

    assert [(item.stage, item.template) for item in repairs] == [
        ("schema", "repair_findings"),
        ("tools", "repair_findings"),
    ]
    assert repairs[0].answer == len(domain.encode()) // 3
    answers = {question.template: question.answer for question in questions}
    assert {question.stage for question in questions} == {"sop", "api", "toolspec", "tools"}
    # A summary of the one tool is counted, and the module by the length of the API.
    assert (answers["api_texts"], answers["toolspec_texts"]) == (60, 60)
    assert answers["tool_code"] > 100
    longest = max(len(line) for line in derived_sop().as_text().splitlines())
    assert max(q.answer for q in questions if q.template == "sop_section") > longest // 3


def test_an_estimate_counts_what_the_second_reader_judges() -> None:
    brief = brief_of(author={"name": "anthropic", "model": "played", "readers": 2})
    author = ModelAuthor(brief.parts.writer, Played(PLAYERS), second=Played({}))
    domain = add_head(brief, {"model": MODEL_TEXT, **ACCOUNT})

    found = author.estimate_questions(read_domain(domain, "domain.yaml"), brief, domain)

    (question,) = [item for item in found if item.to_second]
    assert (question.stage, question.template, question.repair) == ("schema", "clause_judge", 0)
    # Nine cases of five rules, each of some fifty letters, and their passages.
    assert 9 * 50 // 3 < question.answer < question.prompt


def test_a_few_tasks_more_do_not_have_the_domain_written_anew(tmp_path: Path) -> None:
    players = {**PLAYERS, "tool_code": lambda _: {"module": ""}}
    asking = Played(players)
    for count, times in ((20, 1), (40, 1), (80, 2)):
        brief = brief_of(dataset={**WRITTEN["dataset"], "n_samples": count})
        author = ModelAuthor(brief.parts.writer.model_copy(update={"stages": ("schema",)}), asking)
        advance(open_store(tmp_path), brief, author=author)
        assert asking.times("domain_model") == times
