"""Permutation: every word at its place, for every type, forwards and back."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpfold

TYPES = ["bool", "int8", "uint16", "float16", "int32", "float32", "int64", "float64", "complex128", "S4", "datetime64[s]"]


@given(st.permutations(range(50)), st.booleans())
def test_every_word_reaches_its_place(places, inverse):
    values = np.arange(50) * 3
    moved = warpfold.Permutation(places).apply(values, inverse=inverse)
    assert moved.tolist() == (values[places] if inverse else values[np.argsort(places)]).tolist()


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1000, 70_000])
def test_entries_of_any_type_move_in_two_passes_and_back(rng, dtype, n):
    places = rng.permutation(n)
    values = rng.integers(0, 100, n).astype(dtype)
    permutation = warpfold.Permutation(places)
    moved = permutation.apply(values)
    assert moved.dtype == values.dtype
    assert np.array_equal(moved[places], values)
    assert np.array_equal(permutation.apply(moved, inverse=True), values)


def test_rows_of_an_array_move_alike(rng):
    places = rng.permutation(300)
    values = rng.random((4, 5, 300))
    assert np.array_equal(warpfold.Permutation(places).apply(values)[..., places], values)
    assert np.array_equal(warpfold.Permutation(places).apply(values[::2, 1:4])[..., places], values[::2, 1:4])


def test_no_words_stay_none():
    assert warpfold.Permutation([]).apply(np.zeros(0)).shape == (0,)
    assert warpfold.Permutation([1, 0]).apply(np.zeros((0, 2))).shape == (0, 2)
    assert len(warpfold.Permutation([2, 0, 1])) == 3
    assert repr(warpfold.Permutation([1, 0])) == "Permutation(2 words)"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: warpfold.Permutation([0, 0]), ValueError, r"permutation\[1\] is 0, as an earlier entry is"),
        (lambda: warpfold.Permutation([0, 1]).apply([1, 2, 3]), ValueError, r"values are \(3,\): 2 along the last axis"),
        (lambda: warpfold.Permutation([0, 1]).apply(["a", None]), TypeError, r"values are of dtype object: entries of 1, 2"),
        (lambda: warpfold.Permutation([0, 1]).apply(np.zeros(2, "S3")), TypeError, r"values are of dtype \|S3: entries of 1, 2"),
    ],
)
def test_what_it_refuses_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()
