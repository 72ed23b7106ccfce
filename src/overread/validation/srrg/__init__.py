"""Are structured reports right? The template, organ by organ, the ranks of lines, and the labels of utterances."""
