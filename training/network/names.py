"""What the answers of the network are called, in the order of its numbers."""

ATTRIBUTES = (
    "location", "morphology", "distribution", "measurement", "previous_measurement", "severity", "comparison", "onset",
    "improved", "worsened", "no_change", "gone", "placement", "past_hx", "other_source", "assessment_limitations",
    "denied_by", "hedged_by",
)  # fmt: skip
CATEGORIES = ("PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO")
LINKS = ("evidence", "associate", "same_as")
PURPOSES = (
    "", "technique", "comparison", "advice", "communication", "limits", "history", "demographics", "summary", "heading", "blank",
)  # fmt: skip
"""Why a sentence has no mention; nothing for one that has."""

RELATIONS = ("same", "opposite", "neither")
VERDICTS = ("said", "denied", "open")
STATUSES = ("Present", "Uncertain", "Absent")
FACTS = {
    "status": ("present", "absent", "none"),
    "sure": ("yes", "no"),
    "side": ("-", "left", "right", "both"),
    "change": ("-", "new", "better", "worse", "same"),
}
"""What is known of the finding words of some texts."""
