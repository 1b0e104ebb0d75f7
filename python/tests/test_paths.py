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
    with pytest.raises(ValueError, match=r"indices\[0\] is -1"):
        warpfold.shortest_paths(np.zeros((3, 3)), indices=-1)
    with pytest.raises(ValueError, match="graph is 2 x 3: a square matrix"):
        warpfold.shortest_paths(np.zeros((2, 3)), indices=0)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "lil", "dok", "dia", "bsr"])
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


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_nan_is_no_edge_where_the_caller_says_so(dtype):
    graph = np.array([[0, 1, np.nan], [np.nan, 0, 2], [np.nan, np.nan, 0]], dtype)
    for call in [warpfold.shortest_paths, warpfold.closure, partial(warpfold.shortest_paths, indices=[0])]:
        with pytest.raises(ValueError, match=r"\[0, 2\] is nan, which is no length: no_edge=nan is accepted where"):
            call(graph)
    assert np.array_equal(warpfold.shortest_paths(graph, no_edge=np.nan), [[0, 1, 3], [np.inf, 0, 2], [np.inf, np.inf, 0]])


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
        with pytest.raises(OverflowError, match="^graph"):
            warpfold.verify_paths(two_vertices(lengths, np.int64), np.zeros((2, 2)), dtype=dtype)
    with pytest.raises(OverflowError, match="^graph has entries of one place whose sum float64 does not hold"):
        warpfold.shortest_paths(two_vertices([1e308, 1e308], float), indices=indices)


@pytest.mark.parametrize("indices", [None, 0])
def test_lists_of_integers_beyond_64_bits_are_rounded_with_a_warning(indices):
    none = int(warpfold.infinity("int64"))
    graph = [[0, 2**63 + 1, none], [none, 0, 10**30], [none, none, 0]]
    with pytest.warns(RuntimeWarning, match="graph has integers beyond 4611686018427387903: float64 rounds them"):
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


def test_a_sparse_graph_is_solved_as_one_and_within_the_limit_of_memory():
    ring = scipy.sparse.coo_array((np.ones(400), (np.arange(400), (np.arange(400) + 1) % 400)), shape=(400, 400))
    lengths = 400 * 400 * 8
    words = {"algorithm": "dijkstra", "max_memory": lengths + 100_000}  # a matrix of edges would take as much again
    assert warpfold.shortest_paths(ring, **words)[3, 2] == 399
    with pytest.raises(MemoryError, match="the solve needs"):
        warpfold.shortest_paths(ring, max_memory=lengths)
    with pytest.raises(MemoryError):
        warpfold.shortest_paths(scipy.sparse.coo_array((10**8, 10**8)), indices=0, max_memory=10**8)
    with pytest.raises(MemoryError, match="^graph as a matrix of float64 takes 1280000 bytes: 1279999 are accepted"):
        warpfold.verify_paths(ring, np.ones((400, 400)), max_memory=lengths - 1)
    with pytest.raises(ValueError, match="vertices"):
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


def digraph(lengths):
    """A graph of NetworkX, of the lengths that are not 0."""
    return networkx.from_numpy_array(lengths, create_using=networkx.DiGraph)


@pytest.mark.parametrize("method", ["dense", "sparse", "networkx"])
@pytest.mark.parametrize("words", [{"directed": False}, {"unweighted": True}, {"directed": False, "unweighted": True}])
@pytest.mark.parametrize("indices", [None, 3, [5, 0]])
def test_keywords_mean_what_they_mean_in_scipy(rng, method, words, indices):
    lengths = random_graph(rng, 40, 0.05).toarray()
    graph = {"dense": lengths, "sparse": scipy.sparse.csr_array(lengths), "networkx": digraph(lengths)}[method]
    no_edge = {"no_edge": 0} if method == "dense" else {}
    found, before = warpfold.shortest_paths(graph, indices=indices, return_predecessors=True, **words, **no_edge)
    assert np.array_equal(found, scipy.sparse.csgraph.shortest_path(lengths, indices=indices, **words))
    assert warpfold.verify_paths(graph, found, before, indices=indices, **words, **no_edge)
    assert np.array_equal(found, warpfold.shortest_paths(graph, indices=indices, overwrite=True, **words, **no_edge))


