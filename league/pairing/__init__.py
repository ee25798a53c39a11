"""Who plays whom, and from which opening."""
