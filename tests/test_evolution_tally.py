"""What became of the programs of an evolution: counted once each, whatever the number of threads.

Inner names, as in unit tests: `_base.params`: engines are called with its limits.
`data.sources.linear_network`: a column is looked at before it is part of a table.
`search.evolution.formula`: seeds and formulas are compared with those of the inside.
"""

import pytest

from treewright import ParameterError, _core
from treewright._base.params import Limits
from treewright.data.sources.linear_network import grid
from treewright.search.evolution.formula import parsed

VERDICTS = ("undefined", "known", "screened", "worse", "scored")


def trees():
    networks = grid("paper_table")
    columns = [[getattr(network, name) for network in networks] for name in ("n_inputs", "n_removed")]
    shares = [network.train_share for network in networks]
    return _core.TreeCorpora.networks(*columns, shares, (1, 2, 3), (60, 60, 60))


def evolved(start, **options):
    fixed = {"n_train": 60, "most_train": 60, "objective": "errors", "seed": 0, "most_bits": 240.0}
    return _core.evolve_pruning(trees(), start, **fixed, **options)


def counts(found):
    return {name: getattr(found.tally, name) for name in VERDICTS}


def test_programs_to_start_from_are_scored():
    start = [parsed(f"(n - c + {a}) / n") for a in (0.25, 0.5, 1.0)]
    found = evolved(start, budget=1)
    assert counts(found) == {"undefined": 0, "known": 0, "screened": 0, "worse": 0, "scored": 3}
    assert found.n_programs == 3


@pytest.mark.parametrize("n_threads", [1, 3])
def test_every_program_has_one_verdict_or_was_none(n_threads):
    found = evolved([_core.Program.naive()], budget=3000, limits=Limits(n_threads))
    assert all(count > 0 for count in counts(found).values())
    # A few changes find no place, or lead to a program that is too large.
    assert 0.8 * found.n_programs < sum(counts(found).values()) < found.n_programs
    assert found.tally == evolved([_core.Program.naive()], budget=3000).tally


def test_a_resumed_run_counts_on(tmp_path):
    start, path = [_core.Program.naive()], tmp_path / "run.json"
    evolved(start, budget=1000, checkpoint=path)
    resumed = evolved(start, budget=3000, checkpoint=path, resume=True)
    assert resumed.tally == evolved(start, budget=3000).tally


def test_errors_of_rules_are_those_that_a_run_reports():
    rules = [parsed(f"(n - c + {a}) / n") for a in (0.25, 1.0)]
    errors = _core.pruning_errors(trees(), rules)
    assert errors.shape == (2, 60)
    for rule, row in zip(rules, errors, strict=True):
        start = next(one for one in evolved([rule], budget=1).rows if one.name == "start")
        assert (start.train == row).all()
    with pytest.raises(ParameterError, match="not finite"):
        _core.pruning_errors(trees(), [parsed("1.0 / (n - c)")])
