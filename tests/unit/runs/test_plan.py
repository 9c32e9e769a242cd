"""A plan says what a run then does, and why; it leaves the store as it is."""

from __future__ import annotations

import shutil
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from sopforge.authors.writers.author import Author
from sopforge.authors.writers.choosing import choose_author
from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import AuthorDocument
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.gates import gate
from sopforge.pipeline.runs.plan import Fate, Plan, list_questions_ahead, plan_run
from sopforge.pipeline.stages.building import orders
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import GateState, Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.sealing import seal_anew
from tests.worlds.worded import let_worded_wait

REFUND = Path(__file__).parents[2] / "briefs" / "refund.yaml"
TEXT = REFUND.read_text(encoding="utf-8")
ALL = ["schema", "sop", "dataset", "api", "toolspec", "tools", "complexity"]


def brief(*changes: tuple[str, str], draft: str = "") -> Brief:
    """Return the brief with some of its text replaced."""
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    return read_brief(text, "refund.yaml", draft)


def planned(store: Store, asked: Brief) -> Plan:
    return plan_run(store, asked, choose_author(asked, store.objects))


def why(made: Plan) -> dict[str, tuple[str, ...]]:
    """Return the reasons of the stages that have any."""
    return {stage.name: stage.reasons for stage in made.stages if stage.reasons}


