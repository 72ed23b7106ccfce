"""What must hold for every reading and every score: checked as shipped, counted, the worst cases named."""

from overread.validation.laws.outcome import Break, Outcome
from overread.validation.laws.readings import READING_LAWS, check_readings
from overread.validation.laws.scores import SCORE_LAWS, check_scores

__all__ = ["READING_LAWS", "SCORE_LAWS", "Break", "Outcome", "check_readings", "check_scores"]
