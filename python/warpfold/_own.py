"""Interval recurrences of one's own that are structs in C++."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from . import _core

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import _compile
    from ._options import Options


def compiled_recurrence(
    source: str,
    points: int,
    *,
    members: Mapping[str, Any] | None = None,
    struct: str | None = None,
    **options: Unpack[Options],
) -> _core.IntervalTable:
    """A recurrence of your own over the intervals of so many points, as a struct in C++.

        value(i,i)   = one                      value(i,i+1) = leaf(i)
        value(i,j)   = close(i, j, best[, value(i+1,j-1)]),   best = plus over i<k<j of times(value(i,k), value(k,j))
                                                                     [and split(i,k,j)]

    source is the struct as docs/guides/your-own-recurrence.md describes it, with what it needs before it; the headers of
    warpfold/interval/recurrence.hpp, <cmath> and <algorithm> are included. struct names it where it is not the last one.
    members are put into the struct's members: numbers, text (std::string_view), lists (std::span<const T>) and matrices
    (warpfold::MatrixView<const T>) of int32, int64, float32, float64 or uint8. One that is left out is as the struct
    makes it: a list without entries, which nothing keeps the struct from reading beyond. Values are of one of these types or uint64.

    It is compiled by CXX, g++ or clang++, some seconds once: the library stays in the cache folder (XDG_CACHE_HOME,
    ~/.cache). ValueError has the compiler's message where it does not compile, and says where there is no compiler.
    """
    given = dict(members or {})
    return _core.compiled_recurrence(_functions(source, struct, given).solve, points, given, **options)


def verify_compiled_recurrence(
    source: str,
    points: int,
    table: _core.IntervalTable,
    *,
    members: Mapping[str, Any] | None = None,
    struct: str | None = None,
    **options: Unpack[Options],
) -> _core.Verdict:
    """Whether every value of compiled_recurrence(source, points, ..) follows from those inside its interval, fractions up to
    rounding."""
    given = dict(members or {})
    return _core.verify_compiled_recurrence(_functions(source, struct, given).verify, points, table, given, **options)


def _functions(source: str, struct: str | None, members: Mapping[str, Any]) -> _compile.Functions:
    from . import _compile  # which nothing else needs

    if not isinstance(source, str):
        raise TypeError(f"source is {source!r}: a struct in C++, as text, is accepted")
    for name in members:
        if not isinstance(name, str):
            raise TypeError(f"members has {name!r}: names, as text, are accepted")
    return _compile.functions(source, struct, tuple(members))
