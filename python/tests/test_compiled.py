"""Recurrences that are structs in C++, compiled where they are used, against those declared by arrays."""

import itertools
import math
import shutil

import numpy as np
import pytest

import warpfold
from warpfold import _compile

pytestmark = pytest.mark.skipif(not shutil.which("g++"), reason="no compiler")

FOLDED = """
// The most pairs of an RNA that do not cross, each worth what its bases say.
struct Pairing {};
struct Folded {
  using Semiring = warpfold::MaxPlus<double>;
  std::string_view bases;
  warpfold::MatrixView<const double> worth;  // of a base beside another
  std::span<const std::int32_t> letter;      // which base that is
  std::size_t hairpin;

  double leaf(std::size_t) const { return 0; }
  double close(std::size_t i, std::size_t j, double best, double inner) const {
    if (j - i <= hairpin + 1) return best;
    return Semiring::plus(best, Semiring::times(inner, worth(letter[bases[i]], letter[bases[j - 1]])));
  }
};
"""


def members_of(bases):
    worth = np.full((4, 4), -np.inf)
    for a, b, value in [(0, 3, 2), (1, 2, 3), (2, 3, 1)]:
        worth[a, b] = worth[b, a] = value
    letter = np.full(128, -1, np.int32)
    letter[[ord(base) for base in "ACGU"]] = range(4)
    return {"bases": bases, "worth": worth, "letter": letter, "hairpin": 3}


def folded(bases, **words):
    return warpfold.compiled_recurrence(FOLDED, len(bases) + 1, members={**members_of(bases), **words.pop("members", {})}, **words)


def declared(bases):
    given, n = members_of(bases), len(bases) + 1
    inner = np.full((n, n), -np.inf)
    for i, j in itertools.combinations(range(n), 2):
        if j - i > 4:
            inner[i, j] = given["worth"][given["letter"][ord(bases[i])], given["letter"][ord(bases[j - 1])]]
    return warpfold.interval_recurrence([0.0] * (n - 1), semiring="max-plus", inner=inner)


@pytest.mark.parametrize("length", [1, 2, 9, 64, 200])
def test_a_struct_has_the_bits_of_the_same_declaration(rng, length):
    bases = "".join(rng.choice(list("ACGU"), length))
    found, expected = folded(bases), declared(bases)
    assert np.array_equal(found.values, expected.values)
    assert np.array_equal(found.splits, expected.splits)
    assert found.report.algorithm == "tiled"


@pytest.mark.parametrize("compiler", [one for one in ("clang++", "clang++-14", "clang++-16", "g++-14") if shutil.which(one)])
def test_every_compiler_takes_it_and_gives_the_same_bits(compiler, monkeypatch):
    monkeypatch.setenv("CXX", compiler)
    _compile.functions.cache_clear()
    assert np.array_equal(folded("GGGAAAUCC").values, declared("GGGAAAUCC").values)
    _compile.functions.cache_clear()


def test_a_table_is_checked_and_one_of_other_members_found_out():
    found = folded("GGGAAAUCC")
    words = {"members": members_of("GGGAAAUCC")}
    assert warpfold.verify_compiled_recurrence(FOLDED, 10, found, **words).is_optimal
    assert not warpfold.verify_compiled_recurrence(FOLDED, 10, found, members=members_of("GGGAAAUCA"))
    assert "points" in warpfold.verify_compiled_recurrence(FOLDED, 9, found, **words).violation


def test_the_same_text_is_compiled_once(monkeypatch, cache_folder):
    folded("GGGAAAUCC")
    _compile.functions.cache_clear()  # as another process begins
    monkeypatch.setattr(_compile, "_compile", lambda *_: pytest.fail("it is compiled again"))
    assert folded("GGGAAAUCC").cost == declared("GGGAAAUCC").cost
    assert {file.suffix for file in cache_folder.iterdir()} == {".so"}


def test_options_mean_what_they_mean_elsewhere(rng):
    bases = "".join(rng.choice(list("ACGU"), 3000))
    with pytest.raises(TimeoutError):
        folded(bases, threads=1, time_limit=0.01)
    with pytest.raises(MemoryError):
        folded(bases, max_memory=1000)
    told = []
    folded(bases[:900], progress=lambda done, total: told.append(done / total))
    assert told[-1] == 1


LENGTH = """
struct Length {
  using Semiring = warpfold::MinPlus<double>;
  std::string_view text;
  double leaf(std::size_t) const { return static_cast<double>(text.size()); }
  double weight(std::size_t, std::size_t) const { return 0; }
};
"""


