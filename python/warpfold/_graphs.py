"""Graphs as callers have them: matrices, sparse matrices, and graphs of NetworkX and igraph."""

from __future__ import annotations

import math
import numbers
import reprlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._arrays import check_no_nan, converted, infinity, lengths_array, no_value_in, ones_of_edges, without_edges
from ._kinds import shape_text


class Reading(NamedTuple):
    """How a graph is read; shortest_paths says what each means."""

    semiring: str = "min-plus"
    no_edge: float | None = None
    directed: bool = True
    unweighted: bool = False
    weight: str = "weight"


class Edges(NamedTuple):
    """A graph as a list of edges. Several edges between two vertices are accepted."""

    vertices: int
    begins: NDArray[np.uint32]
    ends: NDArray[np.uint32]
    lengths: NDArray[Any]
    names: Sequence[Any] | None = None
    """The names of the vertices, in order."""
    numbers: Mapping[Any, int] | None = None
    """The vertex of each name that callers use for it; None: callers use its number."""


def read_graph(graph: Any, reading: Reading, dtype: Any) -> NDArray[Any] | Edges:
    """The graph as a matrix of lengths if it is one, else as a list of edges."""
    if _is_networkx(graph):
        return _of_networkx(graph, reading, dtype)
    if _is_igraph(graph):
        return _of_igraph(graph, reading, dtype)
    if hasattr(graph, "tocoo"):
        return _of_sparse(graph, reading, dtype)
    return _of_array(graph, reading, dtype)


def as_edges(graph: NDArray[Any] | Edges, dtype: Any) -> Edges:
    """A matrix of lengths in min-plus as a list of edges."""
    if isinstance(graph, Edges):
        return graph
    asked = None if dtype is None else np.dtype(dtype).name
    matrix = converted("graph", graph, ["int64", "float64", "int32", "float32"], asked, _core.no_value("min-plus"))
    _check_square(matrix.shape)
    begins, ends = np.nonzero(matrix != infinity(matrix.dtype))
    return _edges(len(matrix), begins, ends, matrix[begins, ends])


def as_matrix(graph: NDArray[Any] | Edges, semiring: str, max_memory: Any) -> NDArray[Any]:
    """A list of edges as a matrix of lengths, in which the best of several edges counts."""
    if not isinstance(graph, Edges):
        return graph
    dtype = graph.lengths.dtype
    most = max_memory if isinstance(max_memory, numbers.Integral) else sys.maxsize
    needed = graph.vertices**2 * dtype.itemsize
    if needed > most:
        raise MemoryError(f"graph as a matrix of {dtype} takes {needed} bytes: {most} are accepted")
    _check_within_infinity(graph.lengths)
    matrix = np.full((graph.vertices, graph.vertices), no_value_in(semiring, dtype), dtype)
    _better(semiring).at(matrix, (graph.begins, graph.ends), graph.lengths)
    return matrix


def _check_within_infinity(lengths: NDArray[Any]) -> None:
    if lengths.dtype.kind != "i":
        return
    most = infinity(lengths.dtype)
    for beyond in lengths[(lengths > most) | (lengths < -most)]:
        raise OverflowError(f"graph has the length {beyond}: at most {most} is accepted, and that means no edge")


def _check_square(shape: tuple[int, ...]) -> None:
    if len(shape) != 2 or shape[0] != shape[1]:
        raise ValueError(f"graph is {shape_text(shape)}: a square matrix is accepted")


def _better(semiring: str) -> np.ufunc:
    """The semiring's plus, which takes the better of two lengths."""
    return np.minimum if semiring.startswith("min-") else np.maximum


def _edges(count: int, begins: NDArray[Any], ends: NDArray[Any], lengths: NDArray[Any]) -> Edges:
    return Edges(count, begins.astype(np.uint32), ends.astype(np.uint32), lengths)


def _finished(edges: Edges, reading: Reading, is_directed: bool) -> Edges:
    """With the changes that the caller asks for."""
    lengths = edges.lengths
    if reading.unweighted:
        none = no_value_in(reading.semiring, lengths.dtype)
        edges = edges._replace(lengths=np.where(lengths == none, lengths, lengths.dtype.type(1)))
    if is_directed:
        return edges
    begins = np.concatenate((edges.begins, edges.ends))
    ends = np.concatenate((edges.ends, edges.begins))
    return edges._replace(begins=begins, ends=ends, lengths=np.concatenate((edges.lengths, edges.lengths)))


# Matrices


def _of_array(graph: Any, reading: Reading, dtype: Any) -> NDArray[Any]:
    if isinstance(graph, (str, bytes, Mapping)):
        raise TypeError(
            f"graph is {reprlib.repr(graph)}: a matrix, a sparse matrix of SciPy, or a graph of NetworkX or igraph is accepted"
        )
    given = without_edges(lengths_array("graph", graph, dtype), reading.no_edge)
    if _core.no_value(reading.semiring):
        check_no_nan("graph", given)
    if reading.unweighted or not reading.directed:
        _check_square(given.shape)
    if reading.unweighted and reading.semiring != "or-and":
        given = ones_of_edges("graph", given, _core.no_value(reading.semiring), reading.no_edge is not None)
    return given if reading.directed else _both_ways(given, _better(reading.semiring))


def _both_ways(matrix: NDArray[Any], better: np.ufunc) -> NDArray[Any]:
    """The better of the two edges between each pair of vertices. A masked entry is no edge."""
    if not np.ma.is_masked(matrix):
        entries = np.ma.getdata(matrix)
        return better(entries, entries.T)  # type: ignore[no-any-return]
    mask, entries = np.ma.getmaskarray(matrix), np.ma.getdata(matrix)
    other = np.where(mask.T, entries, entries.T)
    return np.ma.MaskedArray(better(np.where(mask, other, entries), other), mask & mask.T)


