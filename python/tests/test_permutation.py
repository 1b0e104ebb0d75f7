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
        (lambda: warpfold.Permutation([2, -1, 0]), ValueError, r"permutation\[1\] is -1: 0 .. 2 are accepted"),
        (lambda: warpfold.Permutation(np.array([2**40, 0])), ValueError, r"permutation\[0\] is 1099511627776: 0 .. 1 are"),
        (lambda: warpfold.Permutation([0, 1], threads=-1), ValueError, "threads is -1: 0"),
        (lambda: warpfold.Permutation([0, 0]), ValueError, r"permutation\[1\] is 0, as an earlier entry is"),
        (lambda: warpfold.Permutation([0, 1]).apply([1, 2, 3]), ValueError, r"values are \(3,\): 2 along the last axis"),
        (lambda: warpfold.Permutation([0, 1]).apply(["a", None]), TypeError, r"values are of dtype object: entries of 1, 2"),
        (lambda: warpfold.Permutation([0, 1]).apply(np.zeros(2, "S3")), TypeError, r"values are of dtype \|S3: entries of 1, 2"),
    ],
)
def test_what_it_refuses_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize("n", [0, 1, 50, 70_000])
def test_a_saved_plan_moves_as_the_permutation_does(rng, tmp_path, n):
    places = rng.permutation(n)
    values = rng.random((2, n))
    for permutation in (warpfold.Permutation(places), warpfold.Permutation(np.roll(np.arange(n), 3))):
        permutation.save(tmp_path / "p.plan")
        loaded = warpfold.load_plan(tmp_path / "p.plan", threads=2)
        assert isinstance(loaded, warpfold.Permutation) and len(loaded) == n
        assert np.array_equal(loaded.apply(values), permutation.apply(values))
        assert np.array_equal(loaded.apply(values, inverse=True), permutation.apply(values, inverse=True))
        loaded.save(tmp_path / "again.plan")
        assert (tmp_path / "again.plan").read_bytes() == (tmp_path / "p.plan").read_bytes()


def test_a_saved_plan_of_three_steps_stays_one(rng, tmp_path):
    plan = warpfold.permutation_plan(rng.permutation(1000))
    plan.save(tmp_path / "p.plan")
    loaded = warpfold.load_plan(str(tmp_path / "p.plan"))
    assert isinstance(loaded, warpfold.PermutationPlan)
    assert np.array_equal(loaded.second, plan.second)
    values = rng.random(1000)
    assert np.array_equal(loaded.move(values), plan.move(values))


def test_files_that_are_no_plans_are_refused(tmp_path):
    path = str(tmp_path / "p.plan")
    warpfold.Permutation([1, 0, 3, 2, 4]).save(path)
    content = bytearray((tmp_path / "p.plan").read_bytes())
    for at in range(len(content)):
        content[at] ^= 1
        (tmp_path / "p.plan").write_bytes(content)
        with pytest.raises(ValueError, match=r"p\.plan: (the plan |is no plan)"):
            warpfold.load_plan(path)
        content[at] ^= 1
    with pytest.raises(ValueError, match="cannot be read"):
        warpfold.load_plan(str(tmp_path / "none"))
