"""How long commands end before their end: by Ctrl-C, by SIGTERM, by a full disk, killed while they write.

Most cases are a process of their own. Inner names, as in unit tests: `studies.common.run` and
`studies.optimal.result`: where signals are sent from.
"""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from commands import Ended, Run
from treewright import Tree, datasets

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals to one process")

FOUND = "found.json"


def told_to_stop(line: tuple[str, ...], number: signal.Signals) -> Ended:
    """Send a signal once the progress shows that the work is on."""
    command = [sys.executable, "-m", "treewright", *line, "--progress", "--out", FOUND]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        seen = [text for text, _ in zip(process.stderr, range(2), strict=False)]
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    return Ended(process.returncode, out, "".join(seen) + err)


LONG: dict[str, tuple[tuple[str, ...], str, Callable[[Any], object], signal.Signals]] = {
    "select": (
        ("select", "digits", "--strategy", "retrain"),
        " of at most 2,081 trees built",
        lambda found: found["search"]["status"],
        signal.SIGTERM,
    ),
    "table": (
        ("table", "digits", "--bins", "4"),
        " subtables",
        lambda found: found["search"]["status"],
        signal.SIGINT,
    ),
    "fixed-depth": (
        ("fixed-depth", "digits", "--depth", "5"),
        "depth 5",
        lambda found: found["search"]["status"],
        signal.SIGTERM,
    ),
    "plane": (
        ("plane", "wdbc", "--selection", "path"),
        " LPs",
        lambda found: found["status"],
        signal.SIGINT,
    ),
    **{
        f"optimal, {number.name}": (
            ("optimal", "digits", "--depth", "4"),
            "at least 0, ",
            lambda found: found["search"]["status"],
            number,
        )
        for number in (signal.SIGINT, signal.SIGTERM)
    },
}


@pytest.mark.parametrize("command", LONG)
def test_what_was_found_is_printed_and_written(run: Run, command: str) -> None:
    line, notice, status, number = LONG[command]
    ended = told_to_stop(line, number)
    assert ended.code == 128 + number
    assert notice in ended.err
    assert ended.err.endswith("Stopped.\n")
    assert len(ended.out.splitlines()) > 5
    found = json.loads(Path(FOUND).read_text(encoding="utf-8"))
    assert status(found) == "stopped"
    if command.startswith("optimal"):
        check_optimal(ended, found)


def check_optimal(ended: Ended, found: Any) -> None:
    """Check that the search ended soon, with its best tree, what that costs and what none costs less than."""
    search, text = found["search"], " ".join(ended.out.split())
    told = [float(re.findall(r"([0-9.]+) s$", line)[0]) for line in ended.err.splitlines()[:2]]
    assert search["seconds"] < told[-1] + 5, "most of a second on a machine that does nothing else"
    data = datasets.load("digits")
    tree = Tree.from_json(json.dumps(found["tree"]))
    assert (tree.predict(data) != data.target).sum() == search["cost"]
    assert 0 <= search["bound"] <= search["cost"] < 1797 - 183
    assert f"training errors {search['cost']:.10g} (found in" in text
    assert f"No tree has less than {search['bound']:.10g}." in text


def test_a_model_that_a_search_makes_is_evaluated_on_whole_folds_only(run: Run) -> None:
    """A search inside of a fold keeps its best at Ctrl-C: no model of a fold may be that."""
    run("select", "wine", "--out", "tree.json")
    evaluate = ("evaluate", "tree.json", "wine", "--cv", "10", "--repeats", "90")
    ended = told_to_stop(evaluate, signal.SIGINT)
    found = json.loads(Path(FOUND).read_text(encoding="utf-8"))
    assert ended.code == 130
    assert found["cross_validation"]["status"] == "stopped"
    assert 0 < found["cross_validation"]["n_done"] < 900
    assert f"{found['cross_validation']['n_done']} of 900 folds were completed" in " ".join(ended.out.split())


def refuse_to_write(_: int) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def terminate(_: int) -> None:
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize(("sync", "code"), [(refuse_to_write, 1), (terminate, 143)])
@pytest.mark.parametrize("line", [("fit", "wine"), ("predict", "tree.json", "wine"), ("describe", "wine")])
def test_a_file_is_the_old_one_or_the_new_one(
    run: Run, monkeypatch: pytest.MonkeyPatch, sync: Callable[[int], None], code: int, line: tuple[str, ...]
) -> None:
    run("fit", "wine", "--out", "tree.json")
    Path(FOUND).write_text("the old one", encoding="utf-8")
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", sync)
        assert run(*line, "--out", FOUND).code == code
    assert Path(FOUND).read_text(encoding="utf-8") == "the old one"
    assert {path.name for path in Path().iterdir()} == {"weather.csv", "tree.json", FOUND}
    assert run(*line, "--out", FOUND).code == 0
    assert Path(FOUND).read_text(encoding="utf-8") != "the old one"


def test_what_a_killed_command_leaves_is_no_result(run: Run) -> None:
    Path(FOUND).write_text("the old one", encoding="utf-8")
    kill = "import os, signal; os.fsync = lambda file: os.kill(os.getpid(), signal.SIGKILL)"
    script = f"{kill}; from treewright.cli import main; main()"
    command = [sys.executable, "-c", script, "fit", "wine", "--out", FOUND]
    assert subprocess.run(command, capture_output=True, check=False).returncode == -signal.SIGKILL
    assert Path(FOUND).read_text(encoding="utf-8") == "the old one"
    assert run("fit", "wine", "--out", FOUND).code == 0
    assert {path.name for path in Path().iterdir()} == {"weather.csv", FOUND}


def twice() -> None:
    """Send SIGTERM as `timeout` does: to the command, and a moment later to its group."""
    for _ in range(2):
        signal.raise_signal(signal.SIGTERM)


STUDY = ("study", "optimal", "iris", "--depth", 1, "--method", "c45", "--folds", 3)


def test_a_signal_that_comes_twice_stops_a_study_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from treewright.studies.common.run import Course

    keep = Course.keep

    def kept(self: Course, place: int, part: object, count: int = 1) -> None:
        keep(self, place, part, count)
        if self.n_done == 2:
            try:
                signal.raise_signal(signal.SIGTERM)
            finally:
                signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr(Course, "keep", kept)
    ended = run(*STUDY)
    assert (ended.code, ended.err) == (143, "Stopped.\n")
    assert "Stopped after 2 folds." in ended.out


@pytest.mark.parametrize(
    ("line", "made"),
    [
        (STUDY, "treewright.studies.optimal.result.OptimalComparison.to_text"),
        (
            ("explore", "iris", "--family", "majority", "--cv", 2, "--inner-cv", 2),
            "treewright.exploration.Exploration.to_text",
        ),
    ],
)
def test_a_signal_while_the_report_is_made_takes_nothing_away(
    run: Run, monkeypatch: pytest.MonkeyPatch, line: tuple[object, ...], made: str
) -> None:
    def text(*_: object, **__: object) -> str:
        twice()
        return "the whole report"

    monkeypatch.setattr(made, text)
    ended = run(*line)
    assert (ended.code, ended.out, ended.err) == (143, "the whole report\n", "Stopped.\n")
