"""Programs as Python objects: values, limits, code, storage."""

import json
import math
import pickle
import sys

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from treewright import DataError, FormatError, MemoryLimitError, ParameterError, StepLimitError
from treewright.evolution import Program

TYPES = """
type list = Nil | Cons of int * list
type color = Red | Green | Blue
type tree = Leaf of float | Node of color * forest
type forest = Empty | More of tree * forest
type nat = Zero | Next of nat
"""

SORT = """
type list = Nil | Cons of int * list
fun sort(xs: list): list =
  let
    fun insert(ys: list, x: int): list =
      case ys of
        Nil => Cons(x, Nil)
      | Cons(y, rest) => if x <= y then Cons(x, ys) else Cons(y, insert(rest, x))
  in
    case xs of Nil => Nil | Cons(x, rest) => insert(sort(rest), x)
  end
"""

TOTAL = """
type tree = Leaf of float | Node of trees
type trees = Empty | More of tree * trees
fun total(t: tree): float =
  case t of
    Leaf(x) => x
  | Node(children) =>
      let
        fun all(ts: trees): float =
          case ts of Empty => 0.0 | More(child, rest) => total(child) + all(rest)
      in
        all(children)
      end
"""

DELETE = """
type tree = Leaf | Node of tree * int * tree
fun hang(below: tree, t: tree): tree =
  case below of Leaf => t | Node(left, key, right) => Node(left, key, hang(right, t))
fun delete(key: int, t: tree): tree =
  case t of
    Leaf => t
  | Node(left, own, right) =>
      if key = own then hang(left, right)
      else if key < own then Node(delete(key, left), own, right)
      else Node(left, own, delete(key, right))
"""

ints = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False)
colors = st.sampled_from(["Red", "Green", "Blue"])
trees = st.recursive(
    st.tuples(st.just("Leaf"), floats),
    lambda below: st.tuples(st.just("Node"), colors, st.lists(below, max_size=4)),
    max_leaves=20,
)
values = st.one_of(
    *(
        st.tuples(st.just(ty), of)
        for ty, of in {
            "float": floats,
            "int": ints,
            "bool": st.booleans(),
            "list": st.lists(ints),
            "color": colors,
            "tree": trees,
            "int * list": st.tuples(ints, st.lists(ints)),
            "bool * float * tree": st.tuples(st.booleans(), floats, trees),
        }.items()
    )
)


def identity(ty):
    return Program(f"{TYPES}fun same(x: {ty}): {ty} = x")


@given(values)
def test_values_come_back_as_they_went_in(case):
    ty, value = case
    back = identity(ty)(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    ("ty", "given", "seen"),
    [
        ("float", 3, 3.0),
        ("float", np.float32(0.5), 0.5),
        ("int", np.int16(-3), -3),
        ("bool", np.True_, True),
        ("list", np.arange(3), [0, 1, 2]),
        ("list", range(2), [0, 1]),
        ("list", "Nil", []),
        ("list", ("Nil",), []),
        ("list", ("Cons", 1, ("Cons", 2, [3])), [1, 2, 3]),
        ("color", ("Red",), "Red"),
        ("nat", ("Next", ("Next", "Zero")), ("Next", ("Next", "Zero"))),
    ],
)
def test_other_forms_of_a_value_are_taken(ty, given, seen):
    assert identity(ty)(given) == seen


