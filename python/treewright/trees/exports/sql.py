"""A tree as an expression of SQL: nested `CASE`, a flat one where it is deep, sums where it shares rows.

What is not known is asked for in the logic of three values: ``x <= 1`` is neither true nor false where x is
NULL, so a row without a value comes to the next `WHEN`, and at last to `ELSE`. Every step lists its questions
in such an order.

Where a row may go down several branches, its share of every leaf is a product of one `CASE` a step, NULL
where it does not come; votes are whole numbers, so sums of them are exact in doubles, and the classes of the
tree come out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from treewright.data.intake.labels import Label
from treewright.trees.exports.program import ALL_VOTES, SHARE, STOP, Plane, Program, Step, Term
from treewright.trees.exports.questions import ANSWERS, Question, arms, first_of, folded, paths
from treewright.trees.exports.refusal import are_alike, as_texts, refusal
from treewright.trees.exports.sql_dialects import DIALECTS, LARGEST, Dialect

HALF = 2.0**26
"""Costs are added up in two halves of the votes, so that no sum is above 2^53."""

MOST_PRODUCT = 400
"""Factors of one share; databases limit the depth of an expression."""


def write(program: Program, dialect: str, table: str | None) -> str:
    """Write an expression, or a query of a table."""
    writer = Writer(program, DIALECTS[dialect])
    expression = writer.shared() if program.shares else writer.case()
    text = expression if table is None else writer.query(expression, table)
    most = writer.dialect.most_characters
    if most is not None and len(text) > most:
        reason = f"reads at most {most:,} characters of SQL, and the tree needs {len(text):,}"
        raise refusal(writer.dialect.title, reason, "prune the tree")
    return text + "\n"


@dataclass(frozen=True)
class Writer:
    """A program on its way to one database."""

    program: Program
    dialect: Dialect

    @cached_property
    def columns(self) -> list[str]:
        """Quoted names of the columns."""
        names = [column.name for column in self.program.columns]
        seen: dict[str, str] = {}
        for name in names:
            key = name.casefold() if self.dialect.folds_case else name
            if key in seen:
                raise refusal(
                    self.dialect.title,
                    f"takes the columns {seen[key]!r} and {name!r} for one",
                    "rename one of them",
                )
            seen[key] = name
        return list(map(self.dialect.column, names))

    @cached_property
    def levels(self) -> list[list[str]]:
        """Literals of the levels of every column."""
        return [
            self.literals(column.levels or (), f"the column '{column.name}'")
            for column in self.program.columns
        ]

    @cached_property
    def classes(self) -> list[str]:
        """Literals of the classes."""
        return self.literals(self.program.classes, "the target")

    def literals(self, labels: Sequence[Label], what: str) -> list[str]:
        """Write labels: of different types, all as texts."""
        own = labels if are_alike(labels) else as_texts(labels, self.dialect.title, what)
        return list(map(self.dialect.label, own))

    # Questions.

    def arms(self, step: Step) -> list[tuple[str | None, int]]:
        """Return what a step asks, in the order in which it is asked; the last is for all other rows."""
        return [(None if question is None else self.said(question), to) for question, to in arms(step)]

    def said(self, question: Question) -> str:
        """Write a question."""
        step = question.step
        if question.about == "among":
            asked = [self.among(step.column, question.codes)] if question.codes else []
            return " OR ".join(
                [*asked, *([f"{self.columns[step.column]} IS NULL"] if question.or_missing else [])]
            )
        if step.ask == "plane":
            plane = self.program.planes[step.plane]
            total, cut = self.total(plane), self.dialect.as_number(plane.offset)
            return {"upto": f"{total} <= {cut}", "above": f"{total} > {cut}"}.get(
                question.about, f"{total} IS NOT NULL"
            )
        column, cut = self.columns[step.column], self.dialect.as_number(step.threshold)
        if question.about == "upto":
            return f"{column} <= {cut}"
        known = f"{column} <= {LARGEST}" if self.dialect.has_nan else f"{column} IS NOT NULL"
        if question.about == "known":
            return known
        return f"{column} > {cut}" + (f" AND {known}" if self.dialect.has_nan else "")

    def among(self, column: int, codes: Iterable[int]) -> str:
        """Ask whether a column has one of some levels; NULL where it has no value."""
        name, literals = self.columns[column], [self.levels[column][code] for code in codes]
        if self.dialect.name == "tsql" and literals[0].startswith(("N'", "(N'")):
            # `=` ignores blanks at the end, and often case; a mark at the end and a binary collation do not.
            name = f"{name} + N'|' COLLATE Latin1_General_BIN2"
            literals = [f"{literal} + N'|'" for literal in literals]
        return f"{name} = {literals[0]}" if len(literals) == 1 else f"{name} IN ({', '.join(literals)})"

    def total(self, plane: Plane) -> str:
        """Write a weighted sum, NULL where it is not known."""
        terms = [f"{self.dialect.as_number(term.weight)} * {self.value(term)}" for term in plane.terms]
        return f"({' + '.join(terms) or self.dialect.as_number(0.0)})"

    def value(self, term: Term) -> str:
        """Write what a term multiplies."""
        number, column = self.dialect.as_number, self.columns[term.column]
        missing, unseen = ("NULL" if one is None else number(one) for one in (term.missing, term.unseen))
        if term.level is None:
            if self.dialect.has_nan:
                return f"CASE WHEN {column} <= {LARGEST} THEN {column} ELSE {missing} END"
            return column if missing == "NULL" else f"COALESCE({column}, {missing})"
        levels = range(len(self.levels[term.column]))
        own = [(f"WHEN {self.among(term.column, [term.level])}", number(1.0))] if term.level in levels else []
        others = [code for code in levels if code != term.level]
        rest = [(f"WHEN {self.among(term.column, others)}", number(0.0))] if others else []
        known = [*own, *rest, (f"WHEN {column} IS NULL", missing)]
        return f"CASE {' '.join(f'{when} THEN {value}' for when, value in known)} ELSE {unseen} END"

    # One answer a row.

    def case(self) -> str:
        """Write nested cases, or a flat one where the tree is deeper than the database reads."""
        if self.program.max_depth <= self.dialect.most_nested:
            return "".join(self.nested())
        text, n_constants = self.flat()
        most = self.dialect.most_constants
        if most is not None and n_constants > most:
            reason = (
                f"reads {most:,} names and constants in an expression, and the tree needs {n_constants:,}"
            )
            raise refusal(self.dialect.title, reason, "prune the tree")
        return text

    @cached_property
    def folded(self) -> tuple[Step, ...]:
        """Steps whose targets that answer alike are one."""
        return folded(self.program)

    def nested(self) -> Iterator[str]:
        """Yield the pieces of nested cases."""
        waiting: list[tuple[str | int, int]] = [(first_of(self.program), 0)]
        while waiting:
            piece, depth = waiting.pop()
            if isinstance(piece, str):
                yield piece
                continue
            if piece <= ANSWERS:
                yield self.classes[ANSWERS - piece]
                continue
            arms = self.arms(self.folded[piece])
            if len(arms) == 1:
                waiting.append((arms[0][1], depth))
                continue
            inner = "\n" + "  " * (depth + 1)
            waiting.append((f"\n{'  ' * depth}END", depth))
            for condition, target in reversed(arms):
                opening = f"{inner}ELSE " if condition is None else f"{inner}WHEN {condition} THEN "
                waiting += [(target, depth + 1), (opening, depth)]
            waiting.append(("CASE", depth))

    def flat(self) -> tuple[str, int]:
        """Write one case: a row comes to a `WHEN` only if none before it held; count names and constants."""
        whens, n_constants = [], 0
        for questions, answer in paths(self.program):
            n_constants += 2 * len(questions) + 1
            conditions = list(map(self.said, questions))
            asked = " AND ".join(f"({one})" if " OR " in one else one for one in conditions)
            label = self.classes[answer]
            whens.append(f"  WHEN {asked} THEN {label}" if asked else f"  ELSE {label}")
        return "\n".join(["CASE", *whens, "END"]), n_constants

    # Several leaves a row.

    def shared(self) -> str:
        """Write a query of one value: shares, then votes, then the answer."""
        depth, ends = self.program.max_depth, list(self.program.ends())
        if depth > MOST_PRODUCT:
            reason = (
                f"would multiply {depth:,} shares of a row with a missing value, more than {MOST_PRODUCT}"
            )
            raise refusal(self.dialect.title, reason, "use missing='stop', or a format of tables and a loop")
        most = self.dialect.most_columns
        n_columns = len(ends) + len(self.program.classes) + 1
        if most is not None and n_columns > most:
            reason = f"reads queries of at most {most:,} columns, and the tree needs {n_columns:,}"
            raise refusal(self.dialect.title, reason, "use missing='stop', or prune the tree")
        names = self.aliases(len(ends))
        fence = self.dialect.fence
        inner = f"(SELECT {_rows(map(_named, self.products(ends), names))}{fence}) AS {self.alias('t')}"
        votes = self.votes(ends, names)
        count = _added([f"CASE WHEN {name} IS NULL THEN 0 ELSE 1 END" for name in names])
        counted = _named(count, self.alias("n"))
        counted_votes = _rows([*names, counted, *map(_named, votes, self.ballot)])
        middle = f"(SELECT {counted_votes}\nFROM {inner}{fence}) AS {self.alias('u')}"
        return f"(SELECT {self.decided(ends, names)}\nFROM {self.with_costs(middle)})"

    @cached_property
    def prefix(self) -> str:
        """Return an opening that no column's name has."""
        taken = [column.name.lower() for column in self.program.columns]
        opening = "tw_"
        while any(name.startswith(opening) for name in taken):
            opening += "_"
        return opening

    def alias(self, name: str) -> str:
        """Return a name that no column has."""
        return self.prefix + name

    def aliases(self, n: int) -> list[str]:
        """Return a name for the share of every end."""
        return [self.alias(f"s{i}") for i in range(n)]

    @cached_property
    def ballot(self) -> list[str]:
        """Names of the votes of every class."""
        return [self.alias(f"v{i}") for i in range(len(self.program.classes))]

    def products(self, ends: Sequence[int]) -> Iterator[str]:
        """Yield the share of a row that comes to an end, NULL where none does."""
        steps, one = self.program.steps, self.dialect.as_number(1.0)
        path: list[list[str]] = [[] for _ in steps]
        for number, below in enumerate(self.program.children):
            for child in below:
                path[child] = [*path[number], self.factor(steps[number], child, number)]
        for end in ends:
            last = [] if steps[end].ask == "leaf" else [self.factor(steps[end], STOP, end)]
            yield " * ".join([*path[end], *last]) or one

    def factor(self, step: Step, child: int, number: int) -> str:
        """Write what of a row at a step goes on to a target."""
        own = self.program.share(child, number) if child != STOP else 0.0

        def value(target: int) -> str:
            if target == child:
                return self.dialect.as_number(1.0)
            return self.dialect.as_number(own) if target == SHARE and own > 0.0 else "NULL"

        *asked, (_, other) = self.arms(step)
        if not asked:
            return value(other)
        whens = " ".join(f"WHEN {condition} THEN {value(target)}" for condition, target in asked)
        return f"CASE {whens} ELSE {value(other)} END"

    def votes(self, ends: Sequence[int], names: Sequence[str]) -> Iterator[str]:
        """Yield the votes of every class; a large number added and taken away rounds ties to even."""
        number = self.dialect.as_number
        parts = [self.program.parts(end) for end in ends]
        whole = number(ALL_VOTES)
        for of in range(len(self.program.classes)):
            own = [(name, part[of]) for name, part in zip(names, parts, strict=True) if part[of] > 0.0]
            terms = [
                f"COALESCE({name} * {number(part)} * {whole} + {whole} - {whole}, {number(0.0)})"
                for name, part in own
            ]
            yield _added(terms) or number(0.0)

    def with_costs(self, source: str) -> str:
        """Put queries around one that has votes, which add up costs, if these decide."""
        costs = self.program.costs
        if costs is None:
            return source
        whole, half = self.dialect.as_number(1.0), self.dialect.as_number(HALF)
        top, low = self.halves("h"), self.halves("l")
        upper = [self.dialect.floor.format(f"{vote} / {half}") + f" * {whole}" for vote in self.ballot]
        lower = [f"{vote} - {part} * {half}" for vote, part in zip(self.ballot, upper, strict=True)]
        fence = self.dialect.fence
        first = (
            f"(SELECT *, {_rows([*map(_named, upper, top), *map(_named, lower, low)])}\nFROM {source}{fence})"
        )
        sums = [
            _named(self.expected(parts, answer), name)
            for parts, names in ((top, self.halves("p")), (low, self.halves("q")))
            for answer, name in enumerate(names)
        ]
        second = f"(SELECT *, {_rows(sums)}\nFROM {first} AS {self.alias('w')}{fence})"
        carries = [self.dialect.floor.format(f"{name} / {half}") + f" * {whole}" for name in self.halves("q")]
        pairs = zip(self.halves("p"), self.halves("q"), carries, strict=True)
        final = [(f"{top} + {carry}", f"{low} - {carry} * {half}") for top, low, carry in pairs]
        named = [_named(one, name) for (one, _), name in zip(final, self.halves("c"), strict=True)]
        named += [_named(one, name) for (_, one), name in zip(final, self.halves("d"), strict=True)]
        return f"(SELECT *, {_rows(named)}\nFROM {second} AS {self.alias('x')}{fence}) AS {self.alias('y')}"

    def halves(self, letter: str) -> list[str]:
        """Return a name for every class."""
        return [self.alias(f"{letter}{i}") for i in range(len(self.program.classes))]

    def expected(self, votes: Sequence[str], answer: int) -> str:
        """Write what an answer costs for votes by class."""
        assert self.program.costs is not None, "costs decide"
        pairs = zip(votes, self.program.costs, strict=True)
        number = self.dialect.as_number
        terms = [f"{vote} * {number(float(costs[answer]))}" for vote, costs in pairs if costs[answer]]
        return _added(terms) or number(0.0)

    def decided(self, ends: Sequence[int], names: Sequence[str]) -> str:
        """Write the answer: of the one leaf that has the whole row, else by votes."""
        whole, steps = self.dialect.as_number(1.0), self.program.steps
        by_class: dict[int, list[str]] = {}
        for end, name in zip(ends, names, strict=True):
            by_class.setdefault(steps[end].answer, []).append(name)
        whens = [
            f"WHEN {self.alias('n')} = 1 AND {whole} IN ({', '.join(own)}) THEN {self.classes[answer]}"
            for answer, own in by_class.items()
        ]
        last = len(self.classes) - 1
        better = [self.is_best(answer) for answer in range(last)]
        whens += [f"WHEN {one} THEN {self.classes[answer]}" for answer, one in enumerate(better)]
        return f"CASE\n  {f'{chr(10)}  '.join(whens)}\n  ELSE {self.classes[last]} END"

    def is_best(self, answer: int) -> str:
        """Ask whether a class is the answer by votes; those before it are not."""
        later = range(answer + 1, len(self.classes))
        if self.program.costs is not None:
            top, low = self.halves("c"), self.halves("d")
            better = [
                f"({top[answer]} < {top[of]} OR {top[answer]} = {top[of]} AND {low[answer]} <= {low[of]})"
                for of in later
            ]
            return " AND ".join(better)
        if self.program.threshold is not None:
            first, second = self.ballot
            return f"NOT {second} > {self.dialect.as_number(self.program.threshold)} * ({first} + {second})"
        return " AND ".join(f"{self.ballot[answer]} >= {self.ballot[of]}" for of in later)

    def query(self, expression: str, table: str) -> str:
        """Write a query of all columns of a table, and the prediction."""
        name = "prediction"
        while any(column.name.lower() == name for column in self.program.columns):
            name += "_"
        return f"SELECT *, {expression} AS {self.dialect.column(name)}\nFROM {self.dialect.column(table)}"


def _named(expression: str, name: str) -> str:
    return f"{expression} AS {name}"


def _rows(texts: Iterable[str]) -> str:
    return ",\n  ".join(texts)


def _added(terms: Sequence[str]) -> str:
    """Add up in brackets that halve the terms, so that no expression is deep."""
    if len(terms) <= 2:
        return " + ".join(terms)
    middle = len(terms) // 2
    return f"({_added(terms[:middle])}) + ({_added(terms[middle:])})"
