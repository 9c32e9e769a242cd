"""Readers of SOPs that are played: one that reads every rule as the brief's YAML has it.

Its answers are put together from the text of the brief, with figures in the place of policy
names, and from no model that was built of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import yaml

from sopforge.language.domain.reading import Brief

Answer = Mapping[str, Any]
EMPTY: Answer = {
    "decisions": [],
    "transitions": [],
    "refused": [],
    "guards": [],
    "effects": [],
    "ends": [],
    "unclear": [],
}


class RightReader:
    """Answers a back-translation with the rules that the brief states for the passage."""

    def __init__(self, brief: Brief) -> None:
        whole = yaml.load(brief.facts_text, Loader=yaml.BaseLoader)  # noqa: S506 - all as text
        self.facts = whole["model"]
        self.steps = self.facts["procedure"]["steps"]
        self.policy = self.facts.get("policy", {})
        self.predicates = self.facts.get("predicates", {})
        self.asked: list[Mapping[str, Any]] = []

    def __call__(self, values: Mapping[str, Any]) -> Answer:
        self.asked.append(values)
        passage: str = values["passage"]
        heading, _, body = passage.strip().partition("\n")
        number, _, title = heading.partition(" ")
        step = next((name for name in self.steps if self.title(name) == title), None)
        if "." in number.rstrip(".") and step is not None:
            return self.step(step, number.partition(".")[0])
        return {**EMPTY, "decisions": self.formulas(body), "guards": self.guards(body)}

    def title(self, step: str) -> str:
        return " ".join(self.steps[step]["title"].split())

    def number(self, section: str, step: str) -> str:
        return f"{section}.{list(self.steps).index(step) + 1}"

    def step(self, name: str, section: str) -> Answer:
        step = self.steps[name]
        transitions = [
            {
                "when": self.figures(edge.get("when", "")),
                "to": self.number(section, edge["to"]),
                "at_most": int(edge.get("at_most", 0)),
                "then": self.number(section, edge["then"]) if "then" in edge else "",
                "sentence": "",
            }
            for edge in step.get("edges", [])
        ]
        effects = self.facts["tools"][step["call"]].get("effects", {}) if "call" in step else {}
        return {
            **EMPTY,
            "decisions": [self.decision(target) for target in step.get("decide", [])],
            "transitions": transitions,
            "refused": [
                {"code": code, "to": self.number(section, to), "sentence": ""}
                for code, to in step.get("refused", {}).items()
            ],
            "effects": [self.value(*pair) for pair in effects.items()],
            "ends": [self.value(*pair) for pair in (step.get("end") or {}).items()],
        }

    def value(self, field: str, value: str) -> Answer:
        return {"field": field, "value": self.figures(value), "sentence": ""}

    def formulas(self, body: str) -> list[Answer]:
        """Return the formulas of no step that the passage works out, by their labels."""
        decided = {name for step in self.steps.values() for name in step.get("decide", [])}
        labels = {
            name: field.get("label", name.replace("_", " "))
            for part in self.facts["entities"].values()
            for name, field in part["fields"].items()
        }
        stated = [
            name
            for name in self.facts["decisions"]
            if name not in decided
            and re.search(rf"^- The {re.escape(labels[name])}\b", body, re.MULTILINE)
        ]
        return [self.decision(name) for name in stated]

    def decision(self, name: str) -> Answer:
        facts = self.facts["decisions"][name]
        if "value" in facts:
            hit, rules = "value", [("", facts["value"])]
        elif "table" in facts:
            hit, rules = "unique", list(self.rows(facts["table"], facts["rows"]))
        else:
            hit = facts.get("collect", facts["hit"])
            rules = [
                (rule.get("when", ""), rule.get("then", rule.get("otherwise")))
                for rule in facts["rules"]
            ]
        rows = [{"when": self.figures(when), "then": self.figures(then)} for when, then in rules]
        return {"field": name, "hit": hit, "rules": rows, "sentence": ""}

    def rows(self, table: str | list[str], rows: Mapping[str, Any]) -> list[tuple[str, str]]:
        names = [table] if isinstance(table, str) else table
        if len(names) == 1:
            return [(f"{names[0]} == '{label}'", value) for label, value in rows.items()]
        return [
            (f"{names[0]} == '{label}' and {when}", value)
            for label, inner in rows.items()
            for when, value in self.rows(names[1:], inner)
        ]

    def guards(self, body: str) -> list[Answer]:
        return [
            {"tool": tool, "condition": self.figures(test), "refusal": code, "sentence": ""}
            for tool, facts in self.facts["tools"].items()
            for test, code in checks(facts.get("requires"))
            if re.search(rf"^- {code}(?: \({tool}\))?: ", body, re.MULTILINE)
        ]

    def figures(self, text: str) -> str:
        """Return a text of rules with figures and conditions in the place of their names."""

        def figure(found: re.Match[str]) -> str:
            if found[0] in self.predicates:
                return f"({self.figures(self.predicates[found[0]]['is'])})"
            if found[0] not in self.policy:
                return found[0]
            value = str(self.policy[found[0]]["value"])
            return f"'{value}'" if re.fullmatch(r"\d{4}-.*", value) else value

        return re.sub(r"'[^']*'|\w+", figure, text)


def checks(guard: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Return the conditions of a guard that refuse one by one, each with its code."""
    if guard is None:
        return []
    if "is" in guard:
        return [(guard["is"], guard["refusal"])] if "refusal" in guard else [(guard["is"], "")]
    if "any" in guard:
        inner = [check for child in guard["any"] for check in checks(child)]
        test = " or ".join(f"({whole(child)})" for child in guard["any"])
        return [(test, guard.get("refusal", inner[-1][1]))]
    children = guard.get("all", guard.get("chain", []))
    return [check for child in children for check in checks(child)]


def whole(guard: Mapping[str, Any]) -> str:
    """Return a guard as one condition."""
    if "is" in guard:
        return str(guard["is"])
    word = " or " if "any" in guard else " and "
    children = guard.get("any", guard.get("all", guard.get("chain", [])))
    return word.join(f"({whole(child)})" for child in children)


def scripted(*answers: Answer) -> Callable[[Mapping[str, Any]], Answer]:
    """Return a player who gives the answers in turn."""
    left = list(answers)
    return lambda _: left.pop(0)
