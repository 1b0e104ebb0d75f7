"""Edit distances and longest common subsequences: against naive tables, and against other libraries where they are."""

import numpy as np
import pytest

import warpfold


def naive_table(a, b, costs=(1, 1, 1)):
    insertion, deletion, substitution = costs
    table = [[j * insertion for j in range(len(b) + 1)]]
    for i, symbol in enumerate(a):
        row = [(i + 1) * deletion]
        for j, other in enumerate(b):
            row.append(min(table[i][j] + (0 if symbol == other else substitution), table[i][j + 1] + deletion, row[j] + insertion))
        table.append(row)
    return table


def naive_distance(a, b, costs=(1, 1, 1)):
    return naive_table(a, b, costs)[-1][-1]


def naive_length(a, b):
    return (len(a) + len(b) - naive_distance(a, b, (1, 1, 2))) // 2


def naive_steps(a, b):
    """The walk from the end: match or substitution first, then deletion, then insertion."""
    table = naive_table(a, b)
    steps, i, j = "", len(a), len(b)
    while i or j:
        if i and j and table[i][j] == table[i - 1][j - 1] + (a[i - 1] != b[j - 1]):
            steps += "=" if a[i - 1] == b[j - 1] else "X"
            i, j = i - 1, j - 1
        elif i and table[i][j] == table[i - 1][j] + 1:
            steps, i = steps + "D", i - 1
        else:
            steps, j = steps + "I", j - 1
    return steps[::-1]


def steps_of(script):
    steps, digits = "", ""
    for letter in script.cigar:
        if letter.isdigit():
            digits += letter
        else:
            steps, digits = steps + letter * int(digits), ""
    return steps


def replayed(opcodes, a, b):
    """What difflib's users write: b from a and opcodes."""
    parts = []
    for tag, i1, i2, j1, j2 in opcodes:
        parts += list(a[i1:i2]) if tag == "equal" else list(b[j1:j2])
        assert (tag == "delete") == (j1 == j2) and (tag == "insert") == (i1 == i2)
    return parts


@pytest.fixture(params=["ab", "abcdef", "aé😀", "a\ud800"])
def texts(request, rng):
    letters = list(request.param)
    return ["".join(rng.choice(letters, size)) for size in (0, 1, 2, 7, 20, 65)]


def test_distances_and_scripts_are_those_of_the_table(texts):
    for a in texts:
        for b in texts:
            found = warpfold.edit_distance(a, b, True)
            assert found.distance == naive_distance(a, b) == found.cost
            assert steps_of(found.script) == naive_steps(a, b)
            assert warpfold.verify((a, b), found, optimal=True)
            assert found.script.matches == steps_of(found.script).count("=")


def test_lengths_are_those_of_the_table(texts):
    for a in texts:
        for b in texts:
            found = warpfold.lcs(a, b, script=True)
            assert found.length == naive_length(a, b) == found.script.matches
            pairs = found.script.pairs()
            assert pairs.shape == (found.length, 2)
            assert [a[i] for i in pairs[:, 0]] == [b[j] for j in pairs[:, 1]]
            assert "X" not in found.script.cigar
            assert warpfold.verify((a, b), found, optimal=True)


def test_opcodes_are_difflibs(texts):
    for a in texts:
        for b in texts:
            codes = warpfold.lcs(a, b, script=True).script.opcodes()
            assert replayed(codes, a, b) == list(b)
            ends = [(0, 0)] + [(i2, j2) for _, _, i2, _, j2 in codes]
            assert [(i1, j1) for _, i1, _, j1, _ in codes] == ends[:-1]
            assert ends[-1] == (len(a), len(b))
            tags = [tag == "equal" for tag, *_ in codes]
            assert all(first != second for first, second in zip(tags, tags[1:])), "neighboring edits are one"


def test_editops_have_a_row_for_each_edit():
    script = warpfold.edit_distance("kitten", "sitting", script=True).script
    assert script.editops() == [("replace", 0, 0), ("replace", 4, 4), ("insert", 6, 6)]
    assert script.opcodes() == [("replace", 0, 1, 0, 1), ("equal", 1, 4, 1, 4), ("replace", 4, 5, 4, 5), ("equal", 5, 6, 5, 6), ("insert", 6, 6, 6, 7)]
    swapped = warpfold.edit_distance("ab", "ba", script=True, transpositions=True).script
    assert swapped.cigar == "1T"
    assert swapped.editops() == [("replace", 0, 0), ("replace", 1, 1)]


def test_paths_go_through_the_table():
    script = warpfold.edit_distance("abc", "axbd", script=True).script
    path = script.path()
    assert path.dtype == np.int64 and path.tolist() == [[0, 0], [1, 1], [1, 2], [2, 3], [3, 4]]
    assert script.inverse().path().tolist() == path[:, ::-1].tolist()
    assert warpfold.edit_distance("", "", script=True).script.path().tolist() == [[0, 0]]


