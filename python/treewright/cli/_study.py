"""How a study is run and answered, and the options that all studies have for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from treewright.cli._header import below
from treewright.cli._option import Option
from treewright.cli._options import (
    Decorator,
    check_resume,
    gathered,
    named_options,
    options,
    output_options,
    parameter_options,
)
from treewright.cli._output import Output
from treewright.cli._running import DONE, QUIET, FirstCtrlC, Interruption, note
from treewright.cli._signature import given
from treewright.cli._source import Reading, refuse_repeated
from treewright.cli._text import data_facts, header, screen_width

if TYPE_CHECKING:
    from treewright import Dataset
    from treewright.studies import (
        DistinctTreeStudy,
        FixedDepthComparison,
        GreedyComparison,
        OptimalComparison,
        PlaneComparison,
        PruningComparison,
        SelectionComparison,
    )

    ByFolds = (
        FixedDepthComparison | OptimalComparison | PlaneComparison | PruningComparison | SelectionComparison
    )
    Result = ByFolds | DistinctTreeStudy | GreedyComparison

ROOM = "treewright.studies"
PAPER = click.option(
    "--paper",
    cls=Option,
    section="Study",
    is_flag=True,
    help=(
        "Use the data sets of the published experiment instead of DATA, each as it was used there; most of "
        "them come from the folder of --folder."
    ),
)


class Run:
    """How a study is run and answered, as the options say."""

    def __init__(
        self, time_limit: float | None, checkpoint: Path | None, resume: bool, **output: Any
    ) -> None:
        check_resume(checkpoint, resume)
        for option in named_options():
            if option.multiple and option.section == "Study":
                refuse_repeated(option.opts[0], click.get_current_context().params[str(option.name)])
        self._output = Output(**output)
        self._conduct = given(time_limit=time_limit, checkpoint=checkpoint, resume=resume)

    def __call__(self, study: Callable[..., Result], *data: object, **parameters: object) -> int:
        """Run a study with the parameters that were given and answer; return how the command ends."""
        from treewright.studies import StudyInterruptedError

        output, code = self._output, DONE
        with Interruption() as interruption:
            try:
                progress = (output.progress or sys.stderr.isatty()) and not QUIET.get()
                found = study(*data, **given(**parameters), **self._conduct, progress=progress)
            except StudyInterruptedError as stop:
                found, code = cast("Result", stop.result), interruption.exit_code
        with FirstCtrlC() as late:
            output.give(
                document=lambda: below(_header(data), found.to_json()),
                text=lambda: found.to_latex() if output.latex else found.to_text(screen_width()),
                plot=found.plot,
                csv=found.to_csv,
            )
        code = code or late.exit_code
        if code != DONE and "checkpoint" in self._conduct:
            note("To continue, repeat the command with --resume.")
        return code


def _header(data: Sequence[object]) -> dict[str, object]:
    """Return the header of a study of data sets, or of none."""
    sets = data[0] if data and isinstance(data[0], Mapping) else {}
    kind = f"study-{click.get_current_context().command.name}"
    return header(kind, [data_facts(name, dataset) for name, dataset in sets.items()])


def takes_study(study: str, *names: str, **words: str) -> Decorator:
    """Return what gives a command the options of a study by its parameters, and those of running it.

    It receives the `names` as they are, the others as one `Run`; `words` fill the holes of the help.
    """
    owner = f"{ROOM}.{study}"
    conduct = parameter_options(owner, "time_limit", "checkpoint", "resume", section="Study")
    answers = output_options(
        "Write the result to a JSON file.",
        *("as_json", "latex", "progress"),
        picture="Draw the result: a .png, .pdf or .svg file.",
        numbers="Write the numbers of every fold, or table, to a CSV file.",
    )
    own = parameter_options(owner, *names, section="Study", **words)
    return options(*own.values(), gathered("run", conduct | answers, Run))


def data_sets(
    experiment: str, data: tuple[str, ...], paper: bool, reading: Reading, seed: int | None
) -> dict[str, Dataset]:
    """Return every DATA, or the sets of the published experiment."""
    from treewright.studies import published_sets

    if bool(data) == paper:
        raise click.UsageError("Give DATA or --paper, one of the two.")
    if not paper:
        return reading.load_all(data)
    refuse_reading("--paper, which knows its sets", but="folder")
    return published_sets(experiment, folder=reading.folder, **given(random_state=seed))


def refuse_reading(reason: str, but: str = "") -> None:
    """Refuse options of reading DATA where none is read."""
    for option in named_options():
        if option.section == "Data" and option.name != but:
            raise click.UsageError(f"{option.opts[0]} does not go with {reason}; leave it out.")