@pytest.mark.parametrize("semiring", ["max-plus", "min-max", "max-min", "or-and"])
def test_edges_that_lead_both_ways_are_the_better_of_two(rng, semiring):
    lengths = np.where(rng.random((20, 20)) < 0.1, -rng.integers(1, 9, (20, 20)), 0)
    lengths = lengths != 0 if semiring == "or-and" else lengths
    both = np.maximum if semiring.startswith("max") or semiring == "or-and" else np.minimum
    empty = {"max-plus": -np.inf, "max-min": -np.inf, "min-max": np.inf, "or-and": False}[semiring]
    filled = np.where(lengths == 0, empty, lengths)
    expected = warpfold.shortest_paths(both(filled, filled.T), semiring=semiring)
    masked = np.ma.masked_where(lengths == 0, lengths)
    words = {"semiring": semiring, "directed": False}
    assert np.array_equal(warpfold.shortest_paths(filled, **words), expected)
    assert np.array_equal(warpfold.shortest_paths(scipy.sparse.csr_array(lengths), **words), expected)
    assert np.array_equal(warpfold.shortest_paths(masked, dtype=filled.dtype, **words), expected)


def test_a_zero_in_an_unweighted_matrix_has_to_be_explained():
    adjacency = np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    with pytest.raises(ValueError, match=r"^graph\[0, 2\] is 0, .* no_edge=0 is accepted .* no_edge=inf"):
        warpfold.shortest_paths(adjacency, unweighted=True)
    assert warpfold.shortest_paths(adjacency, unweighted=True, no_edge=0)[0].tolist() == [0, 1, 2]
    assert warpfold.shortest_paths(adjacency, unweighted=True, no_edge=np.inf)[0].tolist() == [0, 1, 1]
    none = int(warpfold.infinity("int32"))
    graph = np.array([[0, 7, none], [none, 0, 7], [none, none, 0]], np.int32)
    assert warpfold.shortest_paths(graph, unweighted=True).tolist() == [[0, 1, 2], [none, 0, 1], [none, none, 0]]
    with pytest.raises(ValueError, match="nan"):
        warpfold.shortest_paths(np.array([[0, np.nan], [1, 0]]), unweighted=True)
    with pytest.raises(ValueError, match="65535, the largest uint16"):
        warpfold.shortest_paths(np.array([[1, 65535], [1, 1]], np.uint16), unweighted=True)
    assert warpfold.shortest_paths(np.array([[0, 0.5], [0, 0]]), semiring="max-times", unweighted=True).tolist() == [[1, 1], [0, 1]]


@pytest.mark.parametrize("indices", [None, [0, 7]])
@pytest.mark.parametrize("dtype", ["float64", "int32"])
def test_a_limit_leaves_longer_paths_out(rng, indices, dtype):
    graph = random_graph(rng, 40, 0.1).astype(np.int32)
    free, before = warpfold.shortest_paths(graph, indices=indices, return_predecessors=True, dtype=dtype)
    found, kept = warpfold.shortest_paths(graph, indices=indices, return_predecessors=True, dtype=dtype, limit=40)
    assert np.array_equal(found, np.where(free > 40, warpfold.infinity(dtype), free))
    assert np.array_equal(kept, np.where(free > 40, -9999, before))
    assert np.array_equal(found, warpfold.shortest_paths(graph, indices=indices, dtype=dtype, limit=40))
    if indices is not None and dtype == "float64":
        assert np.array_equal(found, scipy.sparse.csgraph.dijkstra(graph, indices=indices, limit=40))


def test_a_limit_that_would_break_a_path_is_refused():
    graph = scipy.sparse.csr_array(([5.0, -4.0], ([0, 1], [1, 2])), shape=(3, 3))
    assert warpfold.shortest_paths(graph, indices=0, limit=2).tolist() == [0, np.inf, 1]
    with pytest.raises(ValueError, match="limit is 2: lengths below 0 lead paths through longer ones"):
        warpfold.shortest_paths(graph, indices=0, limit=2, return_predecessors=True)


