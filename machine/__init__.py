"""What a computer has and gives: memory, and folders that may be written. Imports nothing of Arbitre."""
