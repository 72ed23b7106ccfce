"""The ledger under the settings of a run: a hospital's own weights, and whether indication and age count."""

from overread.systems import base
from overread.systems.ledger.score import metrics as with_weights
from overread.systems.ledger.weights import weights


def metrics(settings: base.SystemSettings) -> tuple[base.Metric, ...]:
    if settings.error_weights is None and settings.context:
        return ()
    return with_weights(settings.error_weights, settings.context)


def marks(settings: base.SystemSettings) -> dict[str, str]:
    """The weights by their hash."""
    own = weights(settings.error_weights).mark
    return ({"weights": own} if own else {}) | ({} if settings.context else {"context": "off"})
