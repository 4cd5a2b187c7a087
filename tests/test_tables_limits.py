"""Searches of decision tables end when they should, and say what was reached."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from treewright import UnfinishedError, datasets
from treewright.results import Progress
from treewright.tables import DecisionTable, tree_cost

PATIENCE = 5.0
"""Seconds within which work must end once asked to."""

QUERIES = [
    lambda graph: graph.minimum("depth"),
    lambda graph: graph.tree("n_nodes"),
    lambda graph: graph.count_optimal("n_leaves"),
    lambda graph: next(graph.enumerate_optimal("depth")),
    lambda graph: graph.pareto_front("depth", "n_nodes"),
]


@pytest.fixture(scope="module")
def endless():
    """Noise whose graph has billions of subtables."""
    rng = np.random.default_rng(0)
    values = rng.integers(0, 3, size=(3000, 40))
    return DecisionTable(values, rng.integers(0, 3, 3000), on_conflict="most_common")


@pytest.fixture(scope="module")
def tic_tac_toe():
    return DecisionTable.from_data(datasets.load("tic-tac-toe"))


@pytest.fixture
def report(record_property):
    """Keep how long the end took, and check it."""

    def seconds_since(asked):
        took = time.monotonic() - asked
        record_property("seconds", took)
        assert took < PATIENCE

    return seconds_since


# The graph ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "status"),
    [
        ({"node_limit": 1000}, "node_limit"),
        ({"time_limit": 0.2}, "time_limit"),
        ({"memory_limit": "2MB"}, "memory_limit"),
        ({"callback": lambda progress: True}, "stopped"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_limit_is_a_status_and_questions_are_refused(endless, limit, status):
    started = time.monotonic()
    graph = endless.subtable_graph(**limit)
    assert time.monotonic() - started < PATIENCE
    assert graph.status == status
    for query in QUERIES:
        with pytest.raises(UnfinishedError, match=status) as caught:
            query(graph)
        assert "minimum_tree" in str(caught.value)
        assert "depth and total path length" in str(caught.value)
        assert f"{graph.n_nonterminal} subtables" in str(caught.value)


def test_node_limit_counts_subtables_to_part(tic_tac_toe):
    whole = tic_tac_toe.subtable_graph()
    assert tic_tac_toe.subtable_graph(node_limit=whole.n_nonterminal).status == "complete"
    cut = tic_tac_toe.subtable_graph(node_limit=whole.n_nonterminal - 1)
    assert (cut.status, cut.n_nonterminal) == ("node_limit", whole.n_nonterminal - 1)


def told(graph):
    """Return all that a cut graph says of itself."""
    sizes = (graph.n_nonterminal, graph.n_terminal, graph.n_bundles, graph.n_edges)
    return graph.status, sizes, graph.bounds


@pytest.mark.parametrize(
    "limit", [{"node_limit": 20_000}, {"memory_limit": "2MB"}], ids=lambda limit: next(iter(limit))
)
def test_what_a_limit_leaves_does_not_depend_on_threads(endless, limit):
    alone = told(endless.subtable_graph(**limit))
    assert alone[0] == next(iter(limit))
    for n_jobs in (2, 3):
        assert told(endless.subtable_graph(**limit, n_jobs=n_jobs)) == alone


def test_count_of_a_cut_search_does_not_depend_on_threads(tic_tac_toe):
    alone = tic_tac_toe.minimum_tree("n_nodes", node_limit=2000)
    assert alone.status == "node_limit"
    for n_jobs in (2, 3):
        result = tic_tac_toe.minimum_tree("n_nodes", node_limit=2000, n_jobs=n_jobs)
        assert (result.n_searched, result.bound, result.tree) == (alone.n_searched, alone.bound, alone.tree)


def test_unfinished_graph_bounds_the_least_costs(tic_tac_toe):
    whole, cut = tic_tac_toe.subtable_graph(), tic_tac_toe.subtable_graph(node_limit=20_000)
    assert all(low <= whole.minimum(cost) <= high for cost, (low, high) in cut.bounds.items())
    assert whole.bounds == {cost: (whole.minimum(cost),) * 2 for cost in whole.bounds}
    assert {high for _, high in tic_tac_toe.subtable_graph(node_limit=10).bounds.values()} == {None}


PROGRAM = """
    import sys
    from pathlib import Path
    import numpy as np
    from treewright.tables import DecisionTable

    def most():
        # of this program alone: what getrusage tells counts the parent too
        lines = Path("/proc/self/status").read_text().splitlines()
        return 1024 * next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))

    rng = np.random.default_rng(0)
    table = DecisionTable(rng.integers(0, 3, size=(2000, 40)), rng.integers(0, 3, 2000),
                          on_conflict="most_common")
    table.subtable_graph(node_limit=1000), table.minimum_tree("n_nodes", node_limit=1000)
    before = most()
    limit = int(sys.argv[2])
    found = eval(sys.argv[1])
    print(found.status, most() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory through /proc")
@pytest.mark.parametrize(
    "work",
    [
        "table.subtable_graph(memory_limit=limit)",
        "table.subtable_graph(memory_limit=limit, n_jobs=2)",
        "table.minimum_tree('n_nodes', memory_limit=limit, time_limit=20)",
    ],
    ids=["graph", "threads", "bounded"],
)
def test_memory_stays_within_the_limit(work, record_property):
    limit = 24 * 10**6
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM), work, str(limit)]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    status, taken = done.stdout.split()
    record_property("bytes", int(taken))
    assert status in ("memory_limit", "time_limit")
    assert int(taken) < 1.1 * limit


