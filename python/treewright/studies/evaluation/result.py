"""`Evaluation`: how good a model's answers are."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright._base.shown import shown_text, shown_values
from treewright.data.types import AnyArray, FloatArray, IntArray
from treewright.reporting import Column, Table
from treewright.studies.evaluation.figures import Answers, Bin, ClassFigures, Share, class_figures, total_cost

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How good the answers of a model are on rows with known classes.

    Attributes
    ----------
    answers : Answers
        True classes, answers, probabilities, weights.
    error : Share
        Share of wrong answers, with the ends `low` and `high` of its interval of 95 % (Wilson's). Weights,
        groups of rows, and repetitions make it wider as they should. Of answers that were chosen by it, it is
        the balanced error: the mean over the classes. All other figures are of the rows as they are.
    per_class : tuple of ClassFigures
        Precision, recall and area under the curve of each class.
    auc : float
        Area under the ROC curve: of the second of two classes, else the mean over the classes.
    log_loss, brier : float
        Of the probabilities; a truth of probability 0 counts as one of 2^-52.
    cost, mean_cost : float or None
        What the answers cost, in all and a row; None without a cost matrix.
    groups : dict of Evaluation by value
        The same for each subgroup.
    wrong_rows : ndarray of int
        Positions of the rows with a wrong answer.
    """

    answers: Answers
    cost_matrix: FloatArray | None
    groups: Mapping[object, Evaluation]
    wrong_rows: IntArray

    @classmethod
    def of(
        cls,
        answers: Answers,
        cost_matrix: FloatArray | None,
        by: AnyArray | None = None,
        rows: IntArray | None = None,
    ) -> Evaluation:
        """Evaluate answers, and those of each subgroup alone.

        Parameters
        ----------
        answers : Answers
            True classes, answers, probabilities and weights.
        cost_matrix : ndarray of shape (n_classes, n_classes) or None
            What wrong answers cost.
        by : ndarray of shape (n_samples,), default=None
            Subgroup of each row.
        rows : ndarray of int, default=None
            Which row of the user's table each is, for `wrong_rows`; None numbers them.

        Returns
        -------
        evaluation : Evaluation
            Figures of all rows and of every subgroup.
        """
        values = [] if by is None else sorted(set(by.tolist()), key=str)
        groups = {value: cls.of(answers.of(by == value), cost_matrix) for value in values}
        places = np.arange(len(answers.target)) if rows is None else rows
        return cls(answers, cost_matrix, groups, np.unique(places[answers.is_wrong]))

    @property
    def n_samples(self) -> int:
        """Number of rows."""
        return len(self.answers.target) // self.answers.n_repeats

    @property
    def error(self) -> Share:
        """Share of wrong answers, or the balanced error."""
        return self.answers.counted.share(self.answers.is_wrong)

    @property
    def confusion(self) -> FloatArray:
        """Weight by true class (rows) and answer; of repetitions the mean."""
        return self.answers.confusion / self.answers.n_repeats

    @property
    def per_class(self) -> tuple[ClassFigures, ...]:
        """What there is to tell of each class."""
        return class_figures(self.answers)

    @property
    def auc(self) -> float:
        """Area under the ROC curve."""
        n_known = self.answers.probabilities.shape[1]
        areas = [self.answers.auc(code) for code in ([1] if n_known == 2 else range(n_known))]
        known = [area for area in areas if not math.isnan(area)]
        return sum(known) / len(known) if known else math.nan

    @property
    def log_loss(self) -> float:
        """Log loss of the probabilities."""
        return self.answers.log_loss

    @property
    def brier(self) -> float:
        """Brier score of the probabilities."""
        return self.answers.brier

    @property
    def calibration(self) -> tuple[Bin, ...]:
        """Probabilities beside the shares that turned out so."""
        return self.answers.calibration()

    @property
    def cost(self) -> float | None:
        """What the answers cost; of repetitions the mean."""
        if self.cost_matrix is None:
            return None
        return total_cost(self.answers, self.cost_matrix) / self.answers.n_repeats

    @property
    def mean_cost(self) -> float | None:
        """What a row costs."""
        weight = float(self.answers.counted.weights.sum()) / self.answers.n_repeats
        return None if self.cost is None else self.cost / weight

    # In other forms.

    def to_text(self, width: int = 80) -> str:
        """Return the figures as text.

        Parameters
        ----------
        width : int, default=80
            Characters of a line.

        Returns
        -------
        text : str
            Error, confusion matrix, classes, probabilities, subgroups.
        """
        tables = self.tables().values()
        return "\n\n".join([self._first_lines(), *(one.to_text(width).lstrip("\n") for one in tables)])

    def tables(self) -> dict[str, Table]:
        """Return the tables of the report.

        Returns
        -------
        tables : dict of str to Table
            ``"confusion"``, ``"classes"`` and ``"calibration"``, and ``"subgroups"`` if there are some.
        """
        made = {
            "confusion": self._confusion(),
            "classes": self._classes(),
            "calibration": self._calibration(),
        }
        return made if not self.groups else {**made, "subgroups": self._by()}

    __str__ = to_text

    def _first_lines(self) -> str:
        error, weight = self.error, float(self.answers.weights.sum()) / self.answers.n_repeats
        wrong = float(self.answers.weights[self.answers.is_wrong].sum()) / self.answers.n_repeats
        is_balanced = self.answers.counting is not None
        told = f"{'; balanced error' if is_balanced else ':'} {error.value:.2%}"
        lines = [
            f"{wrong:,.10g} of {weight:,.10g} answers are wrong{told} ({error.low:.1%} to "
            f"{error.high:.1%} with 95 % confidence)",
            f"AUC {_number(self.auc)}, log loss {_number(self.log_loss)}, Brier score {_number(self.brier)}",
        ]
        if self.cost is not None and self.mean_cost is not None:
            lines.append(f"cost {self.cost:,.6g}, {self.mean_cost:.4g} a row")
        return "\n".join(lines)

    def _confusion(self) -> Table:
        labels = shown_values(self.answers.classes)
        cells = [[f"{weight:,.6g}" for weight in row] for row in self.confusion.T.tolist()]
        answers = [
            Column(label, column, group="predicted") for label, column in zip(labels, cells, strict=True)
        ]
        return Table("", [Column("true class", labels, align="left"), *answers])

    def _classes(self) -> Table:
        found = self.per_class
        return Table(
            "",
            [
                Column("class", shown_values(self.answers.classes), align="left"),
                Column("recall", [_share(one.recall) for one in found]),
                Column("95 %", [_ends(one.recall) for one in found]),
                Column("precision", [_share(one.precision) for one in found]),
                Column("95 %", [_ends(one.precision) for one in found]),
                Column("AUC", [_number(one.auc) for one in found]),
            ],
        )

    def _calibration(self) -> Table:
        bins, n_known = self.calibration, self.answers.probabilities.shape[1]
        of = shown_values(self.answers.classes)[1] if n_known == 2 else "the answer"
        return Table(
            "",
            [
                Column(f"probability of {of}", [f"{one.predicted:.1%}" for one in bins]),
                Column("rows", [f"{one.n_samples:,}" for one in bins]),
                Column("turned out so", [_share(one.observed) for one in bins]),
                Column("95 %", [_ends(one.observed) for one in bins]),
            ],
        )

    def _by(self) -> Table:
        found = list(self.groups.values())
        recalls = [
            Column(label, [_share(one.per_class[code].recall) for one in found], group="recall")
            for code, label in enumerate(shown_values(self.answers.classes))
        ]
        return Table(
            "",
            [
                Column("subgroup", [shown_text(value) for value in self.groups], align="left"),
                Column("rows", [f"{one.n_samples:,}" for one in found]),
                Column("error", [_share(one.error) for one in found]),
                Column("95 %", [_ends(one.error) for one in found]),
                Column("AUC", [_number(one.auc) for one in found]),
                *recalls,
            ],
        )

    def to_dict(self) -> dict[str, object]:
        """Return the figures, of types that JSON has; what is not known is None."""
        facts = {
            "n_samples": self.n_samples,
            "weight": float(self.answers.weights.sum()) / self.answers.n_repeats,
            "error": asdict(self.error),
            "classes": list(self.answers.classes),
            "confusion": self.confusion.tolist(),
            "per_class": [asdict(one) for one in self.per_class],
            "auc": self.auc,
            "log_loss": self.log_loss,
            "brier": self.brier,
            "calibration": [asdict(one) for one in self.calibration],
            "cost": self.cost,
            "mean_cost": self.mean_cost,
            "wrong_rows": self.wrong_rows.tolist(),
            "groups": [{"value": value, **one.to_dict()} for value, one in self.groups.items()],
        }
        return {name: _plain(value) for name, value in facts.items()}

    def to_json(self) -> str:
        """Return the figures as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame with a row for all rows, and one for each subgroup."""
        import pandas as pd

        found: Sequence[tuple[object, Evaluation]] = [("all", self), *self.groups.items()]
        return pd.DataFrame(
            {
                "n_samples": [one.n_samples for _, one in found],
                "error": [one.error.value for _, one in found],
                "low": [one.error.low for _, one in found],
                "high": [one.error.high for _, one in found],
                "auc": [one.auc for _, one in found],
                "log_loss": [one.log_loss for _, one in found],
                "brier": [one.brier for _, one in found],
                "mean_cost": [one.mean_cost for _, one in found],
            },
            index=[str(value) for value, _ in found],
        )


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _number(value: float) -> str:
    return "-" if math.isnan(value) else f"{value:.3f}"


def _share(share: Share) -> str:
    return "-" if math.isnan(share.value) else f"{share.value:.1%}"


def _ends(share: Share) -> str:
    return "-" if math.isnan(share.value) else f"{share.low:.1%}-{share.high:.1%}"
