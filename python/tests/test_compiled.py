"""Recurrences that are structs in C++, compiled where they are used, against those declared by arrays."""

import gc
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
    _compile.grammar.cache_clear()
    assert np.array_equal(folded("GGGAAAUCC").values, declared("GGGAAAUCC").values)
    assert grammar(RANKED, "GGCC").values(0).shape == (5, 5)
    _compile.functions.cache_clear()
    _compile.grammar.cache_clear()


def test_a_table_is_checked_and_one_of_other_members_found_out():
    found = folded("GGGAAAUCC")
    words = {"members": members_of("GGGAAAUCC")}
    assert warpfold.verify_compiled_recurrence(FOLDED, 10, found, **words).is_optimal
    assert not warpfold.verify_compiled_recurrence(FOLDED, 10, found, members=members_of("GGGAAAUCA"))
    assert "points" in warpfold.verify_compiled_recurrence(FOLDED, 9, found, **words).violation


def test_two_texts_may_declare_structs_of_one_name():
    source = """struct Leaf {
      using Semiring = warpfold::MinPlus<TYPE>;
      TYPE leaf(std::size_t) const { return VALUE; }
      TYPE weight(std::size_t, std::size_t) const { return 0; }
    };"""
    for kind, value in [("double", 0.5), ("std::int64_t", 7), ("double", 2.5)]:
        text = source.replace("TYPE", kind).replace("VALUE", str(value))
        assert warpfold.compiled_recurrence(text, 3).cost == 2 * value


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


PAIR_OF_NUMBERS = """
struct Best { double cost; int count; };
struct Cheapest {
  using Value = Best;
  static constexpr Value zero() { return {1e300, 0}; }
  static constexpr Value one() { return {0, 1}; }
  static constexpr bool is_zero(const Value& value) { return value.count == 0; }
  static Value plus(const Value& a, const Value& b) { return a.cost < b.cost ? a : b; }
  static Value times(const Value& a, const Value& b) { return {a.cost + b.cost, a.count * b.count}; }
};
struct Pairs {
  using Semiring = Cheapest;
  Best leaf(std::size_t) const { return {0, 1}; }
  Best weight(std::size_t, std::size_t) const { return {1, 1}; }
};
"""


def test_mistakes_in_the_call_have_a_line_without_generated_code():
    for call, message in [
        (lambda: warpfold.compiled_recurrence(LENGTH, 2, members={"text": "a", "zz": 3}), "^Length has no member zz$"),
        (lambda: warpfold.compiled_recurrence(LENGTH, 2, struct="Z"), "^struct is 'Z': the name of a struct in source is accepted$"),
        (lambda: warpfold.compiled_recurrence(PAIR_OF_NUMBERS, 3), "^the Value of the semiring is no number that Python takes"),
    ]:
        with pytest.raises(ValueError, match=message):
            call()


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

RANKED = """
struct Stacking {
  using Semiring = warpfold::MaxPlus<std::int32_t>;
  enum Table : unsigned { pairs, all, tables };
  static constexpr warpfold::interval::Product products[] = {{.left = all, .right = pairs}};
  std::string_view bases;
  std::int32_t worth = 1;

  bool may_pair(std::size_t i, std::size_t j) const {
    return j - i >= 2 && std::string_view("AU UA CG GC GU UG").find(std::array{bases[i], bases[j - 1], '\\0'}.data()) != std::string_view::npos;
  }
  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const std::int32_t pair = may_pair(i, j) ? worth : Semiring::zero();
    add(pairs, j == i + 2 ? pair : Semiring::zero());
    add(pairs, pair, add.inside(all, 1, 1));
    add(all, j == i + 1 ? 0 : Semiring::zero());
    add(all, add.here(pairs));
    add(all, add.inside(all, 0, 1));
    add(all, add.product(0));
  }
};
"""
SUMS = RANKED.replace("MaxPlus<std::int32_t>", "ScaledSum<double>").replace("std::int32_t", "double").replace("? 0 :", "? 1.0 :")