# Sparse matrices of SciPy


def _edges_dtype(semiring: str, asked: Any) -> np.dtype[Any]:
    """The type of the lengths of a list of edges."""
    return np.dtype(asked or (np.bool_ if semiring == "or-and" else np.float64))


def _of_sparse(graph: Any, reading: Reading, asked: Any) -> Edges:
    _check_square(graph.shape)
    edges = graph.tocoo(copy=True)
    if getattr(graph, "format", "") == "bsr":  # whose blocks are filled up with zeros
        edges.eliminate_zeros()
    edges = _summed(_dropped(edges, reading.no_edge), reading, _edges_dtype(reading.semiring, asked))
    return _finished(_edges(graph.shape[0], edges.row, edges.col, edges.data), reading, reading.directed)


def _summed(edges: Any, reading: Reading, dtype: np.dtype[Any]) -> Any:
    """The edges with lengths of that type. Entries of one place are added."""
    if reading.semiring == "or-and":
        edges.data = edges.data.astype(bool)  # a sum of truth is true where any is
        edges.sum_duplicates()
        edges.data = edges.data.astype(dtype)
        return edges
    is_integer = edges.data.dtype.kind in "biu"
    edges.data = _converted_lengths(edges.data, reading, dtype)
    return _exact_sums(edges, dtype) if is_integer else _sums(edges)


def _converted_lengths(given: NDArray[Any], reading: Reading, dtype: np.dtype[Any]) -> NDArray[Any]:
    lengths = given if reading.no_edge is None else np.ma.asarray(given)  # a mask says that there are lengths alone
    return converted("graph", lengths, [dtype.name], dtype.name, _core.no_value(reading.semiring))


def _dropped(edges: Any, no_edge: float | None) -> Any:
    """Without the entries that equal no_edge, where that is given."""
    if no_edge is None:
        return edges
    kept = ~np.ma.getmaskarray(without_edges(edges.data, no_edge))
    return type(edges)((edges.data[kept], (edges.row[kept], edges.col[kept])), shape=edges.shape)


def _sums(edges: Any) -> Any:
    """The sums of floats of each place."""
    try:
        with np.errstate(over="raise"):
            edges.sum_duplicates()
    except FloatingPointError:
        raise OverflowError(f"graph has entries of one place whose sum {edges.dtype} does not hold") from None
    return edges


def _exact_sums(edges: Any, dtype: np.dtype[Any]) -> Any:
    """The sums of integers of each place, by Python integers if the type may not hold them. Infinities stay."""
    sums = edges.copy()
    sums.sum_duplicates()
    exact_below = 2.0 ** (np.finfo(dtype).nmant + 1) if dtype.kind == "f" else float(infinity(dtype))
    if sums.nnz == edges.nnz or np.abs(edges.data.astype(float)).sum() < exact_below:
        return sums
    lengths = edges.data.tolist()
    edges.data = np.array([int(length) if math.isfinite(length) else length for length in lengths], object)
    edges.sum_duplicates()
    edges.data = converted("graph", edges.data, [dtype.name], dtype.name)
    return edges


# Graphs of NetworkX and igraph, known by their functions


def _is_networkx(graph: Any) -> bool:
    return all(hasattr(graph, name) for name in ("nodes", "edges", "is_directed", "is_multigraph"))


def _is_igraph(graph: Any) -> bool:
    return all(hasattr(graph, name) for name in ("vcount", "get_edgelist", "is_directed", "es", "vs"))


def _of_networkx(graph: Any, reading: Reading, dtype: Any) -> Edges:
    names = list(graph.nodes)
    numbers_of = {name: at for at, name in enumerate(names)}
    edges = list(graph.edges(data=reading.weight, default=1))
    ends = [(numbers_of[begin], numbers_of[end]) for begin, end, _ in edges]
    made = _of_lists(graph, len(names), ends, [length for _, _, length in edges], reading, dtype)
    return made._replace(names=names, numbers=numbers_of)


def _of_igraph(graph: Any, reading: Reading, dtype: Any) -> Edges:
    ends, count = graph.get_edgelist(), graph.vcount()
    has_lengths = reading.weight in graph.es.attributes()
    lengths = list(graph.es[reading.weight]) if has_lengths else [1] * len(ends)
    names = list(graph.vs["name"]) if "name" in graph.vs.attributes() else range(count)
    numbers_of = {name: at for at, name in enumerate(names)} | {at: at for at in range(count)}
    return _of_lists(graph, count, ends, lengths, reading, dtype)._replace(names=names, numbers=numbers_of)


def _of_lists(
    graph: Any, count: int, ends: list[tuple[int, int]], lengths: list[Any], reading: Reading, asked: Any
) -> Edges:
    given = lengths_array("graph", lengths, asked)
    pairs = np.array(ends, np.int64).reshape(-1, 2)
    if reading.no_edge is not None:
        kept = ~np.ma.getmaskarray(without_edges(given, reading.no_edge))
        given, pairs = given[kept], pairs[kept]
    dtype = _edges_dtype(reading.semiring, asked)
    given = np.ones(len(given), dtype) if reading.semiring == "or-and" else _converted_lengths(given, reading, dtype)
    return _finished(_edges(count, pairs[:, 0], pairs[:, 1], given), reading, reading.directed and graph.is_directed())
