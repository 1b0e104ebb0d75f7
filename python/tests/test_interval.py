"""Triangulations, chains and trees against plain recurrences, and against NumPy where it has the function."""

import itertools
import math

import numpy as np
import opt_einsum
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpfold


def naive_triangulation(weights):
    n = len(weights)
    value = np.zeros((n, n), dtype=object)
    for d in range(2, n):
        for i in range(n - d):
            j = i + d
            best = min(value[i, k] + value[k, j] for k in range(i + 1, j))
            value[i, j] = best + (weights[i][j] if d < n - 1 else 0)
    return value[0, n - 1]


def naive_chain(dims):
    n = len(dims)
    value = {(i, i + 1): 0 for i in range(n - 1)}
    for d in range(2, n):
        for i in range(n - d):
            j = i + d
            value[i, j] = min(value[i, k] + value[k, j] + dims[i] * dims[k] * dims[j] for k in range(i + 1, j))
    return value[0, n - 1]


def naive_tree(p, q):
    n = len(p)
    value = {(i, i): q[i] for i in range(n + 1)}
    for d in range(1, n + 1):
        for i in range(n + 1 - d):
            j = i + d
            total = sum(p[i:j]) + sum(q[i : j + 1])
            value[i, j] = total + min(value[i, k - 1] + value[k, j] for k in range(i + 1, j + 1))
    return value[0, n]


@given(st.integers(3, 12).flatmap(lambda n: st.lists(st.lists(st.integers(-9, 99), min_size=n, max_size=n), min_size=n, max_size=n)))
def test_a_triangulation_costs_what_the_recurrence_says(weights):
    found = warpfold.triangulate(weights)
    assert found.cost == naive_triangulation(weights)
    assert sum(weights[i][j] for i, j in found.chords.tolist()) == found.cost
    assert warpfold.verify(weights, found)


@given(st.lists(st.integers(1, 99), min_size=2, max_size=14))
def test_a_chain_costs_what_the_recurrence_says(dims):
    order = warpfold.chain_order(dims)
    assert order.cost == naive_chain(dims)
    assert sum(dims[i] * dims[k] * dims[j] for i, k, j in order.splits.tolist()) == order.cost
    assert warpfold.verify(dims, order)


@given(st.lists(st.integers(0, 50), min_size=1, max_size=9), st.data())
def test_a_tree_costs_what_the_recurrence_says(p, data):
    q = data.draw(st.lists(st.integers(0, 50), min_size=len(p) + 1, max_size=len(p) + 1))
    tree = warpfold.search_tree(p, q)
    assert tree.cost == naive_tree(p, q)
    assert list(tree.parents).count(-1) == 1 and tree.parents[tree.root] == -1
    assert warpfold.verify((p, q), tree)


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_a_triangulation_keeps_the_dtype_of_its_weights(rng, dtype):
    weights = rng.integers(0, 100, (20, 20)).astype(dtype)
    found = warpfold.triangulate(weights)
    assert found.cost == warpfold.triangulate(weights.astype("int64")).cost
    assert isinstance(found.cost, float if dtype.startswith("f") else int)


def test_costs_beyond_64_bits_are_exact():
    dims = [3_000_000] * 4
    assert warpfold.chain_order(dims).cost == 2 * 3_000_000**3


@given(st.lists(st.lists(st.integers(1, 2**32), min_size=3, max_size=3), min_size=1, max_size=4))
def test_costs_of_a_batch_are_exact_below_and_above_int64s(batch):
    assert [int(cost) for cost in warpfold.chain_order(batch).costs] == [math.prod(dims) for dims in batch]


def test_forbidden_chords_are_avoided_or_leave_nothing():
    weights = np.ones((4, 4))
    weights[0, 2] = np.inf
    assert warpfold.triangulate(weights).chords.tolist() == [[1, 3]]
    weights[1, 3] = np.inf
    with pytest.raises(warpfold.InfeasibleError):
        warpfold.triangulate(weights)


