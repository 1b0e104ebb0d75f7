"""Shortest paths against SciPy and networkx, whatever the graph comes as."""

from functools import partial

import networkx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph
from hypothesis import given, settings
from hypothesis import strategies as st

import warpfold


def random_graph(rng, n, density, least=1):
    """Few lengths, so that many paths are as good."""
    return scipy.sparse.random(n, n, density, random_state=rng, data_rvs=lambda k: rng.integers(least, 50, k)).tocsr()


@pytest.mark.parametrize("n", [1, 2, 40, 130])
def test_shortest_paths_are_scipys(rng, n):
    graph = random_graph(rng, n, 0.1)
    lengths, predecessors = warpfold.shortest_paths(graph, return_predecessors=True)
    expected = scipy.sparse.csgraph.shortest_path(graph, method="FW")
    assert np.array_equal(lengths, expected)
    assert np.array_equal(warpfold.closure(np.where(graph.toarray() == 0, np.inf, graph.toarray())), expected)
    edges = graph.toarray()
    for start in range(0, n, 7):
        for end in range(0, n, 5):
            way = warpfold.path(predecessors, start, end)
            assert sum(edges[i, j] for i, j in zip(way, way[1:])) == (lengths[start, end] if way else 0)
            assert bool(way) == np.isfinite(lengths[start, end])
    assert warpfold.verify_paths(graph, lengths, predecessors)


def test_predecessors_are_scipys_where_no_two_paths_are_as_good(rng):
    graph = scipy.sparse.random(60, 60, 0.1, random_state=rng).tocsr()
    _, found = warpfold.shortest_paths(graph, return_predecessors=True)
    _, expected = scipy.sparse.csgraph.shortest_path(graph, method="D", return_predecessors=True)
    assert found.dtype == expected.dtype and np.array_equal(found, expected)


@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_paths_from_some_vertices_are_scipys(rng, kind):
    graph = scipy.sparse.random(300, 300, 0.01, random_state=rng).tocsr()
    given = graph if kind == "sparse" else np.where(graph.toarray() == 0, np.inf, graph.toarray())
    words = {"indices": [7, 0, 7], "return_predecessors": True}
    lengths, predecessors = warpfold.shortest_paths(given, **words)
    expected, expected_predecessors = scipy.sparse.csgraph.dijkstra(graph, **words)
    assert np.allclose(lengths, expected, rtol=1e-12)
    assert predecessors.dtype == np.int32 and np.array_equal(predecessors, expected_predecessors)
    alone, before = warpfold.shortest_paths(given, indices=7, return_predecessors=True)
    assert np.array_equal(alone, lengths[0]) and np.array_equal(before, predecessors[0])
    for end in range(300):
        way = warpfold.path(before, 7, end)
        assert bool(way) == np.isfinite(alone[end])
        assert sum(graph[i, j] for i, j in zip(way, way[1:])) == pytest.approx(alone[end] if way else 0)


def test_paths_from_some_vertices_are_those_of_all_pairs(rng):
    graph = random_graph(rng, 60, 0.1).astype(np.int32)
    for words in [{"dtype": "int64"}, {"semiring": "max-min"}, {"semiring": "min-max", "dtype": "int32"}]:
        found = warpfold.shortest_paths(graph, indices=[3, 59], **words)
        assert np.array_equal(found, warpfold.shortest_paths(graph, **words)[[3, 59]])
    reached = warpfold.shortest_paths(graph, indices=[3], semiring="or-and")
    assert reached.dtype == bool and np.array_equal(reached[0], warpfold.shortest_paths(graph, semiring="or-and")[3])
    edges = graph.toarray() - 3.0  # some improve alone, and no cycle does
    edges[np.tril_indices(60)] = np.inf
    assert np.array_equal(warpfold.shortest_paths(edges, indices=0), warpfold.shortest_paths(edges)[0])


def test_a_source_that_there_is_not_is_refused():
    with pytest.raises(ValueError, match="3"):
        warpfold.shortest_paths(np.zeros((3, 3)), indices=[0, 3])
    with pytest.raises(OverflowError, match=r"indices\[0\] is -1"):
        warpfold.shortest_paths(np.zeros((3, 3)), indices=-1)
    with pytest.raises(ValueError, match="graph is 2 x 3: a square matrix"):
        warpfold.shortest_paths(np.zeros((2, 3)), indices=0)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil"])
