"""A package as it is served: all of it comes from the agent's side."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from sopforge.errors import PackageUnreadableError
from sopforge.evaluation.serving.served import read_served
from sopforge.harness.environment.session import open_session
from tests.conftest import Released
from tests.worlds.releases import find_open_order, publish_orders
from tests.worlds.shared_builds import Shared


@pytest.fixture
def package(released: Released, tmp_path: Path) -> Path:
    """Return a copy of the package of the patient intake, without what a grader knows."""
    folder = tmp_path / "patient_intake"
    shutil.copytree(released.published.packages["L0"], folder)
    shutil.rmtree(folder / "grader")
    return folder


def test_look_ups_and_calculations_are_read_only_and_actions_are_not(
    package: Path, shared: Shared
) -> None:
    served = read_served(package)

    assert served.read_only == {
        "validateInsurance",
        "validatePrescriptionBenefits",
        "calculateLifestyleRisk",
        "calculateOverallRisk",
        "verifyPharmacy",
    }
    assert {tool.name for tool in served.shown.tools} - served.read_only == {"registerPatient"}
    assert read_served(publish_orders(shared)).read_only == {"getOrder", "getCustomer", "getRegion"}


def test_without_its_api_nothing_is_said_of_the_tools(package: Path) -> None:
    (package / "openapi.yaml").unlink()

    assert read_served(package).read_only == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "paths: [",
        "paths: 3",
        "[]",
        "paths: {/a: {post: {}}}",
        "paths: &all {<<: *all}",
        "\n".join([f"a{n}: &a{n} {{<<: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, 60)]),
        "paths: " + "[" * 100_000,
        "paths: " + "{a: " * 900 + "1" + "}" * 900,
        'paths: {"\\ud800": 1}',
    ],
    ids=["open", "number", "list", "bare", "merged with itself", "merges", "depth", "maps", "half"],
)
def test_an_api_of_another_shape_is_named(package: Path, text: str) -> None:
    (package / "openapi.yaml").write_text(text)

    with pytest.raises(PackageUnreadableError) as caught:
        read_served(package)
    assert caught.value.faults[0].message.startswith("openapi.yaml cannot be read")


def test_a_change_is_seen_in_its_own_session_alone(shared: Shared) -> None:
    served = read_served(publish_orders(shared))
    with served.open_environment() as environment:
        task, order = find_open_order(served)
        one, other = (open_session(environment, task) for _ in range(2))
        before = other.call("getOrder", order)
        assert not one.call("reserveGoods", order).refusal
        assert one.call("getOrder", order).result != before.result
        assert other.call("getOrder", order).result == before.result