@pytest.mark.parametrize(
    ("ty", "value", "wish"),
    [
        ("float", "1.0", "give a float"),
        ("float", True, "give a float"),
        ("float", None, "give a float"),
        ("float", 10**400, "give a float"),
        ("float", np.complex128(1), "give a float"),
        ("float", np.ones(1), "give a float"),
        ("int", 1.0, "give an int of 64 bits"),
        ("int", 2**63, "give an int of 64 bits"),
        ("int", False, "give an int of 64 bits"),
        ("bool", 1, "give True or False"),
        ("int * list", [1, [2]], "give a tuple of 2"),
        ("int * list", (1, [2], 3), "give a tuple of 2"),
        ("list", {1, 2}, "give a list"),
        ("list", b"12", "give a list"),
        ("list", {1: 2}, "give a list"),
        ("list", [1, "two"], "give an int of 64 bits"),
        ("list", ("Cons", 1), "give a list"),
        ("color", "Purple", "give 'Red' or 'Green' or 'Blue'"),
        ("color", "Zero", "give 'Red'"),
        ("color", ["Red"], "give 'Red'"),
        ("tree", "Leaf", r"give \('Leaf', ...\) or \('Node', ..., ...\)"),
        ("tree", ("Node", "Red", [("Leaf", 1.0), ("Leaf", "x")]), "give a float"),
        ("tree", (), "give"),
        ("nat", (("Next",), "Zero"), "give 'Zero'"),
    ],
)
def test_values_of_another_type_are_refused(ty, value, wish):
    with pytest.raises(DataError, match=f"the call, argument 1, has .* where type .* is needed; {wish}"):
        identity(ty)(value)


def test_what_reading_an_object_raises_comes_out():
    class Broken(list):
        def __iter__(self):
            raise ZeroDivisionError("broken")

    with pytest.raises(ZeroDivisionError, match="broken"):
        identity("list")(Broken())


def test_a_list_that_contains_itself_is_refused():
    rose = Program("type rose = Empty | More of rose * rose\nfun same(x: rose): rose = x")
    assert rose([[], [[]]]) == [[], [[]]]
    endless = []
    endless.append(endless)
    with pytest.raises(DataError, match="or contains itself"):
        rose(endless)


LISTS_OF_LISTS = "type rose = Empty | More of rose * rose\n"


def test_a_result_is_as_large_as_memory_however_its_parts_are_shared():
    fork = Program(HOSTILE["shared"])
    twice = Program(
        f"{LISTS_OF_LISTS}fun f(n: int): rose = case n of 0 => Empty | m + 1 => "
        "let val r = f(m) in More(r, r) end"
    )
    small = {"max_steps": 1000, "max_memory": 4000}
    # A fork of depth n has 3 (2^n - 1) parts below it.
    assert fork(10, **small)[2] == 9
    for program, depth in ((fork, 11), (fork, 60), (twice, 11), (twice, 28), (twice, 60)):
        with pytest.raises(MemoryLimitError, match="more than 4000 parts, each counted as often"):
            program(depth, **small)


def test_parts_of_arguments_come_back_whatever_the_memory():
    assert identity("list")(range(500), max_memory=10) == list(range(500))


def test_messages_show_little_of_objects_that_share_parts():
    shared = []
    for _ in range(60):
        shared = [shared, shared]
    with pytest.raises(DataError, match="where type int is needed"):
        identity("list")([shared])


def test_arguments_are_counted():
    with pytest.raises(DataError, match="has 1 parameter and 2 values are given"):
        Program(SORT)([], [])


def test_values_may_be_deep():
    deep = "Zero"
    for _ in range(50_000):
        deep = ("Next", deep)
    back = identity("nat")(deep)
    for _ in range(50_000):
        name, back = back
        assert name == "Next"
    assert back == "Zero"
    with pytest.raises(DataError, match=r"has .* where"):
        identity("color")(deep)


def test_programs_run():
    assert Program(SORT)([3, 1, 2, -5]) == [-5, 1, 2, 3]
    assert Program(TOTAL)(("Node", [("Leaf", 1.5), ("Node", []), ("Leaf", 2)])) == 3.5
    tree = ("Node", ("Node", "Leaf", 1, "Leaf"), 2, ("Node", "Leaf", 3, "Leaf"))
    assert Program(DELETE)(2, tree) == ("Node", "Leaf", 1, ("Node", "Leaf", 3, "Leaf"))


