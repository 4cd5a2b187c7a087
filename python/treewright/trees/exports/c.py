"""A tree as a file of C99: constant tables and a loop, without memory of the heap."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from string import Template

from treewright.trees.exports.layout import number, wrapped
from treewright.trees.exports.program import Program, Term, deciding, share_tables, tables_of
from treewright.trees.exports.refusal import as_texts, refusal, shortened

LONGEST_LITERAL = 4000
"""Bytes of a text that every C99 compiler reads as one literal; a longer one is a list of numbers."""

OPENING = """\
/* A decision tree, written by treewright, in C99.
 *
 * tree_predict takes a value for each of tree_columns, in their order; it returns a position in tree_classes.
 * A column of numbers has its value in `number`, NAN where it is missing; another one has the text of its
 * value in UTF-8 in `text`, NULL where it is missing. Compile without -ffast-math.
 */
#include <stddef.h>
#include <string.h>

typedef struct {
    double number;
    const char *text;
} tree_value;
"""

READ = """
/* The code of a text: of a level, of a missing value, of one that is no level. */
static int tree_code(int column, const char *text)
{
    int first = LEVEL_START[column], n = LEVEL_START[column + 1] - first, code;
    if (text == NULL)
        return n;
    for (code = 0; code < n; code++)
        if (strcmp(LEVELS[first + code], text) == 0)
            return code;
    return n + 1;
}
"""

SUM = """
/* What a term multiplies; 0 where it is not known. */
static int tree_term(int i, const tree_value *row, double *value)
{
    int column = TERM_COLUMN[i], code, n;
    if (TERM_LEVEL[i] < 0) {
        *value = row[column].number;
        if (*value == *value)
            return 1;
        *value = TERM_MISSING[i];
        return TERM_HAS_MISSING[i];
    }
    code = tree_code(column, row[column].text);
    n = LEVEL_START[column + 1] - LEVEL_START[column];
    if (code == n) {
        *value = TERM_MISSING[i];
        return TERM_HAS_MISSING[i];
    }
    if (code > n) {
        *value = TERM_UNSEEN[i];
        return TERM_HAS_UNSEEN[i];
    }
    *value = code == TERM_LEVEL[i] ? 1.0 : 0.0;
    return 1;
}

/* 0 up to the plane, 1 above it, 2 where the sum is not known. */
static int tree_side(int plane, const tree_value *row)
{
    volatile double total = 0.0, product;
    double value;
    int i;
    for (i = PLANE_START[plane]; i < PLANE_START[plane + 1]; i++) {
        if (!tree_term(i, row, &value))
            return 2;
        product = TERM_WEIGHT[i] * value;
        total = total + product;
    }
    return total > OFFSET[plane];
}
"""

TARGET = Template("""
static int tree_target(int step, const tree_value *row)
{
    int branch, which = WHICH[step];
    if (ASK[step] == 1) {
        double value = row[which].number;
        branch = value != value ? 2 : value > THRESHOLD[step];
    } else if (ASK[step] == 2) {
        branch = ${code};
    } else {
        branch = ${side};
    }
    return TARGETS[START[step] + branch];
}
""")

WALK = """
int tree_predict(const tree_value *row)
{
    int step = 0;
    while (ASK[step]) {
        int target = tree_target(step, row);
        if (target < 0)
            break;
        step = target;
    }
    return ANSWER[step];
}
"""

VOTE = Template("""
/* A row that knows too little votes at every leaf that it may belong to. */
int tree_predict(const tree_value *row)
{
    static const double all = 4503599627370496.0;
    unsigned long long votes[${n_classes}] = {0};
    int waiting[${room}], n_waiting = 1, n_ends = 0, last = 0, of, child;
    double shares[${room}], last_share = 0.0;
    waiting[0] = 0;
    shares[0] = 1.0;
    while (n_waiting > 0) {
        int step = waiting[--n_waiting], target = -1;
        double share = shares[n_waiting];
        while (ASK[step]) {
            target = tree_target(step, row);
            if (target < 0)
                break;
            step = target;
            target = -1;
        }
        if (target == -2) {
            for (child = FIRST[step]; child < FIRST[step] + CHILDREN[step]; child++)
                if (SHARE[child] > 0.0) {
                    waiting[n_waiting] = child;
                    shares[n_waiting++] = share * SHARE[child];
                }
            continue;
        }
        n_ends++;
        last = step;
        last_share = share;
        for (of = 0; of < ${n_classes}; of++) {
            volatile double part = share * PARTS[(size_t)step * ${n_classes} + of];
            volatile double whole = part * all + all;
            votes[of] += (unsigned long long)(whole - all);
        }
    }
    if (n_ends == 1 && last_share == 1.0)
        return ANSWER[last];
    return tree_decide(votes);
}
""")

DECIDE = {
    "largest": """
static int tree_decide(const unsigned long long *votes)
{
    int best = 0, of;
    for (of = 1; of < ${n_classes}; of++)
        if (votes[of] > votes[best])
            best = of;
    return best;
}
""",
    "threshold": """
static int tree_decide(const unsigned long long *votes)
{
    return (double)votes[1] > ${threshold} * (double)(votes[0] + votes[1]);
}
""",
    "costs": """
