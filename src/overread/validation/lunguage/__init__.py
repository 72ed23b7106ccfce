"""Are findings, groups and timelines right? And what a corpus of them holds, and which encoder tells phrases apart."""