def test_an_outline_is_cut_inside_alone():
    outline = [[0, 0], [4, 0], [4, 3], [2, 1], [0, 3]]
    found = warpfold.triangulate(outline)
    assert found.chords.tolist() == [[0, 3], [1, 3]]
    assert found.cost == pytest.approx(2 * 5**0.5)
    assert warpfold.verify(outline, found)
    assert warpfold.triangulate(outline, weight="squared").cost == 10


def test_a_changed_solution_is_found_out(rng):
    weights = rng.integers(0, 100, (9, 9))
    found = warpfold.triangulate(weights)
    verdict = warpfold.verify(weights + 1, found)
    assert not verdict and "cost" in verdict.violation


def test_batches_are_what_each_alone_is(rng):
    weights = rng.random((3, 2, 12, 12))
    batch = warpfold.triangulate(weights)
    assert batch.costs.shape == (3, 2) and len(batch) == 3
    for at in itertools.product(range(3), range(2)):
        alone = warpfold.triangulate(weights[at])
        assert batch.costs[at] == batch[at].cost == alone.cost
        assert batch[at].triangles.tolist() == alone.triangles.tolist()
    with pytest.raises(IndexError):
        batch[3, 0]
    dims = rng.integers(1, 50, (5, 8))
    assert warpfold.chain_order(dims).costs.tolist() == [warpfold.chain_order(row).cost for row in dims]


def test_a_batch_is_checked_and_the_wrong_one_is_named(rng):
    weights, dims = rng.integers(0, 99, (3, 2, 12, 12)), rng.integers(1, 50, (3, 2, 8))
    p, q = rng.integers(0, 50, (3, 2, 8)), rng.integers(0, 50, (3, 2, 9))
    outlines = stars(rng, [9, 5, 17])
    solved = [
        (weights, warpfold.triangulate(weights)),
        (dims, warpfold.chain_order(dims)),
        ((p, q), warpfold.search_tree(p, q)),
        (outlines, warpfold.triangulate(outlines)),
    ]
    for problem, found in solved:
        assert warpfold.verify(problem, found)
    weights[1, 1] += 1
    dims[1, 1] += 1
    p[1, 1] += 1
    outlines[1] *= 2
    for problem, found in solved:
        assert warpfold.verify(problem, found).violation.startswith(("problem[1, 1]: ", "problem[1]: "))
    assert warpfold.verify(weights[:2], solved[0][1]).violation == "the batch has another shape"


@pytest.mark.parametrize("count", [3, 3000])
def test_what_is_no_weight_is_named_with_its_place_in_the_batch(count):
    weights = np.ones((count, 2, 12, 12))
    weights[2, 1, 3, 7] = np.nan
    with pytest.raises(ValueError, match=r"^problem\[2, 1\]: weight \(3, 7\) is nan"):
        warpfold.triangulate(weights)


def test_a_batch_says_which_of_it_has_no_triangulation():
    weights = np.full((2, 4, 4), np.inf)
    weights[0] = 1
    found = warpfold.triangulate(weights)
    assert found.costs.tolist() == [1, np.inf]
    verdict = warpfold.verify(weights, found)
    assert verdict and not verdict.is_optimal and verdict.unchecked == "problem[1]: whether there is none"


def stars(rng, sizes):
    """Outlines around the origin, whose vertices lie at different distances."""
    outlines = []
    for n in sizes:
        angles = np.sort(rng.random(n)) * 2 * np.pi
        outlines.append(np.stack([np.cos(angles), np.sin(angles)], 1) * (0.5 + rng.random((n, 1))))
    return outlines


def test_a_list_of_outlines_is_a_batch_of_any_lengths(rng):
    outlines = stars(rng, [5, 40, 3, 17])
    for given in [outlines, tuple(outlines), [one.tolist() for one in outlines]]:
        batch = warpfold.triangulate(given)
        assert batch.costs.shape == (4,) and len(batch) == 4
        for at, outline in enumerate(outlines):
            alone = warpfold.triangulate(outline)
            assert batch.costs[at] == batch[at].cost == alone.cost
            assert np.array_equal(batch[at].triangles, alone.triangles)
            assert warpfold.verify(outline, batch[at])
    assert "<svg" in batch[1]._repr_svg_()


