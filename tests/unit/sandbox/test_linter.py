"""The linter names what does not belong into tools, and leaves alone what only looks so."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sopforge.artifacts.rendering.tools.module import render_tools
from sopforge.findings import Finding, Severity
from sopforge.language.domain.model import DomainModel
from sopforge.sandbox.linter import RULES, lint
from tests.faults.lint_cases import MANAGER, Case, read_cases
from tests.worlds.small_models import changed, claims, orders

ROOT = Path(__file__).parents[3]
WELL_BEHAVED = sorted((ROOT / "tests" / "modules" / "well_behaved").glob("*.py"))
STANDARD_LIBRARY = Path(sys.modules["os"].__file__ or "").parent
OF_MODULE = {"manager-missing", "manager-ambiguous"}
MODELS = {
    "claims": claims,
    "orders": orders,
}
PLANTED = {
    "import socket": "tool-imports",
    "today = __import__('datetime').date.today()": "tool-reads-clock",
    "chance = __import__('random').random()": "tool-draws-lots",
    "value = eval('1')": "tool-runs-text",
    "open('/tmp/x', 'w')": "tool-writes-files",
    "all = object.__subclasses__()": "tool-reaches-interpreter",
    "home = __import__('os').environ": "tool-uses-system",
}
CASES = read_cases()
LINES = sorted({line for case in CASES.values() for line in case.source.split("\n")})
each_model = pytest.mark.parametrize("model", MODELS.values(), ids=MODELS)


@cache
def emitted(model: Callable[[], DomainModel]) -> str:
    return render_tools(model())


def found_by(case: Case) -> list[Finding]:
    return [finding for finding in lint(case.source) if finding.id == case.code]


def only(source: str) -> Finding:
    (finding,) = lint(source)
    return finding


def test_a_rule_names_its_lines_and_no_lookalikes_and_says_what_to_do_instead() -> None:
    found = {name: found_by(case) for name, case in CASES.items()}

    places = {name: {finding.where for finding in items} for name, items in found.items()}
    wanted = {name: {f"tools.py:{line}" for line in CASES[name].lines} for name in CASES}
    assert {
        name: (places[name], wanted[name]) for name in CASES if places[name] != wanted[name]
    } == {}
    for finding in chain(*found.values()):
        assert len(finding.message.split()) > 4, finding
        assert finding.hint, finding


def test_every_rule_has_modules_with_it_and_modules_without() -> None:
    codes = {rule.code for rule in RULES} - OF_MODULE

    assert {case.code for case in CASES.values() if case.lines} == codes
    assert {case.code for case in CASES.values() if not case.lines} == codes


KEPT = "        SEEN.append(a)\n        return len(SEEN)\n"
# A module with each warning, and what the edit that the hint names makes of it.
FIXED: dict[str, tuple[str, tuple[str, str]]] = {
    "manager-ambiguous": (
        f"{MANAGER}class DeskManager:\n    pass\n",
        ("class DeskManager", "class Desk"),
    ),
    "tool-imports-perhaps": (
        f"try:\n    import numpy\nexcept ImportError:\n    numpy = None\n{MANAGER}",
        ("try:\n    import numpy\nexcept ImportError:\n    numpy = None\n", ""),
    ),
    "tool-prints": (f"print('x')\n{MANAGER}", ("print('x')\n", "")),
    "tool-shares-seed": (
        f"import random\nrandom.seed(7)\n{MANAGER}",
        ("random.seed(7)", "drawn = random.Random(7).random()"),
    ),
    "tool-set-order": (
        f"def kinds(a):\n    return list(set(a))\n{MANAGER}",
        ("list(set(a))", "sorted(set(a))"),
    ),
    "tool-asserts": (
        f"def check(amount):\n    assert amount > 0\n    return amount\n{MANAGER}",
        ("assert amount > 0", "if amount <= 0:\n        raise ValueError('no_amount')"),
    ),
    "tool-keeps-state": (
        f"SEEN = []\nclass ShopManager:\n    def price(self, a):\n{KEPT}",
        (KEPT, "        return a\n"),
    ),
}


def test_every_warning_of_the_linter_has_its_edit() -> None:
    warned = {rule.code for rule in RULES if rule.severity is Severity.WARNING}

    assert FIXED.keys() == warned


@pytest.mark.parametrize("code", FIXED)
def test_a_warning_is_gone_after_the_edit_that_its_hint_names(code: str) -> None:
    source, edit = FIXED[code]

    (found,) = [item for item in lint(source) if item.id == code]

    assert found.severity is Severity.WARNING
    assert found.hint
    assert code not in [item.id for item in lint(changed(source, edit))]


def test_every_rule_and_its_level_is_on_the_page_of_rules() -> None:
    page = (ROOT / "docs" / "tool-rules.md").read_text(encoding="utf-8")
    rows = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    levels = {code.strip("|` "): level for codes, level, _ in rows for code in codes.split(", ")}

    others = ("tools-malformed", "tools-too-large", "tools-too-deep")
    assert levels == {rule.code: rule.severity for rule in RULES} | dict.fromkeys(others, "error")


def test_the_module_on_the_page_of_rules_has_no_finding() -> None:
    page = (ROOT / "docs" / "tool-rules.md").read_text(encoding="utf-8")

    assert lint(page.split("```python\n")[1].split("```")[0]) == ()


def test_a_module_without_a_manager_has_nothing_to_call() -> None:
    for source in ("x = 1\n", "class _ShopManager:\n    pass\n", "class Shop:\n    pass\n", ""):
        assert (only(source).id, only(source).where) == ("manager-missing", "tools.py")


def test_an_imported_manager_is_none() -> None:
    found = only("from contextlib import AbstractContextManager\n")

    assert found.id == "manager-missing"
    assert "contextlib.AbstractContextManager" in found.message


def test_of_several_managers_the_first_by_name_is_taken() -> None:
    found = only(f"{MANAGER}class OrderManager:\n    def get(self):\n        return 1\n")

    assert (found.id, found.severity) == ("manager-ambiguous", Severity.WARNING)
    assert "OrderManager, ShopManager" in found.message


def test_a_manager_by_another_name_is_one() -> None:
    assert lint("class Shop:\n    def price(self):\n        return 1\nShopManager = Shop\n") == ()


@pytest.mark.parametrize(
    ("source", "where"),
    [
        ("x = (1\n", "tools.py:1"),
        ("x = 1\ndef f(:\n", "tools.py:2"),
        ("x = 1\nreturn 3\n", "tools.py:2"),
        ("def f():\n    x = 1\n    nonlocal y\n", "tools.py:3"),
        ("x = 1\ny = '\0'\n", "tools.py:2"),
        ("x = '\ud800'\n", "tools.py"),
    ],
    ids=["bracket", "syntax", "return", "nonlocal", "null", "surrogate"],
)
def test_what_python_cannot_read_is_one_finding(source: str, where: str) -> None:
    assert (only(source).id, only(source).where) == ("tools-malformed", where)


def test_a_module_may_have_200_000_bytes() -> None:
    full = MANAGER + "#" * (200_000 - len(MANAGER))

    assert lint(full) == ()
    assert only(full + "#").id == "tools-too-large"
    assert only(full[:-1] + "ä").id == "tools-too-large"


@pytest.mark.parametrize(
    "source",
    [
        "x = " + "-" * 150 + "1\n",
        "x = " + "+".join(["1"] * 5_000) + "\n",
        "x = a" + ".b" * 5_000 + "\n",
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 200,
    ],
    ids=["signs", "sum", "attributes", "branches"],
)
def test_what_is_nested_beyond_reading_is_one_finding(source: str) -> None:
    assert only(source).id == "tools-too-deep"


def test_many_names_for_one_another_are_looked_up_once() -> None:
    twice = "".join(f"x{n} = x{n + 1}.a\nx{n} = x{n + 1}.b\n" for n in range(60))

    assert only(f"{twice}x60 = [1]\n{MANAGER}y = eval('x0')\n").id == "tool-runs-text"


def test_of_many_alike_the_first_twenty_are_shown() -> None:
    found = lint(MANAGER + "print(1)\n" * 50)

    assert [item.where for item in found] == [f"tools.py:{line}" for line in range(4, 24)]
    assert found[-1].message.endswith("; 30 more of the same follow")


def test_of_two_methods_of_a_name_the_last_one_counts() -> None:
    first = "class ShopManager:\n    def price(self, *rows):\n        return 1\n"

    assert lint(f"{first}    def price(self, row):\n        return 1\n") == ()


@each_model
def test_emitted_tools_have_no_finding(model: Callable[[], DomainModel]) -> None:
    assert lint(emitted(model)) == ()


@each_model
@pytest.mark.parametrize("line", PLANTED)
def test_a_line_planted_in_emitted_tools_is_found_there(
    line: str, model: Callable[[], DomainModel]
) -> None:
    lines = emitted(model).splitlines(keepends=True)
    places = [number for number, text in enumerate(lines) if text.lstrip().startswith("return ")]
    for number in (places[0], places[len(places) // 2], places[-1]):
        indent = lines[number][: -len(lines[number].lstrip())]
        planted = "".join([*lines[:number], f"{indent}{line}\n", *lines[number:]])

        found = lint(planted)
        assert PLANTED[line] in {item.id for item in found}
        assert {item.where for item in found} == {f"tools.py:{number + 1}"}


@pytest.mark.parametrize("path", WELL_BEHAVED, ids=lambda path: path.stem)
def test_well_behaved_modules_have_no_error(path: Path) -> None:
    found = lint(path.read_text(encoding="utf-8"))

    assert [item for item in found if item.severity is Severity.ERROR] == []


def test_any_module_of_the_standard_library_can_be_read() -> None:
    names = sorted(STANDARD_LIBRARY.glob("*.py"))
    for path in names:
        for finding in lint(path.read_text(encoding="utf-8", errors="replace")):
            assert finding.where.startswith("tools.py")
    assert len(names) > 100


@given(st.text())
@example("\r\x0c\x85 x")
@example("# -*- coding: utf-16 -*-\n")
def test_any_text_can_be_read(text: str) -> None:
    assert lint(text) == lint(text)
    assert lint(text)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(LINES), max_size=12))
def test_any_order_of_lines_can_be_read(lines: list[str]) -> None:
    lint("\n".join(lines))
