"""Folding, against ViennaRNA where it is installed."""

import itertools
import pathlib

import numpy as np
import pytest
import warpfold

HAIRPIN = "GGGGAAAACCCC"


def test_a_folding_has_its_structure_its_pairs_and_its_energy():
    found = warpfold.fold(HAIRPIN)
    assert found.structure == "((((....))))"
    assert found.pairs.tolist() == [[0, 11], [1, 10], [2, 9], [3, 8]]
    assert found.cost == round(100 * found.energy) < 0
    assert warpfold.fold_energy(HAIRPIN, found.structure) == found.energy
    assert found.report.device == "cpu"


def test_foldings_are_equal_if_their_sequences_structures_and_energies_are():
    found = warpfold.fold("ggggaaaacccc")
    assert found.sequence == HAIRPIN
    assert found == warpfold.fold(HAIRPIN) and hash(found) == hash(warpfold.fold(HAIRPIN))
    assert found != warpfold.fold(HAIRPIN, temperature=20) and found != warpfold.fold("AAAA") and found != "((((....))))"


@pytest.mark.parametrize("compute", [warpfold.fold, warpfold.pair_probabilities])
def test_several_sequences_are_any_iterable(compute):
    sequences = ["GGGGAAAACCCC", "AAAA"]
    expected = [compute(one).energy for one in sequences]
    for several in tuple(sequences), np.array(sequences), (one for one in sequences):
        assert [one.energy for one in compute(several)] == expected
    for wrong in b"ACGU", {"a": "ACGU"}, 5:
        with pytest.raises(TypeError, match="text, or several texts"):
            compute(wrong)


def test_a_list_gives_the_foldings_of_its_sequences():
    sequences = ["GGGGAAAACCCC", "AAAA", "ggguuuuccc"]
    assert [one.structure for one in warpfold.fold(sequences)] == [warpfold.fold(one).structure for one in sequences]


@pytest.mark.parametrize("compute", [warpfold.fold, warpfold.pair_probabilities])
def test_a_sequence_that_fails_leaves_its_exception_in_its_place_if_that_is_asked_for(compute):
    sequences = ["GGGAAACCC", "GGX", "AAAA", "GGGGAAAACCCC"]
    constraint = ["." * 9, "...", "||||", "." * 12]
    results = compute(sequences, constraint=constraint, return_exceptions=True)
    assert [type(result).__name__ for result in results[1:3]] == ["ValueError", "InfeasibleError"]
    assert str(results[1]).startswith("sequence[1]: base 3, counted from 1, is 'X'")
    assert str(results[2]) == "sequence[2]: no structure satisfies the constraint"
    for at in 0, 3:
        assert results[at].energy == compute(sequences[at]).energy


def test_the_first_sequence_of_a_list_that_fails_is_named():
    with pytest.raises(warpfold.InfeasibleError, match=r"sequence\[1\]: no structure satisfies"):
        warpfold.fold(["GGGAAACCC", "AAAA"], constraint=["." * 9, "||||"])
    with pytest.raises(TypeError, match=r"sequence\[1\]"):
        warpfold.fold(["GGGAAACCC", 5], return_exceptions=True)


def test_no_structure_of_a_short_sequence_has_less_energy():
    rng = np.random.default_rng(3)
    for _ in range(20):
        sequence = "".join(rng.choice(list("ACGU"), 9))
        energies = [0.0]
        for brackets in itertools.product(".()", repeat=9):
            try:
                energies.append(warpfold.fold_energy(sequence, "".join(brackets)))
            except ValueError:  # no structure of this sequence
                continue
        assert warpfold.fold(sequence).energy == min(energies)


def test_a_folding_is_checked_against_its_sequence():
    found = warpfold.fold(HAIRPIN)
    assert warpfold.verify(HAIRPIN, found)
    assert not warpfold.verify("GGGGAAAACCGC", found)


