"""Patches of variants, in the brief and in files beside it, and where their faults are reported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sopforge.errors import Fault, MaterialError
from sopforge.language.domain.documents.yaml_documents import Document
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.briefs.patches import Patch
from sopforge.pipeline.briefs.variants import build_variant_brief
from tests.worlds.small_models import ORDERS

STRICT = "policy:\n  open_limit: {value: 4000}\nconstraints: null\n"


def brief_with(
    folder: Path, patch: str, variants: str = "{v2: {patch: patches/strict.yaml}}"
) -> Brief:
    """Return a brief on the disk, with a patch in a file beside it."""
    (folder / "patches").mkdir()
    (folder / "patches" / "strict.yaml").write_text(patch, encoding="utf-8")
    text = ORDERS.replace("levels: [L0, L2, L3]", f"levels: [L0], variants: {variants}")
    (folder / "orders.yaml").write_text(text, encoding="utf-8")
    return load_brief(folder / "orders.yaml")


def faults(folder: Path, brief: Brief) -> tuple[Fault, ...]:
    with pytest.raises(MaterialError) as caught:
        build_variant_brief(brief, "v2", folder)
    return tuple(caught.value.faults)


def test_a_patch_in_a_file_makes_the_variant_that_it_makes_in_the_brief(tmp_path: Path) -> None:
    inline = "{v2: {patch: {policy: {open_limit: {value: 4000}}, constraints: null}}}"
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()

    made = build_variant_brief(brief_with(tmp_path / "one", STRICT), "v2", tmp_path / "one")
    same = build_variant_brief(brief_with(tmp_path / "two", STRICT, inline), "v2", tmp_path / "two")

    assert made.text == same.text
    assert made.model.policy["open_limit"].constant.value == 4000
    assert made.model.constraints == ()


@pytest.mark.parametrize(
    ("patch", "code", "where", "part"),
    [
        pytest.param(
            "policy: [1\n", "invalid-yaml", "patches/strict.yaml:2, column 1", "", id="not YAML"
        ),
        pytest.param(
            "- policy\n", "invalid-value", "patches/strict.yaml:1", "a mapping", id="no mapping"
        ),
        pytest.param(
            "policy:\n  open_limit:\n    worth: 1\n",
            "unknown-field",
            "patches/strict.yaml:3, policy.open_limit.worth",
            "there is no field 'worth'",
            id="unknown key",
        ),
        pytest.param(
            "\npolicy:\n  new_limit: {value: 1}\n",
            "missing-field",
            "patches/strict.yaml:3, policy.new_limit.meaning",
            "'meaning' is required",
            id="key that lacks",
        ),
        pytest.param(
            "policy:\n  open_limt: null\n",
            "patch-not-applicable",
            "patches/strict.yaml:2, policy.open_limt",
            "did you mean 'open_limit'?",
            id="nothing to take away",
        ),
        pytest.param(
            "decisions:\n  release:\n    rules:\n    - {id: R1, when: teir > 1, then: held}\n",
            "unknown-field",
            "patches/strict.yaml:4, decisions.release.rules.0.when",
            "did you mean 'tier'?",
            id="rule that cannot be read",
        ),
    ],
)
def test_what_is_wrong_with_a_file_is_reported_at_its_line(
    tmp_path: Path, patch: str, code: str, where: str, part: str
) -> None:
    fault = faults(tmp_path, brief_with(tmp_path, patch))[0]

    assert fault.code == code
    assert fault.where == f"{tmp_path}/{where}"
    assert part in f"{fault.message} {fault.hint}"


def test_a_part_that_is_new_by_a_slip_is_reported_with_the_one_that_was_meant(
    tmp_path: Path,
) -> None:
    brief = brief_with(tmp_path, "policy:\n  open_limt: {value: 4000}\n")

    fault = faults(tmp_path, brief)[0]

    assert (fault.code, fault.where) == (
        "missing-field",
        f"{tmp_path}/patches/strict.yaml:2, policy.open_limt.meaning",
    )
    assert fault.hint == "did you mean 'open_limit'? Otherwise, add 'meaning: ...'"


def test_what_is_wrong_with_a_patch_in_the_brief_is_reported_there(tmp_path: Path) -> None:
    inline = "{v2: {patch: {policy: {open_limit: {worth: 1}}}}}"
    brief = brief_with(tmp_path, STRICT, inline)
    [fault] = faults(tmp_path, brief)

    line = brief.text.split("\n").index(f"complexity: {{levels: [L0], variants: {inline}}}") + 1
    place = "complexity.variants.v2.patch.policy.open_limit.worth"
    assert fault.where == f"{tmp_path}/orders.yaml:{line}, {place}"


def test_what_a_patch_breaks_elsewhere_is_reported_at_its_line_of_the_brief(tmp_path: Path) -> None:
    brief = brief_with(tmp_path, "policy: {prime_factor: null}\n")
    [fault] = faults(tmp_path, brief)

    lines = brief.text.split("\n")
    line = next(number for number, text in enumerate(lines, 1) if "id: R1" in text)
    assert fault.where == (
        f"{tmp_path}/orders.yaml:{line}, model.decisions.release.rules.0.when, as variant 'v2'"
        f" changes it by the patch at {tmp_path}/patches/strict.yaml:1"
    )
    assert "prime_factor" in fault.message


@pytest.mark.parametrize(
    ("name", "code"),
    [
        pytest.param("patches/strikt.yaml", "patch-not-found", id="missing"),
        pytest.param("../strict.yaml", "patch-outside", id="outside"),
        pytest.param("patches", "not-a-file", id="folder"),
    ],
)
def test_a_file_that_cannot_be_read_is_reported_at_the_line_that_names_it(
    tmp_path: Path, name: str, code: str
) -> None:
    brief = brief_with(tmp_path, STRICT, f"{{v2: {{patch: {name}}}}}")
    [fault] = faults(tmp_path, brief)

    assert fault.code == code
    assert fault.where == brief.document.locate_part(("complexity", "variants", "v2", "patch"))
    assert fault.hint == "did you mean 'strict.yaml'?" or code != "patch-not-found"


class Counted(dict[tuple[str | int, ...], int]):
    """Lines of a document that count how often all of them are looked at."""

    looks = 0

    def items(self) -> Any:  # noqa: ANN401 - as of any mapping
        self.looks += 1
        return super().items()


def test_many_faults_of_a_patch_are_placed_in_one_look_at_it() -> None:
    lines = Counted({(f"k{number}",): number for number in range(2_000)})
    lines[()] = 1
    patch = Patch(Document("p.yaml", {}, lines), (), {})

    places = [patch.find_line(f"model.k{number}.x") for number in range(2_000)]

    assert places[7] == (len("model.k7"), 7)
    assert places[1_999] == (len("model.k1999"), 1_999)
    assert patch.find_line("model.other") == (len("model"), 1)
    assert patch.find_line("other") == (0, 1)
    assert lines.looks == 1