def test_sparse_matrices_of_every_kind_are_taken(rng, kind):
    graph = random_graph(rng, 30, 0.2)
    expected = scipy.sparse.csgraph.shortest_path(graph)
    assert np.array_equal(warpfold.shortest_paths(graph.asformat(kind)), expected)
    whole = warpfold.shortest_paths(graph.astype(np.int32).asformat(kind), dtype="int64")
    assert whole.dtype == np.int64
    assert np.array_equal(whole == warpfold.infinity("int64"), np.isinf(expected))
    assert np.array_equal(whole[np.isfinite(expected)], expected[np.isfinite(expected)])


def test_a_sparse_zero_is_an_edge_and_entries_of_one_place_are_added():
    graph = scipy.sparse.coo_array(([0.0, 2.0, 3.0], ([0, 1, 1], [1, 2, 2])), shape=(3, 3))
    expected = [[0, 0, 5], [np.inf, 0, 5], [np.inf, np.inf, 0]]
    assert warpfold.shortest_paths(graph).tolist() == expected
    with pytest.raises(OverflowError, match=r"graph\[0\] is 9007199254740993"):
        warpfold.shortest_paths(scipy.sparse.csr_array(([2**53 + 1], ([0], [1])), shape=(2, 2)))


def test_a_dense_zero_is_an_edge_and_a_mask_takes_edges_away(rng):
    lengths = rng.integers(0, 9, (20, 20)).astype(float)
    missing = rng.random((20, 20)) < 0.8
    masked = np.ma.MaskedArray(lengths, missing)
    found, predecessors = warpfold.shortest_paths(masked, return_predecessors=True)
    assert np.array_equal(found, scipy.sparse.csgraph.shortest_path(masked))
    assert np.array_equal(found, warpfold.shortest_paths(np.where(missing, np.inf, lengths)))
    assert warpfold.verify_paths(masked, found, predecessors)
    assert warpfold.shortest_paths(np.zeros((3, 3), dtype=np.int32)).tolist() == [[0, 0, 0]] * 3


@settings(max_examples=60)
@given(st.integers(2, 9), st.integers(0, 2**32 - 1))
def test_lengths_below_zero_are_networkxs_and_a_negative_cycle_is_an_error(n, seed):
    rng = np.random.default_rng(seed)
    lengths = np.where(rng.random((n, n)) < 0.4, rng.integers(-3, 20, (n, n)).astype(float), np.inf)
    graph = networkx.DiGraph([(i, j, {"weight": lengths[i, j]}) for i, j in np.argwhere(np.isfinite(lengths)).tolist()])
    graph.add_nodes_from(range(n))
    if networkx.negative_edge_cycle(graph) or (lengths.diagonal() < 0).any():
        with pytest.raises(warpfold.InfeasibleError, match="cycle"):
            warpfold.shortest_paths(lengths)
        return
    found, predecessors = warpfold.shortest_paths(lengths, return_predecessors=True)
    expected = networkx.floyd_warshall_numpy(graph, nodelist=range(n))
    assert np.array_equal(found, expected)
    assert warpfold.verify_paths(lengths, found, predecessors)


def test_scipys_negative_cycle_is_ours(rng):
    graph = scipy.sparse.csr_array(([1.0, 1.0, -3.0], ([0, 1, 2], [1, 2, 0])), shape=(4, 4))
    with pytest.raises(scipy.sparse.csgraph.NegativeCycleError):
        scipy.sparse.csgraph.shortest_path(graph, method="FW")
    for return_predecessors in [False, True]:
        with pytest.raises(warpfold.InfeasibleError, match="0 -> 1 -> 2 -> 0"):
            warpfold.shortest_paths(graph, return_predecessors=return_predecessors)


def test_widest_paths_are_those_of_a_spanning_tree(rng):
    capacity = rng.integers(1, 1000, (20, 20))
    capacity = np.maximum(capacity, capacity.T)
    widest = warpfold.shortest_paths(capacity, semiring="max-min")
    tree = networkx.maximum_spanning_tree(networkx.from_numpy_array(capacity))
    for i, j in [(0, 1), (3, 17), (19, 4)]:
        way = networkx.shortest_path(tree, i, j)
        assert widest[i, j] == min(capacity[a, b] for a, b in zip(way, way[1:]))


@pytest.mark.parametrize("given", ["dense", "sparse", "masked"])
def test_truth_says_what_can_be_reached(rng, given):
    edges = rng.random((40, 40)) < 0.03
    graph = {"dense": edges, "sparse": scipy.sparse.csr_array(edges), "masked": np.ma.MaskedArray(edges, ~edges)}[given]
    found, predecessors = warpfold.shortest_paths(graph, semiring="or-and", return_predecessors=True)
    expected = networkx.transitive_closure(networkx.from_numpy_array(edges, create_using=networkx.DiGraph), reflexive=True)
    assert found.dtype == bool and np.array_equal(found, networkx.to_numpy_array(expected) > 0)
    for start, end in np.argwhere(found)[::17].tolist():
        way = warpfold.path(predecessors, start, end)
        assert all(edges[i, j] for i, j in zip(way, way[1:]))


