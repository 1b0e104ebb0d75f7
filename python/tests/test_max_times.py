"""max-times, the most reliable path, against NumPy."""

import itertools

import numpy as np
import pytest

import warpfold


def drawn(rng, shape, dtype=np.float64, density=0.5):
    """Probabilities; some are 0, which is no value, and some are 1."""
    values = np.where(rng.random(shape) < 0.1, 1.0, rng.random(shape))
    return np.where(rng.random(shape) < density, values, 0).astype(dtype)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(1, 1, 1), (5, 4, 6), (33, 65, 17), (0, 3, 2), (2, 70, 70)])
def test_a_product_is_numpys_bit_by_bit(rng, dtype, shape):
    m, p, n = shape
    a, b = drawn(rng, (m, p), dtype), drawn(rng, (p, n), dtype)
    values, argmin = warpfold.matmul(a, b, semiring="max-times", return_argmin=True)
    terms = a[:, :, None] * b[None, :, :]
    assert values.dtype == a.dtype and np.array_equal(values, terms.max(1, initial=0))
    assert np.array_equal(argmin, np.where(values > 0, terms.argmax(1), 2**32 - 1) if p else argmin)
    assert warpfold.verify_product(a, b, values, argmin, semiring="max-times")


def test_a_closure_is_that_of_the_shortest_paths_of_logarithms(rng):
    a = drawn(rng, (60, 60), density=0.1)
    closed = warpfold.closure(a, semiring="max-times")
    with np.errstate(divide="ignore"):
        shortest = warpfold.closure(-np.log(a))
    assert np.allclose(closed, np.exp(-shortest), rtol=1e-12)
    assert warpfold.verify_closure(a, closed, semiring="max-times")
    assert not warpfold.verify_closure(a, closed * (1 - 1e-6), semiring="max-times")
    power = warpfold.power(a, 3, semiring="max-times")
    assert warpfold.verify_power(a, 3, power, semiring="max-times")


def test_the_most_reliable_path_is_the_best_of_all_paths(rng):
    n = 6
    graph = drawn(rng, (n, n))
    lengths, before = warpfold.shortest_paths(graph, semiring="max-times", return_predecessors=True)
    assert warpfold.verify_paths(graph, lengths, before, semiring="max-times")
    for i, j in itertools.permutations(range(n), 2):
        others = [k for k in range(n) if k not in (i, j)]
        ways = ((i, *some, j) for count in range(n - 1) for some in itertools.permutations(others, count))
        best = max(np.prod([graph[k, m] for k, m in itertools.pairwise(way)]) for way in ways)
        assert lengths[i, j] == pytest.approx(best, rel=1e-14)
        path = warpfold.path(before, i, j)
        assert np.prod([graph[k, m] for k, m in itertools.pairwise(path)]) == pytest.approx(best, rel=1e-14) if path else best == 0
    row = warpfold.shortest_paths(graph, semiring="max-times", indices=0)
    assert np.allclose(row, lengths[0], rtol=1e-14)


def test_no_edge_is_masked_or_missing(rng):
    graph = drawn(rng, (9, 9))
    expected = warpfold.shortest_paths(graph, semiring="max-times")
    masked = np.ma.masked_array(np.where(graph > 0, graph, 0.5), graph == 0)
    assert np.array_equal(warpfold.shortest_paths(masked, semiring="max-times"), expected)
    sparse = pytest.importorskip("scipy.sparse")
    assert np.array_equal(warpfold.shortest_paths(sparse.csr_array(graph), semiring="max-times"), expected)


@pytest.mark.parametrize("given_inner", [False, True])
def test_a_recurrence_is_the_naive_one_bit_by_bit(rng, given_inner):
    n = 70
    leaves, weights, inner = (drawn(rng, shape, density=0.9) for shape in [n - 1, (n, n), (n, n)])
    words = {"weights": weights, **({"inner": inner} if given_inner else {})}
    found = warpfold.interval_recurrence(leaves, semiring="max-times", **words)
    values = np.eye(n)
    for length, i in ((length, i) for length in range(1, n) for i in range(n - length)):
        j = i + length
        values[i, j] = leaves[i] if length == 1 else (values[i, i + 1 : j] * values[i + 1 : j, j]).max() * weights[i, j]
        if given_inner and length > 1:
            values[i, j] = max(values[i, j], values[i + 1, j - 1] * inner[i, j])
    assert np.array_equal(np.triu(found.values), values)
    assert warpfold.verify(leaves, found, semiring="max-times", **words).is_optimal


def test_whole_numbers_are_taken_as_fractions_and_no_probability_is_an_answer():
    assert warpfold.matmul([[0, 1], [1, 0]], [[1, 0], [0, 1]], semiring="max-times").dtype == np.float64
    found = warpfold.interval_recurrence([1, 0, 1], semiring="max-times")
    assert found.cost == 0 and found.values.dtype == np.float64 and len(found.splits) == 0


@pytest.mark.parametrize(("number", "shown"), [(1.5, "1.5"), (-0.25, "-0.25"), (np.nan, "nan"), (np.inf, "inf")])
def test_what_is_no_probability_is_refused_with_its_place(number, shown):
    bad = np.ones((3, 3))
    bad[1, 2] = number
    for solve in (lambda: warpfold.matmul(bad, np.ones((3, 3)), semiring="max-times"), lambda: warpfold.power(bad, 2, semiring="max-times")):
        with pytest.raises(ValueError, match=rf"A\(1, 2\) is {shown}: f64 from 0 to 1 are accepted"):
            solve()
    for solve in (warpfold.closure, warpfold.shortest_paths):
        with pytest.raises(ValueError, match=rf"edge \(1, 2\) is {shown}: a number above 0 and up to 1"):
            solve(bad, semiring="max-times")
    with pytest.raises((ValueError, OverflowError), match=rf"leaf\(1\) is {shown}: numbers from 0 to 1 are accepted"):
        warpfold.interval_recurrence([1, number, 1], semiring="max-times")
    with pytest.raises(TypeError, match="float64, float32 are accepted here"):
        warpfold.matmul(np.ones((2, 2)), np.ones((2, 2)), semiring="max-times", dtype="int32")