/* Costs are added up in two halves of the votes, so that no sum overflows. */
static int tree_decide(const unsigned long long *votes)
{
    unsigned long long least_top = 0, least_low = 0;
    int best = 0, answer, of;
    for (answer = 0; answer < ${n_classes}; answer++) {
        unsigned long long top = 0, low = 0;
        for (of = 0; of < ${n_classes}; of++) {
            top += (votes[of] >> 26) * COSTS[of * ${n_classes} + answer];
            low += (votes[of] & 67108863ULL) * COSTS[of * ${n_classes} + answer];
        }
        top += low >> 26;
        low &= 67108863ULL;
        if (answer == 0 || top < least_top || (top == least_top && low < least_low)) {
            best = answer;
            least_top = top;
            least_low = low;
        }
    }
    return best;
}
""",
}


def escaped(text: str) -> str:
    """Write a text as a literal: bytes that are no plain letters in octal, so that no escape runs on."""
    data = text.encode()
    if b"\0" in data:
        raise refusal("C", f"ends a text at the character 0, as in '{shortened(text)}'", "rename it")
    plain = (
        chr(byte) if (chr(byte).isalnum() and byte < 128) or byte in b" _-+.,:;()" else f"\\{byte:03o}"
        for byte in data
    )
    return f'"{"".join(plain)}"'


class Texts:
    """Texts as C has them: short ones as literals, long ones in arrays of their own."""

    def __init__(self) -> None:
        self.arrays: list[str] = []

    def of(self, text: str) -> str:
        """Return an expression for a text."""
        literal = escaped(text)
        if len(text.encode()) <= LONGEST_LITERAL:
            return literal
        name = f"TEXT_{len(self.arrays)}"
        codes = (str(byte if byte < 128 else byte - 256) for byte in [*text.encode(), 0])
        self.arrays.append(f"static const char {name}[] = {{\n{wrapped(codes)}\n}};\n")
        return name


def write(program: Program) -> str:
    """Write a file."""
    has_levels = any(column.levels is not None for column in program.columns)
    names = {"n_classes": str(len(program.classes)), "room": str(_most_waiting(program))}
    names["threshold"] = number(program.threshold or 0.0)
    code = "tree_code(which, row[which].text)" if has_levels else "0"
    target = TARGET.substitute(code=code, side="tree_side(which, row)" if program.planes else "0")
    parts = [OPENING, _tables(program), READ if has_levels or program.planes else ""]
    parts += [SUM if program.planes else "", target]
    parts += (
        [Template(DECIDE[deciding(program)] + VOTE.template).substitute(names)] if program.shares else [WALK]
    )
    return "".join(parts)


def _most_waiting(program: Program) -> int:
    """Return how many parts of a row may wait at once."""
    most = [1] * len(program.steps)
    for step, below in enumerate(program.children):
        for child in below:
            most[child] = most[step] + len(below)
    return max(most) + 1


def _tables(program: Program) -> str:
    texts = Texts()
    lists = "".join(_lists(program, texts))
    return "\n" + "".join(texts.arrays) + lists


def _lists(program: Program, texts: Texts) -> Iterator[str]:
    tables = tables_of(program)
    yield _text_list("tree_columns", [column.name for column in program.columns], texts, is_public=True)
    yield _text_list("tree_classes", as_texts(program.classes, "C", "the target"), texts, is_public=True)
    levels, starts = [], [0]
    for column in program.columns:
        levels += as_texts(column.levels or (), "C", f"the column '{column.name}'")
        starts.append(len(levels))
    if levels or program.planes or any(column.levels is not None for column in program.columns):
        yield _text_list("LEVELS", levels, texts)
    numbers = {"THRESHOLD": tables.threshold, "OFFSET": tables.offset}
    whole = {"LEVEL_START": starts, "ASK": tables.ask, "WHICH": tables.which, "START": tables.start}
    whole |= {"ANSWER": tables.answer, "TARGETS": tables.targets, "PLANE_START": tables.plane_start}
    if program.planes:
        yield from _terms(tables.terms)
    if program.shares:
        first, n_children, share, parts = share_tables(program)
        whole |= {"FIRST": first, "CHILDREN": n_children}
        numbers |= {"SHARE": share, "PARTS": parts}
        if program.costs is not None:
            costs = (f"{cost}ULL" for row in program.costs for cost in row)
            yield _list("unsigned long long", "COSTS", costs)
    unused = set() if program.planes else {"OFFSET", "PLANE_START"}
    if not program.planes and not any(column.levels is not None for column in program.columns):
        unused.add("LEVEL_START")
    yield from (_list("int", name, map(str, values)) for name, values in whole.items() if name not in unused)
    yield from (
        _list("double", name, map(number, values)) for name, values in numbers.items() if name not in unused
    )


def _terms(terms: list[Term]) -> Iterator[str]:
    yield _list("int", "TERM_COLUMN", (str(term.column) for term in terms))
    yield _list("int", "TERM_LEVEL", (str(-1 if term.level is None else term.level) for term in terms))
    yield _list("double", "TERM_WEIGHT", (number(term.weight) for term in terms))
    for name, values in (
        ("MISSING", [term.missing for term in terms]),
        ("UNSEEN", [term.unseen for term in terms]),
    ):
        yield _list("double", f"TERM_{name}", (number(value or 0.0) for value in values))
        yield _list("int", f"TERM_HAS_{name}", (str(int(value is not None)) for value in values))


def _text_list(name: str, own: list[str], texts: Texts, *, is_public: bool = False) -> str:
    found = _list("char *const", name, map(texts.of, own), "NULL")
    return found.removeprefix("static ") if is_public else found


def _list(kind: str, name: str, texts: Iterable[str], empty: str = "0") -> str:
    body = wrapped(texts) or f"    {empty},"
    return f"static const {kind} {name}[] = {{\n{body}\n}};\n"
