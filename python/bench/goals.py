"""How fast are two sequences beside the best other package and beside the arithmetic ceiling, all in one run?

    python python/bench/goals.py build/release/bin

prints a result file; the folder holds bench_sequence and warpfold. Both sides of a row solve the same problem in turn, and
their answers have to be equal. Ours take all threads, the peers one. Ceilings are measured before and after, and the larger
one counts. A peer that is not installed leaves out its rows. Takes some three minutes.
"""

from __future__ import annotations

import importlib
import json
import pathlib
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from rows import Row, compared, file_of, sampled
from peers import changed, drawn, module

import warpfold

PROTEIN, BYTES = "ARNDCQEGHILKMFPSTWYV", "".join(map(chr, range(256)))


class Goal(NamedTuple):
    """A problem, solved by a function of ours and by one of a peer. Both return the answer."""

    work: str
    goal: str
    peer: str
    ours: Callable[[], object]
    theirs: Callable[[], object]
    cells: float = 0  # of a table, or pairs of a batch
    ceiling: str = ""  # of `bench_sequence ceilings`
    repeats: int = 5
    checks: bool = True  # whether the answers have to be equal


def distances_of_pairs(edlib: Any, rapidfuzz: Any) -> list[Goal]:
    levenshtein, lcs = rapidfuzz.distance.Levenshtein, rapidfuzz.distance.LCSseq
    n, goals = 100_000, []
    for letters, name, planes, of_edits, of_lcs in [
        ("ACGT", "DNA", 2, "300 G/s, 0.8, 10 times", "450 G/s, 0.8, 12 times"),
        (PROTEIN, "protein", 5, "250 G/s, 0.8", "370 G/s, 0.8"),
        (BYTES, "bytes", 8, "160 G/s, 0.8", "210 G/s, 0.8"),
    ]:
        a, b = drawn(n, 1, letters), drawn(n, 2, letters)
        goals += [
            Goal(
                f"edit distance, {name}, 10^5",
                of_edits,
                "rapidfuzz",
                lambda a=a, b=b: warpfold.edit_distance(a, b).distance,
                lambda a=a, b=b: levenshtein.distance(a, b),
                n * n,
                f"edit distance, {planes} planes",
            ),
            Goal(
                f"LCS, {name}, 10^5",
                of_lcs,
                "rapidfuzz",
                lambda a=a, b=b: warpfold.lcs(a, b).length,
                lambda a=a, b=b: lcs.similarity(a, b),
                n * n,
                f"LCS, {planes} planes",
            ),
        ]
    a, b = drawn(n, 1), drawn(n, 2)
    return [
        goals[0]._replace(peer="edlib", theirs=lambda: edlib.align(a, b)["editDistance"]),
        *goals,
    ]


def scripts_of_pairs(edlib: Any, rapidfuzz: Any) -> list[Goal]:
    a, b, short_a, short_b = drawn(100_000, 1), drawn(100_000, 2), drawn(10_000, 3), drawn(10_000, 4)
    return [
        Goal(
            "script, DNA, 10^4",
            "1 ms",
            "rapidfuzz",
            lambda: warpfold.edit_distance(short_a, short_b, True).distance,
            lambda: len(rapidfuzz.distance.Levenshtein.editops(short_a, short_b)),
        ),
        Goal(
            "script, DNA, 10^5",
            "40 ms",
            "edlib",
            lambda: warpfold.edit_distance(a, b, True).distance,
            lambda: edlib.align(a, b, task="path")["editDistance"],
            repeats=3,
        ),
        Goal(
            "script, DNA, 10^5",
            "1.15 times the score",
            "our score",
            lambda: warpfold.edit_distance(a, b, True).distance,
            lambda: warpfold.edit_distance(a, b).distance,
        ),
    ]


