"""How fast are calls for two sequences and for RNA beside those of other packages, in the same run?

    python python/bench/peers.py [PEER..]

prints a result file. Peers that are not installed are left out: edlib, rapidfuzz, stringzillas, parasail, dtaidistance and
ViennaRNA (RNA). Both sides solve the same problem in turn, and their answers have to be equal. Peers take one thread for a
pair and for a folding; `threads` of the rows is ours, 0 for all. stringzillas takes the same number for its batches.
"""

from __future__ import annotations

import importlib
import json
import math
import random
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rows import Row, compared, file_of, sampled

import warpfold


class Case(NamedTuple):
    """A problem, solved by a function of ours and by one of a peer. Both return the answer."""

    work: str
    peer: str
    ours: Callable[[int], object]
    theirs: Callable[[int], object]
    repeats: int = 5
    relative_error: float = 1e-12


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
            lambda _: edlib.align(a, b)["editDistance"],
            3,
        ),
        Case(
            "edit distance with script, DNA, 10^4",
            "edlib",
            lambda t: warpfold.edit_distance(short_a, short_b, True, threads=t).distance,
            lambda _: edlib.align(short_a, short_b, task="path")["editDistance"],
        ),
    ]
    for percent in (1, 5, 15):
        similar = changed(a, percent / 100, percent)
        cases.append(
            Case(
                f"edit distance with script, DNA, 10^5, {percent} % changed",
                "edlib",
                lambda t, b=similar: warpfold.edit_distance(a, b, True, threads=t).distance,
                lambda _, b=similar: edlib.align(a, b, task="path")["editDistance"],
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
            lambda _: distance.Levenshtein.distance(a, b),
            3,
        ),
        Case(
            "LCS, DNA, 10^5",
            "rapidfuzz",
            lambda t: warpfold.lcs(a, b, threads=t).length,
            lambda _: distance.LCSseq.similarity(a, b),
            3,
        ),
        Case(
            "edit distance with script, DNA, 10^4",
            "rapidfuzz",
            lambda t: warpfold.edit_distance(short_a, short_b, True, threads=t).distance,
            lambda _: len(distance.Levenshtein.editops(short_a, short_b)),
        ),
        Case(
            "edit distance, 64 characters",
            "rapidfuzz",
            lambda _: warpfold.edit_distance(one, other).distance,
            lambda _: distance.Levenshtein.distance(one, other),
            21,
        ),
        Case(
            "20,000 pairs of 100 to 150 characters",
            "rapidfuzz",
            lambda t: warpfold.distances(first, second, threads=t).tolist(),
            lambda _: [distance.Levenshtein.distance(x, y) for x, y in zip(first, second, strict=True)],
        ),
    ]


def stringzillas_cases(stringzillas: Any) -> list[Case]:
    """It compares each of one list with each of another."""
    strings = importlib.import_module("stringzilla").Strs
    capabilities = stringzillas.__capabilities__

    def case(count: int, length: int) -> Case:
        first, second = ([drawn(length, side + k) for k in range(count)] for side in (0, 10**6))
        paired = [(a, b) for a in first for b in second]
        ours_first, ours_second = [a for a, _ in paired], [b for _, b in paired]
        theirs_first, theirs_second = strings(first), strings(second)

        def theirs(threads: int) -> object:
            scope = stringzillas.DeviceScope(cpu_cores=threads)
            engine = stringzillas.LevenshteinDistances(capabilities=scope)
            return engine(theirs_first, theirs_second, device=scope).ravel().tolist()

        return Case(
            f"edit distance, {count * count} pairs of DNA, {length}",
            f"stringzillas ({', '.join(capabilities)})",
            lambda t: warpfold.distances(ours_first, ours_second, threads=t).tolist(),
            theirs,
        )

    return [case(300, 100), case(100, 1000), case(10, 10_000)]


def parasail_cases(parasail: Any) -> list[Case]:
    a, b = (drawn(5000, seed, "ARNDCQEGHILKMFPSTWYV") for seed in (1, 2))
    return [
        Case(
            "affine global, protein, 5,000",
            "parasail 32 bits",
            lambda t: warpfold.align(a, b, matrix="BLOSUM62", gap=(11, 1), threads=t).score,
            lambda _: parasail.nw_striped_32(a, b, 12, 1, parasail.blosum62).score,
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
            lambda _: dtaidistance.dtw.distance_fast(a, b),
        )
    ]


def vienna_cases(vienna: Any) -> list[Case]:
    """The energies of 2004, d2 dangles, and sums that are not smoothed."""
    folder = tempfile.mkdtemp()
    parameters = f"{folder}/vienna.par"
    vienna.params_save(parameters)
    model = vienna.md()
    model.pf_smooth = 0

    def energy(sequence: str) -> float:
        return float(round(vienna.fold_compound(sequence, model).mfe()[1], 2))

    def probabilities(sequence: str) -> float:
        compound = vienna.fold_compound(sequence, model)
        compound.exp_params_rescale(compound.mfe()[1])
        result = float(compound.pf()[1])
        compound.bpp()
        return result

    cases = []
    for length, repeats in [(500, 5), (1000, 3), (2000, 1)]:
        rna = drawn(length, 1, "ACGU")
        cases.append(
            Case(
                f"least energy and structure, {length} bases",
                "ViennaRNA",
                lambda t, rna=rna: round(warpfold.fold(rna, parameters=parameters, threads=t).energy, 2),
                lambda _, rna=rna: energy(rna),
                repeats,
                1e-6,
            )
        )
        cases.append(
            Case(
                f"energy of the ensemble and pair probabilities, {length} bases",
                "ViennaRNA",
                lambda t, rna=rna: warpfold.pair_probabilities(rna, parameters=parameters, threads=t).energy,
                lambda _, rna=rna: probabilities(rna),
                repeats,
                1e-6,
            )
        )
    return cases


def rows_of(case: Case, threads: int) -> Row:
    ours, theirs = case.ours(threads), case.theirs(threads)
    is_float = isinstance(ours, float) and isinstance(theirs, float)
    if not (math.isclose(ours, theirs, rel_tol=case.relative_error) if is_float else ours == theirs):
        raise SystemExit(f"{case.work}: ours is {str(ours)[:40]}, {case.peer} has {str(theirs)[:40]}")
    calls = 2000 if "64 characters" in case.work else 1
    row = compared(
        case.work,
        case.peer,
        case.repeats,
        lambda: sampled(calls, lambda: case.ours(threads)),
        lambda: sampled(calls, lambda: case.theirs(threads)),
    )
    return {**row, "threads": threads}


PEERS = {
    "edlib": edlib_cases,
    "rapidfuzz": rapidfuzz_cases,
    "stringzillas": stringzillas_cases,
    "parasail": parasail_cases,
    "dtaidistance": dtaidistance_cases,
    "RNA": vienna_cases,
}


def main() -> None:
    rows = []
    for name, cases in PEERS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
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
