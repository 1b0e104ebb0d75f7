"""Kinds of arrays: whether they are of NumPy, torch, CuPy or JAX, and whether they are on a GPU."""

from __future__ import annotations

import numbers
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

_CPU_DEVICES = (1, 3)  # DLPack's numbers of host memory, plain and pinned


def is_on_gpu(array: Any) -> bool:
    """Whether an array is in GPU memory, by DLPack or by __cuda_array_interface__."""
    if isinstance(array, np.ndarray) or isinstance(array, (list, tuple)):
        return False
    if hasattr(array, "__cuda_array_interface__"):
        return True
    return hasattr(array, "__dlpack_device__") and int(array.__dlpack_device__()[0]) not in _CPU_DEVICES


def wants_gradient(array: Any) -> bool:
    """Whether torch differentiates results that are computed from an array."""
    return _library(array) == "torch" and array.requires_grad and sys.modules["torch"].is_grad_enabled()


def is_of_jax(array: Any) -> bool:
    """Whether it is an array of JAX, or stands for one while JAX transforms a function."""
    return "jax" in sys.modules and isinstance(array, sys.modules["jax"].Array)


def _library(array: Any) -> str:
    return type(array).__module__.partition(".")[0]


def host_array(name: str, array: Any) -> NDArray[Any]:
    """A view of an array in host memory, or a new array made of any other value."""
    if isinstance(array, np.ndarray):
        return array
    if wants_gradient(array):
        raise ValueError(f"{name} requires a gradient: matmul of tensors and log_partition have one; detach() takes it away")
    if hasattr(array, "__dlpack__"):
        return np.from_dlpack(array.detach() if _library(array) == "torch" else array)
    try:
        made = np.asarray(array)
    except (ValueError, OverflowError) as error:
        raise type(error)(f"{name} is no array of numbers: {error}") from None
    return _unrounded(name, array, made) if made.dtype == np.float64 and made.size > 0 else made


def shape_text(shape: tuple[int, ...]) -> str:
    """A shape for messages: "2 x 3"."""
    if len(shape) == 1:
        return f"a list of {shape[0]}"
    return " x ".join(map(str, shape)) or "a single number"


def place_text(at: tuple[int, ...]) -> str:
    """The place of an entry, to follow its array's name: "[1, 2]"."""
    return f"[{', '.join(map(str, at))}]" if at else ""


def _unrounded(name: str, given: Any, made: NDArray[Any]) -> NDArray[Any]:
    """A value that NumPy made floats of. Integers alone stay integers. Among floats a rounded integer raises."""
    exact_below = 2.0**53
    large = np.isfinite(made) & (np.abs(made) >= exact_below)
    is_integer = bool(np.all(made == np.floor(made)))
    if not is_integer and not large.any():
        return made
    entries = np.asarray(given, object)
    if is_integer and all(isinstance(entry, numbers.Integral) for entry in entries.flat):
        return _whole(name, entries)
    for at in map(tuple, np.argwhere(large).tolist()):
        if isinstance(entries[at], numbers.Integral) and int(made[at]) != entries[at]:
            raise _not_exact(name, at, entries[at], "float64")
    return made


def _whole(name: str, entries: NDArray[Any]) -> NDArray[Any]:
    """Integers in one type of 64 bits. NumPy uses float64 for a mix of int64 and uint64."""
    kind = np.int64 if any(entry < 0 for entry in entries.flat) else np.uint64
    for at, entry in np.ndenumerate(entries):
        if not np.iinfo(kind).min <= entry <= np.iinfo(kind).max:
            raise _not_exact(name, at, entry, kind.__name__)
    return entries.astype(kind)


def _not_exact(name: str, at: tuple[int, ...], number: Any, kind: str) -> OverflowError:
    return OverflowError(f"{name}{place_text(at)} is {number}, which {kind} does not hold exactly")


def like(given: Any, result: NDArray[Any]) -> Any:
    """The result as an array of the given array's kind, without a copy if that library needs none. For an unknown library
    it is NumPy's."""
    if isinstance(given, np.ndarray) or not hasattr(given, "__dlpack__"):
        return result
    if hasattr(given, "__array_namespace__"):
        return given.__array_namespace__().from_dlpack(result)
    from_dlpack = getattr(sys.modules.get(_library(given)), "from_dlpack", None)
    if from_dlpack is None:
        return result
    if result.dtype == np.uint32:  # torch has few unsigned types
        result = result.view(np.int32)
    return from_dlpack(result)