def test_what_is_no_answer_is_found_out(rng):
    graph = random_graph(rng, 30, 0.2)
    lengths, predecessors = warpfold.shortest_paths(graph, return_predecessors=True)
    assert warpfold.verify_paths(graph, lengths, predecessors)
    assert warpfold.verify_paths(graph, lengths).unchecked
    start, end = np.argwhere(np.isfinite(lengths) & (lengths > 0))[0]
    for change in [1, -1]:
        wrong = lengths.copy()
        wrong[start, end] += change
        assert not warpfold.verify_paths(graph, wrong, predecessors)
    lost = predecessors.copy()
    lost[start, end] = -9999
    assert not warpfold.verify_paths(graph, lengths, lost)


@pytest.mark.parametrize("given", ["dense", "sparse"])
@pytest.mark.parametrize("indices", [[3, 0, 3], 7])
def test_what_is_no_answer_from_some_vertices_is_found_out(rng, given, indices):
    sparse = random_graph(rng, 30, 0.2)
    graph = sparse if given == "sparse" else np.where(sparse.toarray() == 0, np.inf, sparse.toarray())
    lengths, predecessors = warpfold.shortest_paths(graph, indices=indices, return_predecessors=True)
    check = partial(warpfold.verify_paths, graph, indices=indices)
    assert check(lengths, predecessors) and not check(lengths, predecessors).unchecked
    end = np.argwhere(np.isfinite(lengths) & (lengths > 0))[0]
    for change in [1, -1]:
        wrong = lengths.copy()
        wrong[tuple(end)] += change
        assert not check(wrong, predecessors)
    lost = predecessors.copy()
    lost[tuple(end)] = -9999
    assert "there is no path" in check(lengths, lost).violation
    with pytest.raises(ValueError, match="sources and 30 vertices: lengths and predecessors of"):
        check(np.atleast_2d(lengths)[:, :3] if np.ndim(indices) else lengths[:3], predecessors)
    with pytest.raises(TypeError, match="predecessors is None"):
        check(lengths)


def test_what_is_no_graph_is_refused():
    for graph in [np.ones((2, 3)), np.ones(3), scipy.sparse.csr_array(np.ones((2, 3)))]:
        with pytest.raises(ValueError, match="graph|edges|matrix"):
            warpfold.shortest_paths(graph)
    with pytest.raises(TypeError, match="graph is of dtype float64, and dtype is int32"):
        warpfold.shortest_paths(scipy.sparse.csr_array(np.eye(3)), dtype="int32")
    with pytest.raises(ValueError, match="nan"):
        warpfold.shortest_paths(np.array([[0, np.nan], [1, 0]]))


def two_vertices(lengths, dtype):
    """Edges from 0 to 1 alone."""
    return scipy.sparse.coo_array((np.array(lengths, dtype), ([0] * len(lengths), [1] * len(lengths))), shape=(2, 2))


@pytest.mark.parametrize("words", [{}, {"indices": 0}, {"dtype": "int32"}, {"dtype": "int64", "indices": [0, 1]}])
@given(st.lists(st.integers(-128, 127), min_size=1, max_size=9))
def test_edges_of_one_place_are_added_exactly(words, lengths):
    graph = two_vertices(lengths, np.int8)
    assert warpfold.shortest_paths(graph, **words).flat[1] == sum(lengths)
    assert graph.nnz == len(lengths)  # it is the caller's


@pytest.mark.parametrize("indices", [None, 0])
def test_sums_of_edges_that_do_not_fit_are_refused(indices):
    large = {
        "int64": [2**62 - 1] * 3, "float64": [2**53, 1], "float32": [2**24, 1], "int32": [2**30 - 5, 7],
    }
    for dtype, lengths in large.items():
        with pytest.raises(OverflowError, match="^graph"):
            warpfold.shortest_paths(two_vertices(lengths, np.int64), dtype=dtype, indices=indices)
    with pytest.raises(OverflowError, match="^graph has entries of one place whose sum float64 does not hold"):
        warpfold.shortest_paths(two_vertices([1e308, 1e308], float), indices=indices)


