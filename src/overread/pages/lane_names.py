"""A name for a finding followed through time, as a person would write it: left apical pneumothorax."""

from collections.abc import Sequence

from overread.systems.lunguage.follow import commonest
from overread.systems.lunguage.timeline import Observation

BEFORE = frozenset(
    "left right bilateral unilateral bibasilar biapical upper lower mid middle apical basal basilar lateral medial "
    "anterior posterior hilar perihilar retrocardiac pleural pulmonary central peripheral proximal distal lingular "
    "right-sided left-sided diffuse".split()
)
"""A place that begins so stands before its finding: left pleural effusion."""

LOOKS = frozenset("clear normal unremarkable hyperinflated hyperexpanded enlarged".split())
"""What a structure looks like stands before it: clear lungs."""

PREPOSITIONS = frozenset(
    "in at on of along over within around near above below behind into throughout under".split()
)


def lane_name(members: Sequence[Observation]) -> str:
    """The commonest words for the finding, with the commonest place."""
    entity = commonest([one.entity.lower() for one in members])
    places = [one.location[0].lower() for one in members if one.location]
    return placed(entity, commonest(places)) if places else entity


def placed(entity: str, place: str) -> str:
    """
    >>> placed("pneumothorax", "left apical"), placed("fracture", "seventh rib"), placed("nodules", "both lungs")
    ('left apical pneumothorax', 'fracture of the seventh rib', 'nodules in both lungs')
    """
    words = place.split()
    if not words or place in entity:
        return entity
    if words[0] in PREPOSITIONS:
        return f"{entity} {place}"
    if entity in LOOKS:
        return f"{entity} {place}"
    if words[0] == "both":
        return f"{entity} in {place}"
    return f"{place} {entity}" if words[0] in BEFORE else f"{entity} of the {place}"
