"""Whether treewright is well here: versions, threads, instructions of the processor, extras, a self-check.

`examine` is what `treewright doctor` prints. Its checks solve small problems whose answers are known, or are
found again here the slow and obvious way.
"""

from __future__ import annotations

import os
import platform
import re
import sysconfig
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import PackageNotFoundError, requires, version
from itertools import product
from typing import TYPE_CHECKING

from treewright import _core
from treewright._base.html import element, fragment, table
from treewright._base.params import n_threads

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.data.types import FloatArray, IntArray

__all__ = ["Check", "Diagnosis", "Package", "examine"]

REQUIREMENT = re.compile(r"([\w.-]+)\s*(?:\[[^\]]*\])?\s*\(?([^;)]*)\)?\s*(?:;\s*(.*))?")
EXTRA = re.compile(r"""extra\s*==\s*['"]([\w-]+)['"]""")
FOR_DEVELOPERS = ("test", "docs", "dev")
"""Extras that only those who work on treewright need."""

IMPORTED_AS = {"python-calamine": "python_calamine", "scikit-learn": "sklearn"}
"""Names of modules that are not those of their packages."""


@dataclass(frozen=True)
class Package:
    """A package that treewright needs, or that an extra brings.

    Attributes
    ----------
    name : str
        As it is installed.
    extra : str
        The extra that brings it; empty for one that is always needed.
    wanted : str
        The versions that are allowed, such as ``">=1.26"``.
    version : str
        The version that is here; empty where it is not installed.
    is_old : bool
        Whether it is older than allowed.
    fault : str
        What its import raises, although it is installed; empty where it can be imported.
    """

    name: str
    extra: str
    wanted: str
    version: str
    is_old: bool
    fault: str = ""

    @property
    def is_amiss(self) -> bool:
        """Whether it is needed and not here, or is here and too old or cannot be imported."""
        return bool(self.remedy) and (not self.extra or bool(self.version))

    @property
    def remedy(self) -> str:
        """What to install; empty where nothing is amiss."""
        if self.version and not self.is_old:
            return f"pip install --force-reinstall '{self.name}{self.wanted}'" if self.fault else ""
        return (
            f"pip install 'treewright[{self.extra}]'"
            if self.extra
            else f"pip install '{self.name}{self.wanted}'"
        )


@dataclass(frozen=True)
class Check:
    """A part of the self-check.

    Attributes
    ----------
    name : str
        What is checked.
    is_right : bool
        Whether the answer is as it should be.
    told : str
        The answer and what it is held against; of a failure the error.
    seconds : float
        How long it took.
    """

    name: str
    is_right: bool
    told: str
    seconds: float


@dataclass(frozen=True)
class Diagnosis:
    """What is here, and whether it answers rightly.

    Attributes
    ----------
    facts : dict of str to str
        Versions, threads and the instruction set.
    packages : tuple of Package
        Those that are always needed, then those of the extras for users.
    checks : tuple of Check
        The self-check, in the order in which it ran.
    """

    facts: Mapping[str, str]
    packages: tuple[Package, ...]
    checks: tuple[Check, ...]

    @property
    def is_well(self) -> bool:
        """Whether every check is right, and every package is new enough and can be imported."""
        return all(check.is_right for check in self.checks) and not any(one.is_amiss for one in self.packages)

    @property
    def conclusion(self) -> str:
        """What follows, in a sentence."""
        if self.is_well:
            return "All is well."
        if faulty := [one.name for one in self.packages if one.fault]:
            return f"Cannot be imported: {', '.join(faulty)}. Install again, then repeat the command."
        wrong = [check.name for check in self.checks if not check.is_right]
        if wrong:
            return f"Wrong here: {', '.join(wrong)}. Please report it with all of the above."
        return "Install what is missing or too old."

    def to_text(self) -> str:
        """Return all of it as lines of text."""
        wide = max(map(len, (*self.facts, *(check.name for check in self.checks)))) + 2
        lines = [f"{name:<{wide}}{told}" for name, told in self.facts.items()]
        lines += ["", *(f"{_asked_for(one):<{wide}}{_state(one)}" for one in self.packages), ""]
        lines += [f"{check.name:<{wide}}{_outcome(check)}" for check in self.checks]
        return "\n".join([*lines, "", self.conclusion])

    def __str__(self) -> str:
        """Return all of it as lines of text."""
        return self.to_text()

    def _repr_html_(self) -> str:
        rows = [
            *self.facts.items(),
            *((_asked_for(one), _state(one)) for one in self.packages),
            *((check.name, _outcome(check)) for check in self.checks),
        ]
        return fragment(table(("what", "here"), rows), element("p", self.conclusion))


