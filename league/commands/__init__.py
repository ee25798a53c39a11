"""The commands for contests: their options, and how they show progress."""
