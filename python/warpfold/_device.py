"""Arrays that stay on a GPU: those of torch, CuPy and JAX, read and written in place on the caller's stream.

The core reads dense arrays in row order. The caller's library makes a dense copy if needed, makes the results, and names
the current stream. So all work is in order without waits in between. The call itself waits for its result, because it
frees its working memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple, Protocol

import numpy as np

from . import _core
from ._arrays import infinity, no_value_in


class DeviceTriangulation(NamedTuple):
    """The triangulation of weights on a GPU, on the same GPU: costs (..) and triangles (.., n-2, 3), vertices i < k < j."""

    costs: Any
    triangles: Any


class _Library(Protocol):
    def dense(self, array: Any) -> Any: ...
    def full(self, like: Any, shape: tuple[int, ...], value: Any, dtype: str) -> Any: ...
    def address(self, array: Any) -> int: ...
    def dtype(self, array: Any) -> str: ...
    def current(self, array: Any) -> AbstractContextManager[Any]: ...
    def stream(self) -> int: ...


class _Torch:
    def __init__(self) -> None:
        import torch  # type: ignore[import-not-found,unused-ignore]

        self.torch: Any = torch

    def dense(self, array: Any) -> Any:
        return array.detach().contiguous()

    def full(self, like: Any, shape: tuple[int, ...], value: Any, dtype: str) -> Any:
        signed = {"uint32": "int32"}.get(dtype, dtype)  # torch has few unsigned types
        return self.torch.full(shape, value, dtype=getattr(self.torch, signed), device=like.device)

    def address(self, array: Any) -> int:
        return int(array.data_ptr())

    def dtype(self, array: Any) -> str:
        return str(array.dtype).removeprefix("torch.")

    def current(self, array: Any) -> AbstractContextManager[Any]:
        return self.torch.cuda.device(array.device)  # type: ignore[no-any-return]

    def stream(self) -> int:
        return int(self.torch.cuda.current_stream().cuda_stream)


class _Cupy:
    def __init__(self) -> None:
        import cupy  # type: ignore[import-not-found,unused-ignore]

        self.cupy: Any = cupy

    def dense(self, array: Any) -> Any:
        return self.cupy.ascontiguousarray(array)

    def full(self, like: Any, shape: tuple[int, ...], value: Any, dtype: str) -> Any:
        return self.cupy.full(shape, value, dtype=dtype)

    def address(self, array: Any) -> int:
        return int(array.data.ptr)

    def dtype(self, array: Any) -> str:
        return str(array.dtype)

    def current(self, array: Any) -> AbstractContextManager[Any]:
        return array.device  # type: ignore[no-any-return]

    def stream(self) -> int:
        return int(self.cupy.cuda.get_current_stream().ptr)


class _Jax:
    """JAX has private streams, so its arrays are waited for. A new array, which JAX knows to be ready, is written before
    any other code sees it."""

    def __init__(self) -> None:
        import jax.numpy  # type: ignore[import-not-found,unused-ignore]

        self.numpy: Any = jax.numpy

    def dense(self, array: Any) -> Any:
        return array.block_until_ready()

    def full(self, like: Any, shape: tuple[int, ...], value: Any, dtype: str) -> Any:
        return self.numpy.full(shape, value, dtype=dtype, device=like.device).block_until_ready()

    def address(self, array: Any) -> int:
        return int(array.unsafe_buffer_pointer())

    def dtype(self, array: Any) -> str:
        return str(array.dtype)

    def current(self, array: Any) -> AbstractContextManager[Any]:
        if array.device.local_hardware_id != 0:
            raise ValueError(f"an array of JAX lies on {array.device}: the first GPU is accepted")
        return nullcontext()

    def stream(self) -> int:
        return 0


_LIBRARIES: dict[str, type[_Library]] = {"torch": _Torch, "cupy": _Cupy, "jaxlib": _Jax, "jax": _Jax}


def _library(array: Any) -> _Library:
    name = type(array).__module__.partition(".")[0]
    if name not in _LIBRARIES:
        raise TypeError(f"an array of {name} lies on a GPU: those of torch, CuPy and JAX are accepted there")
    return _LIBRARIES[name]()


def _reject_options(options: Mapping[str, Any]) -> None:
    for name, value in options.items():
        if value is not None and not (name == "device" and str(value).startswith(("auto", "cuda"))):
            raise TypeError(f"{name} is not accepted with arrays on a GPU, which are solved where they lie")


def matmul(a: Any, b: Any, semiring: str, modulus: int, return_argmin: bool, options: Mapping[str, Any]) -> Any:
    """As warpfold.matmul, without checks of the entries: NaN and numbers that are too large are not found."""
    _reject_options(options)
    if modulus or _core.no_value(semiring) is None:
        raise ValueError(f"semiring is {semiring}: those that choose are accepted on a GPU")
    if type(a) is not type(b) or a.device != b.device or a.dtype != b.dtype:
        raise TypeError("a and b are of different kinds: arrays of one library, GPU and dtype are accepted")
    if a.ndim < 2 or b.ndim < 2 or a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a is {tuple(a.shape)} and b {tuple(b.shape)}: m x p and p x n are accepted")
    batch = tuple(a.shape[:-2]) or tuple(b.shape[:-2])
    if tuple(b.shape[:-2]) not in ((), batch):
        raise ValueError(f"a is {tuple(a.shape)} and b {tuple(b.shape)}: the same leading dimensions, or none, are accepted")
    library = _library(a)
    m, p, n, count = a.shape[-2], a.shape[-1], b.shape[-1], int(np.prod(batch))
    with library.current(a):
        left, right = library.dense(a), library.dense(b)
        dtype = library.dtype(a)
        dtype = "uint8" if dtype == "bool" else dtype
        product = library.full(a, (*batch, m, n), no_value_in(semiring, dtype), library.dtype(a))
        argmin = library.full(a, (*batch, m, n), 0, "uint32") if return_argmin else None
        if product.shape[-1] and product.shape[-2] and count:
            _core.device_matmul(
                dtype,
                semiring,
                [m, p, n, count],
                one_a=a.ndim == 2,
                one_b=b.ndim == 2,
                a=library.address(left),
                b=library.address(right),
                c=library.address(product),
                argmin=0 if argmin is None else library.address(argmin),
                stream=library.stream(),
            )
    return product if argmin is None else (product, argmin)


def triangulate(weights: Any, options: Mapping[str, Any]) -> DeviceTriangulation:
    """As warpfold.triangulate of weights (.., n, n). If the forbidden chords leave no triangulation, the cost is infinite
    (integers: half of the largest, or near it) and the triangles mean nothing."""
    _reject_options(options)
    if weights.ndim < 2 or weights.shape[-1] != weights.shape[-2] or weights.shape[-1] < 3:
        raise ValueError(f"problem is {tuple(weights.shape)}: weights (.., n, n), n at least 3, are accepted on a GPU")
    library = _library(weights)
    n, batch = weights.shape[-1], tuple(weights.shape[:-2])
    with library.current(weights):
        dense, dtype = library.dense(weights), library.dtype(weights)
        whole = dtype.startswith("int")
        none = infinity(dtype).item() if whole else 0
        # For integers the largest total decides whether all sums fit. Weights that forbid a chord do not count.
        largest = int(abs(dense * (dense < none)).max()) * (n - 3) if whole else 0
        costs = library.full(weights, batch, 0, dtype)
        triangles = library.full(weights, (*batch, n - 2, 3), 0, "uint32")
        _core.device_triangulate(
            dtype,
            int(np.prod(batch)),
            n,
            weights=library.address(dense),
            largest_total=largest,
            nonnegative=not whole and bool((dense >= 0).all()),
            costs=library.address(costs),
            triangles=library.address(triangles),
            stream=library.stream(),
        )
    return DeviceTriangulation(costs, triangles)


def permute(plans: dict[tuple[Any, ...], Any], permutation: Any, values: Any, inverse: bool) -> Any:
    """As warpfold.Permutation.apply. `plans` keeps a plan for each GPU, stream, size of words and number of arrays."""
    n = len(permutation)
    if values.ndim == 0 or values.shape[-1] != n:
        raise ValueError(f"values are {tuple(values.shape)}: {n} along the last axis, as in the permutation, are accepted")
    library = _library(values)
    with library.current(values):
        dense = library.dense(values)
        result = library.full(values, tuple(values.shape), 0, library.dtype(values))
        word_bytes, arrays = int(dense.dtype.itemsize), int(np.prod(values.shape[:-1]))
        if n and arrays:
            stream = library.stream()
            key = (str(values.device), stream, word_bytes, arrays)
            if key not in plans:
                plans[key] = _core.DevicePermutation(permutation, word_bytes, arrays)
            plans[key].move(library.address(dense), library.address(result), inverse, stream)
    return result
