"""A tree as a module of Python: tables and a loop, without imports, or for columns of numpy."""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from treewright.data.intake.labels import Label
from treewright.trees.exports.layout import number, wrapped
from treewright.trees.exports.program import Column, Program, Term, deciding, share_tables, tables_of

FORMS = ("plain", "numpy")

OPENING = '"""A decision tree, written by treewright; `predict` gives the class of {what}.\n\n{rest}\n"""\n'

ROW = """\
A row is a dict by the names of COLUMNS; other entries are not read. None, NaN and NA are missing values. A
column has a dict of its values in LEVELS, or None where it holds numbers."""

COLUMN = """\
Columns are arrays in a dict by the names of COLUMNS, all of one length; other entries are not read. None, NaN
and NA are missing values. A column has a dict of its values in LEVELS, or None where it holds numbers."""

READ = '''

def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _read(value, levels):
    """Return a number, None where it is missing; of a column with levels a code."""
    if levels is None:
        return None if _is_missing(value) else float(value)
    if _is_missing(value):
        return len(levels)
    is_boolean = type(value).__name__ in ("bool", "bool_")
    return levels.get((bool(value),) if is_boolean else value, len(levels) + 1)
'''

SUM = '''

def _side(plane, row):
    """Return 0 up to the plane, 1 above it, 2 where the sum is not known."""
    total = 0.0
    for column, level, weight, missing, unseen in TERMS[PLANES[plane][0] : PLANES[plane][1]]:
        value = row[column]
        if level is None:
            value = missing if value is None else value
        elif value >= len(LEVELS[column]):
            value = missing if value == len(LEVELS[column]) else unseen
        else:
            value = 1.0 if value == level else 0.0
        if value is None:
            return 2
        total += weight * value
    return 1 if total > PLANES[plane][2] else 0
'''

TARGET = '''

def _target(step, row):
    """Return the step that follows, -1 for the end here${shared}."""
    ask, which = ASK[step], WHICH[step]
    if ask == 1:
        value = row[which]
        branch = 2 if value is None else 1 if value > THRESHOLD[step] else 0
    elif ask == 2:
        branch = row[which]
    else:
        branch = ${side}
    return TARGETS[START[step] + branch]
'''

WALK = '''

def predict(row):
    """Return the class of a row."""
    values = [_read(row[name], levels) for name, levels in zip(COLUMNS, LEVELS)]
    step = 0
    while ASK[step]:
        target = _target(step, values)
        if target < 0:
            break
        step = target
    return CLASSES[ANSWER[step]]
'''

VOTE = '''

def predict(row):
    """Return the class of a row; one that knows too little votes at every leaf that it may belong to."""
    values = [_read(row[name], levels) for name, levels in zip(COLUMNS, LEVELS)]
    votes, ends, waiting = [0] * len(CLASSES), [], [(0, 1.0)]
    while waiting:
        step, share = waiting.pop()
        while ASK[step]:
            target = _target(step, values)
            if target < 0:
                break
            step = target
        if ASK[step] and target == -2:
            below = range(FIRST[step], FIRST[step] + CHILDREN[step])
            waiting += [(child, share * SHARE[child]) for child in below if SHARE[child] > 0.0]
            continue
        ends.append((step, share))
        for of, part in enumerate(PARTS[step * len(CLASSES) : (step + 1) * len(CLASSES)]):
            votes[of] += round(share * part * 4503599627370496.0)
    if len(ends) == 1 and ends[0][1] == 1.0:
        return CLASSES[ANSWER[ends[0][0]]]
    return CLASSES[_decide(votes)]
'''

DECIDE = {
    "largest": "    return votes.index(max(votes))",
    "threshold": "    return 1 if float(votes[1]) > THRESHOLD_OF_CLASS * float(sum(votes)) else 0",
    "costs": """\
    expected = [sum(n * costs[answer] for n, costs in zip(votes, COSTS)) for answer in range(len(votes))]
    return expected.index(min(expected))""",
}

