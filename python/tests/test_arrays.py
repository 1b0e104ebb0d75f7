"""Every dtype and layout gives the same result as a plain array, or one clear error."""

import ctypes
import re
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import warpfold

LAYOUTS = {
    "C": lambda a: np.ascontiguousarray(a),
    "Fortran": lambda a: np.asfortranarray(a),
    "rows apart": lambda a: np.concatenate([a, a], 1)[:, : a.shape[1]],
    "strided": lambda a: np.repeat(np.repeat(a, 2, 0), 3, 1)[::2, ::3],
    "turned": lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    "byte-swapped": lambda a: a.astype(a.dtype.newbyteorder()),
    "unaligned": lambda a: np.frombuffer(b"x" + a.tobytes(), a.dtype, offset=1).reshape(a.shape),
    "list": lambda a: a.tolist(),
    "memory": lambda a: memoryview(np.ascontiguousarray(a)),
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_a_layout_changes_no_bit(rng, layout, dtype):
    a = rng.integers(0, 1000, (13, 13)).astype(dtype)
    given = LAYOUTS[layout](a)
    assert warpfold.triangulate(given).cost == warpfold.triangulate(a).cost
    assert np.array_equal(warpfold.matmul(given, given), warpfold.matmul(a, a))
    assert np.array_equal(warpfold.shortest_paths(given), warpfold.shortest_paths(a))


def test_read_only_arrays_are_read(rng):
    a = rng.random((9, 9))
    a.flags.writeable = False
    assert warpfold.triangulate(a).cost == warpfold.triangulate(a.copy()).cost
    assert np.array_equal(warpfold.matmul(a, a), warpfold.matmul(a.copy(), a.copy()))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "uint16", "uint32", "float16"])
def test_smaller_types_are_widened(rng, dtype):
    a = rng.integers(0, 100, (9, 9)).astype(dtype)
    assert warpfold.triangulate(a).cost == warpfold.triangulate(a.astype("int64")).cost


def test_what_no_type_holds_is_refused_with_its_name_and_place():
    big = np.full((4, 4), 2**63, np.uint64)
    with pytest.raises(OverflowError, match=r"problem\[0, 0\] is 9223372036854775808"):
        warpfold.triangulate(big)
    with pytest.raises(OverflowError, match=r"dims\[1\]"):
        warpfold.chain_order([1, 10**30])
    with pytest.raises(OverflowError, match="float32"):
        warpfold.triangulate(np.full((4, 4), 2**24 + 1), dtype="float32")
    with pytest.raises(TypeError, match="complex128"):
        warpfold.triangulate(np.ones((4, 4), complex))
    with pytest.raises(TypeError, match="int32"):
        warpfold.triangulate(np.ones((4, 4)), dtype="int32")
    with pytest.raises(ValueError):
        warpfold.triangulate(np.full((4, 4), np.nan))


@pytest.mark.parametrize("shape", [(0, 0), (3,), (), (2, 3, 4), (1, 2, 2)])
def test_shapes_that_are_no_problem_are_refused(shape):
    with pytest.raises(ValueError):
        warpfold.triangulate(np.ones(shape))


WHOLE = ["int8", "uint8", "int16", "uint16", "uint32", "int32", "int64", "uint64"]


@pytest.mark.parametrize("words", [{}, {"dtype": "int64"}, {"dtype": "float64"}])
@pytest.mark.parametrize("dtype", [*WHOLE, "float16", "float32", "float64"])
def test_a_mask_has_no_value_in_whatever_type(dtype, words):
    if dtype.startswith("float"):
        words = {}
    masked = np.ma.masked_array(np.array([[0, 100, 1], [1, 0, 1], [1, 1, 0]], dtype), [[0, 0, 1], [0] * 3, [0] * 3])
    assert warpfold.shortest_paths(masked, **words)[0].tolist() == [0, 100, 101]
    assert warpfold.shortest_paths(masked, indices=0, **words).tolist() == [0, 100, 101]
    assert warpfold.closure(masked, **words)[0].tolist() == [0, 100, 101]
    assert warpfold.matmul(masked[:1], masked, **words).tolist() == [[0, 100, 101]]
    assert warpfold.triangulate(np.ma.masked_array(np.ones((4, 4), dtype), np.arange(16).reshape(4, 4) == 2), **words).cost == 1
    assert warpfold.recurrence([2, 1], np.ma.masked_array(np.array([3, 5], dtype), [1, 0]), 3).values[-1] == 5


