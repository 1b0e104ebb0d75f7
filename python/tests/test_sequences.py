"""Edit distances and longest common subsequences: against naive tables, and against other libraries where they are."""

import itertools
import pathlib
import shutil
import subprocess

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
    apart = warpfold.edit_distance("ca", "abc", script=True, transpositions="unrestricted")
    assert warpfold.verify(("ca", "abc"), apart, optimal=True)
    assert (apart.distance, apart.script.cigar) == (2, "1(1I1)")
    assert apart.script.editops() == [("replace", 0, 0), ("insert", 1, 1), ("replace", 1, 2)]
    with pytest.raises(ValueError, match="transpositions is 'some': True, False or 'unrestricted' is accepted"):
        warpfold.edit_distance("a", "b", transpositions="some")


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
    (lambda: warpfold.edit_distance("a", "b", costs=(1, 1, 0.5)), TypeError, r"costs\[2\] is 0.5: an integer"),
    (lambda: warpfold.edit_distance("a", "b", ties="up"), ValueError, r"ties is 'up': 'left', 'right', 'shortest' or 'longest' is accepted"),
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


@pytest.mark.parametrize(("ties", "least"), [("shortest", len), ("longest", lambda steps: -len(steps))])
def test_ties_by_columns_are_those_of_all_scripts(ties, least):
    def scripts(a, b):
        """All scripts, in the order in which a walk from the end would try their last steps."""
        if not a and not b:
            yield ""
        if a and b:
            yield from (steps + ("=" if a[-1] == b[-1] else "X") for steps in scripts(a[:-1], b[:-1]))
        if a:
            yield from (steps + "D" for steps in scripts(a[:-1], b))
        if b:
            yield from (steps + "I" for steps in scripts(a, b[:-1]))

    words = ["".join(letters) for size in range(4) for letters in itertools.product("ab", repeat=size)]
    for a, b in itertools.product(words, repeat=2):
        expected = min(scripts(a, b), key=lambda steps: (len(steps) - steps.count("="), least(steps)))
        found = warpfold.edit_distance(a, b, True, ties=ties)
        assert steps_of(found.script) == expected, (a, b)
        assert warpfold.verify((a, b), found, optimal=True)
        assert warpfold.edit_scripts([a], [b], ties=ties) == [found.script]
        assert warpfold.lcs(a, b, True, ties=ties).script == warpfold.lcs(a, b, True).script


def test_composed_scripts_turn_the_first_into_the_last(rng):
    for alphabet in ("ab", "acgt"):
        a, b, c, d = ("".join(rng.choice(list(alphabet), size)) for size in (40, 50, 45, 30))
        ab, bc, cd = (warpfold.edit_distance(*pair, script=True).script for pair in ((a, b), (b, c), (c, d)))
        ac = ab.compose(bc, a, c)
        assert replayed(ac.opcodes(), a, c) == list(c)
        assert ac.compose(cd, a, d) == ab.compose(bc.compose(cd, b, d), a, d)
        assert all(a[i] == c[k] for i, k in ac.pairs())
    words = "the cat sat".split()
    kept = warpfold.lcs(words, words[1:], script=True).script
    assert kept.compose(kept.inverse(), words, words).cigar == "1I1D2="
    with pytest.raises(ValueError, match="the scripts go over symbols 0 to 2 and 0 to 3 of the sequence between"):
        kept.compose(kept, words, words)


LICENSES = [("GPL-2", "GPL-3"), ("GFDL-1.2", "GFDL-1.3"), ("MPL-1.1", "MPL-2.0")]


@pytest.mark.parametrize("names", LICENSES)
def test_license_texts_have_a_minimal_difference(names):
    paths = [pathlib.Path("/usr/share/common-licenses", name) for name in names]
    if not all(path.is_file() for path in paths):
        pytest.skip(f"{paths[0].parent} has not both of {' and '.join(names)}")
    texts = [path.read_text() for path in paths]
    a, b = (text.split("\n") for text in texts)
    found = warpfold.lcs(a, b, script=True)
    assert replayed(found.script.opcodes(), a, b) == b
    assert warpfold.verify((a, b), found, optimal=True)
    if shutil.which("diff"):
        printed = subprocess.run(["diff", "--minimal", *map(str, paths)], capture_output=True, text=True, check=False).stdout
        changes = sum(line[:1] in "<>" for line in printed.splitlines())
        assert len(a) + len(b) - 2 * found.length == changes
    expected = warpfold.edit_distance(*texts, script=True)
    assert warpfold.verify(tuple(texts), expected, optimal=True)
    for algorithm in ("diagonals", "band", "slices"):
        assert warpfold.edit_distance(*texts, script=True, algorithm=algorithm).script == expected.script


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
        assert warpfold.edit_distance(a, b, transpositions="unrestricted").distance == distance.DamerauLevenshtein.distance(a, b)
        assert warpfold.lcs(a, b).length == distance.LCSseq.similarity(a, b)


def test_stringzillas_finds_the_same_distances(rng):
    stringzillas = pytest.importorskip("stringzillas")
    strings = pytest.importorskip("stringzilla").Strs
    engine = stringzillas.LevenshteinDistances(capabilities=("serial",))
    a, b = (["".join(rng.choice(list("acgt"), size)) for size in rng.integers(1, 300, 20)] for _ in range(2))
    assert np.array_equal(np.asarray(engine(strings(a), strings(b))), warpfold.cdist(a, b))


@pytest.mark.parametrize("algorithm", ["diagonals", "band", "slices", "words"])
def test_coastlines_are_sequences_of_turns(headings, algorithm):
    """Turns from side to side, in sixteenths of a circle."""
    a, b = (np.floor(np.diff(headings(name)) % (2 * np.pi) * 8 / np.pi).astype(np.uint8) for name in ("great-britain", "iceland"))
    expected = warpfold.edit_distance(a, b, script=True, algorithm="table")
    found = warpfold.edit_distance(a, b, script=True, algorithm=algorithm)
    assert found.distance == expected.distance and found.script == expected.script
    assert warpfold.verify((a, b), found, optimal=True)
    shifted = np.roll(a, 100)
    assert warpfold.edit_distance(a, shifted, algorithm=algorithm).distance <= 200
    assert warpfold.lcs(a, shifted, algorithm=algorithm).length >= len(a) - 100
