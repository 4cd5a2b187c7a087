"""Making the calls and storing what they return."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benches.snapshot.groups import GROUPS, Case, cases_of, is_asked
from benches.snapshot.masks import masked_paths
from benches.snapshot.neutral import neutral
from benches.snapshot.store import read_group, write_group

N_SLOWEST = 8


@dataclass
class Taken:
    """What a group returned, and what it took."""

    group: str
    results: dict[str, Any] = field(default_factory=dict)
    cpu: dict[str, float] = field(default_factory=dict)
    surprises: list[str] = field(default_factory=list)


def take(folder: Path, pattern: str | None, n_processes: int, n_threads: int | None) -> int:
    """Make the calls, store the results, and return 1 if a call ended as it should not."""
    import treewright

    print(f"treewright from {Path(treewright.__file__).parent}", flush=True)
    all_taken = []
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(n_processes, mp_context=context) as pool:
        waiting = [pool.submit(take_group, group, pattern, n_threads) for group in GROUPS]
        for future in as_completed(waiting):
            taken = future.result()
            all_taken.append(taken)
            if taken.results:
                kept = read_group(folder, taken.group) if pattern else {}
                write_group(folder, taken.group, {**kept, **taken.results})
                print(
                    f"{taken.group}: {len(taken.results)} calls, {sum(taken.cpu.values()):.1f} s CPU",
                    flush=True,
                )
    return report(all_taken)


def report(all_taken: list[Taken]) -> int:
    """Print sums, the slowest calls and surprises; return the exit code."""
    cpu = {name: seconds for taken in all_taken for name, seconds in taken.cpu.items()}
    for name in sorted(cpu, key=cpu.__getitem__, reverse=True)[:N_SLOWEST]:
        print(f"  {cpu[name]:6.2f} s  {name}")
    print(f"{len(cpu)} calls, {sum(cpu.values()):.0f} s CPU")
    surprises = [line for taken in all_taken for line in taken.surprises]
    print(
        *(f"surprise: {line}" for line in surprises),
        sep="\n" if surprises else "",
        end="\n" if surprises else "",
    )
    return int(bool(surprises))


def take_group(group: str, pattern: str | None, n_threads: int | None) -> Taken:
    """Make the calls of one group, in a process of its own."""
    os.environ.update(COLUMNS="80", MPLBACKEND="agg")
    taken = Taken(group)
    try:
        cases = cases_of(group)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        taken.surprises.append(
            f"{group} cannot be read: {type(error).__name__}: {error} (line {last.lineno})"
        )
        return taken
    for name, call in cases.items():
        if is_asked(name, pattern):
            started = time.process_time()
            with thread_count(n_threads):
                taken.results[name] = result_of(call)
            taken.cpu[name] = time.process_time() - started
            taken.surprises.extend(surprises_of(name, taken.results[name]))
    end_idle_workers()
    return taken


def end_idle_workers() -> None:
    """End joblib's processes, which would wait for more work for minutes."""
    from joblib.externals.loky import get_reusable_executor

    get_reusable_executor().shutdown(wait=True)


@contextlib.contextmanager
def thread_count(n_threads: int | None) -> Iterator[None]:
    """Let ``n_jobs=None`` stand for so many threads."""
    if n_threads is None:
        yield
    else:
        import joblib

        with joblib.parallel_config(n_jobs=n_threads):
            yield


def result_of(call: Case) -> dict[str, Any]:
    """Make a call in an empty folder and return its result, its error, and what it warned of."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        os.chdir(folder)
        try:
            result: dict[str, Any] = {"result": neutral(call())}
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of Rust is no Exception
            result = {"error": type(error).__name__, "message": str(error)}
        finally:
            os.chdir(here)
        result = masked_paths(result, folder)
    told = [f"{one.category.__name__}: {one.message}" for one in caught if is_ours(one)]
    return {**result, **({"warnings": masked_paths(told, folder)} if told else {})}


def is_ours(warning: warnings.WarningMessage) -> bool:
    """Tell whether a warning is for users, not one of other packages for developers."""
    return not issubclass(warning.category, DeprecationWarning | PendingDeprecationWarning | ResourceWarning)


def surprises_of(name: str, result: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with a result by its id: only refusals may be errors."""
    is_refused = name.startswith("refused/")
    if is_refused and "result" in result:
        yield f"{name} was not refused"
    if name.startswith("command"):
        codes = [ended["exit"] for ended in result.get("result", [])]
        if (codes[-1:] == [0]) == name.startswith("command-refused/"):
            yield f"{name} ended with {codes}"
    if not is_refused and "error" in result:
        yield f"{name}: {result['error']}: {result['message']}"
