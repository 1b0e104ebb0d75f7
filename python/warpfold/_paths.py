"""Shortest paths, with the interface of SciPy's function."""

from __future__ import annotations

import numbers
import operator
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._arrays import converted, infinity
from ._graphs import Edges, Reading, as_edges, as_matrix, read_graph
from ._kinds import host_array, shape_text
from ._products import as_bool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options

_NO_PREDECESSOR = -9999  # as in SciPy


def shortest_paths(
    graph: Any,
    *,
    semiring: str = "min-plus",
    indices: Any = None,
    return_predecessors: bool = False,
    no_edge: float | None = None,
    directed: bool = True,
    unweighted: bool = False,
    limit: float | None = None,
    weight: str = "weight",
    overwrite: bool = False,
    min_only: bool = False,
    **options: Unpack[Options],
) -> Any:
    """The best paths between all pairs of vertices, or from some.

        D(i,j) = plus(edge(i,j), one if i = j);   for k = 0, 1, ..:  D(i,j) = plus(D(i,j), times(D(i,k), D(k,j)))

    In min-plus these are the shortest paths, in min-max those with the smallest longest edge, in max-min the widest. In
    max-plus they are the longest paths of a graph without cycles.

    graph is one of these:

    * A matrix of lengths. Entry (i,j) is the edge from i to j. `infinity(dtype)` (max-plus, max-min: its negative) or a
      masked entry means no edge. Unlike in scipy.sparse.csgraph, an edge of length 0 is an edge. In or-and the entries are
      True for an edge.
    * A sparse matrix or array of SciPy, whose stored entries are the edges. Stored zeros are edges too, except in the
      formats DIA and BSR. Entries of one place are added. Its lengths are float64 unless dtype is given.
    * A graph of NetworkX or igraph. Its vertices are numbered in its own order (`list(graph.nodes)`), and an undirected
      graph's edges lead both ways. An edge without a weight has length 1. Of several edges between two vertices the best
      counts. Its lengths are float64 unless dtype is given.

    The keywords:

    * indices: a list of vertices; the result has a row of paths from each. For one vertex the result has no such dimension.
      Vertices are numbers. For NetworkX they are the graph's nodes, and for igraph numbers or names.
    * no_edge: a number that means no edge, besides infinity: 0, -1, nan, the largest integer of a type. Without it, False and
      the largest integer of a type are rejected.
    * directed: whether edges lead one way. If False, every edge leads both ways.
    * unweighted: whether every edge has length 1.
    * limit: the largest length, in min-plus. Longer paths are left out.
    * weight: the attribute with the lengths of the edges, for NetworkX and igraph.
    * overwrite, min_only: for callers of SciPy. The graph is never changed. min_only=True is rejected.

    Returns the lengths, in or-and True where there is a path. With return_predecessors it also returns the vertex before j
    on the path from i, and -9999 if there is none, like scipy.sparse.csgraph.shortest_path. Of equally good paths in a
    matrix the one with the first intermediate vertex is taken.

    Raises InfeasibleError that names a cycle of negative length.

    Cost: n^3 operations. For a sparse graph, and with indices, searches run if they are estimated as quicker. From a vertex
    Dijkstra's algorithm takes about edges + n log2(n) steps. If an edge alone improves, the recurrence of Bellman and Ford
    or Johnson's reweighting runs. Integers are then the same; sums of floats may differ in their last bits, and of
    equally good paths another one may be taken.
    """
    if min_only:
        raise ValueError("min_only is True: False is accepted; lengths.min(axis=0) of the result with indices is the same")
    reading = Reading(semiring, no_edge, directed, unweighted, weight)
    _check_limit(limit, semiring)
    if indices is None:
        lengths, before = all_pairs(graph, reading, return_predecessors, None, options)
    else:
        lengths, before = _from_sources(graph, reading, indices, return_predecessors, options)
    if limit is not None:
        _cut_off(lengths, before, limit)
    return (lengths, before) if return_predecessors else lengths