def test_a_mask_that_means_nothing_is_refused():
    dims, square = np.ma.masked_array([1, 2, 3], [0, 1, 0]), np.ma.masked_array(np.eye(3), np.eye(3))
    for name, call in [
        (r"dims\[1\]", lambda: warpfold.chain_order(dims)),
        (r"problem\[0, 0\]", lambda: warpfold.triangulate(square[:, :2])),
        (r"a\[0, 0\]", lambda: warpfold.matmul(square, square, semiring="plus-times")),
        (r"weights\[1\]", lambda: warpfold.recurrence([1, 2, 3], [1, 2, 3], 9, weights=dims)),
    ]:
        with pytest.raises(TypeError, match=f"^{name} is masked"):
            call()
    assert warpfold.chain_order(np.ma.masked_array([1, 2, 3])).cost == 6


def test_an_infinity_stays_one_where_it_is_widened():
    for dtype in ["int16", "int32"]:
        none = warpfold.infinity(dtype)
        graph = np.array([[0, 1, none], [1, 0, 5], [1, 1, 0]], dtype)
        for words in [{"dtype": "int64"}, {"dtype": "float64"}]:
            assert warpfold.shortest_paths(graph, **words)[0].tolist() == [0, 1, 6]
            assert warpfold.shortest_paths(graph, indices=0, **words).tolist() == [0, 1, 6]
            assert warpfold.closure(graph, **words)[0, 2] == 6
        assert warpfold.matmul(np.array([[none]], dtype), np.array([[1]]))[0, 0] == warpfold.infinity("int64")
        for call in [warpfold.triangulate, lambda all_: warpfold.interval_recurrence(all_[0])]:
            with pytest.raises(warpfold.InfeasibleError):
                call(np.full((4, 4), none, dtype))
        least = warpfold.recurrence([1], np.array([none]), 2, dtype="int64")
        largest = warpfold.recurrence([1], np.array([-none]), 2, op="max", dtype="int64")
        assert least.values[1] == -largest.values[1] == warpfold.infinity("int64")


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_what_is_beyond_infinity_is_not_taken_for_it(dtype):
    beyond = np.full((5, 5), 2**62, dtype)
    for name, call in [
        (r"problem\[0, 2\]", lambda: warpfold.triangulate(beyond)),
        (r"problem\[0\]: problem\[0, 2\]", lambda: warpfold.triangulate(beyond[None])),
        (r"graph\[0, 0\]", lambda: warpfold.shortest_paths(beyond)),
        (r"graph\[0, 0\]", lambda: warpfold.shortest_paths(beyond, indices=[0])),
        (r"a\[0, 0\]", lambda: warpfold.closure(beyond)),
        (r"leaves\[0\]", lambda: warpfold.interval_recurrence(beyond[0])),
    ]:
        with pytest.raises(OverflowError, match=f"^{name} is 4611686018427387904"):
            call()
    none = beyond - 1
    assert warpfold.shortest_paths(none)[0, 1] == warpfold.shortest_paths(none, indices=0)[1] == warpfold.infinity("int64")
    chords = np.where(np.triu(np.ones((5, 5)), 2) > 0, 1, beyond.astype("int64"))  # the others are not read
    assert warpfold.triangulate(chords).cost == 2


