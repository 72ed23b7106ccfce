"""The network gives the same bits whatever kernels are chosen: onnxruntime's fusions stand for another processor."""

import numpy as np
import onnxruntime
import pytest

from overread.network.encoder import encoder

TEXTS = (
    ("No edema.", None),
    ("There is a large right pneumothorax with shift of the mediastinum to the left.", None),
    ("The heart is enlarged.", "Cardiomegaly."),
    (
        "Findings: " + "The 4 mm nodule in the left upper lobe is unchanged; no effusion. " * 8,
        "A nodule has grown.",
    ),
)


@pytest.fixture(scope="module")
def unfused():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    place = encoder().folder.joinpath("network.onnx")
    return onnxruntime.InferenceSession(str(place), options, providers=["CPUExecutionProvider"])


@pytest.mark.parametrize(("text", "second"), TEXTS)
def test_fusions_change_no_bit(unfused, text, second):
    coded = encoder().coded(text, second)
    given = {"ids": coded.ids, "segments": coded.segments, "mask": [1] * len(coded.ids)}
    given = {name: np.array([value], np.int64) for name, value in given.items()}
    for one, other in zip(encoder().session.run(None, given), unfused.run(None, given), strict=True):
        assert np.array_equal(one, other)
