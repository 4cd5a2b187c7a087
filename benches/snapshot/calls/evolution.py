"""Pruning rules by evolution: small runs by seed, their records, presets, checkpoints."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict
from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from benches.snapshot.masks import masked_text
from benches.snapshot.neutral import neutral
from treewright import GreedyTreeClassifier
from treewright.evolution import LearnedPruning, learn_pruner

NAME = "evolve"

SMALL = {"n_train": 40, "n_validation": 40, "n_test": 40, "budget": 1500}


def learned(given: Any, **options: Any) -> facts.Facts:
    """Evolve a rule and say all about it."""
    names = given if isinstance(given, list) else [given]
    family = [name if name.startswith("paper") else data.named(name) for name in names]
    rule = learn_pruner(family if isinstance(given, list) else family[0], **{**SMALL, **options})
    return of_rule(rule)


def of_rule(rule: Any) -> facts.Facts:
    """Return the formula of a learned rule, its record, and its report."""
    record = rule.record_
    return {
        "formula": rule.text,
        "bits": rule.bits,
        "data": [record.data, record.is_independent, record.objective, record.seed],
        "made": [record.n_programs, record.n_generations],
        "status": record.status,
        "n trees": record.n_trees,
        "constants": record.constants,
        "front": [asdict(one) for one in record.front],
        "best": record.best,
        "scores": [asdict(one) for one in record.scores],
        "report": masked_text(rule.report()),
        "estimates": rule([8, 3, 0, 5], [10, 3, 4, 20]),
    }


def resumed() -> facts.Facts:
    """Go on from a checkpoint, which must give what a run in one go gives."""
    whole = learned("paper_table")
    learned("paper_table", budget=500, checkpoint="run.json")
    later = learned("paper_table", checkpoint="run.json", resume=True)
    return {"same": neutral(later) == neutral(whole), "later": later}


def presets() -> facts.Facts:
    """Return the rules that come with the package, and prune by each."""
    rules = {name: LearnedPruning.preset(name) for name in LearnedPruning.presets()}
    trees = {
        name: GreedyTreeClassifier(pruning=rule).fit(data.named("heart-c")).tree_
        for name, rule in rules.items()
    }
    return {name: {**of_rule(rule), "tree": facts.sizes(trees[name])} for name, rule in rules.items()}


def written() -> facts.Facts:
    """Use a rule that was written down: languages, JSON, pickle, equality."""
    rule = LearnedPruning("if n < 3.0 then (n - c + 1.0) / n else (n - c + 0.5 + 0.0) / n")
    return {
        "text": rule.text,
        "bits": rule.bits,
        "simplified": rule.simplify().text,
        "code": {language: rule.code(language) for language in ("python", "rust", "sml", "latex")},
        "json": json.loads(rule.to_json()),
        "same": [LearnedPruning.from_json(rule.to_json()) == rule, pickle.loads(pickle.dumps(rule)) == rule],
        "front": list(rule.front_),
        "estimates": rule([[1, 2], [3, 4]], 5),
    }


CASES = {
    "paper_table/default": case(learned, "paper_table"),
    "paper_table/seed=7": case(learned, "paper_table", random_state=7),
    "paper_table/n_jobs=1": case(learned, "paper_table", n_jobs=1),
    "paper_table/n_jobs=2": case(learned, "paper_table", n_jobs=2),
    "paper_table/start=pessimistic,bits=60": case(learned, "paper_table", start="pessimistic", most_bits=60),
    "paper_table/start=formula": case(learned, "paper_table", start="(n - c + 1.0) / n", objective="errors"),
    "paper_text/objective=mean_rank": case(learned, "paper_text", objective="mean_rank"),
    "paper_text/most_train": case(learned, "paper_text", n_train=20, most_train=80, budget=3000),
    "both": case(learned, ["paper_text", "paper_table"]),
    "monks-1/default": case(learned, "monks-1"),
    "iris,vote/estimator": case(
        learned, ["iris", "vote"], estimator=GreedyTreeClassifier(min_samples_branch=2), train_share=0.4
    ),
    "paper_table/resumed": resumed,
    "presets": presets,
    "written": written,
}
