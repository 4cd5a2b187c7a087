"""Which program of a front is handed out, where a second problem chooses among them."""

from __future__ import annotations

import math
from collections.abc import Sequence

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import Limits
from treewright._base.wording import UNSET, Param
from treewright.search.evolution.problems import Setting, set_up


class Choice:
    """A validation problem, and what programs lose on it."""

    def __init__(self, given: object, setting: Setting) -> None:
        self.given = given
        self.problem = set_up(given, setting)
        self._n_threads = setting.n_threads
        self._losses: dict[str, float] = {}

    def check(self, evolved_on: _core.ProgramProblem) -> None:
        """Refuse inputs that evolution sees: what fits them is not to choose by them."""
        n_shared, n_inputs = self.problem.n_shared(evolved_on), self.problem.n_inputs
        if n_shared == 0:
            return
        seen = "all its inputs" if n_shared == n_inputs else f"{n_shared} of its {n_inputs} inputs"
        remedy = (
            "give inputs that evolution does not see; of a PruningProblem, trees of another ",
            Param("random_state"),
        )
        raise ParameterError("validation", UNSET, f"has {seen} among those of the problem itself", remedy)

    def losses(self, front: Sequence[_core.ScoredProgram]) -> list[float]:
        """Return the loss of each program of a front; those seen before are not run again."""
        new = {one.program.text: one.program for one in front if one.program.text not in self._losses}
        found = self.problem.losses(list(new.values()), limits=Limits(self._n_threads))
        self._losses.update((text, loss) for text, (loss, _) in zip(new, found, strict=True))
        return [self._losses[one.program.text] for one in front]

    def place(self, front: Sequence[_core.ScoredProgram]) -> int:
        """Return the place of the chosen program; in a tie the first, which has the smallest loss or size."""
        losses = self.losses(front)
        known = [place for place, loss in enumerate(losses) if math.isfinite(loss)]
        if not known:
            raise DataError(
                Param("validation"),
                " has no finite loss for any program of the front; give inputs for which they have outputs, "
                "or a score that is finite",
            )
        return min(known, key=lambda place: (losses[place], place))
