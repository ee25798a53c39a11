"""One match: its state folded from events, its clock, what may be asked of it. Pure."""
