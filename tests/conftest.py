"""One setting for all property tests: no deadline, since a loaded machine is no defect."""

from hypothesis import settings

settings.register_profile("overread", deadline=None)
settings.load_profile("overread")
