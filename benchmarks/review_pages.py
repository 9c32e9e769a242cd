"""What the review pages take with a thousand domains: by the clock, beside a static file.

The domains are synthetic, as in ``domains``, with a brief each. Beside them stand some of which the
schema was made, approved and made anew of a changed brief, and one of which all stages were: their
pages compare. The app is the command, in a process of its own; the target is 300 ms at the 95th
percentile.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import httpx
from rich.console import Console
from rich.table import Table

from benchmarks.domains import make_domain
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.stages.pipeline import advance
from sopforge.store.last_run import LastRun, RunSettings, keep_last_run
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import Store

BRIEF = Path(__file__).parents[1] / "tests" / "briefs" / "refund.yaml"
DOMAINS = 1_000
COMPARED = 20
WHOLE = "compared_whole"
REQUESTS = 240
TARGET_MS = 300.0
_COMMAND = "from sopforge.cli import main; main()"
_START_SECONDS = 60
_CHANGED = ("value: 30,", "value: 20,")
_RUNNING = "hx-trigger"


@dataclass(frozen=True, slots=True)
class Measured:
    """What requests of some kind took, in milliseconds."""

    kind: str
    times: list[float] = field(default_factory=list)

    @property
    def middle(self) -> float:
        """The median."""
        return quantiles(self.times, n=20, method="inclusive")[9]

    @property
    def late(self) -> float:
        """The 95th percentile."""
        return quantiles(self.times, n=20, method="inclusive")[18]


def main() -> None:
    """Print the table."""
    Console(width=110).print(review_pages())


def review_pages() -> Table:
    """Return the milliseconds of the inbox and of comparisons, beside those of a static file."""
    shown = Table(
        title=f"review pages with {DOMAINS:,} domains of {len(STAGE_NAMES)} stages, by the clock",
        box=None,
        title_justify="left",
    )
    for column in ("request", "p50", "p95", "of a static file", "below 300 ms"):
        shown.add_column(column, justify="right")
    with TemporaryDirectory() as home:
        with _without_waiting_for_the_disk():
            _make(open_store(Path(home) / "store"))
        with _served(Path(home)) as client:
            for kind in (measured := _measure(client)):
                ratios = (
                    f"{kind.middle / measured[0].middle:.1f}, {kind.late / measured[0].late:.1f}"
                )
                verdict = "yes" if kind.late < TARGET_MS else "NO"
                cells = f"{kind.middle:.1f} ms", f"{kind.late:.1f} ms", ratios, verdict
                shown.add_row(kind.kind, *cells)
    return shown


def _measure(client: httpx.Client) -> list[Measured]:
    """Ask for each kind of page in turn, so that what else the machine does meets all alike."""
    kinds = {
        "a static file": ["/static/desk.css"],
        "the inbox": ["/", "/?page=7", "/?phase=waiting", "/?phase=me", "/?q=12&stage=sop"],
        "a stage's comparison, first asked for": [],
        "a stage's comparison": [_stage_address(number) for number in range(COMPARED)],
        "a domain's comparison": [f"/d/{WHOLE}/changes"],
    }
    found = {kind: Measured(kind) for kind in kinds}
    first = found["a stage's comparison, first asked for"]
    for address in kinds["a stage's comparison"]:
        first.times.append(_milliseconds(client, address))
    for address in (*kinds["a stage's comparison"], *kinds["a domain's comparison"]):
        _wait_until_shown(client, address)
    for number in range(REQUESTS):
        for kind, addresses in kinds.items():
            if addresses:
                address = addresses[number % len(addresses)]
                found[kind].times.append(_milliseconds(client, address))
    return list(found.values())


def _stage_address(number: int) -> str:
    return f"/d/compared_{number}/schema/changes"


def _milliseconds(client: httpx.Client, address: str) -> float:
    started = time.perf_counter()
    client.get(address).raise_for_status()
    return (time.perf_counter() - started) * 1_000


def _wait_until_shown(client: httpx.Client, address: str) -> None:
    """Ask until a comparison is there, as the page does."""
    while _RUNNING in client.get(address, headers={"hx-request": "true"}).text:
        time.sleep(0.05)


def _make(store: Store) -> None:
    for number in range(DOMAINS):
        domain = f"domain_{number:04}"
        files = {"draft.md": b"", "brief.yaml": _brief(domain).text.encode()}
        store.objects.create_all(f"{domain}/briefs/0001", files, last="brief.yaml")
        make_domain(store.get_domain(domain), number)
        decided = len(AuditLog(store.get_domain(domain)).list_entries())
        # Without it, the app would take all that is decided on.
        done = LastRun(RunSettings(), Decimal(0), decided, 1, "AwaitingApproval")
        keep_last_run(store.get_domain(domain), done)
    for number in range(COMPARED):
        _make_twice(store, f"compared_{number}", is_whole=False)
    _make_twice(store, WHOLE, is_whole=True)


def _make_twice(store: Store, domain: str, *, is_whole: bool) -> None:
    """Make a domain, all of it or its schema, and then anew of a changed brief."""
    from sopforge.pipeline.gates.gate import decide  # noqa: PLC0415 - slow to import
    from sopforge.store.entries import DecisionVerdict  # noqa: PLC0415

    advance(store, _brief(domain), approve_clean=is_whole)
    if not is_whole:
        decide(
            store.get_domain(domain),
            stage="schema",
            digest="",
            verdict=DecisionVerdict.APPROVE,
            by="ada",
        )
    advance(store, _brief(domain, _CHANGED), approve_clean=False)


def _brief(domain: str, *changes: tuple[str, str]) -> Brief:
    text = BRIEF.read_text(encoding="utf-8")
    for old, new in (("domain: refund\n", f"domain: {domain}\n"), *changes):
        text = text.replace(old, new, 1)
    return read_brief(text, f"{domain}.yaml")


@contextmanager
def _without_waiting_for_the_disk() -> Iterator[None]:
    """Have what is written be on the disk some time: this store need survive no power cut."""
    waits = os.fsync
    setattr(os, "fsync", lambda handle: None)  # noqa: ARG005, B010 - mypy takes it for a constant
    try:
        yield
    finally:
        setattr(os, "fsync", waits)  # noqa: B010


@contextmanager
def _served(home: Path) -> Iterator[httpx.Client]:
    """Serve the store to this machine alone; return a client that has opened the inbox."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    place = ("--store", str(home / "store"), "--users", str(home / "users.json"))
    with (
        _process("review", *place, "--port", str(port)) as app,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as client,
    ):
        _wait_until_read(client, app)
        yield client


@contextmanager
def _process(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    command: Sequence[str] = [sys.executable, "-c", _COMMAND, *words]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own
        try:
            yield process
        finally:
            process.terminate()


def _wait_until_read(client: httpx.Client, app: subprocess.Popen[bytes]) -> None:
    """Wait until the app has read where all domains stand."""
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline and app.poll() is None:
        with suppress(httpx.TransportError):
            text = client.get("/").raise_for_status().text
            if f"{DOMAINS + COMPARED + 1} domains" in text and "is reading the store" not in text:
                return
        time.sleep(0.2)
    message = "the app does not serve"
    raise RuntimeError(message)


if __name__ == "__main__":
    main()
