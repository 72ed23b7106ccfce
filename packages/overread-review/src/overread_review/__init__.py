"""The review app: people correct readings, judge candidates and compare systems blinded.

store    tables, audit, backup
sheets   what a person edits: one file per kind of work
work     studies, assignments, answers, decisions, agreement
exports  gold, tables, example banks, the study as one archive
site     pages, sessions, permissions
"""
