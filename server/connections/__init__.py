"""The connections of the shell: their bytes, their turns, and how messages leave."""
