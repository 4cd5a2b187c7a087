"""The command line: selections, distinct trees, tables, policies, planes and evolution."""

from __future__ import annotations

from functools import partial as case

from benches.snapshot.command import session

NAME = "command"

WEATHER = "weather.csv --target play"
WINE = "wine --min-samples-split 32"
DRAWN = "evolve --generator paper_table --budget 1500 --trees 40 --validation-trees 40 --test-trees 40"
KEPT = "--start-from alcohol --start-from ash --start-from hue --start-from proline --start-from flavanoids"

LINES = {
    "select/wine": "select wine",
    "select/wine/json,out": "select wine --json --out found.json",
    "select/weather": f"select {WEATHER} --drop windy --seed 3 --validation-set 0.5",
    "select/heart-c/tolerance": "select heart-c --tolerance 2 --parsimonious --show-depth 1",
    "select/heart-c/floating": "select heart-c --floating --json --seed 2",
    "select/wine/named": f"select wine --required-features ash --group alcohol,hue {KEPT} --show-depth 0",
    "select/heart-c/min-features": "select heart-c --parsimonious --tolerance 0.05 --min-features 4",
    "select/wine/retrain": "select wine --strategy retrain --n-jobs 2 --show-depth 0",
    "select/iris/max-depth=0": "select iris --max-depth 0",
    "select/vote/growing": "select vote --criterion gini --min-samples-split 8 --missing value --json",
    "select/wine/forward": "select wine --forward --max-features 3",
    "select/heart-c/forward,floating": "select heart-c --forward --floating --json",
    "select/wine/complete": f"select {WINE} --complete --top-k 3 --count-ties --show-depth 2",
    "select/wine/complete,json": f"select {WINE} --complete --tolerance 1 --max-features 4 --json",
    "enumerate/wine": f"enumerate {WINE} --top 2 --show-depth 2",
    "enumerate/wine/json,out": f"enumerate {WINE} --top 2 --json --out found.json",
    "enumerate/wine/all-rows": f"enumerate {WINE} --validation-set 0 --order index_descending",
    "enumerate/wine/node-limit": f"enumerate {WINE} --node-limit 100 --top 1 --show-depth 0",
    "enumerate/weather/n-jobs": f"enumerate {WEATHER} --n-jobs 2 --seed 1 --memory-limit 1MB --json",
    "table/monks-1": "table monks-1 --cost depth --then n_nodes --greedy sum,rt --pareto depth,n_nodes",
    "table/tic-tac-toe/json": "table tic-tac-toe --greedy all --pareto depth,n_nodes --json --out tree.json",
    "table/weather/bins": f"table {WEATHER} --bins 3 --cost average_depth --max-pairs 4",
    "table/tic-tac-toe/node-limit": "table tic-tac-toe --node-limit 5000 --show-depth 0",
    "table/clash/most-common": "table clash.csv --target class --on-conflict most_common",
    "table/vote/leaves": "table vote --cost n_leaves --max-pairs 200 --n-jobs 2 --on-conflict most_common",
    "policy/monks-3": "fixed-depth monks-3 --depth 2",
    "policy/weather/bins": f"fixed-depth {WEATHER} --depth 2 --bins 3 --unknown",
    "policy/weather/json": f"fixed-depth {WEATHER} --json --out tree.json --class-prior 0.5 --value-prior 2",
    "policy/weather/budget": f"fixed-depth {WEATHER} --cost outlook=0.1 --cost humidity=0.2 --budget 0.2",
    "policy/monks-1/cv": "fixed-depth monks-1 --depth cv",
    "policy/weather/plot": f"fixed-depth {WEATHER} --plot list.png --depth 1",
    "policy/heart-c/supervised": "fixed-depth heart-c --binning supervised --unseen skip",
    "plane/wdbc": "plane wdbc --perturbation 0.02",
    "plane/wdbc/prove,verify": "plane wdbc --perturbation 0.02 --prove 60 --verify --json",
    "plane/iris/out": "plane iris --perturbation 0.02 --out tree.json",
    "plane/weather/mean": f"plane {WEATHER} --missing mean --error-slack 0.3 --error-floor 0.1",
    "plane/pima/path": "plane pima --selection path --n-features 3 --folds 3 --csv path.csv --plot path.png",
    "plane/heart-c/limited": "plane heart-c --missing drop --selection limited --n-features 2 --search paper",
    "plane/iris/tree": "plane iris --perturbation 0.02 --depth 2 --out tree.json",
    "plane/two/tree,json": "plane two.csv --target class --depth 2 --folds 2 --json",
    "evolve/paper_table": f"{DRAWN} --seed 2 --out rule.json",
    "evolve/paper_table/json": f"{DRAWN} --generator paper_text --json --objective errors",
    "evolve/paper_table/code": f"{DRAWN} --n-jobs 2 --code rust",
    "evolve/monks-1": "evolve monks-1 --budget 999 --trees 9 --validation-trees 30 --test-trees 9 --code sml",
}

CASES = {
    **{name: case(session, line) for name, line in LINES.items()},
    "enumerate/wine/all,resumed": case(
        session,
        f"enumerate {WINE} --all trees.jsonl --checkpoint trees.state --node-limit 40",
        f"enumerate {WINE} --all trees.jsonl --checkpoint trees.state --resume --top 1",
        f"enumerate {WINE} --all trees.jsonl --overwrite --n-jobs 2",
    ),
    "enumerate/weather/with-trees": case(session, f"enumerate {WEATHER} --all trees.jsonl --with-trees"),
    "evolve/start": case(session, f"{DRAWN} --start '(n - c + 0.5) / n'"),
    "evolve/resumed": case(
        session,
        f"{DRAWN} --checkpoint run.ckpt --json",
        f"{DRAWN.replace('--budget 1500', '--budget 2500')} --checkpoint run.ckpt --resume --json",
    ),
    "evolve/used": case(
        session,
        f"{DRAWN} --out rule.json",
        f"fit {WEATHER} --prune rule.json",
        f"fit {WEATHER} --out tree.json",
        "prune tree.json --rule rule.json --json",
    ),
}
