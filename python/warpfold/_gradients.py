"""Products over (min,+) and (max,+) that torch differentiates.

An entry C[i,j] = A[i,k] + B[k,j], k = argmin[i,j], passes its gradient to A[i,k] and B[k,j] only. Ties go to the smallest
k. An entry without a term has no gradient.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch  # type: ignore[import-not-found,unused-ignore]


class _Product(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    @staticmethod
    def forward(context: Any, a: Any, b: Any, multiply: Callable[[Any, Any], Any]) -> Any:
        found = multiply(a.detach(), b.detach())
        context.save_for_backward(found[1])
        context.shapes = a.shape, b.shape
        context.mark_non_differentiable(found[1])
        return found

    @staticmethod
    def backward(context: Any, gradient: Any, _: Any) -> Any:
        (argmin,) = context.saved_tensors
        shape_a, shape_b = context.shapes
        of_a = gradient.new_zeros((*gradient.shape[:-1], shape_a[-1]))
        of_b = gradient.new_zeros((*gradient.shape[:-2], *shape_b[-2:]))
        if shape_a[-1] > 0:
            none = argmin < 0
            k, given = argmin.long().masked_fill(none, 0), gradient.masked_fill(none, 0)
            of_a, of_b = of_a.scatter_add(-1, k, given), of_b.scatter_add(-2, k, given)
        return of_a.sum_to_size(shape_a), of_b.sum_to_size(shape_b), None


def matmul(a: Any, b: Any, multiply: Callable[[Any, Any], Any], semiring: str, return_argmin: bool) -> Any:
    """As warpfold.matmul, for tensors of torch of which at least one requires a gradient.

    multiply(a, b) returns the product over the semiring and its argmin, for tensors that require no gradient.
    """
    if semiring not in ("min-plus", "max-plus"):
        raise ValueError(f"semiring is {semiring}: min-plus and max-plus have gradients; detach() takes a tensor's away")
    row, column = a.ndim == 1, b.ndim == 1
    values, argmin = _Product.apply(a[None, :] if row else a, b[:, None] if column else b, multiply)

    def as_given(result: Any) -> Any:
        result = result[..., 0, :] if row else result
        return result[..., 0] if column else result

    return (as_given(values), as_given(argmin)) if return_argmin else as_given(values)
