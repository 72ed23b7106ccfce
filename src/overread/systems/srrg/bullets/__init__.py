"""How sentences become bullets: joining, roles, wording; `statements` is the way in."""
