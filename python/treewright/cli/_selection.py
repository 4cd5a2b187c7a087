"""What `treewright select` found, as text for a person and as JSON for a program."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from treewright import BackwardEliminationSelector, CompleteSearchSelector, GreedyTreeClassifier
from treewright._base.numbers import for_json
from treewright._base.origin import told
from treewright._base.shown import shown_text
from treewright.cli._pruning import made_by, pruning_line
from treewright.cli._text import (
    Shown,
    described,
    document,
    drawn,
    facts_of,
    filled,
    hanging,
    joined,
    listed,
    loss_of,
    parted,
    plural,
    ranking,
    right_aligned,
    seconds,
)

if TYPE_CHECKING:
    from treewright import Dataset, ForwardSelectionSelector
    from treewright.pruning import PruningRule
    from treewright.results import Record, ResultTable

    Stepwise = BackwardEliminationSelector | ForwardSelectionSelector

REFIT = (
    "Tree of the selected features, {} on all rows (the one above is of the training rows, and may test "
    "other features):"
)
REFIT_OF_FOLDS = "Tree of the selected features, {} on all rows (those of the folds may test other features):"
OF_FOLDS = "the trees of the folds"
ONE_OF_FOLDS = "set of trees, one for each fold,"
MANY_OF_FOLDS = "different sets of trees, one for each fold,"

_MOST_STEPS = 12
_WIDEST_NAME = 54
_LARGEST_WRITTEN_OUT = 30
"""Powers of two beyond this are told as such."""

_RULES = (
    *("tolerance", "parsimonious", "floating", "min_features", "required_features", "feature_groups"),
    "start_from",
)


@dataclass(frozen=True)
class Words:
    """What is said of the validation errors, or of their cost."""

    heads: tuple[str, str]
    one: str
    many: str
    is_better: str
    as_good: str
    equal: str
    chosen: str

    @classmethod
    def of(cls, selector: Stepwise | CompleteSearchSelector) -> Words:
        """Return the words of what a selector minimised."""
        words = ERRORS if selector.tree_.cost_matrix is None else COST
        leaf = "leaf" if selector.fold_trees_ is None else "leaf of the mean tree"
        feature = "tested feature" if _is_unpruned(selector) else "feature tested before pruning"
        prices = {leaf: selector.validation_leaf_penalty, feature: selector.validation_feature_penalty}
        return words.with_prices({counted: price for counted, price in prices.items() if price})

    def with_prices(self, prices: dict[str, float]) -> Words:
        """Return the words where what is named has a price besides errors."""
        if not prices:
            return self
        added = " and ".join(f"{price:g} a {counted}" for counted, price in prices.items())
        return Words(
            self.heads,
            "has",
            "have",
            LESS,
            "as low a sum",
            "the same sum",
            f"{self.chosen} The search minimised a sum: {self.heads[0]} plus {added}.",
        )

    @property
    def minimised(self) -> str:
        """What is counted, with its verb."""
        return "errors are" if self.counts else "the cost is"

    @property
    def counts(self) -> bool:
        """Whether it is errors that are counted."""
        return self.heads == ERRORS.heads

    def rate(self, mean: float) -> str:
        """Write what a row has on the mean."""
        return f"{mean:.1%}" if self.counts else f"{mean:.4g}"

    def above(self, bound: float, gap: float) -> str:
        """Say that something is not below a bound."""
        if self.is_better == LESS:
            return f"has a sum below {bound:,g}, {gap:,g} less than this one"
        if not self.counts:
            return f"costs less than {bound:,g}, {gap:,g} less than this one"
        errors = "1 error" if bound == 1 else f"{bound:,g} errors"
        return f"makes fewer than {errors}, {gap:,g} fewer than this one"


ERRORS = Words(
    ("errors", "error rate"),
    "makes",
    "make",
    "makes fewer errors",
    "as few errors",
    "equally few errors",
    "Features were chosen by validation errors: expect more errors on new rows.",
)
COST = Words(
    ("cost", "cost of a row"),
    "has",
    "have",
    "costs less",
    "as low a cost",
    "the same cost",
    "Features were chosen by the cost of validation errors: expect a higher cost on new rows.",
)


LESS = "has a lower sum"
"""What is better where leaves or features have a price."""


def _keeping_all(selector: Stepwise | CompleteSearchSelector, dataset: Dataset) -> Stepwise:
    """Return a selector that drops nothing: its trees are on all features, judged as the search judges."""
    keeper = BackwardEliminationSelector(
        estimator=selector.estimator,
        strategy="retrain",
        min_features=dataset.n_features,
        validation_set=selector.validation_set,
        random_state=selector.random_state,
        n_jobs=selector.n_jobs,
    )
    return keeper.fit(dataset)


def _loss_and_mean(selector: Stepwise | CompleteSearchSelector) -> tuple[float, float]:
    """Return what the answers to the validation rows cost, in all and on the mean: 1 a wrong one."""
    loss, mean = selector.n_validation_errors_, selector.validation_error_
    if selector.tree_.cost_matrix is not None:
        loss, mean = selector.validation_cost_, selector.mean_validation_cost_
    assert loss is not None, "one of the two is counted"
    assert mean is not None, "one of the two is counted"
    return loss, mean


class Report:
    """A fitted selector, the data that it was fitted to, and the tree on all features, grown anew."""

    def __init__(self, name: str, dataset: Dataset, selector: Stepwise | CompleteSearchSelector) -> None:
        self._name, self._dataset, self._selector = name, dataset, selector
        self._names = dataset.feature_names
        self._top = _keeping_all(selector, dataset)
        self._words = Words.of(selector)
        grower = selector.estimator or GreedyTreeClassifier()
        self._rule = cast("PruningRule | None", grower.pruning)

    def text(self, shown: Shown) -> str:
        """Return the report that is printed, the tree down to a depth."""
        selector = self._selector
        if isinstance(selector, CompleteSearchSelector):
            search, work = (
                "\n".join(map(filled, [_proof(selector, self._words), *_ties(selector, self._words)])),
                _complete_work(selector),
            )
            more = _best_text(self._names, selector, self._words) if selector.top_k > 1 else ""
        else:
            search = _steps_text(self._names, selector, self._words)
            work, more = _stepwise_work(selector), ""
        sentences = [
            f"{work}.",
            *([] if selector.search_.success else [selector.search_.message]),
            self._words.chosen,
        ]
        worked = "\n".join(map(filled, sentences))
        title = REFIT if selector.fold_trees_ is None else REFIT_OF_FOLDS
        tree = drawn(selector.refit_tree_, shown, filled(title.format(made_by(self._rule))))
        start = f"{described(self._name, self._dataset)}\n{pruning_line(self._rule)}"
        return joined([start, self._before_and_after(), search, self._tested(), worked, more, tree])

    def _before_and_after(self) -> str:
        rows = [self._judged(selector) for selector in (self._top, self._selector)]
        lines = right_aligned(["features", "tested", "leaves", *self._words.heads], rows)
        labels = ("", "all features", "selected")
        table = [f"  {label:15}{line}" for label, line in zip(labels, lines, strict=True)]
        return "\n".join([self._rows_of_trees(), "", *table])

    def _judged(self, selector: Stepwise | CompleteSearchSelector) -> list[str]:
        """Return a line of the table: size and errors of the tree, or the mean size of those of the folds."""
        trees = selector.fold_trees_ or [selector.tree_]
        counts = [[len(tree.used_features), tree.n_leaves] for tree in trees]
        sizes = [
            f"{sum(column):,}" if len(trees) == 1 else f"{sum(column) / len(trees):,.1f}"
            for column in zip(*counts, strict=True)
        ]
        found, mean = _loss_and_mean(selector)
        return [f"{int(selector.support_.sum()):,}", *sizes, f"{found:,g}", self._words.rate(mean)]

    def _rows_of_trees(self) -> str:
        """Say which rows made the trees of the table, and which judged them."""
        folds, n_rows = self._selector.fold_trees_, self._dataset.n_samples
        if folds is None:
            n_validation = len(self._selector.validation_rows_)
            parts = parted(n_rows - n_validation, n_validation)
            return f"{parts}; {self._words.minimised} counted on the latter:"
        return filled(
            f"{plural(n_rows, 'row')} in {len(folds)} stratified folds; a tree of the other folds predicts "
            f"each. {self._words.minimised.capitalize()} summed over the folds, tested and leaves are means "
            "of their trees:"
        )

    def _tested(self) -> str:
        """Name the features that matter in the end."""
        names = [self._names[position] for position in self._selector.used_features_]
        n_idle = int(self._selector.support_.sum()) - len(names)
        tree = "The best tree" if self._selector.fold_trees_ is None else "The tree of all rows"
        if not names:
            return f"{tree} tests no feature: it is a single leaf."
        if self._rule is None:
            others = (
                "other selected feature does" if n_idle == 1 else f"{n_idle:,} other selected features do"
            )
            idle = f"; the {others} not change it" if n_idle else ""
        else:
            others = "the other selected one" if n_idle == 1 else f"the {n_idle:,} other selected ones"
            idle = f", and not {others}" if n_idle else ""
        return f"{tree} tests {plural(len(names), 'feature')}{idle}:\n\n{listed(names)}"

    def document(self) -> str:
        """Return the report as JSON, both trees in it."""
        names, selector = self._names, self._selector
        found, chosen = selector.search_, selector.get_params(deep=False)
        counted = "n_errors" if self._words.counts else "validation_cost"
        del chosen["callback"]
        facts = {
            "selector": type(selector).__name__,
            "settings": {**chosen, "estimator": self._grown_by()},
            "selected": [names[i] for i in selector.get_support(indices=True)],
            "tested": [names[i] for i in selector.used_features_],
            "search": {
                "n_validation_rows": len(selector.validation_rows_),
                f"{counted}_before": _loss_and_mean(self._top)[0],
                f"{counted}_after": _loss_and_mean(selector)[0],
                "cost": found.cost,
                "status": found.status,
                "message": found.message,
                "seconds": found.elapsed,
                "n_trees_built": selector.n_trees_built_,
                "validation_rows": selector.validation_rows_.tolist(),
                "folds": _fold_facts(selector),
                **self._search_facts(),
            },
            "tree": selector.tree_,
            "refit_tree": selector.refit_tree_,
        }
        return document("selection", self._name, self._dataset, facts)

    def _grown_by(self) -> dict[str, object]:
        """Return the parameters of growing, with the rule and its own."""
        grower = self._selector.estimator or GreedyTreeClassifier()
        return {**grower.get_params(deep=False), "pruning": told(grower.pruning)}

    def _search_facts(self) -> dict[str, object]:
        """Return what only this kind of search has to tell."""
        selector = self._selector
        if isinstance(selector, CompleteSearchSelector):
            return {
                "bound": selector.search_.bound,
                "gap": selector.search_.gap,
                "n_subsets": for_json(2**selector.n_features_in_),
                "n_ties": selector.n_ties_,
                "best": [
                    {**facts_of(tree, self._names), "n_leaves": tree.n_leaves, "tree": tree.tree}
                    for tree in selector.best_trees_
                ],
            }
        return {
            "n_trees_black_box": n_trees_black_box(selector),
            "history": [_step_facts(self._names, step) for step in selector.history_.records()],
        }


def _fold_facts(selector: Stepwise | CompleteSearchSelector) -> list[dict[str, object]] | None:
    """Return the rows that judge the tree of each fold, and the tree, which is of all other rows."""
    if selector.fold_trees_ is None or selector.fold_validation_rows_ is None:
        return None
    folds = zip(selector.fold_validation_rows_, selector.fold_trees_, strict=True)
    return [{"validation_rows": rows.tolist(), "tree": tree} for rows, tree in folds]


def _is_plain(selector: Stepwise) -> bool:
    """Whether features leave one at a time from all on, each free to, as long as the errors fall."""
    chosen, usual = selector.get_params(), BackwardEliminationSelector().get_params()
    is_backward = isinstance(selector, BackwardEliminationSelector)
    return is_backward and all(chosen[name] == usual[name] for name in _RULES)


def n_trees_black_box(selector: Stepwise) -> int | None:
    """Trees that elimination builds if it tries every feature left in every round, the last one in vain.

    None where that is not known: other rules, or an end before the last round.
    """
    if not (selector.search_.success and _is_plain(selector)):
        return None
    n_features: int = selector.n_features_in_
    return 1 + sum(n_features - dropped for dropped in range(len(selector.history_)))


def _stepwise_work(selector: Stepwise) -> str:
    """Say what it took, and what it might have taken."""
    built = f"{plural(selector.n_trees_built_, 'tree')} built in {seconds(selector.search_.elapsed)}"
    black_box = n_trees_black_box(selector)
    if selector.strategy == "incremental" and black_box is not None:
        built += f"; a black-box search builds {black_box:,}"
    return built


# Single steps.


def _steps_text(names: Sequence[str], selector: Stepwise, words: Words) -> str:
    """Return the features in the order in which they left or came, with the errors after each step."""
    history = selector.history_
    if len(history) == 1:
        return _nothing(selector, words)
    is_added = (history["added"][1:] >= 0).tolist()
    has_both = any(is_added) and not all(is_added)
    signs = [("+ " if added else "- ") if has_both else "" for added in is_added]
    n_first = int(history["n_features"][0])
    start = [] if n_first == len(names) else [f"at the start, {plural(n_first, 'feature')}"]
    moves = [_changed(names, changed) for changed in history["changed"][1:]]
    texts = [*start, *map("".join, zip(signs, moves, strict=True))]
    title = "Added (+) and dropped (-)" if has_both else "Added" if any(is_added) else "Dropped"
    lines = _lines(history[-len(texts) :], texts, words, has_tested=bool(selector.validation_feature_penalty))
    has_price = bool(selector.validation_feature_penalty)
    when = "" if _is_unpruned(selector) else " before pruning"
    counted = (
        f"{words.heads[0]}, leaves and features tested{when}" if has_price else f"{words.heads[0]} and leaves"
    )
    return "\n".join([filled(f"{title} features, and {counted} after each step:"), "", *lines])


def _lines(steps: ResultTable, texts: Sequence[str], words: Words, *, has_tested: bool) -> list[str]:
    """Put steps below one another, the middle of a long list left out."""
    counted, form = words.heads[0], "g" if steps["n_leaves"].dtype.kind == "i" else ".1f"
    rows = zip(steps["step"], texts, steps[counted], steps["n_leaves"], strict=True)
    cells = [[f"{step}", text, f"{loss:g}", f"{leaves:{form}}"] for step, text, loss, leaves in rows]
    widths = [max(map(len, column)) for column in zip(["step", "", "errors", "leaves"], *cells, strict=True)]
    lines = [
        f"{step:>{widths[0] + 1}}  {text:{widths[1]}}  {loss:>{widths[2]}}  {leaves:>{widths[3]}}"
        for step, text, loss, leaves in [["step", "", counted, "leaves"], *cells]
    ]
    if has_tested:
        tested = ["tested", *map(str, steps["n_used"].tolist())]
        lines = [f"{line}  {n_used:>6}" for line, n_used in zip(lines, tested, strict=True)]
    if len(cells) > _MOST_STEPS:
        lines[_MOST_STEPS - 2 : -2] = [f"    …  {len(cells) - _MOST_STEPS + 1} more"]
    return lines


def _changed(names: Sequence[str], changed: Sequence[int]) -> str:
    """Name what a step moved: the first names, as many as fit, and how many more."""
    shown = [shown_text(names[position]) for position in changed]
    fewer = range(len(shown) - 1, 0, -1)
    texts = [", ".join(shown), *(f"{', '.join(shown[:n])} and {len(shown) - n:,} more" for n in fewer)]
    return next((text for text in texts if len(text) <= _WIDEST_NAME), texts[-1])


def _nothing(selector: Stepwise, words: Words) -> str:
    if selector.search_.status != "complete":
        return "The search ended before the first step."
    if _is_plain(selector):
        return f"No feature was dropped: no removal {words.is_better}."
    return f"No step was taken: no step that the options allow {words.is_better}."


def _step_facts(names: Sequence[str], step: Record) -> dict[str, object]:
    """Return a step with names in place of positions."""
    moved = {way: names[step[way]] if step[way] >= 0 else None for way in ("dropped", "added")}
    return {**step, **moved, "changed": [names[position] for position in step["changed"]]}


# All subsets.


def _proof(selector: CompleteSearchSelector, words: Words) -> str:
    """Say what is proven of the answer."""
    found, most = selector.search_, selector.max_features
    bound, gap = found.bound or 0, found.gap or 0
    none = "no subset" if most is None else f"no subset whose tree tests at most {plural(most, 'feature')}"
    if found.status == "optimal":
        return f"Proven: {none} is better."
    fewest = words.above(bound, gap) if gap else words.is_better
    if found.status == "complete":
        return f"Proven: {none} {fewest}."
    if not gap:
        fewer = f"another subset with {words.as_good} may test fewer features"
        return f"Proven: {none} {fewest}. Not proven: {fewer}."
    proven = f" Proven: {none} {fewest}." if bound else ""
    return f"Not proven: there may be a better subset.{proven}"


def _ties(selector: CompleteSearchSelector, words: Words) -> list[str]:
    """Say how many trees are as good, if they were counted."""
    n_ties = selector.n_ties_
    if n_ties is None:
        return []
    of_folds = selector.fold_trees_ is not None
    one, many = (ONE_OF_FOLDS, MANY_OF_FOLDS) if of_folds else ("distinct tree", "distinct trees")
    if not selector.search_.success:
        trees = plural(n_ties, f"{one} {words.one}", f"{many} {words.many}")
        return [f"At least {trees} {words.as_good}."]
    if n_ties == 1:
        return [f"No {'others have' if of_folds else f'other tree {words.one}'} {words.as_good}."]
    first = "The first" if of_folds else "This one"
    return [
        f"{n_ties:,} {many} {words.many} {words.equal}. {first} tests the fewest features; in a tie "
        "its features come first."
    ]


def _complete_work(selector: CompleteSearchSelector) -> str:
    """Say how many trees were built, and for how many subsets."""
    built, subsets = plural(selector.n_trees_built_, "tree"), _power(selector.n_features_in_)
    return f"{built} built for {subsets} subsets in {seconds(selector.search_.elapsed)}"


def _best_text(names: Sequence[str], selector: CompleteSearchSelector, words: Words) -> str:
    """List the best trees."""
    best = selector.best_trees_
    head = ranking(len(best), is_whole=selector.search_.success)
    given, grow = ("the tree", "it grows") if selector.fold_trees_ is None else (OF_FOLDS, "they grow")
    grown = "" if _is_unpruned(selector) else f" as {grow}, before pruning"
    title = filled(f"{head}; subsets are those that give {given}{grown}:")
    rows = [
        [
            f"{loss_of(tree):,g}",
            f"{tree.n_leaves:{'g' if selector.fold_trees_ is None else '.1f'}}",
            f"{len(tree.used_features):,}",
            _power(tree.n_subsets.bit_length() - 1),
        ]
        for tree in best
    ]
    head, *counts = right_aligned([words.heads[0], "leaves", "tested", " subsets"], rows)
    lines = [
        hanging(f"{start}  ", [names[i] for i in tree.used_features] or ["none"])
        for start, tree in zip(counts, best, strict=True)
    ]
    return "\n".join([title, "", f"{head}  features", *lines])


def _is_unpruned(selector: Stepwise | CompleteSearchSelector) -> bool:
    return selector.estimator is None or selector.estimator.pruning is None


def _power(exponent: int) -> str:
    return f"{2**exponent:,}" if exponent <= _LARGEST_WRITTEN_OUT else f"2^{exponent}"
