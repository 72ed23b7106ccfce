"""Our local code systems as FHIR resources: made from the lexicon, so that they never lag behind it."""

from overread.exports.assertion import ASSERTIONS
from overread.exports.codes import finding_models
from overread.exports.fhir_parts import Part, name_of
from overread.lexicon.lexicon import lexicon
from overread.sources.fhir_names import CONCEPTS, MODELS, TERMS
from overread.sources.pieces import FACTS, RELATIONS
from overread.version import __version__

WORDS = (
    *RELATIONS,
    "certainty",
    "laterality",
    *ASSERTIONS,
    *FACTS["certainty"],
    "left",
    "right",
    "both",
)


def code_systems() -> list[Part]:
    """Findings, the terms they are described in, and the finding-model ids in use."""
    concepts = {name: name.replace("-", " ") for name in lexicon().concepts}
    words = {word: word.replace("_", " ") for word in WORDS}
    models: dict[str, str] = {}
    for name, model in finding_models().items():
        models.setdefault(model, name.replace("-", " "))
    return [
        code_system(CONCEPTS, "OverreadFindings", concepts, "complete"),
        code_system(TERMS, "OverreadTerms", words, "complete"),
        code_system(MODELS, "OpenImagingFindingModels", models, "fragment"),
    ]


def code_system(url: str, name: str, codes: dict[str, str], content: str) -> Part:
    return {
        "resourceType": "CodeSystem",
        "id": name_of("CodeSystem", name),
        "url": url,
        "version": __version__,
        "name": name,
        "status": "active",
        "content": content,
        "concept": [{"code": code, "display": display} for code, display in codes.items()],
    }
