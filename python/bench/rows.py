"""The parts of result files that programs written in Python make: times of calls, and where and when they were taken."""

from __future__ import annotations

import datetime
import itertools
import os
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

Row = dict[str, Any]


class Sample(NamedTuple):
    """Of one call."""

    wall: float
    processor: float


def sampled(calls: int, call: Callable[[], object]) -> Sample:
    """`calls` of them are timed together."""
    processor, start = time.process_time(), time.perf_counter()
    for _ in itertools.repeat(None, calls):
        call()
    wall = time.perf_counter() - start
    return Sample(wall / calls, (time.process_time() - processor) / calls)


def figures(seconds: list[float]) -> Row:
    median = statistics.median(seconds)
    spread = (max(seconds) - min(seconds)) / median
    return {"median_seconds": median, "spread": round(spread, 2), "repeats": len(seconds)}


def compared(work: str, beside: str, repeats: int, ours: Callable[[], Sample], theirs: Callable[[], Sample]) -> Row:
    """The medians of so many pairs, after one to warm up; spread is that of our times. What is added is the difference of
    both sides' least times of the processor; ratios and how many times as fast we are are medians of the pairs' own."""
    pairs = [(ours(), theirs()) for _ in range(repeats + 1)][1:]
    least = [min(side[at].processor for side in pairs) for at in (0, 1)]
    return {
        "work": work,
        "beside": beside,
        "language": "C++" if beside == "C++" else "Python",
        **figures([our.wall for our, _ in pairs]),
        "beside_seconds": statistics.median(their.wall for _, their in pairs),
        "times_as_fast": statistics.median(their.wall / our.wall for our, their in pairs),
        "added_processor_seconds": least[0] - least[1],
        "processor_ratio": statistics.median(our.processor / their.processor for our, their in pairs),
    }


def file_of(command: str, rows: list[Row]) -> dict[str, Any]:
    """As every result file says where and when it was made."""
    return {
        "machine": os.environ.get("WARPFOLD_MACHINE", "unknown"),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "commit": os.environ.get("WARPFOLD_COMMIT", "unknown"),
        "command": command,
        "rows": rows,
    }
