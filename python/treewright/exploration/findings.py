"""What an exploration found: the choice, what is promised of it, and what it was compared with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import whole_number
from treewright.data.dataset import Dataset
from treewright.data.description.description import Description
from treewright.data.digest import digest
from treewright.exploration.choice import LIMITS, PRICED, Question, at_most, best_of
from treewright.exploration.comparison import Comparison, comparison_of, paired
from treewright.exploration.family import Asked, BlackBox, Candidates, Entry, Family, Predictor
from treewright.exploration.front import front_table
from treewright.exploration.judging import Judge, Part
from treewright.exploration.problems import WHOLE, Folding, Problem
from treewright.exploration.run import Dropped, Trial
from treewright.exploration.shown import showing, tree_of
from treewright.exploration.stability import Stability, stability_of
from treewright.exploration.subgroups import Subgroups
from treewright.results import ResultTable, floats, ints, texts
from treewright.studies.common.parameters import design_of
from treewright.studies.evaluation.figures import Share
from treewright.studies.evaluation.result import Evaluation
from treewright.studies.evaluation.run import evaluate_answers


@dataclass(frozen=True)
class Settings:
    """The parameters, as they were understood."""

    families: tuple[str, ...]
    max_leaf_nodes: int | None
    cost_matrix: list[list[float]] | None
    metric: str
    cv: int
    inner_cv: int
    repeats: int
    size_price: float
    random_state: int
    time_limit: float | None

    def design(self, folding: Folding, dataset: Dataset) -> dict[str, object]:
        """Return what the result depends on, where no limit is hit."""
        own = {name: value for name, value in vars(self).items() if name != "time_limit"}
        columns = {"row_groups": folding.row_groups, "time_column": folding.times}
        told = {
            name: None if one is None else digest(Dataset(one.astype(str)[:, None]))
            for name, one in columns.items()
        }
        return design_of({**own, **told}, {"X": dataset})


@dataclass(frozen=True)
class Choice:
    """A candidate: its family, its place there, and what both are called."""

    family: str
    place: int
    title: str
    candidate: str

    @property
    def words(self) -> str:
        """Family and candidate."""
        return f"{self.title}: {self.candidate}"


class Findings:
    """What an exploration found; `Exploration` has the reports."""

    def __init__(
        self,
        judge: Judge,
        trial: Trial,
        entries: Sequence[Entry],
        settings: Settings,
        subgroups: Subgroups | None = None,
    ) -> None:
        self._judge, self._trial, self.subgroups = judge, trial, subgroups
        self._entries = {one.name: one for one in entries}
        self.settings = settings
        self._families = [name for name in trial.parts if isinstance(self._entries[name], Family)]
        self.dropped_: tuple[Dropped, ...] = trial.dropped
        self.status_, self.elapsed_ = trial.status, trial.elapsed
        self.choice_ = self._choice(self._question(PRICED), WHOLE)
        self.recommended_ = self._fitted(self.choice_)
        self.tree_ = tree_of(self.recommended_)

    @property
    def dataset(self) -> Dataset:
        """The samples."""
        return self._judge.data.training.dataset

    @cached_property
    def description(self) -> Description:
        """What the samples hold, and what looks wrong with them."""
        return self.dataset.describe()

    @property
    def asked(self) -> Asked:
        """What every family was told."""
        return self._judge.asked

    @property
    def problems(self) -> list[Problem]:
        """That of all rows, then every outer fold: rows to learn from, inner folds, rows that judge."""
        return self._judge.data.problems

    @property
    def folding(self) -> Folding:
        """How rows are parted."""
        return self._judge.data.folding

    @property
    def rare_classes(self) -> list[object]:
        """Classes with fewer rows than outer folds."""
        return self._judge.data.rare_classes

    @property
    def is_over(self) -> bool:
        """Whether what is judged in any case took longer than the time limit."""
        return self._trial.is_over

    @property
    def ceiling(self) -> list[str]:
        """Names of the black boxes that were judged."""
        return [name for name in self._trial.parts if isinstance(self._entries[name], BlackBox)]

    def title_of(self, family: str) -> str:
        """Return what a family is called in reports.

        Parameters
        ----------
        family : str
            Name of a family.

        Returns
        -------
        title : str
            For people.
        """
        return self._entries[family].title

    def part_of(self, choice: Choice) -> Part:
        """Return what is known of a choice's family on all rows.

        Parameters
        ----------
        choice : Choice
            One of `choices`.

        Returns
        -------
        part : Part
            An entry for each candidate of the family.
        """
        return self._part(choice.family, WHOLE)

    def evaluation_of(self, name: str) -> Evaluation:
        """Return how good trees are that are chosen in one of the ways of `choices`, on the outer folds.

        Parameters
        ----------
        name : str
            A name in `choices`, such as ``"half_price"``.

        Returns
        -------
        evaluation : Evaluation
            As `evaluation_`.
        """
        return self._evaluated(name)

    # Choices.

    def _question(self, name: str) -> Question:
        return next(one for one in self._judge.choices if one.name == name)

    def _part(self, family: str, place: int) -> Part:
        return self._trial.parts[family][place]

    def _choice(self, question: Question, place: int) -> Choice:
        """Return the choice of all families on a problem."""
        family, candidate = best_of([self._part(name, place).standing for name in self._families], question)
        return self._named(self._families[family], candidate)

    def _named(self, family: str, place: int) -> Choice:
        entry = self._entries[family]
        assert isinstance(entry, Candidates), "black boxes are never chosen"
        return Choice(family, place, entry.title, entry.candidates(self.asked)[place])

    def _fitted(self, choice: Choice) -> Predictor:
        """Fit a choice to all rows."""
        entry = self._entries[choice.family]
        assert isinstance(entry, Candidates), "black boxes are never chosen"
        return showing(entry.fitted(choice.place, self.dataset, self.asked))

    def choices(self) -> dict[str, Choice]:
        """Return what is chosen on all rows at other prices, without a limit, and with at most 4, 8, 16.

        Returns
        -------
        choices : dict of str to Choice
            By ``"recommended"``, ``"half_price"``, ``"double_price"``, ``"any_size"``, ``"at_most_4"``,
            ``"at_most_8"`` and ``"at_most_16"``.
        """
        return {one.name: self._choice(one, WHOLE) for one in self._judge.choices}

    def at(self, *, max_leaf_nodes: int) -> Predictor:
        """Return the best tree of at most so many leaves.

        Parameters
        ----------
        max_leaf_nodes : int
            Largest size; a plane counts as a split for each of its features.

        Returns
        -------
        model : estimator
            Fitted to all rows. `evaluation_at` says how much trees chosen so err, for 4, 8 and 16.
        """
        most = whole_number("max_leaf_nodes", max_leaf_nodes, least=1)
        return self._fitted(self._choice(Question("at", self._question(PRICED).price, most), WHOLE))

    def model_of(self, family: str) -> Predictor:
        """Return a family's own choice.

        Parameters
        ----------
        family : str
            A family that was judged and is no black box, such as ``"rule_lists"``.

        Returns
        -------
        model : estimator
            Fitted to all rows. `families_` says how much models that are chosen so err.
        """
        known = [name for name in self._trial.parts if name not in self.ceiling]
        if family not in known:
            names = ", ".join(map(repr, known))
            raise ParameterError("family", family, "was not judged in every fold", f"choose among {names}")
        return self._fitted(self._named(family, self._part(family, WHOLE).chosen[PRICED]))

    def evaluation_at(self, *, max_leaf_nodes: int) -> Evaluation:
        """Return how good the best trees of at most so many leaves are, on the outer folds.

        Parameters
        ----------
        max_leaf_nodes : {4, 8, 16}
            Largest size.

        Returns
        -------
        evaluation : Evaluation
            As `evaluation_`.
        """
        if max_leaf_nodes not in LIMITS:
            allowed = "was not judged on the outer folds"
            raise ParameterError("max_leaf_nodes", max_leaf_nodes, allowed, f"choose among {LIMITS}")
        return self._evaluated(at_most(max_leaf_nodes))

    # What is promised.

    @cached_property
    def evaluation_(self) -> Evaluation:
        """How good trees are that are chosen this way."""
        return self._evaluated(PRICED)

    @property
    def error_(self) -> Share:
        """Error of trees that are chosen this way."""
        return self.evaluation_.error

    def _outer(self, family: str | None = None) -> list[int]:
        """Return the places of the outer folds that were judged."""
        places = self._trial.parts[family or self._families[0]]
        return [place for place in places if place != WHOLE]

    def _outer_choices(self, name: str, family: str | None) -> list[tuple[int, str, int]]:
        """Return place, family and candidate of what was chosen in every outer fold."""
        if family is not None:
            return [
                (place, family, self._part(family, place).chosen[name])
                for place in sorted(self._outer(family))
            ]
        question = self._question(name)
        chosen = [(place, self._choice(question, place)) for place in sorted(self._outer())]
        return [(place, one.family, one.place) for place, one in chosen]

    def _evaluated(self, name: str, family: str | None = None) -> Evaluation:
        """Put the answers of the outer folds together."""
        training, problems = self._judge.data.training, self.problems
        chosen = self._outer_choices(name, family)
        rows = np.concatenate([problems[place].judging for place, _, _ in chosen])
        codes = np.concatenate([self._part(own, place).codes[str(one)] for place, own, one in chosen])
        shares = np.concatenate([self._part(own, place).shares[str(one)] for place, own, one in chosen])
        labels, groups = training.classes.tolist(), self.folding.row_groups
        by = self.subgroups.values if family is None and self.subgroups is not None else None
        own = training.dataset.sample_weight
        is_repeated = self.folding.times is None and family not in self.ceiling
        return evaluate_answers(
            labels,
            [labels[code] for code in training.target[rows].tolist()],
            [labels[code] for code in codes.tolist()],
            shares,
            sample_weight=None if own is None else own[rows],
            by=None if by is None else by[rows],
            row_groups=None if groups is None else groups[rows],
            cost_matrix=self.settings.cost_matrix,
            rows=rows,
            n_repeats=self.settings.repeats if is_repeated else 1,
            counting=None if training.class_weight is None else training.weights[rows],
        )

    def figure_of(self, family: str | None = None, choice: str = PRICED) -> float:
        """Return what choices count of a family, or of what is chosen of all, on the outer folds.

        Parameters
        ----------
        family : str, default=None
            One that was judged; None is the choice of all.
        choice : str, default="recommended"
            A name in `choices`.

        Returns
        -------
        figure : float
            Error, balanced error, or cost of an answer, of all rows together.
        """
        found = self._evaluated(choice, family)
        return found.error.value if found.mean_cost is None else found.mean_cost

    def _losses(self, name: str, family: str | None = None) -> dict[int, float]:
        """Return the mean loss of what was chosen, by outer fold."""
        data, found = self._judge.data, {}
        weights = data.training.counted.values
        for place, own, one in self._outer_choices(name, family):
            rows = data.problems[place].judging
            losses = data.losses(weights, rows, self._part(own, place).codes[str(one)])
            found[place] = float(losses.sum() / weights[rows].sum())
        return found

    # Comparisons.

    def compare(self, *names: str) -> Comparison:
        """Compare families with what is recommended, over the outer folds that they share.

        Parameters
        ----------
        *names : str
            Families that were judged, black boxes too; none means all.

        Returns
        -------
        comparison : Comparison
            Prints as a table: errors, paired differences with intervals and p-values that take the overlap of
            folds into account (Nadeau and Bengio), Holm's for their number.
        """
        for name in names:
            if name not in self._trial.parts:
                known = ", ".join(map(repr, self._trial.parts))
                raise ParameterError("names", name, "was not judged in every fold", f"choose among {known}")
        own = self._losses(PRICED)
        n_judged = {place: len(self.problems[place].judging) for place in own}
        overlap = float(
            np.mean([n / (len(self._judge.data.problems[p].learning)) for p, n in n_judged.items()])
        )
        rows = [
            paired(name, self._entries[name].title, self._losses(PRICED, name), own, overlap)
            for name in (names or tuple(self._trial.parts))
        ]
        return comparison_of(rows, self.settings.metric if self.settings.cost_matrix is None else "cost")

    @cached_property
    def families_(self) -> ResultTable:
        """The families, each with its own choice."""
        compared = {one.name: one for one in self.compare().rows}
        rows = []
        for name in self._trial.parts:
            error, one = self._evaluated(PRICED, name).error, compared[name]
            differs = one.difference, one.low, one.high, one.p_value
            figures = error.value, error.low, error.high, *differs
            rows.append((name, *self._own(name), *figures, self._mean_size(name), self._seconds(name)))
        names, told = [row[0] for row in rows], [row[1] for row in rows]
        columns = [texts("family", names), texts("candidate", [*told, " "]), *ints("size")]
        numbers = ("inner_error", "error", "low", "high", "difference", "difference_low", "difference_high")
        return ResultTable.from_rows(rows, [*columns, *floats(*numbers, "p_value", "mean_size", "seconds")])

    @property
    def mean_size_(self) -> float:
        """Mean size of the trees that were chosen in the outer folds."""
        return self._mean_size(None)

    def _own(self, name: str) -> tuple[str, int, float]:
        """Return the choice of a family on all rows, its size and inner error."""
        if name in self.ceiling:
            return "", 0, float("nan")
        part = self._part(name, WHOLE)
        place = part.chosen[PRICED]
        return (
            self._named(name, place).candidate,
            int(part.sizes[place]),
            float(part.losses[place] / part.whole),
        )

    def _mean_size(self, name: str | None) -> float:
        if name in self.ceiling:
            return float("nan")
        chosen = self._outer_choices(PRICED, name)
        return float(np.mean([self._part(own, place).sizes[one] for place, own, one in chosen]))

    def _seconds(self, name: str) -> float:
        return float(sum(part.seconds for part in self._trial.parts[name].values()))

    @cached_property
    def front_(self) -> ResultTable:
        """Size against inner error of all candidates on all rows."""
        judged = [one for one in self._entries.values() if isinstance(one, Candidates)]
        found = [
            (one.name, list(one.candidates(self.asked)), self._part(one.name, WHOLE))
            for one in judged
            if one.name in self._trial.parts
        ]
        return front_table(found, self._families)

    @cached_property
    def stability_(self) -> Stability:
        """How alike the choices of the outer folds are."""
        own, part = self.choice_, self._part(self.choice_.family, WHOLE)
        chosen = [
            (family, int(self._part(family, place).roots[one]), self._part(family, place).used[one])
            for place, family, one in self._outer_choices(PRICED, None)
        ]
        return stability_of(
            (own.family, int(part.roots[own.place]), part.used[own.place]), chosen, self._second()
        )

    def _second(self) -> str | None:
        """Return the family whose best candidate on all rows comes second."""
        question = self._question(PRICED)
        best = [(self._part(name, WHOLE).standing.best(question), name) for name in self._families]
        scores = [(found[0], place, name) for place, (found, name) in enumerate(best) if found is not None]
        others = [one for one in sorted(scores) if one[2] != self.choice_.family]
        return others[0][2] if others else None
