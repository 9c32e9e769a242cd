"""``verify``, ``yank`` and ``draw`` as they are typed: what they print, and how they end."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from sopforge.cli.app import app
from sopforge.errors import MaterialError
from sopforge.language.domain.reading import read_brief
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from tests.worlds.changed_briefs import REFUND


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Published:
    store, brief = open_store(tmp_path_factory.mktemp("store")), read_brief(REFUND, "brief.yaml")
    advance(store, brief, approve_clean=True)
    return publish(store, brief)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def test_each_claim_is_reported_with_what_was_found(published: Published) -> None:
    done = run("verify", published.place, "--digest", published.digest)

    assert done.exit_code == 0
    line = (
        "  verified      stages are approved as the brief asks: policy-approved by approve-clean: "
    )
    assert f"{line}schema, sop, dataset, api, toolspec, tools, complexity\n" in done.output
    last = f"{published.place}: 17 verified, 4 not verified. Its digest is {published.digest}\n"
    assert done.output.endswith(last)


def test_a_claim_that_fails_is_reported_with_its_findings(published: Published) -> None:
    done = run("verify", published.place, "--digest", "0" * 64)

    assert done.exit_code == 1
    assert f"error release-wrong: the digest of the release is {published.digest}" in done.output
    assert "1 failed" in done.output


@pytest.mark.parametrize("text", ["12ab", "A" * 64, "x" * 64])
def test_what_is_no_digest_is_bad_input(published: Published, text: str) -> None:
    with pytest.raises(MaterialError, match="is not a digest"):
        run("verify", published.place, "--digest", text)


def test_a_yank_without_a_reason_is_bad_input(published: Published) -> None:
    store = published.place.partition("/refund/")[0]
    with pytest.raises(MaterialError, match="needs a reason"):
        run("yank", "refund", "1.0.0", "--store", store)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("refund@9.0.0", "'refund' has no release 9.0.0; its releases are 1.0.0"),
        ("refund/L9", "has no package 'L9'; its packages are refund, refund_l1"),
        ("refunds/L1", "there is no folder refunds/L1, and .* has no domain 'refunds'"),
        ("no/such/folder", "there is no folder no/such/folder"),
    ],
)
def test_what_is_not_there_is_reported_with_what_is(
    published: Published, name: str, message: str
) -> None:
    store = published.place.partition("/refund/")[0]
    with pytest.raises(MaterialError, match=message):
        run("run-oracle", name, "--store", store)


def test_a_package_in_its_release_is_verified_with_it(published: Published) -> None:
    store = str(Path(published.place).parents[2])
    done = run("verify", "refund/L1", "--store", store)

    assert done.exit_code == 0
    assert (
        "  verified      the store has it and its log: 0 entries were added since\n" in done.output
    )
