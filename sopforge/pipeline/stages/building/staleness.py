"""Why a stage is stale: the inputs of its next version, compared with an earlier one's."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from sopforge.errors import MaterialError
from sopforge.language.domain.documents.schema import BriefDocument
from sopforge.language.domain.documents.yaml_documents import Plain
from sopforge.language.domain.reading import Brief
from sopforge.pipeline.briefs.brief_files import list_kept_versions, read_kept_brief
from sopforge.pipeline.stages.building.orders import Order, name_files
from sopforge.pipeline.stages.stage import Stage
from sopforge.store.course import find_current_version
from sopforge.store.digests import digest_each_file, digest_value
from sopforge.store.versions import DomainStore, Version

BRIEFS_READ = 10
"""So many of the kept briefs are looked through for the one that a version was made from."""
VERSIONS_READ = 3
MOST_PATHS = 3
_PROGRAMS = {
    "sopforge": "SOPForge",
    "solver": "z3-solver",
    "learner": "scikit-learn",
    "words": "Faker",
    "layout": "black",
    "revision": "the stage's program, revision",
}
_DIGEST = re.compile(r" [0-9a-f]{64}")


def find_replaced_version(domain: DomainStore, stage: str) -> Version | None:
    """Return what the next version of a stage is compared with, None where it is the first.

    It is the version that counts, else the newest one, which led nowhere.
    """
    counting = find_current_version(domain, stage)
    return counting or next(iter(domain.list_versions(stage)[-1:]), None)


def explain_staleness(
    domain: DomainStore, order: Order, old: Version, unsure: Sequence[str] = ()
) -> list[str]:
    """Return in words which inputs of an order are not those of an earlier version.

    Of files, those of the stages in ``unsure`` are left out: they are not known yet.
    """
    was, now = old.manifest.inputs, order.inputs
    changed = [name for name in {**now, **was} if was.get(name) != now.get(name)]
    reasons: list[str] = []
    for name in changed:
        describe = _REASONS.get(name)
        if name == "files":
            reasons += _describe_file_changes(domain, order, old, unsure)
        elif describe is not None:
            reasons += describe(domain, order, old)
        elif name in _PROGRAMS:
            used, before = now.get(name, "no longer used"), was.get(name, "none")
            reasons.append(f"{_PROGRAMS[name]} {used} (was {before})")
        # What is to be changed follows from other inputs, and is a reason only by itself.
        elif name != "before" or changed == ["before"]:
            reasons.append(_OTHERS.get(name, f"another input, '{name}'"))
    return reasons


def _describe_author_change(_domain: DomainStore, order: Order, old: Version) -> list[str]:
    """Return who writes where somebody else does, else what of their instructions changed."""
    was, now = (old.manifest.inputs["author"].split("; "), order.inputs["author"].split("; "))
    if was[0] != now[0]:
        return [f"author {now[0]} (was {was[0]})"]
    parts = [_DIGEST.sub("", part) for part in now if part not in was]
    return [f"instructions of the author: {', '.join(parts) or 'fewer'}"]


def _describe_feedback_change(_domain: DomainStore, order: Order, _old: Version) -> list[str]:
    if not order.feedback:
        return ["feedback that no longer counts"]
    return [f"feedback: {order.feedback[-1]}"]


def _describe_edit_change(_domain: DomainStore, order: Order, _old: Version) -> list[str]:
    editors = dict.fromkeys(by for by, _ in order.edits)
    return [f"an edit by {', '.join(editors)}" if editors else "an edit that no longer counts"]


def _describe_file_changes(
    domain: DomainStore, order: Order, old: Version, unsure: Sequence[str]
) -> list[str]:
    """Name the stages whose files changed, as far as it is sure and the earlier are kept."""
    now: dict[str, dict[str, str]] = {name: {} for name in order.stage.needs}
    for file, digest in digest_each_file(order.workspace.files).items():
        now[file.partition("/")[0]][file] = digest
    wanted = old.manifest.inputs["files"]
    known = [[files, *_iterate_earlier_digests(domain, name, files)] for name, files in now.items()]
    # Only a digest of all files together was kept: earlier versions are tried until it fits.
    for parts in product(*known):
        if (
            digest_value({name: digest for part in parts for name, digest in part.items()})
            == wanted
        ):
            changed = [name for name, part in zip(now, parts, strict=True) if part != now[name]]
            known_changed = [name for name in changed if name not in unsure]
            return [f"files of {', '.join(known_changed)}"] if known_changed else []
    return [] if unsure else [f"files of {' or '.join(now)}"]


def _iterate_earlier_digests(
    domain: DomainStore, stage: str, now: Mapping[str, str]
) -> Iterator[Mapping[str, str]]:
    """Return the digests of a stage's files in its newest versions that are not as they are now."""
    for version in reversed(domain.list_versions(stage)[-VERSIONS_READ - 1 :]):
        # Files that were changed by hand are none that another version was made from.
        if version.is_intact and (digests := digest_each_file(name_files(version))) != now:
            yield digests


