# ruff: noqa: E501 - a brief is easier to read with an item on each line
"""A small brief on berths in a harbour, with what it says and what its rules ask to be filled in."""

from __future__ import annotations

from sopforge.authors.offline import OfflineAuthor
from sopforge.checks.sources.brief_and_model import CHECK
from sopforge.domain.reading import read_brief
from sopforge.findings import Finding
from sopforge.workspace import DOMAIN, Workspace

BRIEF = """
format: 1
domain: berths
title: Requests for Berths in a Harbour
business_task: Decide on requests for berths.
task_context: |
  The harbour master looks requests up in the harbour book.

  ## Berths

SAID
remarks:
  sources:
SOURCES
  assumptions:
    - {says: The rest is as the harbour master sees fit., items: [REST]}
model:
  policy:
    longest: {value: 12, unit: m, meaning: greatest length}
    notice: {value: 24, unit: hours, meaning: notice that is due}
    from_may: {value: 2026-05-01, meaning: first day of the new rule}
  entities:
    request:
      key: request_id
      fields:
        request_id: {role: input, type: string, pattern: "R[0-9]{6}", unique: true, description: number}
        kind: {label: kind of boat, role: observed, type: enum, values: [Sloop, Ketch, Dinghy, Old barge], description: kind of the boat}
        cargo: {label: kind of cargo, role: observed, type: enum, values: [nothing loaded, Timber, Fuel, Acid], description: what the boat carries}
        faults: {label: reported faults, role: observed, type: set, values: [Leak, Smoke, Noise], empty: no fault, description: faults of the boat}
        member: {label: membership of the owner, role: observed, type: boolean, said: {"yes": the owner is a member, "no": the owner is no member}, description: whether the owner is a member}
        insured: {label: insurance of the boat, role: observed, type: boolean, said: {"yes": the boat is insured, "no": the boat is uninsured}, description: whether the boat is insured}
        pump_open: {label: pumping station, role: observed, type: boolean, said: {"yes": the pumping station is open with one pump at work, "no": the pumping station is shut}, description: whether the pumping station is open}
        sealed: {label: state of the hatches, role: observed, type: boolean, said: {"yes": the boat is sealed, "no": the boat is not sealed}, description: whether all hatches are shut}
        held: {label: block by the port office, role: observed, type: boolean, said: {"yes": the boat is on hold, "no": the boat is not on hold}, description: whether the port office has stopped it}
        length: {label: length of the boat, role: observed, type: integer, min: 3, max: 40, unit: m, description: length of the boat}
        hull_length: {label: length of the hull, role: observed, type: integer, min: 3, max: 40, unit: m, description: length at the water line}
        asked_on: {label: last day of waiting, role: input, type: date, min: 2026-01-01, max: 2026-12-31, description: day on which the berth was asked for}
        sold_on: {label: day of the sale, role: input, type: date, min: 2026-01-01, max: 2026-12-31, description: day on which it changed hands}
        arrival: {label: time of arrival, role: observed, type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 23:59, description: when the boat lands}
        departure: {label: time of departure, role: observed, type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 23:59, description: when the boat sails}
        noted: {label: time of the notice, role: observed, type: datetime, min: 2026-01-01 00:00, max: 2026-12-31 23:59, description: when notice was given}
        spared: {label: exemption, role: derived, type: boolean, said: {"yes": the owner is exempt, "no": the owner is not exempt}, description: whether the owner is exempt}
        laden: {label: state of the load, role: derived, type: boolean, said: {"yes": the boat is laden, "no": the boat is empty}, description: whether there is cargo}
        dues: {label: harbour dues of the kind, role: derived, type: integer, min: 0, max: 90, unit: EUR, description: dues before any surcharge}
        full_dues: {label: harbour dues, role: derived, type: integer, min: 0, max: 99, unit: EUR, description: dues with any surcharge}
        rated: {label: limit in force, role: derived, type: integer, min: 3, max: 40, unit: m, description: length from which a boat is too long}
        verdict: {role: outcome, type: enum, values: [refused, waiting, admitted], primary: true, description: what is decided}
        fee: {role: outcome, type: integer, min: 0, max: 90, unit: EUR, missing: no fee, description: fee}
  predicates:
    risky: {is: "cargo in ['Fuel', 'Acid']", description: the boat has risky cargo}
    early: {is: "PREDICATE", description: notice was given in time}
  decisions:
    spared:
      hit: first
      rules: [SPARED]
    laden: {value: "LADEN"}
    rated: {value: "RATED"}
    dues: {value: "DUES"}
    full_dues: {value: "FULL"}
    verdict:
      hit: first
      rules: [VERDICT]
    fee: {value: "FEE"}
  tools:
    book: {kind: lookup, description: The harbour book, takes: [request_id], returns: [kind, cargo, faults, member, insured, pump_open, sealed, held, length, hull_length, arrival, departure, noted]}
  procedure:
    start: look
    steps:
      look: {title: Look the request up, call: book, decide: [spared, laden, rated, dues, full_dues, verdict, fee], edges: [EDGES]}
      moor: {title: Moor the boat, end: {}}
      close: {title: Close the case, end: {}}
dataset: {n_samples: 20, seed: 1}
complexity: {levels: [L0]}
"""
PARTS = {
    "SPARED": "{id: S1, when: early and member, then: true}, {id: S2, otherwise: false}",
    "VERDICT": "{id: V1, when: risky, then: refused}, {id: V2, when: spared, then: waiting}, {id: V3, otherwise: admitted}",
    "LADEN": "cargo != 'nothing loaded'",
    "RATED": "hull_length",
    "DUES": "10",
    "FULL": "dues",
    "FEE": "10 if pump_open else 20",
    "PREDICATE": "minutes_between(noted, departure) >= notice * 60",
    "EDGES": "{when: verdict == 'admitted', to: moor}, {to: close}",
}
ITEMS = (
    "policy.longest",
    "policy.notice",
    "policy.from_may",
    "decisions.spared.S1",
    "decisions.spared.S2",
    "decisions.laden",
    "decisions.rated",
    "decisions.dues",
    "decisions.full_dues",
    "decisions.verdict.V1",
    "decisions.verdict.V2",
    "decisions.verdict.V3",
    "decisions.fee",
)


