"""A tree as a script of JavaScript: tables and a loop, for browsers, Node and other engines."""

from __future__ import annotations

import json
from collections.abc import Iterable
from string import Template

from treewright.data.intake.labels import WHOLE_LIMIT, Label
from treewright.trees.exports.layout import number, wrapped
from treewright.trees.exports.program import Program, Term, deciding, share_tables, tables_of
from treewright.trees.exports.refusal import refusal

OPENING = """\
"use strict";
// A decision tree, written by treewright: predict(row) returns the class of a row, an object by the names of
// COLUMNS. null, undefined and NaN are missing values. LEVELS are the values of a column, null of numbers.
"""

READ = """
const CODES = LEVELS.map((levels) => levels && new Map(levels.map((level, code) => [level, code])));

function read(row, i) {
  if (!Object.prototype.hasOwnProperty.call(row, COLUMNS[i])) {
    throw new Error("the row has no column " + JSON.stringify(COLUMNS[i]));
  }
  const value = row[COLUMNS[i]];
  const isMissing = value === null || value === undefined || value !== value;
  if (LEVELS[i] === null) {
    return isMissing ? null : Number(value);
  }
  if (isMissing) {
    return LEVELS[i].length;
  }
  return CODES[i].has(value) ? CODES[i].get(value) : LEVELS[i].length + 1;
}
"""

SUM = """
// 0 up to the plane, 1 above it, 2 where the sum is not known.
function side(plane, row) {
  let total = 0;
  for (let i = PLANES[plane][0]; i < PLANES[plane][1]; i++) {
    const [column, level, weight, missing, unseen] = TERMS[i];
    let value = row[column];
    if (level === null) {
      value = value === null ? missing : value;
    } else if (value >= LEVELS[column].length) {
      value = value === LEVELS[column].length ? missing : unseen;
    } else {
      value = value === level ? 1 : 0;
    }
    if (value === null) {
      return 2;
    }
    total += weight * value;
  }
  return total > PLANES[plane][2] ? 1 : 0;
}
"""

TARGET = Template("""
function targetOf(step, row) {
  let branch;
  if (ASK[step] === 1) {
    const value = row[WHICH[step]];
    branch = value === null ? 2 : value > THRESHOLD[step] ? 1 : 0;
  } else if (ASK[step] === 2) {
    branch = row[WHICH[step]];
  } else {
    branch = ${side};
  }
  return TARGETS[START[step] + branch];
}
""")

WALK = """
function predict(row) {
  const values = COLUMNS.map((name, i) => read(row, i));
  let step = 0;
  while (ASK[step] > 0) {
    const target = targetOf(step, values);
    if (target < 0) {
      break;
    }
    step = target;
  }
  return CLASSES[ANSWER[step]];
}
"""

VOTE = """
const ALL = 4503599627370496;

// A row that knows too little votes at every leaf that it may belong to.
function predict(row) {
  const values = COLUMNS.map((name, i) => read(row, i));
  const votes = CLASSES.map(() => 0);
  const ends = [];
  const waiting = [[0, 1]];
  while (waiting.length > 0) {
    let [step, share] = waiting.pop();
    let target = -1;
    while (ASK[step] > 0) {
      target = targetOf(step, values);
      if (target < 0) {
        break;
      }
      step = target;
      target = -1;
    }
    if (target === -2) {
      for (let child = FIRST[step]; child < FIRST[step] + CHILDREN[step]; child++) {
        if (SHARE[child] > 0) {
          waiting.push([child, share * SHARE[child]]);
        }
      }
      continue;
    }
    ends.push([step, share]);
    for (let of = 0; of < votes.length; of++) {
      votes[of] += share * PARTS[step * votes.length + of] * ALL + ALL - ALL;
    }
  }
  if (ends.length === 1 && ends[0][1] === 1) {
    return CLASSES[ANSWER[ends[0][0]]];
  }
  return CLASSES[decide(votes)];
}
"""

