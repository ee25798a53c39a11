"""The screens, what can be done on each, and how one leads to another."""
