"""Errors and harmless rewrites put into reports: where they fit, who words them, which metric notices."""
