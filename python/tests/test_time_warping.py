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


def naive_absolute(a, b):
    table = np.full((len(a) + 1, len(b) + 1), np.inf)
    table[0, 0] = 0
    for i in range(len(a)):
        for j in range(len(b)):
            table[i + 1, j + 1] = abs(float(a[i]) - float(b[j])) + min(table[i, j], table[i, j + 1], table[i + 1, j])
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


def test_integers_beyond_32_bits_are_added_as_float64():
    a, b = np.array([1 << 40, 5, 7]), np.array([1 << 40, 8])
    found = warpfold.dtw(a, b, True)
    assert found.distance == 4.0 and isinstance(found.distance, float)
    assert warpfold.verify((a, b), found, optimal=True)
    assert warpfold.dtw([1 << 40, 5], [5]).distance == float((1 << 40) - 5)
    assert warpfold.dtw(a.astype(np.uint64), [5]).distance == naive_absolute(a, [5])
    assert isinstance(warpfold.dtw(np.array([1, 2]), np.array([(1 << 31) - 1])).distance, int)
    assert isinstance(warpfold.dtw(np.array([1, 2]), np.array([1 << 31])).distance, float)
    for value in ((1 << 53) + 1, (1 << 62) + 1):
        with pytest.raises(OverflowError, match=rf"^b\[1\] is {value}, which float64 does not hold exactly"):
            warpfold.dtw([1, 2], np.array([1, value]))
    with pytest.raises(OverflowError, match=r"^a\[0\] is 1099511627776, which int32 does not hold exactly"):
        warpfold.dtw(a, b, dtype="int32")


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


@pytest.mark.parametrize("radius", [None, 35, 60])
def test_the_distance_and_the_path_are_those_of_tslearn(series, radius):
    metrics = pytest.importorskip("tslearn.metrics")
    path, expected = metrics.dtw_path(*series, sakoe_chiba_radius=radius, global_constraint=radius and "sakoe_chiba")
    window = None if radius is None else radius + 1
    found = warpfold.dtw(*series, True, window=window, distance="squared")
    assert found.distance == pytest.approx(expected**2)
    assert [tuple(point) for point in found.path().tolist()] == [tuple(map(int, point)) for point in path]


SERIES = {"nile": "volume", "sunspots": "SUNACTIVITY", "elnino": "JAN", "co2": "co2"}


@pytest.mark.parametrize(("one", "other"), [("nile", "sunspots"), ("elnino", "sunspots"), ("co2", "nile")])
def test_recorded_series(one, other):
    datasets = pytest.importorskip("statsmodels.datasets")
    a, b = (getattr(datasets, name).load_pandas().data[SERIES[name]].dropna().to_numpy()[:600] for name in (one, other))
    a, b = (((each - each.mean()) / each.std()).astype(float) for each in (a, b))
    for window in (None, 1, 20):
        found = warpfold.dtw(a, b, True, window=window, distance="squared")
        assert found.distance == naive(a, b, window)
        assert warpfold.verify((a, b), found, optimal=True)
        for algorithm in ("rows", "strips"):
            same = warpfold.dtw(a, b, True, window=window, distance="squared", algorithm=algorithm)
            assert same.distance == found.distance and same.script == found.script


def test_coastlines_are_series_of_angles(headings):
    a, b = (np.unwrap(headings(name))[:900] for name in ("great-britain", "iceland"))
    found = warpfold.dtw(a, b, True, distance="squared")
    assert found.distance == naive(a, b)
    assert warpfold.verify((a, b), found, optimal=True)
    stretched = np.repeat(a, 3)
    assert warpfold.dtw(a, stretched).distance == 0
