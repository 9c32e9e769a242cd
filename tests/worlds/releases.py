"""Releases as tests publish, copy and forge them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sopforge.artifacts.packaging.checksums import (
    compute_file_digest,
    read_folder_files,
    render_checksums,
)
from sopforge.artifacts.packaging.release import list_packages
from sopforge.evaluation.serving.served import Served
from sopforge.harness.environment.session import open_session
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import load_brief
from sopforge.pipeline.releases.publishing import Published, publish
from sopforge.pipeline.stages.pipeline import Ending, advance
from sopforge.store.digests import digest_files
from sopforge.store.entries import DecisionVerdict
from sopforge.store.log.audit_log import Opinion
from sopforge.store.opening import open_store
from sopforge.store.versions import Store
from tests.worlds.edited_sops import edit_and_sign
from tests.worlds.made_domains import make_domain
from tests.worlds.quick_builds import settle
from tests.worlds.shared_builds import Shared
from tests.worlds.small_models import changed
from tests.worlds.worded import let_worded_wait

COUNTER = Path(__file__).parents[2] / "docs" / "examples" / "small_counter.yaml"
REFUND = Path(__file__).parents[1] / "briefs" / "refund.yaml"
FEES = Path(__file__).parents[1] / "briefs" / "fees.yaml"
POINT = "Every limit of the manual is there."
GATES = (
    "author: offline",
    f"gates: {{approvers: {{sop: 2}}, checklist: [{POINT}]}}\nauthor: offline",
)
WORDS = "Nobody outside may read this."
DOSES = {"ambiguity": 2, "refusals": 3, "queue": 4, "faults": 2}


def refund_release(shared: Shared) -> Path:
    """Return the folder of a release of the refunds; it is made once, and nobody changes it."""
    return _release(shared, REFUND)


def fees_release(shared: Shared) -> Path:
    """Return the folder of a release of the fees, which is made once, too."""
    return _release(shared, FEES)


def _release(shared: Shared, path: Path) -> Path:
    def make(folder: Path) -> Path:
        store, brief = open_store(folder), read_brief(path.read_text("utf-8"), path.name)
        advance(store, brief, approve_clean=True)
        return Path(publish(store, brief).packages["L0"]).parent

    return shared.get_folder(f"{path.stem}-release", make)[1]


def reviewed_brief() -> Brief:
    """Return a brief that asks two persons to approve the SOP."""
    return read_brief(changed(REFUND.read_text(encoding="utf-8"), GATES), "refund.yaml")


def reviewed(store: Store) -> Published:
    """Publish a domain that persons rejected once, edited, signed, rated and approved."""
    brief = reviewed_brief()
    advance(store, brief, approve_clean=True)
    said = Opinion(feedback=WORDS)
    let_worded_wait(store, "refund")
    _decide(store, DecisionVerdict.REQUEST_CHANGES, "grace", said)
    text = advance(store, brief).version.files["sop.txt"]
    text = text.replace("Take the steps in order", "Follow the steps in order")
    edit_and_sign(store, brief, text, "grace")
    advance(store, brief)
    for by, ease in (("ada", 7), ("grace", 8)):
        said = Opinion(ratings={"ease": ease, "ambiguity": 2, "reasoning": 6}, checked=(POINT,))
        _decide(store, DecisionVerdict.APPROVE, by, said)
    assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
    return publish(store, brief)


def publish_orders(shared: Shared) -> Path:
    """Return the package of a domain in which an action changes what is answered later."""
    return make_domain(shared, "orders").folder()


def publish_counter(shared: Shared) -> Path:
    """Return the package of a domain with tables, whose records calls change."""

    def make(folder: Path) -> str:
        store, brief = open_store(folder), load_brief(COUNTER)
        advance(store, brief, approve_clean=True)
        return publish(store, brief).packages["L0"]

    _, package = shared.get_folder("counter-package", make)
    return Path(package)


def publish_with_dials(shared: Shared) -> Path:
    """Return the package of a level of the counter with dials, a queue among them."""

    def make(folder: Path) -> str:
        doses = ", ".join(f"{name}: {dose}" for name, dose in DOSES.items())
        asked = f"complexity: {{levels: [L0, dials], dials: {{{doses}}}}}\n"
        text = changed(COUNTER.read_text("utf-8"), ("complexity: {levels: [L0]}\n", asked))
        store, brief = open_store(folder), read_brief(text, "brief.yaml")
        assert advance(store, brief, approve_clean=True).ending is Ending.APPROVED
        return publish(store, brief).packages["dials"]

    return Path(shared.get_folder("counter-dials", make)[1])


def find_open_order(served: Served) -> tuple[str, dict[str, str]]:
    """Return a task whose goods are not reserved yet, and the arguments that name its order."""
    with served.open_environment() as environment:
        for task in served.shown.tasks.values():
            order = {"order_id": task.inputs["order_id"]}
            if not open_session(environment, task.id).call("reserveGoods", order).refusal:
                return task.id, order
    raise AssertionError("the goods of all orders are reserved")


def _decide(store: Store, verdict: DecisionVerdict, by: str, said: Opinion) -> None:
    settle(store, "sop", verdict, by=by, opinion=said)


def change_json(path: Path, edit_it: Callable[[dict[str, Any]], object]) -> None:
    """Change what a JSON file says, in the form that it was written in."""
    text = path.read_text(encoding="utf-8")
    value = json.loads(text)
    edit_it(value)
    indent = 2 if text.startswith("{\n  ") else 1
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=False) + "\n", encoding="utf-8")


def sealed(release: Path) -> None:
    """Make all digests of a release anew, as whoever forges it would."""
    packages = list_packages(release)
    for package in packages:
        files = read_folder_files(package)
        files.pop("SHA256SUMS")
        (package / "SHA256SUMS").write_text(render_checksums(files), encoding="utf-8")
    files = read_folder_files(release)
    files.pop("release.json")
    sums = {path.name: compute_file_digest((path / "SHA256SUMS").read_bytes()) for path in packages}
    change_json(
        release / "release.json",
        lambda record: record.update(packages=sums, files=digest_files(files)),
    )


def rechain(release: Path, edit_entry: Callable[[dict[str, Any]], object]) -> None:
    """Rewrite each entry of a release's log, and make the chain and the pinned head anew."""
    previous, entries = "", sorted((release / "audit_log").glob("*.json"))
    for path in entries:
        value = json.loads(path.read_text(encoding="utf-8"))
        edit_entry(value)
        value["previous"] = previous
        text = json.dumps(value, indent=1, ensure_ascii=False) + "\n"
        path.write_text(text, encoding="utf-8")
        previous = compute_file_digest(text)
    change_json(release / "release.json", lambda record: record.update(audit_log=previous))
