"""A rule that was learned: a formula as a pruning rule."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from treewright import _core
from treewright._base.errors import DataError, FormatError, ParameterError
from treewright._base.params import one_of
from treewright._base.wording import UNSET
from treewright.data.types import FloatArray
from treewright.search.evolution.exporting import export_program
from treewright.search.evolution.formula import parsed
from treewright.search.evolution.program import LANGUAGES
from treewright.search.evolution.record import FrontRule, LearningRecord, report_text
from treewright.trees.pruning.rule import PruningRule, counts_of
from treewright.trees.tree import Tree

PRESETS = files("treewright.search.evolution") / "presets"
"""Rules that this project's own runs found, kept as files of the package."""

ENDING = ".json"

FORMAT, VERSION = "treewright-learned-pruning", 1
PARTS = ("format", "version", "program", "record")


class LearnedPruning(PruningRule):
    """Prunes by a formula of c and n, such as `learn_pruner` finds.

    Parameters
    ----------
    program : str
        The formula, such as ``"((n - c) + 0.5) / n"``, or the text of a function of it,
        ``"fun estimate(c: float, n: float): float = ..."``. Of a leaf, n is the weight of the training
        samples, c the weight of those of its class. Numbers are written with a point.

    Attributes
    ----------
    record_ : LearningRecord or None
        How the rule was learned, and its scores; None for a rule that was not learned.

    Notes
    -----
    The formula is evaluated only for c and n above 0: a leaf without samples has no errors, and a leaf that
    is right for no sample is never preferred. A value that is not finite counts as NaN: the node is not
    pruned, and neither are the nodes above such a leaf. A formula f and any a·f + b with a > 0 prune alike,
    except for ties. The rule is data: it is parsed and never executed as code.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.evolution import LearnedPruning
    >>> rule = LearnedPruning("((n - c) + 0.5) / n")
    >>> rule([8, 3], [10, 3])
    array([0.25      , 0.16666667])
    >>> rule.bits
    32.0
    >>> iris = datasets.load("iris")
    >>> from treewright.pruning import PessimisticPruning
    >>> trees = [GreedyTreeClassifier(pruning=one).fit(iris).tree_ for one in (rule, PessimisticPruning())]
    >>> trees[0].n_nodes == trees[1].n_nodes
    True
    >>> LearnedPruning.from_json(rule.to_json()) == rule
    True
    """

    def __init__(self, program: str) -> None:
        self.program = program

    record_: LearningRecord | None = None

    @property
    def _core_program(self) -> _core.Program:
        return parsed(self.program)

    def _check(self) -> None:
        parsed(self.program)

    def _search_rates(self) -> _core.Program:
        return self._core_program

    def _rates(self, tree: Tree) -> FloatArray:
        return self._core_program.rates(*counts_of(tree))

    def __call__(self, c: ArrayLike, n: ArrayLike) -> FloatArray:
        """Estimate leaves of weight `n`, `c` of it of the leaf's class; NaN where that is not finite.

        Of a leaf without samples that is 0, of one without samples of its class infinity. Counts that no leaf
        has, such as c > n, are put into the formula as they are.
        """
        pairs = _paired(np.asarray(c, dtype=np.float64), np.asarray(n, dtype=np.float64))
        rates = self._core_program.rates(*(np.ascontiguousarray(values).ravel() for values in pairs))
        return rates.reshape(pairs[0].shape)

    def __eq__(self, other: object) -> bool:
        """Tell whether two rules are the same program, up to the names in it."""
        if not isinstance(other, LearnedPruning):
            return NotImplemented
        return self._core_program == other._core_program

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self._core_program)

    @property
    def text(self) -> str:
        """The program as a function, with its declaration."""
        return self._core_program.text

    @property
    def bits(self) -> float:
        """Complexity in bits: the information in the choice of its symbols; constants count twice."""
        return self._core_program.bits

    @property
    def front_(self) -> tuple[FrontRule, ...]:
        """Pareto front of rules in training score, size and run time, from small to large.

        They are simplified: parts that no training tree needs are removed, and numbers have the fewest digits
        that change no score. Empty if the rule was not learned.
        """
        return () if self.record_ is None else self.record_.front

    def code(self, language: str = "python") -> str:
        """Return the rule as a function of c and n in another language.

        Parameters
        ----------
        language : {"python", "rust", "sml", "latex"}, default="python"
            The language.

        Returns
        -------
        code : str
            As of `Program.code`.
        """
        return self._core_program.code(one_of("language", language, LANGUAGES))

    def export(self, format: str) -> str:  # noqa: A002
        """Write the rule as a function of c and n of another language, in the formats of `Tree.export`.

        Parameters
        ----------
        format : {"python", "c", "javascript", "json"}
            The format. C and JavaScript are written of formulas: one function of floats. `code` writes more
            languages.

        Returns
        -------
        written : str
            As of `Program.export`; JSON is that of `to_json`.

        Raises
        ------
        ExportError
            If the format cannot say it; the message has the reason.
        """
        return self.to_json() if format == "json" else export_program(self._core_program, format)

    def simplify(self) -> LearnedPruning:
        """Return the same rule in a simpler form, if there is one, without its record."""
        return LearnedPruning(self._core_program.simplify().text)

    def report(self) -> str:
        """Return the measurements made when the rule was learned, as text.

        Returns
        -------
        text : str
            The rule, its errors in training, validation and test beside those of other rules, with
            standard errors, and the front.

        Raises
        ------
        ParameterError
            If the rule was not learned.
        """
        if self.record_ is None:
            raise ParameterError(
                "program", UNSET, "was given, not learned: there is no report", "use learn_pruner"
            )
        return report_text(self.text, self.bits, self.record_)

    def to_json(self) -> str:
        """Return the rule and its record as text."""
        record = None if self.record_ is None else self.record_.to_dict()
        return json.dumps({"format": FORMAT, "version": VERSION, "program": self.text, "record": record})

    @classmethod
    def from_json(cls, text: str) -> LearnedPruning:
        """Read what `to_json` wrote.

        Parameters
        ----------
        text : str
            The text.

        Returns
        -------
        rule : LearnedPruning
            The same rule, with its record.

        Raises
        ------
        FormatError
            If the text is not a learned rule.
        """
        stored = _stored_rule(text)
        rule = cls(stored["program"])
        try:
            rule._check()
        except ParameterError as error:
            raise _refusal(str(error)) from None
        if stored["record"] is not None:
            rule.record_ = _read_record(stored["record"])
        return rule

    @staticmethod
    def presets() -> tuple[str, ...]:
        """Return the names of the rules that come with the package."""
        found = (place.name for place in PRESETS.iterdir())
        return tuple(sorted(name.removesuffix(ENDING) for name in found if name.endswith(ENDING)))

    @classmethod
    def preset(cls, name: str) -> LearnedPruning:
        """Return a rule that comes with the package.

        Each was found by a run of `learn_pruner` that can be repeated: its record names data, seed and number
        of programs.

        Parameters
        ----------
        name : str
            One of `presets`.

        Returns
        -------
        rule : LearnedPruning
            The rule, with its record.

        Raises
        ------
        ParameterError
            If there is none of that name.

        Examples
        --------
        >>> from treewright.evolution import LearnedPruning
        >>> rule = LearnedPruning.preset("paper_table")
        >>> rule.record_.data
        'generated data (paper_table)'
        """
        if name not in cls.presets():
            known = ", ".join(map(repr, cls.presets()))
            raise ParameterError(
                "name", name, "is no rule that comes with the package", f"use one of {known}"
            )
        return cls.from_json((PRESETS / f"{name}{ENDING}").read_text(encoding="utf-8"))