def _describe_brief_changes(domain: DomainStore, order: Order, old: Version) -> list[str]:
    """Name the parts of the brief that changed and that the stage reads."""
    now, stage = order.workspace.brief, order.stage
    was = _find_earlier_brief(domain, stage, old)
    if was is None:
        return ["what the brief says"]
    paths: list[str] = []
    for name in BriefDocument.model_fields:
        # Through the stage's own eyes: a change that it does not read is no reason.
        part = _with_part(was, now, name)
        if digest_value(stage.select_brief_part(part)) != digest_value(
            stage.select_brief_part(was)
        ):
            found = _find_differences(_get_part(was, name), _get_part(now, name), name)
            paths += found or [f"{name} in another order"]
    more = len(paths) - MOST_PATHS
    reasons = [f"brief: {path}" for path in paths[:MOST_PATHS]]
    return [*reasons, f"brief: {more} more"] if more > 0 else reasons


def _find_earlier_brief(domain: DomainStore, stage: Stage, old: Version) -> Brief | None:
    """Return the newest kept brief that says of a stage what its version was made from."""
    for number in reversed(list_kept_versions(domain)[-BRIEFS_READ:]):
        try:
            kept = read_kept_brief(domain, number)
        except MaterialError:
            continue  # it was kept by a SOPForge that read other briefs
        if digest_value(stage.select_brief_part(kept)) == old.manifest.inputs["brief"]:
            return kept
    return None


def _with_part(was: Brief, now: Brief, name: str) -> Brief:
    """Return a brief with one part of another, as stages read it."""
    parts = was.parts.model_copy(update={name: getattr(now.parts, name)})
    if name == "model":
        return replace(was, parts=parts, document=now.document, built=now.built)
    if name == "draft_sop":
        return replace(was, parts=parts, draft=now.draft)
    return replace(was, parts=parts)


def _get_part(brief: Brief, name: str) -> Plain:
    value = brief.document.value
    part = value.get(name) if isinstance(value, dict) else None
    return [part, brief.draft] if name == "draft_sop" else part


def _find_differences(was: Plain, now: Plain, path: str) -> list[str]:
    """Return where two parts of briefs differ, each place as a dotted path, with plain values."""
    if isinstance(was, dict) and isinstance(now, dict):
        names = [name for name in {**now, **was} if was.get(name) != now.get(name)]
        inner = [
            _find_differences(was.get(name), now.get(name), f"{path}.{name}") for name in names
        ]
        return [found for paths in inner for found in paths]
    if was is None or now is None:
        return [f"{path} {'added' if was is None else 'taken away'}"]
    if isinstance(was, dict | list) or isinstance(now, dict | list):
        return [path]
    return [f"{path} {now} (was {was})"] if len(f"{was}{now}") <= _LONGEST_VALUES else [path]


_LONGEST_VALUES = 60
_REASONS: Mapping[str, Callable[[DomainStore, Order, Version], list[str]]] = {
    "author": _describe_author_change,
    "brief": _describe_brief_changes,
    "feedback": _describe_feedback_change,
    "edits": _describe_edit_change,
}
_OTHERS = {"before": "the version that it is to change"}