# Branch and bound ---------------------------------------------------------------------


@pytest.mark.parametrize("cost", ["depth", "total_path_length", "average_depth", "n_nodes", "n_leaves"])
def test_search_that_ends_early_has_a_tree_and_a_bound(endless, cost):
    started = time.monotonic()
    result = endless.minimum_tree(cost, time_limit=1.0)
    assert time.monotonic() - started < 1.0 + PATIENCE
    assert result.status == "time_limit"
    assert not result.success
    assert 0 < result.bound < result.cost
    assert result.cost == tree_cost(result.tree, endless, cost)
    assert result.gap == result.cost - result.bound
    assert "more time may close the gap" in result.message


def test_best_tree_is_no_worse_than_greedy_ones(endless):
    result = endless.minimum_tree("n_nodes", time_limit=4.0)
    assert result.cost <= min(tree.n_nodes for tree in endless.greedy_trees().values())


def test_graph_that_does_not_fit_leaves_the_search_to_bounds(tic_tac_toe):
    result = tic_tac_toe.minimum_tree("total_path_length", node_limit=20_000)
    assert (result.status, result.cost, result.bound) == ("optimal", 4171, 4171)
    whole = tic_tac_toe.minimum_tree("n_nodes")
    assert (whole.status, whole.cost) == ("optimal", 244)


def test_ties_that_were_not_compared_are_told(tic_tac_toe):
    result = tic_tac_toe.minimum_tree("depth", then="n_nodes", node_limit=10_000)
    assert (result.cost, result.bound, result.status) == (6, 6, "node_limit")
    assert "proven to be the least" in result.message
    assert "not compared further" in result.message


def test_callback_sees_progress_on_the_callers_thread_and_stops(endless):
    seen = []

    def watch(progress):
        seen.append((progress, threading.get_ident()))
        return len(seen) >= 3

    result = endless.minimum_tree("n_nodes", callback=watch)
    assert result.status == "stopped"
    assert result.tree is not None
    assert {thread for _, thread in seen} == {threading.get_ident()}
    assert all(isinstance(progress, Progress) for progress, _ in seen)
    elapsed = [progress.elapsed for progress, _ in seen]
    assert elapsed == sorted(elapsed)


