"""Names that our FHIR resources use, written and read by them alone."""

BASE = "https://overread.invalid/fhir"
"""Our canonical URL: a name, not an address. Nobody can own a host under .invalid, so it leads nowhere else."""

CONCEPTS = f"{BASE}/CodeSystem/finding"
"""Concepts of the lexicon."""

TERMS = f"{BASE}/CodeSystem/term"
"""Relations, statuses, certainties, sides: the words findings are described in."""

MODELS = f"{BASE}/CodeSystem/open-imaging-finding-model"
"""Ids of the Open Imaging Finding Models."""

REPORT_ID = f"{BASE}/identifier/report"
PATIENT_ID = f"{BASE}/identifier/patient"
STUDY_ID = f"{BASE}/identifier/study"


def extension(name: str) -> str:
    """The URL of one of our extensions.

    >>> extension("finding-span")
    'https://overread.invalid/fhir/StructureDefinition/finding-span'
    """
    return f"{BASE}/StructureDefinition/{name}"