def test_what_cannot_be_folded_is_refused_in_one_line(tmp_path):
    with pytest.raises(ValueError, match=r"^sequence: base 3, counted from 1, is 'X'"):
        warpfold.fold("GGX")
    with pytest.raises(ValueError, match=r"^sequence\[1\]: .*'X'"):
        warpfold.fold(["GG", "X"])
    with pytest.raises(TypeError, match=r"^sequence is 5: text, or several texts, is accepted"):
        warpfold.fold(5)
    with pytest.raises(TypeError, match=r"^parameters is 5: 'rules-1998' or the path of a file"):
        warpfold.fold(HAIRPIN, parameters=5)
    with pytest.raises(ValueError, match="none.par: cannot be read"):
        warpfold.fold(HAIRPIN, parameters=tmp_path / "none.par")
    with pytest.raises(ValueError, match="none: there is no such file, and no ViennaRNA beside a folder of PATH"):
        warpfold.fold(HAIRPIN, parameters="none")
    with pytest.raises(ValueError, match="dangles"):
        warpfold.fold(HAIRPIN, dangles=1)
    with pytest.raises(ValueError, match="max_span is 9: of a circular sequence 0, no limit, is accepted"):
        warpfold.fold(HAIRPIN, circular=True, max_span=9)


def test_an_empty_sequence_has_the_empty_structure():
    alone, in_list = warpfold.fold(""), warpfold.fold(["", HAIRPIN])
    assert (alone.structure, alone.cost) == (in_list[0].structure, in_list[0].cost) == ("", 0)
    assert warpfold.sample_structures("", 2) == ["", ""] and warpfold.pair_probabilities("").energy == 0


def test_an_ensemble_has_its_energy_and_the_probabilities_of_its_pairs():
    found = warpfold.pair_probabilities(HAIRPIN)
    assert found.energy < warpfold.fold(HAIRPIN).energy
    assert found.centroid == "((((....))))"
    assert found.pairs.shape == (len(found.probabilities), 2)
    assert found.matrix[0, 11] == found.matrix[11, 0] == found.probabilities[found.pairs.tolist().index([0, 11])]
    assert found.unpaired == pytest.approx(1 - found.matrix.sum(axis=0), abs=1e-3)
    assert warpfold.verify(HAIRPIN, found)
    assert not warpfold.verify("GGGGAAAACCGC", found)
    assert [one.energy for one in warpfold.pair_probabilities([HAIRPIN, "AAAA"])] == [found.energy, 0]


def test_the_ensemble_is_the_sum_over_all_structures_of_a_short_sequence():
    rng = np.random.default_rng(5)
    kt = 1.98717e-3 * 310.15
    for _ in range(5):
        sequence = "".join(rng.choice(list("GC"), 9))
        weights = {}
        for brackets in itertools.product(".()", repeat=9):
            structure = "".join(brackets)
            try:
                weights[structure] = np.exp(-warpfold.fold_energy(sequence, structure) / kt)
            except ValueError:  # no structure of this sequence
                continue
        total = sum(weights.values())
        found = warpfold.pair_probabilities(sequence, threshold=0)
        assert found.energy == pytest.approx(-kt * np.log(total), abs=1e-12)
        unpaired = sum(weight for structure, weight in weights.items() if structure[0] == ".") / total
        assert found.unpaired[0] == pytest.approx(unpaired, abs=1e-12)


def test_the_most_accurate_structure_takes_more_pairs_for_a_larger_gamma():
    found = warpfold.pair_probabilities(HAIRPIN)
    assert found.most_accurate() == found.centroid == "((((....))))"
    assert found.most_accurate(gamma=1e-6) == "." * 12
    with pytest.raises(ValueError, match="gamma is 0"):
        found.most_accurate(0)


def test_constraints_and_lone_pairs_hold_for_foldings_ensembles_and_samples():
    constraint = "x.........|."
    found = warpfold.fold(HAIRPIN, constraint=constraint)
    assert found.structure[0] == "." and found.structure[10] == ")"
    assert warpfold.verify(HAIRPIN, found)
    assert warpfold.pair_probabilities(HAIRPIN, constraint=constraint).unpaired[0] == 1
    assert all(one[0] == "." for one in warpfold.sample_structures(HAIRPIN, 9, constraint=constraint))
    both = warpfold.fold([HAIRPIN, HAIRPIN], constraint=["." * 12, constraint])
    assert [one.structure for one in both] == [warpfold.fold(HAIRPIN).structure, found.structure]
    assert warpfold.fold("GAAAC", parameters="rules-1998", lone_pairs=False).structure == "....."
    with pytest.raises(TypeError, match="constraint"):
        warpfold.fold([HAIRPIN], constraint=constraint)
    with pytest.raises(ValueError, match="position 2 of the constraint, counted from 1, is '\\?'"):
        warpfold.fold(HAIRPIN, constraint=".?..........")
    with pytest.raises(ValueError, match="position 1, counted from 1, is '\\)'"):
        warpfold.fold_energy(HAIRPIN, ")...........")
    with pytest.raises(ValueError, match="3 positions"):
        warpfold.fold(HAIRPIN, constraint="...")


