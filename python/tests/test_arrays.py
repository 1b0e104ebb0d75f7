"""Every dtype and layout gives the same result as a plain array, or one clear error."""

import ctypes

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
    with pytest.raises(TypeError, match="float64"):
        warpfold.coins([1.5, 2.0], 10)
    with pytest.raises(TypeError, match="int32"):
        warpfold.triangulate(np.ones((4, 4)), dtype="int32")
    with pytest.raises(ValueError):
        warpfold.triangulate(np.full((4, 4), np.nan))


@pytest.mark.parametrize("shape", [(0, 0), (3,), (), (2, 3, 4), (1, 2, 2)])
def test_shapes_that_are_no_problem_are_refused(shape):
    with pytest.raises(ValueError):
        warpfold.triangulate(np.ones(shape))


@pytest.mark.parametrize("shape", [(0, 4, 4), (2, 4, 4), (1, 1, 4, 4), (4,), (3, 4)])
def test_what_takes_one_matrix_refuses_a_batch(shape):
    batch, square = np.zeros(shape), np.zeros((4, 4))
    text = " x ".join(map(str, shape)) + ": a square matrix is accepted"
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
