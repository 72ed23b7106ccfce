"""Standings for experiment trackers: Weights & Biases, MLflow. Numbers only; no text of a report is sent."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from overread.errors import UnknownName
from overread.extras import require

Table = Sequence[Mapping[str, Any]]


def log_to(where: str, table: Table, signature: str, **more: Any) -> None:
    """Send one number per metric and system, and the signature, to the run that is open there."""
    if where not in TRACKERS:
        raise UnknownName("tracker", where, TRACKERS)
    numbers = {f"{row['metric']}/{row['system']}": row["score"] for row in table if row["score"] is not None}
    TRACKERS[where](numbers, signature, **more)


def to_wandb(numbers: dict[str, float], signature: str, **more: Any) -> None:
    wandb = require("wandb", "wandb")
    if getattr(wandb, "run", None) is None:
        wandb.init(**more)
    wandb.run.summary.update({"overread/signature": signature})
    wandb.log(numbers)


def to_mlflow(numbers: dict[str, float], signature: str, **more: Any) -> None:
    mlflow = require("mlflow", "mlflow")
    mlflow.set_tag("overread.signature", signature)
    mlflow.log_metrics(numbers, **more)


TRACKERS: dict[str, Callable[..., None]] = {"wandb": to_wandb, "mlflow": to_mlflow}
