#!/usr/bin/env python3
"""Breaks the code in the ways that mutations.json states, one at a time, and shows that the tests notice; with --cuda
the GPU's in those of cuda_mutations.json, where there is a GPU.

A copy of the tree is built under build/mutation (for AVX2 alone, so that it takes minutes). Each mutation is applied in a
copy of that one, where the test programs that it names are built, several at a time, and run until one fails, one program
at a time: a failure and a hang are noticed, all else survives. A program that takes several times as long as without a
mutation hangs, and a mutation that does not compile is stated wrongly. A build knows its folder by name: each copy is
mounted there for its own processes, by unshare; where that is refused, mutations are tried in the folder itself. What is known already is not asked again: the record, a JSON file, is written after every mutation and says of
which commit each outcome is, and a mutation that is stated otherwise is run anew; where some are named, these alone.
--check only sees whether each can be applied.
"""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))
from results import commit, result  # noqa: E402

LISTS = {False: "mutations.json", True: "cuda_mutations.json"}  # by --cuda
WORK = ROOT / "build" / "mutation"
SECONDS_AT_MOST = 600  # of a program without a mutation
# AVX2: with a lower level, Highway compiles scalar code
FLAGS = "-O1 -march=x86-64-v3 -maes -mpclmul -DHWY_COMPILE_ONLY_STATIC"
QUICK_CUDA_FLAG = "--Ofast-compile=mid"  # takes a third of the time


def call(words, **more):
    return subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False, **more)


def source_names():
    """Those of the repository; where there is none, of every file but what was built."""
    if (ROOT / ".git").exists():
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
        return list(filter(None, listed.decode().split("\0")))
    names = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*")]
    return [name for name in names if not name.startswith(("build/", "."))]


def copy_tree():
    """The files as they stand in the working tree; those that did not change keep their times."""
    for name in source_names():
        source, target = ROOT / name, WORK / "tree" / name
        if not source.is_file() or name.startswith("results/"):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.write_bytes(source.read_bytes())


class Folder:
    """WORK, or a copy of it that its own processes see in WORK's place."""

    ALONE = ["unshare", "--mount", *([] if os.geteuid() == 0 else ["--user", "--map-root-user"])]

    def __init__(self, path=WORK):
        self.path = path
        mounted = [*self.ALONE, "sh", "-c", 'mount --bind "$0" "$1" && shift && exec "$@"', path, WORK]
        self.prefix = [] if path == WORK else mounted

    @classmethod
    def can_stand_in(cls):
        return shutil.which("unshare") is not None and call([*cls.ALONE, "mount", "--bind", "/", "/"]).returncode == 0

    def copied(self, name):
        path = self.path.parent / f"mutation-{name}"
        shutil.rmtree(path, ignore_errors=True)
        subprocess.run(["cp", "-a", "--reflink=auto", self.path, path], check=True)
        return Folder(path)

    def removed(self):
        if self.path != WORK:
            shutil.rmtree(self.path)

    def build(self, programs, jobs):
        return call([*self.prefix, "cmake", "--build", WORK / "build", "--parallel", str(jobs), "--target",
                     *sorted(programs)]).returncode == 0

    def run(self, test, of_processor, seconds):
        """How it ends within so many seconds: 'passed', 'failed' or 'hangs'. What hangs may spin or sleep."""
        words = [*self.prefix, WORK / "build" / "bin" / test.split()[0], *test.split()[1:]]
        if test.startswith("test_"):
            words.append("--gtest_fail_fast")
        try:
            done = call(words, cwd=self.path, timeout=seconds,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (of_processor, of_processor)))
        except subprocess.TimeoutExpired:
            return "hangs"
        killed = done.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return "passed" if done.returncode == 0 else "hangs" if killed else "failed"


def program_of(test):
    return test.split()[0]


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def limits_of(test):
    """The seconds of a processor and on the clock that it may take. A program that fails by itself notices nothing."""
    start, used = time.monotonic(), processor_seconds()
    if Folder().run(test, SECONDS_AT_MOST, SECONDS_AT_MOST) != "passed":
        sys.exit(f"mutate: '{test}' fails without any mutation")
    return 10 + round(3 * (processor_seconds() - used)), 10 + 10 * (time.monotonic() - start)


def stated(of_gpu):
    """The list's mutations. The text of each stands in its file once, or nothing would say what was broken."""
    mutations = json.loads((ROOT / "tests/mutation" / LISTS[of_gpu]).read_text())
    names = [mutation["name"] for mutation in mutations]
    wrong = [name for name in set(names) if names.count(name) > 1]
    wrong += [one["name"] for one in mutations if (ROOT / one["file"]).read_text().count(one["from"]) != 1]
    if wrong:
        sys.exit(f"mutate: {LISTS[of_gpu]}: {', '.join(wrong)}: named twice, or the text 'from' is not in its file exactly once")
    return mutations


def noticed_by(mutation, folder, limits):
    """What notices it, or 'survives'."""
    for test in mutation["tests"]:
        if test not in limits:
            limits[test] = limits_of(test)
        said = folder.run(test, *limits[test])
        if said != "passed":
            return f"{program_of(test)} {'fails' if said == 'failed' else 'hangs'}"
    return "survives"


