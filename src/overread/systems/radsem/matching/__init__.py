"""How two atoms stand to each other: their places, their findings, what excludes what, what the judge hears."""
