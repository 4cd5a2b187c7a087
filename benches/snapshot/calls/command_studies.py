"""The command line: studies, their tables, files and pictures."""

from __future__ import annotations

from functools import partial as case

from benches.snapshot.command import session

NAME = "command"

SELECTION = "study selection wine iris --folds 3 --repeats 1"
DISTINCT = "study distinct-trees wine --m 32 --m 64 --folds 3 --max-grown 10"
GREEDY = "study greedy --n-tables 40 --n-rows 20 --n-features 5"
FIXED = "study fixed-depth monks-3 iris --folds 3 --repeats 1 --depth 1 --depth 2"
PRUNING = "study pruning vote monks-1 --folds 3 --repeats 1"
DRAWN = "study pruning --generator paper_table --sets 60x1"
PLANES = "study planes iris two.csv --target class --folds 2 --method rlp --method fm_rlp_swap --method c45"
ONE_SET = "study planes wdbc --folds 3 --method rlp --method path_p --n-features 2"

LINES = {
    "compare-selection": SELECTION,
    "compare-selection/files": f"{SELECTION} --csv folds.csv --latex",
    "compare-selection/growing": (
        f"{SELECTION} --criterion gini --max-depth 3 --validation-set 0.5 --n-jobs 2"
    ),
    "compare-selection/methods": f"{SELECTION} --method forward --method complete --min-samples-split 16",
    "study-distinct-trees": DISTINCT,
    "study-distinct-trees/json": f"{DISTINCT} --json",
    "study-distinct-trees/files": f"{DISTINCT} --order index --plot page.png --csv numbers.csv --latex",
    "compare-greedy": GREEDY,
    "compare-greedy/json": f"{GREEDY} --json --seed 4",
    "compare-greedy/files": f"{GREEDY} --plot map.png --csv numbers.csv --latex --n-jobs 2",
    "compare-fixed-depth": FIXED,
    "compare-fixed-depth/json": f"{FIXED} --json --bins 3 --id3-depth 2",
    "compare-fixed-depth/files": f"{FIXED} --times --plot page.png --csv folds.csv --latex",
    "compare-pruning": PRUNING,
    "compare-pruning/json": f"{PRUNING} --json --rule none --rule error_based --rule naive --reference none",
    "compare-pruning/files": f"{PRUNING} --plot ranks.png --csv folds.csv --latex",
    "compare-pruning/iris": "study pruning iris --growth standard --folds 3 --rule none --rule naive",
    "compare-pruning/drawn": DRAWN,
    "compare-pruning/drawn,json": f"{DRAWN} --json --n-jobs 2 --seed 1",
    "compare-planes": ONE_SET,
    "compare-planes/json": f"{ONE_SET} --json",
    "compare-planes/files": f"{ONE_SET} --plot page.png --csv folds.csv --latex",
}

WIDE = 200
"""Wide enough for whole tables: how wide a column of times is would decide where they go on below."""

CASES = {name: case(session, line, width=WIDE) for name, line in LINES.items()}
