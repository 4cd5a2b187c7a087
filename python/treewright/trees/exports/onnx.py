"""A tree as a graph of ONNX: label maps of texts, sums of planes, one `TreeEnsembleClassifier` of doubles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treewright.data.intake.labels import Label
from treewright.trees.exports.binary import Binary, Encoding, Node, binary_nodes, depth_of
from treewright.trees.exports.program import Column, Plane, Program, Term
from treewright.trees.exports.refusal import as_texts, refusal

TITLE = "ONNX"
MOST_DEPTH = 1000
"""Comparisons on a path: onnxruntime reads a tree recursively."""

OPSETS = {"": 17, "ai.onnx.ml": 3}
MISSING = ""
"""What stands for a missing text."""


def write(program: Program) -> bytes:
    """Write a model."""
    try:
        import onnx
    except ImportError as error:
        raise ImportError(
            "ONNX needs onnx, which is not installed; `pip install 'treewright[onnx]'` installs it"
        ) from error
    if not program.columns:
        raise refusal(TITLE, "has no model without an input, and the tree asks nothing")
    tree = binary_nodes(program)
    depth = depth_of(tree.nodes)
    if depth > MOST_DEPTH:
        reason = (
            f"takes at most {MOST_DEPTH} comparisons on a path, as onnxruntime reads trees recursively, "
            f"and this has {depth:,}"
        )
        raise refusal(TITLE, reason, "prune the tree, or use a format of tables and a loop")
    return _Graph(program, onnx).model(tree)


class _Graph:
    """A graph as it grows; values are called by numbers, so that no name of a column is in the way."""

    def __init__(self, program: Program, onnx: Any) -> None:
        self.program, self.onnx = program, onnx
        self.helper = onnx.helper
        self.taken = {column.name for column in program.columns}
        self.label = self.free("label")
        self.nodes: list[object] = []
        self.constants: list[object] = []

    def model(self, tree: Binary) -> bytes:
        """Return the model."""
        helper, program = self.helper, self.program
        inputs = [self.input(column) for column in program.columns]
        read = [self.read(column) for column in program.columns]
        totals = [self.total(plane, read) for plane in program.planes]
        encoded = [self.encoded(encoding) for encoding in tree.encodings]
        kind = self.ensemble(tree.nodes, self.add("Concat", [*read, *totals, *encoded], axis=1))
        outputs = [helper.make_tensor_value_info(self.label, kind, [None])]
        graph = helper.make_graph(self.nodes, "tree", inputs, outputs, self.constants)
        opsets = [helper.make_opsetid(domain, version) for domain, version in OPSETS.items()]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="treewright")
        self.onnx.checker.check_model(model)
        written: bytes = model.SerializeToString()
        return written

    def free(self, name: str) -> str:
        """Return a name that nothing has."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def add(self, kind: str, inputs: list[str], domain: str = "", **attributes: object) -> str:
        """Add an operation; return the name of its value."""
        output = self.free(f"v{len(self.nodes)}")
        self.nodes.append(self.helper.make_node(kind, inputs, [output], domain=domain, **attributes))
        return output

    def constant(self, value: float) -> str:
        """Return the name of a number."""
        name = self.free(f"c{len(self.constants)}")
        tensor = self.onnx.numpy_helper.from_array(np.array([[value]], dtype=np.float64), name)
        self.constants.append(tensor)
        return name

    def input(self, column: Column) -> object:
        """Return an input: a column of doubles or of texts."""
        types = self.onnx.TensorProto
        kind = types.DOUBLE if column.levels is None else types.STRING
        return self.helper.make_tensor_value_info(column.name, kind, [None, 1])

    def read(self, column: Column) -> str:
        """Return numbers, or the codes of texts: of a missing one, of one that is no level after the last."""
        if column.levels is None:
            return column.name
        n_levels = len(column.levels)
        return self.codes(column, range(n_levels), n_levels, n_levels + 1)

    def encoded(self, encoding: Encoding) -> str:
        """Return codes in another order."""
        return self.codes(self.program.columns[encoding.column], encoding.order, -1, encoding.unseen)

    def codes(self, column: Column, order: Sequence[int], missing: int, unseen: int) -> str:
        """Return the codes of texts."""
        texts = as_texts(column.levels or (), TITLE, f"the column '{column.name}'")
        if MISSING in texts:
            reason = f"takes an empty text for a missing value, and '{column.name}' has one"
            raise refusal(TITLE, reason, "rename it")
        codes = self.add(
            "LabelEncoder",
            [column.name],
            "ai.onnx.ml",
            keys_strings=[*(texts[code] for code in order), MISSING],
            values_int64s=[*range(len(texts)), missing],
            default_int64=unseen,
        )
        return self.add("Cast", [codes], to=self.onnx.TensorProto.DOUBLE)

    def total(self, plane: Plane, read: list[str]) -> str:
        """Add up a plane, NaN where the sum is not known."""
        total = None
        for term in plane.terms:
            product = self.add("Mul", [self.constant(term.weight), self.value(term, read[term.column])])
            total = product if total is None else self.add("Add", [total, product])
        if total is not None:
            return total
        return self.add("Mul", [self.constant(0.0), read[0]])

    def value(self, term: Term, column: str) -> str:
        """Return what a term multiplies."""
        missing, unseen = (np.nan if one is None else one for one in (term.missing, term.unseen))
        if term.level is None:
            return self.add("Where", [self.add("IsNaN", [column]), self.constant(missing), column])
        n_levels = len(self.program.columns[term.column].levels or ())
        is_own = self.add("Equal", [column, self.constant(float(term.level))])
        known = self.add("Where", [is_own, self.constant(1.0), self.constant(0.0)])
        is_missing = self.add("Equal", [column, self.constant(float(n_levels))])
        told = self.add("Where", [is_missing, self.constant(missing), known])
        is_unseen = self.add("Equal", [column, self.constant(float(n_levels + 1))])
        return self.add("Where", [is_unseen, self.constant(unseen), told])

    def ensemble(self, nodes: list[Node], table: str) -> int:
        """Add the tree; return the type of its labels."""
        classes, labels = self.program.classes, self.labels()
        leaves = [(i, node.answer) for i, node in enumerate(nodes) if node.column < 0]
        votes = [(leaf, of, float(of == answer)) for leaf, answer in leaves for of in range(len(classes))]
        array = self.onnx.numpy_helper.from_array
        scores = self.free("scores")
        self.nodes.append(
            self.helper.make_node(
                "TreeEnsembleClassifier",
                [table],
                [self.label, scores],
                domain="ai.onnx.ml",
                nodes_treeids=[0] * len(nodes),
                nodes_nodeids=list(range(len(nodes))),
                nodes_featureids=[max(node.column, 0) for node in nodes],
                nodes_modes=["LEAF" if node.column < 0 else "BRANCH_LEQ" for node in nodes],
                nodes_values_as_tensor=array(np.array([node.threshold for node in nodes]), "cuts"),
                nodes_truenodeids=[max(node.yes, 0) for node in nodes],
                nodes_falsenodeids=[max(node.no, 0) for node in nodes],
                nodes_missing_value_tracks_true=[int(node.nan_is_yes) for node in nodes],
                class_treeids=[0] * len(votes),
                class_nodeids=[leaf for leaf, _, _ in votes],
                class_ids=[of for _, of, _ in votes],
                class_weights_as_tensor=array(np.array([vote for _, _, vote in votes]), "votes"),
                post_transform="NONE",
                **labels,
            )
        )
        types = self.onnx.TensorProto
        found: int = types.INT64 if "classlabels_int64s" in labels else types.STRING
        return found

    def labels(self) -> dict[str, list[Label]]:
        """Return the classes as labels: whole numbers, or texts."""
        classes = self.program.classes
        if all(type(label) is int for label in classes):
            return {"classlabels_int64s": list(classes)}
        texts: list[Label] = [*as_texts(classes, TITLE, "the target")]
        return {"classlabels_strings": texts}