def test_samples_are_structures_that_the_seed_determines():
    samples = warpfold.sample_structures(HAIRPIN, 50, seed=4)
    assert samples == warpfold.sample_structures(HAIRPIN, 50, seed=4) != warpfold.sample_structures(HAIRPIN, 50)
    assert samples.count("((((....))))") > 25
    assert all(warpfold.fold_energy(HAIRPIN, one) < 5 for one in samples)


def test_all_structures_of_a_short_sequence_are_listed_once_by_energy():
    sequence = "GGGAAACUCC"
    energies = {}
    for brackets in itertools.product(".()", repeat=len(sequence)):
        structure = "".join(brackets)
        try:
            energies[structure] = warpfold.fold_energy(sequence, structure)
        except ValueError:  # no structure of this sequence
            continue
    found = warpfold.suboptimal_structures(sequence)
    assert {one.structure: one.energy for one in found} == energies
    assert len(found) == len(energies)
    assert [one.energy for one in found] == sorted(energies.values())
    assert all(warpfold.verify(sequence, one) for one in found)


def test_suboptimal_structures_end_at_the_energy_and_at_the_limit():
    found = warpfold.suboptimal_structures(HAIRPIN, within=2.5)
    assert found[0].energy == warpfold.fold(HAIRPIN).energy
    assert len(found) > 1
    assert found[-1].energy <= found[0].energy + 2.5
    assert [one.structure for one in warpfold.suboptimal_structures(HAIRPIN, limit=2)] == [
        one.structure for one in found[:2]
    ]
    with pytest.raises(ValueError, match="within is -1: a number from 0 to 1000 is accepted"):
        warpfold.suboptimal_structures(HAIRPIN, within=-1)


def test_structures_within_an_energy_are_all_listed_up_to_a_stated_bound(recwarn):
    sequence = "GGGAAACCCUUUGGGAAACCCAAAGGG"
    found = warpfold.suboptimal_structures(sequence, within=14)
    assert 1000 < len(found) < 10_000
    assert len(found) == len(warpfold.suboptimal_structures(sequence, within=14, limit=10**6))
    assert len(warpfold.suboptimal_structures(sequence, within=14, limit=7)) == 7
    assert len(warpfold.suboptimal_structures(sequence)) == 1000
    assert not recwarn.list
    with pytest.warns(RuntimeWarning, match=r"10000 structures are listed, more are within 30 kcal/mol: limit= lists more$"):
        assert len(warpfold.suboptimal_structures(sequence, within=30)) == 10_000


def test_energies_of_pairs_count_in_foldings_ensembles_samples_and_evaluations():
    own = [(1, 9, -6), (2, 8, -5.5)]
    structure = ".((.....)).."
    found = warpfold.fold(HAIRPIN, pair_energies=own)
    assert {(1, 9), (2, 8)} <= {tuple(pair) for pair in found.pairs.tolist()}
    assert warpfold.verify(HAIRPIN, found)
    added = warpfold.fold_energy(HAIRPIN, structure, pair_energies=own) - warpfold.fold_energy(HAIRPIN, structure)
    assert added == pytest.approx(-11.5)
    assert warpfold.pair_probabilities(HAIRPIN, pair_energies=own).matrix[1, 9] > 0.99
    assert warpfold.sample_structures(HAIRPIN, 3, pair_energies=own)[0][1:3] == "(("
    assert warpfold.suboptimal_structures(HAIRPIN, limit=1, pair_energies=own)[0].energy == found.energy
    with pytest.raises(TypeError, match="pair_energies is 3: a list of"):
        warpfold.fold(HAIRPIN, pair_energies=3)
    with pytest.raises(TypeError, match="one text is accepted with pair_energies"):
        warpfold.fold([HAIRPIN], pair_energies=own)
    with pytest.raises(ValueError, match="the energy is 101"):
        warpfold.fold(HAIRPIN, pair_energies=[(0, 9, 101)])


