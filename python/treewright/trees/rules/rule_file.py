"""A list of rules as JSON, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import numpy as np

from treewright._base.errors import FormatError
from treewright.data.derived import derived_in
from treewright.data.types import FloatArray, Value
from treewright.trees.exports.program import Term
from treewright.trees.rules.conditions import Condition, Interval, Levels, WeightedSum
from treewright.trees.rules.figures import Tally
from treewright.trees.rules.listed import ListedRules
from treewright.trees.rules.probabilities import Telling
from treewright.trees.rules.rules import Rule
from treewright.trees.rules.words import Words

FORMAT, VERSION = "treewright-rule-list", 1
ListT = TypeVar("ListT", bound=ListedRules)

Facts = Mapping[str, Value]
"""An object of JSON."""


def document_of(rules: ListedRules) -> dict[str, object]:
    """Return a list as values of JSON."""
    words, telling = rules.words, rules.telling
    answers = rules.answers.tolist()
    features = [
        {"name": name, "levels": None if levels is None else list(levels), "range": _range_told(ends)}
        for name, levels, ends in zip(words.names, words.levels, rules.ranges.tolist(), strict=True)
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "schema": {"features": features, "classes": list(words.classes), "marks_unseen": rules.marks_unseen},
        "decision": {
            "probability": telling.probability,
            "smoothing": telling.smoothing,
            "class_factors": _listed(telling.class_factors),
            "cost_matrix": _listed(telling.costs),
        },
        "rules": [
            {
                "class": answers[place],
                "node": rule.node,
                "conditions": [_condition_told(condition) for condition in rule.conditions],
                "weights": telling.weights[place].tolist(),
                "counts": telling.counts[place].tolist(),
            }
            for place, rule in enumerate((*rules.rules, rules.default))
        ],
        "reading": rules.reading,
        "provenance": rules.provenance,
    }


def _range_told(ends: Sequence[float]) -> list[float] | None:
    return None if any(np.isnan(ends)) else list(ends)


def _listed(values: FloatArray | None) -> Value:
    return None if values is None else values.tolist()


def _condition_told(condition: Condition) -> dict[str, object]:
    if isinstance(condition, Levels):
        return {
            "feature": condition.feature,
            "levels": sorted(condition.levels),
            "missing": condition.missing,
            "unseen": condition.unseen,
        }
    if isinstance(condition, Interval):
        ends = (condition.low, condition.high, condition.shown_low, condition.shown_high)
        low, high, shown_low, shown_high = (_end_told(end) for end in ends)
        return {
            "feature": condition.feature,
            "above": low,
            "up_to": high,
            "shown": [shown_low, shown_high],
            "known": condition.has_numbers,
            "missing": condition.missing,
        }
    terms = [
        [feature, term.level, term.weight, term.missing, term.unseen]
        for feature, term in zip(condition.features, condition.terms, strict=True)
    ]
    sides = {"offset": condition.offset, "is_above": condition.above, "missing": condition.missing}
    return {"terms": terms, **sides}


def _end_told(end: float) -> float | None:
    return end if np.isfinite(end) else None


def list_of(document: Value, kind: type[ListT]) -> ListT:
    """Return the list of a kind that values of JSON hold."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FormatError(f"the text is no list of rules: its format is not {FORMAT!r}")
    if document.get("version") != VERSION:
        raise FormatError(f"the list of rules has version {document.get('version')!r}; this release reads 1")
    try:
        return _read(document, kind)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise FormatError(f"the list of rules is not as treewright writes it: {error!r}") from error