HOSTILE = {
    "slow": "fun f(n: int): int = case n of 0 => 1 | m + 1 => f(m) + f(m)",
    "slower": "fun g(n: int): int = case n of 0 => 1 | m + 1 => g(m) + g(m)\n"
    "fun f(n: int): int = case n of 0 => 1 | m + 1 => g(n) + f(m) + f(m)",
    "deep": "type list = Nil | Cons of int * list\n"
    "fun f(n: int): list = case n of 0 => Nil | m + 1 => let val rest = f(m) in Cons(m, rest) end",
    "doubling": "type list = Nil | Cons of int * list\n"
    "fun onto(xs: list, ys: list): list = case xs of Nil => ys | Cons(x, rest) => Cons(x, onto(rest, ys))\n"
    "fun f(n: int): list = case n of 0 => Cons(7, Nil) | m + 1 => let val xs = f(m) in onto(xs, xs) end",
    "shared": "type rose = End | Fork of rose * int * rose\n"
    "fun f(n: int): rose = case n of 0 => End | m + 1 => let val t = f(m) in Fork(t, m, t) end",
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("limits", [{}, {"max_steps": 10**6}, {"max_memory": 100}])
def test_hostile_programs_end_in_a_limit(name, limits):
    with pytest.raises((StepLimitError, MemoryLimitError), match=r"raise max_|more than"):
        Program(HOSTILE[name])(10**6 if name == "deep" else 60, **limits)


def test_limits_say_which_one_it_was():
    slow, deep = Program(HOSTILE["slow"]), Program(HOSTILE["deep"])
    with pytest.raises(StepLimitError, match="raise max_steps"):
        slow(20, max_steps=1000)
    assert slow(20, max_steps=10**8) == 2**20
    with pytest.raises(MemoryLimitError, match="raise max_memory"):
        deep(200, max_memory=300)
    assert len(deep(200, max_memory=10_000)) == 200
    with pytest.raises(MemoryLimitError, match=r"more than 1048576 parts.*raise max_memory"):
        Program(HOSTILE["shared"])(30)
    with pytest.raises(MemoryLimitError, match=r"more than 4194304 parts.*; ask for less"):
        Program(HOSTILE["shared"])(60, max_memory=2**28)
    for bad in (0, -1, 1.5, "x", None):
        with pytest.raises(ParameterError, match="max_steps"):
            slow(1, max_steps=bad)
        with pytest.raises(ParameterError, match="max_memory"):
            slow(1, max_memory=bad)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "expected"),
        ("fun f(x: int): float = x", "must be of type float"),
        ("fun f(x: int): int = f(x)", "must call itself with a strict part"),
        ("fun f(x: int): int = y", "no variable 'y'"),
        ("type t = A of t\nfun f(x: t): t = x", "no finite value"),
        (3, "is no text"),
        (None, "is no text"),
    ],
)
def test_what_is_no_program_is_refused(text, message):
    with pytest.raises(ParameterError, match=message):
        Program(text)


def test_programs_compare_by_what_they_do_not_by_names():
    program, renamed = Program(SORT), Program(SORT.replace("insert", "put").replace("ys", "zs"))
    assert program == renamed
    assert hash(program) == hash(renamed)
    assert program != Program(TOTAL)
    assert program != SORT
    assert len({program, renamed, Program(TOTAL)}) == 2


@pytest.mark.parametrize("text", [SORT, TOTAL, DELETE, "fun f(x: float): float = x * 2.0"])
def test_programs_are_stored_and_copied(text):
    program = Program(text)
    copies = [
        pickle.loads(pickle.dumps(program)),
        Program.from_json(program.to_json()),
        eval(repr(program)),
        Program(str(program)),
    ]
    assert all(copy == program and copy.text == program.text for copy in copies)
    assert program.size > 0
    assert program.bits >= program.size


