"""The question by which a model is first written leaves its size to the material."""

from __future__ import annotations

import re
from pathlib import Path

TEMPLATE = Path(__file__).parents[3] / "prompt_templates" / "domain_model.yaml"
NUMBER = "(?:[0-9]+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)"
PARTS = "tools|inputs|observed|fields|rules|labels|steps|outcomes|decisions"


def test_no_number_of_parts_is_asked_for() -> None:
    text = " ".join(TEMPLATE.read_text(encoding="utf-8").split())
    wanted = rf"\b{NUMBER} to {NUMBER} (?:[a-z]+ ){{0,2}}(?:{PARTS})\b"
    assert re.findall(wanted, text, re.IGNORECASE) == []
    assert "As large as the material, neither more nor less." in text
