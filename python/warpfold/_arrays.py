"""What becomes of an argument that the library cannot read as it lies in memory: one copy, or one clear error."""

from __future__ import annotations

import numbers
import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._kinds import host_array


def converted(name: str, value: object, accepted: Sequence[str], asked: str | None) -> NDArray[Any]:
    """`value` as an array of an accepted dtype, row by row in memory; no whole number is rounded or cut short.

    `accepted` has the preferred dtypes first; `asked` is the one that the caller wants, or None.
    """
    array = host_array(name, value)
    wanted = _wanted(name, array, [np.dtype(one) for one in accepted], asked)
    if array.dtype.kind == "O":
        return _of_objects(name, array, wanted)
    result = np.require(array, wanted, ["C", "A"])
    if array.dtype.kind in "iu":
        _check_exact(name, array, result)
    return result


def _check_exact(name: str, array: NDArray[Any], result: NDArray[Any]) -> None:
    with np.errstate(invalid="ignore"):  # what comes back as something else is what is looked for
        differs = (result.astype(array.dtype) != array) | ((result < 0) != (array < 0))
    if differs.any():
        at = tuple(int(axis[0]) for axis in np.nonzero(differs))
        place = f"[{', '.join(map(str, at))}]" if at else ""
        raise OverflowError(f"{name}{place} is {array[at]}, which {result.dtype.name} does not hold exactly")


def _wanted(name: str, array: NDArray[Any], accepted: list[np.dtype[Any]], asked: str | None) -> np.dtype[Any]:
    names = ", ".join(one.name for one in accepted) + (" is" if len(accepted) == 1 else " are")
    if asked is not None and np.dtype(asked) not in accepted:
        raise TypeError(f"dtype is {asked}: {names} accepted here")
    kind: str = array.dtype.kind
    if array.size == 0:  # NumPy calls an empty list one of float64
        kind = "b"
    if kind == "O":
        kind = _kind_of_objects(name, array)
    if kind not in "biuf":
        raise TypeError(f"{name} is of dtype {array.dtype}: {names} accepted")
    if asked is not None:
        wanted = np.dtype(asked)
        if kind == "f" and wanted.kind != "f":
            raise TypeError(f"{name} is of dtype {array.dtype}, and dtype is {asked}: whole numbers are accepted")
        return wanted
    native = array.dtype.newbyteorder("=")
    if native in accepted:
        return native
    candidates = [one for one in accepted if (one.kind == "f") == (kind == "f")] or accepted
    if kind == "f" and (candidates[0].kind != "f" or array.dtype.itemsize > 8):
        raise TypeError(f"{name} is of dtype {array.dtype}: {names} accepted")
    return next((one for one in candidates if np.can_cast(native, one, "safe")), candidates[0])


def _kind_of_objects(name: str, array: NDArray[Any]) -> str:
    """Whether Python's own numbers are whole ones; NumPy would make numbers of text and of None, too."""
    for at, entry in np.ndenumerate(array):
        if not isinstance(entry, numbers.Number) or isinstance(entry, complex):
            place = f"[{', '.join(map(str, at))}]" if at else ""
            accepted = "a number" if at else "an array or a list of numbers"
            raise TypeError(f"{name}{place} is {reprlib.repr(entry)}: {accepted} is accepted")
    return "i" if all(isinstance(entry, numbers.Integral) for entry in array.flat) else "f"


def _of_objects(name: str, array: NDArray[Any], wanted: np.dtype[Any]) -> NDArray[Any]:
    """Python's own numbers, which may be of any length."""
    try:
        return np.ascontiguousarray(array.astype(wanted))
    except OverflowError:
        raise OverflowError(f"{name} has a whole number that {wanted.name} does not hold") from None
