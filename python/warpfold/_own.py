"""Interval recurrences and grammars that the user writes as structs in C++."""

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
    """A recurrence over the intervals of `points` points, written as a struct in C++.

        value(i,i)   = one                      value(i,i+1) = leaf(i)
        value(i,j)   = close(i, j, best[, value(i+1,j-1)]),   best = plus over i<k<j of times(value(i,k), value(k,j))
                                                                     [and split(i,k,j)]

    * source: the text of the struct (docs/guides/your-own-recurrence.md), preceded by all that it needs. The headers
      warpfold/interval/recurrence.hpp, <cmath> and <algorithm> are included.
    * struct: its name, if it is not the last struct of the text.
    * members: values for the struct's members. They are numbers, text (std::string_view), lists (std::span<const T>) and
      matrices (warpfold::MatrixView<const T>) of int32, int64, float32, float64 or uint8. A member that is left out keeps
      the value that the struct gives it: an empty list is not checked when the struct reads it.

    Values have one of these types or uint64. The compiler is CXX, g++ or clang++. Compilation takes some seconds once; the
    library stays in the cache folder (XDG_CACHE_HOME, ~/.cache).

    Raises ValueError with the compiler's message if the text does not compile, and if there is no compiler.
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
    """Checks that every value of compiled_recurrence(source, points, ..) follows from those inside its interval. Fractions
    are checked up to rounding."""
    given = dict(members or {})
    return _core.verify_compiled_recurrence(_functions(source, struct, given).verify, points, table, given, **options)


def compiled_grammar(
    source: str,
    points: int,
    *,
    members: Mapping[str, Any] | None = None,
    struct: str | None = None,
    **options: Unpack[Options],
) -> _core.GrammarTables:
    """A grammar over the intervals of `points` points, a recurrence of several tables, written as a struct in C++.

        T(t,i,j) = plus over the terms of table t,   0 <= i < j < points

    * source: the text of the struct (docs/guides/grammars.md), preceded by all that it needs. The headers
      warpfold/interval/grammar.hpp, <cmath> and <algorithm> are included.
    * struct, members: as in compiled_recurrence. The arrays of the members must not change while the result is used.

    The result has the values, and what the semiring has: the derivation, the best derivations, samples, marginals, and
    derivatives by the members.
    Compilation takes some ten seconds once; the library stays in the cache folder.

    Raises ValueError with the compiler's message if the text does not compile, and if there is no compiler.
    """
    from . import _compile  # used here only

    given = dict(members or {})
    _check(source, given)
    return _core.compiled_grammar(_compile.grammar(source, struct, tuple(given)), points, given, **options)


def log_partition(
    source: str,
    points: int,
    *,
    members: Mapping[str, Any] | None = None,
    struct: str | None = None,
    **options: Unpack[Options],
) -> Any:
    """The logarithm of the sum over all derivations of a grammar, ln Z, which torch and JAX differentiate.

    * source, points, struct: as in compiled_grammar. The semiring is ScaledSum<double>.
    * members: as in compiled_grammar. ln Z has derivatives by tensors of torch that require a gradient, and by arrays of
      JAX, where the grammar uses their numbers as a Weight. Their members in the struct have the type double,
      std::span<const double> or MatrixView<const double>.

    A float; a tensor of float64 if torch differentiates; a scalar of JAX if a member is an array of JAX. One outside pass
    gives all derivatives, in the memory of the tables. They have no derivatives of their own.
    """
    from . import _kinds

    given = dict(members or {})

    def solve(values: Mapping[str, Any]) -> _core.GrammarTables:
        tables = compiled_grammar(source, points, members={**given, **values}, struct=struct, **options)
        if not isinstance(tables.cost, float):
            raise ValueError("ln Z needs another semiring: sums by ScaledSum<double> are accepted")
        return tables

    limits = {name: value for name, value in options.items() if name in ("threads", "time_limit", "max_memory")}
    if any(_kinds.wants_gradient(value) for value in given.values()):
        from . import _gradients

        return _gradients.log_partition(solve, given, limits)
    if any(_kinds.is_of_jax(value) for value in given.values()):
        from . import _jax

        return _jax.log_partition(solve, given, limits)
    return solve({}).cost


def _functions(source: str, struct: str | None, members: Mapping[str, Any]) -> _compile.Functions:
    from . import _compile  # used here only

    _check(source, members)
    return _compile.functions(source, struct, tuple(members))


def _check(source: str, members: Mapping[str, Any]) -> None:
    if not isinstance(source, str):
        raise TypeError(f"source is {source!r}: a struct in C++, as text, is accepted")
    for name in members:
        if not isinstance(name, str):
            raise TypeError(f"members has {name!r}: names, as text, are accepted")
