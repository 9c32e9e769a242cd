"""``sopforge reread --rate`` over real HTTP: what is asked, recorded, paid for and published."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from sopforge.errors import MaterialError, ProviderError
from sopforge.pipeline.briefs.brief_files import load_latest_brief
from sopforge.store.opening import open_store
from tests.running.commands import invoke as command
from tests.servers.model_server import ModelServer, Say, Seen
from tests.worlds.providers import asked_at_once

FEES = Path(__file__).parents[1] / "briefs" / "fees.yaml"
BY = ("--model", "anthropic:claude-test-1")
WHY = "Two limits decide, and a calculator counts days."


def rating(score: int, why: str = WHY) -> Say:
    return Say(json.dumps({"why": why, "score": score}))


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with the fees, all stages done."""
    folder = tmp_path_factory.mktemp("store")
    assert command("generate", FEES, "--approve-clean", "--store", folder)[0] == 0
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with asked_at_once(monkeypatch) as running:
        yield running


def test_a_rating_is_asked_once_with_its_anchor_kept_and_published(
    server: ModelServer, store: Path
) -> None:
    server.answer = lambda _: rating(4)
    assert command("reread", "--rate", "fees", *BY, "--store", store)[0] == 0
    code, output = command("reread", "--rate", "fees", *BY, "--json", "--store", store)
    seen: Seen = server.seen[0]
    system = json.dumps(seen.body["system"])

    assert code == 0
    assert len(server.seen) == 1  # the second answer is that on record
    assert "Berkeley Function Calling Leaderboard is 2" in system
    by = "anthropic/claude-test-1"
    wanted = {"by": by, "score": 4, "why": WHY}
    assert json.loads(output) == {"package": "fees", **wanted, "kept": True}
    kept = load_latest_brief(open_store(str(store)).get_domain("fees")).parts.package.model_ratings
    assert [item.model_dump() for item in kept] == [wanted]

    # Nothing has to be made anew for it.
    assert command("publish", "fees", "--store", store)[0] == 0
    package = store / "fees" / "releases" / "1.0.0" / "fees"
    metadata = json.loads((package / "metadata.json").read_text(encoding="utf-8"))
    assert (metadata["complexity_score"], metadata["model_ratings"]) == (4.0, [wanted])
    card = (package / "README.md").read_text(encoding="utf-8")
    assert f"{by} rates it 4: {WHY}" in card
    assert (
        "| rated by a language model, from 1 to 10, where Berkeley function calling is 2 | 4 |"
        in card
    )
    assert command("verify", package.parent)[0] == 0


def test_another_rating_of_the_model_takes_the_place_of_its_first(
    server: ModelServer, store: Path
) -> None:
    server.answer = lambda _: rating(7)
    command("reread", "--rate", "fees", "--model", "anthropic:second", "--store", store)
    before = load_latest_brief(
        open_store(str(store)).get_domain("fees")
    ).parts.package.model_ratings
    command("reread", "--rate", "fees", "--model", "anthropic:second", "--store", store)
    after = load_latest_brief(open_store(str(store)).get_domain("fees")).parts.package.model_ratings

    assert before == after
    assert [item.score for item in after if item.by == "anthropic/second"] == [7]


def test_a_published_package_is_rated_and_stays_as_it_is(server: ModelServer, store: Path) -> None:
    server.answer = lambda _: rating(5)
    command("publish", "fees", "--store", store)
    package = next((store / "fees" / "releases").glob("*/fees"))
    before = {path: path.read_bytes() for path in package.rglob("*") if path.is_file()}

    code, output = command(
        "reread", "--rate", package, "--model", "anthropic:third", "--store", store
    )

    assert (code, "The package is unchanged" in output) == (0, True)
    assert {path: path.read_bytes() for path in package.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize(
    "answer", [rating(0), rating(11), rating(4, " ")], ids=["0", "11", "blank"]
)
def test_a_rating_off_the_scale_is_refused_and_not_kept(
    server: ModelServer, store: Path, answer: Say, request: pytest.FixtureRequest
) -> None:
    server.answer = lambda _: answer
    model = f"anthropic:{request.node.callspec.id}"
    with pytest.raises(ProviderError, match="rating-not-usable"):
        command("reread", "--rate", "fees", "--model", model, "--store", store)
    kept = load_latest_brief(open_store(str(store)).get_domain("fees")).parts.package.model_ratings
    assert not [item for item in kept if item.by.endswith(request.node.callspec.id)]


def test_who_rates_must_be_named(store: Path) -> None:
    with pytest.raises(MaterialError, match="reader-malformed"):
        command("reread", "--rate", "fees", "--model", "claude", "--store", store)