def test_keywords_that_make_no_sense_are_refused():
    graph = np.ones((2, 2))
    for limit, error, text in [
        (-1, ValueError, "limit is -1: 0 or more"), ("1", TypeError, "limit is '1': a number"), (np.nan, ValueError, "limit is nan"),
    ]:
        with pytest.raises(error, match=text):
            warpfold.shortest_paths(graph, limit=limit)
    with pytest.raises(ValueError, match="min-plus is accepted"):
        warpfold.shortest_paths(graph, limit=1, semiring="max-min")
    with pytest.raises(ValueError, match="min_only is True: False is accepted"):
        warpfold.shortest_paths(graph, indices=[0], min_only=True)


def test_graphs_of_networkx_have_their_nodes_as_vertices(rng):
    graph = networkx.DiGraph()
    graph.add_weighted_edges_from([("Ash", "Elm", 3), ("Elm", "Oak", 4), ("Ash", "Oak", 8), ((1, 2), "Ash", 1)])
    graph.add_edge("Oak", "Yew")  # of length 1
    lengths, before = warpfold.shortest_paths(graph, indices="Ash", return_predecessors=True)
    nodes = list(graph)
    assert {node: length for node, length in zip(nodes, lengths) if np.isfinite(length)} == (
        networkx.single_source_dijkstra_path_length(graph, "Ash")
    )
    assert [nodes[at] for at in warpfold.path(before, 0, nodes.index("Yew"))] == ["Ash", "Elm", "Oak", "Yew"]
    assert warpfold.shortest_paths(graph, indices=(1, 2))[nodes.index("Yew")] == 9
    assert np.array_equal(warpfold.shortest_paths(graph, indices=[(1, 2), "Ash"])[1], lengths)
    assert np.array_equal(warpfold.shortest_paths(graph)[0], lengths)
    assert warpfold.shortest_paths(graph, indices="Ash", unweighted=True)[nodes.index("Oak")] == 1
    assert warpfold.shortest_paths(graph, indices="Ash", no_edge=3, weight="weight")[nodes.index("Oak")] == 8
    assert warpfold.shortest_paths(graph, indices="Ash", weight="toll").tolist() == warpfold.shortest_paths(
        graph, indices="Ash", unweighted=True
    ).tolist()
    assert warpfold.shortest_paths(graph, semiring="or-and")[0].sum() == 4
    for vertex in ["Fir", ["Fir"], [["Ash"]], 7]:
        with pytest.raises(ValueError, match="indices is .*: a vertex of the graph is accepted"):
            warpfold.shortest_paths(graph, indices=vertex)
    with pytest.raises(TypeError, match="graph"):
        warpfold.shortest_paths(networkx.DiGraph([("a", "b", {"weight": "far"})]))


@settings(max_examples=40)
@given(st.integers(1, 9), st.integers(0, 2**32 - 1), st.sampled_from([networkx.Graph, networkx.MultiDiGraph]))
def test_graphs_of_networkx_have_the_paths_of_networkx(n, seed, kind):
    rng = np.random.default_rng(seed)
    graph = kind()
    graph.add_nodes_from(range(n, 0, -1))  # which are not their places
    for begin, end in rng.integers(1, n + 1, (2 * n, 2)).tolist():
        graph.add_edge(begin, end, weight=int(rng.integers(0, 9)))
    found = warpfold.shortest_paths(graph)
    expected = dict(networkx.all_pairs_dijkstra_path_length(graph))
    for at, node in enumerate(graph):
        assert {other: length for other, length in zip(graph, found[at]) if np.isfinite(length)} == expected[node]


class Sequences:
    """The sequences of edges and of vertices of igraph: the attributes, each a list."""

    def __init__(self, **lists):
        self.lists = lists

    def attributes(self):
        return list(self.lists)

    def __getitem__(self, name):
        return self.lists[name]


class Igraph:
    """A graph with the functions of igraph's."""

    def __init__(self, count, edges, directed, es=None, vs=None):
        self.count, self.edges, self.directed = count, edges, directed
        self.es, self.vs = Sequences(**(es or {})), Sequences(**(vs or {}))

    def vcount(self):
        return self.count

    def get_edgelist(self):
        return self.edges

    def is_directed(self):
        return self.directed


