"""Distances of many strings: against a naive table, and against other libraries where they are."""

import numpy as np
import pytest

import warpfold


def naive(a, b, substitution=1):
    row = list(range(len(b) + 1))
    for i, symbol in enumerate(a):
        diagonal, row[0] = row[0], i + 1
        for j, other in enumerate(b):
            step = diagonal + (0 if symbol == other else substitution)
            diagonal, row[j + 1] = row[j + 1], min(step, row[j + 1] + 1, row[j] + 1)
    return row[-1]


@pytest.fixture(params=["ab", "acgt", "aé", "a☃", "a😀", "a\ud800"])
def lists(request, rng):
    letters = list(request.param)
    texts = ["".join(rng.choice(letters, rng.integers(0, 40))) for _ in range(240)]
    return texts[:120], texts[120:]


@pytest.mark.parametrize("algorithm", ["", "lanes", "words"])
@pytest.mark.parametrize("measure, substitution", [("edit", 1), ("indel", 2)])
def test_distances_are_those_of_the_table(lists, measure, substitution, algorithm):
    a, b = lists
    right = [naive(x, y, substitution) for x, y in zip(a, b)]
    found = warpfold.distances(a, b, measure=measure, algorithm=algorithm)
    assert found.dtype == np.int32 and found.tolist() == right
    bounded = warpfold.distances(a, b, measure=measure, max_distance=12, algorithm=algorithm)
    assert bounded.tolist() == [min(distance, 13) for distance in right]


def test_all_pairs_and_the_nearest_are_those_of_the_table(lists):
    a, b = lists[0][:9], lists[1]
    right = np.array([[naive(x, y) for y in b] for x in a])
    assert (warpfold.cdist(a, b) == right).all()
    assert (warpfold.cdist(b, a, max_distance=10) == np.minimum(right.T, 11)).all()
    indices, distances = warpfold.nearest(a, b, k=5)
    order = np.argsort(right, axis=1, kind="stable")[:, :5]
    assert (indices == order).all() and (distances == np.take_along_axis(right, order, axis=1)).all()
    assert indices.dtype == np.int64 and distances.dtype == np.int32


def test_missing_neighbors_have_no_index():
    indices, distances = warpfold.nearest(["abc", "xyz"], ["abd", "abc", "q"], k=3, max_distance=1)
    assert indices.tolist() == [[1, 0, -1], [-1, -1, -1]]
    assert distances.tolist() == [[0, 1, 2], [2, 2, 2]]


def test_arrays_of_numpy_are_read_in_place():
    texts, others = ["kitten", "", "é☃", "abc"], ["sitting", "x", "☃", "abcd"]
    right = [naive(x, y) for x, y in zip(texts, others)]
    a, b = np.array(texts), np.array(others)
    assert warpfold.distances(a, b).tolist() == right
    assert warpfold.distances(a.astype(">U6"), others).tolist() == right
    assert warpfold.distances(np.repeat(a, 2)[::2], b[::1]).tolist() == right
    assert warpfold.distances(a[::-1], b[::-1]).tolist() == right[::-1]
    raw = np.array([b"kitten", b"", b"a\xff"])
    assert warpfold.distances(raw, [b"sitting", b"x", b"a\xfe"]).tolist() == [3, 1, 1]
    assert warpfold.distances(np.array(texts, dtype=object), others).tolist() == right


def test_arrow_arrays_are_read_in_place():
    arrow = pytest.importorskip("pyarrow")
    texts, others = ["kitten", "", "é☃", "abc"], ["sitting", "x", "☃", "abcd"]
    right = [naive(x, y) for x, y in zip(texts, others)]
    for kind in (arrow.string(), arrow.large_string()):
        assert warpfold.distances(arrow.array(texts, kind), arrow.array(others, kind)).tolist() == right
        sliced = arrow.array(["z", *texts], kind)[1:]
        assert warpfold.distances(sliced, others).tolist() == right
    chunked = arrow.chunked_array([texts[:2], texts[2:]])
    assert warpfold.distances(chunked, others).tolist() == right
    raw = arrow.array([b"ab", b"\xff"])
    assert warpfold.distances(raw, [b"b", b""]).tolist() == [1, 1]
    with pytest.raises(TypeError, match=r"A\[1\] is None"):
        warpfold.distances(arrow.array(["a", None]), ["a", "b"])


