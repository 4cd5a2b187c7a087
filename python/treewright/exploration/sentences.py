"""The sentences of the reports of an exploration; screen, page and notebook say the same."""

from __future__ import annotations

from collections.abc import Iterator

from treewright._base.shown import shown_values
from treewright.exploration.choice import ANY_SIZE
from treewright.exploration.comparison import Compared, written
from treewright.exploration.findings import Choice, Findings

MAJORITY = "majority"

SURE_ENOUGH = 0.5
"""Of fewer folds that chose alike, the reports warn."""


def opening(found: Findings) -> str:
    """Say what was explored, and how."""
    data, settings, folding = found.dataset, found.settings, found.folding
    n_classes = 0 if data.classes is None else len(data.classes)
    times = f"{settings.repeats} x {settings.cv}" if settings.repeats > 1 else f"{settings.cv}"
    return (
        f"{data.n_samples:,} rows, {data.n_features:,} features, {n_classes} classes; {times} outer folds, "
        f"{folding.words}, and {settings.inner_cv} inner folds in each, by which everything is chosen."
    )


def recommended(found: Findings) -> str:
    """Say what is recommended, and why."""
    return f"Recommended: {found.choice_.words}; {size_told(found)}. It is {rule_of_choice(found)}."


def rule_of_choice(found: Findings) -> str:
    """Say which candidate is recommended."""
    most = found.settings.max_leaf_nodes
    limit = "" if most is None else f", among trees of at most {most} leaves"
    return (
        f"the one of least {measure(found)} on the inner folds plus {price(found)} for every doubling of the "
        f"leaves{limit}"
    )


def beyond_limit(found: Findings) -> str:
    """Say what a limit of size gives away; empty where a larger tree is not chosen without it."""
    larger = found.choices()[ANY_SIZE]
    if larger == found.choice_:
        return ""
    told = rate(found, found.figure_of(choice=ANY_SIZE))
    return (
        f"Without the limit of {found.settings.max_leaf_nodes} leaves it would be {larger.words}; "
        f"{size_told(found, larger)}. Trees chosen so have {told} on rows that no choice has seen: "
        "--max-leaf-nodes none allows them."
    )


def size_told(found: Findings, choice: Choice | None = None) -> str:
    """Say how large the recommended tree is, or another one."""
    choice = choice or found.choice_
    part = found.part_of(choice)
    leaves = plural(int(part.n_leaves[choice.place]), "leaf", "leaves")
    features = plural(len(part.used[choice.place]), "feature")
    return f"{leaves}, {features}, {_questions(part.questions[choice.place])} a row on the mean"


def _questions(mean: float) -> str:
    return "1 question" if mean == 1 else f"{mean:.2g} questions"


def on_planes(found: Findings) -> str:
    """Say why sizes are not leaves; empty where they are."""
    table = found.front_
    if (table["size"] == table["n_leaves"]).all():
        return ""
    return "A plane counts as a split for each of its features, so its size is larger than its leaves."


def measure(found: Findings) -> str:
    """Name what choices count."""
    return "cost" if is_cost(found) else "error"


def price(found: Findings) -> str:
    """Say what a doubling of the leaves costs."""
    asked = found.settings.size_price
    return f"{asked:.3g} of a wrong answer's mean cost" if is_cost(found) else f"{100 * asked:.3g} points"


def counts_told(found: Findings) -> str:
    """Say what stands after a leaf."""
    counts = found.tree_.n_samples
    is_shared = counts is not None and bool((counts % 1 != 0).any())
    shared = " A row without a value that is asked for counts in several, with shares." if is_shared else ""
    return f"A leaf's (n/e): n of all rows, e of them of another class.{shared}{of_classes(found)}"


def of_classes(found: Findings) -> str:
    """Say why a leaf may answer a class that few of its rows have; empty where none does."""
    cost = " A leaf gives the answer of least cost." if is_cost(found) else ""
    if found.settings.metric == "error":
        return cost
    return (
        " Answers are chosen as if every class had the same number of rows, so a leaf may answer a class "
        f"that few of its rows have.{cost} Counts and probabilities are of the rows as they are."
    )


def promise(found: Findings) -> str:
    """Say what is promised."""
    error, evaluation = found.error_, found.evaluation_
    cost = "" if evaluation.mean_cost is None else f" An answer costs {evaluation.mean_cost:.4g} on the mean."
    return (
        f"Trees chosen this way have {name_of_error(found)} of {error.value:.1%} ({error.low:.1%} to "
        f"{error.high:.1%} with 95 % confidence) on rows that no choice has seen.{cost}"
    )


def compared_with(found: Findings, name: str) -> Compared:
    """Return the comparison with one family."""
    return found.compare(name).rows[0]


def is_better(found: Findings) -> bool:
    """Whether the choice is surely better than the majority class."""
    return compared_with(found, MAJORITY).low > 0