def scripts_of_similar_pairs(edlib: Any, pywfa: Any) -> list[Goal]:
    a, goals = drawn(100_000, 1), []
    for percent, goal in [(1, "2 ms"), (5, "8 ms"), (15, "20 ms")]:
        b = changed(a, percent / 100, percent)
        of_edlib = Goal(
            f"script, DNA, 10^5, {percent} % changed",
            goal,
            "edlib",
            lambda b=b: warpfold.edit_distance(a, b, True).distance,
            lambda b=b: edlib.align(a, b, task="path")["editDistance"],
        )
        goals.append(of_edlib)
        if pywfa:
            aligner = pywfa.WavefrontAligner(distance="levenshtein", scope="score", heuristic=None)
            goals.append(
                of_edlib._replace(
                    peer="WFA2, score alone",
                    theirs=lambda b=b, aligner=aligner: abs(aligner.wavefront_align(a, b)),
                    repeats=3,
                )
            )
    long_a = drawn(1_000_000, 1)
    long_b = changed(long_a, 0.05, 5)
    goals.append(
        Goal(
            "script, DNA, 10^6, 5 % changed",
            "350 ms, 20 times",
            "edlib",
            lambda: warpfold.edit_distance(long_a, long_b, True).distance,
            lambda: edlib.align(long_a, long_b, task="path")["editDistance"],
            repeats=1,
        )
    )
    return goals


def alignments(parasail: Any) -> list[Goal]:
    n = 20_000
    a, b = drawn(n, 1, PROTEIN), drawn(n, 2, PROTEIN)

    def ours(script: bool) -> int:
        return int(warpfold.align(a, b, script, matrix="BLOSUM62", gap=(11, 1)).score)

    score = Goal(
        "affine, protein, 20,000",
        "30 G/s, 0.8",
        "parasail, 16 bits",
        lambda: ours(False),
        lambda: parasail.nw_striped_16(a, b, 12, 1, parasail.blosum62).score,
        n * n,
        "alignment, 8 bits",
    )
    script = "affine with script, protein, 20,000"
    return [
        score,
        score._replace(
            peer="parasail, 32 bits", theirs=lambda: parasail.nw_striped_32(a, b, 12, 1, parasail.blosum62).score
        ),
        Goal(
            script,
            "30 G/s",
            "parasail with CIGAR, 16 bits",
            lambda: ours(True),
            lambda: parasail.nw_trace_striped_16(a, b, 12, 1, parasail.blosum62).score,
            n * n,
            repeats=1,
        ),
        Goal(script, "1.2 times the score", "our score", lambda: ours(True), lambda: ours(False), n * n),
    ]


def files_of_lines(folder: pathlib.Path, count: int, different: int) -> list[str]:
    rng, names = random.Random(count), []
    for side in ("a", "b"):
        path = folder / f"{side}_{count}.txt"
        path.write_text("".join(f"line {rng.randrange(different)}\n" for _ in range(count)))
        names.append(str(path))
    return names


def changes_of(words: list[str]) -> int:
    """The lines that a patch removes or adds."""
    patch = subprocess.run(words, capture_output=True, text=True).stdout.splitlines()
    return sum(line[:1] in "+-" and line[:3] not in ("+++", "---") for line in patch if line)


def patches(programs: pathlib.Path, folder: pathlib.Path) -> list[Goal]:
    def patch(count: int, different: int, goal: str, peer: list[str], checks: bool, repeats: int) -> Goal:
        files = files_of_lines(folder, count, different)
        return Goal(
            f"diff, {count:,} lines of {different:,}",
            goal,
            " ".join(peer),
            lambda: changes_of([str(programs / "warpfold"), "diff", *files]),
            lambda: changes_of([*peer, *files]),
            repeats=repeats,
            checks=checks,
        )

    return [
        patch(100_000, 20_000, "100 ms", ["git", "diff", "--no-index"], False, 3),
        patch(20_000, 2_000, "20 ms", ["git", "diff", "--no-index", "--minimal"], True, 1),
        patch(20_000, 2_000, "20 ms", ["diff", "-d", "-u"], True, 1),
    ]