def outcome_of(mutation, limits, one_program, jobs, in_place):
    """What notices the mutation, and the seconds that it took."""
    start = time.monotonic()
    folder = Folder() if in_place else Folder().copied(mutation["name"])
    file = folder.path / "tree" / mutation["file"]
    right = file.read_text()
    try:
        file.write_text(right.replace(mutation["from"], mutation["to"]))
        if not folder.build({program_of(test) for test in mutation["tests"]}, jobs):
            sys.exit(f"mutate: {mutation['name']} does not compile")
        with one_program:
            return noticed_by(mutation, folder, limits), time.monotonic() - start
    finally:
        file.write_text(right)
        folder.removed()


def outcomes_of(mutations, at_once):
    """Mutations, outcomes and seconds, as they end. A process each, so that it has a processor time of its own."""
    processors = os.cpu_count()
    tests = sorted({test for mutation in mutations for test in mutation["tests"]})
    if not Folder().build({program_of(test) for test in tests}, processors):
        sys.exit("mutate: the tests do not compile without any mutation")
    at_once = min(at_once, len(mutations)) if Folder.can_stand_in() else 1
    with multiprocessing.Manager() as shared, concurrent.futures.ProcessPoolExecutor(at_once) as pool:
        limits, one_program = shared.dict(), shared.Lock()
        if at_once == 1:  # before the folder is changed
            limits.update({test: limits_of(test) for test in tests})
        more = (limits, one_program, -(-processors // at_once), at_once == 1)
        running = {pool.submit(outcome_of, one, *more): one for one in mutations}
        for ended in concurrent.futures.as_completed(running):
            yield running[ended], *ended.result()


def cuda_flags():
    """Empty where nvcc is older than 12.9."""
    said = subprocess.run(["nvcc", "--help"], capture_output=True, text=True, check=False).stdout
    return QUICK_CUDA_FLAG if QUICK_CUDA_FLAG.split("=")[0] in said else ""


def configure(of_gpu):
    copy_tree()
    cuda = ["-DWARPFOLD_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=native", "-DCMAKE_CUDA_FLAGS=" + cuda_flags()]
    words = ["cmake", "-S", WORK / "tree", "-B", WORK / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
             "-DCMAKE_CXX_FLAGS_RELEASE=" + FLAGS, "-DWARPFOLD_HARDEN=OFF", "-DWARPFOLD_BUILD_APP=OFF",
             "-DWARPFOLD_INSTALL=OFF", *(cuda if of_gpu else ["-DWARPFOLD_CUDA=OFF"])]
    made = subprocess.run(words, capture_output=True, text=True, check=False)
    if made.returncode != 0:
        sys.exit(f"mutate: the copy under build/mutation is refused by cmake:\n{made.stderr[-2000:]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=pathlib.Path, nargs="?", help="the JSON file of outcomes")
    parser.add_argument("--check", action="store_true", help="see whether each of both lists can be applied, and run none")
    parser.add_argument("--cuda", action="store_true", help="those of the GPU's code, on this machine's GPU")
    parser.add_argument("--at-once", type=int, default=max(1, os.cpu_count() // 2),
                        help="mutations that are built at once (default: one for two processors)")
    parser.add_argument("names", nargs="*", help="mutations to run, known or not (default: those not in the record)")
    asked = parser.parse_intermixed_args()  # names stand behind --cuda
    if asked.check:
        return 0 if all(stated(of_gpu) for of_gpu in LISTS) else 1
    mutations = stated(asked.cuda)
    if not asked.record:
        parser.error("the record's name is missing")
    record = json.loads(asked.record.read_text()) if asked.record.exists() else {"rows": []}
    known = {entry["name"]: entry for entry in record["rows"]}
    unknown = set(asked.names) - {mutation["name"] for mutation in mutations}
    if unknown:
        sys.exit(f"mutate: no mutation is called {', '.join(sorted(unknown))}")
    def is_known(mutation):
        entry = known.get(mutation["name"])
        return entry and all(entry[key] == mutation[key] for key in mutation)

    chosen = [one for one in mutations if (one["name"] in asked.names if asked.names else not is_known(one))]
    if chosen:
        configure(asked.cuda)
    for mutation, outcome, seconds in outcomes_of(chosen, asked.at_once) if chosen else []:
        known[mutation["name"]] = {**mutation, "outcome": outcome, "seconds": round(seconds), "commit": commit()}
        print(f"{mutation['name']}: {outcome}", flush=True)
        rows = [known[one["name"]] for one in mutations if one["name"] in known]
        flags = f"{FLAGS} {cuda_flags()}".strip() if asked.cuda else FLAGS
        record = result(asked.record.parent.name, "./dev mutate --cuda" if asked.cuda else "./dev mutate", rows, flags=flags)
        asked.record.parent.mkdir(parents=True, exist_ok=True)
        asked.record.write_text(json.dumps(record, indent=1) + "\n")
    stand = [known[one["name"]] for one in mutations if one["name"] in known]
    survivors = [entry["name"] for entry in stand if entry["outcome"] == "survives"]
    print(f"{len(stand)} mutations, {len(survivors)} survive: {', '.join(survivors)}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