def test_graphs_of_igraph_are_taken_by_their_lists():
    edges, lengths = [(0, 1), (1, 2), (0, 2)], {"weight": [3, 4, 8.5], "toll": [1, 1, 1]}
    graph = Igraph(3, edges, True, lengths, {"name": ["Ash", "Elm", "Oak"]})
    assert warpfold.shortest_paths(graph).tolist() == [[0, 3, 7], [np.inf, 0, 4], [np.inf, np.inf, 0]]
    assert warpfold.shortest_paths(graph, indices="Elm").tolist() == [np.inf, 0, 4]
    assert warpfold.shortest_paths(graph, indices=[1, "Ash"], weight="toll").tolist() == [[np.inf, 0, 1], [0, 1, 1]]
    assert warpfold.k_shortest_paths(graph, "Ash", 2, 5) == [(7, ["Ash", "Elm", "Oak"]), (8.5, ["Ash", "Oak"])]
    plain = Igraph(3, edges, False)
    assert warpfold.shortest_paths(plain, indices=2).tolist() == [1, 1, 0]
    assert warpfold.k_shortest_paths(plain, 2, 0, 5) == [(1, [2, 0]), (2, [2, 1, 0])]
    assert warpfold.shortest_paths(Igraph(2, [], False)).tolist() == [[0, np.inf], [np.inf, 0]]


@settings(max_examples=60)
@given(st.integers(2, 7), st.integers(1, 12), st.integers(0, 2**32 - 1))
def test_k_shortest_paths_are_the_first_of_all_simple_paths(n, k, seed):
    rng = np.random.default_rng(seed)
    lengths = np.where(rng.random((n, n)) < 0.6, rng.integers(0, 6, (n, n)).astype(float), np.inf)
    np.fill_diagonal(lengths, np.inf)
    graph = networkx.DiGraph([(i, j, {"weight": lengths[i, j]}) for i, j in np.argwhere(np.isfinite(lengths)).tolist()])
    graph.add_nodes_from(range(n))
    ways = [[0, *(at for _, at in way)] for way in networkx.all_simple_edge_paths(graph, 0, n - 1)]
    expected = sorted((sum(lengths[i, j] for i, j in zip(way, way[1:])), len(way), way) for way in ways)[:k]
    found = warpfold.k_shortest_paths(lengths, 0, n - 1, k)
    assert found == [(length, way) for length, _, way in expected]
    assert [length for length, _ in warpfold.k_shortest_paths(graph, 0, n - 1, k)] == [length for length, _ in found]


def test_k_shortest_paths_refuse_what_they_do_not_solve():
    graph = scipy.sparse.csr_array(([1, 2], ([0, 1], [1, 2])), shape=(3, 3))
    assert warpfold.k_shortest_paths(graph, 0, 2, 3, dtype="int32") == [(3, [0, 1, 2])]
    assert warpfold.k_shortest_paths(graph, 2, 0, 3, directed=False, unweighted=True) == [(2, [2, 1, 0])]
    assert warpfold.k_shortest_paths(graph, 2, 0, 3) == []
    for k, error in [(0, ValueError), (-1, OverflowError), (1.5, TypeError)]:
        with pytest.raises(error, match=f"k is {k}"):
            warpfold.k_shortest_paths(graph, 0, 2, k)
    with pytest.raises(ValueError, match="start is 3: a vertex from 0 to 2 is accepted"):
        warpfold.k_shortest_paths(graph, 3, 0, 1)
    with pytest.raises(ValueError, match="the length from 0 to 1 is -1: 0 or more is accepted"):
        warpfold.k_shortest_paths(-graph, 0, 2, 1)


@pytest.mark.parametrize("return_predecessors", [False, True])
def test_sparse_graphs_with_lengths_below_zero_have_scipys_paths(rng, return_predecessors):
    potentials = rng.integers(0, 50, 60)
    graph = random_graph(rng, 60, 0.05).tocoo()
    graph.data = graph.data + potentials[graph.row] - potentials[graph.col]  # no cycle is below 0
    found = warpfold.shortest_paths(graph, return_predecessors=return_predecessors)
    lengths = found[0] if return_predecessors else found
    assert np.array_equal(lengths, scipy.sparse.csgraph.johnson(graph))
    assert warpfold.verify_paths(graph, lengths, found[1] if return_predecessors else None)
