"""Logarithms of a grammar's sum that JAX differentiates. JAX calls the solver on the host, also where it compiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax  # type: ignore[import-not-found,unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found,unused-ignore]
import numpy as np


def log_partition(solve: Callable[[Mapping[str, Any]], Any], members: Mapping[str, Any], limits: Mapping[str, Any]) -> Any:
    """As warpfold.log_partition, if at least one member is an array of JAX. solve(members) returns the tables of a grammar
    with these members instead of its own."""
    arrays = {name: value for name, value in members.items() if isinstance(value, jax.Array)}
    # Under jax.jit arrays are known to the host alone: all are passed to it, those of integers with no derivatives.
    is_learned = [jnp.issubdtype(value.dtype, jnp.floating) for value in arrays.values()]
    result = jax.ShapeDtypeStruct((), jnp.result_type(float))
    shapes = [jax.ShapeDtypeStruct(value.shape, value.dtype) for value, learned in zip(arrays.values(), is_learned) if learned]
    learned_names = [name for name, learned in zip(arrays, is_learned) if learned]

    def tables_of(values: tuple[Any, ...]) -> Any:
        types = [np.float64 if learned else None for learned in is_learned]
        return solve({name: np.asarray(value, dtype) for name, value, dtype in zip(arrays, values, types)})

    def value_on_host(*values: Any) -> Any:
        return np.asarray(tables_of(values).cost, result.dtype)

    def gradient_on_host(*values: Any) -> Any:
        tables = tables_of(values)
        found = tables.derivatives(**limits)
        gradients = [np.asarray(found.get(name, np.zeros(one.shape)), one.dtype) for name, one in zip(learned_names, shapes)]
        return np.asarray(tables.cost, result.dtype), *gradients

    @jax.custom_vjp  # type: ignore[untyped-decorator,unused-ignore]
    def value_of(*values: Any) -> Any:
        return jax.pure_callback(value_on_host, result, *values, vmap_method="sequential")

    def forward(*values: Any) -> Any:
        value, *gradients = jax.pure_callback(gradient_on_host, (result, *shapes), *values, vmap_method="sequential")
        return value, gradients

    def backward(gradients: Any, cotangent: Any) -> Any:
        each = iter([(cotangent * gradient).astype(gradient.dtype) for gradient in gradients])
        return tuple(next(each) if learned else None for learned in is_learned)

    value_of.defvjp(forward, backward)
    return value_of(*arrays.values())
