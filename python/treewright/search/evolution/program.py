"""Programs as objects: called on Python values, compared, stored, written in other languages."""

from __future__ import annotations

from typing import Any

from treewright import _core
from treewright._base.errors import FormatError, ParameterError, ProgramError
from treewright._base.params import one_of, whole_number
from treewright._base.wording import Param
from treewright.search.evolution.exporting import export_program

LANGUAGES = ("python", "rust", "sml", "latex")

MOST_STEPS = 2**62
"""More steps than any run will take."""

MOST_MEMORY = 2**28
"""More words than a run may make."""


class Program:
    """A program in the language of evolved programs, called like a function.

    Parameters
    ----------
    text : str
        Declarations of types, then functions, the last of which is the program; see
        ``docs/language.md``.

    Raises
    ------
    ParameterError
        If the text is not a program: a syntax error, a type error, or a recursion that might not terminate.

    Notes
    -----
    Values are Python's own: a float, an int, a bool; a tuple for a tuple. A type with one constructor without
    fields and one of an element and the rest, such as ``list = Nil | Cons of int * list``, is a Python list.
    Any other constructor is its name, ``"Leaf"``, or a tuple of its name and its fields,
    ``("Node", left, key, right)``. Lists may be given in that form too.

    Two programs are equal if they differ only in the names of functions and variables. A program is data: an
    interpreter of its own runs it, never Python.

    Examples
    --------
    >>> from treewright.evolution import Program
    >>> total = Program('''
    ... type list = Nil | Cons of int * list
    ... fun total(xs: list): int = case xs of Nil => 0 | Cons(x, rest) => x + total(rest)
    ... ''')
    >>> total([3, 4, 5])
    12
    >>> total.size, round(total.bits)
    (7, 28)
    >>> Program.from_json(total.to_json()) == total
    True
    >>> depth = Program('''
    ... type tree = Leaf | Node of tree * int * tree
    ... fun left(t: tree): tree = case t of Leaf => t | Node(below, key, other) => below
    ... ''')
    >>> depth(("Node", ("Node", "Leaf", 1, "Leaf"), 2, "Leaf"))
    ('Node', 'Leaf', 1, 'Leaf')
    """

    __slots__ = ("_core",)

    _core: _core.Program

    def __init__(self, text: str) -> None:
        if not isinstance(text, str):
            raise ParameterError(
                "text", text, "is no text", "give the declarations and functions of a program"
            )
        try:
            self._core = _core.Program(text)
        except UnicodeEncodeError as error:
            half = f"holds half of a character (a lone surrogate) at position {error.start}"
            raise ParameterError("text", text, half, "write it as a whole") from error

    def __call__(self, *args: object, max_steps: int = 100_000, max_memory: int = 2**20) -> Any:
        """Run the program.

        Parameters
        ----------
        *args : values
            One for each parameter.
        max_steps : int, default=100_000
            Nodes of expressions that may be evaluated.
        max_memory : int, default=2**20
            Words of data, and of the stack, that may be used. The result may have as many parts, besides
            those of the arguments, each counted as often as it occurs, and at most 4 194 304.

        Returns
        -------
        value : float, int, bool, tuple, list or str
            The result.

        Raises
        ------
        DataError
            If an argument is of another type than its parameter.
        StepLimitError, MemoryLimitError
            If the run reaches a limit, or its result is too large; there is no value then.
        """
        return self._core.run(args, *checked_limits(max_steps, max_memory))[0]

    @property
    def text(self) -> str:
        """The whole program, with the declarations of its types."""
        return self._core.text

    @property
    def bits(self) -> float:
        """Complexity in bits, by all the symbols that its types allow; numbers count twice."""
        return self._core.bits

    @property
    def size(self) -> int:
        """Nodes of the main function."""
        return self._core.size

    def code(self, language: str = "python") -> str:
        """Return the program in another language.

        Parameters
        ----------
        language : {"python", "rust", "sml", "latex"}, default="python"
            The language.

        Returns
        -------
        code : str
            Declarations and functions that compute the same as the program, as long as integers fit into 64
            bits. In Python a function of floats takes numpy arrays; constructors are classes.

        Examples
        --------
        >>> from treewright.evolution import Program
        >>> print(Program("fun area(x: float, y: float): float = x * y / 2.0").code("rust"))
        pub fn area(x: f64, y: f64) -> f64 {
            x * y / 2.0
        }
        <BLANKLINE>
        """
        return self._core.code(one_of("language", language, LANGUAGES))

    def export(self, format: str) -> str:  # noqa: A002
        """Write the program in another language, in the formats of `Tree.export`.

        Parameters
        ----------
        format : {"python", "c", "javascript", "json"}
            The format. C and JavaScript are written of formulas: one function of floats. `code` writes more
            languages.

        Returns
        -------
        written : str
            In C it is called ``program_value``, in JavaScript ``programValue``.

        Raises
        ------
        ExportError
            If the format cannot say it; the message has the reason.

        Notes
        -----
        Arithmetic, comparisons, `sqrt`, `min`, `max` and `abs` have the same value to the last bit; `exp`,
        `log` and `tanh` are those of the language, which may differ in the last digits.
        """
        return export_program(self._core, format)

    def simplify(self) -> Program:
        """Return the same program in a simpler form, if there is one.

        Returns
        -------
        program : Program
            It has the same value wherever all intermediate numbers are finite.
        """
        return wrapped(self._core.simplify())

    def to_json(self) -> str:
        """Return the program as JSON text, with the number of the format."""
        return self._core.to_json()

    @classmethod
    def from_json(cls, text: str) -> Program:
        """Read what `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON text.

        Returns
        -------
        program : Program
            The same program.

        Raises
        ------
        FormatError
            If the text is no stored program.
        """
        if not isinstance(text, str):
            raise FormatError(Param("text", text), " is no text; give what to_json wrote")
        try:
            return wrapped(_core.Program.from_json(text))
        except ProgramError as error:
            raise FormatError(
                f"the stored program cannot be read: {error}; give what to_json wrote"
            ) from error

    def __eq__(self, other: object) -> bool:
        """Tell whether two programs are the same, up to the names in them."""
        return self._core == other._core if isinstance(other, Program) else NotImplemented

    def __hash__(self) -> int:
        """Agree with equality."""
        return hash(self._core)

    def __reduce__(self) -> tuple[type[Program], tuple[str]]:
        return Program, (self.text,)

    def __str__(self) -> str:
        """Return the text."""
        return self.text

    def __repr__(self) -> str:
        """Return an expression for the program."""
        return f"Program({self.text!r})"


def wrapped(core: _core.Program) -> Program:
    """Make an object of a program of the engine."""
    program = Program.__new__(Program)
    program._core = core
    return program


def as_program(name: str, value: object) -> Program:
    """Return a program that is given as one or as text."""
    if isinstance(value, Program):
        return value
    if isinstance(value, str):
        return Program(value)
    raise ParameterError(name, value, "is no program", "give its text or a Program")


def checked_limits(max_steps: object, max_memory: object) -> tuple[int, int]:
    """Return the limits of a run."""
    steps = whole_number("max_steps", max_steps, least=1, remedy="every node that is evaluated is a step")
    memory = whole_number(
        "max_memory", max_memory, least=1, remedy="it counts words of data and of the stack"
    )
    return min(steps, MOST_STEPS), min(memory, MOST_MEMORY)