def test_scripts_are_made_only_if_asked_for():
    assert warpfold.edit_distance("a", "b").script is None
    assert warpfold.lcs("a", "b").script is None
    assert repr(warpfold.edit_distance("a", "b")) == "EditDistance(1)"
    assert repr(warpfold.edit_distance("ab", "b", script=True).script) == "EditScript(1D1=)"


def test_a_distance_above_the_bound_is_none():
    found = warpfold.edit_distance("kitten", "sitting", script=True, max_distance=2)
    assert found.distance is None and found.script is None
    assert repr(found) == "EditDistance(more than 2)"
    assert warpfold.verify(("kitten", "sitting"), found, optimal=True)
    assert warpfold.edit_distance("kitten", "sitting", max_distance=3).distance == 3
    assert warpfold.lcs("kitten", "sitting", max_distance=4).length is None
    assert warpfold.lcs("kitten", "sitting", max_distance=5).length == 4


@pytest.mark.parametrize("costs", [(1, 2, 3), (3, 1, 2), (0, 1, 5), (2, 2, 9)])
def test_own_costs_are_those_of_the_table(texts, costs):
    for a in texts:
        for b in texts:
            found = warpfold.edit_distance(a, b, script=True, costs=costs)
            assert found.distance == naive_distance(a, b, costs)
            assert warpfold.verify((a, b), found, optimal=True)
    assert warpfold.edit_distance("ab", "ba", costs=(5, 5, 5, 2), transpositions=True).distance == 2


def test_gaps_are_on_the_side_that_ties_name():
    assert warpfold.edit_distance("abbbc", "abbc", script=True).script.cigar == "1=1D3="
    assert warpfold.edit_distance("abbbc", "abbc", script=True, ties="right").script.cigar == "3=1D1="


KINDS = [np.uint8, np.uint16, np.uint32, np.uint64, np.int8, np.int16, np.int32, np.int64]


@pytest.mark.parametrize("first", KINDS)
@pytest.mark.parametrize("second", KINDS)
def test_arrays_of_all_integer_types_are_accepted(rng, first, second):
    a, b = rng.integers(0, 4, 60).astype(first), rng.integers(0, 4, 50).astype(second)
    assert warpfold.edit_distance(a, b).distance == naive_distance(a.tolist(), b.tolist())
    assert warpfold.edit_distance(a[::2], b.tolist()).distance == naive_distance(a[::2].tolist(), b.tolist())


def test_large_integers_are_symbols_like_others():
    a = np.array([-1, 2**62, 5], np.int64)
    b = np.array([2**64 - 1, 2**62, 5], np.uint64)
    assert warpfold.edit_distance(a, b).distance == 1
    assert warpfold.edit_distance([2**100, 1], [2**100, 2]).distance == 1


def test_bytes_of_every_kind_are_accepted():
    for kind in (bytes, bytearray, memoryview, lambda text: np.frombuffer(text, np.uint8)):
        assert warpfold.edit_distance(kind(b"kitten"), b"sitting").distance == 3
    assert warpfold.lcs(b"", b"abc").length == 0


def test_lists_of_hashable_things_are_accepted():
    said, heard = "the cat sat".split(), "the cat has sat".split()
    assert warpfold.edit_distance(said, heard).distance == 1
    assert warpfold.edit_distance(tuple(said), np.array(heard)).distance == 1
    assert warpfold.edit_distance(np.array(said, object), heard).distance == 1
    assert warpfold.edit_distance([(1, "x"), None], [(1, "x"), 1.5]).distance == 1
    assert warpfold.edit_distance([1, True], [1.0, 1]).distance == 0, "what is equal in Python is equal"
    assert warpfold.edit_distance("abc", ["a", "c"]).distance == 1