def batches(rapidfuzz: Any) -> list[Goal]:
    rng, count = random.Random(7), 100_000
    letters = "abcdefghij klmno"
    first, second = ([drawn(rng.randint(100, 150), side + k, letters) for k in range(count)] for side in (0, 10**6))
    first_array, second_array = np.array(first), np.array(second)
    lengths = np.array([len(a) + len(b) for a, b in zip(first, second, strict=True)])
    process = importlib.import_module("rapidfuzz.process")

    def theirs(scorer: Any) -> object:
        return process.cpdist(first, second, scorer=scorer, workers=2, dtype=np.int64)

    def common() -> object:
        return (lengths - warpfold.distances(first, second, measure="indel")) // 2

    edits = Goal(
        "100,000 pairs of 100 to 150, lists",
        "4 M/s",
        "rapidfuzz cpdist, 2 threads",
        lambda: warpfold.distances(first, second),
        lambda: theirs(rapidfuzz.distance.Levenshtein.distance),
        count,
    )
    return [
        edits,
        edits._replace(
            work="100,000 pairs of 100 to 150, arrays",
            goal="8 M/s",
            ours=lambda: warpfold.distances(first_array, second_array),
        ),
        edits._replace(
            work="LCS of 100,000 pairs of 100 to 150, lists",
            goal="15 M/s",
            ours=common,
            theirs=lambda: theirs(rapidfuzz.distance.LCSseq.similarity),
        ),
    ]


def warpings(dtaidistance: Any, tslearn: Any) -> list[Goal]:
    n, rng = 10_000, np.random.default_rng(1)
    a, b = (np.cumsum(rng.normal(size=n)) for _ in range(2))
    single_a, single_b = a.astype(np.float32), b.astype(np.float32)

    def squared(x: Any, y: Any, script: bool = False) -> float:
        return float(warpfold.dtw(x, y, script, distance="squared").distance) ** 0.5

    goals = [
        Goal(
            "time warping, f64, 10^4",
            "8 G/s",
            "dtaidistance",
            lambda: squared(a, b),
            lambda: float(dtaidistance.dtw.distance_fast(a, b)),
            n * n,
            "time warping, f64",
            3,
        ),
        Goal(
            "time warping, f32, 10^4",
            "16 G/s",
            "our f64",
            lambda: squared(single_a, single_b),
            lambda: squared(a, b),
            n * n,
            "time warping, f32",
            checks=False,
        ),
    ]
    for name, x, y in [("f64", a, b), ("f32", single_a, single_b)]:
        goals.append(
            Goal(
                f"path of time warping, {name}, 10^4",
                "1.2 times the distance",
                "our distance",
                lambda x=x, y=y: squared(x, y, True),
                lambda x=x, y=y: squared(x, y),
                n * n,
            )
        )
    if tslearn:
        metrics = importlib.import_module("tslearn.metrics")
        goals.append(goals[0]._replace(peer="tslearn", theirs=lambda: float(metrics.dtw(a, b)), repeats=1))
    return goals


def short_pair(rapidfuzz: Any) -> list[Goal]:
    one, other = drawn(64, 5, "abcdefghij"), drawn(64, 6, "abcdefghij")
    return [
        Goal(
            "one pair of 64 characters, Python",
            "0.45 µs, 1 times",
            "rapidfuzz",
            lambda: warpfold.edit_distance(one, other).distance,
            lambda: rapidfuzz.distance.Levenshtein.distance(one, other),
            repeats=21,
        )
    ]


def answers_of(programs: pathlib.Path, question: str) -> list[Row]:
    text = subprocess.run([programs / "bench_sequence", question, "--json"], capture_output=True, text=True, check=True)
    return list(json.loads(text.stdout)["rows"])


def ceilings_of(programs: pathlib.Path) -> dict[str, float]:
    """Those of all threads."""
    rows = answers_of(programs, "ceilings")
    threads = max(row["threads"] for row in rows)
    return {row["work"]: row["ceiling_per_second"] for row in rows if row["threads"] == threads}


UNITS = {"M/s": 1e6, "G/s": 1e9, "ms": 1e-3, "µs": 1e-6}