# Pairs of four kinds of bases, in a text of pairs and of bases that do not pair.
LEARNED = """
struct Learned {
  using Semiring = warpfold::ScaledSum<double>;
  using Weight = warpfold::interval::Weight;
  enum Table : unsigned { pairs, all, tables };
  enum PrefixTable : unsigned { text, prefix_tables };
  static constexpr warpfold::interval::Product products[] = {{.left = all, .right = pairs}};
  static constexpr warpfold::interval::PrefixSum prefix_sums[] = {{.left = text, .right = pairs}};
  std::span<const std::uint8_t> kinds;
  warpfold::MatrixView<const double> score;
  std::span<const double> free;
  double stack = 1;

  template <class Add>
  void terms(std::size_t i, std::size_t j, Add& add) const {
    const Weight pair = j - i >= 2 ? Weight(score(kinds[i], kinds[j - 1])) : Weight();
    add(pairs, j == i + 2 ? pair : Weight());
    add(pairs, pair, Weight(stack), add.inside(pairs, 1, 1));
    add(pairs, pair, add.inside(all, 1, 1));
    add(all, j == i + 1 ? Weight(free[kinds[i]]) : Weight());
    add(all, add.here(pairs));
    add(all, Weight(free[kinds[j - 1]]), add.inside(all, 0, 1));
    add(all, add.product(0));
  }
  template <class Add>
  void prefix_terms(std::size_t j, Add& add) const {
    add(text, j == 0 ? 1.0 : 0.0);
    add(text, j > 0 ? Weight(free[kinds[j - 1]]) : Weight(), add.before(text, 1));
    add(text, add.prefix(0));
  }
};
"""


def learned_members(rng, bases=70):
    kinds = rng.integers(0, 4, bases).astype(np.uint8)
    return {"kinds": kinds, "score": rng.random((4, 4)) + 0.1, "free": rng.random(4) + 0.5, "stack": 1.7}


def structures(bases):
    """All sets of pairs that nest, as sorted tuples of (i, j)."""

    def of(i, j):
        if i >= j:
            return [()]
        found = list(of(i, j - 1))
        for k in range(i, j - 1):
            if bases[k] + bases[j - 1] in "AU UA CG GC GU UG".split():
                found += [tuple(sorted((*left, *inner, (k, j - 1)))) for left in of(i, k) for inner in of(k + 1, j - 1)]
        return found

    return of(0, len(bases))


def pairs_of(steps):
    return tuple(sorted((int(i), int(j) - 1) for table, i, j, *_ in steps if table == 0))


def grammar(source, bases, **words):
    return warpfold.compiled_grammar(source, len(bases) + 1, members={"bases": bases}, **words)


@pytest.mark.parametrize("bases", ["A", "AU", "GGCC", "GAUCGAUC"])
def test_a_grammar_lists_all_derivations_the_best_first(bases):
    found, expected = grammar(RANKED, bases), structures(bases)
    assert found.cost == max(map(len, expected))
    ranked = found.best(10**6)
    assert [value for value, _ in ranked] == sorted(map(len, expected), reverse=True)
    assert sorted(pairs_of(steps) for _, steps in ranked) == sorted(expected)
    assert [value for value, _ in found.best(2)] == [value for value, _ in ranked[:2]]
    near = [value for value, _ in ranked if value >= found.cost - 1]
    assert [value for value, _ in found.within(1)] == near
    assert len(found.within(10**9, limit=2)) == min(2, len(expected))
    assert len(pairs_of(found.derivation())) == found.cost
    assert found.verify() and found.values(1)[0, -1] == found.cost and found.points == len(bases) + 1


def test_a_grammar_of_sums_has_logarithms_marginals_and_samples():
    bases = "GAUCGAUC"
    found, expected = grammar(SUMS, bases), structures(bases)
    assert found.cost == pytest.approx(math.log(len(expected)))
    assert found.values(1)[0, -1] == found.cost and found.values(0)[0, 1] == -np.inf
    marginals = found.marginals(0)
    for i, j in itertools.combinations(range(len(bases)), 2):
        assert marginals[i, j + 1] == pytest.approx(sum((i, j) in one for one in expected) / len(expected))
    drawn = [pairs_of(steps) for steps in found.sample(4000, seed=1)]
    assert set(drawn) <= set(expected)
    assert [pairs_of(steps) for steps in found.sample(3, seed=1)] == drawn[:3]
    assert sum(not one for one in drawn) / 4000 == pytest.approx(1 / len(expected), abs=0.02)