def bytes_in(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store in which the brief is approved to the end."""
    folder = tmp_path_factory.mktemp("finished")
    advance(open_store(folder), brief(), approve_clean=True)
    return folder


@pytest.fixture
def store(finished: Path, tmp_path: Path) -> Store:
    shutil.copytree(finished, tmp_path / "store")
    return open_store(tmp_path / "store")


def test_of_a_new_domain_all_is_to_be_made_and_no_store_is_opened_for_it(tmp_path: Path) -> None:
    made = planned(open_store(tmp_path / "none"), brief())

    assert made.list_stages(Fate.NEW) == ALL
    assert (made.waiting, why(made)) == (None, {})
    assert not (tmp_path / "none").exists()


def test_of_the_same_brief_nothing_is_to_be_made(store: Store) -> None:
    made = planned(store, brief())

    assert made.list_stages(Fate.KEPT) == ALL
    assert (made.waiting, why(made)) == (None, {})


CHANGES = {
    "a limit": (
        [("refund_days: {value: 30", "refund_days: {value: 20")],
        {"schema": ("brief: model.policy.refund_days.value 20 (was 30)",)},
        ["sop", "dataset", "api", "toolspec", "tools", "complexity"],
    ),
    "context": (
        [("author: offline", "author: offline\ncontext: [Staff wear badges.]")],
        {"sop": ("brief: context added",)},
        ["complexity"],
    ),
    "tasks and doses": (
        [
            ("n_samples: 12", "n_samples: 14"),
            ("[L0, L1]}", "[L0, L1], doses: {L1: {tangents: 1}}}"),
        ],
        {
            "dataset": ("brief: dataset.n_samples 14 (was 12)",),
            "api": ("brief: dataset.n_samples 14 (was 12)",),
            "complexity": ("brief: dataset.n_samples 14 (was 12)", "brief: complexity.doses added"),
        },
        ["toolspec", "tools"],
    ),
    "what is not read": ([("complexity:", "guidelines: Be kind.\ncomplexity:")], {}, []),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_run_builds_what_is_stale_and_of_the_rest_only_what_may_change(
    store: Store, name: str
) -> None:
    changes, expected, unsure = CHANGES[name]
    asked = brief(*changes)

    made = planned(store, asked)

    said = {
        stage.name: tuple(text for text in stage.reasons if not text.endswith("once they are made"))
        for stage in made.stages
        if stage.fate is Fate.STALE
    }
    assert said == expected
    assert made.list_stages(Fate.UNSURE) == unsure
    built = advance(store, asked, approve_clean=True).built
    assert set(expected) <= set(built) <= {*expected, *unsure}


def test_the_plan_writes_nothing(store: Store, tmp_path: Path) -> None:
    before = bytes_in(tmp_path / "store")

    planned(store, brief(("value: 30", "value: 20")))

    assert bytes_in(tmp_path / "store") == before


def test_a_draft_that_changed_is_reported(store: Store) -> None:
    assert why(planned(store, brief(draft="# Purpose\n\nRefunds are fair.\n")))["sop"] == (
        "brief: draft_sop",
    )


def test_files_of_an_earlier_stage_are_reported_once_they_are_known(store: Store) -> None:
    asked = brief(("value: 30", "value: 20"))
    assert advance(store, asked).version.manifest.stage == "schema"
    gate.decide(
        store.get_domain("refund"),
        stage="schema",
        digest="",
        verdict=DecisionVerdict.APPROVE,
        by="ada",
    )

    made = planned(store, asked)

    assert made.stages[0].fate is Fate.KEPT
    assert {name: why(made)[name] for name in ("sop", "tools")} == {
        "sop": ("files of schema",),
        "tools": ("files of schema", "files of dataset, once they are made"),
    }


def test_feedback_and_edits_are_reported_in_their_words(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, brief())
    let_worded_wait(store, "refund")
    gate.decide(
        store.get_domain("refund"),
        stage="schema",
        digest="",
        verdict=DecisionVerdict.REQUEST_CHANGES,
        by="ada",
        opinion=Opinion("Say what excluded means."),
    )
    assert why(planned(store, brief()))["schema"] == ("feedback: Say what excluded means.",)

    advance(store, brief())
    text = store.get_domain("refund").list_versions("schema")[-1].files["domain.yaml"]
    gate.edit(
        store.get_domain("refund"),
        stage="schema",
        digest="",
        text=text.replace("30", "31", 1),
        by="bob",
    )
    assert why(planned(store, brief()))["schema"] == ("an edit by bob",)


def test_another_version_of_a_program_is_reported_with_both(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = store.get_domain("refund").list_versions("schema")[0].manifest.inputs
    now = {name: was[name] for name in ("sopforge", "words", "layout")}
    monkeypatch.setattr(orders, "_read_installed_versions", lambda: {**now, "solver": "99.1"})

    made = planned(store, brief())

    assert made.list_stages(Fate.STALE) == ALL
    assert why(made)["schema"] == (f"z3-solver 99.1 (was {version('z3-solver')})",)


def test_what_waits_is_the_first_gate_that_is_not_passed(tmp_path: Path) -> None:
    store = open_store(tmp_path)
    advance(store, brief())

    made = planned(store, brief())

    assert made.waiting is not None
    assert (made.waiting.name, made.waiting.gate) == ("schema", GateState.WAITING)
    assert made.list_stages(Fate.NEW) == ALL[1:]


def by_a_model(asked: Brief) -> Brief:
    writer = AuthorDocument(name="anthropic", model="claude-opus-5-5", rounds=1)
    return replace(asked, parts=asked.parts.model_copy(update={"author": writer}))


def writer(store: Store, asked: Brief) -> Author:
    return choose_author(asked, store.objects)


def test_another_author_is_reported_and_its_questions_are_those_of_stale_stages(
    store: Store,
) -> None:
    asked = by_a_model(brief())
    made = planned(store, asked)

    questions = list_questions_ahead(made, writer(store, asked))

    assert why(made)["sop"] == (
        "author anthropic claude-opus-5-5, effort as it comes (was offline)",
    )
    assert questions
    assert {item.stage for item in questions} == {"sop", "api", "toolspec", "tools", "complexity"}
    assert made.list_stages(Fate.KEPT) == ["schema", "dataset"]


def test_what_prose_will_ask_is_not_known_before_the_rules_are(store: Store) -> None:
    text = TEXT[: TEXT.index("model:")] + "author: {name: anthropic, model: claude-opus-5-5}\n"
    asked = read_brief(text.replace("domain: refund", "domain: prose"), "prose.yaml")

    assert list_questions_ahead(planned(store, asked), writer(store, asked)) is None


def test_a_kept_brief_that_cannot_be_read_any_more_hinders_nothing(
    store: Store, tmp_path: Path
) -> None:
    kept = tmp_path / "store" / "refund" / "briefs" / "0001" / "brief.yaml"
    kept.write_text("format: 0\n", encoding="utf-8")
    seal_anew(tmp_path / "store", "refund")
    with pytest.raises(MaterialError):
        read_brief(kept.read_text(), "brief.yaml")

    assert why(planned(store, brief(("value: 30", "value: 20"))))["schema"] == (
        "what the brief says",
    )


def test_inputs_for_which_there_are_no_words_are_named(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = store.get_domain("refund").list_versions("schema")[0].manifest.inputs
    now = {name: was[name] for name in ("sopforge", "solver", "words", "layout")}
    monkeypatch.setattr(orders, "_read_installed_versions", lambda: {**now, "weather": "rain"})

    assert why(planned(store, brief()))["schema"] == ("another input, 'weather'",)


def test_what_was_built_ahead_of_a_gate_is_provisional(tmp_path: Path) -> None:
    store = open_store(tmp_path / "store")
    advance(store, brief(), run_ahead=True)

    made = planned(store, brief())

    assert made.list_stages(Fate.KEPT) == ALL
    states = [stage.gate for stage in made.stages]
    assert states == [GateState.WAITING, *[GateState.PROVISIONAL] * 6]
    assert made.waiting is made.stages[0]


def test_after_a_change_back_the_version_that_counts_is_held_against_a_new_brief(
    store: Store,
) -> None:
    for_twenty = brief(("value: 30,", "value: 20,"))
    advance(store, for_twenty, approve_clean=True)
    advance(store, brief(), approve_clean=True)

    made = planned(store, brief(("value: 30,", "value: 10,")))

    assert [item.number for item in store.get_domain("refund").list_versions("schema")] == [1, 2]
    assert made.stages[0].version is not None
    assert made.stages[0].version.number == 1
    assert made.stages[0].reasons == ("brief: model.policy.refund_days.value 10 (was 30)",)