def examine(said: str, sources: dict[str, str], **parts: str) -> list[Finding]:
    """Return what is found in a brief that says this; ``sources`` has what is said by the items."""
    cited = "\n".join(f"    - {{says: '{says}', items: [{of}]}}" for of, says in sources.items())
    rest = [name for name in ITEMS if name not in " ".join(sources)]
    indented = "\n".join(f"  {line}" for line in said.splitlines())
    text = BRIEF.replace("SAID", indented).replace("SOURCES", cited)
    for key, value in {**PARTS, **parts}.items():
        text = text.replace(f"[{key}]", f"[{value}]").replace(f'"{key}"', f'"{value}"')
    text = text.replace("[REST]", f"[{', '.join(rest)}]")
    brief = read_brief(text, "berths.yaml")
    workspace = Workspace(brief, {DOMAIN: OfflineAuthor().write_domain(brief)})
    return CHECK.examine(workspace)


def find(said: str, sources: dict[str, str], **parts: str) -> set[str]:
    """Return the codes of what is found."""
    return {item.id for item in examine(said, sources, **parts)}


V1, V2, V3 = "decisions.verdict.V1", "decisions.verdict.V2", "decisions.verdict.V3"
"""The rules on what is decided."""
REST = "{id: V3, otherwise: admitted}"


def write_rules(first: str, second: str = "spared", third: str = REST) -> str:
    """Return a table whose first rules ask this."""
    return f"{{id: V1, when: {first}, then: refused}}, {{id: V2, when: {second}, then: waiting}}, {third}"
