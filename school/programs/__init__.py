"""Programs that pupils hand in: kept, tried in processes of their own, and played as bots of the class."""