def test_scripts_are_those_of_single_pairs(lists):
    a, b = lists
    for measure, single in (("edit", warpfold.edit_distance), ("indel", warpfold.lcs)):
        scripts = warpfold.edit_scripts(a, b, measure=measure, ties="right", max_distance=15)
        for x, y, script in zip(a, b, scripts):
            found = single(x, y, True, ties="right", max_distance=15)
            assert script == found.script


def test_empty_lists_have_empty_results():
    assert warpfold.distances([], []).shape == (0,)
    assert warpfold.cdist([], ["a"]).shape == (0, 1) and warpfold.cdist([b"a"], []).shape == (1, 0)
    indices, distances = warpfold.nearest(["a"], [], k=2)
    assert indices.shape == distances.shape == (1, 0)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: warpfold.distances(["a"], ["a", "b"]), ValueError, "the lists have 1 and 2 sequences: lists of one length"),
        (lambda: warpfold.distances("ab", ["a", "b"]), TypeError, "A is 'ab': a list"),
        (lambda: warpfold.distances(["a"], 3), TypeError, "B is 3: a list"),
        (lambda: warpfold.distances(["a", 3], ["a", "b"]), TypeError, r"A\[1\] is 3: text"),
        (lambda: warpfold.distances([b"a", "b"], [b"a", b"b"]), TypeError, r"A\[1\] is 'b': bytes"),
        (lambda: warpfold.distances(["a"], [b"a"]), TypeError, "B is .*A's kind"),
        (lambda: warpfold.distances(["a"], ["a"], measure="ham"), ValueError, "measure is 'ham'"),
        (lambda: warpfold.distances(["a"], ["a"], max_distance=-1), OverflowError, "max_distance is -1"),
        (lambda: warpfold.distances(["a"], ["a"], algorithm="slices"), ValueError, "lanes, words are accepted"),
        (lambda: warpfold.distances(np.array([["a"]]), ["a"]), ValueError, "A has 2 dimensions"),
        (lambda: warpfold.nearest(["a"], ["a"], k=-1), OverflowError, "k is -1"),
        (lambda: warpfold.edit_scripts(["a"], ["a"], ties="up"), ValueError, "ties is 'up'"),
        (lambda: warpfold.distances(["a"]), TypeError, "B is missing"),
        (lambda: warpfold.edit_scripts([], [], algorithm="x"), ValueError, "algorithm 'x' is unknown: table, words"),
        (lambda: warpfold.edit_scripts(["a"], ["a"], algorithm="lanes", device="cpu"), ValueError, "'lanes' computes scripts on a GPU only: table"),
    ],
)
def test_errors_name_the_argument(call, error, message):
    with pytest.raises(error, match=message):
        call()


def test_distances_are_those_of_rapidfuzz(rng):
    rapidfuzz = pytest.importorskip("rapidfuzz")
    a = ["".join(rng.choice(list("abcdefgh"), rng.integers(100, 150))) for _ in range(500)]
    b = ["".join(rng.choice(list("abcdefgh"), rng.integers(100, 150))) for _ in range(500)]
    levenshtein, indel = rapidfuzz.distance.Levenshtein.distance, rapidfuzz.distance.Indel.distance
    assert warpfold.distances(a, b).tolist() == [levenshtein(x, y) for x, y in zip(a, b)]
    assert warpfold.distances(a, b, measure="indel").tolist() == [indel(x, y) for x, y in zip(a, b)]
