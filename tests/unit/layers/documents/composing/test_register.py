from sopforge.harness.layers.documents.composing.register import Register


def test_numbers_are_never_given_twice_and_are_in_no_order() -> None:
    register = Register(5)
    given = [register.give_number() for _ in range(700)]

    assert len(set(given)) == 700
    assert all(1000 <= number < 10000 for number in given)
    assert given[:50] not in (sorted(given[:50]), sorted(given[:50], reverse=True))


def test_equal_seeds_give_equal_handbooks_and_others_give_others() -> None:
    one, same, other = Register(5), Register(5), Register(6)
    first = [one.give_number() for _ in range(9)]

    assert [same.give_number() for _ in range(9)] == first
    assert [other.give_number() for _ in range(9)] != first
    assert (one.today, one.desks) == (same.today, same.desks)


def test_days_lie_before_and_after_within_reach() -> None:
    register = Register(5)
    before = {register.draw_day_before("2026-03-01", 3, place) for place in range(40)}
    after = {register.draw_day_after("2026-02-27", 3, place) for place in range(40)}

    assert before == {"2026-02-26", "2026-02-27", "2026-02-28"}
    assert after == {"2026-02-28", "2026-03-01", "2026-03-02"}
