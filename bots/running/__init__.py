"""A bot on a server: its process, its matches, its thread, its share of the clock."""
