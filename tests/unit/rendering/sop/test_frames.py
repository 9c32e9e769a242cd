from __future__ import annotations

import re
from functools import cache
from string import ascii_letters, digits

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sopforge.domain.rules import Collect, HitPolicy
from sopforge.rendering.sop import frames
from sopforge.rendering.sop.frames import Frame, NamingFrame

TABLE = {
    **{name: frame for name, frame in vars(frames).items() if isinstance(frame, Frame)},
    "CONDITIONAL": frames.build_conditional(),
}
ANY_TEXT = {".+", ".*", ".+?", ".*?"}
OPTIONAL = re.compile(r"\[.+?\]")
NAMES = st.text(ascii_letters, min_size=1)


@st.composite
def values(draw: st.DrawFn, frame: Frame) -> dict[str, str]:
    """Return what fills the gaps of a frame, without the words that stand between them."""
    parts = [part.strip() for part in re.split(r"\{\w+\}|[][]", frame.text)]
    between = {part for part in parts if re.search("[a-z]", part)}
    left_out = [part for part in OPTIONAL.findall(frame.text) if draw(st.booleans())]
    return {
        name: ""
        if any(f"{{{name}}}" in part for part in left_out)
        else draw(held(pattern).filter(lambda text: not any(part in text for part in between)))
        for name, pattern in frame.gaps.items()
    }


@cache
def held(pattern: str | tuple[str, ...]) -> st.SearchStrategy[str]:
    """Return what a gap may hold."""
    if isinstance(pattern, tuple):
        return st.sampled_from(pattern)
    if pattern in ANY_TEXT:
        return NAMES
    return st.from_regex(pattern, fullmatch=True, alphabet=f"{ascii_letters}{digits} ():,-")


@pytest.mark.parametrize("frame", TABLE.values(), ids=TABLE)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_what_fills_a_frame_is_read_from_it(frame: Frame, data: st.DataObject) -> None:
    filled = data.draw(values(frame))
    # A label may be its name.
    is_plain = not isinstance(frame, NamingFrame)
    assume(is_plain or frame.render(**filled) == Frame.render(frame, **filled))

    assert frame.match(frame.render(**filled)) == filled


@settings(max_examples=30, deadline=None)
@given(words=st.lists(NAMES, min_size=1, max_size=4), data=st.data())
def test_any_frame_gives_back_what_fills_it(words: list[str], data: st.DataObject) -> None:
    frame = Frame(" ".join(f"{word}: {{gap_{place}}};" for place, word in enumerate(words)))
    filled = {name: data.draw(st.text("xyz .[]{}()", min_size=1)) for name in frame.gaps}

    assert frame.match(frame.render(**filled)) == filled


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("if pay refuses with late, go to step 6.1 (Wait).", id="other letter"),
        pytest.param("If pay refuses with late, go to step 6.1 (Wait). Then", id="more after"),
        pytest.param("If pay refuses with  late, go to step 6.1 (Wait).", id="another blank"),
        pytest.param("If pay refuses with late, go to step 6.1 (Wait)!", id="another end"),
        pytest.param("If pay refuses with too late, go to step 6.1 (Wait).", id="no code"),
        pytest.param("If pay refuses with late (), go to step 6.1 (Wait).", id="no reason"),
    ],
)
def test_a_frame_fits_its_own_sentence_only(text: str) -> None:
    assert frames.REFUSED.match(text) is None


def test_a_gap_that_is_left_open_is_an_error() -> None:
    with pytest.raises(KeyError, match="code"):
        frames.REFUSED.render(tool="pay", to="6.1 (Wait)")


def test_no_sentence_says_two_policies() -> None:
    said = [*frames.RULE_POLICIES.values(), *frames.ROW_POLICIES.values()]
    said += frames.COLLECTED.values()

    assert len(set(said)) == len(said) == 2 * 3 + 2 * len(Collect)


@pytest.mark.parametrize(
    ("hit", "word"),
    [(HitPolicy.FIRST, "first"), (HitPolicy.UNIQUE, "one"), (HitPolicy.ANY, "Several")],
)
def test_a_policy_is_said_in_its_own_words(hit: HitPolicy, word: str) -> None:
    """The writer and the reader share the sentences: what they mean is written down here."""
    assert word in frames.RULE_POLICIES[hit].split()
    assert word in frames.ROW_POLICIES[hit].split()


@pytest.mark.parametrize(
    ("collect", "words"),
    [
        (Collect.SUM, "Add up"),
        (Collect.COUNT, "Count"),
        (Collect.MINIMUM, "smallest"),
        (Collect.MAXIMUM, "largest"),
    ],
)
def test_what_is_made_of_lines_is_said_in_its_own_words(collect: Collect, words: str) -> None:
    whole, partial = (frames.COLLECTED[collect, is_whole] for is_whole in (True, False))

    assert words in whole
    assert words in partial
    assert re.search(r"; if none \w+, it is zero:|at least one does:", partial)
    assert not re.search("none|at least", whole)