def test_positions_of_pairs_with_energies_count_from_0_in_errors():
    for pair, message in [
        ((0, 12, 1), r"^pair_energies: a position is 12: the sequence has 12 bases, counted from 0$"),
        ((-1, 9, 1), r"^pair_energies: a position is -1: the sequence has 12 bases, counted from 0$"),
        ((0, 2**70, 1), r"^pair_energies: a position is 1180591620717411303424: the sequence has 12 bases"),
        ((5, 3, 1), r"^pair_energies: a pair is 5, 3: the smaller position first is accepted$"),
        ((3, 3, 1), r"^pair_energies: a pair is 3, 3: the smaller position first is accepted$"),
    ]:
        for solve in (warpfold.fold, warpfold.pair_probabilities, warpfold.suboptimal_structures):
            with pytest.raises(ValueError, match=message):
                solve(HAIRPIN, pair_energies=[pair])
        with pytest.raises(ValueError, match=message):
            warpfold.fold_energy(HAIRPIN, "." * 12, pair_energies=[pair])
        with pytest.raises(ValueError, match=message):
            warpfold.sample_structures(HAIRPIN, 1, pair_energies=[pair])
    with pytest.raises(ValueError, match=r"^pair_energies: the pair 0, 9 comes again: one energy is accepted$"):
        warpfold.fold(HAIRPIN, pair_energies=[(0, 9, 1), (0, 9, 2)])
    with pytest.raises(TypeError, match="pair_energies is 0.5: an integer is accepted"):
        warpfold.fold(HAIRPIN, pair_energies=[(0.5, 9, 1)])


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
def test_energies_of_pairs_are_accepted_as_an_array(dtype):
    own = [(1, 9, -6), (2, 8, -5)]
    found = warpfold.fold(HAIRPIN, pair_energies=np.array(own, dtype))
    assert (found.structure, found.energy) == (
        warpfold.fold(HAIRPIN, pair_energies=own).structure,
        warpfold.fold(HAIRPIN, pair_energies=own).energy,
    )
    assert warpfold.fold(HAIRPIN, pair_energies=np.zeros((0, 3), dtype)).energy == warpfold.fold(HAIRPIN).energy
    for shape in [(), (3,), (2, 2)]:
        with pytest.raises(TypeError, match=r"a list of tuples \(i, j, energy\), or an array \(n, 3\), is accepted"):
            warpfold.fold(HAIRPIN, pair_energies=np.ones(shape, dtype))


def test_one_sequence_is_accepted_where_a_list_is_not():
    for solve in (
        warpfold.suboptimal_structures,
        lambda texts: warpfold.sample_structures(texts, 1),
        lambda texts: warpfold.fold_energy(texts, "...."),
        lambda texts: warpfold.fold([texts]),
    ):
        with pytest.raises(TypeError, match=r"^sequence(\[0\])? is \['GGGG', 'CCCC'\]: text is accepted$"):
            solve(["GGGG", "CCCC"])


def test_an_ensemble_of_one_structure_has_the_energy_0_without_a_minus():
    assert str(warpfold.pair_probabilities("NNNNNN").energy) == "0.0"


