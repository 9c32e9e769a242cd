"""Domains with a history, made quickly: versions whose keys are real, and whose files are not."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random

from sopforge.authors.writers.offline import OfflineAuthor
from sopforge.findings import make_warning_finding
from sopforge.language.domain.reading import Brief, read_brief
from sopforge.pipeline.briefs.brief_files import keep_brief
from sopforge.pipeline.stages.pipeline import STAGES, build_order, build_workspace
from sopforge.store.digests import digest_files
from sopforge.store.entries import DeciderKind, DecisionVerdict
from sopforge.store.log.audit_log import AuditLog, Opinion
from sopforge.store.versions import Manifest, Store, Version

DOMAIN = "refund"
REFUND = (Path(__file__).parents[1] / "briefs" / "refund.yaml").read_text(encoding="utf-8")


def refund_brief(days: int) -> Brief:
    """Return the small brief with another number of days."""
    return read_brief(REFUND.replace("value: 30,", f"value: {days},"), "refund.yaml")


@dataclass
class History:
    """A domain, and what its makers remember of it: which versions have to stay, and why."""

    store: Store
    random: Random
    decided: set[str] = field(default_factory=set)
    released: set[tuple[str, str]] = field(default_factory=set)
    waiting: Version | None = None
    led_to: list[str] = field(default_factory=list)
    persons: count[int] = field(default_factory=count)

    @property
    def versions(self) -> list[Version]:
        """All versions of the domain."""
        return [
            found
            for stage in STAGES
            for found in self.store.get_domain(DOMAIN).list_versions(stage.name)
        ]

    @property
    def needed(self) -> set[str]:
        """The names of the versions that have to stay."""
        waiting = self.waiting.manifest if self.waiting else None
        return {
            version.name
            for version in self.versions
            if version.name in {*self.decided, *self.led_to}
            or (version.manifest.stage, version.manifest.content) in self.released
            or (waiting and version.manifest.key == waiting.key)
            or (waiting and version.manifest.content == waiting.content)
        }

    def run(self, days: int, depth: int) -> None:
        """Build a brief's versions up to a stage, and find those that are there after it."""
        brief, chain = refund_brief(days), list[Version]()
        keep_brief(self.store, brief)
        for number, stage in enumerate(STAGES):
            order = build_order(
                self.store.get_domain(DOMAIN), stage, build_workspace(brief, chain), OfflineAuthor()
            )
            version = self.store.get_domain(DOMAIN).find(stage.name, order.key)
            if version is None and number >= depth:
                break
            if version is None:
                # Some briefs differ in nothing that reaches the stage.
                files = {f"{stage.name}.txt": f"{stage.name} of {days // 2}"}
                findings = (make_warning_finding("days", f"{days} days"),)
                manifest = Manifest(
                    DOMAIN,
                    stage.name,
                    order.key,
                    digest_files(files),
                    "offline",
                    order.inputs,
                    findings,
                )
                version = self.store.get_domain(DOMAIN).save(manifest, files, {})
            chain.append(version)
        self.led_to = [version.name for version in chain]

    def wait(self) -> None:
        """Have any version wait at its gate."""
        self.waiting = self.random.choice(self.versions)
        self.store.get_domain(DOMAIN).set_waiting(self.waiting)

    def decide(self) -> None:
        """Have somebody decide on what waits, which may go on waiting."""
        if self.waiting is None:
            self.wait()
        assert self.waiting is not None
        verdict = self.random.choice(
            [DecisionVerdict.APPROVE, DecisionVerdict.REJECT, DecisionVerdict.REQUEST_CHANGES]
        )
        person = f"person {next(self.persons)}"
        log = AuditLog(self.store.get_domain(DOMAIN))
        log.append_decision(
            self.waiting, verdict, person, DeciderKind.PERSON, Opinion(feedback="More.")
        )
        manifest = self.waiting.manifest
        self.decided |= {
            found.name
            for found in self.versions
            if (found.manifest.key, found.manifest.content) == (manifest.key, manifest.content)
        }
        if self.random.random() < 0.5:
            self.waiting = None
            self.store.get_domain(DOMAIN).set_waiting(None)

    def release(self) -> None:
        """Release any version of some stages."""
        some = self.random.sample(self.versions, k=min(3, len(self.versions)))
        stages = {version.manifest.stage: version.manifest.content for version in some}
        self.released |= set(stages.items())
        files = {"refund/sop.txt": b"the SOP"}
        record = {
            "stages": stages,
            "files": digest_files(files),
            "audit_log": AuditLog(self.store.get_domain(DOMAIN)).read_head(),
        }
        number = f"1.{len(self.store.get_domain(DOMAIN).list_releases())}.0"
        self.store.get_domain(DOMAIN).save_release(number, files, record)

    def die(self) -> None:
        """Leave a version, a brief or a release that was never finished."""
        folder = self.random.choice(["stages/sop/0900", "briefs/0900", "releases/9.0.0"])
        self.store.objects.replace(f"{DOMAIN}/{folder}/files/half.txt", b"half")


def quiet(store: Store) -> History:
    """Return a domain to which nothing has happened yet."""
    return History(store, Random(1))  # noqa: S311 - no secret


def history(store: Store, seed: int, steps: int = 12) -> History:
    """Return a domain after so many things happened to it, and a last run of a brief."""
    made = History(store, Random(seed))  # noqa: S311 - no secret
    random = made.random
    made.run(30, random.randint(1, len(STAGES)))
    for _ in range(steps):
        step = random.choice([made.wait, made.decide, made.release, made.die, None, None])
        if step is None:
            made.run(random.randint(28, 33), random.randint(1, len(STAGES)))
        else:
            step()
    made.run(random.randint(28, 33), random.randint(0, len(STAGES)))
    return made