def test_fractions_that_float32_does_not_hold_are_refused():
    for number in [1e39, 1e-50]:
        for call in [
            lambda: warpfold.matmul([[number, 5.0]], [[0.0], [0.0]], dtype="float32"),
            lambda: warpfold.shortest_paths([[0, number], [1, 0]], dtype="float32"),
            lambda: warpfold.triangulate([[0, 1, 1], [0, 0, number], [0, 0, 0]], dtype="float32"),
        ]:
            with pytest.raises(OverflowError, match=rf"\[\d, \d\] is {re.escape(str(number))}, which float32 does not hold"):
                call()
    assert np.isinf(warpfold.matmul([[np.inf]], [[0.0]], dtype="float32"))


def test_whole_numbers_are_not_rounded_among_fractions():
    large = 2**53 + 1
    for call in [
        lambda: warpfold.interval_recurrence([large, 0.0]),
        lambda: warpfold.interval_recurrence(np.array([large, 0.5], object)),
        lambda: warpfold.shortest_paths([[large, 0.5], [0, 0]]),
        lambda: warpfold.matmul([[large, 0.5]], [[0], [0]]),
        lambda: warpfold.search_tree([large], [0.5, 1]),
        lambda: warpfold.recurrence([2], [large, 0.5], 3),
    ]:
        with pytest.raises(OverflowError, match=r"\[0(, 0)?\] is 9007199254740993, which float64 does not hold exactly"):
            call()
    with pytest.raises(OverflowError, match=r"values\[0\] is 9223372036854775809"):
        warpfold.permutation_plan([0, 1]).move([2**63 + 1, -1])
    assert warpfold.interval_recurrence([2**53 + 2, 0.0, 1e300]).cost == 1e300


def test_an_array_of_an_unknown_library_gives_numpys(rng):
    class Lent:
        def __init__(self, array):
            self.__dlpack__, self.__dlpack_device__ = array.__dlpack__, array.__dlpack_device__

    a = rng.random((5, 5))
    assert np.array_equal(warpfold.matmul(Lent(a), a), warpfold.matmul(a, a))


def test_a_batch_tells_what_has_no_triangulation():
    batch = np.array([np.full((5, 5), np.inf), np.ones((5, 5))])
    found = warpfold.triangulate(batch)
    assert found.costs.tolist() == [np.inf, 2] and found[1].cost == 2
    with pytest.raises(warpfold.InfeasibleError, match=r"^problem\[0\]: the forbidden chords leave no triangulation"):
        found[0]
    assert warpfold.verify(batch, found).unchecked == "problem[0]: whether there is none"


@pytest.mark.parametrize("shape", [(0, 4, 4), (2, 4, 4), (1, 1, 4, 4), (4,), (3, 4)])
def test_what_takes_one_matrix_refuses_a_batch(shape):
    batch, square = np.zeros(shape), np.zeros((4, 4))
    given = "a list of 4" if len(shape) == 1 else " x ".join(map(str, shape))
    text = given + ": a square matrix is accepted"
    for name, call in [
        ("a", lambda: warpfold.power(batch, 2)),
        ("a", lambda: warpfold.closure(batch)),
        ("a", lambda: warpfold.verify_power(batch, 2, square)),
        ("a", lambda: warpfold.verify_closure(batch, square)),
        ("power", lambda: warpfold.verify_power(square, 2, batch)),
        ("closure", lambda: warpfold.verify_closure(square, batch)),
        ("graph", lambda: warpfold.shortest_paths(batch)),
        ("problem", lambda: warpfold.verify(batch, warpfold.triangulate(square))),
    ]:
        with pytest.raises(ValueError, match=f"^{name} is {text}"):
            call()


def test_outlines_are_checked_against_outlines_alone():
    found = warpfold.triangulate(np.array([[[0, 0], [1, 0], [0, 1]]]))
    for problem in [np.zeros(3), np.zeros((3, 2)), np.zeros((1, 3, 1))]:
        with pytest.raises(ValueError, match="^problem is .*: outlines"):
            warpfold.verify(problem, found)


def test_empty_lists_are_refused_or_nothing():
    for call in [lambda: warpfold.chain_order([]), lambda: warpfold.coins([], 3), lambda: warpfold.search_tree([], [1])]:
        with pytest.raises(ValueError):
            call()
    assert warpfold.subset_sum([], 3).sum == 0
    assert warpfold.matmul(np.ones((0, 3)), np.ones((3, 0))).shape == (0, 0)
    assert warpfold.matmul(np.ones((0, 2, 3)), np.ones((3, 4))).shape == (0, 2, 4)
    assert len(warpfold.triangulate(np.ones((0, 5, 5)))) == 0