def test_energies_of_pairs_are_those_of_viennarna(tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    rng = np.random.default_rng(9)
    for length in [20, 60, 150]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        own = {(i, j): energy / 100 for i, j, energy in rng.integers([0, 0, -200], [length, length, 200], (200, 3)) if i < j}
        theirs = vienna.fold_compound(sequence)
        for (i, j), energy in own.items():
            theirs.sc_add_bp(int(i) + 1, int(j) + 1, energy)
        found = warpfold.fold(
            sequence, parameters=tmp_path / "vienna.par", pair_energies=[(*pair, energy) for pair, energy in own.items()]
        )
        assert found.energy == pytest.approx(theirs.mfe()[1], abs=1e-4)


def test_a_circular_sequence_is_folded_wherever_it_is_cut():
    sequence = "GGGGAAAACCCCAAAAGGCCAAAA"
    found = warpfold.fold(sequence, circular=True)
    assert warpfold.verify(sequence, found)
    assert warpfold.fold_energy(sequence, found.structure, circular=True) == found.energy
    assert warpfold.fold(sequence[7:] + sequence[:7], circular=True).energy == found.energy


def test_a_circular_sequence_has_an_ensemble_samples_and_a_list():
    sequence = "GGGGAAAACCCCAAAAGGCCAAAA"
    found = warpfold.pair_probabilities(sequence, circular=True)
    assert warpfold.verify(sequence, found)
    assert warpfold.pair_probabilities(sequence[7:] + sequence[:7], circular=True).energy == pytest.approx(found.energy)
    listed = warpfold.suboptimal_structures(sequence, limit=5, circular=True)
    assert listed[0].energy == warpfold.fold(sequence, circular=True).energy
    drawn = warpfold.sample_structures(sequence, 20, circular=True)
    for structure in [*drawn, *(one.structure for one in listed)]:
        assert warpfold.fold_energy(sequence, structure, circular=True) >= listed[0].energy


def test_windows_are_unpaired_as_often_as_the_ratio_of_two_ensembles_says():
    sequence = "GGGGAAAACCCCAAAAGGCCAAAAGGCC"
    found = warpfold.pair_probabilities(sequence, max_window=5)
    assert found.accessibility.shape == (len(sequence), 5)
    assert np.allclose(found.accessibility[:, 0], found.unpaired)
    assert np.isnan(found.accessibility[1, 2:]).all() and not np.isnan(found.accessibility[1, :2]).any()
    kt = 1.98717e-3 * 310.15
    for last, u in [(7, 4), (10, 2), (27, 5)]:
        constraint = "." * (last + 1 - u) + "x" * u + "." * (len(sequence) - last - 1)
        open_energy = warpfold.pair_probabilities(sequence, constraint=constraint).energy
        assert found.accessibility[last, u - 1] == pytest.approx(np.exp((found.energy - open_energy) / kt))
    assert warpfold.pair_probabilities(sequence).accessibility.shape == (len(sequence), 0)
    with pytest.raises(ValueError, match="the sequence is circular: the windows of accessibility are computed only of one that is not"):
        warpfold.pair_probabilities(sequence, max_window=5, circular=True)


def test_stack_energies_change_all_results_alike():
    sequence = "GGGGAAAACCCC"
    energies = np.zeros(12)
    energies[[0, 1]] = -0.5
    plain, changed = warpfold.fold(sequence), warpfold.fold(sequence, stack_energies=energies)
    assert changed.structure == plain.structure == "((((....))))"
    assert changed.energy == pytest.approx(plain.energy - 1.5)  # base 0 is in one stack, base 1 in two
    assert warpfold.fold_energy(sequence, changed.structure, stack_energies=energies) == changed.energy
    assert warpfold.suboptimal_structures(sequence, limit=1, stack_energies=list(energies))[0].energy == changed.energy
    assert warpfold.pair_probabilities(sequence, stack_energies=energies).energy < changed.energy
    for wrong, words in [(energies[:3], "stack_energies is .*3.*a number for each of the 12 bases"), (energies * np.nan, "base 0, from 0, is nan")]:
        with pytest.raises(ValueError, match=words):
            warpfold.fold(sequence, stack_energies=wrong)


@pytest.mark.parametrize("dangles", [0, 2])
def test_circular_sequences_are_those_of_viennarna(dangles, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    model = vienna.md()
    model.dangles, model.circ, model.circ_penalty = dangles, 1, 0
    rng = np.random.default_rng(10)
    for length in [5, 14, 30, 50, 70, 90, 120, 160, 200, 260]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        found = warpfold.fold(sequence, parameters=tmp_path / "vienna.par", dangles=dangles, circular=True)
        theirs = vienna.fold_compound(sequence, model)
        assert found.energy == pytest.approx(theirs.mfe()[1], abs=1e-4)
        assert theirs.eval_structure(found.structure) == pytest.approx(found.energy, abs=1e-4)


def test_the_guides_comparison_with_viennarna_is_as_shown(tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    root = pathlib.Path(__file__).parents[2]
    sequence = (root / "examples" / "trna.fa").read_text().split()[1]
    model = vienna.md()
    model.pf_smooth = 0
    theirs = vienna.fold_compound(sequence, model)
    structure, energy = theirs.mfe()
    theirs.exp_params_rescale(energy)
    found = warpfold.pair_probabilities(sequence, parameters=tmp_path / "vienna.par")
    assert found.energy == pytest.approx(theirs.pf()[1], abs=1e-4)
    page = (root / "docs" / "guides" / "rna.md").read_text()
    assert f"{structure} ({energy:6.2f})\n{found.centroid} [{found.energy:6.2f}]\n" in page


@pytest.mark.parametrize("dangles", [0, 2])
def test_suboptimal_structures_are_those_of_viennarna(dangles, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    model = vienna.md()
    model.dangles, model.uniq_ML = dangles, 1
    rng = np.random.default_rng(8)
    for length in [12, 30, 60, 90]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        found = warpfold.suboptimal_structures(
            sequence, within=3, limit=10**6, parameters=tmp_path / "vienna.par", dangles=dangles
        )
        theirs = vienna.fold_compound(sequence, model).subopt(300)
        assert {one.structure for one in found} == {one.structure for one in theirs}
        assert len(found) == len(theirs)


@pytest.mark.parametrize(("dangles", "temperature"), [(2, 37.0), (0, 37.0), (2, 25.0), (0, 60.0)])
def test_ensembles_are_those_of_viennarna(dangles, temperature, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    model = vienna.md()
    model.dangles, model.temperature, model.pf_smooth = dangles, temperature, 0
    rng = np.random.default_rng(6)
    for length in [1, 12, 40, 120, 250]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        found = warpfold.pair_probabilities(
            sequence, parameters=tmp_path / "vienna.par", dangles=dangles, temperature=temperature, threshold=0
        )
        theirs = vienna.fold_compound(sequence, model)
        theirs.exp_params_rescale(theirs.mfe()[1])
        _, energy = theirs.pf()  # a number of 32 bits
        assert found.energy == pytest.approx(energy, abs=1e-6, rel=1e-7)
        expected = np.array(theirs.bpp())[1:, 1:]
        assert np.abs(np.triu(found.matrix) - expected).max() < 1e-8


@pytest.mark.parametrize(("dangles", "temperature"), [(2, 37.0), (0, 37.0), (2, 25.0), (0, 60.0)])
def test_energies_are_those_of_viennarna(dangles, temperature, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    model = vienna.md()
    model.dangles, model.temperature = dangles, temperature
    rng = np.random.default_rng(4)
    for length in [1, 5, 12, 30, 60, 120, 250]:
        for _ in range(4):
            sequence = "".join(rng.choice(list("ACGU"), length))
            found = warpfold.fold(sequence, parameters=tmp_path / "vienna.par", dangles=dangles, temperature=temperature)
            theirs = vienna.fold_compound(sequence, model)
            _, energy = theirs.mfe()
            assert found.energy == pytest.approx(energy, abs=1e-4)
            assert theirs.eval_structure(found.structure) == pytest.approx(found.energy, abs=1e-4)


@pytest.mark.parametrize("dangles", [0, 2])
def test_circular_ensembles_are_those_of_viennarna(dangles, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    model = vienna.md()
    model.dangles, model.circ, model.circ_penalty, model.pf_smooth = dangles, 1, 0, 0
    rng = np.random.default_rng(12)
    for length in [14, 30, 70, 120, 200]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        found = warpfold.pair_probabilities(sequence, parameters=tmp_path / "vienna.par", dangles=dangles, circular=True)
        theirs = vienna.fold_compound(sequence, model)
        theirs.exp_params_rescale(theirs.mfe()[1])
        assert found.energy == pytest.approx(theirs.pf()[1], abs=1e-4)
        matrix = np.array(theirs.bpp())[1:, 1:]
        assert np.allclose(np.triu(found.matrix), matrix, atol=2e-5)


@pytest.mark.parametrize("dangles", [0, 2])
def test_windows_are_unpaired_as_viennarna_says(dangles, tmp_path):
    vienna = pytest.importorskip("RNA")
    vienna.params_save(str(tmp_path / "vienna.par"))
    rng = np.random.default_rng(3)
    for length in [20, 64, 130]:
        sequence = "".join(rng.choice(list("ACGU"), length))
        model = vienna.md()
        model.pf_smooth, model.dangles = 0, dangles
        model.window_size = model.max_bp_span = length  # one window: the whole sequence
        theirs = {}
        compound = vienna.fold_compound(sequence, model, vienna.OPTION_WINDOW)
        compound.probs_window(8, vienna.PROBS_WINDOW_UP, lambda up, _, i, *rest: theirs.update({i: list(up)}), None)
        found = warpfold.pair_probabilities(sequence, parameters=tmp_path / "vienna.par", dangles=dangles, max_window=8)
        for i, up in theirs.items():
            assert found.accessibility[i - 1, : min(i, 8)] == pytest.approx(up[1 : min(i, 8) + 1], abs=1e-12)
