"""What a package alone allows to be verified: files, canary, stages and answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from sopforge.artifacts.packaging.canary import compute_canary
from sopforge.artifacts.packaging.checksums import (
    CHECKSUMS,
    compute_file_digest,
    find_added_files,
    find_changed_files,
)
from sopforge.artifacts.packaging.metadata import ENVIRONMENT
from sopforge.artifacts.packaging.sop_bench import (
    ANSWERED,
    ASKED,
    GRADER,
    GRADER_MODEL,
    GRADER_TASKS,
    GRADER_TOOL_TESTS,
    GRADER_TRAJECTORIES,
    SHOWN_TASKS,
    find_tool_tests,
    remove_canary,
)
from sopforge.artifacts.packaging.test_sets import write_test_set
from sopforge.checks.auditing.own import PLACES
from sopforge.checks.package.package_provenance import CHECK as SAYS_ONE_THING
from sopforge.checks.package.package_provenance import EXPERIMENT
from sopforge.language.domain.reading import read_domain
from sopforge.language.domain.tasks import read_tasks, write_shown
from sopforge.pipeline.releases.evidence import STAGE_RECORDS, StageRecord
from sopforge.pipeline.releases.verifying.claims import (
    Claim,
    Observation,
    check_claim,
    make_wrong_findings,
)
from sopforge.pipeline.releases.verifying.folders import PackageFolder
from sopforge.pipeline.stages.pipeline import STAGES
from sopforge.store.digests import digest_value
from sopforge.workspace import COVERAGE_TEXT, MATERIAL_FILE, PROFILE, TOOL_TESTS, Workspace

MARKED = ("README.md", "metadata.json", "disclaimer.txt", "croissant.json", "provenance.json")
_FOR_AGENTS = (
    *("sop.txt", "tools.py", "toolspecs.json", "openapi.yaml"),
    *(ASKED, SHOWN_TASKS),
)
_FROM_STAGES = {
    **PLACES,
    COVERAGE_TEXT: f"{GRADER}coverage.md",
    TOOL_TESTS: GRADER_TOOL_TESTS,
    PROFILE: f"{GRADER}{PROFILE}",
}


def check_package_claims(package: PackageFolder) -> Iterator[Claim]:
    """Return what a package says of itself, and whether it holds."""
    looks = {
        "files are those listed": _check_listed_files,
        "origin is stated alike everywhere": _check_origin,
        "canary stands where it should": _check_canary,
        "files are those of the stages": _check_stage_files,
        "test sets are the graded tasks": _check_test_sets,
    }
    for what, look in looks.items():
        yield check_claim(package.name, what, partial(look, package))


def _check_listed_files(package: PackageFolder) -> Observation:
    links = sorted(path.name for path in package.folder.rglob("*") if path.is_symlink())
    messages = [
        *(f"{name} is not the released file" for name in find_changed_files(package.files)),
        *(f"{name} does not belong to this package" for name in find_added_files(package.files)),
        *(f"{name} is a link, which a package must not contain" for name in links),
    ]
    summary = f"{len(package.files)} files, as listed in {CHECKSUMS}"
    return Observation(summary, make_wrong_findings(messages, package.name))


def _check_origin(package: PackageFolder) -> Observation:
    names = ("provenance.json", "metadata.json", "README.md")
    files = {f"package/{name}": package.read_text(name) for name in names}
    found = SAYS_ONE_THING.examine(Workspace(package.brief, files))
    return Observation(f"made with {package.provenance.get('made_with')}", found)


def _check_canary(package: PackageFolder) -> Observation:
    canary, brief = str(package.provenance["canary"]), package.brief
    seed, version = brief.drawing.seed, str(package.provenance["release"])
    messages = [f"{name} has no canary" for name in MARKED if canary not in package.read_text(name)]
    # Not splitlines: the text of a task may hold other line separators, such as U+2028.
    lines = package.read_text(GRADER_TASKS).removesuffix("\n").split("\n")
    unmarked_lines = [line for line in lines if canary not in line]
    if unmarked_lines:
        messages.append(f"{len(unmarked_lines)} lines of {GRADER_TASKS} have no canary")
    # Packages of earlier layouts have no environment of their own.
    others = [name for name in package.files if name.startswith("records") or name == ENVIRONMENT]
    messages += [
        f"{name} contains the canary, although agents see this file"
        for name in (*_FOR_AGENTS, *others)
        if canary in package.read_text(name)
    ]
    if canary != compute_canary(brief.parts.domain, version, seed):
        messages.append(f"the canary {canary} does not match the domain, version and seed")
    return Observation(f"canary {canary}", make_wrong_findings(messages, package.name))


def _check_stage_files(package: PackageFolder) -> Observation:
    """Compare the files, and what each stage was made from, with what was approved."""
    if EXPERIMENT in package.provenance:
        message = (
            "this is a condition of an experiment, a twin or a draw, whose stages nobody approved"
        )
        return Observation(message, is_open=True)
    listed = package.records["complexity"].files
    level, canary = str(package.provenance["level"]), str(package.provenance["canary"])
    messages, same = list(_find_record_conflicts(package)), 0
    for place, name in _map_places(listed, level).items():
        if name == GRADER_TOOL_TESTS:
            name = find_tool_tests(package.files)  # noqa: PLW2901 - the name in this package
        content = package.files.get(name, b"")
        if name == GRADER_TASKS:
            content = remove_canary(content.decode(), canary).encode()
        if compute_file_digest(content) == listed[place]:
            same += 1
        else:
            messages.append(f"{name} is not the file from the approved complexity stage")
    summary = (
        f"{same} of {len(package.files)} files have the digests of approved stages; the others"
        " follow from them, which --rebuild verifies"
    )
    return Observation(summary, make_wrong_findings(messages, package.name))


def _map_places(listed: Mapping[str, str], level: str) -> dict[str, str]:
    """Return the files of a level that are in a package, each with its name there."""
    start = f"{level}/"
    found = {}
    for place in listed:
        own = place.removeprefix(start) if place.startswith(start) else ""
        if own in _FROM_STAGES:
            found[place] = _FROM_STAGES[own]
        elif own.startswith("dataset/records") and own.endswith(".csv"):
            found[place] = own.removeprefix("dataset/")
        elif place == MATERIAL_FILE:
            found[place] = f"{GRADER}{MATERIAL_FILE}"
    return found


def _find_record_conflicts(package: PackageFolder) -> Iterator[str]:
    """Return where what stages were made from does not fit together."""
    pinned = package.provenance["stages"]
    if list(pinned) != list(package.records):
        yield f"{STAGE_RECORDS} lists {', '.join(package.records)}"
    for stage, record in package.records.items():
        if record.content != pinned.get(stage):
            yield f"{STAGE_RECORDS} has a different {stage} than provenance.json"
    yield from find_record_faults(package, package.draw.stages if package.draw else package.records)
    if package.draw:
        yield from find_record_faults(package, package.records, drawn=True)
        for stage, record in package.records.items():
            if "draw" not in record.inputs and record != package.draw.stages[stage]:
                yield f"the {stage} differs from that of {package.draw.release}"


def find_record_faults(
    package: PackageFolder, records: Mapping[str, StageRecord], *, drawn: bool = False
) -> Iterator[str]:
    """Return what is wrong with records of stages: with their digests, and with their inputs.

    Of stages ``drawn`` anew, only what they were made from is of the draw.
    """
    for stage in STAGES:
        record = records[stage.name]
        if digest_value(dict(record.files)) != record.content:
            yield f"the digest of the content of {stage.name} does not match its files"
        if digest_value(dict(record.inputs)) != record.key:
            yield f"the digest of the key of {stage.name} does not match its inputs"
        if drawn and "draw" not in record.inputs:
            continue  # of the release that it was drawn from, where it was looked at
        needed = {
            f"{name}/{file}": digest
            for name in stage.needs
            for file, digest in records[name].files.items()
        }
        if record.inputs.get("files") != digest_value(needed):
            yield f"the {stage.name} was made from other files than those of the earlier stages"
        part = digest_value(stage.select_brief_part(package.brief))
        # What a stage reads of its brief may be another part in another revision of its program.
        is_known = record.inputs.get("revision") == str(stage.revision)
        if package.is_of_this_version and is_known and record.inputs.get("brief") != part:
            yield f"the {stage.name} was made from another brief"


def _check_test_sets(package: PackageFolder) -> Observation:
    if not package.is_of_this_version:
        made = package.provenance.get("made_with")
        return Observation(
            f"they were written by {made}, whose files this version cannot verify", is_open=True
        )
    model = read_domain(package.read_text(GRADER_MODEL), GRADER_MODEL)
    tasks = read_tasks(package.read_text(GRADER_TASKS), package.read_text(GRADER_TRAJECTORIES))
    wanted = {
        ASKED: write_test_set(tasks, model.inputs),
        ANSWERED: write_test_set(tasks, model.inputs, model.outcomes),
        SHOWN_TASKS: write_shown(tasks),
    }
    messages = [
        f"{name} does not match {GRADER_TASKS}"
        for name, text in wanted.items()
        if package.read_text(name) != text
    ]
    return Observation(f"{len(tasks)} tasks", make_wrong_findings(messages, package.name))
