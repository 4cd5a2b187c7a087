"""Commands prune the trees that they learn: by default, by a rule that is named, or not at all."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from commands import Run, assert_refused, lines_of, without_origin
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    Tree,
    datasets,
    studies,
)
from treewright.distinct import enumerate_distinct_trees
from treewright.evolution import LearnedPruning
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    PessimisticPruning,
    PruningRule,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
)

USUAL = ErrorBasedPruning(grafting=False)
SEARCHES: dict[str, type] = {
    "": BackwardEliminationSelector,
    "--forward": ForwardSelectionSelector,
    "--complete": CompleteSearchSelector,
}
WHOLE = "(the default; --prune none leaves it out)"
NAMED: dict[str, tuple[list[str], PruningRule | None, str]] = {
    "by default": ([], USUAL, f"error-based-no-grafting {WHOLE}"),
    "by its name": (["--prune", "error-based-no-grafting"], USUAL, "error-based-no-grafting"),
    "by the library's name": (["--prune", "error_based_no_grafting"], USUAL, "error-based-no-grafting"),
    "by its parameters": (["--prune", "error-based", "--no-grafting"], USUAL, "error-based-no-grafting"),
    "the usual one, set": (
        ["--confidence", "0.1"],
        ErrorBasedPruning(confidence=0.1, grafting=False),
        "error-based-no-grafting, confidence 0.1",
    ),
    "another": (
        ["--prune", "cost-complexity", "--alpha", "2"],
        CostComplexityPruning(alpha=2),
        "cost-complexity, alpha 2",
    ),
    "a learned one": (
        ["--prune", "learned:paper_text"],
        LearnedPruning.preset("paper_text"),
        "learned:paper_text",
    ),
    "none": (["--prune", "none"], None, "none"),
}
"""Options, the rule that they mean, and how it is told."""


@pytest.mark.parametrize(("options", "rule", "told"), NAMED.values(), ids=NAMED)
def test_fit_prunes_as_it_says(run: Run, options: list[str], rule: PruningRule | None, told: str) -> None:
    data = datasets.load("balance-scale")
    expected = GreedyTreeClassifier(pruning=rule).fit(data)
    assert Tree.from_json(run("fit", "balance-scale", "--json", *options).out) == expected.tree_
    text = run("fit", "balance-scale", *options).out
    assert f"\npruning: {told}\n" in text
    wrong = int((expected.predict(data) != data.classes[data.target]).sum())
    assert f"predicts {wrong} of these 625 rows wrongly ({wrong / 625:.1%})" in " ".join(text.split())


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize(("options", "rule", "told"), NAMED.values(), ids=NAMED)
def test_select_judges_pruned_trees(
    run: Run, search: str, options: list[str], rule: PruningRule | None, told: str
) -> None:
    estimator = GreedyTreeClassifier(pruning=rule, min_samples_split=8)
    found = SEARCHES[search](estimator=estimator, random_state=0).fit(datasets.load("wine"))
    command = ("select", "wine", "--min-samples-split", 8, *filter(None, [search]), *options)
    facts = json.loads(run(*command, "--json").out)
    assert facts["search"]["n_errors_after"] == found.n_validation_errors_
    assert facts["selected"] == found.get_feature_names_out().tolist()
    assert facts["tested"] == found.used_feature_names_out().tolist()
    for name, tree in (("tree", found.tree_), ("refit_tree", found.refit_tree_)):
        assert without_origin(json.dumps(facts[name])) == without_origin(tree.to_json())
    asked = facts["settings"]["estimator"]["pruning"]
    assert (None if asked is None else asked["class"]) == (None if rule is None else type(rule).__name__)
    assert f"\npruning: {told}\n" in run(*command).out


def test_select_compares_with_the_pruned_tree_of_all_features(run: Run) -> None:
    facts = json.loads(run("select", "breast-cancer", "--json").out)
    history = facts["search"]["history"]
    assert facts["search"]["n_errors_before"] == history[0]["errors"]


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        (["--prune", "error-based"], ErrorBasedPruning()),
        (["--grafting"], ErrorBasedPruning()),
        (["--prune", "reduced-error", "--share", "1/4"], ReducedErrorPruning(share=0.25, random_state=3)),
        (["--prune", "tuned-error-based", "--folds", "3"], TunedErrorBasedPruning(cv=3, random_state=3)),
    ],
    ids=str,
)
def test_rules_that_look_at_more_need_every_tree_anew(
    run: Run, options: list[str], rule: PruningRule
) -> None:
    command = ("select", "iris", "--seed", 3, *options)
    remedy = ", or --strategy retrain" if options != ["--grafting"] else "--prune error-based-no-grafting"
    refused = run(*command)
    assert_refused(refused, 2, "Invalid value for '--prune': ")
    assert remedy in refused.err
    assert_refused(run(*command, "--complete"), 2, "looks at more than")
    found = BackwardEliminationSelector(
        estimator=GreedyTreeClassifier(pruning=rule), strategy="retrain", random_state=3
    ).fit(datasets.load("iris"))
    facts = json.loads(run(*command, "--strategy", "retrain", "--json").out)
    assert facts["selected"] == found.get_feature_names_out().tolist()
    assert facts["search"]["n_errors_after"] == found.n_validation_errors_


def test_grafting_is_refused_in_the_words_of_the_command(run: Run) -> None:
    for command in (["select", "iris"], ["enumerate", "iris"], ["study", "selection", "iris"]):
        refused = run(*command, "--prune", "error_based")
        assert_refused(refused, 2, "Invalid value for '--prune': error-based looks at more than")
        assert "choose --prune error-based-no-grafting" in refused.err
        assert ("--strategy retrain" in refused.err) == (command[0] == "select")


def test_growths_of_programs_prune_as_the_programs_do(run: Run) -> None:
    assert "\npruning: none\n" in run("fit", "monks-1", "--growth", "id3").out
    assert f"\npruning: error-based {WHOLE}\n" in run("fit", "monks-1", "--growth", "c45").out
    asked = run("fit", "monks-1", "--growth", "id3", "--prune", "error-based-no-grafting", "--json")
    assert (
        Tree.from_json(asked.out)
        == GreedyTreeClassifier.id3(pruning=USUAL).fit(datasets.load("monks-1")).tree_
    )


def test_enumeration_prunes_what_it_counts_as_it_grows(run: Run) -> None:
    estimator = GreedyTreeClassifier(min_samples_split=32, pruning=PessimisticPruning())
    command = ("enumerate", "wine", "--min-samples-split", 32, "--prune", "pessimistic", "--top", 2)
    ended = run(*command, "--all", "trees.jsonl", "--with-trees")
    trees = list(
        enumerate_distinct_trees(
            datasets.load("wine"), estimator=estimator, validation_set=0.3, random_state=0
        )
    )
    assert f"\n{len(trees):,} distinct trees on subsets" in ended.out
    assert "\npruning: pessimistic; trees are counted as they grow\n" in ended.out
    assert "tested before pruning" in ended.out
    written = lines_of("trees.jsonl")
    assert [line["n_validation_errors"] for line in written] == [tree.n_validation_errors for tree in trees]
    assert [Tree.from_json(json.dumps(line["tree"])) for line in written] == [tree.tree for tree in trees]
    best = json.loads(run(*command, "--json").out)
    assert best["settings"]["pruning"] == {"class": "PessimisticPruning"}
    assert best["best"][0]["n_validation_errors"] == min(line["n_validation_errors"] for line in written)
    plain = run("enumerate", "wine", "--min-samples-split", 32)
    assert "pruning" not in plain.out


def test_a_file_of_unpruned_trees_is_not_gone_on_with(run: Run) -> None:
    command = ("enumerate", "wine", "--min-samples-split", 32, "--all", "t.jsonl", "--checkpoint", "c.json")
    assert run(*command, "--node-limit", 40).code == 0
    refused = run(*command, "--resume", "--prune", "pessimistic")
    assert refused.code != 0
    assert "it is of --prune none, not 'pessimistic'" in refused.err


STUDIES: dict[str, tuple[list[str], Any]] = {
    "selection": (["--method", "top", "--method", "forward"], studies.compare_selection),
    "distinct-trees": (["--method", "top", "--m", "32", "--max-grown", "2"], studies.study_distinct_trees),
}


@pytest.mark.parametrize("name", STUDIES)
def test_studies_judge_pruned_trees(run: Run, name: str) -> None:
    options, function = STUDIES[name]
    facts = json.loads(
        run(
            "study", name, "wine", *options, "--folds", 3, "--repeats", 1, "--prune", "pessimistic", "--json"
        ).out
    )
    estimator = GreedyTreeClassifier(pruning=PessimisticPruning())
    own = {"min_samples_split": 32, "max_grown": 2} if "--m" in options else {}
    methods = options[1:4:2] if not own else ["top"]
    found = function("wine", methods=methods, estimator=estimator, cv=3, repeats=1, progress=False, **own)
    assert [fold["error"] for fold in facts["per_fold"]] == found.per_fold["error"].tolist()
    assert "pruning=PessimisticPruning()" in str(facts["settings"]["estimator"])
    assert "Trees are pruned by PessimisticPruning()" in " ".join(str(found).split())


@pytest.mark.parametrize("command", ["fit", "select", "enumerate", "prune"])
def test_help_names_the_default(run: Run, command: str) -> None:
    usual = {
        "fit": "error-based-no-grafting; id3: none, c45: error-based",
        "select": "error-based-no-grafting",
        "enumerate": "none",
        "prune": "error-based",
    }
    long, short = (
        re.sub("- +", "-", " ".join(run(command, option).out.split())) for option in ("--help-all", "--help")
    )
    if command in ("fit", "select"):
        assert f"[default: {usual[command]}]" in short
    assert f"`treewright evolve --out` wrote. [default: {usual[command]}]" in long
