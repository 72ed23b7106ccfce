"""A network in whole numbers: what both exports share."""

from pathlib import Path

import onnx
from onnxruntime.quantization import QuantType, quantize_dynamic


def int8(full: Path, target: Path) -> None:
    """Write the network with seven bits a weight, and say how large it is.

    Products never overflow on processors without wide accumulators, so that all processors add up the same integers.
    """
    quantize_dynamic(full, target, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
                     op_types_to_quantize=["MatMul", "Gemm", "Gather"])  # fmt: skip
    onnx.checker.check_model(str(target))
    print(f"{target.stat().st_size / 1e6:.1f} MB")