WRONG = [
    (lambda: warpfold.edit_distance(None, "a"), TypeError, r"a is None: text, bytes, an array of integers, or a list"),
    (lambda: warpfold.edit_distance("a", 5), TypeError, r"b is 5: text, bytes"),
    (lambda: warpfold.edit_distance("a", b"a"), TypeError, r"b is b'a': a sequence of a's kind, both text or neither"),
    (lambda: warpfold.edit_distance(b"a", "a"), TypeError, r"b is 'a': a sequence of a's kind"),
    (lambda: warpfold.edit_distance([[1]], [1]), TypeError, r"a\[0\] is \[1\]: a hashable value is accepted"),
    (lambda: warpfold.edit_distance(np.ones(2), np.ones(2)), TypeError, r"a is of dtype float64: bool, int64, uint8"),
    (lambda: warpfold.edit_distance(np.ones((2, 2), int), np.ones(2, int)), ValueError, r"a is 2 x 2: a list is accepted"),
    (lambda: warpfold.edit_distance("a", "b", script="yes"), TypeError, r"script is 'yes': True or False"),
    (lambda: warpfold.edit_distance("a", "b", max_distance=-1), OverflowError, r"max_distance is -1: an integer from 0"),
    (lambda: warpfold.edit_distance("a", "b", max_distance=1.5), TypeError, r"max_distance is 1.5: an integer"),
    (lambda: warpfold.edit_distance("a", "b", costs=(1, 1)), ValueError, r"costs is \(1, 1\): \(insertion, deletion, substitution\)"),
    (lambda: warpfold.edit_distance("a", "b", costs=5), TypeError, r"costs is 5: "),
    (lambda: warpfold.edit_distance("a", "b", costs=(1, -1, 1)), ValueError, r"the cost of deletion is -1: 0 or more"),
    (lambda: warpfold.edit_distance("a", "b", costs=(1, 1, 0.5)), TypeError, r"costs is 0.5: an integer"),
    (lambda: warpfold.edit_distance("a", "b", ties="up"), ValueError, r"ties is 'up': 'left' or 'right' is accepted"),
    (lambda: warpfold.edit_distance("a", "b", dtype="int32"), TypeError, r"dtype is not accepted here: distances are integers"),
    (lambda: warpfold.edit_distance("a", "b", algorithm="quick"), ValueError, r"quick"),
    (lambda: warpfold.lcs("a", None), TypeError, r"b is None"),
    (lambda: warpfold.verify("a", warpfold.lcs("a", "b")), TypeError, r"problem is 'a': \(a, b\) is accepted"),
]


@pytest.mark.parametrize(("call", "error", "message"), WRONG)
def test_a_wrong_argument_is_named(call, error, message):
    with pytest.raises(error, match=message):
        call()


@pytest.mark.parametrize(("a", "b"), [("ACGTRN", "GCGTAT"), (b"acgurn", b"gcgtat")])
def test_ambiguity_letters_match_what_they_have_a_base_in_common_with(a, b):
    sets = warpfold.edit_distance(a, b, script=True, iupac=True)
    assert sets.distance == 1 and sets.script.cigar == "1X5="
    assert warpfold.edit_distance(a, b).distance > 1
    common = warpfold.lcs(a, b, script=True, iupac=True)
    aligned = warpfold.align(a, b, script=True, iupac=True)
    assert common.length == 5 and aligned.score == 4
    for answer in (sets, common, aligned):
        assert warpfold.verify((a, b), answer, optimal=True)
    assert not warpfold.verify((a, b[:1] + b[2:]), sets)


def test_sets_of_bases_are_for_letters_of_dna():
    with pytest.raises(ValueError, match="symbol 2 of the first sequence is 'E': .* accepted as sets of bases"):
        warpfold.edit_distance("AE", "AC", iupac=True)
    with pytest.raises(ValueError, match="a matrix scores the ambiguity letters itself"):
        warpfold.align("AC", "AC", matrix="BLOSUM62", iupac=True)


def test_verify_sees_another_pair():
    found = warpfold.edit_distance("kitten", "sitting", script=True)
    assert not warpfold.verify(("kitten", "mittens"), found)
    assert not warpfold.verify(("kitten", "kitten"), warpfold.lcs("kitten", "sitting"), optimal=True)


def test_every_algorithm_returns_the_same(rng):
    a, b = ("".join(rng.choice(list("acgt"), size)) for size in (300, 280))
    expected = warpfold.edit_distance(a, b, script=True)
    for algorithm in ("table", "words", "rows"):
        found = warpfold.edit_distance(a, b, script=True, algorithm=algorithm)
        assert found.report.algorithm == algorithm
        assert found.distance == expected.distance and found.script == expected.script


def test_edlib_finds_the_same_distances(rng):
    edlib = pytest.importorskip("edlib")
    for size in (10, 100, 1000):
        a, b = ("".join(rng.choice(list("acgt"), size)) for _ in range(2))
        assert warpfold.edit_distance(a, b).distance == edlib.align(a, b)["editDistance"]


def test_rapidfuzz_finds_the_same_distances(rng):
    distance = pytest.importorskip("rapidfuzz.distance")
    for size in (10, 100, 1000):
        a, b = ("".join(rng.choice(list("abcdé"), size)) for _ in range(2))
        assert warpfold.edit_distance(a, b).distance == distance.Levenshtein.distance(a, b)
        assert warpfold.edit_distance(a, b, costs=(1, 2, 3)).distance == distance.Levenshtein.distance(a, b, weights=(1, 2, 3))
        assert warpfold.edit_distance(a, b, transpositions=True).distance == distance.OSA.distance(a, b)
        assert warpfold.lcs(a, b).length == distance.LCSseq.similarity(a, b)
