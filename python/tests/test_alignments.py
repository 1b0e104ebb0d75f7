"""Scored alignments: against naive tables, and against other libraries where they are."""

import itertools
import random

import numpy as np
import pytest

import warpfold

PROTEINS = "ARNDCQEGHILKMFPSTWYV"


def drawn(length, seed, alphabet=PROTEINS):
    source = random.Random(seed)
    return "".join(source.choice(alphabet) for _ in range(length))


def naive_score(a, b, score, gap, mode="global"):
    """The recurrence as it stands: every length of every gap."""
    free_a, free_b = mode in ("local", "overlap"), mode in ("local", "overlap", "infix")
    table = {}
    for i, j in itertools.product(range(len(a) + 1), range(len(b) + 1)):
        options = [0] if i == j == 0 or (i == 0 and free_b) or (j == 0 and free_a) or mode == "local" else []
        if i and j:
            options.append(table[i - 1, j - 1] + score(a[i - 1], b[j - 1]))
        options += [table[i - k, j] - gap(k) for k in range(1, i + 1)]
        options += [table[i, j - k] - gap(k) for k in range(1, j + 1)]
        table[i, j] = max(options)
    if mode == "local":
        return max(table.values())
    ends = [table[len(a), len(b)]]
    if mode in ("infix", "prefix", "overlap"):
        ends += [table[len(a), j] for j in range(len(b))]
    if mode == "overlap":
        ends += [table[i, len(b)] for i in range(len(a))]
    return max(ends)


def replayed_score(found, a, b, score, gap):
    total, (i, j) = 0, found.begin
    digits = ""
    for letter in found.script.cigar:
        if letter.isdigit():
            digits += letter
            continue
        length, digits = int(digits), ""
        if letter in "=X":
            total += sum(score(a[i + k], b[j + k]) for k in range(length))
            assert all((a[i + k] == b[j + k]) == (letter == "=") for k in range(length))
        else:
            total -= gap(length)
        i += length if letter != "I" else 0
        j += length if letter != "D" else 0
    assert (i, j) == found.end
    return total


@pytest.mark.parametrize("mode", ["global", "local", "infix", "prefix", "overlap"])
def test_scores_are_those_of_the_naive_table(mode):
    for seed in range(12):
        a, b = drawn(seed * 2, seed, "ABC"), drawn(20 - seed, seed + 100, "ABC")

        def score(x, y):
            return 3 if x == y else -2

        for gap, cost in (((4, 1), lambda k: 4 + k), (2, lambda k: 2 * k), ((1, 3, 6, 1), lambda k: min(1 + 3 * k, 6 + k))):
            found = warpfold.align(a, b, True, match=3, mismatch=-2, gap=gap, mode=mode)
            assert found.score == found.cost == naive_score(a, b, score, cost, mode)
            assert replayed_score(found, a, b, score, cost) == found.score
            assert warpfold.align(a, b, match=3, mismatch=-2, gap=gap, mode=mode).score == found.score
            assert warpfold.verify((a, b), found, optimal=True)


def test_a_list_names_free_ends():
    assert warpfold.align("abc", "bcd", mode=["begin-a", "end-b"]).score == 2
    assert warpfold.align("abc", "bcd", mode=[]).score == warpfold.align("abc", "bcd").score
    assert warpfold.align("abc", "xabcx", mode=("begin-b", "end-b")).score == warpfold.align("abc", "xabcx", mode="infix").score


def test_a_matrix_is_a_name_or_symbols_and_scores():
    assert warpfold.align("HEAGAWGHEE", "PAWHEAE", matrix="BLOSUM50", gap=8).score == 1
    scores = [[1, -2], [-3, 4]]
    assert warpfold.align("ab", "ab", matrix=("ab", scores)).score == 5
    assert warpfold.align("a", "b", matrix=("ab", np.array(scores, np.int8))).score == -2
    assert warpfold.align(b"b", b"a", matrix=(b"ab", np.array(scores))).score == -3
    assert warpfold.align(np.array([7, 9]), np.array([7, 9]), matrix=(np.array([7, 9]), scores)).score == 5


def test_any_symbols_match_or_do_not():
    assert warpfold.align("the cat sat".split(), "the cat".split(), gap=(0, 1)).score == 1
    assert warpfold.align([1, 2, 3], [1, 3]).score == 1
    assert warpfold.align("", "").score == 0


