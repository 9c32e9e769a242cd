"""Pages say next to each decision of a person and each release who signed it, or why nobody did."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sopforge.pipeline.releases.signatures import sign_release
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.opening import open_store
from sopforge.store.signatures.allowed_signers import keep_signers
from sopforge.store.signatures.signing import Signer
from tests.servers.review_browser import Served
from tests.unit.review.app.conftest import TWO, refund
from tests.worlds.keys import allowed, listed, needs_ssh_keygen
from tests.worlds.quick_builds import settle

pytestmark = needs_ssh_keygen


@pytest.fixture
def folder(tmp_path: Path, keys: dict[str, Path]) -> Path:
    """Return a store in which ada's approval is signed by grace's key, and carol's is unsigned."""
    store = open_store(tmp_path / "signed")
    brief = refund(("author: offline\n", TWO.replace("schema: 2", "schema: 3")))
    advance(store, brief)
    for by, key in (("ada", "grace"), ("carol", "")):
        sign = Signer(keys[key]).sign_entry if key else None
        settle(store, "schema", by=by, sign=sign)
    return tmp_path / "signed"


def pages(served: Served, *addresses: str) -> list[str]:
    browser = served.browser("ada")
    return [browser.get(address).text for address in addresses]


def test_pages_say_of_each_decision_whether_it_is_signed(
    serve: Callable[..., Served], folder: Path, keys: dict[str, Path]
) -> None:
    addresses = ("/d/refund/schema", "/d/refund/schema/gate", "/d/refund/history")
    served = serve(folder)
    for text in pages(served, *addresses):
        assert (
            "signed, but no allowed signers are listed, so the signature was not verified" in text
        )
        assert text.count("unsigned") == 1

    keep_signers(
        served.store.objects, allowed(listed("ada", keys["ada"]), listed("grace", keys["grace"]))
    )
    for text in pages(served, *addresses):
        assert "signature refused" in text
        assert "the key does not belong to ada, but to grace" in text
    keep_signers(served.store.objects, allowed(listed("ada", keys["grace"])))
    for text in pages(served, *addresses):
        assert '<span class="badge passed">signed</span>' in text
        assert "signature refused" not in text


def test_signers_that_are_given_count_before_the_store_s_own(
    serve: Callable[..., Served], folder: Path, keys: dict[str, Path], tmp_path: Path
) -> None:
    given = tmp_path / "given"
    given.write_text("# nobody\n", encoding="utf-8")
    served = serve(folder, signers_file=given)
    keep_signers(served.store.objects, allowed(listed("ada", keys["grace"])))
    (text,) = pages(served, "/d/refund/history")
    assert "the signer is unknown or was removed" in text


def test_the_page_of_releases_says_who_signed_them(
    serve: Callable[..., Served], passed_store: Path, keys: dict[str, Path]
) -> None:
    served = serve(passed_store)
    (text,) = pages(served, "/d/refund/releases")
    assert 'This release: <span class="muted">unsigned</span>' in " ".join(text.split())

    signers = allowed(listed("ada", keys["ada"]))
    sign_release(served.store.get_domain("refund"), "1.0.0", Signer(keys["ada"]))
    keep_signers(served.store.objects, signers)

    (text,) = pages(served, "/d/refund/releases")
    assert (
        '<span class="badge passed">signed</span> <span class="muted">by ada, <code>SHA256:' in text
    )
