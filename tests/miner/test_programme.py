import pytest

from miner.programme import Programme, value_of


def test_later_objectives_keep_what_earlier_ones_reached() -> None:
    programme = Programme()
    x, y = programme.variable(most=5), programme.variable(most=5)
    programme.limit({x: 2, y: 3}, most=12)
    assert value_of({x: 1, y: 1}, programme.minimise({x: -1, y: -1})) == 5
    found = programme.minimise({x: 1})
    assert (found[x], found[y]) == (3, 2)


def test_limits_that_contradict_each_other_are_said() -> None:
    programme = Programme()
    x = programme.variable(most=1)
    programme.limit({x: 1}, least=2)
    assert programme.solve({}) is None
    with pytest.raises(ValueError, match="contradict"):
        programme.minimise({x: 1})


@pytest.mark.parametrize(("value", "wanted", "lacking"), [(2, 5, 3), (5, 5, 0), (7, 5, 0), (0, 0, 0)])
def test_a_shortfall_is_what_is_missing(value: int, wanted: int, lacking: int) -> None:
    programme = Programme()
    x = programme.variable(value, value)
    missing = programme.shortfall({x: 1}, wanted)
    assert programme.minimise({missing: 1})[missing] == lacking


@pytest.mark.parametrize("value", [-3, 0, 4])
def test_a_distance_has_no_sign(value: int) -> None:
    programme = Programme()
    x = programme.variable(value, value)
    terms = programme.distance({x: 2})
    assert value_of(terms, programme.minimise(terms)) == abs(2 * value)


@pytest.mark.parametrize("value", range(6))
def test_a_square_is_one(value: int) -> None:
    programme = Programme()
    x, y = programme.variable(most=5), programme.variable(most=5)
    programme.limit({x: 1, y: 1}, least=value, most=value)
    terms = programme.square({x: 1, y: 1}, 5)
    assert value_of(terms, programme.minimise(terms)) == value * value


def test_squares_make_sums_even() -> None:
    programme = Programme()
    x, y, z = programme.variable(most=9), programme.variable(most=9), programme.variable(most=2)
    programme.limit({x: 1, y: 1, z: 1}, least=12, most=12)
    terms = programme.square({x: 1}, 9) | programme.square({y: 1}, 9) | programme.square({z: 1}, 9)
    assert programme.minimise(terms)[:3] == [5, 5, 2]
