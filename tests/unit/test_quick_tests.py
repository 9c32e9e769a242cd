"""What ``make quick`` runs for a change."""

from __future__ import annotations

from tests.quick.__main__ import ALWAYS, MOST, ROOT, SLOW, list_tests

SLOW_FILES = SLOW.read_text(encoding="utf-8").split()


def added(*changed: str) -> set[str]:
    """Return the tests that run for a change and not for every one."""
    return set(list_tests(changed, SLOW_FILES)) - set(list_tests([], []))


def test_for_any_change_files_are_compared_and_a_domain_is_released() -> None:
    assert [name for name in ALWAYS if not (ROOT / name).exists()] == []
    usual = list_tests([], [])
    assert "tests/golden/test_error_messages.py" in usual
    assert "tests/unit/releases/test_yanked_releases.py" in usual


def test_the_tests_of_a_changed_package_run_and_others_that_import_it() -> None:
    found = added("sopforge/pipeline/briefs/patches.py")
    assert "tests/unit/briefs/test_patches.py" in found
    assert "tests/unit/complexity/test_deepening.py" in found
    assert "tests/unit/solving/test_paths.py" not in found
    assert len(found) <= MOST


def test_a_package_without_a_folder_of_tests_has_those_of_the_one_around_it() -> None:
    assert not (ROOT / "tests/unit/prompts/forms").exists()
    assert "tests/unit/prompts/test_templates.py" in added("sopforge/authors/prompts/forms/form.py")


def test_a_file_that_is_no_python_has_the_tests_of_what_reads_it() -> None:
    assert "tests/unit/users/test_words.py" in added("sopforge/harness/users/words.yaml")
    assert "tests/unit/prompts/test_templates.py" in added("prompt_templates/dataset_rows.yaml")


def test_slow_tests_run_where_they_were_changed_themselves() -> None:
    slow = "tests/unit/dataset/coverage/test_drawing.py"
    assert slow in SLOW_FILES
    assert slow not in added("sopforge/proof/dataset/coverage/drawing.py")
    assert slow in added(slow)


def test_files_that_are_gone_and_pages_add_nothing() -> None:
    assert added("sopforge/pipeline/briefs/gone.py", "README.md", "docs/brief.md") == set()


def test_the_slow_ones_are_there_and_in_order() -> None:
    assert [name for name in SLOW_FILES if not (ROOT / name).is_file()] == []
    assert sorted(set(SLOW_FILES)) == SLOW_FILES
