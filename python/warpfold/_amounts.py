"""Amounts of knapsacks, subset sums and coins: fractions become integers in a unit of their own, without rounding."""

from __future__ import annotations

import math
import numbers
import reprlib
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

_MOST = 2**63 - 1
_DIGITS = 100  # enough for 64 bits divided by 64 bits, where the denominator has the factors 2 and 5 alone
_KINDS = (float, Decimal, Fraction)  # of results, the later one where kinds are mixed


@dataclass(frozen=True)
class Unit:
    """One divided by the denominator. `kind` is the type of the numbers that the caller gave, and of the results."""

    denominator: int
    kind: type

    def __str__(self) -> str:
        return "1" if self.denominator == 1 else f"1/{_short(self.denominator)}"

    def numbers(self, name: str, value: Any) -> Any:
        """The numbers of a list in this unit. Returns any other value as it is."""
        return [self.number(f"{name}[{at}]", entry) for at, entry in enumerate(value)] if _is_list(value) else value

    def number(self, name: str, value: Any) -> Any:
        """A number in this unit. Returns a list as it is."""
        return value if _is_list(value) else self._of(name, value)

    def amount(self, units: int) -> Any:
        """A number of units as the caller writes it. A float is rounded once."""
        if self.kind is float:
            return units / self.denominator
        if self.kind is Decimal:
            return Context(prec=_DIGITS).divide(Decimal(units), Decimal(self.denominator))
        return Fraction(units, self.denominator)

    def _of(self, name: str, entry: Any) -> int:
        if isinstance(entry, numbers.Integral):
            exact = Fraction(int(entry))
        elif _kind_of(entry) is None:
            raise TypeError(f"{name} is {reprlib.repr(entry)}: a number is accepted")
        elif not _is_finite(entry):
            raise ValueError(f"{name} is {entry}: a finite number is accepted")
        else:
            exact = _exact(entry)
        number = exact * self.denominator
        if number.denominator != 1:
            raise ValueError(f"{name} is {entry}: a multiple of {self} is accepted")
        if abs(number) > _MOST:
            unit = "" if self.denominator == 1 else f" times {self}, the unit of these numbers,"
            raise OverflowError(f"{name} is {entry}: at most 2^63 - 1{unit} is accepted")
        return int(number)


def unit_of(*values: Any) -> Unit | None:
    """The largest unit of which all numbers and lists of numbers are multiples; None if they have integers alone."""
    kinds, denominator = set(), 1
    for entry in _fractions(values):
        kinds.add(_kind_of(entry))
        if _is_finite(entry):
            denominator = math.lcm(denominator, _exact(entry).denominator)
    return Unit(denominator, max((kind for kind in kinds if kind), key=_KINDS.index)) if kinds else None


def converted_units(units: int, unit: Unit | None, wanted: Unit | None) -> int | None:
    """A number of units in another unit; None if it is no multiple of it."""
    number = Fraction(units * (wanted.denominator if wanted else 1), unit.denominator if unit else 1)
    return int(number) if number.denominator == 1 and abs(number) <= _MOST else None


def _fractions(values: tuple[Any, ...]) -> Iterator[Any]:
    for value in values:
        if not _is_list(value):
            yield from [value] if _kind_of(value) else []
        elif set(map(type, value)) - {int}:
            yield from (entry for entry in value if _kind_of(entry))


def _is_list(value: Any) -> bool:
    """Whether a value is a list of numbers that may be fractions."""
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and value.dtype.kind in "fO" and not np.ma.isMaskedArray(value)
    return isinstance(value, (list, tuple))


def _kind_of(entry: Any) -> type | None:
    """The kind of a number that may be a fraction, else None."""
    if isinstance(entry, numbers.Integral):
        return None
    if isinstance(entry, (float, np.floating)):
        return float
    return next((kind for kind in (Decimal, Fraction) if isinstance(entry, kind)), None)


def _is_finite(entry: Any) -> bool:
    return entry.is_finite() if isinstance(entry, Decimal) else math.isfinite(entry)


def _exact(entry: Any) -> Fraction:
    """A float is the decimal number that it prints: 0.1 is 1/10."""
    return Fraction(str(entry) if isinstance(entry, (float, np.floating)) else entry)


def _short(number: int) -> str:
    return str(number) if number <= _MOST else f"{Decimal(number):.2e}"