@pytest.mark.parametrize("indices", [None, 0])
def test_lists_of_integers_beyond_64_bits_are_rounded_with_a_warning(indices):
    none = int(warpfold.infinity("int64"))
    graph = [[0, 2**63 + 1, none], [none, 0, 10**30], [none, none, 0]]
    with pytest.warns(RuntimeWarning, match="graph has integers beyond 64 bits: float64 rounds them"):
        lengths = warpfold.shortest_paths(graph, indices=indices)
    assert lengths.flat[2] == 2.0**63 + 1e30 and lengths.dtype == np.float64
    with pytest.raises(OverflowError):
        warpfold.shortest_paths(graph, indices=indices, dtype="int64")
    with pytest.raises(OverflowError, match="graph has integers that float64 does not hold"):
        warpfold.shortest_paths([[0, 10**400], [1, 0]], indices=indices)


@pytest.mark.parametrize("indices", [None, 0])
@pytest.mark.parametrize("kind", [np.asarray, scipy.sparse.coo_array])
def test_what_other_programs_write_for_no_edge_has_to_be_named(kind, indices):
    graph = np.array([[0, 1, 65535], [65535, 0, 2], [65535, 65535, 0]], np.uint16)
    with pytest.raises(ValueError, match="is 65535, the largest uint16: no_edge=65535 is accepted"):
        warpfold.shortest_paths(kind(graph), indices=indices)
    words = {"no_edge": 65535, "dtype": "float64", "indices": indices}
    lengths, before = warpfold.shortest_paths(kind(graph), return_predecessors=True, **words)
    assert np.array_equal(lengths, [[0, 1, 3], [np.inf, 0, 2], [np.inf, np.inf, 0]] if indices is None else [0, 1, 3])
    assert warpfold.verify_paths(kind(graph), lengths, before, no_edge=65535, indices=indices)
    truth = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)
    if kind is np.asarray:
        with pytest.raises(ValueError, match="is False, which is no length"):
            warpfold.shortest_paths(truth, indices=indices)
    assert warpfold.shortest_paths(kind(truth), no_edge=0, dtype="float64", indices=indices).flat[2] == 2


@pytest.mark.parametrize("indices", [None, 0])
def test_edges_of_one_place_are_one_that_is_there(indices):
    for lengths, dtype in [([128, 128], np.uint8), ([1, -1], float), ([True, True], bool)]:
        assert warpfold.shortest_paths(two_vertices(lengths, dtype), semiring="or-and", indices=indices).flat[1]


@pytest.mark.parametrize("words", [{}, {"indices": 0}, {"dtype": "int64"}])
def test_a_sparse_infinity_stays_one_where_it_is_widened(words):
    none = warpfold.infinity("int32")
    wide = warpfold.infinity(words.get("dtype", "float64"))
    assert warpfold.shortest_paths(two_vertices([none], np.int32), **words).flat[1] == wide
    widest = warpfold.shortest_paths(two_vertices([-none], np.int32), semiring="max-plus", **words)
    assert widest.flat[1] == -wide


def test_a_sparse_graph_is_no_matrix_where_that_takes_too_much_memory():
    with pytest.raises(MemoryError, match="^graph as a matrix of float64 takes 80000 bytes: 79999 are accepted"):
        warpfold.shortest_paths(scipy.sparse.coo_array((100, 100)), max_memory=79999)
    with pytest.raises(MemoryError, match="^graph as a matrix"):
        warpfold.shortest_paths(scipy.sparse.coo_array((2**33, 2**33)))


@pytest.mark.parametrize("indices", [None, [0, 1]])
@pytest.mark.parametrize("place", [(0, 1), (1, 1)])
@pytest.mark.parametrize("before", [-1, -2, 77])
def test_what_is_no_predecessor_is_refused(indices, place, before):
    graph = np.ones((2, 2))
    lengths, predecessors = warpfold.shortest_paths(graph, return_predecessors=True)
    predecessors[place] = before
    text = f"^the predecessor of 1 on the path from {place[0]} is {before}: .*, or -9999 for none, is accepted"
    with pytest.raises(ValueError, match=text):
        warpfold.verify_paths(graph, lengths, predecessors, indices=indices)


def test_a_vertex_is_its_own_predecessor_or_has_none():
    graph = np.ones((2, 2))
    lengths, predecessors = warpfold.shortest_paths(graph, return_predecessors=True)
    predecessors[1, 1] = 1
    assert warpfold.verify_paths(graph, lengths, predecessors)
    predecessors[1, 1] = 0
    with pytest.raises(ValueError, match="^the predecessor of 1 on the path from 1 is 0: itself"):
        warpfold.verify_paths(graph, lengths, predecessors)