NUMPY = Template('''

def _column(values, levels):
    """Return numbers with NaN, or codes."""
    if levels is None:
        kind = getattr(getattr(values, "dtype", None), "kind", "O")
        if kind in "iufb":
            return np.asarray(values, dtype=np.float64)
        read = [np.nan if _is_missing(value) else float(value) for value in values]
        return np.array(read, dtype=np.float64)
    return np.array([_read(value, levels) for value in values], dtype=np.int64)


def _targets(steps, rows, columns):
    """Return where rows go that stand at steps."""
    ask, which = ASK[steps], WHICH[steps]
    branch = np.zeros(len(steps), dtype=np.int64)
    for i, values in enumerate(columns):
        here = (which == i) & (ask < 3)
        found = values[rows[here]]
        if LEVELS[i] is None:
            found = np.where(np.isnan(found), 2, found > THRESHOLD[steps[here]])
        branch[here] = found
    ${planes}
    return TARGETS[START[steps] + branch]


def predict(columns):
    """Return the classes of all rows."""
    read = [_column(columns[name], levels) for name, levels in zip(COLUMNS, LEVELS)]
    n_rows = len(read[0]) if read else len(next(iter(columns.values())))
    ${body}
''')

NUMPY_WALK = """\
steps, rows = np.zeros(n_rows, dtype=np.int64), np.arange(n_rows)
    while True:
        rows = rows[ASK[steps[rows]] > 0]
        targets = _targets(steps[rows], rows, read)
        rows, targets = rows[targets >= 0], targets[targets >= 0]
        if not len(rows):
            return _labels(ANSWER[steps])
        steps[rows] = targets"""

NUMPY_VOTE = """\
votes = np.zeros((n_rows, len(CLASSES)), dtype=np.int64)
    whole = np.full(n_rows, -1)
    n_ends = np.zeros(n_rows, dtype=np.int64)
    rows, steps, shares = np.arange(n_rows), np.zeros(n_rows, dtype=np.int64), np.ones(n_rows)
    while len(rows):
        is_inner = ASK[steps] > 0
        targets = np.full(len(rows), -1, dtype=np.int64)
        targets[is_inner] = _targets(steps[is_inner], rows[is_inner], read)
        ends = targets == -1
        at, own, share = rows[ends], steps[ends], shares[ends]
        n_ends += np.bincount(at, minlength=n_rows)
        whole[at[share == 1.0]] = ANSWER[own[share == 1.0]]
        parts = np.rint(share[:, None] * PARTS[own] * 4503599627370496.0).astype(np.int64)
        np.add.at(votes, at, parts)
        parted = np.flatnonzero(targets == -2)
        n_below = CHILDREN[steps[parted]]
        below = np.repeat(FIRST[steps[parted]], n_below) + _count(n_below)
        parent = np.repeat(parted, n_below)
        parent, below = parent[SHARE[below] > 0.0], below[SHARE[below] > 0.0]
        on = targets >= 0
        shares = np.concatenate([shares[on], shares[parent] * SHARE[below]])
        rows, steps = np.concatenate([rows[on], rows[parent]]), np.concatenate([targets[on], below])
    is_whole = (n_ends == 1) & (whole >= 0)
    return _labels(np.where(is_whole, whole, _decided(votes)))"""

NUMPY_REST = """

def _labels(classes):
    found = np.empty(len(CLASSES), dtype=object)
    found[:] = CLASSES
    return (np.array(CLASSES) if len(set(map(type, CLASSES))) == 1 else found)[classes]
"""

NUMPY_COUNT = '''

def _count(lengths):
    """Return 0, 1, ... up to each length."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def _decided(votes):
    return np.array([_decide([int(n) for n in row]) for row in votes], dtype=np.int64)
'''

NUMPY_PLANES = """\
for plane in np.unique(which[ask == 3]):
        here = (ask == 3) & (which == plane)
        total = np.zeros(np.count_nonzero(here))
        for column, level, weight, missing, unseen in TERMS[PLANES[plane][0] : PLANES[plane][1]]:
            value = columns[column][rows[here]]
            if level is None:
                value = np.where(np.isnan(value), np.nan if missing is None else missing, value)
            else:
                n, none = len(LEVELS[column]), (np.nan if one is None else one for one in (missing, unseen))
                gone, new = none
                value = np.select([value == n, value > n], [gone, new], np.where(value == level, 1.0, 0.0))
            total = total + weight * value
        branch[here] = np.where(np.isnan(total), 2, total > PLANES[plane][2])"""


