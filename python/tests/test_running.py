"""Threads, interrupts, limits, progress, fork, and memory over many calls."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import warpfold


def solve_slowly(rng, **words):
    """Many seconds of work on any processor: the textbook's loops on one thread."""
    return warpfold.triangulate(rng.random((3000, 3000)), algorithm="reference", **words)


@pytest.fixture
def listening():
    """To Ctrl-C, which a shell's background jobs are born to ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_ctrl_c_ends_a_solve_at_once(rng, listening):
    sent = []

    def send():
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        solve_slowly(rng)
    thread.join()
    assert time.monotonic() - sent[0] < 2  # 0.2 s where nothing else runs: timings are no tests


@pytest.mark.parametrize(
    "enumerate_slowly",
    [
        lambda **limits: warpfold.suboptimal_structures("ACGUACGGUA" * 20, within=20, limit=10**7, **limits),
        lambda **limits: warpfold.sample_structures("ACGUACGGUA" * 20, 10**7, **limits),
    ],
)
def test_ctrl_c_ends_a_long_list_of_a_short_sequence(enumerate_slowly):
    before = signal.signal(signal.SIGALRM, lambda *_: 1 // 0)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(ZeroDivisionError) as raised:
            enumerate_slowly(time_limit=3)
        assert raised.value.__context__ is None  # the solve had not come to its time limit before
    finally:
        signal.signal(signal.SIGALRM, before)


def test_a_handler_that_raises_nothing_lets_the_solve_go_on(rng):
    seen = []
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(TimeoutError):
            solve_slowly(rng, time_limit=0.8)
        assert seen
    finally:
        signal.signal(signal.SIGALRM, before)


def test_progress_is_told_up_to_the_end(rng):
    told = []
    warpfold.triangulate(rng.random((600, 600)), progress=lambda done, total: told.append((done, total)))
    assert told and told[-1][0] == told[-1][1] and told == sorted(told)


def test_progress_is_a_bar_where_tqdm_is(rng, capsys, monkeypatch):
    pytest.importorskip("tqdm")
    found = warpfold.triangulate(rng.random((600, 600)), progress=True)
    assert "100%" in capsys.readouterr().err
    assert warpfold.triangulate(rng.random((9, 9)), progress=False).report.threads > 0 and found.cost > 0
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ValueError, match="tqdm is not there"):
        warpfold.triangulate(rng.random((9, 9)), progress=True)


def test_what_progress_raises_ends_the_solve(rng):
    with pytest.raises(ZeroDivisionError):
        solve_slowly(rng, progress=lambda done, total: 1 // 0)


def test_limits_are_kept(rng):
    with pytest.raises(TimeoutError):
        solve_slowly(rng, time_limit=0.1)
    with pytest.raises(MemoryError, match="1000"):
        warpfold.triangulate(rng.random((300, 300)), max_memory=1000)
    with pytest.raises(ValueError, match="threads"):
        warpfold.chain_order([1, 2, 3], threads=-1, dtype="int64")
    with pytest.raises(ValueError, match="algorithm"):
        warpfold.triangulate(rng.random((9, 9)), algorithm="magic")
    with pytest.raises(TypeError, match="'thread' is no keyword of this function"):
        warpfold.chain_order([1, 2], thread=1)


def test_without_a_gpu_cuda_is_an_error_and_auto_is_not():
    if warpfold.gpus():
        pytest.skip("there is a GPU")
    with pytest.raises(warpfold.DeviceError):
        warpfold.triangulate(np.ones((9, 9)), device="cuda")
    assert warpfold.triangulate(np.ones((9, 9)), device="auto").report.device == "cpu"


def test_threads_of_python_solve_at_once(rng):
    problems = [rng.random((300, 300)) for _ in range(8)]
    expected = [warpfold.triangulate(one).cost for one in problems]
    found = [0.0] * len(problems)

    def solve(at):
        for _ in range(5):
            found[at] = warpfold.triangulate(problems[at]).cost

    threads = [threading.Thread(target=solve, args=(at,)) for at in range(len(problems))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_the_next_call_after_fork_works(rng):
    problem = rng.random((500, 500))
    cost = warpfold.triangulate(problem, threads=4).cost
    child = os.fork()
    if child == 0:
        os._exit(0 if warpfold.triangulate(problem, threads=4).cost == cost else 1)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            assert status == 0
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    pytest.fail("the child hangs")


def test_many_calls_leak_nothing(rng):
    weights, dims, wrong = rng.random((6, 6)), [2, 3, 4, 5], [1, 0]
    graph = np.ma.MaskedArray(weights, weights > 0.5)

    def calls(count):
        for _ in range(count):
            found = warpfold.triangulate(weights)
            found.chords, found.report, warpfold.chain_order(dims).splits
            try:
                warpfold.chain_order(wrong)
            except ValueError:
                pass

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    def rarer_calls(count):
        for _ in range(count):
            warpfold.shortest_paths(graph, return_predecessors=True)
            warpfold.matmul(weights, weights, return_argmin=True)
            warpfold.search_tree(weights[:, :5].copy(), weights)[0].parents
            try:
                warpfold.triangulate([[[0, 0], [1, 1], [1, 0], [0, 1]]])
            except ValueError:
                pass

    calls(1000)
    rarer_calls(1000)
    before, references = resident(), sys.getrefcount(weights)
    calls(100_000)
    rarer_calls(10_000)
    assert sys.getrefcount(weights) == references
    assert resident() - before < 8 << 20


def test_the_package_imports_where_there_is_no_driver():
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "LD_LIBRARY_PATH": ""}
    program = "import warpfold; assert warpfold.gpus() == []; print(warpfold.chain_order([1, 2, 3]).cost)"
    result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert result.stdout == "6\n"


def test_a_daemon_thread_within_a_solve_lets_python_end_quietly():
    program = """
