"""The command lines of the client, and what they do."""