def examine(*, n_jobs: int | None = -1) -> Diagnosis:
    """Look at what is installed and at the machine, and solve small problems whose answers are known.

    It takes about two seconds, most of them for the import of packages.

    Parameters
    ----------
    n_jobs : int or None, default=-1
        Threads that the check of threads compares with one; -1 is every core.

    Returns
    -------
    diagnosis : Diagnosis
        `to_text` prints it; `is_well` says whether all is well. A check that raises is told as wrong.

    Raises
    ------
    ParameterError
        Where `n_jobs` is no number of threads.

    Examples
    --------
    >>> from treewright.doctor import examine
    >>> examine().is_well
    True
    """
    threads = n_threads(n_jobs)
    checks = (
        ("greedy trees and their export", _greedy),
        ("optimal trees", _optimal),
        ("distinct trees", _distinct),
        ("decision tables", _tables),
        ("fixed-depth trees", _fixed_depth),
        ("planes", _planes),
        (f"the same on 1 and {threads} threads", lambda: _threads(threads)),
    )
    # Packages come first: what a faulty one raises at its first import is told of it, not of a check.
    packages = tuple(_packages())
    return Diagnosis(_facts(), packages, tuple(_checked(name, check) for name, check in checks))


# What is here.


def _facts() -> dict[str, str]:
    free = " without a global lock" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
    own = _version("treewright")
    core = "" if own == _core.__version__ else f", with a core of {_core.__version__}"
    return {
        "treewright": f"{own or 'not installed, run from its source'}{core}",
        "Python": f"{platform.python_implementation()} {platform.python_version()}{free}",
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "cores": f"{_n_cores()} to be used of {os.cpu_count() or 1}",
        "threads by default": str(n_threads(None)),
        "instruction set": f"{_core.instruction_set()} (searches for optimal trees)",
        "installed in": os.path.dirname(_core.__file__ or ""),  # noqa: PTH120
    }


def _n_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _packages() -> Iterator[Package]:
    """List needed packages, then those of the extras that users ask for."""
    try:
        listed = requires("treewright") or []
    except PackageNotFoundError:
        return
    for line in sorted(listed, key=lambda line: (EXTRA.search(line) is not None, line)):
        found = REQUIREMENT.match(line)
        extra = EXTRA.search(line)
        if found is None or (extra is not None and extra[1] in FOR_DEVELOPERS):
            continue
        name, wanted, here = found[1], found[2].strip(), _version(found[1])
        is_old = bool(here) and _is_old(here, wanted)
        yield Package(name, extra[1] if extra else "", wanted, here, is_old, _fault(name) if here else "")


