from __future__ import annotations

import pytest

from sopforge.authors.providers.completion import Usage, read_usage


def test_counts_are_read_and_those_of_the_cache_may_be_left_out() -> None:
    assert read_usage(input_=7, output=0) == Usage(7, 0, 0, 0)
    assert read_usage(input_=7, output=1, cache_read=2, cache_write=3) == Usage(7, 1, 2, 3)


@pytest.mark.parametrize("count", [-1, True, "5", 5.0, float("nan"), float("inf"), 10**12, [5]])
def test_what_counts_no_tokens_is_not_read(count: object) -> None:
    assert read_usage(input_=count, output=1) is None
    assert read_usage(input_=1, output=count) is None
    assert read_usage(input_=1, output=1, cache_read=count) is None
    assert read_usage(input_=None, output=1) is None