def _paired(c: FloatArray, n: FloatArray) -> tuple[FloatArray, ...]:
    """Let every c have an n; one number goes with all."""
    try:
        return tuple(np.broadcast_arrays(c, n))
    except ValueError:
        lengths = f"c has {_extent(c)} and n has {_extent(n)}"
        raise DataError(f"{lengths}; give as many of both, or one number for all") from None


def _extent(values: FloatArray) -> str:
    return f"{len(values)} values" if values.ndim == 1 else f"the shape {values.shape}"


def _refusal(reason: str) -> FormatError:
    """Return the error for a text that is no rule."""
    return FormatError(f"the text is no learned rule ({reason}); give what to_json returned")


def _stored_rule(text: object) -> dict[str, Any]:
    """Return the parts of a stored rule; all are there, and it is of the version that is read."""
    if not isinstance(text, str | bytes | bytearray):
        raise _refusal(f"it is of type {type(text).__name__}, not text")
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(f"no JSON: {error}" if text.strip() else "it is empty") from None
    if not isinstance(stored, dict):
        raise _refusal("it holds no object with a program")
    if "format" in stored and stored["format"] != FORMAT:
        raise _refusal(f"its format is {stored['format']!r}, not '{FORMAT}'")
    if missing := [part for part in PARTS if part not in stored]:
        raise _refusal(f"it has no {_listed(missing)}")
    if stored["version"] != VERSION:
        raise _refusal(f"it is of version {stored['version']!r}, and {VERSION} is read")
    return stored


def _read_record(stored: object) -> LearningRecord:
    """Return the record of a stored rule."""
    if not isinstance(stored, dict):
        raise _refusal(f"its record is of type {type(stored).__name__}, not an object")
    if missing := [part for part in LearningRecord.__dataclass_fields__ if part not in stored]:
        raise _refusal(f"its record has no '{missing[0]}'")
    try:
        return LearningRecord.from_dict(stored)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise _refusal(f"its record cannot be read: {error}") from None


def _listed(names: list[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return " and no ".join(quoted) if len(quoted) < 3 else f"{', '.join(quoted[:-1])} or {quoted[-1]}"
