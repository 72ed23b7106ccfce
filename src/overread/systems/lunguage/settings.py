"""LUNGUAGE under the settings of a run: which encoder compares its phrases."""

from pathlib import Path

from overread.encoders.load import marked
from overread.systems import base
from overread.systems.lunguage.metrics import metrics as with_encoder

USUAL = "embedded"


def metrics(settings: base.SystemSettings) -> tuple[base.Metric, ...]:
    if settings.encoder == USUAL:
        return ()
    return with_encoder(settings.encoder, Path(settings.models) if settings.models else None)


def marks(settings: base.SystemSettings) -> dict[str, str]:
    if settings.encoder == USUAL:
        return {}
    return {"encoder": marked(settings.encoder, Path(settings.models) if settings.models else None)}
