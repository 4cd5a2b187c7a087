"""The pruning of trees as a problem for whole programs.

Inner names, as in unit tests: `data.sources.linear_network`: a column is looked at before it is
part of a table.
"""

import numpy as np
import pytest

from treewright import FormatError, GreedyTreeClassifier, ParameterError, datasets
from treewright.data.sources.linear_network import grid
from treewright.evolution import LearnedPruning, ProgramEvolver, PruningProblem
from treewright.pruning import prune

MORE = {"budget": 1200, "most_bits": 1500.0}


def evolver(problem=None, start=None, **more):
    problem = PruningProblem("paper_table", n_trees=4) if problem is None else problem
    start = PruningProblem.start() if start is None else start
    return ProgramEvolver(problem, start, **{**MORE, **more})


def outcome(done):
    return [(one.program.text, one.loss, one.bits, one.steps, one.n_wrong) for one in done.front_]


def test_threads_and_a_checkpoint_change_nothing(tmp_path):
    whole = evolver().run()
    part = evolver(n_jobs=2).run(budget=1, checkpoint=tmp_path / "run.json")
    assert part.front_[0].loss >= whole.front_[0].loss
    resumed = evolver(n_jobs=4).run(checkpoint=tmp_path / "run.json", resume=True)
    assert outcome(resumed) == outcome(whole)
    for other in (
        evolver(PruningProblem("paper_table", n_trees=5)),
        evolver(PruningProblem("paper_table", n_trees=4, random_state=1)),
        evolver(start=PruningProblem.start("pessimistic")),
        evolver(functions=["if", "<"]),
    ):
        with pytest.raises(FormatError, match="other data or parameters"):
            other.run(checkpoint=tmp_path / "run.json", resume=True)


def drawn(preset, seed, n_trees):
    """Draw sets of a preset, or of presets in turn."""
    for number in range(n_trees):
        if isinstance(preset, str):
            yield datasets.make_linear_network(preset=preset, number=number, random_state=seed)
        else:
            network = vars(grid(preset[number % len(preset)])[number // len(preset)])
            yield datasets.make_linear_network(**network, number=number, random_state=seed)


def errors_of(rule, preset, seed, n_trees):
    """Test errors of a rule, by growing, pruning and predicting."""
    errors = 0
    for train, test in drawn(preset, seed, n_trees):
        model = GreedyTreeClassifier.id3(pruning=rule).fit(train)
        errors += np.sum(model.predict(test) != test.classes[test.target])
    return errors


@pytest.mark.parametrize("formula", ["((n - c) + 0.5) / n", "((n - c) + 0.7 + 0.3 * sqrt(n - c)) / n"])
@pytest.mark.parametrize("preset", ["paper_text", ["paper_table", "paper_text"]])
def test_the_loss_of_a_start_is_what_its_rule_gets_wrong(formula, preset):
    rule = LearnedPruning(formula)
    problem = PruningProblem(preset, n_trees=6, random_state=5)
    started = evolver(problem, PruningProblem.start(rule), budget=1, most_bits=2000).run()
    (one,) = started.front_
    assert one.program == PruningProblem.start(rule)
    assert one.loss == errors_of(rule, preset, 5, 6)


def as_value(tree, node=0):
    """Write a tree of treewright as a value of the language."""
    counts = tree.class_weights[node]
    head = (("Mark", node), float(counts[tree.node_class[node]]), float(counts.sum()))
    if not tree.n_children[node]:
        return ("Leaf", *head)
    first = tree.first_child[node]
    below = [as_value(tree, child) for child in range(first, first + tree.n_children[node])]
    return ("Node", *head, below)


def n_nodes(value):
    return 1 + sum(n_nodes(child) for child in (value[4] if value[0] == "Node" else []))


@pytest.mark.parametrize("rule", ["observed", "pessimistic", "((n - c) + 0.7) / n"])
@pytest.mark.parametrize("name", ["iris", "wine", "breast-cancer"])
def test_a_start_prunes_like_its_rule(rule, name):
    tree = GreedyTreeClassifier().fit(datasets.load(name)).tree_
    formula = {"observed": "(n - c) / n", "pessimistic": "((n - c) + 0.5) / n"}.get(rule, rule)
    pruned, estimate = PruningProblem.start(rule)(as_value(tree), max_steps=10**7)
    assert n_nodes(pruned) == prune(tree, LearnedPruning(formula)).n_nodes
    assert 0 <= estimate <= 1


def test_trees_of_ones_own():
    iris = datasets.load("iris")
    problem = PruningProblem(iris, n_trees=5, estimator=GreedyTreeClassifier(max_depth=3))
    front = evolver(problem).run().front_
    assert 0 < front[0].loss < 5 * 75


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (PruningProblem("paper_tables"), "data='paper_tables'"),
        (PruningProblem("paper_table", n_trees=0), "n_trees=0"),
        (PruningProblem("paper_table", n_trees=10**7), "n_trees=10000000 is more than 100,000 trees"),
        (PruningProblem("paper_table", random_state=-1), "random_state"),
        (PruningProblem(3), "data is of type int, which cannot be read"),
    ],
)
def test_what_cannot_be_used_is_said(problem, message):
    with pytest.raises(ParameterError, match=message):
        evolver(problem).run()


def test_other_starts_are_refused():
    with pytest.raises(ParameterError, match="must be of type tree -> tree"):
        evolver(start="fun f(x: float): float = x").run()
    with pytest.raises(ParameterError, match=r"below the .* bits"):
        evolver(most_bits=100).run()
    default = ProgramEvolver(PruningProblem("paper_table", n_trees=2), PruningProblem.start())
    assert default.run(budget=1).best_ == PruningProblem.start()
    with pytest.raises(ParameterError, match="start=3"):
        PruningProblem.start(3)
