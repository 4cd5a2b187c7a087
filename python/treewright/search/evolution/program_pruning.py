"""A pruning rule that is a whole program: from a tree to the pruned tree and its estimate."""

from __future__ import annotations

import json
from zlib import crc32

from treewright import _core
from treewright._base.errors import FormatError, ParameterError
from treewright._base.params import one_of, whole_number_or_none
from treewright._base.wording import UNSET
from treewright.search.evolution.exporting import export_program
from treewright.search.evolution.program import LANGUAGES, MOST_MEMORY, MOST_STEPS, Program, as_program
from treewright.trees.pruning.rule import Pruned, PruningRule, Task, counts_of

FORMAT, VERSION = "treewright-pruning-program", 1
OF_PROGRAMS = "treewright-program"
"""The format of `Program.to_json`, which is read too."""
PARTS = ("program", "max_steps", "max_memory")
FORMULA = (["float", "float"], "float")
"""Types of the parameters and of the result of a formula."""


class ProgramPruning(PruningRule):
    """Prunes by a program that takes the tree and returns the pruned tree and its estimated error rate.

    This is the full form of a rule: the traversal of the tree is part of the program, so a decision may
    depend on anything in the tree, and not on two counts of a node alone. `ProgramEvolver` finds such
    programs for a `PruningProblem`; `PruningProblem.start` writes a formula in this form.

    Parameters
    ----------
    program : str or Program
        The program, or its text, with the types of `PruningProblem`: from ``tree`` to ``tree * float``. Of
        every node it sees the training weight of its class and the whole training weight.
    max_steps : int, default=None
        Largest number of steps of a run on one tree; None is 1000 and 400 for each node, as in an evolution.
    max_memory : int, default=None
        Largest number of words of data, and of the stack, of a run on one tree; None is 1000 and 48 for each
        node (64 for the stack).

    Raises
    ------
    StepLimitError, MemoryLimitError
        When a tree is pruned and the program reaches a limit.
    DataError
        When a tree is pruned and the program returns something else than the tree with some of its nodes made
        leaves. No tree is left unpruned in silence.

    Notes
    -----
    The program gives one estimate, of the whole tree. It may be NaN or infinite; the tree is what counts. The
    estimates of all other nodes are NaN in the pruned tree and in `explain_pruning`.

    A program sees the whole tree, so a search over sets of features cannot apply it to a part of a tree:
    selectors need ``strategy="retrain"``. Samples that stay at a node because a value is missing there are in
    the weight of the node, and in that of no child.

    A rule is data: an interpreter of its own runs the program, never Python.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.evolution import LearnedPruning, ProgramPruning, PruningProblem
    >>> formula = LearnedPruning("((n - c) + 0.5) / n")
    >>> rule = ProgramPruning(PruningProblem.start(formula))
    >>> iris = datasets.load("iris")
    >>> trees = [GreedyTreeClassifier(pruning=one).fit(iris).tree_ for one in (rule, formula)]
    >>> trees[0].n_nodes == trees[1].n_nodes
    True
    >>> ProgramPruning.from_json(rule.to_json()) == rule
    True
    """

    _estimates_nodes = False

    def __init__(
        self, program: str | Program, *, max_steps: int | None = None, max_memory: int | None = None
    ) -> None:
        self.program = program
        self.max_steps = max_steps
        self.max_memory = max_memory

    @property
    def _parsed(self) -> Program:
        program = as_program("program", self.program)
        if program._core.signature == FORMULA:
            allowed = "is a formula of c and n, not a program from a tree to a tree"
            remedy = "give it to LearnedPruning, or to PruningProblem.start, which makes it a program"
            raise ParameterError("program", UNSET, allowed, remedy)
        program._core.check_pruning()
        return program

    def _limits(self) -> dict[str, int | None]:
        steps = whole_number_or_none("max_steps", self.max_steps, least=1, remedy="it counts steps of a run")
        memory = whole_number_or_none("max_memory", self.max_memory, least=1, remedy="it counts words")
        return {
            "max_steps": None if steps is None else min(steps, MOST_STEPS),
            "max_memory": None if memory is None else min(memory, MOST_MEMORY),
        }

    def _check(self) -> None:
        _ = self._parsed, self._limits()

    def _prune(self, task: Task) -> Pruned:
        right, weight = counts_of(task.tree)
        program, limits = self._parsed._core, self._limits()
        found = _core.prune_by_program(task.tree._told, program, right, weight, **limits)
        return Pruned.of(self, task.tree, found)

    def __eq__(self, other: object) -> bool:
        """Tell whether two rules are the same program, up to the names in it, with the same limits."""
        if not isinstance(other, ProgramPruning):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._parsed, self.max_steps, self.max_memory

    def __repr__(self) -> str:
        """Name the rule in a few words that differ between programs; `text` is the program."""
        text = str(self.program)
        limits = [
            f", {name}={value}" for name in PARTS[1:] if (value := getattr(self, name, None)) is not None
        ]
        number = crc32(text.encode("utf-8", "backslashreplace"))
        return f"ProgramPruning(<program {number:08x}>{''.join(limits)})"

    @property
    def text(self) -> str:
        """The program as text, with the declarations of its types."""
        return self._parsed.text

    @property
    def bits(self) -> float:
        """Complexity of the program in bits."""
        return self._parsed.bits

    def code(self, language: str = "python") -> str:
        """Return the program in another language.

        Parameters
        ----------
        language : {"python", "rust", "sml", "latex"}, default="python"
            The language.

        Returns
        -------
        code : str
            As of `Program.code`.
        """
        return self._parsed.code(one_of("language", language, LANGUAGES))

    def export(self, format: str) -> str:  # noqa: A002
        """Write the program in another language, in the formats of `Tree.export`.

        Parameters
        ----------
        format : {"python", "json"}
            The format; other formats have no recursion or no trees, and are refused with the reason.

        Returns
        -------
        written : str
            As of `Program.export`; JSON is that of `to_json`.

        Raises
        ------
        ExportError
            If the format cannot say it; the message has the reason.
        """
        return self.to_json() if format == "json" else export_program(self._parsed._core, format)

    def to_json(self) -> str:
        """Return the rule as text."""
        parts = {"program": self.text, **self._limits()}
        return json.dumps({"format": FORMAT, "version": VERSION, **parts})

    @classmethod
    def from_json(cls, text: str) -> ProgramPruning:
        """Read what `to_json` wrote, or `Program.to_json`.

        Parameters
        ----------
        text : str
            The text.

        Returns
        -------
        rule : ProgramPruning
            The same rule; of a stored program the rule with the usual limits.

        Raises
        ------
        FormatError
            If the text is no stored rule, or its program does not prune trees.
        """
        stored = _stored(text)
        try:
            if stored["format"] == OF_PROGRAMS:
                rule = cls(Program.from_json(text if isinstance(text, str) else bytes(text).decode()))
            else:
                if not isinstance(stored["program"], str):
                    raise _refusal("its program is no text")
                rule = cls(stored["program"])
                rule.set_params(max_steps=stored["max_steps"], max_memory=stored["max_memory"])
            rule._check()
        except ParameterError as error:
            raise _refusal(str(error)) from None
        return rule


def _refusal(reason: str) -> FormatError:
    return FormatError(f"the text is no pruning program ({reason}); give what to_json returned")


def _stored(text: object) -> dict[str, object]:
    """Return the parts of a stored rule; all are there, and it is of the version that is read."""
    if not isinstance(text, str | bytes | bytearray):
        raise _refusal(f"it is of type {type(text).__name__}, not text")
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _refusal(f"no JSON: {error}" if text.strip() else "it is empty") from None
    if not isinstance(stored, dict):
        raise _refusal("it holds no object with a program")
    kind = stored.get("format")
    if kind == OF_PROGRAMS:
        return stored
    if kind != FORMAT:
        raise _refusal(f"its format is {kind!r}, not '{FORMAT}'")
    if stored.get("version") != VERSION:
        raise _refusal(f"it is of version {stored.get('version')!r}, and {VERSION} is read")
    if missing := [part for part in PARTS if part not in stored]:
        raise _refusal(f"it has no '{missing[0]}'")
    return stored
