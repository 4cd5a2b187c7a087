"""What became of the programs of an evolution: counted once each, whatever the number of threads."""

import pytest

from treewright import ParameterError, _core
from treewright.data.sources.linear_network import grid
from treewright.search.evolution.learned import parsed

VERDICTS = {"undefined", "known", "screened", "worse", "scored"}


def trees(seed, n_trees=60):
    networks = grid("paper_table")
    columns = [[getattr(network, name) for network in networks] for name in ("n_inputs", "n_removed")]
    return ("networks", *columns, [network.train_share for network in networks], seed, n_trees)


def evolved(start, **options):
    corpora = trees(1), trees(2), trees(3)
    fixed = {"most_train": 60, "objective": "errors", "seed": 0, "most_bits": 240.0}
    return _core.evolve_pruning(*corpora, start, **fixed, **options)


def test_programs_to_start_from_are_scored():
    start = [parsed(f"(n - c + {a}) / n") for a in (0.25, 0.5, 1.0)]
    found = evolved(start, budget=1)
    assert found["tally"] == {"undefined": 0, "known": 0, "screened": 0, "worse": 0, "scored": 3}
    assert found["n_programs"] == 3


@pytest.mark.parametrize("n_threads", [1, 3])
def test_every_program_has_one_verdict_or_was_none(n_threads):
    found = evolved([_core.PruningProgram.naive()], budget=3000, n_threads=n_threads)
    assert set(found["tally"]) == VERDICTS
    assert all(count > 0 for count in found["tally"].values())
    # A few changes find no place, or lead to a program that is too large.
    assert 0.8 * found["n_programs"] < sum(found["tally"].values()) < found["n_programs"]
    assert found["tally"] == evolved([_core.PruningProgram.naive()], budget=3000)["tally"]


def test_a_resumed_run_counts_on(tmp_path):
    start, path = [_core.PruningProgram.naive()], tmp_path / "run.json"
    evolved(start, budget=1000, checkpoint=path)
    resumed = evolved(start, budget=3000, resume=path.read_text("utf-8"))
    assert resumed["tally"] == evolved(start, budget=3000)["tally"]


def test_errors_of_rules_are_those_that_a_run_reports():
    rules = [parsed(f"(n - c + {a}) / n") for a in (0.25, 1.0)]
    errors = _core.pruning_errors(trees(1), rules)
    assert errors.shape == (2, 60)
    for rule, row in zip(rules, errors, strict=True):
        assert (evolved([rule], budget=1)["rows"]["start"][0] == row).all()
    with pytest.raises(ParameterError, match="not finite"):
        _core.pruning_errors(trees(1), [parsed("1.0 / (n - c)")])
