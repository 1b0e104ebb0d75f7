"""Arguments that the library cannot read in place: they become one copy, or raise one clear error."""

from __future__ import annotations

import numbers
import reprlib
import sys
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._kinds import host_array, place_text

_WHOLE_TYPES = ("int16", "int32", "int64", "uint64")  # the integer types that the library solves in


def infinity(dtype: Any) -> Any:
    """The number that means "no value" in a dtype: infinity, or for integers half of the largest value.

    dtype is a floating-point type, or int16, int32, int64 or uint64. Raises TypeError for any other.
    """
    accepted = f"{', '.join(_WHOLE_TYPES)} or a type of floats is accepted"
    try:
        kind = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"dtype is {dtype!r}: {accepted}") from None
    if kind.kind == "f":
        return kind.type(np.inf)
    if not _has_infinity(kind):
        raise TypeError(f"dtype is {kind}: {accepted}")
    return kind.type(np.iinfo(kind).max // 2)


def no_value_in(semiring: str, dtype: Any) -> Any:
    """The number that means "no value" of a semiring in a dtype; 0 if the semiring is not selective."""
    none = _core.no_value(semiring) or 0
    return 0 if none == 0 else infinity(dtype).item() if none > 0 else -infinity(dtype).item()


def _has_infinity(kind: np.dtype[Any]) -> bool:
    return kind.kind == "f" or kind.newbyteorder("=").name in _WHOLE_TYPES


def converted(
    name: str, value: object, accepted: Sequence[str], asked: str | None, none: float | None = None
) -> NDArray[Any]:
    """`value` as an array of an accepted dtype in row order. No integer is rounded or truncated.

    `accepted` has the dtypes, the preferred one first. `asked` is the one that the caller requests, or None. `none` is
    "no value" among these numbers, or None if there is no such value. Masked entries become `none`. An infinity of the
    array's own dtype becomes that of the new one. If `none` is an infinity and the array has no mask, raises ValueError for
    an entry that other programs write for "no edge".
    """
    given = host_array(name, value)
    array = np.ma.filled(given, 0)
    if none is not None and none != 0 and not isinstance(given, np.ma.MaskedArray):
        _check_lengths(name, array, none < 0)
    wanted = _wanted(name, array, [np.dtype(one) for one in accepted], asked)
    if wanted.kind == "u" and none is not None and none < 0:  # no unsigned number is below all others
        none = None
    mask = _mask_of(name, given, none)
    places = _own_infinities(array, wanted) if none else []
    if mask is not None:
        places.append((mask, none or 0))
    if not places:
        return _exact(name, array, wanted)
    finite = array.copy()
    for where, _ in places:
        finite[where] = 0
    result = _exact(name, finite, wanted)
    for where, number in places:
        result[where] = 0 if not number else infinity(wanted) if number > 0 else -infinity(wanted)
    return result


def lengths_array(name: str, value: Any, asked: Any) -> NDArray[Any]:
    """host_array; but lists of integers with one that no type of 64 bits adds become float64, with a warning, unless
    another dtype was asked for."""
    if not isinstance(value, (list, tuple)) or (asked is not None and np.dtype(asked) != np.float64):
        return host_array(name, value)
    try:
        entries = np.array(value, object)
    except ValueError:  # rows of several lengths, which host_array names
        return host_array(name, value)
    none = int(infinity(np.int64))
    flat = entries.ravel().tolist()
    if not all(isinstance(entry, numbers.Integral) for entry in flat) or all(-none <= entry <= none for entry in flat):
        return host_array(name, value)
    try:
        rounded: NDArray[Any] = entries.astype(np.float64)
    except OverflowError:
        raise OverflowError(f"{name} has integers that float64 does not hold") from None
    rounded[entries == none], rounded[entries == -none] = np.inf, -np.inf
    warnings.warn(f"{name} has integers beyond {none}: float64 rounds them", RuntimeWarning, stacklevel=_callers_level())
    return rounded


def _callers_level() -> int:
    """The number of calls from the function that calls this one to the first outside of this package."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals["__name__"].startswith(f"{__package__}."):
        level, frame = level + 1, frame.f_back
    return level


def check_no_nan(name: str, lengths: NDArray[Any]) -> None:
    """Raises ValueError for NaN, which other programs write for "no edge"."""
    if lengths.dtype.kind != "f" or lengths.size == 0 or np.ma.isMaskedArray(lengths) or not np.isnan(lengths.min()):
        return
    place = place_text(_first(np.isnan(lengths)))
    raise ValueError(f"{name}{place} is nan, which is no length: no_edge=nan is accepted where it means no edge")


def without_edges(graph: NDArray[Any], no_edge: float | None) -> NDArray[Any]:
    """The array with a mask over the entries that equal no_edge, where that is given."""
    if no_edge is None:
        return graph
    if isinstance(no_edge, (str, bytes)) or not isinstance(no_edge, (numbers.Real, np.number)):
        raise TypeError(f"no_edge is {no_edge!r}: a number is accepted")
    with np.errstate(over="ignore", invalid="ignore"):
        equal = graph != graph if no_edge != no_edge else graph == no_edge
    return np.ma.masked_where(np.ma.filled(equal, False), graph)


def ones_of_edges(name: str, graph: NDArray[Any], none: float | None, knows_no_edge: bool) -> NDArray[Any]:
    """The matrix with 1 for every edge, and a mask where there is none. `none` is as in `converted`.

    Raises ValueError for a 0 between two vertices unless no_edge is given: some mean an edge of length 0 by it, and some
    no edge.
    """
    entries, mask = np.ma.getdata(graph), np.ma.getmaskarray(graph)
    if not knows_no_edge and none:
        if not np.ma.is_masked(graph):
            _check_lengths(name, entries, none < 0)
        zeros = (entries == 0) & ~mask & ~np.eye(len(entries), dtype=bool)
        if zeros.any():
            raise ValueError(
                f"{name}{place_text(_first(zeros))} is 0, which is a length: beside unweighted=True, no_edge=0 is accepted where "
                "it means no edge, no_edge=inf where it is a length"
            )
    ones = np.ones(entries.shape, entries.dtype)
    if entries.dtype.kind == "f":
        ones[np.isnan(entries)] = np.nan  # which is rejected later
    return np.ma.MaskedArray(ones, mask | _is_none(entries, none or 0))


def _is_none(entries: NDArray[Any], none: float) -> NDArray[np.bool_]:
    """Where the entries are "no value" of their own type, the one with the sign of `none`."""
    if none == 0:
        return np.asarray(entries == 0)
    if entries.dtype.kind in "fO":
        return np.asarray(entries == none)
    if not _has_infinity(entries.dtype) or (none < 0 and entries.dtype.kind == "u"):
        return np.zeros(entries.shape, bool)
    own = int(infinity(entries.dtype))
    return np.asarray(entries == (own if none > 0 else -own))


def _check_lengths(name: str, array: NDArray[Any], none_is_negative: bool) -> None:
    """Of truth no false, and of integers of 2 bytes or more not the largest, or the least where no value is negative."""
    if array.dtype.kind == "b" and not array.all():
        raise ValueError(
            f"{name}{place_text(_first(~array))} is False, which is no length: semiring 'or-and', or no_edge=0 with True for an "
            "edge of length 1, is accepted"
        )
    if array.dtype.kind not in "iu" or array.dtype.itemsize == 1:
        return
    kind = np.iinfo(array.dtype)
    ends = [(kind.max, "largest")] + [(kind.min, "least")] * (array.dtype.kind == "i" and none_is_negative)
    for end, word in ends:
        if (array == end).any():
            raise ValueError(
                f"{name}{place_text(_first(array == end))} is {end}, the {word} {array.dtype.name}: no_edge={end} is accepted "
                "where it means no edge, no_edge=inf where it is a length"
            )


def _mask_of(name: str, given: NDArray[Any], none: float | None) -> NDArray[np.bool_] | None:
    """The mask of an array with masked entries, else None."""
    if not np.ma.is_masked(given):
        return None
    mask = np.ma.getmaskarray(given)
    if none is None:
        at = _first(mask)
        raise TypeError(f"{name}{place_text(at)} is masked: an array without a mask is accepted, as every entry is needed")
    return mask


def _own_infinities(array: NDArray[Any], wanted: np.dtype[Any]) -> list[tuple[NDArray[np.bool_], float]]:
    """Where integers of a type other than the wanted one are infinite, and with which sign."""
    if array.dtype.kind not in "iu" or array.dtype == wanted or not _has_infinity(array.dtype):
        return []
    own = int(infinity(array.dtype))
    sides = [(array == own, 1.0)] + [(array == -own, -1.0)] * (array.dtype.kind == "i")
    return [(where, side) for where, side in sides if where.any()]


def _exact(name: str, array: NDArray[Any], wanted: np.dtype[Any]) -> NDArray[Any]:
    """`array` in the wanted type. Raises OverflowError for an integer or a float that it does not hold."""
    with np.errstate(invalid="ignore", over="ignore", under="ignore"):  # changed values are found below
        if array.dtype.kind == "O":
            array = _of_objects(name, array, wanted)
        result = np.require(array, wanted, ["C", "A"])
        if array.dtype.kind in "iu":
            differs = (result.astype(array.dtype) != array) | ((result < 0) != (array < 0))
        elif array.dtype.kind == "f" and array.dtype.itemsize > wanted.itemsize:
            differs = (np.isinf(result) & np.isfinite(array)) | ((result == 0) & (array != 0))
        else:
            return result
    if differs.any():
        at = _first(differs)
        raise _not_held(name, at, array[at], wanted)
    return result


def _first(where: NDArray[np.bool_]) -> tuple[int, ...]:
    """The first place that is true; () for a single number."""
    return tuple(np.argwhere(where)[0].tolist())


def _not_held(name: str, at: tuple[int, ...], number: Any, wanted: np.dtype[Any]) -> OverflowError:
    holds = "does not hold exactly" if isinstance(number, numbers.Integral) else "does not hold"
    return OverflowError(f"{name}{place_text(at)} is {number!s}, which {wanted.name} {holds}")


def _wanted(name: str, array: NDArray[Any], accepted: list[np.dtype[Any]], asked: str | None) -> np.dtype[Any]:
    accepted_names = ["bool"] * (np.dtype(np.uint8) in accepted) + [one.name for one in accepted]
    names = ", ".join(accepted_names) + (" is" if len(accepted_names) == 1 else " are")
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
            _reject_fraction(name, array)
            raise TypeError(f"{name} is of dtype {array.dtype}, and dtype is {asked}: integers are accepted")
        return wanted
    native = array.dtype.newbyteorder("=")
    if native in accepted:
        return native
    candidates = [one for one in accepted if (one.kind == "f") == (kind == "f")] or accepted
    if kind == "f" and candidates[0].kind != "f":
        _reject_fraction(name, array)
    if kind == "f" and (candidates[0].kind != "f" or array.dtype.itemsize > 8):
        raise TypeError(f"{name} is of dtype {array.dtype}: {names} accepted")
    return next((one for one in candidates if np.can_cast(native, one, "safe")), candidates[0])


def _reject_fraction(name: str, array: NDArray[Any]) -> None:
    """Raises TypeError for the first entry that is no integer, NaN for example."""
    with np.errstate(invalid="ignore"):  # of infinities
        differs = np.asarray(array % 1 != 0, bool)
    if differs.any():
        at = _first(differs)
        raise TypeError(f"{name}{place_text(at)} is {array[at]!s}: an integer is accepted")


def _kind_of_objects(name: str, array: NDArray[Any]) -> str:
    """The kind of Python's own numbers, "i" or "f". NumPy would also convert text and None to numbers."""
    for at, entry in np.ndenumerate(array):
        if not isinstance(entry, numbers.Number) or isinstance(entry, complex):
            accepted = "a number" if at else "an array or a list of numbers"
            raise TypeError(f"{name}{place_text(at)} is {reprlib.repr(entry)}: {accepted} is accepted")
    return "i" if all(isinstance(entry, numbers.Integral) for entry in array.flat) else "f"


def _of_objects(name: str, array: NDArray[Any], wanted: np.dtype[Any]) -> NDArray[Any]:
    """Python's own numbers, of any length: integers in the wanted type, floats in the widest."""
    widest = np.dtype(np.float64) if wanted.kind == "f" else wanted
    for at, entry in np.ndenumerate(array):
        kind = wanted if isinstance(entry, numbers.Integral) else widest
        if not _holds(kind, entry):
            raise _not_held(name, at, entry, kind)
    return array.astype(widest)


def _holds(wanted: np.dtype[Any], number: Any) -> bool:
    """Whether the type holds a number: an integer exactly, in any form, or a float within its range."""
    try:
        held = wanted.type(number).item()
    except OverflowError:
        return False
    if held == number or held != held:
        return True
    return not isinstance(number, numbers.Integral) and held != 0 and not np.isinf(held) and int(number) != number
