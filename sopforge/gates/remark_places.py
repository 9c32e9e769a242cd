"""Where a remark on a version belongs: what it is about, and the commands that change it there."""

from __future__ import annotations

import shlex

from sopforge.briefs.brief_files import load_latest_brief
from sopforge.errors import Fault, MaterialError
from sopforge.gates.remarks import JUDGED, Aim, find_aim
from sopforge.stages.editing.edits import EDITABLE
from sopforge.store.course import find_current_version
from sopforge.store.places import store_option
from sopforge.store.versions import Store, Version
from sopforge.workspace import MATERIAL_FILE, parse_model

_DOMAIN_FILE = "domain.yaml"
_PLACES = {
    "schema": "it follows from the model of the procedure, which the schema stage writes",
    "brief": "it is set in the brief",
}


def find_version_aim(store: Store, version: Version, remark: str) -> Aim | None:
    """Return where a remark on a version belongs, if not there; None where nobody can say."""
    manifest = version.manifest
    schema = find_current_version(store, manifest.domain, "schema")
    if manifest.stage not in JUDGED or schema is None:
        return None
    try:
        model = parse_model(schema.files[_DOMAIN_FILE])
    except MaterialError:
        return None
    text = version.files.get(EDITABLE.get(manifest.stage, MATERIAL_FILE), "")
    return find_aim(model, manifest.stage, remark, text)


def make_elsewhere_fault(store: Store, version: Version, aim: Aim, remark: str) -> Fault:
    """Return the fault of a remark that belongs elsewhere, with the commands that change it there.

    ``remark`` is quoted in them as a shell reads it.
    """
    manifest, there = version.manifest, store_option(store.place)
    message = (
        f"changing the words of the {manifest.stage} cannot do this: {aim.reason};"
        f" {_PLACES[aim.stage]}: {aim.sentence!r}"
    )
    ask = f"sopforge request-changes {manifest.domain} {manifest.stage} --feedback"
    ask = f"{ask} {shlex.quote(remark)}"
    if aim.stage == "brief":
        act = "change 'complexity' in the brief, then generate again"
    elif has_facts(store, manifest.domain):
        act = f"change the model: sopforge regenerate {manifest.domain} --model-patch FILE{there}"
    else:
        act = f"request the change there: {ask} --at schema{there}"
    hint = f"{act}; or request it here anyway: {ask} --at {manifest.stage}{there}"
    return Fault("feedback-elsewhere", message, f"{manifest.domain} {manifest.stage}", hint)


def has_facts(store: Store, domain: str) -> bool:
    """Return whether the model of the procedure stands in the brief, where no words change it."""
    return load_latest_brief(store, domain).parts.model is not None
