"""What the answers are called that only training knows; those of the reader stand in `overread.reader.hearing`."""

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

FAULTS = ("-", "alone", "denied", "denies", "side", "place", "severity", "size", "certainty", "change", "device", "detail", "other")
"""What words of a sentence are, beside another report: as they should be; said of nothing there; denied there, or denying
what is there; or something else of the same thing."""
