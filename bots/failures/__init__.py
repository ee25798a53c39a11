"""Decisions that failed: kept in capsules, asked again, stepped through in the debugger."""
