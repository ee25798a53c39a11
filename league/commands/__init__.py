"""The commands about contests: what they take, and what is seen of the work."""