def share_of(part: str, row: Row) -> float:
    """What was reached of a part of a goal: 1 or more where it is met. A number alone is a fraction of the ceiling."""
    number, _, unit = part.partition(" ")
    wanted = float(number) * UNITS.get(unit, 1)
    if unit in ("M/s", "G/s"):
        return float(row["rate_per_second"]) / wanted
    if unit in ("ms", "µs"):
        return wanted / float(row["median_seconds"])
    if unit.startswith("times the"):
        return wanted * float(row["times_as_fast"])
    return float(row["times_as_fast" if unit == "times" else "fraction_of_ceiling"]) / wanted


def missed(goal: str, row: Row) -> str:
    """The parts of a goal that are missed, and by how much."""
    shares = {part: share_of(part, row) for part in goal.split(", ")}
    return ", ".join(f"{part} by {100 - 100 * share:.0f} %" for part, share in shares.items() if share < 0.995) or "met"


def row_of(goal: Goal) -> Row:
    ours, theirs = goal.ours(), goal.theirs()
    if goal.checks and not np.allclose(ours, theirs, rtol=1e-9, atol=0):
        raise SystemExit(f"{goal.work}: ours is {str(ours)[:40]}, {goal.peer} has {str(theirs)[:40]}")
    calls = 2000 if "64 characters" in goal.work else 1
    row = compared(
        goal.work, goal.peer, goal.repeats, lambda: sampled(calls, goal.ours), lambda: sampled(calls, goal.theirs)
    )
    row = {"goal": goal.goal, **row}
    if goal.cells:
        row["rate_per_second"] = goal.cells / row["median_seconds"]
    print(f"{goal.work}, beside {goal.peer}: {row['median_seconds']:.3g} s, {row['times_as_fast']:.3g}", file=sys.stderr)
    return row


def rows_of_short_pairs(programs: pathlib.Path) -> list[Row]:
    rows = answers_of(programs, "short_pairs")
    bare = rows[0]["seconds"]
    return [
        {
            "goal": goal,
            "work": f"one pair of 64 symbols, C++, {row['work']}",
            "beside": "the bare loop",
            "median_seconds": row["seconds"],
            "spread": row["spread"],
            "beside_seconds": bare,
            "times_as_fast": bare / row["seconds"],
        }
        for row, goal in zip(rows[1:], ("1.1 times the bare loop", "1.5 times the bare loop"), strict=True)
    ]


def goals_of(programs: pathlib.Path, folder: pathlib.Path) -> list[Goal]:
    edlib, rapidfuzz, parasail, dtaidistance = map(module, ("edlib", "rapidfuzz", "parasail", "dtaidistance"))
    if rapidfuzz:
        importlib.import_module("rapidfuzz.distance")
    if dtaidistance:
        importlib.import_module("dtaidistance.dtw")
    goals = []
    if edlib and rapidfuzz:
        goals += distances_of_pairs(edlib, rapidfuzz) + scripts_of_pairs(edlib, rapidfuzz)
    if edlib:
        goals += scripts_of_similar_pairs(edlib, module("pywfa"))
    if parasail:
        goals += alignments(parasail)
    goals += patches(programs, folder)
    if rapidfuzz:
        goals += batches(rapidfuzz) + short_pair(rapidfuzz)
    if dtaidistance:
        goals += warpings(dtaidistance, module("tslearn"))
    return goals


def main(programs: pathlib.Path) -> None:
    before = ceilings_of(programs)
    with tempfile.TemporaryDirectory() as folder:
        goals = goals_of(programs, pathlib.Path(folder))
        rows = [row_of(goal) for goal in goals]
    after = ceilings_of(programs)
    for row, goal in zip(rows, goals, strict=True):
        if goal.ceiling:
            row["ceiling_per_second"] = max(before[goal.ceiling], after[goal.ceiling])
            row["fraction_of_ceiling"] = row["rate_per_second"] / row["ceiling_per_second"]
    rows += rows_of_short_pairs(programs)
    for row in rows:
        row["missed"] = missed(row["goal"], row)
    print(json.dumps(file_of(f"python {' '.join(sys.argv)}", rows), indent=2))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
