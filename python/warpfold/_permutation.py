"""Arrays moved along a permutation, many times."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, _kinds
from ._core import PermutationPlan

_WORD_BYTES = (1, 2, 4, 8, 16)


class Permutation:
    """A permutation that moves arrays: the word at i goes to place p[i].

    * places: p, the integers 0 .. n-1 in some order.
    * threads: of the host that plan and move; 0: as many as the process may use.

    The plan for long arrays is made when the first of them is moved. An array of torch, CuPy or JAX on a GPU stays there,
    and has a plan for its GPU and the size of its words.
    """

    def __init__(self, places: ArrayLike, *, threads: int = 0) -> None:
        self._core = _core.Permutation(places, threads)
        self._on_gpus: dict[tuple[Any, ...], Any] = {}

    @classmethod
    def _of(cls, core: Any) -> Permutation:
        permutation = cls.__new__(cls)
        permutation._core = core
        permutation._on_gpus = {}
        return permutation

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the host's plan to a file, completely or not at all. `load_plan` reads it."""
        self._core.save(os.fspath(path))

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"Permutation({len(self)} words)"

    def apply(self, values: Any, *, inverse: bool = False) -> Any:
        """The array with values[.., i] at place p[i] of the last axis; inverse: with values[.., p[i]] at place i.

        Entries have any type of 1, 2, 4, 8 or 16 bytes. The result is an array of the same kind, type and shape.
        """
        if _kinds.is_on_gpu(values):
            from . import _device

            return _device.permute(self._on_gpus, self._core, values, inverse)
        array = np.ascontiguousarray(_kinds.host_array("values", values))
        if array.dtype.hasobject or array.dtype.itemsize not in _WORD_BYTES:
            raise TypeError(f"values are of dtype {array.dtype}: entries of 1, 2, 4, 8 and 16 bytes are accepted")
        if array.ndim == 0 or array.shape[-1] != len(self):
            raise ValueError(f"values are {array.shape}: {len(self)} along the last axis, as in the permutation, are accepted")
        result: NDArray[Any] = np.empty_like(array)
        if array.size:
            self._core.move(array.ctypes.data, result.ctypes.data, array.dtype.itemsize, array.size // len(self), inverse)
        return result


def load_plan(path: str | os.PathLike[str], *, threads: int = 0) -> Permutation | PermutationPlan:
    """The plan of a file that `save` or `warpfold permute --save-plan` has written.

    Of three steps it is a PermutationPlan, otherwise a Permutation. A GPU uses the plan if a GPU has made it and its blocks
    fit, otherwise it makes one of its own. A file that is damaged or of another version is a ValueError.

    * threads: of the host that move; 0: as many as the process may use.
    """
    loaded = _core.load_plan(os.fspath(path), threads)
    return loaded if isinstance(loaded, PermutationPlan) else Permutation._of(loaded)
