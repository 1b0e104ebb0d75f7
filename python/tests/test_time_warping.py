import pytest
import warpfold

np = pytest.importorskip("numpy")


def naive(a, b, window=None):
    table = np.full((len(a) + 1, len(b) + 1), np.inf)
    table[0, 0] = 0
    for i in range(len(a)):
        for j in range(len(b)):
            shift = j - i - max(0, len(b) - len(a)) if j > i else i - j - max(0, len(a) - len(b))
            if window is None or shift < window:
                table[i + 1, j + 1] = (a[i] - b[j]) ** 2 + min(table[i, j], table[i, j + 1], table[i + 1, j])
    return table[-1, -1]


@pytest.fixture
def series():
    random = np.random.default_rng(1)
    return np.cumsum(random.normal(size=120)), np.cumsum(random.normal(size=150))


@pytest.mark.parametrize("window", [None, 1, 7, 200])
def test_the_distance_is_that_of_the_naive_table(series, window):
    assert warpfold.dtw(*series, window=window, distance="squared").distance == naive(*series, window)


def test_the_path_adds_up_to_the_distance(series):
    a, b = series
    found = warpfold.dtw(a, b, script=True)
    path = found.path()
    assert path[0].tolist() == [0, 0] and path[-1].tolist() == [119, 149]
    assert sum(abs(a[i] - b[j]) for i, j in path) == pytest.approx(found.distance)
    assert warpfold.verify((a, b), found, optimal=True)


def test_types_and_dimensions():
    assert warpfold.dtw([0, 0, 1, 2], [0, 1, 2, 2]).distance == 0.0
    whole = np.array([1, 5, 9], np.int32)
    assert warpfold.dtw(whole, whole + 1).distance == 3 and isinstance(warpfold.dtw(whole, whole).distance, int)
    assert warpfold.dtw(np.ones((3, 2), np.float32), np.zeros((2, 2), np.float32)).distance == 6
    assert warpfold.dtw([1.0], [9.0], max_distance=2).distance is None


def test_what_is_rejected():
    with pytest.raises(ValueError, match="^a: point 1 is nan"):
        warpfold.dtw([1.0, float("nan")], [1.0])
    with pytest.raises(ValueError, match="^b: point 0 is inf"):
        warpfold.dtw([1.0], [float("inf")])
    with pytest.raises(warpfold.InfeasibleError, match="band of width 0"):
        warpfold.dtw([1.0], [1.0], window=0)
    with pytest.raises(ValueError, match="dimensions"):
        warpfold.dtw(np.ones((3, 2)), np.ones(3))


@pytest.mark.parametrize("window", [None, 1, 10, 60])
def test_the_distance_is_that_of_dtaidistance(series, window):
    dtw = pytest.importorskip("dtaidistance.dtw")
    expected = dtw.distance(*series, window=window)
    assert warpfold.dtw(*series, window=window, distance="squared").distance == pytest.approx(expected**2)
