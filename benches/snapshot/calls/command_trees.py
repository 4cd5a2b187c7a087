"""The command line: growing, pruning and predicting; lists and help."""

from __future__ import annotations

from functools import partial as case

from benches.snapshot.command import session

NAME = "command"

FIT = "fit weather.csv --target play"
COMMANDS = {
    **{name: name for name in ("select", "enumerate", "fit", "prune", "predict", "table", "plane", "evolve")},
    "policy": "fixed-depth",
    "datasets": "datasets",
    "study-distinct-trees": "study distinct-trees",
    **{
        f"compare-{name}": f"study {name}"
        for name in ("selection", "greedy", "fixed-depth", "pruning", "planes")
    },
}
"""The commands by the names under which their help is stored."""

FITS = {
    "weather": FIT,
    "weather/json": f"{FIT} --json",
    "weather/show-depth=9,out": f"{FIT} --show-depth 9 --out tree.json",
    "weather/drop,nominal": f"{FIT} --drop windy --nominal humidity --show-depth 1",
    "weather/numeric": f"{FIT} --numeric temperature --max-depth 2",
    "semicolons": "fit semicolons.csv --delimiter ; --target play",
    "gaps/warning": "fit gaps.csv --target class",
    "gaps/missing-value": "fit gaps.csv --target class --missing-value ?",
    "gaps/missing=value": "fit gaps.csv --target class --missing-value ? --missing value --json",
    "heart-c": "fit heart-c",
    "heart-c/growing": "fit heart-c --criterion gini --min-samples-split 20 --min-samples-branch 5",
    "crx/mdl": "fit crx --criterion gain_ratio --mdl-correction --n-jobs 2 --json",
    "vote/id3": "fit vote --growth id3 --show-depth 2",
    "crx/c45": "fit crx --growth c45",
    "crx/c45,json": "fit crx --growth c45 --min-samples-branch 5 --json",
    "folder": "fit folder:iris --show-depth 0",
}
PRUNES = {
    "error-based": "--prune error-based --confidence 0.1 --limit exact --no-grafting",
    "error-based,grafting": "--prune error-based",
    "tuned": "--prune tuned-error-based --folds 5 --seed 3",
    "naive": "--prune naive-error",
    "cost-complexity": "--prune cost-complexity --alpha 2.5",
    "cost-complexity,cv": "--prune cost-complexity --alpha cv --folds 5",
    "minimum-error": "--prune minimum-error --m 5",
    "reduced-error": "--prune reduced-error --share 1/2 --seed 1",
    "published": "--prune published-evolved --slack 0.01",
    "learned": "--prune learned:paper_table",
}
ESTIMATE = "fit heart-c --prune estimator --estimate '(n - c + 1) / (n + 2)'"
HEART = "fit heart-c --out tree.json --show-depth 0"

CASES = {
    **{f"fit/{name}": case(session, line) for name, line in FITS.items()},
    **{f"fit/heart-c/{name}": case(session, f"fit heart-c {line}") for name, line in PRUNES.items()},
    "fit/heart-c/estimator": case(session, ESTIMATE),
    "prune/heart-c/default": case(session, HEART, "prune tree.json"),
    "prune/heart-c/rows": case(session, HEART, "prune tree.json heart-c --confidence 0.1 --out small.json"),
    "prune/heart-c/explain": case(session, HEART, "prune tree.json heart-c --explain --limit wilson"),
    "prune/heart-c/explain,json": case(session, HEART, "prune tree.json --rule pessimistic --explain --json"),
    "prune/heart-c/rules": case(
        session,
        HEART,
        *(
            f"prune tree.json --rule {rule} --json"
            for rule in ("naive-error", "observed-error", "minimum-error")
        ),
        "prune tree.json --rule cost-complexity --alpha 3 --json",
        "prune tree.json heart-c --rule reduced-error --json",
        "prune tree.json --rule learned:paper_text --json",
    ),
    "prune/policy": case(
        session, "fixed-depth monks-3 --depth 2 --out tree.json", "prune tree.json monks-3 --rule pessimistic"
    ),
    "predict/weather": case(session, f"{FIT} --out tree.json", "predict tree.json weather.csv"),
    "predict/weather/target,shares": case(
        session,
        f"{FIT} --max-depth 1 --out t.json",
        "predict t.json weather.csv --target play --proba --out p.csv",
    ),
    "predict/foggy": case(session, f"{FIT} --out tree.json", "predict tree.json foggy.csv --target play"),
    "predict/foggy/missing-value": case(
        session, f"{FIT} --out tree.json", "predict tree.json foggy.csv --missing-value foggy"
    ),
    "predict/wine/select": case(
        session, "select wine --out found.json --show-depth 0", "predict found.json wine --out labels.csv"
    ),
    "predict/iris/policy": case(
        session, "fixed-depth iris --bins 3 --out tree.json", "predict tree.json iris --proba --out p.csv"
    ),
    "datasets": case(session, "datasets", "datasets --json"),
    "version": case(session, "", "--version", "--help"),
    "apart/select": case(session, "select wine --show-depth 1", is_apart=True),
    **{f"help/{name}": case(session, f"{command} --help") for name, command in COMMANDS.items()},
}
