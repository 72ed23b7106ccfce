"""Does a metric agree with radiologists? Their files, and correlations with what they counted."""
