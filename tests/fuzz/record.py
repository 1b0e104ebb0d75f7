#!/usr/bin/env python3
"""Runs built harnesses on many processors at once, and writes down how many inputs they took and what they found.

    tests/fuzz/record.py build/release/bin SECONDS results/MACHINE [--readers build/fuzz/bin]

The folders hold the solvers' harnesses, for which driver.cpp draws problems, and the readers', which are libFuzzer's. Each
of the solvers' runs once, and the readers' take the other processors, each at least one; every process has a seed of its own.
Into results/MACHINE go solver_fuzzing.json and reader_fuzzing.json; `refused` are the inputs of which no problem was stated, as
only driver.cpp counts them. What a process found stays in a folder below `found` here, with its log; then this ends with 1.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from results import result  # noqa: E402

CORPUS = ROOT / "tests/fuzz/corpus"
FOUND = pathlib.Path("found").resolve()
# Most inputs end in an exception, and so most of the time would go into keeping track of where its memory came from.
FAST = {"ASAN_OPTIONS": "malloc_context_size=0:detect_stack_use_after_return=0:quarantine_size_mb=8"}


class Process:
    """A harness that runs."""

    def __init__(self, harness, seed, words):
        self.name = harness.name.removeprefix("fuzz_")
        self.folder = FOUND / f"{self.name}-{seed}"
        (self.folder / "units").mkdir(parents=True)
        self.start = time.monotonic()
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.handle = subprocess.Popen([harness, f"-seed={seed}", *words], cwd=self.folder, env={**FAST, **os.environ},
                                           stdout=log, stderr=log)

    def end(self):
        """Waits for it: how many inputs it took, how many stated no problem, seconds, and whether it found something."""
        code = self.handle.wait()
        seconds = time.monotonic() - self.start
        log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")
        inputs = re.search(r"Done (\d+) runs", log)
        refused = re.search(r"(\d+) refused", log)
        found = code != 0 or not inputs  # one that ran nothing shows nothing
        if not found:
            shutil.rmtree(self.folder)
        return int(inputs[1]) if inputs else 0, int(refused[1]) if refused else 0, seconds, found


def start(harnesses, processes, seed, words):
    """So many processes, a harness after the other and round again."""
    turns = itertools.islice(itertools.cycle(harnesses), max(processes, len(harnesses)))
    return [Process(harness, seed + turn, words(harness)) for turn, harness in enumerate(turns)]


def rows_of(processes, kind, seed):
    """A row a harness, and one of all."""
    rows = []
    for name, group in itertools.groupby(sorted(processes, key=lambda one: one.name), key=lambda one: one.name):
        ended = [one.end() for one in group]
        inputs, refused, seconds, found = (sum(column) for column in zip(*ended))
        rows.append({kind: name, "inputs": inputs, "refused": refused, "processes": len(ended), "run_seconds": round(seconds),
                     "first_seed": seed, "found": found})
    total = {key: sum(row[key] for row in rows) for key in ("inputs", "refused", "processes", "run_seconds", "found")}
    return rows + [{kind: "all", **total, "first_seed": seed}]


def write(name, asked, rows):
    results = asked.results
    record = result(results.name, shlex.join(["tests/fuzz/record.py", *sys.argv[1:]]), rows)
    results.mkdir(parents=True, exist_ok=True)
    (results / name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    print(f"{name}: {rows[-1]['inputs']} inputs, {rows[-1]['found']} findings")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solvers", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--readers", type=pathlib.Path, help="the folder of the readers' harnesses (default: without them)")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="at once (default: one a processor)")
    parser.add_argument("--seed", type=int, default=1, help="the first process's, each other's is one more (default 1)")
    asked = parser.parse_args()
    limit = f"-max_total_time={asked.seconds}"
    corpora = sorted(CORPUS.iterdir())
    names = {f"fuzz_{corpus.name}" for corpus in corpora}
    solvers = sorted(one for one in asked.solvers.resolve().glob("fuzz_*") if one.name not in names)
    drawn = start(solvers, len(solvers), asked.seed, lambda harness: [limit])
    read = []
    if asked.readers:
        read = start([asked.readers.resolve() / name for name in sorted(names)], asked.processes - len(drawn), asked.seed,
                     lambda harness: [limit, "-max_len=512", "-rss_limit_mb=4096", "-timeout=10", "units",
                                      CORPUS / harness.name.removeprefix("fuzz_")])
    found = 0
    for name, kind, processes in (("solver_fuzzing.json", "problem", drawn), ("reader_fuzzing.json", "reader", read)):
        if processes:
            rows = rows_of(processes, kind, asked.seed)
            write(name, asked, rows)
            found += rows[-1]["found"]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
