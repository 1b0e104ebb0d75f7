#!/usr/bin/env python3
"""Runs built harnesses on many processors at once, and writes down how many inputs they took and what they found.

    tests/fuzz/record.py build/release/bin SECONDS results/MACHINE [--readers build/fuzz/bin]
    tests/fuzz/record.py build/cuda/bin SECONDS results/MACHINE --cuda --each 2

The folders hold the solvers' harnesses, for which driver.cpp draws problems, and the readers', which are libFuzzer's. Each
of the solvers' runs once, or as often as --each says, and the readers' take the other processors, each at least one; every
process has a seed of its own. Into results/MACHINE go solver_fuzzing.json, or cuda_fuzzing.json of problems that were held
against GPUs, and reader_fuzzing.json; `refused` are the inputs of which no problem was stated, `on_gpu` those whose problem a
GPU solved, and `large` those of them with a size of 1,000 and more, as only driver.cpp counts them. With two GPUs every
second process calls the second one first. What a process found stays in a folder below `found` here, with its log; then
this ends with 1. --cuda adds to a record of the same commit, so that several runs count together.
"""

import argparse
import itertools
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from results import commit, result  # noqa: E402

CORPUS = ROOT / "tests/fuzz/corpus"
FOUND = pathlib.Path("found").resolve()
# Most inputs end in an exception. Recording where memory was allocated would take most of the time.
FAST = {"ASAN_OPTIONS": "malloc_context_size=0:detect_stack_use_after_return=0:quarantine_size_mb=8"}