def test_a_grammar_keeps_its_members():
    found = warpfold.compiled_grammar(RANKED, 201, members={"bases": "GC" * 100, "worth": 3})
    gc.collect()
    assert found.cost == 300 and found.best(1)[0][0] == 300


def test_what_a_grammar_has_not_is_refused():
    found = grammar(RANKED, "GGCC")
    for call, error, words in [
        (lambda: found.values(2), ValueError, "table is 2: 0 to 1 is accepted"),
        (lambda: found.marginals(0), ValueError, "marginals need another semiring"),
        (lambda: found.sample(1), ValueError, "samples need another semiring"),
        (lambda: found.within(-1), ValueError, "within is -1: 0 or more is accepted"),
        (lambda: found.best(-1), OverflowError, "k is -1"),
        (lambda: grammar(SUMS, "GGCC").best(1), ValueError, "ranked derivations need another semiring"),
        (lambda: grammar(SUMS, "GGCC").derivation(), ValueError, "derivations need another semiring"),
        (lambda: grammar(RANKED, ""), ValueError, "1 points"),
        (lambda: grammar("struct G {};", "GGCC"), ValueError, "^G has no member bases$"),
        (lambda: warpfold.compiled_grammar("struct G {};", 5), ValueError, "does not compile:"),
    ]:
        with pytest.raises(error, match=words):
            call()
    with pytest.raises(MemoryError):
        grammar(RANKED, "GC" * 12).best(10**7, max_memory=10**6)


def numeric_gradient(value, members, name, step=1e-6):
    """The derivatives by the numbers of a member, by differences."""
    given = np.array(members[name], float)
    found = np.zeros_like(given)
    for at in np.ndindex(given.shape):
        more, less = given.copy(), given.copy()
        more[at] += step
        less[at] -= step
        found[at] = (value({**members, name: more}) - value({**members, name: less})) / (2 * step)
    return found


def test_derivatives_of_ln_z_are_those_of_finite_differences(rng):
    members = learned_members(rng)
    points = len(members["kinds"]) + 1

    def value(given):
        return warpfold.compiled_grammar(LEARNED, points, members=given).cost

    tables = warpfold.compiled_grammar(LEARNED, points, members=members)
    found = tables.derivatives()
    assert list(found) == ["score", "free", "stack"] and found["score"].shape == (4, 4)
    for name in found:
        assert found[name] == pytest.approx(numeric_gradient(value, members, name), rel=1e-6, abs=1e-8)
    assert np.isclose(np.sum(found["free"] * members["free"]) + 2 * np.sum(found["score"] * members["score"]), points - 1)
    assert warpfold.log_partition(LEARNED, points, members=members) == tables.cost


def test_derivatives_skip_the_gaps_of_a_matrix(rng):
    members = learned_members(rng)
    points = len(members["kinds"]) + 1
    expected = warpfold.compiled_grammar(LEARNED, points, members=members).derivatives()
    wide = np.zeros((4, 9))
    wide[:, :4] = members["score"]
    found = warpfold.compiled_grammar(LEARNED, points, members={**members, "score": wide[:, :4]}).derivatives()
    assert np.array_equal(found["score"], expected["score"])


def test_prefix_tables_have_a_value_for_each_point(rng):
    members = learned_members(rng)
    points = len(members["kinds"]) + 1
    tables = warpfold.compiled_grammar(LEARNED, points, members=members)
    text, marginals = tables.values(2), tables.marginals(2)
    assert text.shape == marginals.shape == (points,)
    assert text[0] == 0 and text[-1] == tables.cost and marginals[[0, -1]] == pytest.approx(1)
    assert tables.verify() and tables.values(1).shape == (points, points)
    step = tables.sample(1)[0][0]
    assert step[0] == 2 and step[1] == 0 and step[2] == points - 1
    with pytest.raises(ValueError, match="table is 3: 0 to 2 is accepted"):
        tables.values(3)


