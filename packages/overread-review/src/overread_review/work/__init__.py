"""What happens in a study: items, assignments, answers, decisions, agreement."""
