"""The words of a user decide no more than his acts do: they read back as the same acts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

import pytest

from sopforge.harness.users.acts import Act, ActKind
from sopforge.harness.users.cells import show_value
from sopforge.harness.users.speaking import Speech
from sopforge.harness.users.words import load_words
from sopforge.language.domain.fields import Field, Role
from sopforge.language.domain.reading import read_brief, read_domain
from sopforge.proof.dataset.sampling.sampling import sample_rows

ROOT = Path(__file__).parents[2]
COUNTER = ROOT / "docs/examples/small_counter.yaml"
DOMAINS = [
    COUNTER,
    ROOT / "briefs/patient_intake.yaml",
    *sorted((ROOT / "tests/domains").glob("*.yaml")),
]
ROWS, TEXTS = 40, 60
OWN = (ActKind.STATE, ActKind.DISCLOSE, ActKind.CHANGE)
Cells = dict[str, str]


@cache
def load(path: Path) -> tuple[Speech, list[Cells]]:
    """Return how users of a domain speak, and cells of its fields in some drawn cases."""
    text = path.read_text("utf-8")
    is_brief = "\ndataset:" in text
    model = read_brief(text, path.name).model if is_brief else read_domain(text, path.name)
    cells = [
        {
            name: model.fields[name].format_cell(value)
            for name, value in row.items()
            if name in model.fields
        }
        for row in sample_rows(model, 1, range(ROWS))
    ]
    return Speech(model, load_words()), cells


def draw_act(speech: Speech, rows: list[Cells], random: Random) -> Act:
    """Return an act about something of a domain, with values as its cases have them."""
    fields = speech.model.fields.values()
    kind = random.choice(list(ActKind))
    about: list[Field] = [item for item in fields if (item.role is Role.INPUT) == (kind in OWN)]
    if kind is ActKind.SECRET:
        about = [item for item in fields if item.role is Role.SECRET]
    if kind is ActKind.CLAIM:
        about = [item for item in about if any(row.get(item.name) for row in rows)]
    if kind in (ActKind.WRITE, ActKind.SKIP):
        return Act(kind, random.choice(speech.model.called))
    if kind in (ActKind.REQUEST, ActKind.INSIST, ActKind.CLOSE) or not about:
        return Act(ActKind.CLOSE if kind not in (ActKind.REQUEST, ActKind.INSIST) else kind)
    name = random.choice(about).name
    # A record that is not there has no values.
    cells = [row[name] for row in rows if row.get(name)]
    has_value = kind in (*OWN, ActKind.CLAIM)
    values = [random.choice(cells) for _ in "vb"] if has_value else ["", ""]
    return Act(kind, name, values[0], values[1] if kind is ActKind.CHANGE else "")


@pytest.mark.parametrize("path", DOMAINS, ids=lambda path: path.stem)
def test_words_read_back_as_the_acts_that_they_were_made_from(path: Path) -> None:
    speech, rows = load(path)
    seen = set[ActKind]()
    for seed in range(TEXTS):
        random = Random(seed)  # noqa: S311 - no secrets
        acts = tuple(draw_act(speech, rows, random) for _ in range(random.randint(1, 6)))

        assert speech.read(speech.write(acts, seed)) == acts
        seen |= {act.kind for act in acts}
    assert seen >= set(ActKind) - {ActKind.SECRET}


@pytest.mark.parametrize("path", DOMAINS, ids=lambda path: path.stem)
def test_equal_acts_have_equal_words_but_for_their_values(path: Path) -> None:
    speech, rows = load(path)
    for seed in range(TEXTS):
        random = Random(seed)  # noqa: S311 - no secrets
        name = random.choice(speech.model.inputs).name
        kind = random.choice([ActKind.STATE, ActKind.DISCLOSE])

        lines = {blank(speech, Act(kind, name, row[name]), seed) for row in rows}

        assert len(lines) == 1


def blank(speech: Speech, act: Act, seed: int) -> str:
    """Return the words of an act with a mark in the place of its value, which stands there once."""
    shown = show_value(speech.model.fields[act.about], act.value)
    head, found, rest = speech.write_line(act, seed).rpartition(shown)
    assert found
    return f"{head}<>{rest}"


@pytest.mark.parametrize("kind", list(ActKind))
def test_our_words_have_no_value_of_their_own(kind: ActKind) -> None:
    for template in load_words().templates[kind]:
        for text in template.parts[::2]:
            assert not re.search(r"[0-9]", text)


def test_a_line_that_nobody_wrote_is_no_act() -> None:
    speech, _ = load(COUNTER)

    assert speech.read("Amount: 30.00.\nAmount: thirty.\nGood morning.") == ()
    assert speech.read("Amount: 30.00 EUR.") == (Act(ActKind.STATE, "amount", "30.00"),)