def test_ties_choose_the_side_of_a_gap():
    assert warpfold.align("abbbc", "abbc", True).script.cigar == "1=1D3="
    assert warpfold.align("abbbc", "abbc", True, ties="right").script.cigar == "3=1D1="


@pytest.mark.parametrize("mode", ["global", "local", "infix", "prefix", "overlap"])
@pytest.mark.parametrize("ties", ["left", "right", "shortest", "longest"])
def test_the_end_is_the_same_with_and_without_a_script(mode, ties):
    for seed in range(20):
        a, b = drawn(seed, seed, "AB"), drawn(20 - seed, seed + 100, "AB")
        found = warpfold.align(a, b, True, mode=mode, ties=ties)
        assert warpfold.align(a, b, mode=mode, ties=ties).end == found.end
        assert warpfold.verify((a, b), found, optimal=True)


def test_ties_by_columns_have_the_fewest_and_the_most():
    assert warpfold.align("ab", "ba", True, mismatch=0, match=0, gap=0, ties="shortest").script.cigar == "2X"
    assert warpfold.align("ab", "ba", True, match=1, mismatch=-1, gap=1, ties="longest").score == -1
    with pytest.raises(ValueError, match="the cost to extend a gap is 0: for the longest alignment 1 or more"):
        warpfold.align("ab", "ba", True, gap=(1, 0), ties="longest")


def test_what_is_not_asked_for_is_none():
    found = warpfold.align("abc", "abd")
    assert found.script is None and found.begin is None and found.end == (3, 3)
    assert repr(found) == "Alignment(1)"


def test_a_wrong_problem_is_not_verified():
    found = warpfold.align("abc", "abd", True)
    assert warpfold.verify(("abc", "abd"), found)
    assert not warpfold.verify(("abc", "xyz"), found)


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ({"mode": "round"}, ValueError),
        ({"mode": ["begin"]}, ValueError),
        ({"gap": (1, 2, 3)}, ValueError),
        ({"gap": (-1, 2)}, ValueError),
        ({"gap": "1"}, TypeError),
        ({"matrix": ("a", [[1]])}, ValueError),
        ({"matrix": ("ab", [[1]])}, ValueError),
        ({"matrix": 3}, TypeError),
        ({"match": 1.5}, TypeError),
        ({"match": 2, "matrix": "BLOSUM62"}, ValueError),
        ({"mismatch": -1, "matrix": "BLOSUM62"}, ValueError),
        ({"ties": "middle"}, ValueError),
        ({"dtype": "float64"}, TypeError),
    ],
)
def test_wrong_arguments_are_named(words, error):
    with pytest.raises(error, match=next(iter(words))):
        warpfold.align("ab", "ba", **words)


def test_scores_are_parasails():
    parasail = pytest.importorskip("parasail")
    for seed in range(5):
        a, b = drawn(900 + 100 * seed, seed), drawn(1100, seed + 50)
        for mode, function in (
            ("global", parasail.nw_striped_32),
            ("local", parasail.sw_striped_32),
            ("overlap", parasail.sg_striped_32),
            ("infix", parasail.sg_dx_striped_32),
        ):
            # Its opening is the cost of the first symbol.
            expected = function(a, b, 12, 1, parasail.blosum62).score
            assert warpfold.align(a, b, matrix="BLOSUM62", gap=(11, 1), mode=mode).score == expected


def test_scores_are_biopythons():
    align = pytest.importorskip("Bio.Align")
    aligner = align.PairwiseAligner()
    for matrix in ("BLOSUM45", "BLOSUM62", "BLOSUM90", "PAM30", "PAM250"):
        aligner.substitution_matrix = align.substitution_matrices.load(matrix)
        aligner.open_gap_score, aligner.extend_gap_score = -12, -1
        a, b = drawn(400, 1), drawn(500, 2)
        for mode in ("global", "local"):
            aligner.mode = mode
            assert warpfold.align(a, b, matrix=matrix, mode=mode).score == aligner.score(a, b)


def test_costs_are_wavefronts():
    pywfa = pytest.importorskip("pywfa")
    aligner = pywfa.WavefrontAligner(mismatch=4, gap_opening=6, gap_extension=2, heuristic=None)
    for seed in range(5):
        a, b = drawn(300, seed, "ACGT"), drawn(320, seed + 9, "ACGT")
        found = warpfold.align(a, b, match=0, mismatch=-4, gap=(6, 2))
        assert found.score == aligner.wavefront_align(a, b)
