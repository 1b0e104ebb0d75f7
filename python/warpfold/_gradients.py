"""Products over (min,+) and (max,+), and logarithms of a grammar's sum, that torch differentiates.

An entry C[i,j] = A[i,k] + B[k,j], k = argmin[i,j], passes its gradient to A[i,k] and B[k,j] only. Ties go to the smallest
k. An entry without a term has no gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import torch  # type: ignore[import-not-found,unused-ignore]

Solve = Callable[[Mapping[str, Any]], Any]  # the tables of a grammar with these members


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


class _LogPartition(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    @staticmethod
    def forward(context: Any, solve: Solve, names: list[str], limits: Mapping[str, Any], *values: Any) -> Any:
        context.tables = solve({name: _host_numbers(value) for name, value in zip(names, values)})
        context.names, context.limits = names, limits
        context.save_for_backward(*values)
        return torch.tensor(context.tables.cost, dtype=torch.float64)

    @staticmethod
    def backward(context: Any, gradient: Any) -> Any:
        found = context.tables.derivatives(**context.limits)
        derivatives = [found.get(name) for name in context.names]
        return None, None, None, *_Derivatives.apply(derivatives, gradient, *context.saved_tensors)


class _Derivatives(torch.autograd.Function):  # type: ignore[misc,unused-ignore]
    """The derivatives by tensors, times a gradient. It is a function of its own so that their derivatives raise an error."""

    @staticmethod
    def forward(context: Any, derivatives: list[Any], gradient: Any, *values: Any) -> Any:
        return tuple(
            torch.zeros_like(value) if found is None else torch.from_numpy(np.asarray(found)).to(value) * gradient.to(value)
            for found, value in zip(derivatives, values)
        )

    @staticmethod
    def backward(context: Any, *_: Any) -> Any:
        raise RuntimeError("log_partition has first derivatives only")


def _host_numbers(tensor: Any) -> Any:
    """A tensor as float64 in the host's memory."""
    return tensor.detach().to("cpu", torch.float64).contiguous().numpy()


def log_partition(solve: Solve, members: Mapping[str, Any], limits: Mapping[str, Any]) -> Any:
    """As warpfold.log_partition, if at least one member is a tensor that requires a gradient. solve(members) returns the
    tables of a grammar with these members instead of its own."""
    tensors = {name: value for name, value in members.items() if isinstance(value, torch.Tensor) and value.is_floating_point()}
    return _LogPartition.apply(solve, list(tensors), limits, *tensors.values())
