"""Where a thousand domains stand: ``sopforge status`` by the clock, beside what it must read.

The domains are synthetic: a version of each stage, its decisions, what waits, and releases, as
runs write them. Beside the command stand Python with the command line loaded and nothing done, and
each domain's small files read one after the other.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.table import Table

from sopforge.findings import make_warning_finding
from sopforge.language.domain.stage_names import STAGE_NAMES
from sopforge.pipeline.stages.building.gate_entry import note_course
from sopforge.store.digests import digest_files
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog
from sopforge.store.opening import open_store
from sopforge.store.versions import DomainStore, Manifest, Store

DOMAINS = (100, 1_000)
TRIES = 3
_LOADED = "import sopforge.cli.app"
_COMMAND = "from sopforge.cli import main; main()"


def main() -> None:
    """Print the table."""
    Console().print(domains())


def domains() -> Table:
    """Return the seconds of the whole command by the number of domains."""
    shown = Table(title="status of all domains, by the clock", box=None, title_justify="left")
    for column in ("domains", "status", "status --json", "of the command alone", "of the reads"):
        shown.add_column(column, justify="right")
    alone = _best(lambda: _run(_LOADED))
    with TemporaryDirectory() as home:
        store, made = open_store(home), 0
        for count in DOMAINS:
            for number in range(made, count):
                make_domain(store.get_domain(f"domain_{number:04}"), number)
            made = count
            as_text = _best(lambda: _run(_COMMAND, "status", "--store", home))
            as_json = _best(lambda: _run(_COMMAND, "status", "--json", "--store", home))
            read = _best(lambda: read_small_files(store))
            ratios = (f"{as_text / alone:.1f}", f"{(as_text - alone) / read:.1f}")
            shown.add_row(f"{count:,}", f"{as_text:.2f} s", f"{as_json:.2f} s", *ratios)
    return shown


def make_domain(domain: DomainStore, number: int) -> None:
    """Take a domain to one of its gates, by ``number``, or past all of them to a release."""
    waiting = number % (len(STAGE_NAMES) + 1)
    for place, stage in enumerate(STAGE_NAMES[: waiting + 1]):
        files = {f"{stage}.txt": f"{domain} {stage}\n"}
        found = (make_warning_finding("odd", "is this right?"),) * (number % 3)
        key = f"{number:064x}"
        manifest = Manifest(domain.name, stage, key, digest_files(files), "offline", {}, found)
        version = domain.save(manifest, files, {"seconds": 0.1})
        domain.set_waiting(version)
        note_course(domain, version, is_last=True)
        if place < waiting:
            AuditLog(domain).append_decision(
                version, DecisionVerdict.APPROVE, "ada", DeciderKind.PERSON
            )
    if waiting == len(STAGE_NAMES):
        domain.set_waiting(None)
        record = {
            "domain": domain.name,
            "stages": {},
            "audit_log": AuditLog(domain).read_head(),
        }
        domain.save_release("1.0.0", {}, record)


def read_small_files(store: Store) -> None:
    """Read the files that say where each domain stands, and nothing else."""
    for domain in store.objects.list_children(""):
        for name in ("pending.json", "current.json"):
            store.objects.read(f"{domain}/{name}")
        folder = f"{domain}/decisions"
        for name in store.objects.list_children(folder)[-1:]:
            store.objects.read(f"{folder}/{name}")
        store.objects.list_children(f"{domain}/releases")


def _run(source: str, *arguments: str) -> None:
    command = [sys.executable, "-c", source, *arguments]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own


def _best(work: Callable[[], object]) -> float:
    """Return the seconds of some work by the clock, the best of several."""
    seconds = []
    for _ in range(TRIES):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


if __name__ == "__main__":
    main()