DECIDE = {
    "largest": """
function decide(votes) {
  return votes.indexOf(Math.max(...votes));
}
""",
    "threshold": """
function decide(votes) {
  return votes[1] > THRESHOLD_OF_CLASS * (votes[0] + votes[1]) ? 1 : 0;
}
""",
    "costs": """
// Costs are added up in two halves of the votes, so that no sum is above 2^53.
function decide(votes) {
  const HALF = 67108864;
  let best = 0;
  let least = null;
  for (let answer = 0; answer < votes.length; answer++) {
    let top = 0;
    let low = 0;
    for (let of = 0; of < votes.length; of++) {
      const upper = Math.floor(votes[of] / HALF);
      top += upper * COSTS[of][answer];
      low += (votes[of] - upper * HALF) * COSTS[of][answer];
    }
    top += Math.floor(low / HALF);
    low %= HALF;
    if (least === null || top < least[0] || (top === least[0] && low < least[1])) {
      best = answer;
      least = [top, low];
    }
  }
  return best;
}
""",
}

CLOSING = """
if (typeof module === "object" && module !== null && module.exports) {
  module.exports = { predict, COLUMNS, CLASSES };
}
"""


def escaped(text: str) -> str:
    """Write a text as a literal: in ASCII, on one line, harmless within a page of HTML."""
    return json.dumps(text).replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def literal(label: Label) -> str:
    """Write a label as a literal."""
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, str):
        return escaped(label)
    if isinstance(label, int) and abs(label) > WHOLE_LIMIT:
        raise refusal("JavaScript", f"has whole numbers up to 2^53, and {label} is a value", "make it a text")
    return repr(label)


def write(program: Program) -> str:
    """Write a script."""
    side = "side(WHICH[step], row)" if program.planes else "0"
    parts = [OPENING, _tables(program), READ, SUM if program.planes else "", TARGET.substitute(side=side)]
    parts += [DECIDE[deciding(program)], VOTE] if program.shares else [WALK]
    return "".join([*parts, CLOSING])


def _tables(program: Program) -> str:
    tables = tables_of(program)
    lists: dict[str, Iterable[str]] = {
        "COLUMNS": (escaped(column.name) for column in program.columns),
        "LEVELS": (_levels(column.levels) for column in program.columns),
        "CLASSES": map(literal, program.classes),
        "ASK": map(str, tables.ask),
        "WHICH": map(str, tables.which),
        "THRESHOLD": map(number, tables.threshold),
        "START": map(str, tables.start),
        "ANSWER": map(str, tables.answer),
        "TARGETS": map(str, tables.targets),
    }
    if program.planes:
        spans = zip(tables.plane_start[:-1], tables.plane_start[1:], tables.offset, strict=True)
        lists["PLANES"] = (f"[{first}, {last}, {number(offset)}]" for first, last, offset in spans)
        lists["TERMS"] = map(_term, tables.terms)
    if program.costs is not None:
        lists["COSTS"] = map(str, map(list, program.costs))
    if program.shares:
        first, n_children, share, parts = share_tables(program)
        lists |= {"FIRST": map(str, first), "CHILDREN": map(str, n_children)}
        lists |= {"SHARE": map(number, share), "PARTS": map(number, parts)}
    found = "".join(f"const {name} = [\n{wrapped(texts, '  ')}\n];\n" for name, texts in lists.items())
    if program.threshold is not None:
        found += f"const THRESHOLD_OF_CLASS = {number(program.threshold)};\n"
    return found


def _levels(levels: Iterable[Label] | None) -> str:
    return "null" if levels is None else f"[{', '.join(map(literal, levels))}]"


def _term(term: Term) -> str:
    values = ("null" if one is None else number(one) for one in (term.weight, term.missing, term.unseen))
    level = "null" if term.level is None else str(term.level)
    return f"[{term.column}, {level}, {', '.join(values)}]"
