"""Products, powers and plans against NumPy."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpfold

OPERATIONS = {
    "min-plus": (np.add, np.min),
    "max-plus": (np.add, np.max),
    "min-max": (np.maximum, np.min),
    "max-min": (np.minimum, np.max),
}


def naive(a, b, semiring):
    times, plus = OPERATIONS[semiring]
    return plus(times(a[..., :, :, None], b[..., None, :, :]), axis=-2)


@pytest.mark.parametrize("semiring", OPERATIONS)
@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 4, 6), (33, 65, 17), (0, 3, 2), (3, 2, 0)])
def test_a_product_is_numpys_bit_by_bit(rng, semiring, dtype, shape):
    m, p, n = shape
    a, b = (rng.integers(-99, 99, s).astype(dtype) for s in [(m, p), (p, n)])
    found = warpfold.matmul(a, b, semiring=semiring)
    assert found.dtype == a.dtype and found.shape == (m, n)
    assert np.array_equal(found, naive(a, b, semiring))


def test_argmin_is_the_smallest_index_that_attains_the_minimum(rng):
    a, b = rng.integers(0, 4, (9, 12)), rng.integers(0, 4, (12, 7))
    values, argmin = warpfold.matmul(a, b, return_argmin=True)
    assert np.array_equal(argmin, (a[:, :, None] + b).argmin(1))
    assert np.array_equal(values, (a[:, :, None] + b).min(1))


def test_truth_and_counts_have_products_too(rng):
    a, b = rng.random((6, 7)) > 0.6, rng.random((7, 5)) > 0.6
    found = warpfold.matmul(a, b, semiring="or-and")
    assert found.dtype == bool and np.array_equal(found, a @ b)
    c, d = rng.integers(0, 50, (6, 7)), rng.integers(0, 50, (7, 5))
    assert np.array_equal(warpfold.matmul(c, d, semiring="plus-times"), c @ d)
    assert np.array_equal(warpfold.matmul(c, d, semiring="plus-times", modulus=97), c @ d % 97)


@pytest.mark.parametrize("dtype", ["int16", "uint16", "int32", "uint32", "int64"])
def test_the_largest_integer_of_a_type_is_no_length(dtype):
    largest = np.iinfo(dtype).max
    a = np.array([[0, 4], [largest, 0]], dtype)
    calls = [partial(warpfold.matmul, a, a), partial(warpfold.power, a, 3), partial(warpfold.closure, a)]
    for call in calls:
        with pytest.raises((ValueError, OverflowError), match=str(largest)):
            call()
        assert call(no_edge=largest)[1, 0] == warpfold.infinity("int64" if dtype != "int32" and dtype != "int16" else dtype)
    if largest < 2**53:  # else float64 does not hold it
        assert warpfold.matmul(a, a, no_edge=np.inf, dtype="float64")[1, 0] == largest


def test_false_is_no_length():
    a = np.array([[False, True], [False, False]])
    for semiring in ["min-plus", "max-plus", "min-max", "max-min"]:
        with pytest.raises(ValueError, match=r"a\[0, 0\] is False, which is no length"):
            warpfold.closure(a, semiring=semiring)
    assert np.array_equal(warpfold.closure(a, no_edge=0, dtype="float64"), [[0, 1], [np.inf, 0]])
    assert np.array_equal(warpfold.matmul(a, a, semiring="plus-times"), [[0, 0], [0, 0]])


def test_no_edge_is_a_number_or_nan():
    a = np.array([[0, np.nan], [4.0, 0]])
    assert np.array_equal(warpfold.matmul(a, a, no_edge=np.nan), [[0, np.inf], [4, 0]])
    with pytest.raises(TypeError, match="no_edge is '0': a number is accepted"):
        warpfold.matmul(a, a, no_edge="0")


def test_shapes_are_those_of_numpys_matmul(rng):
    a, b, batch = rng.random((3, 4)), rng.random((4, 5)), rng.random((2, 6, 3, 4))
    for left, right in [(a, b), (a[0], b), (a, b[:, 0]), (a[0], b[:, 0]), (batch, b), (batch[0], b)]:
        assert warpfold.matmul(left, right).shape == np.matmul(left, right).shape
    assert np.array_equal(warpfold.matmul(batch, b), naive(batch, b, "min-plus"))
    assert np.array_equal(warpfold.matmul(a, np.stack([b, b + 1])), naive(a, np.stack([b, b + 1]), "min-plus"))
    with pytest.raises(ValueError):
        warpfold.matmul(a, a)


def test_a_power_is_the_repeated_product(rng):
    a = rng.integers(0, 50, (7, 7))
    product = a
    for _ in range(4):
        product = warpfold.matmul(product, a)
    assert np.array_equal(warpfold.power(a, 5), product)
    assert warpfold.power(a, 0)[0, 0] == 0 and warpfold.power(a, 0)[0, 1] == warpfold.infinity("int64")


def test_powers_and_closures_of_truth_are_truth(rng):
    a = rng.random((20, 20)) < 0.1
    reached = np.linalg.matrix_power(a.astype(int), 3) > 0
    found = warpfold.power(a, 3, semiring="or-and")
    assert found.dtype == bool and np.array_equal(found, reached)
    found = warpfold.closure(a, semiring="or-and")
    assert found.dtype == bool and np.array_equal(found, np.linalg.matrix_power(a.astype(float) + np.eye(20), 20) > 0)


def test_a_product_is_checked_and_a_changed_one_found_out(rng):
    for shape_a, shape_b in [((9, 12), (12, 7)), ((2, 3, 9, 12), (12, 7))]:
        a, b = rng.integers(0, 9, shape_a), rng.integers(0, 9, shape_b)
        values, argmin = warpfold.matmul(a, b, semiring="max-plus", return_argmin=True)
        assert warpfold.verify_product(a, b, values, argmin, semiring="max-plus")
        place = (0,) * values.ndim
        wrong, later = values.copy(), argmin.copy()
        wrong[place] += 1
        later[place] = (argmin[place] + 1) % 12
        assert not warpfold.verify_product(a, b, wrong, semiring="max-plus")
        assert "argmin" in warpfold.verify_product(a, b, values, later, semiring="max-plus").violation
    with pytest.raises(ValueError, match="product is 2 x 2"):
        warpfold.verify_product(np.ones((3, 3)), np.ones((3, 3)), np.ones((2, 2)))


@pytest.mark.parametrize(("semiring", "dtype"), [("min-plus", "int64"), ("max-min", "float32"), ("or-and", "bool")])
def test_powers_and_closures_are_checked_and_changed_ones_found_out(rng, semiring, dtype):
    a = rng.integers(0, 2 if dtype == "bool" else 9, (12, 12)).astype(dtype)
    power, closure = warpfold.power(a, 5, semiring=semiring), warpfold.closure(a, semiring=semiring)
    assert warpfold.verify_power(a, 5, power, semiring=semiring)
    assert warpfold.verify_closure(a, closure, semiring=semiring)
    for result in (power, closure):
        result[3, 4] = not result[3, 4] if dtype == "bool" else result[3, 4] + 1
    assert not warpfold.verify_power(a, 5, power, semiring=semiring)
    assert not warpfold.verify_closure(a, closure, semiring=semiring)
    with pytest.raises(ValueError):
        warpfold.verify_power(a[:5], 5, power, semiring=semiring)


def test_a_power_modulo_a_number_is_checked():
    a = np.array([[1, 1], [1, 0]], np.uint64)
    power = warpfold.power(a, 90, semiring="plus-times", modulus=1000)
    assert power[0, 1] == 2880067194370816120 % 1000
    assert warpfold.verify_power(a, 90, power, semiring="plus-times", modulus=1000)
    assert not warpfold.verify_power(a, 90, power, semiring="plus-times", modulus=999)


@given(st.permutations(range(50)))
def test_a_plan_moves_every_word_to_its_place(permutation):
    plan = warpfold.permutation_plan(permutation)
    for dtype in ["int32", "int64", "float32", "float64"]:
        values = np.arange(50, dtype=dtype)
        expected = np.empty_like(values)
        expected[list(permutation)] = values
        moved = plan.move(values)
        assert moved.dtype == values.dtype and np.array_equal(moved, expected)


def test_a_schedule_has_no_bank_conflict(rng):
    permutation = rng.permutation(96)
    for row in warpfold.bank_schedule(permutation, 8).astype(int):
        assert sorted(row % 8) == list(range(8)) and sorted(permutation[row] % 8) == list(range(8))
    with pytest.raises(ValueError):
        warpfold.permutation_plan([0, 2, 2])


def test_multi_dot_of_nothing_and_of_vectors_is_numpys(rng):
    for shapes in [[(2, 0), (0, 3)], [(2, 3), (3, 0), (0, 4), (4, 1)], [(3,), (3,)], [(3,), (3, 4), (4,)], [(0,), (0,)]]:
        arrays = [rng.random(shape) for shape in shapes]
        found, expected = warpfold.multi_dot(arrays), np.linalg.multi_dot(arrays)
        assert np.shape(found) == np.shape(expected) and type(found) is type(expected) and np.allclose(found, expected)


def test_multi_dot_of_stacks_is_numpys_matmul_in_any_order(rng):
    shapes = [(5, 2, 3), (3, 4), (1, 4, 2), (2, 5)]
    a, b, c, d = (rng.random(shape) for shape in shapes)
    assert np.allclose(warpfold.multi_dot([a, b, c, d]), a @ b @ c @ d)
    assert np.allclose(warpfold.multi_dot([a[0, 0], b, c, d[:, 0]]), a[0, 0] @ b @ c @ d[:, 0])
    out = np.empty((5, 2, 5))
    assert warpfold.multi_dot([a, b, c, d], out=out) is out
    with pytest.raises(ValueError, match=r"^arrays\[1\] has 2 rows: 3 are accepted"):
        warpfold.multi_dot([a, a])


def test_multi_dot_of_vectors_fills_what_can_hold_the_product(rng):
    arrays = [rng.random(shape) for shape in [(3,), (3, 4), (4, 2)]]
    out = np.empty(2)
    assert warpfold.multi_dot(arrays, out=out) is out and np.array_equal(out, warpfold.multi_dot(arrays))
    with pytest.raises(ValueError, match="^out is 1: 2 is accepted"):
        warpfold.multi_dot(arrays, out=np.empty(1))
    with pytest.raises(ValueError, match="^out is 2: a single number is accepted"):
        warpfold.multi_dot([arrays[0], arrays[0]], out=np.empty(2))
    with pytest.raises(TypeError, match="^out is of dtype int64: float64 is accepted"):
        warpfold.multi_dot(arrays, out=np.empty(2, np.int64))


def test_lists_of_integers_beyond_64_bits_are_rounded_with_a_warning():
    none = int(warpfold.infinity("int64"))
    with pytest.warns(RuntimeWarning, match="a has integers beyond 4611686018427387903: float64 rounds them") as warned:
        product = warpfold.matmul([[2**70, 1], [none, 3]], [[1, 2], [3, none]])
    assert warned[0].filename == __file__
    assert product.dtype == np.float64 and product.tolist() == [[4, 2.0**70], [6, np.inf]]
    with pytest.warns(RuntimeWarning, match="b has integers"):
        assert warpfold.matmul(np.array([[1]]), [[2**64]], semiring="max-min").tolist() == [[1]]
    with pytest.warns(RuntimeWarning, match="a has integers"):
        assert warpfold.power([[2**65]], 2).tolist() == [[2.0**66]]
    with pytest.warns(RuntimeWarning, match="a has integers"):
        assert warpfold.closure([[0, 2**65], [1, 0]]).tolist() == [[0, 2.0**65], [1, 0]]
    with pytest.raises(OverflowError, match=r"a\[0, 0\] is 36893488147419103232, which int64 does not hold"):
        warpfold.matmul([[2**65]], [[1]], dtype="int64")
    assert warpfold.matmul([[2**63]], [[1]], semiring="plus-times").tolist() == [[2**63]]
    with pytest.raises(OverflowError, match=r"a\[0, 0\] is 36893488147419103232"):
        warpfold.matmul([[2**65]], [[1]], semiring="plus-times")