def test_derivatives_need_sums():
    for call in (lambda: grammar(RANKED, "GGCC").derivatives(), lambda: warpfold.log_partition(RANKED, 5, members={"bases": "GGCC"})):
        with pytest.raises(ValueError, match="another semiring: sums by ScaledSum<double> are accepted"):
            call()


def learned_value(members, score, free, stack, **options):
    given = {**members, "score": score, "free": free, "stack": stack}
    return warpfold.log_partition(LEARNED, len(members["kinds"]) + 1, members=given, **options)


def test_torch_differentiates_the_logarithm_of_a_sum(rng):
    torch = pytest.importorskip("torch")
    members = learned_members(rng, bases=20)
    expected = warpfold.compiled_grammar(LEARNED, 21, members=members)
    weights = [torch.tensor(members[name], dtype=torch.float64, requires_grad=True) for name in ("score", "free", "stack")]
    value = learned_value(members, *weights, threads=1)
    assert value.dtype == torch.float64 and value.item() == expected.cost
    (3 * value).backward()
    for name, weight in zip(("score", "free", "stack"), weights):
        assert np.array_equal(weight.grad.numpy(), 3 * np.asarray(expected.derivatives()[name]))
    assert torch.autograd.gradcheck(lambda *all: learned_value(members, *all), weights)
    with torch.no_grad():
        assert learned_value(members, *weights) == expected.cost


def test_torch_learns_through_energies_of_float32(rng):
    torch = pytest.importorskip("torch")
    members = learned_members(rng, bases=20)
    energies = torch.zeros((4, 4), requires_grad=True)
    loss = -learned_value(members, torch.exp(-energies), members["free"], 1.0)
    loss.backward()
    assert energies.grad.dtype == torch.float32 and energies.grad.shape == (4, 4)
    with pytest.raises(RuntimeError, match="first derivatives only"):
        weight = torch.tensor(members["score"], requires_grad=True)
        (first,) = torch.autograd.grad(learned_value(members, weight, members["free"], 1.0), weight, create_graph=True)
        first.sum().backward()


def test_jax_differentiates_the_logarithm_of_a_sum(rng):
    jax = pytest.importorskip("jax")
    members = learned_members(rng, bases=20)
    given = [jax.numpy.asarray(members[name]) for name in ("score", "free", "stack")]
    rounded = {**members, **{name: np.asarray(one, float) for name, one in zip(("score", "free", "stack"), given)}}
    expected = warpfold.compiled_grammar(LEARNED, 21, members=rounded)

    def value(*weights):
        return 2 * learned_value(members, *weights)

    assert value(*given) == pytest.approx(2 * expected.cost, rel=1e-6)
    for gradient in (jax.grad(value, (0, 1, 2)), jax.jit(jax.grad(value, (0, 1, 2)))):
        for name, found in zip(("score", "free", "stack"), gradient(*given)):
            assert np.asarray(found) == pytest.approx(2 * np.asarray(expected.derivatives()[name]), rel=1e-5)
    several = jax.vmap(lambda stack: value(given[0], given[1], stack))(jax.numpy.asarray([1.0, 2.0]))
    assert several[0] < several[1]


def test_jax_compiles_the_logarithm_of_a_sum_of_an_array_of_integers(rng):
    jax = pytest.importorskip("jax")
    members = learned_members(rng, bases=20)
    weights = [jax.numpy.asarray(members[name]) for name in ("score", "free", "stack")]
    kinds = jax.numpy.asarray(members["kinds"])

    def value(kinds, *weights):
        return warpfold.log_partition(LEARNED, 21, members=dict(zip(("kinds", "score", "free", "stack"), (kinds, *weights))))

    gradient = jax.grad(value, (1, 2, 3))
    for expected, found in zip(gradient(kinds, *weights), jax.jit(gradient)(kinds, *weights)):
        assert np.array_equal(expected, found)
    assert jax.jit(value)(kinds, *weights) == value(members["kinds"], *weights)
    both = jax.vmap(value, (0, None, None, None))(jax.numpy.stack([kinds, 3 - kinds]), *weights)
    assert both[0] == value(kinds, *weights) != both[1]