def test_error_in_the_callback_is_raised(endless):
    def fail(progress):
        raise LookupError("from the callback")

    for work in (endless.subtable_graph, endless.minimum_tree):
        with pytest.raises(LookupError, match="from the callback"):
            work(callback=fail)


# Ctrl-C -------------------------------------------------------------------------------

LONG_WORK = {
    "graph": lambda table: table.subtable_graph(memory_limit="4GB"),
    "graph_2": lambda table: table.subtable_graph(memory_limit="4GB", n_jobs=2),
    "nodes": lambda table: table.minimum_tree("n_nodes"),
    "depth": lambda table: table.minimum_tree("depth"),
    "path": lambda table: table.minimum_tree("total_path_length"),
}


@pytest.mark.parametrize("name", LONG_WORK)
def test_control_c_interrupts(endless, report, name):
    asked = []

    def press():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.7, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        LONG_WORK[name](endless)
    timer.join()
    report(asked[0])


def test_queries_can_be_interrupted(report):
    """Counting trees of least depth and fronts take long where the graph is large."""
    rng = np.random.default_rng(1)
    table = DecisionTable(
        rng.integers(0, 3, size=(150, 14)), rng.integers(0, 3, 150), on_conflict="most_common"
    )
    graph = table.subtable_graph(memory_limit="2GB")
    assert graph.status == "complete"
    asked = []

    def press():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.1, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        _ask_for_ever(graph)
    timer.join()
    report(asked[0])


def _ask_for_ever(graph):
    while True:
        graph.pareto_front("total_path_length", "n_nodes")
        graph.count_optimal("depth")


def test_a_graph_that_is_there_is_gone_on_from(tic_tac_toe):
    whole = tic_tac_toe.subtable_graph()
    found = tic_tac_toe.minimum_tree("depth", then="n_nodes", graph=whole)
    again = tic_tac_toe.minimum_tree("depth", then="n_nodes")
    assert (found.cost, found.status, found.tree) == (6, "optimal", again.tree)
    assert found.n_searched == again.n_searched
    part = tic_tac_toe.subtable_graph(node_limit=500)
    cut = tic_tac_toe.minimum_tree("n_nodes", node_limit=500, graph=part)
    assert (cut.status, cut.n_searched > part.n_subtables) == ("node_limit", True)


# Memory that the system limits ---------------------------------------------------------


ENDLESS = """
    import resource
    from pathlib import Path
    import numpy as np
    from treewright.tables import Cost, DecisionTable

    rng = np.random.default_rng(0)
    table = DecisionTable(rng.integers(0, 3, size=(300, 14)), rng.integers(0, 3, 300),
                          on_conflict="most_common")
    graph = table.subtable_graph()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + 40 * 2**20,) * 2)
    for k in range(2, 1000):
        try:
            graph.minimum(Cost(leaf=k, per_node=k * k + 1))  # kept for the next question
        except MemoryError as error:
            print(error)
            break
"""


@pytest.mark.skipif(not Path("/proc/self/limits").exists(), reason="reads memory through /proc")
def test_memory_that_the_system_refuses_is_an_error_and_no_abort():
    # The allocator of the core sets a large piece aside, which would take long to fill.
    environment = {**os.environ, "MIMALLOC_ARENA_RESERVE": "16MiB"}
    program = [sys.executable, "-c", textwrap.dedent(ENDLESS)]
    done = subprocess.run(program, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "the memory of this process ended" in done.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="limits its own memory")
def test_a_limit_of_the_system_is_a_limit_of_the_work():
    program = """
        import resource
        import numpy as np
        from treewright._base.memory import memory_limit

        print(memory_limit("memory_limit", None, 2**30), memory_limit("memory_limit", "1kB", 2**30))
        resource.setrlimit(resource.RLIMIT_AS, (2**33, 2**33))
        print(memory_limit("memory_limit", "1TB", 2**30) < 2**32, memory_limit("memory_limit", "1kB", 2**30))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [str(2**30), "1000", "True", "1000"]