@pytest.mark.parametrize("text", ["a\0b", b"a\0b", ""])
def test_text_is_not_cut_short(text):
    assert warpfold.compiled_recurrence(LENGTH, 2, members={"text": text}).cost == len(text)


def test_what_is_no_member_is_refused():
    for members, error, words in [
        ({"hairpin": -1}, OverflowError, "member hairpin is -1"),
        ({"hairpin": 2**63}, OverflowError, "member hairpin is 9223372036854775808, which int64 does not hold exactly"),
        ({"hairpin": 1.5}, TypeError, "member hairpin is given as a float"),
        ({"letter": [1.0, 2.0]}, TypeError, "member letter is given as a list of float64"),
        ({"worth": 3}, TypeError, "member worth is given as an integer"),
        ({"worth": np.zeros((2, 2, 2))}, ValueError, "member worth is 2 x 2 x 2"),
        ({"bases": object()}, TypeError, "member bases"),
    ]:
        with pytest.raises(error, match=words):
            folded("GGGAAAUCC", members=members)
    with pytest.raises(ValueError, match="is no name"):
        folded("GGGAAAUCC", members={"a;b": 1})
    with pytest.raises(ValueError, match="declares no struct"):
        warpfold.compiled_recurrence("using Nothing = int;", 3)


def test_what_does_not_compile_says_why_and_leaves_nothing(cache_folder):
    before = set(cache_folder.glob("*"))
    bare = """struct Bare {
      using Semiring = warpfold::MinPlus<float>;
      float weight(std::size_t, std::size_t) const { return nowhere; }
    };"""
    with pytest.raises(ValueError, match=r"(?s)does not compile:.*recurrence:3:.*nowhere.*a recurrence has a public member: Value leaf"):
        warpfold.compiled_recurrence(bare, 3)
    assert set(cache_folder.iterdir()) == before


def test_without_a_compiler_it_says_so(monkeypatch):
    _compile.functions.cache_clear()
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(ValueError, match="no C.. compiler is found"):
        folded("GGGAAAUCC")
    monkeypatch.setenv("CXX", "no-such-compiler -O1")
    with pytest.raises(ValueError, match="no-such-compiler on the PATH"):
        folded("GGGAAAUCC")


WIDEST = """
struct Widest {
  using Semiring = warpfold::MaxMin<float>;
  std::span<const float> leaves;
  warpfold::MatrixView<const float> weights;

  float leaf(std::size_t i) const { return leaves[i]; }
  float weight(std::size_t i, std::size_t j) const { return weights(i, j); }
};
"""


def test_a_type_that_the_package_itself_never_fills_runs_in_vector_code_too(rng):
    leaves, weights = rng.integers(0, 99, 80).astype(np.float32), rng.integers(0, 99, (81, 81)).astype(np.float32)
    found = warpfold.compiled_recurrence(WIDEST, 81, members={"leaves": leaves, "weights": weights})
    expected = warpfold.interval_recurrence(leaves, semiring="max-min", weights=weights)
    assert found.values.dtype == np.float32 and np.array_equal(found.values, expected.values)
    assert np.array_equal(found.splits, expected.splits)


COUNTED = """
struct Bracketings {
  using Semiring = warpfold::CountingModulo<1000000007>;
  std::uint64_t leaf(std::size_t) const { return 1; }
  std::uint64_t weight(std::size_t, std::size_t) const { return 1; }
};
"""


def test_what_counts_has_values_and_no_structure():
    found = warpfold.compiled_recurrence(COUNTED, 41)
    assert found.cost == math.comb(78, 39) // 40 % 1000000007
    assert found.values.dtype == np.uint64 and len(found.splits) == 0


THROWING = """struct Throwing {
  using Semiring = warpfold::MinPlus<double>;
  double leaf(std::size_t) const { throw 42; }
  double weight(std::size_t, std::size_t) const { return 0; }
};"""


def test_whatever_a_struct_throws_is_an_error():
    with pytest.raises(ValueError, match="the struct throws what is no std::exception"):
        warpfold.compiled_recurrence(THROWING, 5)


def test_a_library_that_was_cut_short_is_compiled_again(cache_folder):
    source = THROWING.replace("Throwing", "Cut").replace("throw 42", "return 7")
    before = set(cache_folder.glob("*.so"))
    functions = _compile.functions.__wrapped__(source, None, ())
    assert functions.solve
    (library,) = set(cache_folder.glob("*.so")) - before
    library.unlink()  # it stays loaded
    library.write_bytes(b"\x7fELF")
    assert warpfold.compiled_recurrence(source, 3).cost == 14
