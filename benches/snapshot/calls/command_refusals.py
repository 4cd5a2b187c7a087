"""The command line: what is refused, in which words, with which exit code."""

from __future__ import annotations

from functools import partial as case

from benches.snapshot.command import session

NAME = "command-refused"

SMALL = "evolve --generator paper_table --budget 500 --trees 20 --validation-trees 20 --test-trees 20"
WEATHER = "weather.csv --target play"

LINES = {
    "no-such-command": "grow wine",
    "no-such-option": "fit iris --depth 3",
    "fit/no-file": "fit nowhere.csv --target play",
    "fit/no-set": "fit wines",
    "fit/no-target": "fit weather.csv",
    "fit/target": "fit weather.csv --target plya",
    "fit/numeric": f"fit {WEATHER} --numeric outlook",
    "fit/drop": f"fit {WEATHER} --drop wind",
    "fit/criterion": "fit iris --criterion entropy",
    "fit/id3": "fit iris --growth id3",
    "fit/missing": "fit heart-c --missing raise",
    "fit/min-samples-leaf": "fit iris --min-samples-leaf -1",
    "fit/min-samples-branch": "fit iris --min-samples-branch -1",
    "fit/confidence": "fit iris --prune none --confidence 0.1",
    "fit/prune": "fit iris --prune best",
    "fit/prune,other": "fit iris --prune pessimistic --alpha 3",
    "fit/out": f"fit {WEATHER} --out weather.csv",
    "fit/out-folder": "fit iris --out nowhere/tree.json",
    "fit/delimiter": "fit semicolons.csv --target play --delimiter ,",
    "predict/model": "predict weather.csv weather.csv",
    "predict/no-model": "predict nowhere.json weather.csv",
    "prune/tree": "prune weather.csv",
    "select/forward,tolerance": "select wine --forward --tolerance 1",
    "select/floating,tolerance": "select wine --floating --tolerance 1",
    "select/max-features": "select wine --max-features 3",
    "select/top-k": "select wine --top-k 3",
    "select/complete,floating": "select wine --complete --floating",
    "select/fixed-features": "select wine --required-features ashes",
    "select/search-share": "select wine --validation-set 1",
    "select/group": "select wine --group ash,ashes",
    "enumerate/resume": "enumerate wine --resume",
    "enumerate/with-trees": "enumerate wine --with-trees",
    "enumerate/top": "enumerate wine --validation-set 0 --top 3",
    "enumerate/same-file": f"enumerate {WEATHER} --all found --out ./found",
    "enumerate/memory-limit": "enumerate wine --memory-limit lots",
    "table/fractions": "table iris",
    "table/conflict": "table clash.csv --target class",
    "table/greedy": "table monks-1 --greedy sum",
    "table/pareto": "table monks-1 --pareto depth,depth",
    "policy/budget": f"fixed-depth {WEATHER} --budget 1",
    "policy/cost": f"fixed-depth {WEATHER} --cost wind=1 --budget 1",
    "policy/plot": "fixed-depth iris --plot list.txt",
    "policy/unknown": f"fixed-depth {WEATHER} --unseen skip --unknown",
    "plane/missing": "plane gaps.csv --target class",
    "plane/n-features": "plane iris --n-features 2",
    "plane/prove": "plane iris --selection path --prove 5",
    "evolve/nothing": "evolve",
    "evolve/both": "evolve iris --generator paper_table",
    "evolve/start": "evolve --generator paper_table --start 'n + x'",
    "evolve/resume": "evolve --generator paper_table --resume",
    "compare-selection/twice": "study selection wine wine",
    "compare-selection/method": "study selection wine --method best",
    "compare-pruning/numeric": "study pruning iris --folds 3",
    "compare-pruning/folds": "study pruning --generator paper_table --folds 3",
    "compare-pruning/rule": "study pruning vote --rule none",
    "compare-planes/method": "study planes iris --method rlp --method rlp",
    "study-distinct-trees/m": "study distinct-trees wine --m 0",
    "study-distinct-trees/json,latex": f"study distinct-trees {WEATHER} --json --latex",
    "study-distinct-trees/picture": f"study distinct-trees {WEATHER} --plot page.txt",
    "compare-greedy/n-tables": "study greedy --n-tables 0",
}

CASES = {
    **{name: case(session, line) for name, line in LINES.items()},
    "apart/no-file": case(session, "select nowhere.csv --target x", is_apart=True),
    "enumerate/other-run": case(
        session, f"enumerate {WEATHER} --all t.jsonl", f"enumerate {WEATHER} --all t.jsonl --resume --seed 5"
    ),
    "enumerate/there": case(
        session, f"enumerate {WEATHER} --all t.jsonl", f"enumerate {WEATHER} --all t.jsonl"
    ),
    "prune/policy": case(session, "fixed-depth monks-3 --out t.json", "prune t.json --rule pessimistic"),
    "predict/columns": case(session, "fit iris --out t.json", "predict t.json weather.csv"),
    "evolve/checkpoint": case(
        session,
        f"{SMALL} --out rule.json --code latex",
        f"{SMALL} --checkpoint rule.json --resume",
    ),
}