def escaped(text: str) -> str:
    """Write a text as a literal: in ASCII, on one line."""
    return ascii(text)


def literal(label: Label) -> str:
    """Write a label as a literal."""
    return escaped(label) if isinstance(label, str) else repr(label)


def write(program: Program, form: str) -> str:
    """Write a module."""
    is_numpy = form == "numpy"
    what, rest = ("the rows of columns", COLUMN) if is_numpy else ("a row", ROW)
    parts = [OPENING.format(what=what, rest=rest)]
    if is_numpy:
        parts.append("\nimport numpy as np\n")
    parts += ["\n", _tables(program, is_numpy), READ]
    if program.shares:
        parts.append(f"\n\ndef _decide(votes):\n{DECIDE[deciding(program)]}\n")
    parts += _numpy_code(program) if is_numpy else _plain_code(program)
    return "".join(parts)


def _plain_code(program: Program) -> list[str]:
    shared = ", -2 where the row is shared" if program.shares else ""
    side = "_side(which, row)" if program.planes else "0"
    target = Template(TARGET).substitute(shared=shared, side=side)
    return [SUM if program.planes else "", target, VOTE if program.shares else WALK]


def _numpy_code(program: Program) -> list[str]:
    planes = NUMPY_PLANES if program.planes else ""
    body = NUMPY_VOTE if program.shares else NUMPY_WALK
    code = NUMPY.substitute(planes=planes, body=body).replace("\n    \n", "\n")
    return [NUMPY_COUNT if program.shares else "", NUMPY_REST, code]


def _tables(program: Program, is_numpy: bool) -> str:
    tables = tables_of(program)
    lists: dict[str, Iterable[str]] = {
        "COLUMNS": (escaped(column.name) for column in program.columns),
        "LEVELS": map(_levels, program.columns),
        "CLASSES": map(literal, program.classes),
    }
    if program.planes:
        spans = zip(tables.plane_start[:-1], tables.plane_start[1:], tables.offset, strict=True)
        lists["PLANES"] = (f"({first}, {last}, {number(offset)})" for first, last, offset in spans)
        lists["TERMS"] = map(_term, tables.terms)
    if program.costs is not None:
        lists["COSTS"] = map(str, map(list, program.costs))
    found = [_list(name, texts) for name, texts in lists.items()]
    if program.threshold is not None:
        found.append(f"THRESHOLD_OF_CLASS = {number(program.threshold)}\n")
    arrays: dict[str, Iterable[str]] = {
        "ASK": map(str, tables.ask),
        "WHICH": map(str, tables.which),
        "THRESHOLD": map(number, tables.threshold),
        "START": map(str, tables.start),
        "ANSWER": map(str, tables.answer),
        "TARGETS": map(str, tables.targets),
    }
    if program.shares:
        first, n_children, share, parts = share_tables(program)
        arrays |= {"FIRST": map(str, first), "CHILDREN": map(str, n_children)}
        arrays |= {"SHARE": map(number, share), "PARTS": map(number, parts)}
    found += [_list(name, texts, "np.array(" if is_numpy else "") for name, texts in arrays.items()]
    if is_numpy and program.shares:
        found.append("PARTS = PARTS.reshape(-1, len(CLASSES))\n")
    if is_numpy and len(program.steps) == 1:
        found.append("TARGETS = TARGETS.astype(np.int64)\n")
    return "".join(found)


def _list(name: str, texts: Iterable[str], wrapper: str = "") -> str:
    return f"{name} = {wrapper}[\n{wrapped(texts)}\n]{')' if wrapper else ''}\n"


def _levels(column: Column) -> str:
    if column.levels is None:
        return "None"
    keys = (f"({level},)" if isinstance(level, bool) else literal(level) for level in column.levels)
    return "{" + ", ".join(f"{key}: {code}" for code, key in enumerate(keys)) + "}"


def _term(term: Term) -> str:
    values = (None if value is None else number(value) for value in (term.weight, term.missing, term.unseen))
    return f"({term.column}, {term.level}, {', '.join(map(str, values))})"
