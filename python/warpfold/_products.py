"""Products over semirings, and chains of ordinary products."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _core, _kinds
from ._arrays import check_no_nan, lengths_array, without_edges

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._options import Options


def matmul(
    a: Any,
    b: Any,
    *,
    semiring: str = "min-plus",
    modulus: int = 0,
    return_argmin: bool = False,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> Any:
    """The product of two matrices over a semiring.

        C[i,j] = plus over k of times(A[i,k], B[k,j]),    min over k of A[i,k] + B[k,j] in min-plus

    * a, b: shapes as in numpy.matmul. Leading dimensions are a batch, solved in one call. Both have the same ones, or one
      has none.
    * semiring: one of those in docs/guides/minplus.md. min-plus and others accept int16, int32, int64, float32 and float64.
      or-and accepts bool and uint8. plus-times, which counts, accepts uint64 and float64.
    * modulus: for plus-times of uint64 only; 0 means exact.
    * return_argmin: also return the smallest k whose term each entry is, or 4294967295 if there is none. In torch it is
      int32, with -1 for none.
    * no_edge: a number that means "no value", besides infinity: 0, -1, nan, the largest integer of a type. Without it,
      Booleans and the largest integer of a type are rejected where "no value" is an infinity.

    "No value" in min-plus is `infinity(dtype)`, which for integers is half of the largest.

    The result is an array of the kind of a: of NumPy, torch, CuPy or JAX. Arrays on a GPU stay there. The bits are the same
    on every processor and GPU, and for any number of threads. Over min-plus and max-plus torch differentiates the product
    of tensors that require it. The gradient of an entry goes to the two numbers whose sum it is.
    """
    if no_edge is not None and any(_kinds.wants_gradient(one) or _kinds.is_on_gpu(one) for one in (a, b)):
        raise ValueError(f"no_edge is {no_edge}: arrays in the host's memory, without gradients, are accepted beside it")
    if _kinds.wants_gradient(a) or _kinds.wants_gradient(b):
        from . import _gradients

        multiply = partial(matmul, semiring=semiring, return_argmin=True, **options)
        return _gradients.matmul(a, b, multiply, semiring, return_argmin)
    if _kinds.is_on_gpu(a) or _kinds.is_on_gpu(b):
        from . import _device

        return _device.matmul(a, b, semiring, modulus, return_argmin, options)
    left, right = (factor_array(name, one, semiring, no_edge, options) for name, one in (("a", a), ("b", b)))
    row, column = left.ndim == 1, right.ndim == 1
    left = left[np.newaxis, :] if row else left
    right = right[:, np.newaxis] if column else right
    found = _core.matmul(left, right, semiring=semiring, modulus=modulus, return_argmin=return_argmin, **options)

    def as_given(result: NDArray[Any]) -> Any:
        result = result[..., 0, :] if row else result
        return _kinds.like(a, result[..., 0] if column else result)

    if return_argmin:
        return as_given(as_bool(found[0], left)), as_given(found[1])
    return as_given(as_bool(found, left))


def power(
    a: Any,
    k: int,
    *,
    semiring: str = "min-plus",
    modulus: int = 0,
    no_edge: float | None = None,
    **options: Unpack[Options],
) -> Any:
    """A^k over a semiring. In min-plus these are the lengths of the shortest walks of exactly k edges.

    A^0 has the semiring's one on the diagonal (0 in min-plus) and its zero elsewhere (infinity). The result is an array of
    the kind of a. no_edge is as in matmul. Cost: at most 2 log2(k) products.
    """
    matrix = factor_array("a", a, semiring, no_edge, options)
    found = _core.power(matrix, k, semiring=semiring, modulus=modulus, **options)
    return _kinds.like(a, as_bool(found, matrix))


def closure(a: Any, *, semiring: str = "min-plus", no_edge: float | None = None, **options: Unpack[Options]) -> Any:
    """1 + A + A^2 + .. over a selective semiring. In min-plus these are the shortest path lengths between all pairs.

    The result is an array of the kind of a. no_edge is as in matmul. Raises InfeasibleError if walks improve without end.
    """
    matrix = factor_array("a", a, semiring, no_edge, options)
    return _kinds.like(a, as_bool(_core.closure(matrix, semiring=semiring, **options), matrix))


def factor_array(name: str, given: Any, semiring: str, no_edge: float | None, options: Options) -> NDArray[Any]:
    """A factor of a product. Lists of integers beyond infinity("int64") are rounded where "no value" is an infinity."""
    adds_lengths = bool(_core.no_value(semiring))
    array = lengths_array(name, given, options.get("dtype")) if adds_lengths else _kinds.host_array(name, given)
    lengths = without_edges(array, no_edge)
    if adds_lengths:
        check_no_nan(name, lengths)
    return lengths


def as_bool(product: NDArray[Any], factor: NDArray[Any]) -> NDArray[Any]:
    return product.view(np.bool_) if factor.dtype == np.bool_ and product.dtype == np.uint8 else product


def multi_dot(arrays: Sequence[Any], *, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """The product of two or more arrays in the cheapest order, like numpy.linalg.multi_dot.

    The first and the last may be vectors. Arrays of more dimensions are stacks of matrices, whose leading dimensions are
    broadcast as in numpy.matmul. It finds the order in O(n log n); NumPy takes O(n^3).
    """
    if len(arrays) < 2:
        raise ValueError(f"arrays has {len(arrays)} entries: two or more are accepted")
    factors = [np.asanyarray(one) for one in arrays]
    for place, factor in enumerate(factors):
        least = 1 if place in (0, len(factors) - 1) else 2
        if factor.ndim < least:
            raise ValueError(f"arrays[{place}] has {factor.ndim} dimensions: 2 or more are accepted, at both ends also 1")
    row, column = factors[0].ndim == 1, factors[-1].ndim == 1
    if row:
        factors[0] = factors[0][np.newaxis, :]
    if column:
        factors[-1] = factors[-1][:, np.newaxis]
    for place, factor in enumerate(factors):
        rows, before = factor.shape[-2], factors[place - 1].shape[-1]
        if place > 0 and rows != before:
            raise ValueError(f"arrays[{place}] has {rows} rows: {before} are accepted, as before it are columns")
    product = _multiply(factors, None if row or column else out)
    if not row and not column:
        return product
    if row and column:
        product = product[0, 0] if product.ndim == 2 else product[..., 0, 0]
    else:
        product = product[..., 0, :] if row else product[..., 0]
    if out is None:
        return product
    product = np.asarray(product)
    if out.shape != product.shape:
        raise ValueError(f"out is {_extents(out.shape)}: {_extents(product.shape)} is accepted")
    if not np.can_cast(product.dtype, out.dtype, "same_kind"):
        raise TypeError(f"out is of dtype {out.dtype}: {product.dtype} is accepted")
    out[...] = product
    return out


def _extents(shape: tuple[int, ...]) -> str:
    return " x ".join(map(str, shape)) or "a single number"


def _multiply(factors: list[NDArray[Any]], out: NDArray[Any] | None) -> NDArray[Any]:
    dims = [factors[0].shape[-2], *(factor.shape[-1] for factor in factors)]
    is_stack = any(factor.ndim > 2 for factor in factors)
    order = _core.chain_order([max(extent, 1) for extent in dims])  # for empty arrays any order will do
    parts = {(i, i + 1): factor for i, factor in enumerate(factors)}
    for i, k, j in reversed(order.splits.tolist()):  # the last multiplication comes first there
        last = out if (i, j) == (0, len(factors)) else None
        left, right = parts.pop((i, k)), parts.pop((k, j))
        parts[i, j] = np.matmul(left, right, out=last) if is_stack else np.dot(left, right, out=last)
    return parts[0, len(factors)]
