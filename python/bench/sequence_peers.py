"""How fast are calls for two sequences beside those of other packages, in the same run?

    python python/bench/sequence_peers.py

prints a result file. Peers that are not installed are left out: edlib, rapidfuzz, parasail, dtaidistance. Both
sides solve the same problem in turn, and their answers have to be equal. Peers take one thread for a pair; `threads` of the
rows is ours.
"""

from __future__ import annotations

import importlib
import json
import math
import random
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from calls import Row, compared, file_of, sampled

import warpfold


class Case(NamedTuple):
    """A problem, solved by a function of ours and by one of a peer. Both return the answer."""

    work: str
    peer: str
    ours: Callable[[int], object]
    theirs: Callable[[], object]
    repeats: int = 5


def drawn(length: int, seed: int, letters: str = "ACGT") -> str:
    return "".join(random.Random(seed).choices(letters, k=length))


def changed(text: str, rate: float, seed: int) -> str:
    """A copy with so many substitutions, deletions and insertions."""
    rng, letters = random.Random(seed), []
    for letter in text:
        kind = rng.randrange(3) if rng.random() < rate else None
        if kind != 1:
            letters.append(rng.choice("ACGT") if kind == 0 else letter)
        if kind == 2:
            letters.append(rng.choice("ACGT"))
    return "".join(letters)


def module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def edlib_cases(edlib: Any) -> list[Case]:
    a, b, short_a, short_b = drawn(100_000, 1), drawn(100_000, 2), drawn(10_000, 3), drawn(10_000, 4)
    cases = [
        Case(
            "edit distance, DNA, 10^5",
            "edlib",
            lambda t: warpfold.edit_distance(a, b, threads=t).distance,
            lambda: edlib.align(a, b)["editDistance"],
            3,
        ),
        Case(
            "edit distance with script, DNA, 10^4",
            "edlib",
            lambda t: warpfold.edit_distance(short_a, short_b, True, threads=t).distance,
            lambda: edlib.align(short_a, short_b, task="path")["editDistance"],
        ),
    ]
    for percent in (1, 5, 15):
        similar = changed(a, percent / 100, percent)
        cases.append(
            Case(
                f"edit distance with script, DNA, 10^5, {percent} % changed",
                "edlib",
                lambda t, b=similar: warpfold.edit_distance(a, b, True, threads=t).distance,
                lambda b=similar: edlib.align(a, b, task="path")["editDistance"],
            )
        )
    return cases


def rapidfuzz_cases(rapidfuzz: Any) -> list[Case]:
    distance = rapidfuzz.distance
    a, b, short_a, short_b = drawn(100_000, 1), drawn(100_000, 2), drawn(10_000, 3), drawn(10_000, 4)
    one, other = drawn(64, 5, "abcdefghij"), drawn(64, 6, "abcdefghij")
    rng = random.Random(7)
    letters = "abcdefghij klmno"
    first, second = ([drawn(rng.randint(100, 150), side + k, letters) for k in range(20_000)] for side in (0, 10**6))
    return [
        Case(
            "edit distance, DNA, 10^5",
            "rapidfuzz",
            lambda t: warpfold.edit_distance(a, b, threads=t).distance,
            lambda: distance.Levenshtein.distance(a, b),
            3,
        ),
        Case(
            "LCS, DNA, 10^5",
            "rapidfuzz",
            lambda t: warpfold.lcs(a, b, threads=t).length,
            lambda: distance.LCSseq.similarity(a, b),
            3,
        ),
        Case(
            "edit distance with script, DNA, 10^4",
            "rapidfuzz",
            lambda t: warpfold.edit_distance(short_a, short_b, True, threads=t).distance,
            lambda: len(distance.Levenshtein.editops(short_a, short_b)),
        ),
        Case(
            "edit distance, 64 characters",
            "rapidfuzz",
            lambda _: warpfold.edit_distance(one, other).distance,
            lambda: distance.Levenshtein.distance(one, other),
            21,
        ),
        Case(
            "20,000 pairs of 100 to 150 characters",
            "rapidfuzz",
            lambda t: warpfold.distances(first, second, threads=t).tolist(),
            lambda: [distance.Levenshtein.distance(x, y) for x, y in zip(first, second, strict=True)],
        ),
    ]


def parasail_cases(parasail: Any) -> list[Case]:
    a, b = (drawn(5000, seed, "ARNDCQEGHILKMFPSTWYV") for seed in (1, 2))
    return [
        Case(
            "affine global, protein, 5,000",
            "parasail 32 bits",
            lambda t: warpfold.align(a, b, matrix="BLOSUM62", gap=(11, 1), threads=t).score,
            lambda: parasail.nw_striped_32(a, b, 12, 1, parasail.blosum62).score,
        )
    ]


def dtaidistance_cases(dtaidistance: Any) -> list[Case]:
    rng = np.random.default_rng(1)
    a, b = (np.cumsum(rng.normal(size=10_000)) for _ in range(2))
    return [
        Case(
            "time warping, f64, 10^4",
            "dtaidistance",
            lambda t: math.sqrt(warpfold.dtw(a, b, distance="squared", threads=t).distance),
            lambda: dtaidistance.dtw.distance_fast(a, b),
        )
    ]


def rows_of(case: Case, threads: int) -> Row:
    ours, theirs = case.ours(threads), case.theirs()
    is_float = isinstance(ours, float) and isinstance(theirs, float)
    if not (math.isclose(ours, theirs, rel_tol=1e-12) if is_float else ours == theirs):
        raise SystemExit(f"{case.work}: ours is {str(ours)[:40]}, {case.peer} has {str(theirs)[:40]}")
    calls = 2000 if "64 characters" in case.work else 1
    row = compared(
        case.work,
        case.peer,
        case.repeats,
        lambda: sampled(calls, lambda: case.ours(threads)),
        lambda: sampled(calls, case.theirs),
    )
    return {**row, "threads": threads}


PEERS = {
    "edlib": edlib_cases,
    "rapidfuzz": rapidfuzz_cases,
    "parasail": parasail_cases,
    "dtaidistance": dtaidistance_cases,
}


def main() -> None:
    rows = []
    for name, cases in PEERS.items():
        peer = module(name)
        if peer is None:
            print(f"{name} is not installed", file=sys.stderr)
            continue
        if name in ("rapidfuzz", "dtaidistance"):
            importlib.import_module(f"{name}.{'distance' if name == 'rapidfuzz' else 'dtw'}")
        version = getattr(peer, "__version__", "")
        for case in cases(peer):
            rows += [{**rows_of(case, threads), "version": str(version)} for threads in (1, 0)]
    if not rows:
        raise SystemExit("no peer is installed")
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    main()