def beside_majority(found: Findings) -> str:
    """Compare with the answer that asks nothing."""
    one = compared_with(found, MAJORITY)
    if one.low > 0:
        return f"The majority class alone: {rate(found, found.figure_of(MAJORITY))}."
    is_plain = not is_cost(found) and found.settings.metric == "error"
    remedy = " A metric of balanced_error, or a cost matrix, lets rare classes count." if is_plain else ""
    return (
        "Nothing was found that is surely better than the majority class alone, with "
        f"{rate(found, found.figure_of(MAJORITY))}: the interval of the difference holds 0.{remedy}"
    )


def beside_ceiling(found: Findings) -> str:
    """Compare with the best black box; empty without one."""
    if not found.ceiling:
        return ""
    rows = [compared_with(found, name) for name in found.ceiling]
    best = min(rows, key=lambda one: one.error)
    more = best.difference > 0
    ends = (best.low, best.high) if more else (-best.high, -best.low)
    low, high = (written(end, is_cost=is_cost(found)) for end in ends)
    apart = written(abs(best.difference), is_cost=is_cost(found))
    unit = "" if is_cost(found) else " points"
    own = rate(found, found.figure_of(best.name))
    return (
        f"A black box ({best.title}): {own} on {best.n_folds} of these folds, "
        f"{apart}{unit} {'more' if more else 'less'} than the tree there ({low} to {high})."
    )


def is_cost(found: Findings) -> bool:
    """Whether choices count cost."""
    return found.settings.cost_matrix is not None


def name_of_error(found: Findings) -> str:
    """Name the error, with its article."""
    return "a balanced error" if found.settings.metric != "error" else "an error"


def rate(found: Findings, value: float) -> str:
    """Write what choices count."""
    return f"{value:.4g} an answer" if is_cost(found) else f"{name_of_error(found)} of {value:.1%}"


def cautions(found: Findings, remarks_at: str) -> Iterator[str]:
    """Yield what a reader must know before the tree is used; `remarks_at` says where remarks on data are."""
    if found.status_ != "complete":
        yield _cut_short(found)
    one = found.stability_
    if min(one.same_root, one.same_family) < SURE_ENOUGH and found.tree_.n_leaves > 1:
        yield (
            f"The choice is unsteady: of {one.n_folds} folds {one.same_family:.0%} chose a tree of this "
            f"kind, {one.same_root:.0%} one with the same first question. The error is that of the whole "
            f"way of choosing, whose trees have {found.mean_size_:.1f} leaves on the mean; how "
            "much this one tree errs is less sure."
        )
    yield from filter(None, [rarities(found)])
    n_remarks = len(found.description.remarks)
    if n_remarks:
        yield f"The data have {plural(n_remarks, 'point')} worth a look: {remarks_at}."


def _cut_short(found: Findings) -> str:
    """Say that kinds of trees were left out, and the ways out."""
    is_limit = found.status_ == "time_limit"
    compared = [name for name in found.families_["family"].tolist() if name not in found.ceiling]
    more = "a longer --time-limit" if is_limit else "to let it end"
    return (
        f"{'The time limit' if is_limit else 'A stop'} ended the search before every kind of tree was "
        f"compared (compared: {', '.join(compared)}). A better tree may exist. What is promised of this "
        f"choice stays true: it was judged in every fold. The ways out: {more}, fewer kinds (--family "
        "best_first), more threads (--n-jobs), or without columns that cannot matter (--drop)."
    )


def steadiness(found: Findings) -> str:
    """Say how alike the choices of the folds are."""
    one = found.stability_
    second = ""
    if one.second is not None:
        second = f"; {one.second_chosen:.0%} chose the second best, {found.title_of(one.second)}"
    return (
        f"Of {one.n_folds} outer folds {one.same_root:.0%} ask the same feature first as the recommended "
        f"tree, {one.same_features:.0%} ask for the same features, {one.same_family:.0%} chose the same "
        f"family{second}."
    )


def rarities(found: Findings) -> str:
    """Name classes with few rows; empty without them."""
    if not found.rare_classes:
        return ""
    labels = ", ".join(shown_values(found.rare_classes))
    return f"Fewer rows than folds have: {labels}. Trees of some folds have not seen them."


def left_out(found: Findings) -> Iterator[str]:
    """Say which families were not judged in every fold, and why."""
    for gone in found.dropped_:
        named = gone.title if gone.title.replace(" ", "_") == gone.name else f"{gone.title} ({gone.name})"
        yield f"{named}: {gone.reason}"


def time_taken(found: Findings) -> str:
    """Say how long it took."""
    limit = found.settings.time_limit
    over = ", longer than the time limit, for what is judged in any case" if found.is_over else ""
    asked = "no limit" if limit is None else f"a limit of {limit:g} s"
    ends = {"complete": "", "time_limit": "; the limit left families out", "stopped": "; it was stopped"}
    return f"It took {found.elapsed_:.1f} s, with {asked}{over}{ends[found.status_]}."


def plural(count: int, one: str, many: str = "") -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
