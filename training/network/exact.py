"""The weights as an int8 file that gives the same answers, to the last bit, on every kind of processor.

Processors agree on whole numbers, and on each single step of floats: plus, minus, times, divided by, root. They differ
in sums of floats (the order of adding; times and plus in one step) and in functions such as exp. An int8 network ought
not to care, yet it does: a last bit that tips the rounding of one activation grows from layer to layer. Therefore

- products with weights are sums of whole numbers;
- so are the products of attention, held in floats: what goes in is rounded to multiples of a power of two, few enough
  bits for floats to hold every sum as it is, in whichever order;
- the sums of layer norms are in double precision and then rounded to float, where their last bits vanish;
- exp and gelu are built of single steps.

No product may be fused with the rounding before it or the bias after it: some processors have kernels for those that
round otherwise. Doubling half a scale keeps onnxruntime from the first, taking away the negative bias from the second.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import ArrayLike, NDArray
from onnx import TensorProto, helper, numpy_helper

HEADS, LONGEST = 12, 256

LEVELS = 64
"""Weights go from -64 to 64: two products of a weight and an activation fit into sixteen bits, as some processors want."""

SLOPE, LESS = 0.06755837066590403, 0.46126461128974977
"""exp(x) for x < 0 goes like relu(1 / (1 - x * SLOPE) - LESS) ** 8, to within 0.0005 of its largest value."""

BEND, START = 0.2333984212298656, 0.8614028068007575
"""gelu(x) is relu(x) - |x| * relu(START - |x| * BEND) ** 4, to within 0.004: far less than a step of eight bits."""

LARGE = 1.5 * 2.0**10, 1.5 * 2.0**17, 1.5 * 2.0**18
"""Added and taken away again, they leave multiples of 2 ** -13, 2 ** -6, 2 ** -5: of queries, keys and values."""


class Graph:
    """Nodes and constants, as they come."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: ArrayLike, kind: type[np.generic] = np.float32) -> str:
        self.constants[name] = numpy_helper.from_array(np.asarray(value, kind, order="C"), name)
        return name

    def number(self, value: float, kind: type[np.generic] = np.float32) -> str:
        return self.constant(f"{kind.__name__} {value}", value, kind)

    def sizes(self, *sizes: int) -> str:
        return self.constant(f"sizes {sizes}", sizes, np.int64)

    def op(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node with one output, and name that."""
        name = name or f"{kind} {len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def ops(self, kind: str, *inputs: str, **attributes: Any) -> list[str]:
        """Add a node with three outputs."""
        names = [f"{kind} {len(self.nodes)}.{n}" for n in range(3)]
        self.nodes.append(helper.make_node(kind, inputs, names, **attributes))
        return names

    def float(self, x: str, name: str = "") -> str:
        return self.op("Cast", x, to=TensorProto.FLOAT, name=name)

    def double(self, x: str) -> str:
        return self.op("Cast", x, to=TensorProto.DOUBLE)


class Writer(Graph):
    """The network, part by part, from its weights by name."""

    def __init__(self, weights: Mapping[str, ArrayLike]) -> None:
        super().__init__()
        self.weights = {name: np.asarray(value, np.float64) for name, value in weights.items()}

    def of(self, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Matrix (inputs, outputs) and bias."""
        return self.weights[f"{name}.weight"].T, self.weights[f"{name}.bias"]

    def table(self, name: str, ids: str) -> str:
        """Rows of a table of int8 with a scale for each row."""
        rows = self.weights[f"{name}.weight"]
        scale = np.maximum(np.abs(rows).max(1, keepdims=True), 1e-12) / 127
        held = self.constant(f"{name}.weight_quantized", np.rint(rows / scale), np.int8)
        found = self.op("Gather", self.constant(f"{name}.weight_scale", scale), ids)
        return self.op("Mul", self.float(self.op("Gather", held, ids)), found)

    def linear(self, x: str, name: str, weight: NDArray[np.float64], bias: NDArray[np.float64]) -> str:
        """A product in whole numbers, as floats, with its bias."""
        scale = np.abs(weight).max(0) / LEVELS
        held = self.constant(f"{name}.weight_quantized", np.rint(weight / scale), np.int8)
        half = self.constant(f"{name}.weight_scale_half", scale / 2)
        rounded, step, zero = self.ops("DynamicQuantizeLinear", x)
        whole = self.float(self.op("MatMulInteger", rounded, held, zero))
        scales = self.op("Mul", self.op("Mul", step, self.number(2)), half)
        return self.op("Sub", self.op("Mul", whole, scales), self.constant(f"{name}.bias_negative", -bias))

    def norm(self, x: str, name: str) -> str:
        full = self.double(x)
        mean = self.op("ReduceMean", full, axes=[-1])
        square = self.op("ReduceMean", self.op("Mul", full, full), axes=[-1])
        spread = self.op("Sqrt", self.op("Sub", square, self.op("Mul", mean, mean)))
        factor = self.op("Div", self.number(1, np.float64), spread)
        even = self.op("Mul", self.op("Sub", x, self.float(mean)), self.float(factor))
        scale, shift = (self.constant(f"{name}.{part}", self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.op("Add", self.op("Mul", even, scale), shift)

    def attention(self, x: str, name: str, hidden: str, large: str) -> str:
        """Queries, keys and values by one product, then what each token hears.

        The scale of the scores is part of the queries. Keys need no bias: it would add the same to all scores of a
        query. Nor do values, whose bias all tokens hear alike: it is part of the next one.
        """
        (query, bias), (key, _), (value, _) = (self.of(f"{name}.{part}") for part in ("query", "key", "value"))
        width = len(bias)
        scale = SLOPE / (width // HEADS) ** 0.5
        biases = np.repeat(LARGE, width) + np.concatenate([bias * scale, np.zeros(2 * width)])
        made = self.linear(x, f"{name}.heard", np.concatenate([query * scale, key, value], 1), biases)
        parts = self.ops("Split", self.op("Sub", made, self.constant("large", np.repeat(LARGE, width))), axis=-1)
        parts = [self.op("Reshape", part, self.sizes(0, 0, HEADS, width // HEADS)) for part in parts]
        orders = [0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]
        q, k, v = (self.op("Transpose", part, perm=order) for part, order in zip(parts, orders))
        looks = self.exp(self.op("Add", self.op("MatMul", q, k), hidden))
        looks = self.op("Sub", self.op("Add", looks, large), large)
        heard = self.op("Div", self.op("MatMul", looks, v), self.op("ReduceSum", looks, self.sizes(-1)))
        return self.op("Reshape", self.op("Transpose", heard, perm=[0, 2, 1, 3]), self.sizes(0, 0, width))

    def exp(self, x: str) -> str:
        """exp(x / SLOPE), so that the largest in each row gives (1 - LESS) ** 8, less than 2 ** -7."""
        top = self.op("Add", self.op("ReduceMax", x, axes=[-1]), self.number(1))
        part = self.op("Div", self.number(1), self.op("Sub", top, x))
        return self.squared(self.op("HardSigmoid", part, alpha=1.0, beta=-LESS), 3)

    def gelu(self, x: str) -> str:
        """BEND * gelu(x / BEND)."""
        far = self.op("Abs", x)
        bump = self.squared(self.op("HardSigmoid", far, alpha=-1.0, beta=START), 2)
        return self.op("Sub", self.op("Relu", x), self.op("Mul", far, bump))

    def squared(self, x: str, times: int) -> str:
        for _ in range(times):
            x = self.op("Mul", x, x)
        return x

    def layer(self, x: str, name: str, hidden: str, large: str) -> str:
        weight, bias = self.of(f"{name}.out")
        heard = self.attention(x, name, hidden, large)
        made = self.linear(heard, f"{name}.out", weight, bias + self.weights[f"{name}.value.bias"] @ weight)
        x = self.norm(self.op("Add", x, made), f"{name}.norm1")
        weight, bias = self.of(f"{name}.up")
        inner = self.gelu(self.linear(x, f"{name}.up", weight * BEND, bias * BEND))
        weight, bias = self.of(f"{name}.down")
        return self.norm(self.op("Add", x, self.linear(inner, f"{name}.down", weight / BEND, bias)), f"{name}.norm2")

    def head(self, x: str, name: str) -> None:
        """A small product, in double precision."""
        weight, bias = self.of(name)
        made = self.op("MatMul", x, self.double(self.constant(f"{name}.weight", weight)))
        self.float(self.op("Add", made, self.double(self.constant(f"{name}.bias", bias))), name=name)

    def network(self) -> None:
        """From ids, segments and mask to pair, tags and tokens."""
        one, first = self.number(1, np.int64), self.number(0, np.int64)
        count = self.op("Gather", self.op("Shape", "ids"), one)
        # With twice as many as there are tokens, sums of exp times a value stay below 2 ** 24 steps.
        large = self.op("Mul", self.float(count), self.number(2))
        self.weights["places.weight"] = self.weights["places.weight"][:LONGEST]
        x = self.op("Add", self.table("words", "ids"), self.table("segments", "segments"))
        x = self.op("Add", x, self.table("places", self.op("Range", first, count, one)))
        x = self.norm(x, "norm")
        kept = self.float("mask")
        unseen = self.op("Mul", self.op("Sub", kept, self.number(1)), self.number(1000))
        hidden = self.op("Unsqueeze", unseen, self.sizes(1, 2))
        for n in range(sum(name.endswith(".up.bias") for name in self.weights)):
            x = self.layer(x, f"layers.{n}", hidden, large)
        self.op("Identity", x, name="tokens")
        x, kept = self.double(x), self.double(self.op("Unsqueeze", kept, self.sizes(2)))
        total, tokens = (self.op("ReduceSum", y, self.sizes(1), keepdims=0) for y in (self.op("Mul", x, kept), kept))
        self.head(self.op("Concat", self.op("Gather", x, first, axis=1), self.op("Div", total, tokens), axis=1), "pair")
        self.head(x, "tags")


def write(weights: Mapping[str, ArrayLike], target: Path) -> None:
    """Write the network in eight bits, and say how large it is."""
    made = Writer(weights)
    made.network()
    size = {name: len(made.weights[f"{name}.bias"]) for name in ("pair", "tags", "norm")}
    each = ["windows", "tokens"]
    given = [helper.make_tensor_value_info(name, TensorProto.INT64, each) for name in ("ids", "segments", "mask")]
    answers = [
        helper.make_tensor_value_info("pair", TensorProto.FLOAT, ["windows", size["pair"]]),
        helper.make_tensor_value_info("tags", TensorProto.FLOAT, [*each, size["tags"]]),
        helper.make_tensor_value_info("tokens", TensorProto.FLOAT, [*each, size["norm"]]),
    ]
    graph = helper.make_graph(made.nodes, "network", given, answers, list(made.constants.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model, full_check=True)
    target.write_bytes(model.SerializeToString())
    print(f"{target.stat().st_size / 1e6:.1f} MB")


def read(source: Path) -> dict[str, NDArray[np.float32]]:
    """The weights of a file by their names: near those it was written from, and of the same effect."""
    held = {one.name: numpy_helper.to_array(one) for one in onnx.load(str(source)).graph.initializer}
    found: dict[str, NDArray[Any]] = {}
    for name, value in held.items():
        part, _, last = name.rpartition(".")
        if last == "weight_scale":
            found[f"{part}.weight"] = held[f"{part}.weight_quantized"] * value
        elif last == "weight_scale_half":
            found[f"{part}.weight"] = (held[f"{part}.weight_quantized"] * value * 2).T
        elif last == "bias_negative":
            found[f"{part}.bias"] = -value
        elif last in ("weight", "bias"):
            found[name] = value.T if name in ("pair.weight", "tags.weight") else value
    for layer in [name.removesuffix(".heard.bias") for name in found if name.endswith(".heard.bias")]:
        parts = dict(zip(("query", "key", "value"), np.split(found.pop(f"{layer}.heard.weight"), 3)))
        width = len(parts["query"])
        scale = SLOPE / (width // HEADS) ** 0.5
        found |= {f"{layer}.{part}.weight": weight for part, weight in parts.items()}
        found |= {f"{layer}.{part}.bias": np.zeros(width) for part in ("key", "value")}
        found[f"{layer}.query.bias"] = (found.pop(f"{layer}.heard.bias")[:width] - LARGE[0]) / scale
        found[f"{layer}.query.weight"] = parts["query"] / scale
        found[f"{layer}.up.weight"] = found[f"{layer}.up.weight"] / BEND
        found[f"{layer}.up.bias"] = found[f"{layer}.up.bias"] / BEND
        found[f"{layer}.down.weight"] = found[f"{layer}.down.weight"] * BEND
    return {name: np.ascontiguousarray(value, np.float32) for name, value in found.items()}
