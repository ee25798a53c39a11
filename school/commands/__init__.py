"""The commands about a class."""