def gpus():
    """The names of the GPUs that are here."""
    asked = ["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"]
    try:
        said = subprocess.run(asked, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return []
    return said.stdout.splitlines() if said.returncode == 0 else []


COUNTED = {"refused": r"(\d+) refused", "on_gpu": r"(\d+) on a GPU", "large": r"(\d+) large"}


class Process:
    """A harness that runs."""

    def __init__(self, harness, seed, words, more=None):
        self.name = harness.name.removeprefix("fuzz_")
        self.folder = FOUND / f"{self.name}-{seed}"
        (self.folder / "units").mkdir(parents=True)
        self.start = time.monotonic()
        with open(self.folder / "log", "w", encoding="utf-8") as log:
            self.handle = subprocess.Popen([harness, f"-seed={seed}", *words], cwd=self.folder,
                                           env={**FAST, **os.environ, **(more or {})},
                                           stdout=log, stderr=log)

    def end(self, max_seconds):
        """Waits for it, at most so long since its start: inputs, those that COUNTED names, seconds, and whether it found
        something."""
        try:
            code = self.handle.wait(max(1, self.start + max_seconds - time.monotonic()))
        except subprocess.TimeoutExpired:
            self.handle.send_signal(signal.SIGABRT)  # it keeps its input
            code = self.handle.wait()
        seconds = time.monotonic() - self.start
        log = (self.folder / "log").read_text(encoding="utf-8", errors="replace")

        def count(pattern):
            said = re.search(pattern, log)
            return int(said[1]) if said else 0

        inputs = count(r"Done (\d+) runs")
        found = code != 0 or inputs == 0  # a harness that ran no inputs shows nothing
        if not found:
            shutil.rmtree(self.folder)
        return inputs, *(count(pattern) for pattern in COUNTED.values()), seconds, found


def start(harnesses, processes, seed, words):
    """So many processes, a harness after the other and round again; each calls another GPU the first."""
    turns = itertools.islice(itertools.cycle(harnesses), max(processes, len(harnesses)))
    orders = orders_of_gpus()
    return [Process(harness, seed + turn, words(harness), orders[sum(divmod(turn, len(harnesses))) % len(orders)])
            for turn, harness in enumerate(turns)]


def orders_of_gpus():
    """Each GPU first once, so that the processes take turns: what is set already stays."""
    count = len(gpus())
    if count < 2 or "CUDA_VISIBLE_DEVICES" in os.environ:
        return [{}]
    return [{"CUDA_VISIBLE_DEVICES": ",".join(str((first + k) % count) for k in range(count))} for first in range(count)]


def rows_of(processes, max_seconds, kind, first_seeds, earlier=()):
    """A row a harness, with what earlier runs counted, and one of all."""
    before = {row[kind]: row for row in earlier}
    columns = ("inputs", *(COUNTED if kind == "problem" else ["refused"]), "run_seconds", "found", "processes")
    rows = []
    for name, group in itertools.groupby(sorted(processes, key=lambda one: one.name), key=lambda one: one.name):
        ended = [one.end(max_seconds) for one in group]
        inputs, refused, on_gpu, large, seconds, found = (sum(column) for column in zip(*ended))
        row = {"inputs": inputs, "refused": refused, "on_gpu": on_gpu, "large": large, "run_seconds": round(seconds),
               "found": found, "processes": len(ended)}
        row = {key: row[key] + before.get(name, {}).get(key, 0) for key in columns}
        rows.append({kind: name, **row, "first_seed": first_seeds[0]})
    total = {key: sum(row[key] for row in rows) for key in columns}
    return rows + [{kind: "all", **total, "first_seed": first_seeds[0]}]


def earlier_record(file, asked):
    """That of GPUs and this commit, if there is one."""
    if asked.cuda and file.exists():
        record = json.loads(file.read_text(encoding="utf-8"))
        if record["commit"] == commit():
            return record
    return {"rows": [], "first_seeds": []}


def write(name, asked, rows, first_seeds):
    results = asked.results
    more = {"gpus": gpus(), "first_seeds": first_seeds} if asked.cuda else {}
    record = result(results.name, shlex.join(["tests/fuzz/record.py", *sys.argv[1:]]), rows, **more)
    results.mkdir(parents=True, exist_ok=True)
    (results / name).write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    for row in rows:
        print(*(f"{key} {value}" for key, value in row.items()), sep=", ")
    print(f"{name}: {rows[-1]['inputs']} inputs, {rows[-1]['found']} findings")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("solvers", type=pathlib.Path)
    parser.add_argument("seconds", type=int)
    parser.add_argument("results", type=pathlib.Path)
    parser.add_argument("--readers", type=pathlib.Path, help="the folder of the readers' harnesses (default: without them)")
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="at once (default: one a processor)")
    parser.add_argument("--seed", type=int, default=1, help="the first process's, each other's is one more (default 1)")
    parser.add_argument("--each", type=int, default=1, help="processes of every solver's harness (default 1)")
    parser.add_argument("--patience", type=int, default=330, help="seconds for a last input until it is a finding")
    parser.add_argument("--cuda", action="store_true", help="the harnesses are those of a build with CUDA, for the GPUs here")
    asked = parser.parse_args()
    if asked.cuda and not gpus():
        parser.error("--cuda: there is no GPU here")
    limit = f"-max_total_time={asked.seconds}"
    corpora = sorted(CORPUS.iterdir())
    names = {f"fuzz_{corpus.name}" for corpus in corpora}
    solvers = sorted(one for one in asked.solvers.resolve().glob("fuzz_*") if one.name not in names)
    if not solvers:
        parser.error(f"{asked.solvers} holds no harness")
    drawn = start(solvers, asked.each * len(solvers), asked.seed, lambda harness: [limit])
    read = []
    if asked.readers:
        read = start([asked.readers.resolve() / name for name in sorted(names)], asked.processes - len(drawn), asked.seed,
                     lambda harness: [limit, "-max_len=512", "-rss_limit_mb=4096", "-timeout=10", "units",
                                      CORPUS / harness.name.removeprefix("fuzz_")])
    found = 0
    solver_record = "cuda_fuzzing.json" if asked.cuda else "solver_fuzzing.json"
    for name, kind, processes in ((solver_record, "problem", drawn), ("reader_fuzzing.json", "reader", read)):
        if processes:
            earlier = earlier_record(asked.results / name, asked)
            first_seeds = [*earlier["first_seeds"], asked.seed]
            rows = rows_of(processes, asked.seconds + asked.patience, kind, first_seeds, earlier["rows"])
            write(name, asked, rows, first_seeds)
            found += rows[-1]["found"]
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
