"""Labels in bulk are those of the oracle, row by row."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sopforge.language.logic.walking import collect_outcomes
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.proof.dataset.oracle import label_row
from sopforge.proof.dataset.sampling.bulk import as_columns, as_rows, label_columns
from sopforge.proof.dataset.sampling.sampling import sample_columns, sample_rows
from tests.worlds.small_models import warranty

ROOT = Path(__file__).parents[4]
EVERYTHING = ROOT / "tests" / "domains" / "everything.yaml"
SHIPPED = [*(ROOT / "briefs").glob("*.yaml"), *(ROOT / "tests" / "briefs").glob("*.yaml")]


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_bulk_labels_are_the_oracles(path: Path) -> None:
    model = load_brief(path).model
    rows = sample_rows(model, 11, range(400))
    walks = [label_row(model, row) for row in rows]
    kept = [place for place, walk in enumerate(walks) if not walk.refusal and not walk.undecided]
    labels = label_columns(model, as_columns(model, [rows[place] for place in kept]))
    for name, found in labels.items():
        expected = [collect_outcomes(model, walks[place])[name] for place in kept]
        actual = [
            value if is_there else None
            for value, is_there in zip(found.values, found.present, strict=True)
        ]
        assert actual == expected


def test_no_rows_have_no_labels() -> None:
    model = load_brief(EVERYTHING).model

    labels = label_columns(model, as_columns(model, []))

    assert list(labels) == [item.name for item in model.outcomes]
    assert {len(found.values) for found in labels.values()} == {0}
    assert {len(found.present) for found in labels.values()} == {0}


def test_a_mark_stands_in_its_column_without_its_field() -> None:
    columns = as_columns(warranty(), [{"claim_id malformed": 1}, {"claim_id malformed": None}])

    assert columns.present["claim_id malformed"].tolist() == [True, False]


def test_columns_without_a_mark_make_no_rows() -> None:
    """Else each input would pass for malformed."""
    model = warranty()
    columns = sample_columns(model, 3, range(4))
    present = {name: part for name, part in columns.present.items() if "malformed" not in name}

    with pytest.raises(KeyError):
        as_rows(model, replace(columns, present=present))