def _fault(name: str) -> str:
    """Return what the import of an installed package raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what packages say of one another is no fault
            import_module(IMPORTED_AS.get(name, name))
    except Exception as error:  # a broken installation may raise anything, and it is to be told
        return f"{type(error).__name__}: {error}"
    return ""


def _is_old(here: str, wanted: str) -> bool:
    """Whether a version is below the least one allowed; other limits are left to the installer."""
    least = re.search(r">=\s*([\d.]+)", wanted)
    return least is not None and _numbers(here) < _numbers(least[1])


def _numbers(text: str) -> tuple[int, ...]:
    found = [int(part) for part in re.findall(r"\d+", text)[:3]]
    return (*found, *[0] * (3 - len(found)))


def _asked_for(one: Package) -> str:
    return f"{one.name} (extra {one.extra})" if one.extra else one.name


def _state(one: Package) -> str:
    told = one.version or "not installed"
    old = f", older than {one.wanted} asks for" if one.is_old else ""
    fault = f", cannot be imported ({one.fault})" if one.fault else ""
    return f"{told}{old}{fault}{f': {one.remedy}' if one.remedy else ''}"


def _outcome(check: Check) -> str:
    return f"{'right' if check.is_right else 'WRONG'}: {check.told}"


# The self-check.


def _checked(name: str, check: Callable[[], tuple[bool, str]]) -> Check:
    """Run a check; whatever it raises is what it tells."""
    began = time.perf_counter()
    try:
        is_right, told = check()
    except Exception as error:  # a broken installation may raise anything, and it is to be told
        is_right, told = False, f"{type(error).__name__}: {error}"
    return Check(name, is_right, told, time.perf_counter() - began)


def _greedy() -> tuple[bool, str]:
    """Hold a C4.5 tree against the program that it is exported to."""
    from treewright.data.sources.registry import load
    from treewright.trees.greedy import GreedyTreeClassifier

    data = load("wine")
    tree = GreedyTreeClassifier.c45().fit(data).tree_
    room: dict[str, object] = {}
    exec(str(tree.export("python")), room)
    predict = room["predict"]
    assert callable(predict)
    rows = [dict(zip(data.feature_names, row, strict=True)) for row in _columns(data).tolist()]
    n_same = sum(predict(row) == label for row, label in zip(rows, tree.predict(data).tolist(), strict=True))
    return n_same == len(rows), f"{n_same} of {len(rows)} wines have one class from both"


def _columns(data: Dataset) -> FloatArray:
    import numpy as np

    return np.column_stack([data.column(i) for i in range(data.n_features)]).astype(np.float64)


def _optimal() -> tuple[bool, str]:
    """Hold the least training errors of any tree of depth 2 against all trees of that depth."""
    import numpy as np

    from treewright.trees.optimal.estimator import OptimalTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 12, (60, 3)).astype(float), rng.integers(0, 3, 60)
    found = OptimalTreeClassifier(max_depth=2, n_jobs=1).fit(X, y)
    wrong = int((found.predict(X) != y).sum())
    least = _least_errors(X, y, 2)
    return wrong == least == found.search_.cost, f"{wrong} errors at depth 2, {least} the slow way"


def _least_errors(X: FloatArray, y: IntArray, depth: int) -> int:
    """Return the fewest training errors of any tree within a depth, by trying every test."""
    import numpy as np

    own = len(y) - int(np.bincount(y).max()) if len(y) else 0
    if depth == 0 or own == 0:
        return own
    for i, cut in ((i, cut) for i, column in enumerate(X.T) for cut in np.unique(column)[:-1]):
        left = X[:, i] <= cut
        own = min(
            own, _least_errors(X[left], y[left], depth - 1) + _least_errors(X[~left], y[~left], depth - 1)
        )
    return own


def _parity(n_bits: int) -> tuple[IntArray, IntArray]:
    """Return all rows of some bits, and whether the number of ones is odd."""
    import numpy as np

    rows = np.array([*product((0, 1), repeat=n_bits)])
    return rows, rows.sum(axis=1) % 2


def _distinct() -> tuple[bool, str]:
    """Hold the number of distinct trees against those grown of every subset of the features."""
    import numpy as np

    from treewright.search.distinct.count import count_distinct_trees
    from treewright.trees.greedy import GreedyTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 9, (16, 5)).astype(float), rng.integers(0, 2, 16)
    found = count_distinct_trees(X, y).n_distinct
    grown = set()
    for kept in product((False, True), repeat=5):
        alike = np.where(kept, X, 0.0)  # a feature of one value is never asked for
        grown.add(GreedyTreeClassifier().fit(alike, y).tree_.export_text())
    return found == len(grown), f"{found} trees on 32 subsets of features, {len(grown)} when each is tried"


def _tables() -> tuple[bool, str]:
    """Find the smallest tree of the parity of three bits, which needs all of them."""
    from treewright.search.tables.table import DecisionTable

    X, y = _parity(3)
    found = DecisionTable(X, y).minimum_tree("n_nodes")
    return (
        found.cost == 15 and found.success,
        f"{found.cost} nodes for the parity of three bits, which needs 15",
    )


def _fixed_depth() -> tuple[bool, str]:
    """Hold branch and bound against every order of tests."""
    from treewright.data.sources.registry import load
    from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier

    data = load("wine")
    quick, slow = (
        FixedDepthTreeClassifier(max_depth=2, solver=solver).fit(data).search_.cost
        for solver in ("bounded", "exhaustive")
    )
    return quick == slow, f"a value of {quick:.4f} at depth 2, {slow:.4f} by every order of tests"


def _planes() -> tuple[bool, str]:
    """Find the one feature of four that parts two classes."""
    import numpy as np

    from treewright.planes.classifier import RobustLinearClassifier

    X = np.random.default_rng(0).integers(0, 9, (40, 4)).astype(float)
    found = RobustLinearClassifier(prove=True).fit(X, X[:, 1] > 4).search_
    return found.cost == 1 and found.success, f"{found.cost:g} feature where one of four parts the classes"


def _threads(threads: int) -> tuple[bool, str]:
    """Hold the tree that many threads find against that of one."""
    from treewright.data.sources.registry import load
    from treewright.trees.optimal.estimator import OptimalTreeClassifier

    data = load("wine")
    trees = [OptimalTreeClassifier(max_depth=3, n_jobs=n).fit(data).tree_ for n in (1, threads)]
    texts = [tree.export_text() for tree in trees]
    return texts[0] == texts[1], "one optimal tree of depth 3"
