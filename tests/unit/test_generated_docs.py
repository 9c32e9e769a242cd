"""What the documentation takes from the code is what the code says."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator

from sopforge.artifacts.packaging.state.shapes import build_state_schema
from sopforge.checks.reference import render_checks_page
from sopforge.cli.app import app
from sopforge.cli.commands import EXAMPLES, GROUPS, PANELS, Command
from sopforge.cli.reference import render_commands_page
from sopforge.language.domain.documents.schema import BriefDocument, DomainDocument
from sopforge.language.domain.documents.schema_reference import (
    SHAPES,
    build_described_schema,
    describe_key,
    render_brief_page,
    render_domain_page,
)
from sopforge.language.domain.expressions.operators import render_operators_page
from tests.unit.test_error_codes import codes_on_pages

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "reference/operators.md": render_operators_page,
    "reference/brief.md": render_brief_page,
    "reference/checks.md": render_checks_page,
    "reference/cli.md": render_commands_page,
    "reference/domain.md": render_domain_page,
}


def all_commands() -> list[tuple[list[str], Command]]:
    """Return each command with the words that call it."""
    return [(item.words, item) for commands in PANELS.values() for item in commands]


@pytest.mark.parametrize("name", PAGES)
def test_a_generated_page_is_what_the_code_says(name: str, golden: object) -> None:
    assert callable(golden)
    golden(DOCS / name, PAGES[name]())


def test_every_key_says_something() -> None:
    keys = [(owner, key) for owner in SHAPES.values() for key in owner.model_fields]

    assert len(keys) > 300
    assert all(describe_key(*item).endswith(".") for item in keys)


def test_every_command_stands_on_the_page_and_in_the_help() -> None:
    known = [item.name for item in app.registered_commands]
    alone = [item.name for _, item in all_commands() if not item.group]

    assert known == alone
    groups = list(GROUPS)
    assert [item.name for item in app.registered_groups] == groups
    titles = re.findall(r"^## (\S+)$", render_commands_page(), re.MULTILINE)
    assert [name for name in titles if name not in groups] == known
    assert [name for name in titles if name in groups] == groups
    examples = [example for _, item in all_commands() for example in item.examples]
    assert all(item.examples for _, item in all_commands())
    assert sorted(examples) == sorted(EXAMPLES.strip().splitlines())


def test_the_commands_below_a_shared_word_stand_below_it_on_the_page() -> None:
    page = render_commands_page()
    below = page.split("\n## review-user\n")[1].split("\n## ")[0]

    assert re.findall(r"^### (.+)$", below, re.MULTILINE) == [
        "review-user add",
        "review-user remove",
        "review-user list",
    ]
    assert "sopforge review-user add NAME [OPTIONS]" in below
    assert "[review-user](#review-user)" in page


def test_the_examples_of_commands_can_be_parsed() -> None:
    for words, item in all_commands():
        command: Any = typer.main.get_command(app)
        for word in words:
            command = command.commands[word]
        for example in item.examples:
            typed = shlex.split(example)
            assert typed[: len(words)] == words
            command.make_context(item.name, typed[len(words) :])


def test_codes_of_checks_are_explained() -> None:
    codes = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)` \(", render_checks_page()))

    assert len(codes) > 50
    assert codes <= set(codes_on_pages())


@pytest.mark.parametrize(
    ("code", "severity"),
    [("shortcut-leads-far", "error"), ("policy-not-used", "warning"), ("n-samples-raised", "note")],
)
def test_severities_are_those_of_the_findings(code: str, severity: str) -> None:
    assert f"`{code}` ({severity})" in render_checks_page()


@pytest.mark.parametrize(
    ("name", "shape"),
    [("brief", BriefDocument), ("domain", DomainDocument)],
    ids=["brief", "domain"],
)
def test_the_published_schema_is_the_models(
    name: str, shape: type[BriefDocument | DomainDocument], golden: object
) -> None:
    schema = build_described_schema(shape)
    Draft202012Validator.check_schema(schema)
    assert callable(golden)
    golden(DOCS / "schemas" / f"{name}.schema.json", json.dumps(schema, indent=1) + "\n")


def test_the_published_schema_of_packages_as_data_is_that_of_their_files(golden: object) -> None:
    schema = build_state_schema()
    Draft202012Validator.check_schema(schema)
    assert callable(golden)
    golden(DOCS / "schemas" / "state.schema.json", json.dumps(schema, indent=1) + "\n")