def all_pairs(
    graph: Any, reading: Reading, with_predecessors: bool, comm: Any, options: Options
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """The best paths between all pairs, by this process or by the ranks of a communicator."""
    given = read_graph(graph, reading, options.get("dtype"))
    if isinstance(given, Edges) and comm is None:
        return _all_pairs(given.lengths, with_predecessors, partial(_all_pairs_of_edges, given, reading.semiring, options))
    matrix = as_matrix(given, reading.semiring, options.get("max_memory"))
    return _all_pairs(matrix, with_predecessors, partial(_all_pairs_of_matrix, matrix, reading.semiring, comm, options))


def _all_pairs(
    given: NDArray[Any], with_predecessors: bool, solve: Callable[[bool, bool], Any]
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """solve(whether the edges are turned round, whether it returns predecessors)"""
    if not with_predecessors:
        return as_bool(solve(False, False), given), None
    # The core returns successors. Those of the reversed graph are the predecessors, and its lengths are sums of the same
    # two terms.
    try:
        lengths, before = solve(True, True)
    except _core.InfeasibleError:  # which names a cycle there
        solve(False, False)
        raise
    return as_bool(lengths, given).T, before.T


def _all_pairs_of_matrix(
    matrix: NDArray[Any], semiring: str, comm: Any, options: Options, is_turned: bool, with_predecessors: bool
) -> Any:
    return _core.all_pairs(matrix.T if is_turned else matrix, semiring, with_predecessors, comm, **options)


def _all_pairs_of_edges(
    graph: Edges, semiring: str, options: Options, is_turned: bool, with_predecessors: bool
) -> Any:
    begins, ends = (graph.ends, graph.begins) if is_turned else (graph.begins, graph.ends)
    return _core.all_pairs_of_edges(
        graph.vertices, begins, ends, graph.lengths, semiring, with_predecessors, **options
    )


def _from_sources(
    graph: Any, reading: Reading, indices: Any, with_predecessors: bool, options: Options
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    given = read_graph(graph, reading, options.get("dtype"))
    starts, is_one = _sources(given, indices)
    if isinstance(given, Edges):
        lengths, before = _core.paths_from(*_arrays_of(given), starts, reading.semiring, **options)
    else:
        lengths, before = _core.paths_from_matrix(given, starts, reading.semiring, **options)
    lengths = as_bool(lengths, given.lengths if isinstance(given, Edges) else given)
    if is_one:
        lengths, before = lengths[0], before[0]
    return lengths, before if with_predecessors else None


def _arrays_of(graph: Edges) -> tuple[int, NDArray[Any], NDArray[Any], NDArray[Any]]:
    return graph.vertices, graph.begins, graph.ends, graph.lengths


def _check_limit(limit: Any, semiring: str) -> None:
    if limit is None:
        return
    if semiring != "min-plus":
        raise ValueError(f"limit is {limit!r} and semiring is {semiring!r}: min-plus is accepted with a limit")
    if isinstance(limit, (bool, np.bool_)) or not isinstance(limit, numbers.Real):
        raise TypeError(f"limit is {limit!r}: a number is accepted")
    if not float(limit) >= 0:
        raise ValueError(f"limit is {limit}: 0 or more is accepted")


def _cut_off(lengths: NDArray[Any], before: NDArray[Any] | None, limit: float) -> None:
    """Leaves out the paths that are longer than the limit."""
    longer = lengths > limit
    lengths[longer] = infinity(lengths.dtype)
    if before is None:
        return
    cut = longer & (before != _NO_PREDECESSOR)
    before[cut] = _NO_PREDECESSOR
    rows = np.atleast_2d(before)
    previous = np.where(rows == _NO_PREDECESSOR, 0, rows)
    if (np.take_along_axis(np.atleast_2d(cut), previous, axis=1) & (rows != _NO_PREDECESSOR)).any():
        raise ValueError(
            f"limit is {limit}: lengths below 0 lead paths through longer ones: return_predecessors=False is accepted"
        )


def k_shortest_paths(
    graph: Any,
    start: Any,
    end: Any,
    k: int,
    *,
    no_edge: float | None = None,
    directed: bool = True,
    unweighted: bool = False,
    weight: str = "weight",
    **options: Unpack[Options],
) -> list[tuple[float, list[Any]]]:
    """The k shortest paths from start to end in which no vertex occurs twice, by Yen's algorithm.

    graph and the other keywords are as in shortest_paths. Returns the length and the vertices of each path, ordered by
    length, then by the number of edges, then by their vertices in order. If there are fewer than k paths, it returns all of
    them. The vertices of graphs of NetworkX and igraph are named as there.

    Raises ValueError for a length below 0.

    Cost: for each path and each of its vertices one search of edges + n log2(n) steps.
    """
    reading = Reading("min-plus", no_edge, directed, unweighted, weight)
    given = as_edges(read_graph(graph, reading, options.get("dtype")), options.get("dtype"))
    first, last = _number_of(given, "start", start), _number_of(given, "end", end)
    found = _core.k_shortest_paths(*_arrays_of(given), first, last, k, **options)
    if given.names is None:
        return found
    return [(length, [given.names[vertex] for vertex in vertices]) for length, vertices in found]


def _sources(graph: NDArray[Any] | Edges, indices: Any) -> tuple[NDArray[Any], bool]:
    """The numbers of the vertices, and whether one is given instead of a list."""
    if not isinstance(graph, Edges) or graph.numbers is None:
        given = host_array("indices", indices)
        count = graph.vertices if isinstance(graph, Edges) else len(np.atleast_1d(graph))
        return _vertices("indices", np.atleast_1d(given), count), given.ndim == 0
    is_one = isinstance(indices, str) or not isinstance(indices, Iterable) or _is_key(graph.numbers, indices)
    vertices = [indices] if is_one else list(indices)
    return np.array([_number_of(graph, "indices", vertex) for vertex in vertices], np.uint32), is_one


def _number_of(graph: Edges, name: str, vertex: Any) -> int:
    if graph.numbers is None:
        return _vertex(name, vertex, graph.vertices)
    if _is_key(graph.numbers, vertex):
        return graph.numbers[vertex]
    raise ValueError(f"{name} is {vertex!r}: a vertex of the graph is accepted")


def _is_key(numbers_of: Mapping[Any, int], vertex: Any) -> bool:
    return isinstance(vertex, Hashable) and vertex in numbers_of


def _vertices(name: str, given: NDArray[Any], count: int) -> NDArray[Any]:
    if given.ndim != 1:
        raise ValueError(f"{name} is {shape_text(given.shape)}: a vertex, or a list of them, is accepted")
    if given.dtype.kind not in "iuO" and given.size > 0:
        raise TypeError(f"{name}[0] is {given[0]!s}: the number of a vertex is accepted")
    if given.dtype.kind in "iu":
        for (at,) in np.argwhere((given < 0) | (given >= count)).tolist():
            raise ValueError(f"{name}[{at}] is {given[at]}: a vertex from 0 to {count - 1} is accepted")
    return converted(name, given, ["uint32"], None)


def verify_paths(
    graph: Any,
    lengths: Any,
    predecessors: Any = None,
    *,
    semiring: str = "min-plus",
    indices: Any = None,
    no_edge: float | None = None,
    directed: bool = True,
    unweighted: bool = False,
    weight: str = "weight",
    **options: Unpack[Options],
) -> _core.Verdict:
    """Checks that lengths are those of the best paths, and that the predecessors lead along them.

    No edge may improve a length, and every path, followed from its end, must have the stated length. Integers must be
    exact, and floats correct up to rounding. Without predecessors it does not check that the paths exist, and sets
    Verdict.unchecked. With indices it checks the paths from these vertices only, and needs their predecessors.

    Cost: n * edges operations; with indices n + edges operations per vertex.
    """
    stated = host_array("lengths", lengths)
    reading = Reading(semiring, no_edge, directed, unweighted, weight)
    given = read_graph(graph, reading, options.get("dtype") or stated.dtype)
    if indices is not None:
        return _verify_from(given, stated, predecessors, indices, semiring, options)
    before = None if predecessors is None else host_array("predecessors", predecessors).T
    if before is not None and before.shape != stated.T.shape:
        raise ValueError(
            f"predecessors is {shape_text(before.T.shape)} and lengths {shape_text(stated.shape)}: one shape is accepted"
        )
    matrix = as_matrix(given, semiring, options.get("max_memory"))
    return _core.verify_all_pairs(matrix.T, stated.T, before, semiring, **options)


def _verify_from(
    graph: NDArray[Any] | Edges, lengths: NDArray[Any], predecessors: Any, indices: Any, semiring: str, options: Options
) -> _core.Verdict:
    if predecessors is None:
        raise TypeError("predecessors is None: with indices, those that shortest_paths returns are accepted")
    before = host_array("predecessors", predecessors)
    starts, is_one = _sources(graph, indices)
    if is_one:
        lengths, before = lengths[np.newaxis], before[np.newaxis]
    if isinstance(graph, Edges):
        return _core.verify_paths_from(*_arrays_of(graph), lengths, before, starts, semiring, **options)
    return _core.verify_paths_from_matrix(graph, lengths, before, starts, semiring, **options)


def path(predecessors: ArrayLike, start: int, end: int) -> list[int]:
    """The vertices of the path from start to end, both included; empty if there is none.

    predecessors are those of shortest_paths: of all pairs, or the row of start only.
    """
    table = np.asarray(predecessors)
    is_square = table.ndim == 2 and table.shape[0] == table.shape[1]
    if not (is_square or table.ndim == 1) or table.dtype.kind not in "iu":
        raise ValueError(
            f"predecessors are {shape_text(table.shape)} of {table.dtype}: "
            "shortest_paths' of all pairs, or the row of one vertex, are accepted"
        )
    start, end = _vertex("start", start, table.shape[-1]), _vertex("end", end, table.shape[-1])
    before_each = table if table.ndim == 1 else table[start]
    if before_each[start] != _NO_PREDECESSOR:
        raise ValueError(f"predecessors[{start}] is {before_each[start]}: the row of another vertex than start, {start}, is not accepted")
    vertices = [end]
    while vertices[-1] != start:
        before = int(before_each[vertices[-1]])
        if before == _NO_PREDECESSOR:
            return []
        if not 0 <= before < len(before_each):
            raise ValueError(f"the predecessor of {vertices[-1]} is {before}: a vertex, or {_NO_PREDECESSOR} for none, is accepted")
        if len(vertices) > len(before_each):
            raise _core.InfeasibleError(f"the predecessors of {end} go round in a circle: rounded lengths below 0 do so")
        vertices.append(before)
    return vertices[::-1]


def _vertex(name: str, given: Any, count: int) -> int:
    try:
        vertex = operator.index(given)
    except TypeError:
        raise TypeError(f"{name} is {given!r}: an integer is accepted") from None
    if not 0 <= vertex < count:
        raise ValueError(f"{name} is {vertex}: a vertex from 0 to {count - 1} is accepted")
    return vertex
