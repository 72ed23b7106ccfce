"""How sentences become bullets: joining, marking, mending, trimming, wording; `statements` is the way in."""