import threading, time, numpy, warpfold
inside = threading.Event()
def solve(call):
    inside.set()
    while True:
        call()
large, small = numpy.random.rand(3000, 3000), numpy.random.rand(100, 100)
for call in [lambda: warpfold.triangulate(large, algorithm="reference"), lambda: warpfold.matmul(small, small)]:
    inside.clear()
    threading.Thread(target=solve, args=(call,), daemon=True).start()
    inside.wait()
time.sleep(0.2)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_a_function_that_python_calls_at_its_end_may_solve():
    program = """
import atexit
atexit.register(lambda: print(warpfold.matmul([[1.0]], [[2.0]], progress=print)))
import warpfold
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert result.returncode == 0 and result.stdout.endswith("[[3.]]\n")


def test_the_clock_runs_while_edges_are_read():
    graph = np.zeros((6000, 6000), np.float32)
    begin = time.process_time()
    with pytest.raises(TimeoutError):
        warpfold.shortest_paths(graph, indices=[0], time_limit=0.01)
    assert time.process_time() - begin < 0.5  # 0.01 s, where making the edges takes 1 s


def test_nothing_to_do_is_told_as_all_done():
    told = []
    warpfold.count_subsets([1, 5], 6, progress=lambda done, total: told.append(done / total))
    assert told == [1]


def test_other_threads_run_while_a_step_is_priced():
    at = []

    def look():
        while not done.is_set():
            at.append(time.monotonic())
            time.sleep(0.001)

    done, addresses = threading.Event(), np.arange(2**21)
    thread = threading.Thread(target=look)
    thread.start()
    begin = time.monotonic()
    warpfold.machine.Dmm().cost(addresses)
    end = time.monotonic()
    done.set()
    thread.join()
    assert any(begin + (end - begin) / 4 < one < end - (end - begin) / 4 for one in at)


def test_an_import_in_another_interpreter_lets_the_first_solve_and_end():
    pytest.importorskip("_xxsubinterpreters")
    program = """
import warpfold, _xxsubinterpreters
other = _xxsubinterpreters.create()
try:
    _xxsubinterpreters.run_string(other, "import warpfold")
except Exception as error:  # NumPy's
    assert "ImportError" in str(error), error
print(warpfold.chain_order([1, 2, 3]).cost)
"""
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (result.returncode, result.stdout, result.stderr) == (0, "6\n", "")
