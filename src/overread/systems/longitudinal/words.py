"""Words and concepts of this system by what they do; why stands above each."""

from overread.systems.tables import sets

# fmt: off
WORDS = sets({
    # ---- by_rules
    "residual": ["residual", "residua", "residuals", "with residual"],
    # `Again seen` and `remain` say that it is still there; beside a real change word they say no more.
    "still_there": "persistent again",
    "volumes": "lung-volumes hypoinflation",
    "equipment": "device procedure",
    "belonging": "adjacent overlying underlying associated resultant",

    # ---- comparisons
    "changes": "improved worsened no_change",
    # Placements that say that a device is not where, or whether, it was.
    "moves": "new removed repositioned",
})
