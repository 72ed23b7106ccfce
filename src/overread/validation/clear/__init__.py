"""Does CLEAR read as experts do? Their files, labels, votes and ratings, and labellers of others."""
