"""CLEAR-Bench: studies with thirteen conditions judged by experts, one column each."""

from overread.sources.layout import Layout

CONDITIONS = (
    "enlarged_cardiomediastinum",
    "cardiomegaly",
    "lung_opacity",
    "lung_lesion",
    "edema",
    "consolidation",
    "pneumonia",
    "atelectasis",
    "pneumothorax",
    "pleural_effusion",
    "pleural_other",
    "fracture",
    "support_devices",
)

TABLE = Layout("CLEAR-Bench table", frozenset({"study_id", *CONDITIONS}), {"id": ("study_id",)})