def test_other_json_is_refused():
    stored = json.loads(Program(SORT).to_json())
    for changed in ({"version": 9}, {"format": "tree"}, {"text": "fun f"}, {"more": 1}):
        with pytest.raises(FormatError):
            Program.from_json(json.dumps({**stored, **changed}))
    for nothing in (None, 3, b"{}"):
        with pytest.raises(FormatError, match="is no text; give what to_json wrote"):
            Program.from_json(nothing)
    for text in ("", "[]", "{}"):
        with pytest.raises(FormatError, match="not a program"):
            Program.from_json(text)


def test_simplifying_keeps_the_value():
    long = Program("fun f(x: float): float = if 1.0 < 2.0 then x * 1.0 + 0.0 * 2.0 else x")
    short = long.simplify()
    assert short.size < long.size
    assert short.bits < long.bits
    assert short(3.5) == long(3.5)


def test_every_language_is_written():
    for language in ("rust", "sml", "latex", "python"):
        assert "sort" in Program(SORT).code(language)
    with pytest.raises(ParameterError, match="language='cobol'"):
        Program(SORT).code("cobol")


def made(names, value):
    """Turn the values of the call into those of the code: constructors as classes."""
    if isinstance(value, list):
        end, link = names["lists"]
        made_list = names[end]()
        for item in reversed(value):
            made_list = names[link](made(names, item), made_list)
        return made_list
    if isinstance(value, str):
        return names[value]()
    if isinstance(value, tuple) and isinstance(value[0], str):
        return names[value[0]](*(made(names, part) for part in value[1:]))
    return value


@settings(max_examples=40)
@given(st.lists(st.integers(-50, 50), max_size=12))
def test_code_sorts_like_the_call(numbers):
    names = {"lists": ("Nil", "Cons"), "__name__": "sorting"}
    exec(Program(SORT).code("python"), names)
    assert names["sort"](made(names, numbers)) == made(names, Program(SORT)(numbers))
    assert Program(SORT)(numbers) == sorted(numbers)


search_trees = st.recursive(
    st.just("Leaf"),
    lambda below: st.tuples(st.just("Node"), below, st.integers(0, 6), below),
    max_leaves=12,
)


@settings(max_examples=40)
@given(st.integers(0, 6), search_trees)
def test_code_deletes_like_the_call(key, tree):
    names = {"__name__": "deleting"}
    exec(Program(DELETE).code("python"), names)
    assert names["delete"](key, made(names, tree)) == made(names, Program(DELETE)(key, tree))


FORMULA = "fun f(x: float, y: float): float = if x < y then sqrt(x) / y else max(log(y), x) - tanh(x * y)"


@given(st.floats(0, 100), st.floats(-10, 100))
def test_code_of_a_formula_computes_like_the_call(x, y):
    names = {}
    exec(Program(FORMULA).code("python"), names)
    found, called = float(names["f"](x, y)), Program(FORMULA)(x, y)
    assert found == pytest.approx(called, rel=1e-12, abs=1e-12) or (math.isnan(found) and math.isnan(called))


LOCAL = """
fun f(x: float, y: float): float =
  let
    fun g(z: float): float = if z < y then z * x else z / y
    val (a, b) = (g(x), g(y + 1.0))
  in
    if a < b then a else g(b)
  end
"""


def test_code_with_local_functions_takes_columns():
    names = {}
    exec(Program(LOCAL).code("python"), names)
    x, y = np.array([1.0, 2.0, -3.0, 0.0]), np.array([2, 1, 4, 0])
    expected = [Program(LOCAL)(float(a), float(b)) for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(names["f"](x, y), expected)
    np.testing.assert_array_equal(names["f"](x, 2), [Program(LOCAL)(float(a), 2.0) for a in x])
    assert float(names["f"](1.0, 2.0)) == expected[0]
    assert names["f"](x[:0], y[:0]).shape == (0,)


@pytest.mark.skipif(sys.flags.optimize > 0, reason="asserts are off")
def test_a_call_leaves_its_arguments_alone():
    numbers = [3, 1, 2]
    assert Program(SORT)(numbers) is not numbers
    assert numbers == [3, 1, 2]
