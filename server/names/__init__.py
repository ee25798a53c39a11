"""What may be a name, which names look the same, and what may be said."""
