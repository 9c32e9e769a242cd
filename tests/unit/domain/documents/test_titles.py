"""The title of a brief is found in any layout of it, and nowhere but at its top level."""

from __future__ import annotations

import pytest

from sopforge.language.domain.documents.titles import find_title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("domain: x\ntitle: Late Fees\n", "Late Fees"),
        ("title: 'Fees: late and other'\n", "Fees: late and other"),
        ("title: >\n  Late\n  Fees\n", "Late Fees"),
        ("{model: {title: of the model}, title: Late Fees}", "Late Fees"),
        ("labels: [title, a, b]\ntopic: title\ntitle: Late Fees\n", "Late Fees"),
        ("model:\n  title: of the model\n", ""),
        ("title: [Late, Fees]\n", ""),
        ("title: Late Fees\nthen: [never ends\n", "Late Fees"),
        ("then: [never ends\ntitle: Late Fees\n", ""),
        ("", ""),
    ],
)
def test_the_title_at_the_top_level_is_found(text: str, title: str) -> None:
    assert find_title(text) == title