def test_outlines_of_one_length_are_leading_dimensions(rng):
    outlines = np.array(stars(rng, [12] * 6)).reshape(2, 3, 12, 2)
    batch = warpfold.triangulate(outlines, dtype="float32")
    assert batch.costs.shape == (2, 3) and batch.costs.dtype == np.float32
    assert batch.costs[1, 2] == warpfold.triangulate(outlines[1, 2], dtype="float32").cost
    whole = np.round(outlines * 1000).astype(int)
    squares = warpfold.triangulate(whole, weight="squared")
    assert squares.costs.dtype == np.int64 and squares[0, 1].cost == warpfold.triangulate(whole[0, 1], weight="squared").cost
    assert warpfold.triangulate(list(whole[0]), weight="squared").costs.tolist() == squares.costs[0].tolist()


def test_an_outline_of_a_batch_that_is_none_is_named(rng):
    bow_tie = [[0, 0], [1, 1], [1, 0], [0, 1]]
    with pytest.raises(ValueError, match=r"problem\[1\]"):
        warpfold.triangulate([[[0, 0], [1, 0], [0, 1]], bow_tie])
    with pytest.raises(ValueError, match=r"problem\[1\] is a list of 3: points"):
        warpfold.triangulate([[[0, 0], [1, 0], [0, 1]], [1, 2, 3]])


def test_trees_of_a_batch_are_what_each_alone_is(rng):
    for dtype in ["int64", "float64"]:
        p, q = rng.integers(0, 50, (2, 3, 8)).astype(dtype), rng.integers(0, 50, (2, 3, 9))
        batch = warpfold.search_tree(p, q)
        assert batch.costs.shape == (2, 3) and batch.costs.dtype == dtype
        for at in itertools.product(range(2), range(3)):
            alone = warpfold.search_tree(p[at], q[at])
            assert batch.costs[at] == batch[at].cost == alone.cost
            assert batch[at].parents.tolist() == alone.parents.tolist()
    with pytest.raises(ValueError, match="p is 2 x 3 x 8 and q 3 x 9"):
        warpfold.search_tree(p, q[0])


@pytest.mark.parametrize("count", [2, 3, 4, 9])
def test_multi_dot_gives_what_numpys_gives(rng, count):
    dims = rng.integers(1, 9, count + 1)
    arrays = [rng.random((p, q)) for p, q in zip(dims, dims[1:])]
    for first, last in itertools.product([arrays[0], arrays[0][0]], [arrays[-1], arrays[-1][:, 0]]):
        chain = [first, *arrays[1:-1], last]
        assert np.allclose(warpfold.multi_dot(chain), np.linalg.multi_dot(chain), rtol=1e-13)
    out = np.empty((dims[0], dims[-1]))
    assert warpfold.multi_dot(arrays, out=out) is out


def test_a_path_contracts_with_opt_einsum(rng):
    dims = [2, 9, 3, 7, 4]
    arrays = [rng.random((p, q)) for p, q in zip(dims, dims[1:])]
    order = warpfold.chain_order(dims)
    found = opt_einsum.contract("ab,bc,cd,de->ae", *arrays, optimize=order.path)
    assert np.allclose(found, np.linalg.multi_dot(arrays))
    path, info = opt_einsum.contract_path("ab,bc,cd,de->ae", *arrays, optimize="optimal")
    assert 2 * order.cost == pytest.approx(float(info.opt_cost))


def test_pictures_are_svg(rng):
    for picture in [warpfold.triangulate(rng.random((9, 9))), warpfold.search_tree([1, 2, 3], [1, 1, 1, 1])]:
        text = picture._repr_svg_()
        assert text.startswith("<svg") and text.rstrip().endswith("</svg>")