def test_results_are_read_only_and_outlive_what_made_them(rng):
    chords = warpfold.triangulate(rng.random((30, 30))).chords
    assert not chords.flags.writeable and chords.flags.c_contiguous
    assert chords.max() < 30
    with pytest.raises(AttributeError):
        warpfold.chain_order([1, 2, 3]).cost = 3


def test_no_copy_is_made_of_rows_as_the_library_reads_them(rng):
    weights = rng.random((1500, 1500))
    report = warpfold.triangulate(weights).report
    assert report.peak_bytes < weights.nbytes


def test_dlpack_goes_in_and_comes_out(rng):
    class Lent:
        """An array that is known by DLPack alone."""

        def __init__(self, array):
            self.array = array

        def __dlpack__(self, **words):
            return self.array.__dlpack__(**words)

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

        def __array_namespace__(self):
            return np

    a = rng.random((5, 5))
    found = warpfold.matmul(Lent(a), a)
    assert np.array_equal(found, warpfold.matmul(a, a))
    assert np.array_equal(np.from_dlpack(found), found)
    assert ctypes.c_double.from_address(found.ctypes.data).value == found[0, 0]


def test_whole_numbers_are_not_rounded_beside_those_that_int64_does_not_hold():
    assert warpfold.recurrence([1, 2], [2**63 + 1, 1], 5, op="max", dtype="u8").values[0] == 2**63 + 1
    assert warpfold.chain_order([np.uint64(5), np.int64(3), 2]).cost == 30
    with pytest.raises(OverflowError, match=r"^leaves\[0\] is 9223372036854775808, which int64 does not hold exactly"):
        warpfold.interval_recurrence([2**63, 1])
    with pytest.raises(OverflowError, match="index 4"):
        warpfold.recurrence([1, 2], [2**63, 1], 5, op="sum")


def test_no_unsigned_number_is_below_all_others():
    masked = np.ma.masked_array(np.array([5, 7], np.uint64), [0, 1])
    with pytest.raises(TypeError, match=r"^initial\[1\] is masked"):
        warpfold.recurrence([1, 2], masked, 4, op="max")
    with pytest.raises(OverflowError, match=r"^initial\[1\] is -4611686018427387903, which uint64 does not hold"):
        warpfold.recurrence([1, 2], np.array([5, -warpfold.infinity("int64")]), 4, op="max", dtype="uint64")
    assert warpfold.recurrence([1, 2], masked, 4, op="min").values.tolist() == [5, warpfold.infinity("uint64"), 5, 5]


@pytest.mark.parametrize(
    "number",
    [Decimal(2**53 + 1), Fraction(2**53 + 1), Decimal("1e400"), Fraction(10**400), Decimal("1e-400"),
     np.longdouble(2) ** 60 + 1],
)
@pytest.mark.parametrize("words", [{}, {"dtype": "float32"}])
def test_pythons_own_fractions_are_neither_infinite_nor_nothing_nor_other_whole_numbers(number, words):
    for call in [warpfold.shortest_paths, lambda a, **words: warpfold.matmul(a, a, **words)]:
        with pytest.raises(OverflowError, match=r"\[0, 1\] is .*, which float64 does not hold$"):
            call(np.array([[0, number], [0.5, 0]], object), **words)


def test_pythons_own_fractions_are_rounded_as_fractions_are():
    given = [0.1, 1e30, Decimal("0.1"), Decimal("inf"), Fraction(1, 3), np.longdouble("0.1")]
    for words in [{}, {"dtype": "float32"}]:
        expected = np.array([float(one) for one in given], words.get("dtype", "float64"))
        assert np.array_equal(warpfold.matmul(np.array([given], object).T, [[0.0]], **words)[:, 0], expected)