def _read(document: Facts, kind: type[ListT]) -> ListT:
    schema, decision, told = document["schema"], document["decision"], document["rules"]
    features = schema["features"]
    words = Words(
        [str(one["name"]) for one in features],
        [one["levels"] for one in features],
        schema["classes"],
        derived_in(document["reading"]),
    )
    n_classes = len(words.classes)
    weights = np.array([one["weights"] for one in told], dtype=np.float64).reshape(len(told), n_classes)
    counts = np.array([one["counts"] for one in told], dtype=np.float64).reshape(len(told), n_classes)
    if not (np.isfinite(weights).all() and np.isfinite(counts).all()) or (weights < 0).any():
        raise ValueError("weights must be finite and not negative")
    telling = Telling(
        weights,
        counts,
        decision["probability"],
        _array(decision["class_factors"]),
        decision["smoothing"],
        _array(decision["cost_matrix"]),
    )
    rules = listed_rules([_rule(one, words) for one in told], words, telling)
    ranges = np.array([one["range"] or [np.nan, np.nan] for one in features], dtype=np.float64).reshape(-1, 2)
    return kind(
        rules=rules[:-1],
        default=rules[-1],
        words=words,
        ranges=ranges,
        marks_unseen=bool(schema["marks_unseen"]),
        telling=telling,
        provenance=document.get("provenance"),
        reading=document["reading"],
    )


def listed_rules(
    told: Sequence[tuple[tuple[Condition, ...], int, int]], words: Words, telling: Telling
) -> tuple[Rule, ...]:
    """Return rules with their figures: conditions, class and node of each, the default last."""
    tally = Tally(telling.weights, telling.counts, telling.weights.sum(axis=0), telling.costs)
    return tuple(
        Rule(conditions, words.classes[answer], node, tally.of(place, answer), words)
        for place, (conditions, answer, node) in enumerate(told)
    )


def _array(values: Value) -> FloatArray | None:
    return None if values is None else np.array(values, dtype=np.float64)


def _rule(told: Facts, words: Words) -> tuple[tuple[Condition, ...], int, int]:
    answer = int(told["class"])
    if not 0 <= answer < len(words.classes):
        raise ValueError(f"there is no class {answer}")
    conditions = tuple(_condition(one, words) for one in told["conditions"])
    return conditions, answer, int(told["node"])


def _condition(told: Facts, words: Words) -> Condition:
    if "terms" in told:
        return _sum(told, words)
    feature = _position(told["feature"], words.names)
    levels = words.levels[feature]
    if "levels" in told:
        n_levels = len(levels or ())
        chosen = frozenset(_position(level, range(n_levels)) for level in told["levels"])
        return Levels(feature, chosen, n_levels, bool(told["missing"]), bool(told["unseen"]))
    if levels is not None:
        raise ValueError(f"feature {feature} has levels and no cut")
    missing = bool(told["missing"])
    if not told["known"]:
        return Interval(feature, np.inf, -np.inf, missing, np.inf, -np.inf)
    shown = told["shown"]
    low, shown_low = (_end(end, -np.inf) for end in (told["above"], shown[0]))
    high, shown_high = (_end(end, np.inf) for end in (told["up_to"], shown[1]))
    return Interval(feature, low, high, missing, shown_low, shown_high)


def _end(told: Value, otherwise: float) -> float:
    return otherwise if told is None else float(told)


def _position(told: Value, places: Sequence[object]) -> int:
    if type(told) is not int or not 0 <= told < len(places):
        raise ValueError(f"{told!r} is no position among {len(places)}")
    return told


def _sum(told: Facts, words: Words) -> WeightedSum:
    features: list[int] = []
    terms: list[Term] = []
    optional: Callable[[Value], float | None] = lambda value: None if value is None else float(value)  # noqa: E731
    for feature, level, weight, missing, unseen in told["terms"]:
        features.append(_position(feature, words.names))
        n_levels = len(words.levels[features[-1]] or ())
        place = None if level is None else _position(level, range(n_levels))
        terms.append(Term(features[-1], place, float(weight), optional(missing), optional(unseen)))
    offset, missing = float(told["offset"]), bool(told["missing"])
    return WeightedSum(tuple(features), tuple(terms), offset, bool(told["is_above"]), missing)
