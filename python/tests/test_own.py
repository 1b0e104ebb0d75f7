"""Interval recurrences declared from Python, against the loops that they stand for."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import warpfold

PLUS_TIMES = {
    "min-plus": (min, lambda a, b: a + b, 0),
    "max-plus": (max, lambda a, b: a + b, 0),
    "min-max": (min, max, -np.inf),
    "max-min": (max, min, np.inf),
    "plus-times": (lambda a, b: a + b, lambda a, b: a * b, 1.0),
}


def naive(leaves, semiring, weights=None, factors=None, inner=None):
    plus, times, one = PLUS_TIMES[semiring]
    n = len(leaves) + 1
    value = {(i, i): one for i in range(n)} | {(i, i + 1): leaf for i, leaf in enumerate(leaves)}
    for d in range(2, n):
        for i in range(n - d):
            j = i + d
            best = None
            for k in range(i + 1, j):
                term = times(value[i, k], value[k, j])
                if factors is not None:
                    term = times(term, factors[0][i] * factors[1][k] * factors[2][j])
                best = term if best is None else plus(best, term)
            best = best if weights is None else times(best, weights[i, j])
            value[i, j] = best if inner is None else plus(best, times(value[i + 1, j - 1], inner[i, j]))
    return value


@pytest.mark.parametrize("semiring", PLUS_TIMES)
@pytest.mark.parametrize("given_weights", [False, True])
@pytest.mark.parametrize("given_inner", [False, True])
@pytest.mark.parametrize("n", [2, 3, 17, 70])
def test_values_are_those_of_the_loops(rng, semiring, given_weights, given_inner, n):
    if given_inner and semiring in ("min-max", "max-min"):
        with pytest.raises(ValueError, match="inner"):
            warpfold.interval_recurrence([1.0], semiring=semiring, inner=np.ones((2, 2)))
        return
    draw = (lambda shape: rng.random(shape) / n) if semiring == "plus-times" else (lambda shape: rng.integers(-9, 99, shape))
    leaves, weights = draw(n - 1), draw((n, n)) if given_weights else None
    inner = draw((n, n)) if given_inner else None
    found = warpfold.interval_recurrence(leaves, semiring=semiring, weights=weights, inner=inner)
    expected = naive(leaves, semiring, weights, inner=inner)
    for i, j in itertools.combinations(range(n), 2):
        assert found.values[i, j] == pytest.approx(expected[i, j], rel=1e-9 if semiring == "plus-times" else 0)
    assert found.cost == found.values[0, n - 1]


@given(st.lists(st.integers(1, 20), min_size=2, max_size=12))
def test_factors_make_a_chain_of_matrices(dims):
    found = warpfold.interval_recurrence([0] * (len(dims) - 1), factors=(dims, dims, dims))
    assert found.cost == warpfold.chain_order(dims).cost
    assert sum(dims[i] * dims[k] * dims[j] for i, k, j in found.splits.tolist()) == found.cost


def test_inner_pairs_the_bases_of_an_rna():
    bases = "GGGAAAUCC"
    n = len(bases) + 1
    none = -warpfold.infinity("int64")
    inner = np.full((n, n), none)
    for i, j in itertools.combinations(range(n), 2):
        if j - i > 4 and bases[i] + bases[j - 1] in ("AU", "UA", "CG", "GC", "GU", "UG"):
            inner[i, j] = 1
    found = warpfold.interval_recurrence([0] * (n - 1), semiring="max-plus", inner=inner)
    assert found.cost == 3
    pairs = [(i, j - 1) for i, k, j in found.splits.tolist() if k == i]
    assert len(pairs) == 3 and all(inner[i, j + 1] == 1 for i, j in pairs)


@pytest.mark.parametrize("semiring", PLUS_TIMES)
def test_a_table_is_checked_and_another_statement_found_out(rng, semiring):
    leaves, weights = rng.integers(1, 9, 11), rng.integers(1, 9, (12, 12))
    found = warpfold.interval_recurrence(leaves, semiring=semiring, weights=weights)
    assert warpfold.verify(leaves, found, semiring=semiring, weights=weights).is_optimal
    verdict = warpfold.verify(leaves + 10, found, semiring=semiring, weights=weights)
    assert not verdict and "value(" in verdict.violation
    assert "points" in warpfold.verify(leaves[1:], found, semiring=semiring).violation
    factors = (leaves.tolist() + [1],) * 3
    if semiring in ("min-plus", "max-plus"):
        chain = warpfold.interval_recurrence(leaves, semiring=semiring, factors=factors)
        assert warpfold.verify(leaves, chain, semiring=semiring, factors=factors)
        assert not warpfold.verify(leaves, chain, semiring=semiring)
    with pytest.raises(TypeError, match="dtype is not accepted here: the table has one"):
        warpfold.verify(leaves, found, semiring=semiring, weights=weights, dtype="float64")


def test_what_is_no_declaration_is_refused():
    for words, name in [
        ({"leaves": []}, "leaves"),
        ({"leaves": [1, 2], "weights": np.ones((2, 2))}, "weights is 2 x 2"),
        ({"leaves": [1, 2], "factors": ([1] * 3, [1] * 3, [1] * 2)}, r"factors\[2\]"),
        ({"leaves": [1, 2], "semiring": "or-and"}, "or-and"),
        ({"leaves": [1, 2], "semiring": "plus-times", "dtype": "int64"}, "dtype=float64"),
        ({"leaves": [1, 2], "semiring": "max-min", "inner": np.ones((3, 3))}, "accepted over min-plus, max-plus"),
    ]:
        with pytest.raises(ValueError, match=name):
            warpfold.interval_recurrence(**words)
    with pytest.raises(OverflowError):
        warpfold.interval_recurrence([2**61, 2**61])
