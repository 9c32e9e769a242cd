"""What a package says of itself: scored columns, answers, canary, licence, card."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml

from sopforge.artifacts.packaging.licences import LICENCES
from sopforge.artifacts.packaging.release import Release
from sopforge.artifacts.packaging.sop_bench import build_package_files
from sopforge.language.domain.documents.schema import LicenceId, PackageDocument
from sopforge.language.domain.reading import read_brief
from sopforge.proof.dataset.coverage.drawing import draw_tasks
from sopforge.proof.dataset.tasks.writing import as_task
from tests.conftest import Released

FEES = Path(__file__).parents[2] / "briefs" / "fees.yaml"
SIDE_OF_THE_AGENT = (
    *("sop.txt", "tools.py", "toolspecs.json", "openapi.yaml", "records.csv", "tasks.jsonl"),
    "test_set_without_outputs.csv",
)


def package(**terms: object) -> dict[str, str]:
    """Return the text files of a package of the fees, under terms."""
    brief = read_brief(FEES.read_text(encoding="utf-8"), FEES.name)
    drawn = draw_tasks(brief.model, brief.parts.dataset)
    words: dict[str, Any] = dict.fromkeys(
        (
            *("domain_yaml", "sop", "tools", "toolspecs", "openapi", "explanations"),
            *("coverage", "coverage_text", "profile"),
        ),
        "",
    )
    release = Release(
        **words,
        name="fees",
        version="1.0.0",
        level="L0",
        model=brief.model,
        tasks=tuple(as_task(brief.model, item, 20) for item in drawn.tasks),
        records={},
        provenance={},
        terms=PackageDocument.model_validate(terms),
        seed=7,
    )
    return {
        name: text for name, text in build_package_files(release).items() if isinstance(text, str)
    }


def answers(files: dict[str, str], column: str) -> set[str]:
    return {row[column] for row in csv.DictReader(io.StringIO(files["test_set_with_outputs.csv"]))}


def test_a_number_is_answered_with_its_places_and_its_unit_as_the_metadata_say() -> None:
    files = package()
    found = answers(files, "fee")
    assert {"3.75 EUR", "12.50 EUR", "no fee due"} <= found
    assert all(re.fullmatch(r"\d+\.\d\d EUR|no fee due", cell) for cell in found)
    fee = json.loads(files["metadata.json"])["columns"]["fee"]
    declared = [fee[name] for name in ("type", "places", "unit", "missing")]
    assert declared == ["number", 2, "EUR", "no fee due"]


@pytest.mark.parametrize(
    ("outputs", "columns"), [("primary", ["lateness"]), ("all", ["lateness", "fee"])]
)
def test_the_brief_says_which_columns_are_scored(outputs: str, columns: list[str]) -> None:
    assert json.loads(package(outputs=outputs)["metadata.json"])["output_columns"] == columns


def test_the_metadata_the_card_and_the_checksums_name_what_runs_and_scores_a_package() -> None:
    files = package()
    metadata = json.loads(files["metadata.json"])
    assert (metadata["environment"], metadata["scorer"]) == ("environment.py", "grader/score.py")
    for name in ("environment.py", "grader/score.py", "grader/answers.json"):
        assert name in files
        assert name in files["SHA256SUMS"]
        assert f'"@id": "{name}"' in files["croissant.json"]
        assert Path(name).name in files["README.md"]


def test_ratings_stand_in_the_metadata_only_if_the_brief_has_them() -> None:
    plain = json.loads(package()["metadata.json"])
    rated = json.loads(package(human_complexity="6.5", complexity_score=7)["metadata.json"])
    assert not {"human_complexity", "complexity_score"} & set(plain)
    assert (rated["human_complexity"], rated["complexity_score"]) == (6.5, 7.0)


RATERS = (
    {"by": "Ada", "ease": 7, "ambiguity": 3, "reasoning": 5},
    {"by": "Grace", "ease": 8, "ambiguity": 3, "reasoning": 6},
    {"by": "Alan", "ease": 6, "ambiguity": 4, "reasoning": 5},
)
MODEL = {"by": "openai/model-x", "score": 6, "why": "Exceptions rest on each other."}


def test_raters_of_the_brief_stand_with_their_means_and_their_agreement() -> None:
    files = package(ratings=RATERS, model_ratings=[MODEL])
    metadata = json.loads(files["metadata.json"])

    assert metadata["human_ratings"]["sop"]["ease"] == {"mean": 7.0, "raters": 3}
    assert metadata["human_complexity"] == 4.22  # (11 - 7 + 3.33 + 5.33) / 3, means to two places
    # Within: (1+1+4 + 0+1+1 + 1+0+1) · 2 / 2 = 10 over 9 marks. Among 7 8 6 3 3 4 5 6 5, of sum 47
    # and squares 269: 2 (9 · 269 - 47²) = 424 over 72 pairs. 1 - (10/9) / (424/72) = 43/53.
    assert metadata["rating_agreement"] == {
        "coefficient": "Krippendorff's alpha, interval",
        "alpha": 0.811,
        "raters": 3,
        "rated": ["ambiguity", "ease", "reasoning"],
        "is_enough": True,
    }
    assert metadata["model_ratings"] == [MODEL]
    assert metadata["complexity_score"] == 6.0
    card = files["README.md"]
    assert "| agreement of the raters (Krippendorff's alpha) | 0.811 |" in card
    assert "openai/model-x rates it 6: Exceptions rest on each other." in card


def test_the_card_says_who_was_not_asked() -> None:
    card = package(complexity_score=3)["README.md"]
    assert "Nobody who knows the trade has rated the SOP." in card
    # A score that the brief states is no language model's.
    assert "No language model was asked how hard it is." in card
    assert "2 persons rated the SOP: the papers ask 3." in package(ratings=RATERS[:2])["README.md"]


def test_a_score_that_the_brief_states_prevails_over_a_models() -> None:
    files = package(complexity_score=3, model_ratings=[MODEL])
    assert json.loads(files["metadata.json"])["complexity_score"] == 3.0
    assert "| as the brief rates it, from 1 to 10 | 3 |" in files["README.md"]
    assert "rated by a language model" not in files["README.md"]


def test_terms_without_ratings_are_those_of_earlier_releases() -> None:
    assert PackageDocument().as_terms() == {
        "outputs": "primary",
        "licence": "CC-BY-4.0",
        "authors": [],
        "released": None,
        "complexity_score": None,
        "human_complexity": None,
    }
    assert PackageDocument.model_validate({"ratings": RATERS}).as_terms()["ratings"] == list(RATERS)


def test_every_licence_of_a_brief_is_known_and_named() -> None:
    assert set(LICENCES) == set(get_args(LicenceId))
    files = package(licence="CC0-1.0", authors=["A. Adler", "B. Berg"])
    assert "SPDX-License-Identifier: CC0-1.0" in files["LICENSE.md"]
    assert "A. Adler and B. Berg" in files["LICENSE.md"]
    assert json.loads(files["metadata.json"])["licence"] == "CC0-1.0"
    assert json.loads(files["croissant.json"])["license"] == LICENCES["CC0-1.0"].url


def test_without_a_date_in_the_brief_nothing_is_dated() -> None:
    files = package()
    assert "datePublished" not in files["croissant.json"]
    assert "released" not in json.loads(files["metadata.json"])
    assert json.loads(package(released="2026-02-03")["croissant.json"])["datePublished"] == (
        "2026-02-03"
    )


def test_the_canary_is_beside_the_answers_and_never_before_an_agent(released: Released) -> None:
    files = released.package
    canary = json.loads(files["metadata.json"])["canary"]
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", canary)
    for name in ("README.md", "disclaimer.txt", "croissant.json", "provenance.json"):
        assert canary in files[name], name
    lines = files["grader/tasks.jsonl"].splitlines()
    assert [json.loads(line)["canary"] for line in lines] == [canary] * 120
    assert [name for name in SIDE_OF_THE_AGENT if canary in files[name]] == []


def test_the_levels_of_a_release_share_the_canary_and_another_seed_has_its_own(
    released: Released,
) -> None:
    found = {
        json.loads(Path(place, "metadata.json").read_text(encoding="utf-8"))["canary"]
        for place in released.published.packages.values()
    }
    assert len(found) == 1
    assert found != {json.loads(package()["metadata.json"])["canary"]}


def test_the_card_has_a_front_matter_and_all_of_its_sections(released: Released) -> None:
    _, matter, card = released.package["README.md"].split("---\n", 2)
    read = yaml.safe_load(matter)
    assert (read["license"], read["size_categories"]) == ("cc-by-4.0", ["n<1K"])
    assert read["configs"][0]["data_files"][0]["path"] in released.package
    assert re.findall(r"^## (.*)$", card, re.MULTILINE) == [
        *("How it was made", "Ratings and figures", "How to use it", "Files", "Tools", "Inputs"),
        *("Outcomes", "Splits"),
        *("Balance", "Intended use", "Limits", "Licence", "Citation", "Canary"),
    ]


def test_the_card_says_what_an_answer_that_is_always_the_same_scores() -> None:
    tasks = [json.loads(line) for line in package()["grader/tasks.jsonl"].splitlines()]
    charged = [task for task in tasks if task["outcomes"]["lateness"] == "charged"]
    dear = [task for task in charged if task["outcomes"]["fee"] == "12.50"]
    goals = [task for task in tasks if task["key"].startswith("goal:")]

    card = package()["README.md"]
    always = "right by always answering lateness: charged"
    both = "all right by always answering lateness: charged, fee: 12.50"
    assert (len(tasks), len(goals), len(charged), len(dear)) == (20, 13, 11, 6)
    assert "| tasks there for the sake of a goal | 13 | 65.0 % |" in card
    assert f"| {always} | 11 | 55.0 % |" in card
    assert f"| {both} | 6 | 30.0 % |" in card


def test_the_card_names_no_file_that_the_package_lacks(released: Released) -> None:
    folder = Path(released.published.packages["L0"])
    named = set(re.findall(r"`([\w/]+\.(?:txt|json|jsonl|csv|py|md|yaml|parquet))`",
                           released.package["README.md"]))  # fmt: skip
    assert len(named) > 15
    missing = {name for name in named if not (folder / name).exists()}
    assert {name for name in missing if not (folder / "grader" / name).exists()} == set()
